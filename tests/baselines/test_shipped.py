"""The policies that come with the package: known by name, small, and playable without torch."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from concilium.baselines import PolicyBot, bot_names, make_bot
from concilium.baselines.names import POLICIES
from concilium.baselines.policy import load_network
from concilium.envs import get_game
from concilium.evaluation.seats import evaluate

NAMES = ("chancellors/cooperative", "chancellors/learned")
LIMIT = 2_000_000  # bytes


def test_they_are_known_by_name() -> None:
    names = bot_names(get_game("chancellors"))
    assert names[-2:] == list(NAMES)
    for name in NAMES:
        bot = make_bot(name, "chancellors", seed=1)
        assert isinstance(bot, PolicyBot)
        assert bot.greedy
        assert bot.name == name
        assert not make_bot(f"{name}:draw=true", "chancellors").greedy  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_they_are_small_and_tell_where_they_come_from(name: str) -> None:
    path = POLICIES / f"{name.replace('/', '-')}.safetensors"
    assert path.stat().st_size < LIMIT
    training = load_network(path).training
    assert training["seed"] == 1
    assert training["preset"]["reward"] == ("own" if name.endswith("learned") else "table")
    assert set(training["preset"]["num_players"]) == {2, 3, 4}
    card = (POLICIES / "README.md").read_text()
    assert f"`{name}`" in card
    assert f"{training['decisions']:,}" in card
    json.dumps(training)


def test_the_learned_one_beats_stewards_and_the_cooperative_one_keeps_the_peace() -> None:
    for players, least in ((2, 0.75), (3, 0.75), (4, 0.5)):
        result = evaluate(
            "chancellors/learned", "chancellors/steward", game="chancellors", deals=60, seed=9,
            num_players=players,
        )  # fmt: skip
        assert result.won.high > least
        assert result.fair_share is not None
        assert result.won.low > result.fair_share
        together = evaluate(
            "chancellors/cooperative", "chancellors/cooperative", game="chancellors", deals=150,
            seats=range(players), seed=9, num_players=players,
        )  # fmt: skip
        assert together.outcomes["calamity"].low < 0.06


def test_they_play_without_torch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from concilium.evaluation.seats import evaluate\n"
        "print(evaluate('chancellors/learned', 'random', game='chancellors', deals=2).games)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "6"
