"""The rule bots of Believers: legal everywhere, from Views alone, each of its own kind."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Mapping
from dataclasses import fields, replace
from itertools import combinations
from typing import Any, Final

import numpy as np
import pytest

from concilium.baselines.believers import (
    ALWAYS,
    BAYES,
    MIXED,
    PARTNER,
    SELFISH,
    SLEEPER,
    BehaviourModel,
    Character,
    CharacterBot,
)
from concilium.baselines.registry import make_bot
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.core.bot import Bot, UniformBot
from concilium.envs.core.compiled.jit import INTERPRETED
from concilium.envs.core.compiled.log import EVERYBODY
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import plain_records
from concilium.envs.core.vector import VecGame
from concilium.evaluation.sides import SideResults, play_sides
from tests.baselines.believers.deciding import CHARACTERS, MADE, all_tables, bot_of, sampled
from tests.games.believers.tables import build

NAMES: Final = list(CHARACTERS)
CLAIMING: Final = (S.Phase.HAND_CLAIM, S.Phase.EYE_CLAIM)


def test_the_registry_has_these_bots() -> None:
    for name, character in (
        ("selfish", SELFISH), ("bayes", BAYES), ("always", ALWAYS), ("partner", PARTNER),
        ("sleeper", SLEEPER), ("mixed", MIXED),
    ):  # fmt: skip
        bot: Any = make_bot(f"believers/{name}", GAME, seed=0)
        assert bot.character == CHARACTERS[name] == character
    sleeper: Any = make_bot("believers/sleeper:sleep=5,steady=true", GAME)
    assert (sleeper.character.sleep, sleeper.character.steady) == (5, True)
    mixed: Any = make_bot("believers/mixed", GAME, often=0.25)
    assert mixed.character == replace(CHARACTERS["mixed"], often=0.25)
    with pytest.raises(OptionError, match="sleep=22 is not allowed"):
        make_bot("believers/sleeper:sleep=22", GAME)


# Legal -----------------------------------------------------------------------------------------


def test_the_sample_has_everything() -> None:
    plain = sampled().plain
    assert set(plain["phase"].tolist()) == set(range(len(S.KINDS_OF_DECISIONS)))
    for players in range(5, 11):
        there = plain[plain["num_players"] == players]
        assert len(there) > 200
        for option in ("talk", "shame_on", "disciples_on", "crises_on"):
            assert set(there[option].tolist()) == {0, 1}
        assert S.Effect.APOSTLE in there["disciple_effect"][:, 0]  # the first of the odd cards
        assert S.Faith.BELIEVER in there["faith"][np.arange(len(there)), there["actor"]]
        assert S.Faith.DEFECTOR in there["faith"][np.arange(len(there)), there["actor"]]
    assert (plain["virtue_kinds"] == 3).sum() > 20  # the small game
    assert plain["mission"].max() >= 9


@pytest.mark.parametrize("name", NAMES)
def test_legal_in_all_positions(name: str) -> None:
    sample = sampled()
    for steady in (False, True):
        actions = sample.answers(replace(CHARACTERS[name], steady=steady))
        assert (sample.masks[np.arange(len(actions)), actions] == 1).all()


def at_limits(end: str) -> Character:
    """All numbers at their ``"low"`` or ``"high"`` limit, switches off or on."""
    values: dict[str, Any] = {}
    for entry in fields(Character):
        kind: Any = type(entry.default)
        values[entry.name] = kind(entry.metadata.get(end, end == "high"))
    return Character(**values)


@pytest.mark.parametrize("end", ["low", "high"])
def test_legal_with_all_numbers_at_their_limits(end: str) -> None:
    sample = sampled()
    for wits in (False, True):
        actions = sample.answers(replace(at_limits(end), wits=wits))
        assert (sample.masks[np.arange(len(actions)), actions] == 1).all()


def test_whole_games_are_played_to_their_end() -> None:
    """At every table every bot plays everybody; nothing illegal is chosen."""
    tables = all_tables()
    vec = VecGame(tables, seed=9)
    bots = [bot_of(CHARACTERS[name]) for name in NAMES]
    batch = vec.reset()
    by = np.arange(len(tables)) % len(bots)
    ended: set[int] = set()
    for _ in range(1000):
        views, actions = vec.views(), np.empty(len(tables), np.int64)
        for number, bot in enumerate(bots):
            mine = by == number
            actions[mine] = bot.act(views[mine], batch.masks[mine])
        assert (batch.masks[np.arange(len(tables)), actions] == 1).all()
        batch = vec.step(actions)
        ended |= set(batch.finished.tolist())
        if len(ended) == len(tables):
            return
    pytest.fail(f"only games {sorted(ended)} ended")


# Views alone -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_views_come_back_as_they_were(name: str) -> None:
    """A Defector's Faith is blanked for a moment: every byte is there again afterwards."""
    sample = sampled()
    assert sample.views.flags.writeable
    before, masks = sample.plain.tobytes(), sample.masks.tobytes()
    sample.answers(CHARACTERS[name])
    assert sample.plain.tobytes() == before
    assert sample.masks.tobytes() == masks


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_all_sorts(name: str) -> None:
    """Read-only ones, slices and masks in another order: the same answers, nothing written."""
    sample = sampled()
    views, masks = sample.views, sample.masks
    bot = bot_of(CHARACTERS[name])
    expected = bot.act(views, masks)
    closed, closed_masks = views.copy(), masks.copy()
    closed.setflags(write=False)
    closed_masks.setflags(write=False)
    bot.seed(0)
    assert bot.act(closed, closed_masks).tolist() == expected.tolist()
    bot.seed(0)
    assert bot.act(views, np.asfortranarray(masks)).tolist() == expected.tolist()
    bot.seed(0)
    copied = bot.act(views[::-3].copy(), masks[::-3].copy())
    bot.seed(0)
    assert bot.act(views[::-3], masks[::-3]).tolist() == copied.tolist()
    assert sample.plain.tobytes() == plain_records(closed).tobytes()
    assert bot.act(views[:0], masks[:0]).shape == (0,)
    assert INTERPRETED or len(CharacterBot.program.loop.signatures) == 1


