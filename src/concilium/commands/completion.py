"""``concilium completion``: completion of commands, names and files for a shell.

Prints a script for the shell. In bash: eval "$(concilium completion bash)". In zsh: a file called
_concilium in a folder of $fpath. In tcsh: a file to source.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from concilium.commands.arguments import about
from concilium.commands.list import known_names

SHELLS: Final = ("bash", "zsh", "tcsh")
_FILES: Final = {
    "file": "*.jsonl", "record": "*.jsonl", "rows": "*.csv", "json": "*.json",
    "heat_map": "*.png", "plot": "*.png",
}  # fmt: skip
"""What the files are called that an argument names, by the argument's destination."""
_NAMES: Final = {
    "game": "games", "preset": "presets", "bot": "bots", "bots": "bots", "opponents": "bots",
    "resident": "bots", "deviators": "bots", "assistant": "bots",
}  # fmt: skip
"""What else an argument names, by its destination."""
_FOLDERS: Final = ("folder", "resume")
"""Arguments that name a folder."""
_SAVED: Final = {"bots": "*.safetensors", "presets": "*.toml"}  # named or in a file


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "completion", help="print a script that completes commands in a shell",
        description=about(__doc__), formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("shell", choices=SHELLS)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    import shtab

    from concilium.cli import parser

    top, words = parser(), known_names()
    for action in _actions(top):
        if not action.choices and (how := _completer(action.dest)):
            action.complete = how  # type: ignore[attr-defined]  # where shtab looks for it
    functions = {"bash": _bash(words), "zsh": _zsh(words)}
    print(shtab.complete(top, args.shell, preamble=functions.get(args.shell, "")))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments that take a value, those of the commands included."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        elif action.nargs != 0:
            yield action


def _completer(dest: str) -> dict[str, str] | None:
    """What shtab is to insert for an argument, by shell; None if there is nothing to complete."""
    if dest in _FILES:
        pattern = _FILES[dest]
        return {
            "bash": _bash_name(dest),
            "zsh": f"_files -g '{pattern}'",
            "tcsh": f"f:{pattern}",
        }
    if dest in _FOLDERS:
        return {"bash": "_shtab_compgen_dirs", "zsh": "_files -/", "tcsh": "d"}
    if dest in _NAMES:
        kind = _NAMES[dest]
        return {
            "bash": _bash_name(kind),
            "zsh": f"_concilium_{kind}",
            # not the words themselves: names of bots have a slash, which ends a list in tcsh
            "tcsh": f"`concilium list {kind}`",
        }
    return None


def _bash_name(what: str) -> str:
    """Name of a function of :func:`_bash`; by ``_file`` shtab tells that it may give files."""
    return f"_concilium_{what}" + ("_file" if what in _FILES or what in _SAVED else "")


def _bash(words: Mapping[str, Sequence[str]]) -> str:
    """Functions that print what completes the word given."""
    lines = []
    for dest, pattern in _FILES.items():
        lines.append(f"{_bash_name(dest)}() {{ {_bash_files(pattern)}; }}")
    for kind, names in words.items():
        body = f'compgen -W "{" ".join(names)}" -- "$1"'
        if kind in _SAVED:
            body += f"; {_bash_files(_SAVED[kind])}"
        lines.append(f"{_bash_name(kind)}() {{ {body}; }}")
    return "\n".join(lines)


def _bash_files(pattern: str) -> str:
    return f'compgen -f -X \'!{pattern}\' -- "$1"; compgen -d -- "$1"'


def _zsh(words: Mapping[str, Sequence[str]]) -> str:
    """Functions that offer words, and files where they are meant too."""
    lines = []
    for kind, names in words.items():
        body = f"compadd -- {' '.join(names)}"
        if kind in _SAVED:
            body += f"; _files -g '{_SAVED[kind]}'"
        lines.append(f"_concilium_{kind}() {{ {body}; }}")
    return "\n".join(lines)
