"""``concilium bench``: how fast a game and its bots are here, and how fast one learns it."""

from __future__ import annotations

from typing import Annotated

from concilium.commands import arguments as arg
from concilium.envs.core.errors import OptionError


def run(
    game: arg.GameName,
    /,
    *,
    num_envs: Annotated[int, arg.one(arg.whole(1, 2**16))] = 1024,
    threads: Annotated[int, arg.one(arg.whole(1, 256))] = 1,
    seconds: arg.Seconds = 1.0,
    repeats: arg.Count = 5,
    seed: arg.Seed = 1,
    no_start: bool = False,
    training: bool = False,
    bots: bool = False,
    json: arg.OutputFile | None = None,
) -> None:
    """Measure how fast a game and its bots are here, and how fast one learns it.

    Args:
        game: the game.
        num_envs: games in a batch.
        threads: that step it.
        seconds: length of one repeat.
        repeats: of each measurement.
        seed: of the games.
        no_start: leave out start-up times.
        training: measure the learner's decisions a second instead.
        bots: measure the rule bots instead.
        json: also write the figures to this file.
    """
    if training and bots:
        raise OptionError("--training and --bots are measured one at a time")
    if bots and (num_envs, threads) != (1024, 1):
        raise OptionError("--bots answer one batch of Views: without --num-envs and --threads")
    if bots:
        from concilium.bench import bots as of_bots

        result = of_bots.run(
            game.name, seconds=seconds, repeats=repeats, seed=seed, start=not no_start
        )
    elif training:
        from concilium.bench import training as of_training

        result = of_training.main(game.name, seconds=seconds * repeats).to_json()
    else:
        from concilium.bench import engine

        result = engine.run(
            game.name, num_envs=num_envs, threads=threads, seconds=seconds, repeats=repeats,
            seed=seed, start=not no_start,
        )  # fmt: skip
    arg.write_json(json, result)
