"""``concilium completion``: completion of commands, names and files for a shell."""

from __future__ import annotations

from typing import Literal


def run(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print a script that completes commands, names and files in a shell.

    In bash: eval "$(concilium completion bash)". In zsh: a file called _concilium in a folder of
    $fpath. In fish: a file called concilium.fish in ~/.config/fish/completions.

    Args:
        shell: that is to read it.
    """
    from concilium.cli import command_line

    print(command_line().generate_completion(shell=shell))
