"""Hush with faults in its rules, each a known way for a game to be wrong.

A fault is put around the compiled functions, so that nothing is compiled anew: the class has the
entry points of :class:`concilium.envs.core.kernels.Kernels` and changes what some of them do.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from concilium.envs.core.game import Game
from concilium.envs.core.layout import Layout, layout
from concilium.envs.core.state import RUNNING, plain_records
from tests.toys.hush import HUSH
from tests.toys.hush.rules import LOOK, OBJECT, PASS, SWAP
from tests.toys.hush.state import CARDS, LOG_CAPACITY, Event, Phase, Place


class Faulty:
    """A game's entry points; a subclass replaces some."""

    def __init__(self, sound: Any) -> None:
        self.sound = sound

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sound, name)


def with_fault(fault: Callable[[Any], Faulty], sound: Game = HUSH) -> Game:
    """Return a game, Hush if no other is given, with other entry points."""
    game = replace(sound)
    object.__setattr__(game, "kernels", fault(sound.kernels))
    return game


class HintInView(Faulty):
    """A leak through a counter: every View holds a number computed from the next card."""

    def view_many(self, states: Any, games: Any, players: Any, out: Any, lo: int, hi: int) -> None:
        """View, then add the hint."""
        self.sound.view_many(states, games, players, out, lo, hi)
        truth, views = plain_records(states), plain_records(out)
        for k in range(lo, hi):
            deck = truth["deck"][games[k]]
            views["padding"][k, 0] = deck[deck >= 0].sum() % 7


class OpenHands(Faulty):
    """A leak of a whole field: everybody sees where all cards are; nothing is left to resample."""

    def view_many(self, states: Any, games: Any, players: Any, out: Any, lo: int, hi: int) -> None:
        """View, then open all hands."""
        self.sound.view_many(states, games, players, out, lo, hi)
        plain_records(out)["where"][lo:hi] = plain_records(states)["where"][games[lo:hi]]

    def determinize_many(self, views: Any, seeds: Any, out: Any, lo: int, hi: int) -> None:
        """Resample, and shuffle the deck that is known."""
        self.sound.determinize_many(views, seeds, out, lo, hi)
        states = plain_records(out)
        for k in range(lo, hi):
            cards = np.flatnonzero(states["where"][k] == Place.DECK)
            order = np.random.default_rng(seeds[k]).permutation(cards)
            states["deck"][k, : len(cards)] = order


class NextCardTold(Faulty):
    """A leak in the State itself: a public field holds the next card, and resampling keeps it."""

    def reset_one(self, states: Any, i: int, seed: Any) -> None:
        """Deal, then tell."""
        self.sound.reset_one(states, i, seed)
        self._tell(states, i)

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then tell."""
        result = self.sound.step_checked(states, i, action, mask)
        self._tell(states, i)
        return result

    @staticmethod
    def _tell(states: Any, i: int) -> None:
        plain = plain_records(states)
        plain["padding"][i, 0] = plain["deck"][i, int(plain["deck_size"][i]) - 1]


class NoTurns(Faulty):
    """A View that shows something false: that no turn is over."""

    def view_many(self, states: Any, games: Any, players: Any, out: Any, lo: int, hi: int) -> None:
        """View, then turn the clock back."""
        self.sound.view_many(states, games, players, out, lo, hi)
        plain_records(out)["turns"][lo:hi] = 0


class PublicLooks(Faulty):
    """A leak through a counter that no event explains: everybody sees how often somebody looked."""

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then count a look."""
        result = self.sound.step_checked(states, i, action, mask)
        if result[0] != -9 and LOOK <= action < PASS:
            plain_records(states)["padding"][i, 0] += 1
        return result


class MaskFromTruth(Faulty):
    """A leak through the mask: looking is offered only where the State has a high card."""

    def legal_many(self, records: Any, masks: Any, lo: int, hi: int) -> None:
        """Offer fewer looks."""
        self.sound.legal_many(records, masks, lo, hi)
        plain = plain_records(records)
        for k in range(lo, hi):
            players = int(plain["num_players"][k])
            other = (int(plain["actor"][k]) + 1) % players
            cards = np.flatnonzero(plain["where"][k] == other)
            if len(cards) and cards[0] < CARDS // 2:
                masks[k, LOOK] = 0


