"""``concilium dilemma``: what becomes of a table as more of its seats deviate."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from concilium.commands import arguments as arg
from concilium.commands.matches import BY_DEFAULT, Matches, play_and_report

if TYPE_CHECKING:
    from concilium.evaluation.dilemma import Dilemma, Mix


def run(
    game: arg.GameName,
    /,
    *,
    resident: arg.BotName,
    deviator: arg.BotNames,
    matches: Matches = BY_DEFAULT,
    plot: arg.OutputFile | None = None,
    payoff: Literal["won", "return"] = "won",
) -> None:
    """Tell what becomes of a table as more of its seats deviate.

    For every number of deviators among residents the same deals are played with the deviators in
    all places (above 6 players in some of them, as the table says). The intervals are of 95 % and
    by deal. The results are the same for any number of workers.

    Args:
        game: the game.
        resident: the bot of the seats that do not deviate.
        deviator: the bot of those that do; several are compared, each by itself among residents.
        matches: how much is played.
        plot: also draw Schelling's diagram into this file.
        payoff: what is drawn as the payoff.
    """
    from concilium.evaluation.dilemma import dilemma
    from concilium.evaluation.plot import draw_dilemma

    play = partial(dilemma, resident, deviator)
    play_and_report(game, matches, play, told, partial(draw_dilemma, payoff=payoff), plot)


def told(result: Dilemma) -> str:
    """Tell a diagram in tables of plain text."""
    parts = [
        f"{result.game}, seed {result.seed}, residents {result.resident}: {result.deals} deals in "
        "each place; 95 % intervals by deal"
    ]
    for deviator in result.deviators:
        for players in result.players:
            parts += [
                _told_mixes(result, deviator, players),
                _told_temptations(result, deviator, players),
            ]
    return "\n\n".join(parts)


def _told_mixes(result: Dilemma, deviator: str, players: int) -> str:
    from concilium.evaluation.report import percent, signed, text_table

    header = ["deviators", "places", "deviator won %", "resident won %"]
    header += [f"{outcome} %" for outcome in result.lost_by_all]
    header += ["deviator's return", "resident's return", "return of a seat"]
    rows = [
        [
            str(mix.deviators),
            _places(mix),
            percent(mix.deviator_won),
            percent(mix.resident_won),
            *(percent(mix.outcomes[outcome]) for outcome in result.lost_by_all),
            signed(mix.deviator_return),
            signed(mix.resident_return),
            signed(mix.table_return),
        ]
        for mix in result.mixes_of(deviator, players)
    ]
    share = result.equal_shares[result.players.index(players)]
    equal = "" if share is None else f" (equal share {100 * share:.1f} %)"
    return text_table(f"{players} players, deviators {deviator}{equal}", header, rows)


def _places(mix: Mix) -> str:
    return f"all {mix.places}" if mix.all_places else f"{mix.places} of more"


def _told_temptations(result: Dilemma, deviator: str, players: int) -> str:
    from concilium.evaluation.report import signed, text_table

    rows = [
        [str(each.others), signed(each.won), signed(each.mean_return)]
        for each in result.temptations
        if (each.deviator, each.players) == (deviator, players)
    ]
    harm = next(
        each.mean_return
        for each in result.harms
        if (each.deviator, each.players) == (deviator, players)
    )
    title = "what a seat gains by deviating, on the same deals"
    header = ["other deviators", "share of games won", "mean return"]
    return (
        text_table(title, header, rows)
        + f"\nwhat every seat loses when all deviate (mean return): {signed(harm)}"
    )
