"""``concilium dilemma``: what becomes of a table as more of its seats deviate.

For every number of deviators among residents the same deals are played with the deviators in all
places (above 6 players in some of them, as the table says). The intervals are of 95 % and by deal.
The results are the same for any number of workers.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from concilium.commands.arguments import about, add_game, output_file
from concilium.commands.matches import add_matches, play_and_report

if TYPE_CHECKING:
    from concilium.evaluation.dilemma import Dilemma, Mix


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "dilemma", help="what deviators win, and what it costs", description=about(__doc__),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add_game(parser)
    parser.add_argument(
        "--resident", metavar="BOT", required=True, help="the bot of the seats that do not deviate"
    )
    parser.add_argument(
        "--deviator", dest="deviators", metavar="BOT", nargs="+", required=True,
        help="the bot of those that do; several are compared, each by itself among residents",
    )  # fmt: skip
    add_matches(parser, "way to place the deviators")
    parser.add_argument(
        "--plot", metavar="FILE.png", type=output_file, help="also draw Schelling's diagram"
    )
    parser.add_argument(
        "--payoff", choices=("won", "return"), default="won", help="what is drawn as the payoff"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from concilium.evaluation.dilemma import dilemma

    def draw(found: Dilemma) -> None:
        from concilium.evaluation.plot import draw_dilemma

        draw_dilemma(args.plot, found, payoff=args.payoff)

    play = partial(dilemma, args.resident, args.deviators)
    return play_and_report(args, play, told, draw, args.plot)


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
    equal = f"equal share {100 / players:.1f} %"
    return text_table(f"{players} players, deviators {deviator} ({equal})", header, rows)


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
