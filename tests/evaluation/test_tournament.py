"""Tournaments: hand-computed figures, raw rows that give all of them again, and who plays whom."""

from __future__ import annotations

import csv
import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.baselines import UniformBot, make_bot
from concilium.envs import FileFormatError, OptionError, get_game
from concilium.evaluation import tournament as module
from concilium.evaluation.tournament import (
    Cell,
    CrossTable,
    Tournament,
    line_ups,
    rotations,
    tournament,
)
from tests.baselines.made import CALAMITY, WON, play_by, winner
from tests.toys.hush.game import HUSH

GAME = get_game("chancellors")
BOTS = ("chancellors/steward", "random")


def run(**changes: Any) -> Tournament:
    arguments: dict[str, Any] = {
        "bots": BOTS, "game": GAME, "players": [2, 3], "deals": 12, "pool_deals": 15, "seed": 4,
        "rotate": "all", "target_score": 10, **changes,
    }  # fmt: skip
    return tournament(arguments.pop("bots"), **arguments)


@pytest.fixture(scope="module")
def played() -> Tournament:
    return run()


def cells(table: CrossTable) -> dict[tuple[str, str], Cell]:
    return {(cell.row, cell.column): cell for cell in table.cells}


def first_wins(sits: list[int], deal: int) -> tuple[list[float], int]:
    """The first seat of bot 0 wins; without it there is a calamity."""
    if 0 not in sits:
        return [-1.0] * len(sits), CALAMITY
    return winner(sits.index(0), len(sits)), WON


def test_matrix_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "play_all", play_by(first_wins))
    result = run(players=[3], bots=BOTS, ratings=False)
    table = result.tables[0]
    found = cells(table)
    steward, uniform = BOTS
    won = {pair: cell.won.value for pair, cell in found.items()}
    assert won == pytest.approx({
        (steward, steward): 1 / 3, (steward, uniform): 1, (uniform, steward): 0,
        (uniform, uniform): 0,
    })  # fmt: skip
    returned = {pair: cell.mean_return.value for pair, cell in found.items()}
    assert returned == pytest.approx({
        (steward, steward): 0, (steward, uniform): 1, (uniform, steward): -0.5,
        (uniform, uniform): -1,
    })  # fmt: skip
    calamities = {pair: cell.outcomes["calamity"].value for pair, cell in found.items()}
    assert calamities == {pair: float(pair == (uniform, uniform)) for pair in found}
    games = {pair: cell.games for pair, cell in found.items()}
    assert games == {pair: 12 if pair[0] == pair[1] else 36 for pair in found}
    assert table.games == 12 + 36 + 36 + 12
    assert table.lost_by_all == ("calamity",)
    # self-play gives a seat 0 and -1, tables of both 0 and 0
    assert table.gap is not None
    assert table.gap.overall.value == pytest.approx(-0.5)
    gaps = {bot: gap.value for bot, gap in table.gap.bots.items()}
    assert gaps == pytest.approx({steward: 0, uniform: -1})


def test_intervals_are_by_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_deal(sits: list[int], deal: int) -> tuple[list[float], int]:
        return winner(sits.index(deal % 2 if deal % 2 in sits else sits[0]), 3), WON

    monkeypatch.setattr(module, "play_all", play_by(by_deal))
    cell = cells(run(players=[3], deals=100, ratings=False).tables[0])[BOTS]
    # every other deal is won in all three rotations: 50 of 100, not 150 of 300
    assert cell.won.value == 0.5
    assert cell.won.units == 100
    assert cell.won.high - 0.5 == pytest.approx(0.0978, abs=1e-3)
    assert cell.efficiency == pytest.approx(1 / 3)  # three times the same


def test_pool_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])
    monkeypatch.setattr(module, "play_all", play_by(first_wins))
    monkeypatch.setattr(module, "line_ups", lambda *_: drawn)
    result = run(players=[3], deals=1, pool_deals=3)
    pool = result.tables[0].pool
    assert (pool.deals, pool.games) == (3, 9)
    steward, uniform = pool.standings
    # of 3 x (2 + 0 + 2) seats 6 won, and 6 lost a half; the others lost 6 halves and 9 wholes
    assert (steward.seats, uniform.seats) == (12, 15)
    assert steward.won.value == pytest.approx(6 / 12)
    assert steward.won.units == 2  # deals in which it sat
    assert steward.mean_return.value == pytest.approx((6 - 3) / 12)
    assert uniform.won.value == 0
    assert uniform.mean_return.value == pytest.approx((-3 - 9) / 15)
    assert pool.outcomes["target score reached"].value == pytest.approx(2 / 3)
    assert pool.outcomes["calamity"].value == pytest.approx(1 / 3)
    assert pool.lost_by_all == ("calamity",)
    assert result.ratings is not None
    assert [rating.bot for rating in result.ratings.bots] == list(BOTS)
    assert result.ratings.games == 6  # nobody is compared in the other three


