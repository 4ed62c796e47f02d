"""Learning a side: who sits where follows the deal, and only the side's decisions are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from concilium.baselines import make_bot, policy_bot
from concilium.baselines.policy import load_network
from concilium.envs import FileFormatError, OptionError, get_game
from concilium.envs.core.state import plain_records
from concilium.evaluation.sides import play_sides
from concilium.training import learn
from concilium.training.opponents import LEARNER, OpponentSampler
from concilium.training.presets import FOLDER, Preset, load_preset, preset_of
from concilium.training.scores import _STREAM, held_out_score
from concilium.training.trainer import Trainer
from tests.training.test_learn import Stop, stopped_after, weights, without_times

GAME = get_game("believers")
SIDES = ("believers", "defectors")
SHORT: dict[str, Any] = {"rows": "1-1", "virtue_kinds": 3, "hand_size": 2}


@pytest.fixture
def sided(tiny: Preset) -> Preset:
    """The tiny preset for the Defectors of short games of Believers."""
    return replace(
        tiny,
        game="believers",
        num_players=(5, 7),
        options={**SHORT, "shame": False, "disciples": False, "crises": False},
        bots=("random", "random"),
        behaviour_cloning_fraction=0.0,
        side="defectors",
    )


def test_casting_against_bots(sided: Preset) -> None:
    games, players = 20_000, 5
    sides = np.zeros((games, players), bool)
    sides[:, [1, 3]] = True
    first_bot = 1 + sided.snapshots
    for alike, same in ((0.0, 0.75**2 + 0.25**2), (1.0, 1.0)):
        casting = OpponentSampler(replace(sided, alike=alike, weights=(3.0, 1.0)))
        cast, own = casting.draw_against(sides, np.random.default_rng(1))
        assert (cast[sides] == LEARNER).all()
        others = cast[~sides].reshape(games, 3)
        assert set(np.unique(others)) == {first_bot, first_bot + 1}
        assert abs((others == first_bot).mean() - 0.75) < 0.02
        assert abs((others[:, 0] == others[:, 1]).mean() - same) < 0.02
        # one of the two, each as often: within 5 standard deviations
        assert set(np.unique(own)) == {1, 3}
        assert abs((own == 1).mean() - 0.5) < 5 * np.sqrt(0.25 / games)


@pytest.mark.parametrize("side", SIDES)
def test_seats_follow_the_faith_in_every_game(sided: Preset, side: str) -> None:
    trainer = Trainer(replace(sided, side=side, snapshot_every=1), 4)
    collector, number = trainer.collector, SIDES.index(side)
    assert collector.vec.episodes.max() == 0

    def compare() -> None:
        plain = plain_records(collector.vec.states)
        for row, players in enumerate(collector.vec.num_players):
            learners = collector._loop.sits[row, :players] == LEARNER
            assert (learners == (plain["faith"][row, :players] == number)).all()
            assert learners[collector._own[row]]

    compare()
    round_of = collector._loop.round

    def watched(rows: Any = None) -> Any:
        going = round_of(rows)
        compare()
        return going

    collector._loop.round = watched  # type: ignore[method-assign]
    for _ in range(3):
        trainer.update()
    assert collector.vec.episodes.min() >= 2  # every table was dealt anew several times
    assert len(trainer.reservoir) == 0  # past policies have no part in this


@pytest.mark.parametrize("side", SIDES)
def test_only_decisions_of_the_side_are_kept(sided: Preset, side: str) -> None:
    trainer = Trainer(replace(sided, side=side, rollout_size=1000), 4)
    collector, number = trainer.collector, SIDES.index(side)
    add, close = collector.rollout.add, collector.rollout.close
    kept: dict[str, int] = {"decisions": 0, "due": 0}
    returned: list[float] = []

    def watched(games: Any, seats: Any, *rest: Any) -> None:
        plain = plain_records(collector.vec.states)
        assert (plain["faith"][games, seats] == number).all()
        assert (plain["actor"][games] == seats).all()
        kept["decisions"] += len(games)
        add(games, seats, *rest)

    def closed(games: Any, returns: Any) -> None:
        there = np.arange(7) < collector.vec.num_players[games, np.newaxis]
        seats = there & (collector._loop.sits[games] == LEARNER)
        returned.extend(returns[seats].tolist())
        for row, mine in enumerate(seats):  # all seats of a side win or lose together
            assert len(set(returns[row, mine].tolist())) == 1
        close(games, returns)

    round_of = collector._loop.round

    def counted(rows: Any = None) -> Any:
        plain = plain_records(collector.vec.states)
        mine = plain["faith"][np.arange(len(plain)), plain["actor"]] == number
        kept["due"] += int((mine & (collector.vec.masks.sum(axis=1) > 1)).sum())
        return round_of(rows)

    setattr(collector.rollout, "add", watched)  # noqa: B010 (for the type checker)
    collector.rollout.close = closed  # type: ignore[method-assign]
    collector._loop.round = counted  # type: ignore[method-assign]
    collector.collect(trainer.learner)
    assert kept["decisions"] == kept["due"] == collector.decisions >= 1000
    assert set(returned) == {-1.0, 1.0}


def test_one_seat_of_the_side_can_be_learned_from(sided: Preset) -> None:
    trainer = Trainer(replace(sided, seats="one", rollout_size=400, num_players=(7,)), 4)
    collector = trainer.collector
    add = collector.rollout.add

    def watched(games: Any, seats: Any, *rest: Any) -> None:
        assert (collector._own[games] == seats).all()
        add(games, seats, *rest)

    setattr(collector.rollout, "add", watched)  # noqa: B010 (for the type checker)
    collector.collect(trainer.learner)
    assert collector.decisions >= 400


def test_the_score_is_that_of_the_side(sided: Preset) -> None:
    network = Trainer(sided, 1).network({})
    seed = int(np.random.SeedSequence((5, _STREAM)).generate_state(1)[0])
    for side, number in zip(SIDES, (0, 1), strict=True):
        preset = replace(sided, side=side, held_out_deals=30)
        score = held_out_score(preset, network, 5)
        expected = []
        for players in (5, 7):
            bots = [make_bot("random", GAME), make_bot("random", GAME)]
            bots[number] = policy_bot(network, seed=0)
            options = {"num_players": players, **preset.options}
            results = play_sides(GAME, bots, deals=30, seed=seed, options=options)
            expected.append((players, "random", float((results.winner == number).mean())))
        assert list(score.parts) == expected
        assert score.value == pytest.approx((expected[0][2] + expected[1][2]) / 2)


def test_a_resumed_run_ends_as_an_uninterrupted_one(sided: Preset, tmp_path: Path) -> None:
    bots = ("random", "believers/bayes")
    preset = replace(sided, bots=bots, teacher="believers/bayes", behaviour_cloning_fraction=0.3)
    whole = learn.train(preset, 7, tmp_path / "whole")
    with pytest.raises(Stop):
        learn.train(preset, 7, tmp_path / "parts", tell=stopped_after(2))
    parts = learn.resume(tmp_path / "parts", game="believers")
    assert weights(parts.last) == weights(whole.last)
    assert parts.score == whole.score
    assert list(map(without_times, parts.curves)) == list(map(without_times, whole.curves))
    network = load_network(tmp_path / "whole" / learn.POLICY)
    assert network.training["preset"]["side"] == "defectors"  # the file tells what it learned


def test_a_side_can_be_taught(sided: Preset) -> None:
    """The teacher plays the whole side, each seat by what that seat sees."""
    trainer = Trainer(replace(sided, teacher="random", behaviour_cloning_fraction=0.5), 3)
    teacher = trainer.collector.teacher
    assert teacher is not None
    act, faiths = teacher.act, set[int]()

    def watched(views: Any, masks: Any) -> Any:
        plain = plain_records(views)
        faiths.update(plain["faith"][np.arange(len(plain)), plain["viewer"]].tolist())
        return act(views, masks)

    teacher.act = watched  # type: ignore[method-assign]
    assert trainer.update()["behaviour_cloning"]
    assert faiths == {1}


def test_presets_with_a_side(sided: Preset, tmp_path: Path) -> None:
    assert preset_of(sided.to_json(), "here") == sided
    table = replace(sided, side="").to_json()
    assert "side" not in table  # older runs and files have none, and are to go on
    assert preset_of(table, "here") == replace(sided, side="")
    for changes, message in (
        ({"side": "reds"}, "side 'reds' is not one of believers: there are believers, defectors"),
        ({"side": 1}, "field side: 1 is not allowed: a text"),
        ({"reward": "table"}, "reward = 'table': with a side it is"),
        ({"weights": [0.0, 0.0], "share_bots": 0.0}, "a bot with a weight above 0 is needed"),
    ):
        with pytest.raises(FileFormatError, match=message):
            preset_of({**sided.to_json(), **changes}, "here")
    path = tmp_path / "chancellors.toml"
    text = (FOLDER / "chancellors-quick.toml").read_text()
    path.write_text(text + 'side = "stewards"\n')
    with pytest.raises(FileFormatError, match="side 'stewards': chancellors has no sides"):
        load_preset(path)


def test_the_quick_preset_is_for_both_sides() -> None:
    from concilium.training.presets import changed

    preset = load_preset("believers-quick")
    for side in SIDES:
        assert changed(preset, side=side).side == side
    with pytest.raises(OptionError, match="there are believers, defectors"):
        changed(preset, side="Defectors")
