"""The commands of ``concilium``, one module each, with a function ``run``.

Its signature is the command line, its docstring the help, and what it returns the exit code, 0 if
nothing. What is heavy to import is imported in it. :mod:`concilium.cli` lists the modules.
"""
