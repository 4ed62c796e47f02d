"""What is collected: decisions with a choice, of the seats that the learner plays, nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from concilium.envs import BotError
from concilium.training.presets import Preset
from concilium.training.trainer import Trainer


def collected(preset: Preset, rounds: int = 1) -> Trainer:
    trainer = Trainer(preset, 4)
    for _ in range(rounds):
        trainer.collector.collect(trainer.learner)
    return trainer


def test_decisions_are_legal_and_with_a_choice(tiny: Preset) -> None:
    for preset in (tiny, replace(tiny, seats="one"), replace(tiny, critic="state")):
        samples = collected(preset, 3).collector.rollout
        rows = samples.complete()
        assert preset.rollout_size <= len(rows) < preset.rollout_size + preset.num_envs
        masks, actions = samples.masks[rows], samples.actions[rows]
        assert (masks.sum(axis=1) > 1).all()
        assert (masks[np.arange(len(rows)), actions] == 1).all()
        assert (samples.log_probs[rows] <= 0).all()
        seen = samples.state_vectors[rows].any(axis=1)
        assert seen.all() == (preset.critic == "state")


def test_learning_alone_collects_every_seat(tiny: Preset) -> None:
    alone = replace(
        tiny,
        share_self=1.0,
        share_snapshots=0.0,
        share_bots=0.0,
        num_players=(3,),
        rollout_size=2000,
    )
    for seats, expected in (("all", 3), ("one", 1)):
        trainer = collected(replace(alone, seats=seats))
        samples = trainer.collector.rollout
        ends = int(samples.over[: samples.count].sum())
        # almost every seat decides at least once in a game; to 12 points some come too late
        assert 0.8 * expected < ends / trainer.collector.games <= expected


@pytest.mark.parametrize("reward", ["own", "table"])
def test_returns_reach_the_last_decision(tiny: Preset, reward: str) -> None:
    preset = replace(
        tiny, reward=reward, share_bots=0.8, share_self=0.2, share_snapshots=0.0,
        weights=(1.0, 0.0), num_players=(3,), rollout_size=3000,
    )  # fmt: skip
    samples = collected(preset).collector.rollout
    over = samples.over[: samples.count] != 0
    returns = set(np.round(samples.rewards[: samples.count][over].astype(float), 3).tolist())
    # won, lost to one of three, calamity for all; the mean of a game that is won is 0
    assert returns <= ({1.0, -0.5, -1.0} if reward == "own" else {0.0, -1.0})
    assert len(returns) >= 2
    assert (samples.rewards[: samples.count][~over] == 0).all()


def test_what_is_stored_is_what_was_seen_and_came_of_it(tiny: Preset) -> None:
    """Every stored decision is compared with the game it was made in, played again beside it."""
    preset = replace(tiny, critic="state", rollout_size=1500, num_envs=32)
    trainer = Trainer(preset, 4)
    collector, vec = trainer.collector, trainer.collector.vec
    made: list[tuple[int, int, bytes, bytes, int]] = []  # row, seat, observation, truth, action
    ended: dict[int, list[float]] = {}
    add, close = collector.rollout.add, collector.rollout.close

    def watched(games: Any, seats: Any, *rest: Any) -> None:
        vectors, observations = vec.state_vectors(games), vec.observations(games)
        for k, (game, seat) in enumerate(zip(games.tolist(), seats.tolist(), strict=True)):
            made.append((game, seat, observations[k].tobytes(), vectors[k].tobytes(), rest[3][k]))
            open_before = collector.rollout.open[game, seat]
            chains.append(int(open_before))
        add(games, seats, *rest)

    def closed(games: Any, returns: Any) -> None:
        for k, game in enumerate(games.tolist()):
            for seat, number in enumerate(collector.rollout.open[game].tolist()):
                if number >= 0:
                    ended[number] = [float(returns[k, seat])]
        close(games, returns)

    chains: list[int] = []
    setattr(collector.rollout, "add", watched)  # noqa: B010 (for the type checker)
    collector.rollout.close = closed  # type: ignore[method-assign]
    collector.collect(trainer.learner)
    samples = collector.rollout
    assert len(made) == samples.count >= 1500
    for number, (_, _, observation, truth, action) in enumerate(made):
        assert samples.observations[number].tobytes() == observation
        assert samples.state_vectors[number].tobytes() == truth
        assert samples.actions[number] == action
        if chains[number] >= 0:  # the one before knows this as the next
            assert samples.next[chains[number]] == number
            assert made[chains[number]][:2] == made[number][:2]
        assert samples.over[number] == (number in ended)
        if number in ended:
            assert samples.rewards[number] == pytest.approx(ended[number][0])
    assert len(ended) > 50


def test_each_player_is_asked_for_its_own_seats(tiny: Preset) -> None:
    trainer = Trainer(replace(tiny, rollout_size=1500, num_envs=32), 4)
    for _ in range(2):  # so that there are two past policies
        trainer.update()
    collector = trainer.collector
    bots = [bot.act for bot in collector.bots]
    past = collector.reservoir.act
    seen = set()

    def actor_of(number: int, observations: Any) -> None:
        rows = np.flatnonzero(
            (collector.vec.masks.sum(axis=1) > 1)
            & (collector._loop.sits[np.arange(32), collector.vec.actors] == number)
        )
        assert np.array_equal(collector.vec.observations(rows), observations)
        seen.add(number)

    def ask_past(place: int, observations: Any, masks: Any, generator: Any) -> Any:
        actor_of(1 + place, observations)
        return past(place, observations, masks, generator)

    def ask_bot(k: int) -> Any:
        def act(views: Any, masks: Any) -> Any:
            observations = np.empty((len(views), collector.vec.game.observation.size), np.int8)
            collector.vec.game.kernels.encode_many(views, observations, 0, len(views))
            actor_of(3 + k, observations)
            return bots[k](views, masks)

        return act

    collector.reservoir.act = ask_past  # type: ignore[method-assign]
    for k, bot in enumerate(collector.bots):
        bot.act = ask_bot(k)  # type: ignore[method-assign]
    collector.collect(trainer.learner)
    assert seen == {1, 2, 3, 4}


def test_a_teacher_decides_for_the_learner(tiny: Preset) -> None:
    trainer = Trainer(replace(tiny, share_self=1.0, share_snapshots=0.0, share_bots=0.0), 4)
    collector = trainer.collector
    assert collector.teacher is not None
    act, shown = collector.teacher.act, list[int]()

    def watched(views: Any, masks: Any) -> Any:
        actions = act(views, masks)
        shown.extend(actions.tolist())
        return actions

    collector.teacher.act = watched  # type: ignore[method-assign]
    collector.collect(trainer.learner, cloning=True)
    samples = collector.rollout
    assert samples.actions[: samples.count].tolist() == shown
    collector.collect(trainer.learner)
    assert len(shown) < collector.decisions


@pytest.mark.parametrize("who", ["bots", "teacher"])
def test_whoever_answers_wrongly_is_named(tiny: Preset, who: str) -> None:
    trainer = Trainer(replace(tiny, share_self=0.5, share_snapshots=0.0, share_bots=0.5), 4)
    collector = trainer.collector
    bot = collector.bots[0] if who == "bots" else collector.teacher
    assert bot is not None
    bot.act = lambda views, masks: masks.argmax(axis=1) + 0.9  # type: ignore[method-assign]
    with pytest.raises(BotError, match=r"bot chancellors/steward for chancellors_v0 answered"):
        collector.collect(trainer.learner, cloning=who == "teacher")


def test_tally_counts_the_own_seat(tiny: Preset) -> None:
    preset = replace(
        tiny, share_self=0.0, share_snapshots=0.0, share_bots=1.0, weights=(1.0, 0.0),
        rollout_size=2000, behaviour_cloning_fraction=0.0,
    )  # fmt: skip
    trainer = Trainer(preset, 4)
    line = trainer.update()
    assert line["games"] == trainer.collector.games > 20
    assert 0 <= line["won"] < 0.5  # a beginner among stewards
    assert line["mean_return"] < line["table_return"] <= 0
    spent = trainer.collector.spent
    assert min(vars(spent).values()) > 0


def test_all_kinds_of_players_take_part(tiny: Preset) -> None:
    trainer = Trainer(replace(tiny, rollout_size=1000, num_envs=64), 4)
    for _ in range(3):
        trainer.update()
    cast = trainer.collector._loop.sits
    assert len(trainer.reservoir) == 2
    assert set(np.unique(cast)) == {0, 1, 2, 3, 4}
