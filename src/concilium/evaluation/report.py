"""How results are written down: JSON, raw rows as CSV, and tables in plain text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final

from concilium.evaluation.intervals import Estimate
from concilium.evaluation.matches import Results

GAME_COLUMNS: Final = ("deal", "rotation", "outcome", "decisions")


def to_json(value: Any) -> Any:
    """Turn dataclasses, mappings and sequences into what JSON has.

    Fields that a dataclass does not show in its ``repr``, such as raw results, are left out.
    """
    if isinstance(value, Estimate):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        shown = [each.name for each in fields(value) if each.repr]
        return {name: to_json(getattr(value, name)) for name in shown}
    if isinstance(value, dict):
        return {name: to_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    return value


def game_columns(seats: int) -> list[str]:
    """Names of the columns of :func:`game_lines`."""
    bots = [f"bot_{seat}" for seat in range(seats)]
    return [*GAME_COLUMNS, *bots, *(f"return_{seat}" for seat in range(seats))]


def game_lines(
    results: Results, bots: Sequence[str], outcomes: Sequence[str], seats: int
) -> Iterator[list[Any]]:
    """Tell each game of a match, one rotation after the other, deals in order.

    Args:
        results: of the match.
        bots: names by the numbers in the seating.
        outcomes: names of the game's outcomes.
        seats: of the largest table in the file; those that this table lacks stay empty.
    """
    empty = [""] * (seats - results.returns.shape[2])
    by_deal = results.seating.ndim == 3
    for rotation, seating in enumerate(results.seating):
        for deal, returns in enumerate(results.returns[rotation]):
            sits = seating[deal] if by_deal else seating
            yield [
                deal,
                rotation,
                outcomes[int(results.outcomes[rotation, deal])],
                int(results.decisions[rotation, deal]),
                *(bots[int(number)] for number in sits),
                *empty,
                *returns.tolist(),
                *empty,
            ]


def csv_text(columns: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """CSV with a header and one line per row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(lines)
    return text.getvalue()


def text_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Set a table in plain text: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [title]
    for row in (header, *rows):
        first = row[0].ljust(widths[0])
        others = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join(["", first, *others]).rstrip())
    return "\n".join(lines)


def percent(share: Estimate | None) -> str:
    """A share in percent with its interval, without the sign; a dash for None."""
    if share is None:
        return "–"
    return share.percent().replace(" %", "")


def signed(figure: Estimate | None) -> str:
    """A figure such as a mean return with its interval; a dash for None."""
    if figure is None:
        return "–"
    return f"{figure.value:+z.3f} [{figure.low:+z.3f}, {figure.high:+z.3f}]"


def short_names(names: Sequence[str]) -> list[str]:
    """Names without their folder or game, if they still differ."""
    short = [name.replace("\\", "/").rpartition("/")[2] for name in names]
    return short if len(set(short)) == len(names) else list(names)