def test_no_gap_where_all_seats_together_get_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "play_all", play_by(lambda sits, _: (winner(0, len(sits)), WON)))
    assert [table.gap for table in run(ratings=False).tables] == [None, None]


def test_figures_follow_from_the_rows(played: Tournament, tmp_path: Path) -> None:
    played.write_rows(tmp_path / "games.csv")
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))
    assert len(rows) == played.games == 12 * 4 + 30 + 12 * 8 + 45
    for table in played.tables:
        own = [row for row in rows if row["players"] == str(table.players)]
        for cell in table.cells:
            there = [row for row in own if row["part"] == "cross" and _is_cell(row, cell)]
            assert len(there) == cell.games
            assert _won(there, cell.row) == pytest.approx(cell.won.value)
            assert _returned(there, cell.row) == pytest.approx(cell.mean_return.value)
            for name, share in cell.outcomes.items():
                assert np.mean([row["outcome"] == name for row in there]) == pytest.approx(
                    share.value
                )
        pool = [row for row in own if row["part"] == "pool"]
        assert len(pool) == table.pool.games
        for standing in table.pool.standings:
            assert _won(pool, standing.bot) == pytest.approx(standing.won.value)
            assert _returned(pool, standing.bot) == pytest.approx(standing.mean_return.value)
        for name, share in table.pool.outcomes.items():
            assert np.mean([row["outcome"] == name for row in pool]) == pytest.approx(share.value)
    assert {row["seed"] for row in rows} == {"4"}


def _seats(row: dict[str, str], bot: str) -> list[float]:
    players = int(row["players"])
    return [float(row[f"return_{s}"]) for s in range(players) if row[f"bot_{s}"] == bot]


def _won(rows: list[dict[str, str]], bot: str) -> float:
    return float(np.mean([value > 0 for row in rows for value in _seats(row, bot)]))


def _returned(rows: list[dict[str, str]], bot: str) -> float:
    return float(np.mean([value for row in rows for value in _seats(row, bot)]))


def _is_cell(row: dict[str, str], cell: Cell) -> bool:
    sits = sorted(row[f"bot_{seat}"] for seat in range(int(row["players"])))
    return sits == sorted([cell.row, *[cell.column] * (int(row["players"]) - 1)])


def test_deals_of_the_rows_can_be_dealt_again(played: Tournament, tmp_path: Path) -> None:
    played.write_rows(tmp_path / "games.csv")
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))
    bot = make_bot(BOTS[0], GAME, seed=0)
    seen = 0
    seeds = defaultdict(set)
    for row in rows:
        seeds[row["players"], row["deal"]].add(row["deal_seed"])
        players = int(row["players"])
        if {row[f"bot_{seat}"] for seat in range(players)} != {BOTS[0]} or row["rotation"] != "0":
            continue
        seen += 1
        bound = GAME.bind(num_players=players, target_score=10)
        states = bound.new_state(int(row["deal_seed"]))
        while int(GAME.outcome(states)[0]) == 0:
            view = bound.view(states, int(states["actor"][0]))
            bound.step(states, int(bot.act(view, bound.legal_actions(view)[np.newaxis])[0]))
        assert GAME.outcomes[int(GAME.outcome(states)[0])] == row["outcome"]
    assert seen >= 24
    assert all(len(found) == 1 for found in seeds.values())  # cross-play and pool share the deals


def test_equal_seeds_give_equal_results_and_others_do_not(played: Tournament) -> None:
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    assert run() == played
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002
    assert run(seed=5, players=[2]).tables[0] != played.tables[0]


def test_result_is_plain_json(played: Tournament) -> None:
    shown = json.loads(json.dumps(played.to_json(), allow_nan=False))
    assert shown["game"] == "chancellors_v0"
    assert shown["tables"][1]["options"]["num_players"] == 3
    assert [cell["row"] for cell in shown["tables"][0]["cells"]] == [*[BOTS[0]] * 2, *[BOTS[1]] * 2]
    assert "cross_results" not in shown["tables"][0]
    assert {rating["bot"] for rating in shown["ratings"]["bots"]} == set(BOTS)
    one = run(players=[2], deals=1, pool_deals=1, ratings=False)  # intervals without end
    assert json.loads(json.dumps(one.to_json(), allow_nan=False))["ratings"] is None


