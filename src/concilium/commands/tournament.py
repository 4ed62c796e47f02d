"""``concilium tournament``: every bot against every other, at several table sizes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from concilium.commands import arguments as arg
from concilium.commands.matches import BY_DEFAULT, Matches, play_and_report

if TYPE_CHECKING:
    from concilium.evaluation.intervals import Estimate
    from concilium.evaluation.ratings import Ratings
    from concilium.evaluation.tournament import Cell, CrossTable, Tournament


Rotate: TypeAlias = Literal["all", "cross", "pool", "none"]


def run(
    game: arg.GameName,
    /,
    *bots: arg.BotName,
    matches: Matches = BY_DEFAULT,
    pool_deals: arg.Count | None = None,
    rotate: Rotate = "cross",
    no_ratings: bool = False,
    heat_map: arg.OutputFile | None = None,
) -> None:
    """Let every bot play every other, at several table sizes.

    Cross-play: each bot as a single seat among copies of each other bot and of itself. The pool:
    tables of line-ups drawn from all bots. How much is played is fixed beforehand; the intervals
    are of 95 % and by deal. The results are the same for any number of workers.

    Args:
        game: the game.
        bots: two or more, by name or as policy files.
        matches: how much is played.
        pool_deals: of the pool; --deals times the bots by default.
        rotate: what plays each deal in all rotations of the seats; the rest plays it once, which is
            better where the efficiency that is told is below 1.
        no_ratings: do without openskill.
        heat_map: also draw into this file who wins at whose table.
    """
    from concilium.evaluation.plot import draw_heat_map
    from concilium.evaluation.tournament import tournament

    play = partial(tournament, bots, pool_deals=pool_deals, rotate=rotate, ratings=not no_ratings)
    play_and_report(game, matches, play, told, draw_heat_map, heat_map)


def told(result: Tournament) -> str:
    """Tell a tournament in tables of plain text."""
    from concilium.evaluation.report import short_names

    names = short_names(result.bots)
    parts = [
        f"{result.game}, seed {result.seed}: {result.deals} deals a cell, in all rotations of the "
        f"seats: {result.rotate}; 95 % intervals by deal"
    ]
    rotated = [result.rotate in ("all", part) for part in ("cross", "pool")]
    for table in result.tables:
        parts += [_told_cross(table, names, rotated[0]), _told_pool(table, names, rotated[1])]
    if result.ratings is not None:
        parts.append(_told_ratings(result.ratings, dict(zip(result.bots, names, strict=True))))
    return "\n\n".join(parts)


def _told_cross(table: CrossTable, names: list[str], rotated: bool) -> str:
    from concilium.evaluation.report import percent, signed

    alone = "the row's bot, alone among the column's"
    size = f"{table.players} players"
    equal = "" if table.equal_share is None else f" (equal share {100 * table.equal_share:.1f})"
    parts = [_matrix(table, names, f"{size}: % won by {alone}{equal}", lambda c: c.won, percent)]
    for outcome in table.lost_by_all:
        title = f"{size}: % of games that end in {outcome}"
        parts.append(_matrix(table, names, title, partial(_share_of, outcome), percent))
    title = f"{size}: mean return of {alone}"
    parts.append(_matrix(table, names, title, lambda c: c.mean_return, signed))
    lines = []
    if table.gap is not None:
        lines.append(
            "convention gap (mean return of a seat in self-play minus in cross-play): "
            f"{signed(table.gap.overall)}"
        )
        lines += [
            f"  {name}: {signed(gap)}"
            for name, gap in zip(names, table.gap.bots.values(), strict=True)
        ]
    lines += _told_efficiency(table.efficiency, "cross-play", rotated)
    efficiencies = [cell.efficiency for cell in table.cells if cell.efficiency is not None]
    if efficiencies:
        lines.append(f"  cells: {min(efficiencies):.2f} to {max(efficiencies):.2f}")
    return "\n\n".join([*parts, *(["\n".join(lines)] if lines else [])])


def _share_of(outcome: str, cell: Cell) -> Estimate:
    return cell.outcomes[outcome]


def _matrix(
    table: CrossTable,
    names: list[str],
    title: str,
    figure: Callable[[Cell], Estimate],
    tell: Callable[[Estimate], str],
) -> str:
    from concilium.evaluation.report import text_table

    cells = iter(table.cells)
    rows = [[name, *(tell(figure(next(cells))) for _ in names)] for name in names]
    return text_table(title, ["", *names], rows)


def _told_pool(table: CrossTable, names: list[str], rotated: bool) -> str:
    from concilium.evaluation.report import percent, signed, text_table

    pool = table.pool
    rows = [
        [name, str(standing.seats), percent(standing.won), signed(standing.mean_return)]
        for name, standing in zip(names, pool.standings, strict=True)
    ]
    title = f"{table.players} players, mixed pool: {pool.games} games of {pool.deals} deals"
    return "\n".join(
        [
            text_table(title, ["bot", "seats", "won %", "mean return"], rows),
            *(f"  {name}: {share.percent()}" for name, share in pool.outcomes.items()),
            *_told_efficiency(pool.efficiency, "the pool", rotated),
        ]
    )


def _told_efficiency(efficiency: float | None, part: str, rotated: bool) -> list[str]:
    if not rotated:
        return []
    needs = "has nothing to measure it by: its deals do not differ"
    if efficiency is not None:
        needs = f"would need {efficiency:.2f} times the games with a deal each"
    return [f"relative efficiency of the same deals in all rotations: {part} {needs}"]


def _told_ratings(ratings: Ratings, names: dict[str, str]) -> str:
    from concilium.evaluation.report import text_table

    rows = [
        [
            names[rating.bot],
            f"{rating.mu.value:.2f} [{rating.mu.low:.2f}, {rating.mu.high:.2f}]"
            if rating.mu.units
            else f"{rating.mu.value:.2f} (no games)",
            f"{rating.sigma:.2f}",
        ]
        for rating in ratings.bots
    ]
    title = f"ratings, {ratings.model}, {ratings.games} games of the pools"
    return text_table(title, ["bot", "mu", "sigma"], rows) + f"\n{ratings.note}"
