"""``concilium check``: does a game keep its contract? Random tables of it are examined."""

from __future__ import annotations

from concilium.commands import arguments as arg
from concilium.envs import Game
from concilium.envs.core.option import OptionValue


def run(
    game: arg.GameName,
    /,
    *,
    players: arg.TableSizes | None = None,
    option: arg.Options = (),
    games: arg.Count = 8,
    pairs: arg.Count = 10_000,
    seed: arg.Seed = 0,
) -> int:
    """Check whether a game keeps its contract.

    Random tables of it are examined. Without --option these have the defaults and both ends of all
    options.

    Args:
        game: the game.
        players: table sizes; all by default.
        option: an option of the game, again for each; concilium list tells them.
        games: per table and examination.
        pairs: (state, player) pairs a table.
        seed: of the tables.
    """
    from concilium.baselines import bot_names, make_bot
    from concilium.envs.check import check_game

    options = arg.read_options(game, option)
    for size in players or ():
        game.bind(num_players=size, **options)
    report = check_game(
        game,
        num_players=players,
        options=options if option else extreme_options(game),
        games=games,
        pairs=pairs,
        seed=seed,
        bots=[make_bot(name, game, seed=seed) for name in bot_names(game) if "/" in name],
        # which elements can vary depends on the options; that all do is a test's to show
        constant=[segment.name for segment in game.observation],
    )
    print(report)
    return 0 if report.ok else 1


def extreme_options(game: Game) -> list[dict[str, OptionValue]]:
    """The defaults, all options at their lowest or first value, all at their highest or last."""
    ends: list[dict[str, OptionValue]] = [{}, {}, {}]
    for option in game.options:
        if isinstance(option.default, bool):
            values: tuple[OptionValue, OptionValue] = (False, True)
        elif option.choices:
            values = (option.choices[0], option.choices[-1])
        else:
            values = (option.low, option.high)
        ends[1][option.name], ends[2][option.name] = values
    return ends