def test_every_pairing_is_played_once_in_all_rotations() -> None:
    three = (*BOTS, "other")
    plan = module._Plan(GAME.bind(num_players=2), len(three), 4, 5, seed=0, rotate="all")
    seatings = [match.seating.tolist() for match in plan.matches[:-1]]
    assert seatings == [
        [[0, 0]], [[0, 1], [1, 0]], [[0, 2], [2, 0]], [[1, 1]], [[1, 2], [2, 1]], [[2, 2]],
    ]  # fmt: skip
    assert plan.pairing[2, 1] == plan.pairing[1, 2] == 4
    plan = module._Plan(GAME.bind(num_players=3), 2, 4, 5, seed=0, rotate="all")
    assert [len(match.seating) for match in plan.matches] == [1, 3, 3, 1, 3]
    assert plan.matches[-1].seating.shape == (3, 5, 3)
    for turn in (1, 2):
        turned = np.roll(plan.matches[-1].seating[0], turn, axis=1)
        assert (plan.matches[-1].seating[turn] == turned).all()


def test_without_rotation_the_seats_take_turns() -> None:
    plan = module._Plan(GAME.bind(num_players=3), 2, 4, 5, seed=0, rotate="none")
    assert plan.matches[1].seating.tolist() == [[[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 1, 1]]]
    assert plan.matches[-1].seating.shape == (1, 5, 3)
    result = run(players=[3], rotate="none", ratings=False)
    assert result.tables[0].games == 4 * 12
    assert result.tables[0].efficiency is None
    assert result.tables[0].pool.efficiency is None
    assert run(players=[3], rotate="pool", ratings=False).tables[0].pool.efficiency is not None


def test_rotations_differ() -> None:
    assert rotations(np.array([0, 1, 0, 1])).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert len(rotations(np.array([0, 1, 2, 1]))) == 4


def test_line_ups_are_balanced_and_drawn_by_the_seed() -> None:
    drawn = line_ups(3, 4, 25, seed=1)
    assert drawn.shape == (25, 4)
    assert sorted(np.bincount(drawn.ravel()).tolist()) == [33, 33, 34]
    assert (drawn == line_ups(3, 4, 25, seed=1)).all()
    assert (drawn != line_ups(3, 4, 25, seed=2)).any()
    # which bots meet is drawn: of 2 bots at 1,000 tables of 2 about half are mixed
    mixed = line_ups(2, 2, 1000, seed=1)
    assert 0.4 < (mixed[:, 0] != mixed[:, 1]).mean() < 0.6


def test_other_games_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, game: Any, seed: int) -> UniformBot:
        bot = UniformBot(HUSH)
        bot.name = name
        return bot

    monkeypatch.setattr("concilium.evaluation.jobs.make_bot", make)
    result = tournament(["one", "two"], game=HUSH, deals=40, seed=1)
    assert [table.players for table in result.tables] == list(
        range(HUSH.min_players, HUSH.max_players + 1)
    )
    for table in result.tables:
        assert set(table.pool.outcomes) == set(HUSH.outcomes[1:])
        low, high = table.pool.standings[0].won, table.pool.standings[1].won
        assert low.low < high.high  # the same bot twice
        assert high.low < low.high


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"bots": ("random",)}, OptionError, "at least two"),
        ({"bots": ("random", "random")}, OptionError, "each once"),
        ({"bots": ("random", "nobody")}, OptionError, "no bot 'nobody'"),
        ({"bots": ("random", "none.safetensors")}, FileFormatError, "none.safetensors"),
        ({"deals": 0}, OptionError, "deals=0"),
        ({"pool_deals": 0}, OptionError, "pool_deals=0"),
        ({"players": [2, 2]}, OptionError, r"players=\[2, 2\]"),
        ({"players": []}, OptionError, r"players=\[\]"),
        ({"players": [9]}, OptionError, "num_players=9"),
        ({"num_players": 3}, OptionError, "num_players"),
        ({"colour": 3}, OptionError, "no option 'colour'"),
        ({"game": "chess"}, OptionError, "no game 'chess'"),
        ({"rotate": "some"}, OptionError, "rotate='some'"),
        ({"seed": -1}, OptionError, "-1"),
        ({"workers": 0}, OptionError, "workers=0"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    changes: dict[str, Any], error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "concilium.evaluation.matches.play", lambda *_: pytest.fail("something was played")
    )
    with pytest.raises(error, match=message):
        run(**changes)