@pytest.mark.parametrize("name", NAMES)
def test_one_at_a_time_as_in_a_batch(name: str) -> None:
    """Each decision takes its two numbers in turn."""
    sample = sampled()
    views, masks = sample.views, sample.masks
    together = bot_of(CHARACTERS[name], 4).act(views, masks)
    bot = bot_of(CHARACTERS[name], 4)
    alone = [int(bot.act(views[k : k + 1], masks[k : k + 1])[0]) for k in range(len(views))]
    assert together.tolist() == alone


def test_scratch_memory_is_written_before_it_is_read() -> None:
    """Whatever the last Views left there: the answers are those of a new bot."""
    sample = sampled()
    steady = replace(MADE, steady=True)
    bot = bot_of(steady)
    answers = []
    for start in range(0, len(sample.views), 50):
        for scratch in bot._scratch:
            plain = plain_records(scratch)
            for name in plain.dtype.names or ():
                plain[name] = 0.7 if plain[name].dtype.kind == "f" else 1
        rows = slice(start, start + 50)
        answers += bot.act(sample.views[rows], sample.masks[rows]).tolist()
    alone = [
        int(bot_of(steady).act(sample.views[k : k + 1], sample.masks[k : k + 1])[0])
        for k in range(len(sample.views))
    ]
    assert answers == alone


@pytest.mark.parametrize("name", NAMES)
def test_what_is_hidden_from_all_is_not_read(name: str) -> None:
    """A View has 0 and -1 there; with anything else in their place the answers are the same."""
    sample = sampled()
    views = sample.views.copy()
    plain = plain_records(views)
    assert (plain["deck"] == -1).all()
    assert (plain["rng_key"] == 0).all()
    plain["deck"], plain["rng_key"], plain["rng_counter"], plain["padding"] = 5, 77, 9, 3
    hands = plain["hand"]
    hands[hands < 0] = 2
    changed = bot_of(CHARACTERS[name]).act(views, sample.masks)
    assert changed.tolist() == sample.answers(CHARACTERS[name]).tolist()