class OnlyTheAbleAreAsked(Faulty):
    """A leak through the order of acting: players who cannot object are skipped in silence."""

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then let pass whoever cannot object, without an event."""
        result = self.sound.step_checked(states, i, action, mask)
        if result[0] == -9:
            return result
        plain = plain_records(states)
        while int(plain["status"][i]) == RUNNING and int(plain["phase"][i]) == Phase.ANSWER:
            legal = np.empty((1, len(mask)), np.int8)
            self.sound.legal_many(states[i : i + 1], legal, 0, 1)
            if legal[0, OBJECT]:
                break
            row = int(plain["log_count"][i])
            result = self.sound.step_checked(states, i, PASS, mask)
            assert plain["log"][i, row, 0] == Event.PASSED
            plain["log"][i, row:-1] = plain["log"][i, row + 1 :]
            plain["log_count"][i] -= 1
        return result


class CardIsLost(Faulty):
    """A card given up in a swap is nowhere afterwards."""

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then lose the card."""
        plain = plain_records(states)
        before = plain["where"][i].copy()
        result = self.sound.step_checked(states, i, action, mask)
        if result[0] != -9 and action == SWAP:
            lost = (plain["where"][i] == Place.DISCARD) & (before != Place.DISCARD)
            plain["where"][i][lost] = 7
        return result


class EmptyMask(Faulty):
    """Whoever cannot object is asked and has nothing to say."""

    def legal_many(self, records: Any, masks: Any, lo: int, hi: int) -> None:
        """Take out the pass."""
        self.sound.legal_many(records, masks, lo, hi)
        for k in range(lo, hi):
            if masks[k].sum() == 1:
                masks[k, PASS] = 0

    def observe_one(
        self, states: Any, i: int, player: int, views: Any, obs: Any, mask: Any
    ) -> None:
        """The same for an environment."""
        self.sound.observe_one(states, i, player, views, obs, mask)
        if mask.sum() == 1:
            mask[PASS] = 0


class TruthInTheView(Faulty):
    """Resampling that cheats: the View holds the truth where nobody looks, and it is put back."""

    def view_many(self, states: Any, games: Any, players: Any, out: Any, lo: int, hi: int) -> None:
        """Hide the truth in unused rows of the log."""
        self.sound.view_many(states, games, players, out, lo, hi)
        truth, views = plain_records(states), plain_records(out)
        for k in range(lo, hi):
            record = truth[games[k]].copy()
            spare = views["log"][k].reshape(-1)[-2 * CARDS :]
            if int(record["log_count"]) <= LOG_CAPACITY - 4:
                spare[:CARDS] = 50 + record["where"]
                spare[CARDS:] = 50 + record["deck"]

    def determinize_many(self, views: Any, seeds: Any, out: Any, lo: int, hi: int) -> None:
        """Put the truth back."""
        self.sound.determinize_many(views, seeds, out, lo, hi)
        kept, states = plain_records(views), plain_records(out)
        for k in range(lo, hi):
            spare = kept["log"][k].reshape(-1)[-2 * CARDS :]
            if not spare.all():
                continue  # there was no room
            states["log"][k] = kept["log"][k]
            states["log_count"][k] = kept["log_count"][k]
            states["log"][k].reshape(-1)[-2 * CARDS :] = 0
            states["where"][k] = spare[:CARDS] - 50
            states["deck"][k] = spare[CARDS:] - 50
            states["seen"][k] = np.maximum(kept["seen"][k], 0)


class UnplayableResample(Faulty):
    """A resampled State from which a card is missing."""

    def determinize_many(self, views: Any, seeds: Any, out: Any, lo: int, hi: int) -> None:
        """Resample, then lose a card of the deck."""
        self.sound.determinize_many(views, seeds, out, lo, hi)
        states = plain_records(out)
        for k in range(lo, hi):
            hidden = (plain_records(views)["where"][k] == -1) & (states["where"][k] == Place.DECK)
            if hidden.any():
                states["where"][k][np.argmax(hidden)] = 7


class GeneratorInTheView(Faulty):
    """A View that holds the generator shows the future."""

    def view_many(self, states: Any, games: Any, players: Any, out: Any, lo: int, hi: int) -> None:
        """View, then copy the generator."""
        self.sound.view_many(states, games, players, out, lo, hi)
        for name in ("rng_key", "rng_counter"):
            plain_records(out)[name][lo:hi] = plain_records(states)[name][games[lo:hi]]


class MemoryLeftOver(Faulty):
    """A kernel that adds to memory instead of writing it."""

    def returns_many(self, states: Any, games: Any, out: Any, lo: int, hi: int) -> None:
        """Leave the last seat as it was."""
        kept = out[lo:hi, -1].copy()
        self.sound.returns_many(states, games, out, lo, hi)
        out[lo:hi, -1] = kept


