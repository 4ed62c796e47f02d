"""Evaluation: repeatable, rotated over the same deals, and right."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.baselines import make_bot
from concilium.baselines.chancellors import StewardBot
from concilium.commands.evaluate import told
from concilium.envs import OptionError, get_game
from concilium.evaluation.dilemma import dilemma
from concilium.evaluation.intervals import deal_efficiency
from concilium.evaluation.seats import Evaluation, evaluate, evaluate_side
from concilium.evaluation.tournament import tournament

GAME = get_game("chancellors")


def run(**changes: Any) -> Evaluation:
    arguments: dict[str, Any] = {
        "bot": "chancellors/steward", "opponents": "random", "game": "chancellors",
        "num_players": 3, "deals": 40, "seed": 4, **changes,
    }  # fmt: skip
    return evaluate(arguments.pop("bot"), arguments.pop("opponents"), **arguments)


def test_equal_seeds_give_equal_results() -> None:
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    first = run()
    assert run() == first
    assert (run().results.returns == first.results.returns).all()
    assert run(seed=5) != first
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002
    bot = make_bot("random", GAME, seed=77)
    bot.generator.random(5)  # type: ignore[attr-defined]
    assert run(bot=bot) == run(bot="random")  # bots are seeded by the evaluation


def test_every_seat_of_the_same_deals() -> None:
    result = run()
    assert result.results.seating.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert (result.rotations, result.deals, result.games) == (3, 40, 120)
    assert result.fair_share == pytest.approx(1 / 3)
    # all seats alike and without chance of their own: the rotations of a deal are the same game
    same = run(bot=StewardBot(), opponents=StewardBot(), deals=60)
    assert (same.results.returns == same.results.returns[0]).all()
    wins = same.outcomes["target score reached"].value
    assert same.won.value == pytest.approx(wins / 3)
    assert same.mean_return.value == pytest.approx(-same.outcomes["calamity"].value)


def test_figures_follow_from_the_rows(tmp_path: Path) -> None:
    result = run(target_score=10, num_players=4, seats=(0, 2))
    assert result.rotations == 2
    assert result.fair_share == 0.5
    result.write_rows(tmp_path / "games.csv")
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text().splitlines()))
    assert len(rows) == result.games == 80
    won, returned = [], []
    for row in rows:
        own = [float(row[f"return_{s}"]) for s in range(4) if row[f"bot_{s}"] == result.bot]
        assert len(own) == 2
        won.append(max(own) > 0)
        returned += own
    assert result.won.value == pytest.approx(np.mean(won))
    assert result.mean_return.value == pytest.approx(np.mean(returned))
    calamities = [row["outcome"] == "calamity" for row in rows]
    assert result.outcomes["calamity"].value == pytest.approx(np.mean(calamities))
    assert sum(share.value for share in result.outcomes.values()) == pytest.approx(1)
    assert {row["seed"] for row in rows} == {"4"}


def test_result_is_plain_json() -> None:
    result = run(deals=5)
    table = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert table["bot"] == "chancellors/steward"
    assert table["opponents"] == ["random", "random"]
    assert table["options"]["num_players"] == 3
    assert table["won"]["low"] <= table["won"]["value"] <= table["won"]["high"]
    assert "results" not in table


def test_different_bots_in_each_seat() -> None:
    result = run(opponents=["random", "chancellors/steward"])
    assert result.opponents == ("random", "chancellors/steward")
    assert result.results.seating.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_gain_of_playing_the_same_deals() -> None:
    alike = np.array([[1.0, 0.0, 1.0, 0.0]] * 3)
    assert deal_efficiency(alike) == pytest.approx(1 / 3)  # three times the same game
    assert deal_efficiency(np.ones((2, 4))) is None
    assert deal_efficiency(np.ones((2, 1))) is None
    independent = np.random.default_rng(0).integers(0, 2, (4, 4000)).astype(float)
    assert deal_efficiency(independent) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bot": "nobody"}, "no bot 'nobody'"),
        ({"opponents": ["random", "nobody"]}, "no bot 'nobody'"),
        ({"opponents": ["random"] * 3}, "3 opponents for 2 other seats"),
        ({"seats": ()}, "seats=\\(\\) is not allowed"),
        ({"seats": (0, 0)}, "different seats"),
        ({"seats": (3,)}, "0 to 2"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"num_players": 9}, "num_players=9"),
        ({"deals": 0}, "deals=0"),
    ],
)
def test_what_cannot_be_evaluated(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        run(**changes)


def test_games_of_sides_tell_wins_by_side_and_no_equal_share(tmp_path: Path) -> None:
    result = evaluate(
        "random", "believers/partner", game="believers", deals=12, num_players=5, seed=3
    )
    assert result.fair_share is None
    assert list(result.by_side) == ["believers", "defectors"]
    result.write_rows(tmp_path / "rows.csv")
    rows = list(csv.DictReader((tmp_path / "rows.csv").read_text().splitlines()))
    assert {rows[0][f"bot_{seat}"] for seat in range(5)} == {"random", "believers/partner"}
    for side, found in result.by_side.items():
        won = [
            float(row[f"return_{seat}"]) > 0
            for row in rows
            for seat in range(5)
            if row[f"bot_{seat}"] == "random" and row[f"role_{seat}"] == side
        ]
        assert found.value == pytest.approx(sum(won) / len(won))
    assert all(
        row[f"role_{seat}"] == ("believers" if winners else "defectors")
        for row in rows
        for winners in (row["outcome"].startswith("True Believers"),)
        for seat in range(5)
        if float(row[f"return_{seat}"]) > 0
    )


@pytest.mark.parametrize("changes", [{"seed": -1}, {"deals": 2.0}, {"deals": True}, {"deals": 0}])
def test_seeds_and_deals_that_are_no_whole_numbers_are_refused(changes: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"game": "chancellors", "deals": 2, **changes}
    name = next(iter(changes))
    with pytest.raises(OptionError, match=name):
        evaluate("random", "random", num_players=2, **arguments)
    with pytest.raises(OptionError, match=name):
        tournament(["random", "chancellors/grim"], players=[2], ratings=False, **arguments)
    with pytest.raises(OptionError, match=name):
        dilemma("random", "chancellors/grim", players=[2], **arguments)
    sided = {**arguments, "game": "believers"}
    with pytest.raises(OptionError, match=name):
        evaluate_side("random", "random", side="believers", num_players=5, **sided)


def test_sides_win_in_total_what_the_ways_to_end_add_up_to() -> None:
    result = evaluate("random", "believers/partner", game="believers", deals=9, num_players=5)
    for side, title in (("believers", "True Believers"), ("defectors", "Defectors")):
        ways = [share.value for name, share in result.outcomes.items() if name.startswith(title)]
        assert result.side_won[side].value == pytest.approx(sum(ways))
        assert title not in result.outcomes


def test_no_label_stands_for_two_figures() -> None:
    for name, bot in (("chancellors", "chancellors/grim"), ("believers", "believers/partner")):
        lines = told(evaluate("random", bot, game=name, deals=3)).splitlines()[2:]
        labels = [line.partition(": ")[0] if "ended: " not in line else line for line in lines]
        assert len(set(labels)) == len(labels)
        assert not any(label.strip() == "won" for label in labels)
