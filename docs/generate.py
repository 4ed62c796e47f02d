"""Write the generated tables into the games' pages: ``python docs/generate.py [--check]``.

A page has ``<!-- generated: NAME -->`` … ``<!-- end -->`` marks; what stands between them comes
from the code. With ``--check`` nothing is written and stale pages give exit code 1.
"""

from __future__ import annotations

import re
import sys

from concilium.envs import GAMES, Game
from concilium.envs.core.files import write_atomically

_MARKED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def option_table(game: Game) -> str:
    """The options of a game as a Markdown table."""
    lines = ["| option | default | allowed | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{o.name}` | `{o.default!r}` | {o.allowed()} | {o.meaning} |" for o in game.all_options
    ]
    return "\n".join(lines)


def fact_table(game: Game) -> str:
    """The declared facts of a game as a Markdown table."""
    bound = game.bind()
    facts = {
        "module": f"`from concilium.envs import {game.id}`",
        "players": f"{game.min_players}–{game.max_players}",
        "agents": f"`player_0` … `player_{game.max_players - 1}`",
        "actions": f"`Discrete({game.num_actions})`",
        "observation": f"`int8 ({game.observation.size},)` and `action_mask int8 "
        f"({game.num_actions},)`",
        "state vector": f"`int8 ({game.state_layout.size},)`",
        "State": f"{game.dtype.itemsize} bytes",
        "returns of a seat": f"{game.return_range[0]:g} … {game.return_range[1]:g}",
        "longest game": f"at most {bound.longest:,} decisions with default options",
        "kinds of decisions": ", ".join(game.kinds),
        **{f'`decisions="{name}"`': ", ".join(kinds) for name, kinds in game.decision_sets.items()},
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {k} | {v} |" for k, v in facts.items())])


def fill(game: Game, page: str) -> str:
    """Return the page with its generated parts renewed."""
    parts = {
        "facts": fact_table(game),
        "options": option_table(game),
        "actions": game.actions.table(),
        "observation": game.observation.table(),
        "state": game.state_layout.table(),
    }
    return _MARKED.sub(lambda m: f"{m[1]}{parts[m[2]]}\n{m[3]}", page)


def main(arguments: list[str]) -> int:
    """Renew or check all pages."""
    stale = []
    for game in GAMES.values():
        path = game.folder / "README.md"
        page = path.read_text()
        renewed = fill(game, page)
        if renewed != page:
            stale.append(path)
            if "--check" not in arguments:
                write_atomically(path, renewed)
    for path in stale:
        print("stale:" if "--check" in arguments else "renewed:", path.parent.name, path.name)
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