class AbsoluteSeats(Faulty):
    """Observations in which the active seat is absolute, so that seats are not alike."""

    def observe_many(
        self, states: Any, games: Any, players: Any, views: Any, obs: Any, masks: Any,
        actors: Any, lo: int, hi: int,
    ) -> None:  # fmt: skip
        """Observe, then write the seat's own number."""
        self.sound.observe_many(states, games, players, views, obs, masks, actors, lo, hi)
        segment = HUSH.observation["active"].slice
        obs[lo:hi, segment] = 0
        obs[np.arange(lo, hi), segment.start + plain_records(states)["active"][games[lo:hi]]] = 1


class ObservesTheTruth(Faulty):
    """Batches whose observations are made from the State and not from the View."""

    def observe_many(
        self, states: Any, games: Any, players: Any, views: Any, obs: Any, masks: Any,
        actors: Any, lo: int, hi: int,
    ) -> None:  # fmt: skip
        """Observe, then show which card is drawn next."""
        self.sound.observe_many(states, games, players, views, obs, masks, actors, lo, hi)
        deck = plain_records(states)["deck"][games[lo:hi]].max(axis=1)
        obs[lo:hi, HUSH.observation["goal"].offset] = deck % 3


class TellsEverything(Faulty):
    """Every decision is followed by a public event that hidden cards decide."""

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then tell."""
        result = self.sound.step_checked(states, i, action, mask)
        plain = plain_records(states)
        row = int(plain["log_count"][i])
        if result[0] != -9 and row < LOG_CAPACITY // 2:
            cards = plain["where"][i].tobytes() + plain["deck"][i].tobytes()
            plain["log"][i, row] = (Event.PASSED, -1, zlib.crc32(cards) % 10_000, 0, 0, -1, -1, -1)
            plain["log_count"][i] += 1
        return result


class ActsAfterTheEnd(Faulty):
    """A State that names a player to act though the game is over."""

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then leave an actor."""
        result = self.sound.step_checked(states, i, action, mask)
        plain = plain_records(states)
        if int(plain["status"][i]) != RUNNING:
            plain["actor"][i] = 0
        return result


class KindFromTruth(Faulty):
    """Who is to act is shown another kind of decision than the one that is due."""

    def kind_many(self, records: Any, rows: Any, out: Any, lo: int, hi: int) -> None:
        """Tell the first kind in every View."""
        self.sound.kind_many(records, rows, out, lo, hi)
        out[lo:hi][plain_records(records)["viewer"][rows[lo:hi]] >= 0] = 0


class RemembersCalls(Faulty):
    """Rules that keep something outside of the State."""

    calls = 0

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then turn the deck over now and then."""
        result = self.sound.step_checked(states, i, action, mask)
        self.calls += 1
        plain = plain_records(states)
        if result[0] != -9 and self.calls % 3 == 0:
            size = int(plain["deck_size"][i])
            plain["deck"][i, :size] = plain["deck"][i, :size][::-1].copy()
        return result


def declared_short() -> Game:
    """A game that goes on for longer than it declares."""
    return replace(HUSH, max_game_length=lambda options: 4 * int(options["num_players"]))


def narrow_bounds() -> Game:
    """A game whose observations leave their declared bounds."""
    rows = [(s.name, s.shape, s.low, s.high, s.meaning) for s in HUSH.observation]
    narrow = [(name, shape, low, min(high, 5), text) for name, shape, low, high, text in rows]
    return replace(HUSH, observation=layout(*narrow))


def narrow_state() -> Game:
    """A game whose perfect-information vector leaves its declared bounds."""
    rows = [(s.name, s.shape, s.low, min(s.high, 3), s.meaning) for s in HUSH.state_layout]
    return replace(HUSH, state_layout=layout(*rows))


def gap_in_the_layout() -> Game:
    """A layout whose last segment begins one element too late."""
    *first, last = HUSH.observation.segments
    return replace(HUSH, observation=Layout((*first, replace(last, offset=last.offset + 1))))


def wrong_outcome() -> Game:
    """A game that is never said to have ended."""
    return replace(HUSH, outcome=lambda records: np.zeros(len(records), np.int8))


def narrow_returns() -> Game:
    """A game that pays more than it declares."""
    return replace(HUSH, return_range=(-0.1, 1.0))


def double_names() -> Game:
    """Two actions with one name."""
    names = HUSH.action_name
    return replace(
        HUSH, action_name=lambda bound, action: names(bound, PASS if action == OBJECT else action)
    )
