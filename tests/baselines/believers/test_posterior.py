"""Role inference: figures by hand, brute force, calibration, and what it must never do."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from concilium.baselines import UniformBot
from concilium.baselines.believers import BehaviourModel, posterior, posteriors
from concilium.baselines.believers.inference.model import night_chance
from concilium.baselines.believers.inference.model_bot import ModelBot
from concilium.baselines.believers.inference.posterior import Evidence, _kernel, weigh_views
from concilium.baselines.believers.inference.work import Work
from concilium.baselines.memory import new_scratch
from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.options import MINI
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import SPECTATOR, Records, attribute_records, plain_records
from concilium.evaluation.beliefs.measures import divergence
from concilium.evaluation.beliefs.sample import Sample, sample_views
from tests.baselines.believers import brute

MODEL = BehaviourModel(slip=0.07, partner=3.0, sabotage=0.7, lie=0.4)
EVERYTHING: dict[str, Any] = {
    "num_players": 5, "virtue_kinds": 4, "hand_size": 2, "rows": "1-1-1", "talk": "claims",
}  # fmt: skip
"""All rules of the game, few enough cards for the exact sum."""


def model_games(games: int, seed: int, spectators: bool = False, **options: Any) -> Sample:
    """Games of bots that play by the model."""
    table = GAME.bind(**options)
    bots = [ModelBot(MODEL) for _ in range(table.num_players)]
    return sample_views(table, bots, games, seed, spectators=spectators)


def exact(sample: Sample) -> np.ndarray:
    """Exact probabilities of all Views."""
    return np.array(
        [
            posterior(sample.views, MODEL, "exact", index=k).probabilities
            for k in range(len(sample.views))
        ]
    )


# By hand -----------------------------------------------------------------------------------------


def one_mission(eye: int, hand: int, faith: tuple[int, ...]) -> tuple[BoundGame, Records]:
    """The Hand gave one Virtue that matches and one that does not; the Eye placed the other."""
    table = GAME.bind(**MINI)
    state = table.new_state(4)
    plain = plain_records(state)[0]
    plain["faith"][:5] = faith
    plain["turn"] = plain["eye"] = plain["actor"] = eye
    plain["log"][0, 1] = eye
    pair = int(np.flatnonzero(plain["mission_copies"])[0])
    low, high = int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])
    other = ({0, 1, 2} - {low, high}).pop()
    plain["next_mission"] = pair
    for kind in (low, other):
        plain["deck"][kind] -= 1
    for kind, count in enumerate(plain["hand"][hand]):
        plain["deck"][kind] += count
    plain["hand"][hand] = 0
    plain["hand"][hand, [low, other]] = 1
    dealt = next(
        k for k in range(9) if plain["log"][k, 0] == S.Event.DEALT and plain["log"][k, 1] == hand
    )
    plain["log"][dealt, 2:6] = 0
    for kind in (low, other):
        plain["log"][dealt, 2 + kind // 3] |= 1 << (5 * (kind % 3))
    table.step(state, A.CHOOSE + (hand - eye) % 5 - 1)
    table.step(state, A.GIVE + low)
    table.step(state, A.GIVE + other)
    table.step(state, A.PLACE + other)
    return table, state


@pytest.mark.parametrize("method", ["fast", "exact"])
def test_a_hand_that_gave_one_of_each_judges_its_eye(method: str) -> None:
    table, state = one_mission(eye=2, hand=0, faith=(0, 1, 1, 0, 0))
    found = posterior(table.view(state, 0), MODEL, method)
    # Placing: a True Believer fails by a slip, 0.07 / 2; a Defector by one or on purpose.
    # Choice: a True Believer takes each of four; a Defector has one partner among them.
    believer = 0.035 / 4
    defector = (0.035 + 0.93 * 0.7) * (0.07 / 4 + 0.93 / (3 + 3.0))
    # two of four seats are Defectors: the Eye is one in three of six assignments
    assert found.seats[2] == pytest.approx(defector / (defector + believer), rel=1e-9)
    assert found.seats[0] == 0.0
    assert found.seats.sum() == pytest.approx(2.0)
    # the three others share what is left alike
    assert found.seats[1] == pytest.approx(found.seats[3])


@pytest.mark.parametrize("method", ["fast", "exact"])
def test_an_eye_learns_of_its_hand_from_what_it_gave(method: str) -> None:
    table, state = one_mission(eye=0, hand=3, faith=(0, 1, 0, 0, 1))
    found = posterior(table.view(state, 0), MODEL, method)
    # who gives one of each of two cards had no choice but a hand of one of each: it tells nothing
    assert found.seats[1:] == pytest.approx([0.5] * 4)


def test_hard_facts_alone_leave_all_assignments_alike() -> None:
    table = GAME.bind(num_players=7)
    state = table.new_state(11)
    spectator = posterior(table.view(state, SPECTATOR))
    assert spectator.probabilities == pytest.approx(np.full(35, 1 / 35))
    assert spectator.seats == pytest.approx(np.full(7, 3 / 7))
    faith = plain_records(state)["faith"][0, :7]
    believer, traitor = int(np.argmin(faith)), int(np.argmax(faith))
    known = posterior(table.view(state, traitor))
    assert known.seats == pytest.approx(faith.astype(float))
    assert known.probabilities.max() == 1.0
    seen = posterior(table.view(state, believer))
    assert np.count_nonzero(seen.probabilities) == 20  # three of the six others
    assert seen.seats[believer] == 0.0
    # an Oracle saw one Defector: two of the five others
    plain_records(state)["faith_seen"][0, traitor] = 1 << believer
    told = posterior(table.view(state, believer))
    assert np.count_nonzero(told.probabilities) == 10
    assert told.seats[traitor] == 1.0


@pytest.mark.parametrize(("seats", "count", "crises"), [(5, 2, 2), (7, 3, 3), (8, 3, 1)])
def test_nights_against_all_nominations(seats: int, count: int, crises: int) -> None:
    betray = 0.3
    total = seats - count + betray * (count - 1)
    options = [
        {
            (crisis, seat): (betray if seat < count else 1.0) / total / crises
            for crisis, seat in product(range(crises), range(seats))
            if seat != own
        }
        for own in range(count)
    ]
    laid: dict[tuple[int, int], float] = {}
    for votes in product(*options):
        chance = float(np.prod([options[k][vote] for k, vote in enumerate(votes)]))
        won = max(votes, key=lambda vote: (votes.count(vote), -votes.index(vote)))
        laid[won] = laid.get(won, 0.0) + chance
    model = BehaviourModel(betray=betray)
    for place in range(-1, count):
        target = place if place >= 0 else count
        found = night_chance(model, place, seats, count, crises)
        assert found == pytest.approx(laid.get((0, target), 0.0), abs=1e-12)


# The exact sum -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "spectators", "views"),
    [
        ({"rows": "2-2", "hand_size": 1}, True, 4),
        ({"rows": "2-1-1", "hand_size": 1, "shame": True, "talk": "claims"}, False, 8),
        ({"rows": "1-1", "talk": "claims"}, False, 1),
    ],
)
def test_exact_equals_brute_force(options: dict[str, Any], spectators: bool, views: int) -> None:
    sample = model_games(8, 3, spectators, **{**MINI, **options})
    lengths = plain_records(sample.views)["log_count"]
    for k in np.argsort(lengths, kind="stable")[:: -(-len(lengths) // views)]:
        told = brute.as_array(brute.posterior(plain_records(sample.views)[k], MODEL))
        found = posterior(sample.views, MODEL, "exact", index=int(k))
        assert found.probabilities == pytest.approx(told, abs=1e-9)


def test_exact_is_calibrated_where_bots_play_by_the_model() -> None:
    """With all rules: the log loss is what the posterior itself expects, its entropy."""
    sample = model_games(150, 5, **EVERYTHING)
    chances = exact(sample)
    true = np.searchsorted(posteriors(sample.views).assignments, sample.defectors)
    told = chances[np.arange(len(true)), true]
    entropy = -(chances * np.log(np.maximum(chances, 1e-300))).sum(axis=1)
    excess = np.bincount(sample.game, -np.log(told) - entropy, 150)
    assert abs(excess.mean()) < 3.5 * excess.std() / np.sqrt(150)
    # and there is something to know: hard facts leave log 6
    assert -np.log(told).mean() < 0.9 * np.log(6)


def test_sampled_worlds_come_to_the_exact_sum() -> None:
    sample = model_games(10, 6, **EVERYTHING)
    chances = exact(sample)
    for worlds, bound in ((20, 0.05), (4000, 1e-9)):
        drawn = np.array(
            [
                posterior(
                    sample.views, MODEL, "sample", index=k, worlds=worlds, seed=k
                ).probabilities
                for k in range(len(sample.views))
            ]
        )
        assert divergence(chances, drawn, sample.game).value < bound


# The fast posterior ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [MINI, EVERYTHING])
def test_fast_is_near_exact(options: dict[str, Any]) -> None:
    sample = model_games(60, 7, **options)
    chances = exact(sample)
    fast = posteriors(sample.views, MODEL).probabilities
    nothing = posteriors(sample.views).probabilities
    lost = divergence(chances, fast, sample.game).value
    there = divergence(chances, nothing, sample.game).value
    assert lost < 0.02 * there


@pytest.mark.parametrize("players", [5, 6, 7, 8, 9, 10])
@pytest.mark.parametrize("talk", ["none", "claims"])
def test_truth_keeps_a_probability_whatever_is_played(players: int, talk: str) -> None:
    table = GAME.bind(num_players=players, talk=talk)
    bots = [UniformBot(GAME) for _ in range(players)]
    for spectators in (False, True):
        sample = sample_views(table, bots, 12, 8, spectators=spectators)
        for model in (None, MODEL, BehaviourModel(slip=0.01, sabotage=1.0, lie=1.0, betray=0.01)):
            found = posteriors(sample.views, model)
            true = np.searchsorted(found.assignments, sample.defectors)
            assert found.probabilities[np.arange(len(true)), true].min() > 0.0
            assert found.probabilities.sum(axis=1) == pytest.approx(1.0)
            assert found.seats.sum(axis=1) == pytest.approx(float(S.DEFECTORS[players]))


def test_every_view_of_a_game_can_be_weighed() -> None:
    """In the middle of a gift, of a night, of a payment, and at the end."""
    table = GAME.bind(num_players=6, talk="claims")
    state = table.new_state(9)
    bot = ModelBot(MODEL, seed=1)
    while int(plain_records(state)["actor"][0]) >= 0:
        actor = int(plain_records(state)["actor"][0])
        views = [table.view(state, seat) for seat in (*range(6), SPECTATOR)]
        found = posteriors(np.concatenate(views), MODEL)
        assert np.isfinite(found.seats).all()
        view = views[actor]
        table.step(state, int(bot.act(view, table.legal_actions(view)[np.newaxis])[0]))
    shown = posterior(table.view(state, SPECTATOR), MODEL)
    assert shown.seats.tolist() == plain_records(state)["faith"][0, :6].tolist()


@pytest.mark.parametrize("rubbish", [0.25, 7.0, float("nan")])
@pytest.mark.parametrize("players", [5, 7, 10])
def test_nothing_is_left_in_work_memory(rubbish: float, players: int) -> None:
    """Other Views weighed before, or whatever the memory holds at first, change nothing.

    Bots of chance use Inquisitors and Confidants: known Virtues in hands are where it went wrong.
    """
    table = GAME.bind(num_players=players, talk="claims")
    sample = sample_views(table, [UniformBot(GAME) for _ in range(players)], 40, 12)
    sets, expected, _ = weigh_views(sample.views, MODEL)
    work = new_scratch(Work)
    plain = plain_records(work)
    chances = np.zeros_like(expected)
    for k in range(len(sample.views)):
        for name in plain.dtype.names or ():
            if plain.dtype[name].base == np.float64:
                plain[name] = rubbish
        logs = np.full((1, len(sets)), -np.inf)
        _kernel()(
            attribute_records(sample.views[k : k + 1]), MODEL.records(), int(Evidence.ALL), sets,
            work, np.empty(S.SEATS), chances[k : k + 1], logs,
        )  # fmt: skip
    assert chances.tolist() == expected.tolist()


# What is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("slip", 0.0, "a number from 0.01 to 1"),
        ("sabotage", 1.1, "a number from 0 to 1"),
        ("partner", float("nan"), "a number from 0.01 to 100"),
        ("lie", True, "a number from 0 to 1"),
    ],
)
def test_a_model_out_of_range_is_refused(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(OptionError, match=f"{name}={value!r} is not allowed: {allowed}"):
        BehaviourModel(**{name: value})


def test_what_cannot_be_weighed_is_refused() -> None:
    seven, five = GAME.bind(num_players=7), GAME.bind(num_players=5)
    state = seven.new_state(1)
    view = seven.view(state, 0)
    with pytest.raises(OptionError, match="State hides nothing"):
        posterior(state)
    with pytest.raises(OptionError, match=r"one table size are needed, not of sizes \[5, 7\]"):
        posteriors(np.concatenate([view, five.view(five.new_state(1), 0)]))
    with pytest.raises(OptionError, match="at least one"):
        posteriors(view[:0])
    with pytest.raises(OptionError, match="index 1 "):
        posterior(view, MODEL, index=1)
    with pytest.raises(OptionError, match="worlds=0"):
        posterior(view, MODEL, "sample", worlds=0)
    with pytest.raises(OptionError, match="method='slow'"):
        posterior(view, MODEL, "slow")
    late = model_games(2, 2, num_players=7)
    with pytest.raises(OptionError, match='method="sample" takes any'):
        posterior(late.views, MODEL, "exact", index=len(late.views) - 1)