def test_states_are_refused() -> None:
    t = build(5)
    masks = t.game.legal_actions(t.state)[np.newaxis]
    with pytest.raises(OptionError, match="takes Views of the player to act only"):
        bot_of(BAYES).act(t.state, masks)
    with pytest.raises(OptionError, match="takes Views of the player to act only"):
        bot_of(BAYES).act(t.game.view(t.state, t.after(t.actor)), masks)


# Chance ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_and_copies_act_alike(name: str) -> None:
    sample = sampled()
    bot = bot_of(CHARACTERS[name], 7)
    first = bot.act(sample.views, sample.masks)
    pickled, copied = pickle.loads(pickle.dumps(bot)), copy.deepcopy(bot)
    then = bot.act(sample.views, sample.masks)
    assert pickled.act(sample.views, sample.masks).tolist() == then.tolist()
    assert copied.act(sample.views, sample.masks).tolist() == then.tolist()
    assert (pickled.name, pickled.character, pickled.game) == (bot.name, bot.character, GAME)
    bot.seed(7)
    assert bot.act(sample.views, sample.masks).tolist() == first.tolist()
    assert bot_of(CHARACTERS[name], 7).act(sample.views, sample.masks).tolist() == first.tolist()
    assert bot_of(CHARACTERS[name], 8).act(sample.views, sample.masks).tolist() != first.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_steady_bot_draws_nothing(name: str) -> None:
    """Equal Views have equal answers, whatever the seed and wherever in the batch."""
    sample = sampled()
    steady = replace(CHARACTERS[name], steady=True)
    actions = sample.answers(steady, 1)
    assert sample.answers(steady, 2).tolist() == actions.tolist()
    backwards = bot_of(steady, 1).act(sample.views[::-1], sample.masks[::-1])
    assert backwards[::-1].tolist() == actions.tolist()


def test_no_generator_but_its_own() -> None:
    """Neither the global ones nor that of the games."""
    vec = VecGame(all_tables()[:12], seed=3)
    masks = vec.reset().masks
    states = plain_records(vec.states).tobytes()
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    for name in NAMES:
        bot_of(CHARACTERS[name]).act(vec.views(), masks)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002
    assert plain_records(vec.states).tobytes() == states


# What all of them do ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_claims_are_true_or_a_lie_of_the_declared_kind(name: str) -> None:
    sample = sampled()
    claims = sample.where(np.isin(sample.plain["phase"], CLAIMING))
    lies = 0
    for view, faith, action in zip(
        claims.plain,
        claims.own_faith,
        claims.answers(replace(CHARACTERS[name], sleep=0)),
        strict=True,
    ):
        number = int(view["mission"])
        given, claimed = int(view["mission_given"][number]), int(action) - act.CLAIM
        if claimed == given:
            continue
        lies += 1
        placed, none = view["mission_placed"][number].tolist()
        assert faith == S.Faith.DEFECTOR
        assert view["mission_result"][number] == 0
        assert none == S.NONE
        assert view["given_known"][number] != EVERYBODY
        told = [int(S.PAIR_LOW[claimed]), int(S.PAIR_HIGH[claimed])]
        told.remove(placed)
        pair = int(view["mission_pair"][number])
        as_hand = view["phase"] == S.Phase.HAND_CLAIM
        other = view["eye"] if as_hand else view["hand_seat"]
        fits = told[0] in (S.PAIR_LOW[pair], S.PAIR_HIGH[pair])
        if view["faith"][other] == S.Faith.DEFECTOR:  # fellows tell one story
            repeats = not as_hand and claimed == view["hand_claim"][number]
            assert repeats or not fits
        else:
            assert fits == as_hand
    assert lies > 20


