"""Pictures of runs, tournaments and dilemmas; matplotlib is imported when one is drawn."""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

from concilium.envs import OptionError
from concilium.envs.core.files import write_atomically
from concilium.evaluation.dilemma import Dilemma
from concilium.evaluation.intervals import Estimate, block_share
from concilium.evaluation.report import short_names
from concilium.evaluation.seats import Evaluation
from concilium.evaluation.tournament import CrossTable, Tournament

_INCHES: Final = (11.0, 4.2)
_LETTERS: Final = 10  # of a title to an inch
_BAR: Final = 0.38
_PANEL: Final = (4.8, 2.5)  # inches of a panel of the dilemma
_DEVIATOR: Final = "#d55e00"  # colours that people of all colour visions tell apart
_RESIDENT: Final = "#0072b2"
_SIZES: Final = ("#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#f0e442")
_DASHES: Final = ("-", "--", ":", "-.")
_EQUAL: Final = ", dashed: equal share"
_TITLE: Final = {"won": "share of games won", "return": "mean return"}

FORMATS: Final = ("png", "svg", "pdf")
"""Formats of pictures, by the ends of their names."""
Payoff = Literal["won", "return"]
"""What a seat is after, in a diagram."""


def draw_run(
    path: str | os.PathLike[str],
    curves: Sequence[dict[str, Any]],
    evaluations: Sequence[Evaluation],
    title: str,
) -> None:
    """Draw the course of training at the left, the evaluations with intervals at the right.

    Args:
        path: the file, ``.png``, ``.svg`` or ``.pdf``.
        curves: one mapping per update, see :class:`.learn.Progress`.
        evaluations: those of the trained policy, one bar each.
        title: of the picture.
    """
    figure = _figure(*_INCHES)
    left, right = figure.subplots(1, 2)
    figure.suptitle(_folded(title, figure))
    _draw_course(left, curves)
    _draw_strength(right, evaluations)
    _save(figure, path)


def draw_heat_map(path: str | os.PathLike[str], result: Tournament) -> None:
    """Draw who wins at whose table, one panel per table size.

    The colours are centred on an equal share, in games of sides on one half; framed cells are
    self-play.

    Args:
        path: the file, ``.png``, ``.svg`` or ``.pdf``.
        result: of the tournament.
    """
    side = 1.4 + 0.95 * len(result.bots)
    figure = _figure(max(3.6, side + 1.6) * len(result.tables), max(3.4, side + 0.9))
    panels = figure.subplots(1, len(result.tables), squeeze=False)[0]
    figure.suptitle(
        _folded(f"{result.game}: % of games won by the row's bot, alone among the column's", figure)
    )
    for axes, table in zip(panels, result.tables, strict=True):
        _draw_cells(figure, axes, table, short_names(result.bots))
    _save(figure, path)


def draw_dilemma(path: str | os.PathLike[str], result: Dilemma, *, payoff: Payoff = "won") -> None:
    """Draw a column of panels for each deviator.

    At the top Schelling's diagrams, one per table size: the payoff of a deviator and of a resident
    over the number of other deviators. At the bottom how often everybody loses, over the number of
    deviators. All with 95 % intervals.

    Args:
        path: the file, ``.png``, ``.svg`` or ``.pdf``.
        result: what was found.
        payoff: ``"won"``, the share of games won, or ``"return"``, the mean return.

    Raises:
        OptionError: there is no such payoff.
    """
    if payoff not in _TITLE:
        raise OptionError(f"payoff={payoff!r} is not allowed: one of {', '.join(_TITLE)}")
    columns, sizes = len(result.deviators), result.players
    rows = len(sizes) + bool(result.lost_by_all)  # where nobody loses, no panel shows it
    figure = _figure(_PANEL[0] * columns, _PANEL[1] * rows + 0.9)
    panels = figure.subplots(rows, columns, squeeze=False)
    figure.suptitle(
        f"{result.game}: residents {short_names([result.resident])[0]}\n"
        f"{result.deals} deals, 95 % intervals by deal"
        f"{_EQUAL if payoff == 'won' and None not in result.equal_shares else ''}",
        fontsize="medium",
    )
    highest = _highest(result, payoff)
    for column, deviator in enumerate(result.deviators):
        panels[0, column].set_title(f"deviators: {short_names(result.deviators)[column]}")
        for row, players in enumerate(sizes):
            axes = panels[row, column]
            _draw_payoffs(axes, result, deviator, players, payoff)
            axes.set_ylim(*highest)
            axes.set_ylabel(f"{players} players\n{_TITLE[payoff]}" if column == 0 else "")
        panels[len(sizes) - 1, column].set_xlabel("other deviators at the table")
        if result.lost_by_all:
            _draw_losses(panels[-1, column], result, deviator)
            panels[-1, column].set_ylabel("share of games" if column == 0 else "")
    panels[0, -1].legend()
    _save(figure, path)


def picture_format(path: str | os.PathLike[str]) -> str:
    """The format that a picture's name asks for; OptionError if it is none of :data:`FORMATS`."""
    suffix = Path(path).suffix.lower()
    if suffix[1:] not in FORMATS:
        raise OptionError(
            f"picture {os.fspath(path)!r} is not allowed: its name ends in "
            f"{', '.join('.' + each for each in FORMATS)}"
        )
    return suffix[1:]


