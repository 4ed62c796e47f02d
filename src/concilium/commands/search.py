"""``concilium search``: what searching adds to a bot."""

from __future__ import annotations

from typing import Annotated

from concilium.commands import arguments as arg
from concilium.envs import OptionError


def run(
    game: arg.GameName,
    bot: arg.BotName,
    /,
    *,
    players: arg.TableSizes | None = None,
    side: str = "",
    opponent: arg.BotName | None = None,
    others: arg.BotNames = (),
    worlds: Annotated[tuple[int, ...], arg.several(arg.whole(2, 65_536))] = (64,),
    milliseconds: Annotated[tuple[int, ...], arg.several(arg.whole(1, 3_600_000))] = (),
    threshold: float = 2.0,
    tree: bool = False,
    option: arg.Options = (),
    deals: arg.Count = 30,
    seed: arg.Seed = 0,
    as_json: Annotated[bool, arg.Parameter(name="--json")] = False,
) -> None:
    """Measure what searching adds to a bot, on the same deals with and without.

    One seat, in all rotations, or with --side a whole side is played by the search and by its
    blueprint; everybody else stays. The gain is the mean difference by deal, with its 95 %
    interval; the time is that of a decision with a choice, on one core.

    Args:
        game: the game.
        bot: the blueprint: what is searched with.
        players: table sizes; that of the game by default.
        side: play this side whole, in games that have sides.
        opponent: everybody else; the blueprint by default.
        others: what the search takes the others to play; the blueprint by default.
        worlds: in how many the last two actions are compared, one figure after another.
        milliseconds: think for so long instead.
        threshold: standard errors by which an action must beat the blueprint's.
        tree: information-set tree search.
        option: an option of the game, again for each.
        deals: how many.
        seed: of deals and bots.
        as_json: print it as JSON.
    """
    from concilium.baselines.search import Settings
    from concilium.evaluation.report import to_json
    from concilium.evaluation.search import search_gain

    if not 0 <= threshold <= 100:
        raise OptionError(f"--threshold {threshold} is not allowed: a number from 0 to 100")
    lengths = [Settings(milliseconds=each, tree=tree, threshold=threshold) for each in milliseconds]
    lengths = lengths or [Settings(worlds=each, tree=tree, threshold=threshold) for each in worlds]
    found = []
    for size in players or (game.default_players,):
        for settings in lengths:
            result = search_gain(
                game, bot, settings, deals=deals, side=side, seed=seed, opponent=opponent or "",
                others=tuple(others), num_players=size, **arg.read_options(game, option),
            )  # fmt: skip
            found.append(result)
            if not as_json:
                print("\n".join(result.lines()), flush=True)
    if as_json:
        names = [bot, *others, *([opponent] if opponent else [])]
        print(arg.json_text([to_json(result) for result in found], names))
