"""``concilium list``: what there is: games with their options, bots, presets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from cyclopts import Parameter

import concilium
from concilium.commands.arguments import bot_names_of
from concilium.envs import GAMES, Game


def run(
    kind: Literal["games", "bots", "presets"] | None = None,
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json")] = False,
) -> None:
    """Tell what there is: games with their options, bots, presets.

    Args:
        kind: only the bare names of these, one a line, for scripts.
        as_json: print it as JSON, with everything.
    """
    names = known_names()
    if as_json:
        shown: dict[str, Any] = {
            "concilium": concilium.__version__,
            "games": [_game_facts(game) for game in GAMES.values()],
        }
        print(json.dumps(shown if kind is None else names[kind], indent=1))
    elif kind is not None:
        print("\n".join(names[kind]))
    else:
        for game in GAMES.values():
            print("\n".join(_game_lines(game)))


def known_names() -> dict[str, list[str]]:
    """Names of all games, bots and presets, under ``"games"``, ``"bots"`` and ``"presets"``."""
    games = list(GAMES.values())
    presets = [f"{game.name}-{name}" for game in games for name in game_presets(game)]
    return {"games": list(GAMES), "bots": bot_names_of(games), "presets": presets}


def game_presets(game: Game) -> list[str]:
    """Names of the presets for a game, as concilium train takes them: without the game's."""
    from concilium.training.presets import preset_names  # needs nothing of the extra `train`

    start = f"{game.name}-"
    return [name.removeprefix(start) for name in preset_names() if name.startswith(start)]


def _game_facts(game: Game) -> dict[str, Any]:
    from concilium.baselines import bot_names, bot_parameters

    def facts(each: Any, *names: str) -> dict[str, Any]:
        return {name: getattr(each, name) for name in names} | {"allowed": each.allowed()}

    def parameters(bot: str) -> list[dict[str, Any]]:
        return [facts(each, "name", "default", "meaning") for each in bot_parameters(bot)]

    return {
        "name": game.name,
        "id": game.id,
        "title": game.title,
        "players": [game.min_players, game.max_players],
        "options": [
            facts(option, "name", "default", "choices", "low", "high", "meaning")
            for option in game.all_options
        ],
        "bots": [{"name": name, "parameters": parameters(name)} for name in bot_names(game)],
        "kinds": game.kinds,
        "decision_sets": game.decision_sets,
        "presets": game_presets(game),
    }


def _game_lines(game: Game) -> Iterator[str]:
    from concilium.baselines import bot_names, bot_parameters
    from concilium.baselines.registry import DIVIDED_FORM, sides_form, written

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
    if game.sides:
        yield f"    {sides_form(game.sides)}"
        yield "      a bot for each side, which decides for whoever is on it"
    yield "  kinds of decisions"
    yield f"    {', '.join(game.kinds)}"
    for name, kinds in game.decision_sets.items():
        yield f"    {name}: {', '.join(kinds)}"
    yield "  presets of concilium train"
    for name in game_presets(game):
        yield f"    {name}"
