"""The commands of ``concilium``, one module each.

A command is a module with ``add_parser(commands)``, which adds the command's own parser and sets
its default ``run`` to a function from the parsed arguments to an exit code. What is heavy to import
is imported in that function. :mod:`concilium.cli` lists the modules.
"""
