"""The diagram: a dilemma worked out by hand, who sits where, and rows that give it again."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import FileFormatError, OptionError, get_game
from concilium.evaluation import dilemma as module
from concilium.evaluation.dilemma import MOST_PLACES, Dilemma, Mix, dilemma, places
from tests.baselines.made import CALAMITY, WON, play_by, winner

GAME = get_game("chancellors")
STEWARD = "chancellors/steward"


def run(**changes: Any) -> Dilemma:
    arguments: dict[str, Any] = {
        "resident": STEWARD, "deviators": "random", "game": GAME, "players": [2, 3], "deals": 10,
        "seed": 4, "target_score": 10, **changes,
    }  # fmt: skip
    return dilemma(arguments.pop("resident"), arguments.pop("deviators"), **arguments)


def one_may(sits: list[int], deal: int) -> tuple[list[float], int]:
    """A deviator alone wins, two of them bring calamity; without one, seats win in turn."""
    deviating = sum(number > 0 for number in sits)
    if deviating > 1:
        return [-1.0] * len(sits), CALAMITY
    if deviating == 1:
        return winner(int(np.argmax(sits)), len(sits)), WON
    return winner(deal % len(sits), len(sits)), WON


def values(mixes: list[Mix], figure: str) -> list[float | None]:
    found = [getattr(mix, figure) for mix in mixes]
    return [None if each is None else round(each.value, 9) for each in found]


def test_diagram_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "play_all", play_by(one_may))
    result = run(players=[3])
    mixes = result.mixes_of("random", 3)
    assert [mix.deviators for mix in mixes] == [0, 1, 2, 3]
    assert [mix.games for mix in mixes] == [10, 30, 30, 10]
    assert values(mixes, "deviator_won") == [None, 1.0, 0.0, 0.0]
    assert values(mixes, "resident_won") == [round(1 / 3, 9), 0.0, 0.0, None]
    assert values(mixes, "deviator_return") == [None, 1.0, -1.0, -1.0]
    assert values(mixes, "resident_return") == [0.0, -0.5, -1.0, None]
    assert values(mixes, "table_return") == [0.0, 0.0, -1.0, -1.0]
    assert [mix.outcomes["calamity"].value for mix in mixes] == [0, 0, 1, 1]
    assert result.lost_by_all == ("calamity",)
    # a deviator beside j others against a resident beside the same j
    assert [each.others for each in result.temptations] == [0, 1, 2]
    gains = [each.mean_return.value for each in result.temptations]
    assert gains == pytest.approx([1.0 - 0.0, -1.0 - -0.5, -1.0 - -1.0])
    wins = [each.won.value for each in result.temptations]
    assert wins == pytest.approx([1 - 1 / 3, 0.0, 0.0])
    assert result.harms[0].mean_return.value == pytest.approx(1.0)


def test_intervals_are_by_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_deal(sits: list[int], deal: int) -> tuple[list[float], int]:
        return ([-1.0] * len(sits), CALAMITY) if deal % 2 else (winner(0, len(sits)), WON)

    monkeypatch.setattr(module, "play_all", play_by(by_deal))
    result = run(players=[4], deals=100)
    mix = result.mixes_of("random", 4)[2]
    assert mix.games == 600
    calamity = mix.outcomes["calamity"]
    assert (calamity.value, calamity.units) == (0.5, 100)
    assert calamity.high - 0.5 == pytest.approx(0.0978, abs=1e-3)  # 50 of 100 deals
    # returns of all seats together 0 and -4: 1 / 2 sqrt(100 / 99) over sqrt(100), times 1.98
    width = mix.table_return.high - mix.table_return.low  # not even: -0.5 is not the middle
    assert width == pytest.approx(2 * 0.0997, abs=5e-3)
    # the same deals: what deviating gains varies less than what a deviator gets
    assert result.temptations[1].mean_return.value == pytest.approx(0.0)
    # 100 deals that do not differ: Student's 1.984, 3.787 % of them may by up to 2
    assert result.temptations[1].mean_return.high == pytest.approx(2 * 0.037873, abs=1e-4)


def test_all_places_at_small_tables() -> None:
    assert places(3, 0).tolist() == [[0, 0, 0]]
    assert places(3, 3).tolist() == [[1, 1, 1]]
    assert places(3, 1).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert len(np.unique(places(4, 2), axis=0)) == 6  # side by side in 4, opposite in 2
    assert len(places(6, 3)) == 20


def test_whole_patterns_at_large_tables() -> None:
    chosen = places(8, 4, seed=1)  # 70 ways in patterns of 8, 4 and 2 rotations
    assert 16 < len(chosen) <= MOST_PLACES
    assert (chosen.sum(axis=1) == 4).all()
    kept = {tuple(way) for way in chosen.tolist()}
    assert len(kept) == len(chosen)
    assert {tuple(np.roll(way, 1).tolist()) for way in chosen} == kept
    assert (chosen.sum(axis=0) == len(chosen) / 2).all()  # deviators sit everywhere equally often
    assert (places(8, 4, seed=1) == chosen).all()
    assert any(places(8, 4, seed=seed).tolist() != chosen.tolist() for seed in range(2, 6))


@pytest.fixture(scope="module")
def played() -> Dilemma:
    return run()


def test_figures_follow_from_the_rows(played: Dilemma, tmp_path: Path) -> None:
    played.write_rows(tmp_path / "games.csv")
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))
    assert len(rows) == played.games == 10 * (1 + 2 + 1) + 10 * (1 + 3 + 3 + 1)
    for mix in played.mixes:
        key = (str(mix.players), str(mix.deviators))
        there = [row for row in rows if (row["players"], row["deviators"]) == key]
        assert len(there) == mix.games
        for bot, won, returned in (
            ("random", mix.deviator_won, mix.deviator_return),
            (STEWARD, mix.resident_won, mix.resident_return),
        ):
            own = [
                float(row[f"return_{seat}"])
                for row in there
                for seat in range(mix.players)
                if row[f"bot_{seat}"] == bot
            ]
            assert (won is None) == (not own)
            if won is not None and returned is not None:
                assert np.mean(np.array(own) > 0) == pytest.approx(won.value)
                assert np.mean(own) == pytest.approx(returned.value)
        for name, share in mix.outcomes.items():
            assert np.mean([row["outcome"] == name for row in there]) == pytest.approx(share.value)
    deals = {(row["players"], row["deal"]): row["deal_seed"] for row in rows}
    assert all(deals[row["players"], row["deal"]] == row["deal_seed"] for row in rows)


def test_equal_seeds_give_equal_results(played: Dilemma) -> None:
    assert run() == played
    assert run(seed=5).mixes != played.mixes


def test_result_is_plain_json(played: Dilemma) -> None:
    shown = json.loads(json.dumps(played.to_json(), allow_nan=False))
    assert shown["resident"] == STEWARD
    assert shown["options"]["target_score"] == 10
    assert "num_players" not in shown["options"]
    assert shown["mixes"][0]["deviator_won"] is None
    assert "played" not in shown


def test_several_deviators_share_the_tables_of_residents(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []

    def play_all(played: Any, bots: Any, **options: Any) -> Any:
        asked.extend(int(match.seating.max()) for match in played)
        return play_by(one_may)(played, bots, **options)

    monkeypatch.setattr(module, "play_all", play_all)
    result = run(deviators=("random", "other"), players=[2])
    assert asked == [0, 1, 1, 2, 2]
    first, second = result.mixes_of("random", 2), result.mixes_of("other", 2)
    assert first[0].table_return == second[0].table_return
    assert [mix.deviators for mix in second] == [0, 1, 2]
    assert len(result.temptations) == 4
    assert len(result.harms) == 2
    result.write_rows(tmp_path / "games.csv")
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))
    assert len(rows) == result.games == 10 * (1 + 2 * (2 + 1))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"deviators": STEWARD}, OptionError, "all of them different"),
        ({"deviators": []}, OptionError, "at least one deviator"),
        ({"deviators": ["random", "random"]}, OptionError, "all of them different"),
        ({"deviators": "nobody"}, OptionError, "no bot 'nobody'"),
        ({"resident": "none.safetensors"}, FileFormatError, "none.safetensors"),
        ({"deals": 0}, OptionError, "deals=0"),
        ({"players": [7]}, OptionError, "num_players=7"),
        ({"num_players": 3}, OptionError, "num_players"),
        ({"seed": 2**64}, OptionError, str(2**64)),
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