def test_who_does_not_talk_says_nothing() -> None:
    sample = sampled()
    phase = sample.plain["phase"]
    talk = sample.where(np.isin(phase, (S.Phase.STATEMENT, *CLAIMING)))
    silent = np.where(talk.plain["phase"] == S.Phase.STATEMENT, act.SILENT, act.CLAIM + S.NO_CLAIM)
    assert talk.answers(replace(MADE, talks=False)).tolist() == silent.tolist()
    assert (talk.answers(MADE) != silent).mean() > 0.2


def test_the_selfish_use_neither_shame_nor_disciples() -> None:
    sample = sampled()
    for phase, nothing in ((S.Phase.CALL, act.DONE), (S.Phase.INDOCTRINATION, act.PASS)):
        asked = sample.where(sample.plain["phase"] == phase)
        assert set(asked.answers(SELFISH).tolist()) == {nothing}
        assert (asked.answers(MADE) != nothing).mean() > 0.05


# Characters ------------------------------------------------------------------------------------


def test_any_two_characters_differ_somewhere() -> None:
    sample = sampled()
    answers = {name: sample.answers(CHARACTERS[name]).tolist() for name in NAMES}
    alike = {pair for pair in combinations(NAMES, 2) if answers[pair[0]] == answers[pair[1]]}
    assert not alike


CHANGES: Final[Mapping[str, tuple[Mapping[str, Any], Any]]] = {
    "slip": ({}, 1.0),
    "partner": ({}, 50.0),
    "sabotage": ({}, 0.1),
    "spare": ({}, 0.02),
    "accuse_partner": ({}, 0.02),
    "vouch_partner": ({}, 50.0),
    "lie": ({}, 0.0),
    "betray": ({}, 20.0),
    "wits": ({}, False),
    "shame_at": ({}, 0.9),
    "block_at": ({}, 0.9),
    "accuse_at": ({}, 0.9),
    "talks": ({}, False),
    "reserve": ({}, 1),
    "sleep": ({}, 3),
    "often": ({}, 0.5),
    "as_eye": ({}, 0.5),
    "pick": ({}, 0.5),
    "urgent": ({"sleep": 21}, True),
    "steady": ({}, True),
}
"""For each number: what else is set, and a value other than the default."""


@pytest.mark.parametrize("number", [entry.name for entry in fields(Character)])
def test_every_number_decides_something(number: str) -> None:
    others, value = CHANGES[number]
    base = replace(MADE, **others)
    changed = replace(base, **{number: value})
    sample = sampled()
    assert sample.answers(changed).tolist() != sample.answers(base).tolist()


def test_compiled_code_reads_every_param() -> None:
    params: dict[str, Any] = {entry.name: 1 + k for k, entry in enumerate(fields(Character))}
    params |= {"slip": 0.5, "sabotage": 0.25, "lie": 1.0}
    made = Character(**params)
    (record,) = plain_records(made.records())
    kinds = {name: type(value) for name, value in vars(MADE).items()}
    assert record.tolist() == tuple(kinds[name](value) for name, value in params.items())
    assert made.model() == BehaviourModel(*list(vars(made).values())[:8])
    with pytest.raises(OptionError, match=r"slip=2\.0 is not allowed: a number from 0\.01 to 1"):
        Character(slip=2.0)


# Strength --------------------------------------------------------------------------------------


def played(believers: str, defectors: str) -> SideResults:
    """300 deals at a table of 7, the same for all; by name."""
    bots: list[Bot] = [
        UniformBot(GAME) if name == "random" else make_bot(f"believers/{name}", GAME)
        for name in (believers, defectors)
    ]
    return play_sides(GAME, bots, deals=300, seed=17, options={"num_players": 7})


def test_inference_helps_true_believers() -> None:
    """Against Defectors who pick partners and sabotage always."""
    difference = played("bayes", "partner").difference(played("selfish", "partner"), 0)
    assert difference.low > 0


def test_partners_are_stronger_than_chance() -> None:
    """Against True Believers who infer."""
    difference = played("bayes", "partner").difference(played("bayes", "random"), 1)
    assert difference.low > 0