def _figure(width: float, height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _folded(title: str, figure: Any) -> str:
    """A title in as many lines as the width of the picture asks for."""
    return "\n".join(textwrap.wrap(title, max(20, int(figure.get_figwidth() * _LETTERS))))


def _save(figure: Any, path: str | os.PathLike[str]) -> None:
    data = io.BytesIO()
    figure.savefig(data, format=picture_format(path), dpi=120)
    write_atomically(path, data.getvalue())


def _reach(figures: Sequence[Estimate]) -> list[list[float]]:
    """Lengths of the error bars downwards and upwards; rounding can put an end a hair inside."""
    return [
        [max(0.0, each.value - each.low) for each in figures],
        [max(0.0, each.high - each.value) for each in figures],
    ]


def _draw_cells(figure: Any, axes: Any, table: CrossTable, names: Sequence[str]) -> None:
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.patches import Rectangle

    count = len(names)
    shares = [[table.cells[row * count + column].won for column in range(count)]
              for row in range(count)]  # fmt: skip
    centre = 0.5 if table.equal_share is None else table.equal_share
    norm = TwoSlopeNorm(centre, 0, 1)
    picture = axes.imshow([[each.value for each in row] for row in shares], "RdYlBu_r", norm=norm)
    for row in range(count):
        for column in range(count):
            share = shares[row][column]
            text = f"{100 * share.value:.0f}\n[{100 * share.low:.0f}, {100 * share.high:.0f}]"
            strong = abs(float(norm(share.value)) - 0.5) > 0.35
            axes.text(
                column, row, text, ha="center", va="center", fontsize=9,
                color="white" if strong else "black",
            )  # fmt: skip
        axes.add_patch(Rectangle((row - 0.5, row - 0.5), 1, 1, fill=False, linewidth=1.5))
    axes.set_xticks(range(count), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(count), names)
    equal = "" if table.equal_share is None else f" (equal share {100 * centre:.0f})"
    axes.set_title(f"{table.players} players{equal}")
    axes.set_xlabel("all other seats")
    figure.colorbar(picture, ax=axes, shrink=0.75, ticks=[0, centre, 1]).ax.set_yticklabels(
        ["0", f"{100 * centre:.0f}", "100"]
    )


def _highest(result: Dilemma, payoff: Payoff) -> tuple[float, float]:
    """Ends of the vertical axis that all payoffs of a picture share."""
    if payoff == "won":
        return (-0.03, 1.03)
    figures = [
        figure
        for mix in result.mixes
        for figure in (mix.deviator_return, mix.resident_return)
        if figure is not None
    ]
    low, high = min(x.value for x in figures), max(x.value for x in figures)
    edge = max(0.1, (high - low) / 8)
    return (low - edge, high + edge)


def _draw_payoffs(axes: Any, result: Dilemma, deviator: str, players: int, payoff: Payoff) -> None:
    mixes = result.mixes_of(deviator, players)
    lines = {
        "a deviator": [mix.deviator_won if payoff == "won" else mix.deviator_return
                       for mix in mixes[1:]],
        "a resident": [mix.resident_won if payoff == "won" else mix.resident_return
                       for mix in mixes[:-1]],
    }  # fmt: skip
    styles = {"a deviator": (_DEVIATOR, "o"), "a resident": (_RESIDENT, "s")}
    share = result.equal_shares[result.players.index(players)]
    if payoff == "won" and share is not None:
        axes.axhline(share, color="grey", linewidth=0.8, linestyle="--")
    for name, found in lines.items():
        figures = [figure for figure in found if figure is not None]
        colour, marker = styles[name]
        axes.errorbar(
            range(players), [figure.value for figure in figures], _reach(figures), label=name,
            color=colour, marker=marker, capsize=3,
        )  # fmt: skip
    _tidy(axes, players)


def _draw_losses(axes: Any, result: Dilemma, deviator: str) -> None:
    for number, players in enumerate(result.players):
        mixes = result.mixes_of(deviator, players)
        for kind, outcome in enumerate(result.lost_by_all):
            figures = [mix.outcomes[outcome] for mix in mixes]
            axes.errorbar(
                range(players + 1), [figure.value for figure in figures], _reach(figures),
                label=f"{outcome}, {players} players", color=_SIZES[number % len(_SIZES)],
                linestyle=_DASHES[kind % len(_DASHES)], marker=".", capsize=3,
            )  # fmt: skip
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("deviators at the table")
    axes.legend(fontsize="small")
    _tidy(axes, max(result.players) + 1)


def _tidy(axes: Any, places: int) -> None:
    axes.set_xticks(range(places))
    axes.grid(axis="y", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_course(axes: Any, curves: Sequence[dict[str, Any]]) -> None:
    known = [line for line in curves if line["won"] is not None]
    decisions = [line["decisions"] / 1000 for line in known]
    axes.plot(decisions, [line["won"] for line in known], label="games won")
    axes.plot(decisions, [line["mean_return"] for line in known], label="mean return")
    axes.axhline(0, color="grey", linewidth=0.5)
    axes.set_xlabel("thousand decisions of the learner")
    axes.set_ylim(-1, 1)
    axes.set_title("in training, drawing its actions")
    axes.legend()


def _draw_strength(axes: Any, evaluations: Sequence[Evaluation]) -> None:
    for place, result in enumerate(evaluations):
        won = result.won
        nobody = block_share((result.results.returns <= 0).all(axis=2).mean(axis=0))
        for at, share, colour, name in (
            (place - _BAR / 2, won, "tab:blue", "by the policy"),
            (place + _BAR / 2, nobody, "tab:gray", "by nobody"),
        ):
            axes.bar(
                at, share.value, _BAR, yerr=_reach([share]), capsize=4, color=colour,
                label=name if place == 0 else None,
            )  # fmt: skip
        if result.fair_share is not None:
            axes.hlines(
                result.fair_share, place - _BAR, place + _BAR, color="black", linestyle="--"
            )
    labels = [
        f"{result.options['num_players']} players\n{result.opponents[0].rpartition('/')[2]}"
        for result in evaluations
    ]
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, 1)
    if evaluations:
        axes.legend()
    axes.set_title("games won, greedy in a single seat (dashed: equal share)")
