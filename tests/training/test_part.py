"""Learning a part of the decisions: what is asked and kept, who is paid."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from concilium.baselines import DividedBot, make_bot
from concilium.baselines.policy import load_network
from concilium.envs import FileFormatError, OptionError, UsageError
from concilium.evaluation.seats import evaluate
from concilium.training import collector as collecting
from concilium.training.export import network_of
from concilium.training.learn import LAST, POLICY, resume, train
from concilium.training.presets import Preset, changed, load_preset, preset_of
from concilium.training.trainer import Trainer
from tests.wrappers.conftest import SCALES, Helper, Replay

BIDDING = ("debate_doctrine", "debate_round", "naming")
DIVIDED = "divided:decisions=turn,bot=random,assistant=nicaea/tableau"


@pytest.fixture
def bidding(tiny: Preset) -> Preset:
    """Bids in Nicaea, at all tables, among bots one of which is made of two with generators."""
    return replace(
        tiny, game="nicaea", num_players=(4, 5, 6), options={}, decisions=("bidding",),
        assistant="random", bots=("random", DIVIDED), teacher="nicaea/tableau", hidden=(8,),
        num_envs=12, rollout_size=150, minibatch=50, budget=600, held_out_deals=1,
        magnet_coefficient=0.0,
    )  # fmt: skip


@pytest.fixture
def payments(tiny: Preset) -> Preset:
    """Payments and escalations in Chancellors."""
    return replace(
        tiny, num_players=(2, 3, 4), decisions=("payment", "escalation"), assistant="random",
        options={"target_score": 8}, num_envs=12, teacher="", behaviour_cloning_fraction=0.0,
        rollout_size=300,
    )  # fmt: skip


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("settings", ["bidding", "payments"])
def test_every_return_is_delivered_once(
    settings: str, scale: int, request: pytest.FixtureRequest
) -> None:
    preset: Preset = request.getfixturevalue(settings)
    preset = replace(preset, rollout_size=preset.rollout_size * 3 * scale)
    trainer = Trainer(preset, 4)
    collector, vec, samples = trainer.collector, trainer.collector.vec, trainer.collector.rollout
    collector.assistant = Helper(vec.game)
    shadow = Replay(collector)
    collector.begin(6)  # once more, with the replay beside it
    kinds = set(preset.kinds)
    made: list[tuple[int, int, int]] = []  # row, number of its game, seat
    closed = np.zeros(preset.num_envs, np.int64)
    faced: Counter[str] = Counter()
    add, close = samples.add, samples.close

    def watched(games: Any, seats: Any, observations: Any, *rest: Any) -> None:
        for row, seat, seen in zip(games.tolist(), seats.tolist(), observations, strict=True):
            assert seat == shadow.actor(row)
            assert (seen == shadow.observation(row)).all()
            faced[shadow.kind(row)] += 1
            made.append((row, int(closed[row]), seat))
        add(games, seats, observations, *rest)

    def ended(games: Any, returns: Any) -> None:
        for row, delivered in zip(games.tolist(), returns.tolist(), strict=True):
            expected = shadow.ended[row][closed[row]].returns
            assert delivered[: len(expected)] == expected
            closed[row] += 1
        close(games, returns)

    samples.add, samples.close = watched, ended  # type: ignore[method-assign, assignment]
    collector.collect(trainer.learner)
    assert closed.tolist() == [len(games) for games in shadow.ended]
    assert closed.sum() == collector.games > 15 * scale
    assert set(faced) <= kinds
    assert len(made) == samples.count
    paid: Counter[tuple[int, int, int]] = Counter()
    for number, (row, game, seat) in enumerate(made):
        if samples.over[number]:
            paid[row, game, seat] += 1
            assert samples.rewards[number] == np.float32(shadow.ended[row][game].returns[seat])
        else:
            assert samples.rewards[number] == 0
    # every seat that decided anything in a game which ended, once
    assert paid == Counter({key for key in made if key[1] < closed[key[0]]})
    assert not collector.assistant.kinds & kinds


def test_the_assistant_sits_where_policies_do(bidding: Preset) -> None:
    trainer = Trainer(replace(bidding, rollout_size=400), 4)
    for _ in range(2):  # so that there are past policies
        trainer.update()
    collector = trainer.collector
    vec, rows = collector.vec, np.arange(bidding.num_envs)
    asked: dict[str, Counter[str]] = {"assistant": Counter(), "bots": Counter(), "past": Counter()}

    def expect(who: str, policies: bool, chosen: bool | None, observations: Any) -> None:
        names = np.array([vec.game.kinds[kind] for kind in vec.kinds()])
        cast = collector._loop.sits[rows, collector.vec.actors]
        there = (collector.vec.masks.sum(axis=1) > 1) & ((cast < 3) == policies)
        if chosen is not None:
            there &= np.isin(names, BIDDING) == chosen
        shown = {row.tobytes() for row in observations}
        assert shown <= {row.tobytes() for row in vec.observations(rows[there])}
        asked[who].update(names[there].tolist())

    def watch(who: str, bot: Any, policies: bool, chosen: bool | None) -> None:
        act = bot.act

        def watched(views: Any, masks: Any) -> Any:
            expect(who, policies, chosen, vec.tables[0].encode(views))
            return act(views, masks)

        bot.act = watched

    past = collector.reservoir.act

    def past_act(place: int, observations: Any, *rest: Any) -> Any:
        expect("past", True, True, observations)
        return past(place, observations, *rest)

    collector.reservoir.act = past_act  # type: ignore[method-assign, assignment]
    watch("assistant", collector.assistant, True, False)
    for bot in collector.bots:
        watch("bots", bot, False, None)
    collector.collect(trainer.learner)
    assert set(asked["assistant"]) >= {"turn", "payment"}
    assert set(asked["bots"]) >= {"turn", "payment", "debate_round"}
    assert "debate_round" in asked["past"]
    assert set(asked["past"]) <= set(BIDDING)


def test_a_resumed_run_ends_as_an_uninterrupted_one(bidding: Preset, tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def stop(line: dict[str, Any]) -> None:
        if line["update"] == 2:
            raise Stop

    whole = train(bidding, 7, tmp_path / "whole")
    with pytest.raises(Stop):
        train(bidding, 7, tmp_path / "parts", tell=stop)
    resume(tmp_path / "parts")
    assert whole.curves[-1]["update"] > 3
    for name in (POLICY, LAST):
        one, other = (load_network(tmp_path / run / name) for run in ("whole", "parts"))
        assert (one.decisions, one.assistant) == (BIDDING, "random")
        assert (other.decisions, other.assistant) == (BIDDING, "random")
        for mine, theirs in zip(one.weights, other.weights, strict=True):
            assert (mine == theirs).all()
    bot = make_bot(str(tmp_path / "parts" / POLICY), "nicaea")
    assert isinstance(bot, DividedBot)
    assert evaluate(bot, "random", game="nicaea", deals=1, num_players=4).games == 4


def test_what_never_occurs_cannot_be_learned(
    payments: Preset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "_IDLE_GAMES", 40)
    with pytest.raises(UsageError, match="40 games without a choice of the learner's about avert"):
        Trainer(replace(payments, decisions=("avert",)), 1).update()


def test_all_decisions_need_nobody_else(tiny: Preset) -> None:
    """An assistant that a preset names for others changes nothing."""
    whole, named = (
        Trainer(preset, 3)
        for preset in (tiny, replace(tiny, assistant="chancellors/grim", decisions=("all",)))
    )
    assert named.collector.assistant is None
    for trainer in (whole, named):
        trainer.update()
    one, other = whole.network({}), named.network({})
    assert (one.decisions, one.assistant) == (other.decisions, other.assistant) == ((), "")
    assert all((a == b).all() for a, b in zip(one.weights, other.weights, strict=True))


def test_a_model_is_exported_with_its_part(bidding: Preset) -> None:
    model = Trainer(bidding, 1).learner
    part = network_of(model, "nicaea", {}, decisions="bidding", assistant="nicaea/broker")
    assert (part.decisions, part.assistant) == (BIDDING, "nicaea/broker")
    with pytest.raises(OptionError, match="assistant '' is no rule bot"):
        network_of(model, "nicaea", {}, decisions="bidding")
    with pytest.raises(OptionError, match="no decisions 'bids'"):
        network_of(model, "nicaea", {}, decisions="bids")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"decisions": ("bids",)}, "no decisions 'bids' in nicaea: one or more of all, bidding"),
        ({"assistant": ""}, "decisions = bidding: an assistant is needed for the others"),
        ({"assistant": "nobody"}, "assistant 'nobody' is no rule bot"),
        ({"assistant": "x.safetensors"}, "assistant 'x.safetensors' is no rule bot"),
        ({"assistant": "chancellors/steward"}, "bot .*steward. plays chancellors_v0, not nicaea"),
    ],
)
def test_settings_that_do_not_fit(bidding: Preset, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        changed(bidding, **settings)
    with pytest.raises(FileFormatError, match=f"here: {message}"):
        preset_of({**bidding.to_json(), **settings}, "here")


def test_kinds_of_a_preset(bidding: Preset, tiny: Preset) -> None:
    assert bidding.kinds == BIDDING
    assert tiny.kinds == ()
    assert changed(bidding, decisions=("turn", "naming")).kinds == ("turn", "naming")
    quick = load_preset("nicaea-quick")
    assert quick.kinds == ()
    assert changed(quick, decisions=("bidding",)).assistant == "nicaea/broker"
