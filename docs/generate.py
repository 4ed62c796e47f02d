"""Write the generated tables into the pages: ``python docs/generate.py [--check]``.

A page has ``<!-- generated: NAME -->`` … ``<!-- end -->`` marks; what stands between them comes
from the code. With ``--check`` nothing is written and stale pages give exit code 1.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from concilium.envs import GAMES, Game
from concilium.envs.core.files import write_atomically

ROOT: Final = Path(__file__).parents[1]
_MARKED: Final = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


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
        "utility": f"{bound.utility.replace('_', '-')} with default options",
        "max game length": f"at most {bound.max_game_length:,} decisions with default options",
        "kinds of decisions": ", ".join(game.kinds),
        **{f'`decisions="{name}"`': ", ".join(kinds) for name, kinds in game.decision_sets.items()},
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {k} | {v} |" for k, v in facts.items())])


def card_table(game: Game) -> str:
    """All cards of a game, with every set that an option brings in, as a Markdown table."""
    bound = game.bind(**{o.name: True for o in game.all_options if isinstance(o.default, bool)})
    lines = ["| card | what it does |", "|---|---|"]
    for name in bound.cards():
        lines.append(f"| {name} | {bound.card_text(name).removeprefix(f'{name}: ')} |")
    return "\n".join(lines)


def structure_table() -> str:
    """The packages as a Markdown table: folder, and the first line of its docstring."""
    lines = ["| folder | what it holds |", "|---|---|"]
    for top in ("envs", "baselines", "wrappers", "training", "src/concilium"):
        for path in sorted((ROOT / top).rglob("__init__.py")):
            text = ast.get_docstring(ast.parse(path.read_text())) or ""
            first = text.partition("\n")[0].rstrip(".").replace("``", "`")
            lines.append(f"| `{path.parent.relative_to(ROOT)}/` | {first} |")
    return "\n".join(lines)


def game_parts(game: Game) -> dict[str, str]:
    """What can be generated into the page of a game, by name."""
    return {
        "facts": fact_table(game),
        "options": option_table(game),
        "actions": game.actions.table(),
        "observation": game.observation.table(),
        "state": game.state_layout.table(),
        "fields": game.state.table(),
        "events": game.event_table.table(),
        "cards": card_table(game),
        **game.page_tables,
    }


def fill(page: str, parts: dict[str, str]) -> str:
    """Return a page with its generated parts renewed."""
    return _MARKED.sub(lambda m: f"{m[1]}{parts[m[2]]}\n{m[3]}", page)


def pages() -> Iterator[tuple[Path, str, str]]:
    """The pages, each as its file, what it says and what it should say."""
    parts = {ROOT / "README.md": {"structure": structure_table()}}
    own = [game for game in GAMES.values() if game.package.startswith("concilium.envs.")]
    parts |= {game.folder / "README.md": game_parts(game) for game in own}
    for path, its_parts in parts.items():
        page = path.read_text()
        yield path, page, fill(page, its_parts)


def main(arguments: list[str]) -> int:
    """Renew or check all pages."""
    stale = [(path, renewed) for path, page, renewed in pages() if renewed != page]
    for path, renewed in stale:
        if "--check" not in arguments:
            write_atomically(path, renewed)
        print("stale:" if "--check" in arguments else "renewed:", path.parent.name, path.name)
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
