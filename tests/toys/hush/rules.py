"""The rules of Hush as functions of one record."""

from __future__ import annotations

from typing import Any, Final

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, log_event, log_public
from concilium.envs.core.compiled.rng import below, shuffle
from concilium.envs.core.layout import action_table
from concilium.envs.core.state import TERMINATED, TRUNCATED, UNKNOWN
from tests.toys.hush.state import CARDS, NO_CARD, SEATS, Event, Outcome, Phase, Place

ACTIONS: Final = action_table(
    ("claim", 1, "lay the own card down for a point"),
    ("swap", 1, "discard the own card and draw another"),
    ("wait", 1, "do nothing"),
    ("look", SEATS - 1, "look at the card of the first, second, third player clockwise"),
    ("pass", 1, "let a claim be"),
    ("object", 1, "beat a claim with the own card"),
)
CLAIM: Final = ACTIONS.start("claim")
SWAP: Final = ACTIONS.start("swap")
WAIT: Final = ACTIONS.start("wait")
LOOK: Final = ACTIONS.start("look")
PASS: Final = ACTIONS.start("pass")
OBJECT: Final = ACTIONS.start("object")


@jit
def reset(s: Any) -> None:
    """Choose who begins, shuffle, deal one card each."""
    n = s.num_players
    s.active = below(s, n)
    for card in range(CARDS):
        s.where[card] = Place.DECK
        s.deck[card] = card
    s.deck_size = CARDS
    shuffle(s, s.deck, CARDS)
    s.claimed = NO_CARD
    s.winner = -1
    s.outcome = Outcome.OPEN
    for k in range(n):
        draw(s, (s.active + k) % n)
    s.phase = Phase.TURN
    s.actor = s.active


@jit
def held(s: Any, seat: Any) -> Any:
    """The card that the seat holds, as far as the record tells; NO_CARD if it does not."""
    for card in range(CARDS):
        if s.where[card] == seat:
            return card
    return NO_CARD


@jit
def draw(s: Any, seat: Any) -> Any:
    """Draw a card; return 0 if there is none."""
    last = s.deck_size - 1
    if last < 0:
        return 0
    card = s.deck[last]
    s.deck[last] = NO_CARD
    s.deck_size = last
    s.where[card] = seat
    s.holds[seat] = 1
    log_event(s, Event.DRAWN, seat, 0, 0, 0, card, 1 << seat, EVERYBODY)
    return 1


@jit
def give_up(s: Any, seat: Any, place: Any) -> Any:
    """Put the seat's card at ``place``; nobody knows the next one."""
    card = held(s, seat)
    s.where[card] = place
    s.holds[seat] = 0
    for looker in range(SEATS):
        s.seen[looker, seat] = 0
    return card


@jit
def legal_actions(s: Any, mask: Any) -> None:
    """Everybody is asked about a claim, able to object or not."""
    if s.phase == Phase.TURN:
        mask[CLAIM] = 1
        mask[WAIT] = 1
        if s.deck_size > 0:
            mask[SWAP] = 1
        for k in range(s.num_players - 1):
            mask[LOOK + k] = 1
    else:
        mask[PASS] = 1
        if held(s, s.actor) > s.claimed:
            mask[OBJECT] = 1


@jit
def step(s: Any, action: Any) -> None:
    """Take a legal action."""
    seat = s.actor
    if action == CLAIM:
        claim(s, seat)
    elif action == SWAP:
        log_public(s, Event.SWAPPED, seat, give_up(s, seat, Place.DISCARD), 0, 0)
        next_turn(s, draw(s, seat))
    elif action == WAIT:
        log_public(s, Event.QUIET, seat, 0, 0, 0)
        next_turn(s, 1)
    elif action < PASS:
        look(s, seat, (seat + 1 + action - LOOK) % s.num_players)
        next_turn(s, 1)
    elif action == PASS:
        log_public(s, Event.PASSED, seat, 0, 0, 0)
        ask_next(s)
    else:
        objection(s, seat)


@jit
def claim(s: Any, seat: Any) -> None:
    """Lay the card on the table and ask the others, clockwise."""
    s.claimed = give_up(s, seat, Place.TABLE)
    log_public(s, Event.CLAIMED, seat, s.claimed, 0, 0)
    s.phase = Phase.ANSWER
    s.asked = 0
    ask_next(s)


@jit
def ask_next(s: Any) -> None:
    """Ask the next player about the claim, or score it when nobody is left."""
    n = s.num_players
    s.asked = s.asked + 1
    if s.asked < n:
        s.actor = (s.active + s.asked) % n
        return
    seat = s.active
    s.score[seat] = s.score[seat] + 1
    log_public(s, Event.SCORED, seat, 0, 0, 0)
    clear_table(s)
    if s.score[seat] >= s.goal:
        s.winner = seat
        end(s, Outcome.GOAL, TERMINATED)
    else:
        next_turn(s, draw(s, seat))


@jit
def objection(s: Any, seat: Any) -> None:
    """Both cards are discarded and replaced, the claimant's first."""
    log_public(s, Event.OBJECTED, seat, give_up(s, seat, Place.DISCARD), 0, 0)
    clear_table(s)
    enough = draw(s, s.active)
    if enough == 1:
        enough = draw(s, seat)
    next_turn(s, enough)


@jit
def clear_table(s: Any) -> None:
    """The claim is decided."""
    s.where[s.claimed] = Place.DISCARD
    s.claimed = NO_CARD
    s.asked = 0
    s.phase = Phase.TURN


@jit
def look(s: Any, seat: Any, other: Any) -> None:
    """Look at a card; others only notice a quiet turn."""
    log_public(s, Event.QUIET, seat, 0, 0, 0)
    s.seen[seat, other] = 1
    bit = 1 << seat
    log_event(s, Event.LOOKED, seat, other, 0, 0, held(s, other), bit, bit)


@jit
def next_turn(s: Any, enough: Any) -> None:
    """Pass the turn, unless a card was missing or time is up."""
    n = s.num_players
    s.turns = s.turns + 1
    if enough == 0:
        _count_points(s, n)
        end(s, Outcome.NO_CARDS, TERMINATED)
    elif s.turns >= s.rounds * n:
        end(s, Outcome.OUT_OF_TIME, TRUNCATED)
    else:
        s.active = (s.active + 1) % n
        s.actor = s.active


@jit
def _count_points(s: Any, n: Any) -> None:
    """The single highest score wins; a tie has no winner."""
    for seat in range(n):
        better = 1
        for other in range(n):
            if other != seat and s.score[other] >= s.score[seat]:
                better = 0
        if better == 1:
            s.winner = seat


@jit
def end(s: Any, outcome: Any, status: Any) -> None:
    """End the game."""
    s.outcome = outcome
    s.status = status
    s.actor = UNKNOWN
    log_public(s, Event.ENDED, s.winner, outcome, 0, 0)


@jit
def returns(s: Any, out: Any) -> None:
    """The winner gets 1 from the others together; without a winner nobody gets anything."""
    n = s.num_players
    if s.winner >= 0:
        for seat in range(n):
            out[seat] = 1.0 if seat == s.winner else -1.0 / (n - 1)


@jit
def census(s: Any, out: Any) -> None:
    """Each card is somewhere, and the deck is as large as it says."""
    for card in range(CARDS):
        out[card] = 1 if 0 <= s.where[card] <= Place.TABLE else 0
        if s.where[card] == Place.DECK:
            out[CARDS] += 1
    out[CARDS] -= s.deck_size


@jit
def kind(s: Any) -> Any:
    """The phase."""
    return s.phase
