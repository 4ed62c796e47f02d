"""``concilium best-response``: what one seat of a small game of Believers can win at most."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from concilium.commands import arguments as arg


def run(
    *,
    bot: str = "plain",
    role: Annotated[tuple[Literal["defector", "believer"], ...], Parameter(consume_multiple=1)] = (
        "defector",
        "believer",
    ),
    seat: Annotated[int, arg.one(arg.whole(0, 98))] = 0,
    players: arg.TableSize = 5,
    option: arg.Options = (),
) -> None:
    """Compute what one seat of a small game of Believers can win at most.

    For a Defector and for a True Believer among copies of a bot: how often the bot itself wins, how
    often a best response wins, and how large the tree was. The expectation is over all deals and
    all chance; a policy may use all that its seat saw. What is found is exact, but for rounding,
    against bots that answer equal Views with equal actions; others are refused.

    Args:
        bot: plain, plain:partner=true, or a bot's name.
        role: whose response.
        seat: where it sits, from 0.
        players: seats at the table.
        option: an option of the game in place of that of believers/mini, again for each.
    """
    from concilium.envs.believers import GAME
    from concilium.envs.believers.options import MINI
    from concilium.evaluation.best_response.report import bot_of, lines

    options = {**MINI, "num_players": players, **arg.read_options(GAME, option)}
    table = GAME.bind(**options)
    for each in role:
        print("\n".join(lines(table, bot_of(bot), seat, [each])), flush=True)
