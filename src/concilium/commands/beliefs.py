"""``concilium beliefs``: how good role inference is, on games of bots."""

from __future__ import annotations

from typing import Annotated

from concilium.commands import arguments as arg


def run(
    *,
    mini: bool = False,
    players: arg.TableSize = 7,
    option: arg.Options = (),
    games: arg.Count = 200,
    views: arg.Count = 24,
    worlds: arg.Count = 5000,
    exact: bool = False,
    bots: Annotated[tuple[str, str], arg.BOT] | None = None,
    seed: arg.Seed = 0,
) -> None:
    """Measure how good role inference in Believers is.

    Beliefs of True Believers at the end of each row, in games of bots that play by the behaviour
    model. The reference is the exact posterior; where that is too large it is the sum over sampled
    worlds, of a few Views drawn at random: twice from different draws, which says how far it is to
    be trusted. With --bots other bots play, one for each side, and the model is what the first of
    them takes the others to do: there is no reference then. The unit of intervals is the game.

    Args:
        mini: the players and options of believers/mini, and an exact reference.
        players: seats at the table.
        option: an option of the game, again for each; concilium list tells them.
        games: how many are played.
        views: that are referred to sampled worlds.
        worlds: kept at a time, of the reference.
        exact: an exact reference.
        bots: that of the True Believers, that of the Defectors.
        seed: of all chance.
    """
    from concilium.baselines.believers.inference.model import BehaviourModel
    from concilium.envs.believers import GAME
    from concilium.envs.believers.options import MINI
    from concilium.evaluation.beliefs.report import compare, of_bots

    options = MINI if mini else {"num_players": players}
    table = GAME.bind(**{**options, **arg.read_options(GAME, option)})
    if bots:
        lines = of_bots(table, bots, games, seed)
    else:
        worlds = 0 if mini or exact else worlds
        lines = compare(table, BehaviourModel(), games, seed, views, worlds)
    for line in lines:
        print(line, flush=True)
