"""Whole games move by move against a second, plain statement of the rules.

The model below holds sets, lists and strings and follows the rulings one after the other. It takes
only what chance decides (rolls and drawn cards) from the log of the game under test; legal actions,
places of all cards, points, turns and results are its own.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs.chancellors import actions as act
from concilium.envs.chancellors.cards import CARDS
from concilium.envs.chancellors.state import Event, Place

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Play, Table

EXCUSE = 37
FORCES = ["WL", "YK", "MS"]


def fits(card: int, force: int) -> bool:
    """Whether a card has a suit of a force."""
    return bool(set(CARDS[card].suits) & set(FORCES[force]))


def needed(target: int, committed: list[int], usable: list[int]) -> set[int]:
    """Cards that complete the committed ones to a payment without waste, perhaps with others."""
    found = set()
    for card in usable:
        chosen = [*committed, card]
        reach = {(sum(CARDS[c].rank for c in chosen), min(CARDS[c].rank for c in chosen))}
        for other in usable:
            if other != card:
                rank = CARDS[other].rank
                reach |= {(total + rank, min(low, rank)) for total, low in reach if total < target}
        if any(total >= target > total - low for total, low in reach):
            found.add(card)
    return found


class Model:
    """One game in plain Python; ``chance`` are the rolls and draws still to be used."""

    def __init__(self, t: Table) -> None:
        """Take over a game that was just dealt."""
        options = t.game.options
        self.n = t.game.num_players
        self.target_score = int(options["target_score"])
        self.max_turns = int(options["max_turns"])
        self.lowest_wins = options["calamity"] == "lowest_wins"
        self.with_excuse = bool(options["excuse"])
        places = {
            place: {int(c) for c in np.flatnonzero(t["where"] == place)} for place in range(6)
        }
        self.hands = [places[seat] for seat in range(self.n)]
        self.deck, self.pile = places[Place.DECK], places[Place.DISCARD]
        self.open: list[int] = []
        self.owner = [-1, -1, -1]
        self.dice = [list(pair) for pair in t.dice]
        self.score = [0] * self.n
        self.solved: set[int] = set()
        self.active = int(t["active"])
        self.turns = self.reshuffles = 0
        self.returns: list[float] | None = None
        self.truncated = False
        self.rolls: list[tuple[int, ...]] = []
        self.draws: list[tuple[int, ...]] = []
        self.questions: list[int] = []  # forces of the attempt still to be asked about
        self.paying: tuple[int, int, int] | None = None  # problem, target, points
        self.begin_turn()

    def begin_turn(self) -> None:
        """C16: whom the question about a 6-6 goes to, if there is one."""
        ask = self.with_excuse and [6, 6] in self.dice
        self.to_answer = [(self.active + k) % self.n for k in range(self.n)] if ask else []
        self.to_raise: list[int] = []

    @property
    def actor(self) -> int:
        """Who decides."""
        if self.returns is not None:
            return -1
        if self.to_answer:
            return self.to_answer[0]
        return self.owner[self.questions[0]] if self.questions else self.active

    @property
    def kind(self) -> str:
        """What is decided."""
        if self.to_answer:
            return "avert"
        if self.questions:
            return "block"
        if self.paying:
            return "payment"
        return "escalation" if self.to_raise else "action"

    def usable(self) -> list[int]:
        """C7, C17: cards of the active player that may pay."""
        mine = [force for force in range(3) if self.owner[force] == self.active]
        return [c for c in self.hands[self.active] if any(fits(c, force) for force in mine)]

    def legal(self) -> set[int]:
        """Numbers of the legal actions."""
        if self.returns is not None:
            return set()
        if self.to_answer:
            bad = [i for i, pair in enumerate(self.dice) if pair == [6, 6]]
            holds = EXCUSE in self.hands[self.actor]
            return {act.KEEP_SILENT} | {act.REROLL + i for i in bad if holds}
        if self.questions:
            rank, force = CARDS[self.open[0]].rank, self.questions[0]
            cards = [c for c in self.hands[self.actor] if fits(c, force) and CARDS[c].rank > rank]
            return {act.DECLINE} | {act.BLOCK_WITH + c for c in cards}
        if self.paying:
            return {act.PAY_WITH + c for c in needed(self.paying[1], self.open, self.usable())}
        if self.to_raise:
            return {act.RAISE_LOWER, act.RAISE_HIGHER}
        return self.legal_plays()

    def legal_plays(self) -> set[int]:
        """C2, C3, C4, C7, C9, C15."""
        found = {act.END_TURN}
        hand = self.hands[self.active]
        others = [force for force in range(3) if self.owner[force] != self.active]
        for card in hand - {EXCUSE}:
            found |= {int(act.CONTROL_ACTION[card, f]) for f in others if fits(card, f)}
        if EXCUSE in hand and others:
            found.add(act.CONTROL_EXCUSE)
        wealth = sum(CARDS[card].rank for card in self.usable())
        for i, (low, high) in enumerate(self.dice):
            if i not in self.solved:
                found |= {act.SOLVE + 2 * i} if wealth >= low + high else set()
                found |= {act.SOLVE + 2 * i + 1} if wealth >= low else set()
        return found

    def step(self, action: int) -> None:
        """Take an action."""
        if action == act.KEEP_SILENT:
            self.to_answer.pop(0)
        elif action >= act.REROLL:
            self.discard(self.actor, EXCUSE)
            self.to_answer = []
            self.roll(action - act.REROLL)
        elif action >= act.RAISE_LOWER:
            self.raise_die(self.to_raise.pop(0), action - act.RAISE_LOWER)
            self.escalate()
        elif action >= act.PAY_WITH:
            self.pay(action - act.PAY_WITH)
        elif action >= act.DECLINE:
            self.answer(action - act.BLOCK_WITH)
        elif action == act.END_TURN:
            self.end_turn()
        elif action >= act.SOLVE:
            problem, quiet = divmod(action - act.SOLVE, 2)
            low, high = self.dice[problem]
            self.paying = (problem, low, low - 1) if quiet else (problem, low + high, high)
        else:
            self.attempt(action)

    def discard(self, seat: int, card: int) -> None:
        """Put a card from a hand onto the pile."""
        self.hands[seat].remove(card)
        self.pile.add(card)

    def attempt(self, action: int) -> None:
        """C5, C6, C15: free forces at once, then one question for each other force."""
        excuse = action == act.CONTROL_EXCUSE
        card = EXCUSE if excuse else int(act.CONTROL_CARD[action])
        named = [0, 1, 2] if excuse else [int(act.CONTROL_FORCE[action])]
        self.hands[self.active].remove(card)
        self.open = [card]
        for force in named:
            if self.owner[force] < 0 or CARDS[card].rank == 10:
                self.owner[force] = self.active
        self.questions = [force for force in named if self.owner[force] != self.active]
        self.settle()

    def answer(self, card: int) -> None:
        """C5: a card, or -1 to let the force go."""
        assert act.DECLINE == act.BLOCK_WITH - 1
        if card >= 0:
            self.discard(self.actor, card)
            self.questions.pop(0)
        else:
            self.owner[self.questions.pop(0)] = self.active
        self.settle()

    def settle(self) -> None:
        """The attempting card follows when nobody is left to ask."""
        if not self.questions:
            self.pile |= set(self.open)
            self.open = []

    def pay(self, card: int) -> None:
        """C7, C8, C10."""
        assert self.paying
        problem, target, points = self.paying
        self.hands[self.active].remove(card)
        self.open.append(card)
        if sum(CARDS[c].rank for c in self.open) < target:
            return
        self.paying = None
        self.settle()
        self.solved.add(problem)
        self.score[self.active] += points
        if self.score[self.active] >= self.target_score:
            self.returns = [1.0 if s == self.active else -1 / (self.n - 1) for s in range(self.n)]

    def roll(self, problem: int) -> None:
        """Take the next roll of the log."""
        where, low, high = self.rolls.pop(0)
        assert where == problem
        assert 1 <= low <= high <= 6
        self.dice[problem] = [low, high]

    def end_turn(self) -> None:
        """C11, C12."""
        for problem in sorted(self.solved):
            self.roll(problem)
        unsolved = [i for i in range(len(self.dice)) if i not in self.solved]
        if any(self.dice[i] == [6, 6] for i in unsolved):
            self.calamity()
            return
        self.to_raise = unsolved
        self.escalate()

    def escalate(self) -> None:
        """C11: up to the next problem with a choice; then the draw."""
        while self.to_raise:
            low, high = self.dice[self.to_raise[0]]
            if low != high and high != 6:
                return
            self.raise_die(self.to_raise.pop(0), 0)
        self.draw()

    def raise_die(self, problem: int, which: int) -> None:
        """One die up by one; a pair is unordered."""
        self.dice[problem][which] += 1
        self.dice[problem].sort()

    def calamity(self) -> None:
        """C18."""
        low = min(self.score)
        winners = self.score.count(low)
        gain = (1 - (winners - 1) / (self.n - 1)) / winners
        loss = 0.0 if winners == self.n else -1 / (self.n - 1)
        shares = [gain if score == low else loss for score in self.score]
        self.returns = shares if self.lowest_wins else [-1.0] * self.n

    def draw(self) -> None:
        """C13, C19."""
        for k in range(self.n):
            seat = (self.active + k) % self.n
            if not self.deck and self.pile:
                self.deck, self.pile = self.pile, set()
                self.reshuffles += 1
            if self.deck:
                who, card = self.draws.pop(0)
                assert who == seat
                self.deck.remove(card)
                self.hands[seat].add(card)
        self.turns += 1
        self.solved = set()
        if self.turns == self.max_turns:
            self.returns = [0.0] * self.n
            self.truncated = True
            return
        self.active = (self.active + 1) % self.n
        self.begin_turn()


def compare(model: Model, t: Table) -> None:
    """Everything that the model knows must be so in the State."""
    where = t["where"]
    for seat in range(model.n):
        assert set(np.flatnonzero(where == seat).tolist()) == model.hands[seat]
    assert set(np.flatnonzero(where == Place.DECK).tolist()) == model.deck
    assert set(np.flatnonzero(where == Place.DISCARD).tolist()) == model.pile
    assert set(np.flatnonzero(where == Place.TABLE).tolist()) == set(model.open)
    size = len(model.deck)
    assert set(t["deck"][:size].tolist()) == model.deck
    assert t["deck"][size:].tolist() == [-1] * (len(CARDS) - size)
    assert t.sizes == [len(hand) for hand in model.hands]
    assert t["deck_size"] == size
    assert t["deck_number"] == model.reshuffles
    assert t.owners == model.owner
    assert [list(pair) for pair in t.dice] == model.dice
    assert t.scores == model.score
    assert (t["turns"], t["active"], t.actor) == (model.turns, model.active, model.actor)
    assert t.running == (model.returns is None)
    assert t.truncated == model.truncated
    assert t.returns == pytest.approx(model.returns or [0.0] * model.n)
    assert t.legal == model.legal()
    if t.running:
        assert t.kind == model.kind
        solved = {i for i in range(len(model.dice)) if t["solved"][i]}
        assert solved == model.solved


def play(t: Table, careful: Play, seed: int, randomness: float) -> Model:
    """Play a game to its end, comparing after each move; return the model."""
    rng = np.random.default_rng(seed)
    model = Model(t)
    compare(model, t)
    for decisions in count(1):
        seen = int(t["log_count"])
        top = [int(card) for card in t["deck"][: int(t["deck_size"])]][::-1]
        random = rng.random() < randomness
        action = int(rng.choice(sorted(t.legal))) if random else careful(t, rng)
        t.step(action)
        told = t.events()
        news = told[len(told) - (int(t["log_count"]) - seen) :]
        model.rolls = [event[2:5] for event in news if event[0] == Event.ROLL]
        model.draws = [(event[1], event[5]) for event in news if event[0] == Event.DRAW]
        before = [
            event[5] for event in news[: _first(news, Event.SHUFFLE)] if event[0] == Event.DRAW
        ]
        assert before == top[: len(before)]  # the last of the deck is drawn next
        model.step(action)
        assert model.rolls == model.draws == []
        compare(model, t)
        assert decisions <= t.game.max_game_length
        if not t.running:
            return model
    raise AssertionError("unreachable")


def _first(news: list[tuple[int, ...]], kind: int) -> int:
    kinds = [event[0] for event in news]
    return kinds.index(kind) if kind in kinds else len(kinds)


@pytest.mark.parametrize("excuse", [False, True])
@pytest.mark.parametrize("pawns", [False, True])
@pytest.mark.parametrize("calamity", ["all_lose", "lowest_wins"])
def test_against_the_model(
    deal: Build, careful: Play, players: int, excuse: bool, pawns: bool, calamity: str
) -> None:
    # C1 to C19
    for seed in range(12):
        t = deal(
            players, seed, excuse=excuse, pawns=pawns, calamity=calamity, problems=3 + seed % 3
        )
        play(t, careful, seed, randomness=(0.05, 0.3, 1.0)[seed % 3])


def test_short_games_end_in_every_way(deal: Build, careful: Play, players: int) -> None:
    # C10, C12, C19: wins, calamities and the limit all occur among these games
    ends = set()
    for seed in range(30):
        t = deal(players, seed, excuse=True, target_score=12, max_turns=9)
        model = play(t, careful, seed, randomness=0.1)
        won = max(model.score) >= 12
        ends.add("limit" if model.truncated else "win" if won else "calamity")
    assert ends == {"limit", "win", "calamity"}


def test_long_games_reshuffle(deal: Build, careful: Play, players: int) -> None:
    # C13: several decks in one game
    most = 0
    for seed in range(15):
        t = deal(players, seed, excuse=True)
        most = max(most, play(t, careful, seed, randomness=0.0).reshuffles)
    assert most >= 2
