"""``concilium list``: what there is: games with their options, bots, presets.

With ``games``, ``bots`` or ``presets`` the bare names, one a line, for scripts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any, Final

import concilium
from concilium.commands.arguments import about
from concilium.envs import GAMES, Game

_KINDS: Final = ("games", "bots", "presets")


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "list", help="tell games, options, bots and presets", description=about(__doc__),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("kind", nargs="?", choices=_KINDS, help="only the names of these")
    parser.add_argument("--json", action="store_true", help="print it as JSON, with everything")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    names = known_names()
    if args.json:
        shown: dict[str, Any] = {
            "concilium": concilium.__version__,
            "games": [_game_facts(game) for game in GAMES.values()],
        }
        print(json.dumps(shown if args.kind is None else names[args.kind], indent=1))
    elif args.kind is not None:
        print("\n".join(names[args.kind]))
    else:
        for game in GAMES.values():
            print("\n".join(_game_lines(game)))
    return 0


def known_names() -> dict[str, list[str]]:
    """Names of all games, bots and presets, under ``"games"``, ``"bots"`` and ``"presets"``."""
    from concilium.baselines import bot_names

    games = GAMES.values()
    return {
        "games": list(GAMES),
        "bots": list(dict.fromkeys(name for game in games for name in bot_names(game))),
        "presets": list(dict.fromkeys(name for game in games for name in game_presets(game))),
    }


def game_presets(game: Game) -> list[str]:
    """Names of the presets for a game, as concilium train takes them: without the game's."""
    from concilium.training.presets import preset_names  # needs nothing of the extra `train`

    start = f"{game.name}-"
    return [name.removeprefix(start) for name in preset_names() if name.startswith(start)]


def _game_facts(game: Game) -> dict[str, Any]:
    from concilium.baselines import bot_names, bot_parameters

    return {
        "name": game.name,
        "id": game.id,
        "title": game.title,
        "players": [game.min_players, game.max_players],
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "allowed": option.allowed(),
                "choices": list(option.choices),
                "low": option.low,
                "high": option.high,
                "meaning": option.meaning,
            }
            for option in game.all_options
        ],
        "bots": [
            {
                "name": name,
                "parameters": [
                    {
                        "name": parameter.name,
                        "default": parameter.default,
                        "allowed": parameter.allowed(),
                        "meaning": parameter.meaning,
                    }
                    for parameter in bot_parameters(name)
                ],
            }
            for name in bot_names(game)
        ],
        "kinds": list(game.kinds),
        "decision_sets": {name: list(kinds) for name, kinds in game.decision_sets.items()},
        "presets": game_presets(game),
    }


def _game_lines(game: Game) -> Iterator[str]:
    from concilium.baselines import bot_names, bot_parameters
    from concilium.baselines.registry import DIVIDED_FORM, written

    yield f"{game.name}: {game.title}, {game.min_players} to {game.max_players} players"
    yield "  options"
    named = [(f"{option.name}={option.default}", option) for option in game.options]
    width = max((len(text) for text, _ in named), default=0)
    for text, option in named:
        yield f"    {text:<{width}}  {option.meaning}; {option.allowed()}"
    yield "  bots"
    shown: dict[tuple[str, ...], str] = {}  # bots of one kind have the same parameters
    for name in bot_names(game):
        parameters = bot_parameters(name)
        names = tuple(parameter.name for parameter in parameters)
        like = f", parameters as {shown[names]}" if names in shown else ""
        yield f"    {name}{like}"
        if names and names not in shown:
            shown[names] = name
            for parameter in parameters:
                text = f"{parameter.name}={written(parameter.default)}"
                yield f"      {text}: {parameter.meaning}; {parameter.allowed()}"
    yield f"    {DIVIDED_FORM}"
    yield "      the first decides on the kinds, the other on the rest; / between several kinds"
    yield "  kinds of decisions"
    yield f"    {', '.join(game.kinds)}"
    for name, kinds in game.decision_sets.items():
        yield f"    {name}: {', '.join(kinds)}"
    yield "  presets of concilium train"
    for name in game_presets(game):
        yield f"    {name}"
