"""What is collected: decisions with a choice, of the seats that the learner plays, nothing else."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from concilium.envs import BotError, FileFormatError
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

    def ask_past(number: int, observations: Any, masks: Any, generator: Any) -> Any:
        actor_of(1 + number, observations)
        return past(number, observations, masks, generator)

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


def test_past_policies_play_their_games_to_the_end(tiny: Preset) -> None:
    """A new one takes a place at once, yet nobody changes within a game."""
    preset = replace(
        tiny, rollout_size=100, num_envs=32, snapshots=1, snapshot_every=1, share_snapshots=5.0,
        options={},
    )  # fmt: skip
    trainer = Trainer(preset, 4)
    collector, reservoir = trainer.collector, trainer.reservoir
    act = reservoir.act
    rows = np.arange(32)
    played: dict[tuple[int, int, int], set[int]] = {}
    began: dict[tuple[int, int], int] = {}
    newest = set()

    def watched(number: int, observations: Any, masks: Any, generator: Any) -> Any:
        _, actors = collector.vec.standing
        asked = (collector.vec.masks.sum(axis=1) > 1) & (collector._loop.sits[rows, actors] == 1)
        asked &= collector._seated[rows, actors] == number
        assert asked.sum() == len(observations)
        newest.add(number == reservoir.places[0])
        for row in np.flatnonzero(asked).tolist():
            game = int(collector.vec.episodes[row])
            played.setdefault((row, game, int(actors[row])), set()).add(number)
            began.setdefault((row, game), trainer.updates)
        return act(number, observations, masks, generator)

    reservoir.act = watched  # type: ignore[method-assign]
    replaced = 0
    for _ in range(60):
        before = list(reservoir.places)
        trainer.update()
        replaced += before not in ([], reservoir.places)
    assert replaced > 2
    assert newest == {True, False}  # old ones do play on
    assert all(len(numbers) == 1 for numbers in played.values())
    assert len(reservoir.by_number) <= 1 + len(collector.seated_past())
    for _ in range(20):  # with nobody new, those replaced go when their games are over
        collector.collect(trainer.learner)
    reservoir.release(collector.seated_past())
    assert list(reservoir.by_number) == reservoir.places


def test_replaced_policies_are_in_a_checkpoint(tiny: Preset) -> None:
    preset = replace(tiny, rollout_size=100, num_envs=32, snapshots=1, options={})
    first = Trainer(preset, 4)
    while len(first.reservoir.by_number) < 2:
        first.update()
    kept = first.checkpoint(None, None)
    second = Trainer(preset, 4)
    second.restore(kept)
    assert list(second.reservoir.by_number) == list(first.reservoir.by_number)
    assert second.reservoir.places == first.reservoir.places
    assert (second.collector._seated == first.collector._seated).all()
    names = ("decisions", "games", "policy_loss", "value_loss")
    for _ in range(3):
        lines = [trainer.update() for trainer in (first, second)]
        assert [lines[0][name] for name in names] == [lines[1][name] for name in names]
    # as version 0.1 has them: networks by place, and nothing about replaced ones
    old = dataclasses.replace(
        kept,
        tensors={
            name.replace(f"reservoir/{kept.state['past'][0]}/", "reservoir/0/"): value
            for name, value in kept.tensors.items()
            if name != "collector/seated"
            and not (
                name.startswith("reservoir/") and int(name.split("/")[1]) not in kept.state["past"]
            )
        },
        state={name: value for name, value in kept.state.items() if name != "past"},
    )
    second.restore(old)
    assert second.reservoir.places == [0]
    assert second.collector.seated_past() in ([], [0])
    second.update()
    for wrong in ([7], [0, 1]):
        with pytest.raises(FileFormatError, match="does not fit this run"):
            second.restore(dataclasses.replace(kept, state={**kept.state, "past": wrong}))


def test_a_checkpoint_stays_as_it_is_while_the_run_goes_on(tiny: Preset) -> None:
    trainer = Trainer(tiny, 4)
    trainer.update()
    kept = trainer.checkpoint(None, None)
    before = copy.deepcopy(kept)
    trainer.update()  # with one more past policy
    assert kept.state == before.state
    assert kept.games == before.games
    assert all((kept.tensors[name] == before.tensors[name]).all() for name in before.tensors)
