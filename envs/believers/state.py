"""The State of Believers and the values of its fields.

Seats are absolute, 0 to 9, clockwise; "left" is clockwise. Virtues are kinds 0 to 9, Disciples and
Crises names 0 to 19 and 0 to 11, all by their place in the file of cards. Two kinds together are a
*pair*, a number from 0 to 54 (``PAIR_LOW``, ``PAIR_HIGH``): a Mission is a pair of different kinds,
what a Hand gives or claims is any. -1 stands for none and nobody. Cards of a kind are alike, so
hands and the deck are counts. A deck has no order: what nobody can know yet is drawn when it is
needed, which comes to the same.
"""

from __future__ import annotations

import enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import FIRST, THIRD
from concilium.envs.core.events import Plain, event_table, row
from concilium.envs.core.state import (
    RUNNING,
    TERMINATED,
    Cells,
    StateRecord,
    event_log,
    hidden,
    owned,
    public,
    secret,
    state_table,
)

SEATS: Final = 10
FEWEST_SEATS: Final = 5
KINDS: Final = 10
PAIRS: Final = KINDS * (KINDS + 1) // 2
DISCIPLES: Final = 20  # names of Disciples that fit
CRISES: Final = 12  # names of Crises that fit
LAID_OUT: Final = 3  # Crises on the table
PILES: Final = 3
ROWS: Final = 4
LONGEST_ROW: Final = 4
MOST_MISSIONS: Final = ROWS * (LONGEST_ROW + 1) + 1  # every row ties, and the decider
MOST_DEFECTORS: Final = 4
DEFECTORS: Final[NDArray[np.int64]] = np.array([0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 4])
"""Defectors by number of players, ``(11,)``."""
GIVEN: Final = 2  # Virtues that a Hand gives
SHAMED_BY: Final = 3  # Shame that keeps a player from being the Hand
GLIMPSES: Final = 8  # looks at hands that the State remembers outside the log
MOST_UNDER: Final = 8  # Missions put under the deck: Heralds that a file may hold
MOST_LOOKS: Final = 8  # Inquisitors that a file may hold
MOST_WALKS: Final = 1 << 20  # proposals of ``determinize``
LOG_CAPACITY: Final = 480
NOBODY: Final = -1
NONE: Final = -1

# limits of what a file of cards may hold
MOST_COPIES: Final = 31  # of one kind of Virtue: a packed count has five bits
MOST_VIRTUES: Final = 96
MOST_MISSION_CARDS: Final = 40
MOST_DISCIPLE_CARDS: Final = 60
MOST_COST: Final = 3
MOST_GLEANERS: Final = 4

PAIR_LOW: Final[NDArray[np.int64]] = np.array([a for a in range(KINDS) for _ in range(a, KINDS)])
"""The lower kind of each pair, ``(55,)``: (0, 0), (0, 1), … (0, 9), (1, 1), …"""
PAIR_HIGH: Final[NDArray[np.int64]] = np.array([b for a in range(KINDS) for b in range(a, KINDS)])
"""The higher kind of each pair, ``(55,)``."""

# Values of fields ----------------------------------------------------------------------------


class Faith(enum.IntEnum):
    """The sides."""

    BELIEVER = 0
    DEFECTOR = 1


class Effect(enum.IntEnum):
    """Effects of Disciples."""

    ALMONER = 0  # draw one Virtue
    PENITENT = 1  # remove all Shame from one player
    GOSSIP = 2  # one player counts one Shame more until the end of the row
    CONFIDANT = 3  # peek at one random Virtue of another player
    HERALD = 4  # peek at the next Mission; may put it under the deck
    INQUISITOR = 5  # peek at all Virtues of another player
    DOORKEEPER = 6  # one player cannot be the Hand this round
    REGENT = 7  # be the Eye of this round
    MENDICANT = 8  # take one random Virtue from another player
    GUARDIAN = 9  # steadfast: Shame does not bar, Crises have no effect
    GLEANER = 10  # steadfast: draw one Virtue whenever a Mission fails
    ORACLE = 11  # peek at another player's Faith
    WITNESS = 12  # after the Mission, peek at what the Hand gave
    LANTERN = 13  # what the Hand gives this round is shown to all
    APOSTLE = 14  # both Virtues are placed this round


EFFECTS: Final = tuple(effect.name.lower() for effect in Effect)
"""Names of the effects, as files of cards use them."""


class Target(enum.IntEnum):
    """Whom an effect may be used on."""

    ON_NOBODY = 0
    ON_ANYBODY = 1
    ON_OTHERS = 2
    NEVER = 3


_TARGETED: Final = {
    Target.ON_ANYBODY: (Effect.PENITENT, Effect.GOSSIP, Effect.DOORKEEPER),
    Target.ON_OTHERS: (Effect.CONFIDANT, Effect.INQUISITOR, Effect.MENDICANT, Effect.ORACLE),
    Target.NEVER: (Effect.GUARDIAN, Effect.GLEANER),
}
TARGETS: Final[NDArray[np.int64]] = np.array(
    [next((t for t, used in _TARGETED.items() if e in used), Target.ON_NOBODY) for e in Effect]
)
"""B7, whom each effect is used on, ``(15,)``; steadfast ones are never enlisted."""

for _array in (DEFECTORS, PAIR_LOW, PAIR_HIGH, TARGETS):
    _array.setflags(write=False)


class Trouble(enum.IntEnum):
    """Effects of Crises."""

    FAST = 0  # discard two Virtues
    TESTIMONY = 1  # one's Virtues are shown to all
    DOUBT = 2  # discard a Disciple
    MUTENESS = 3  # no Disciple and no Shame in the next row
    EXILE = 4  # not the Hand in the next row
    POVERTY = 5  # no part in the next Indoctrination
    BLINDNESS = 6  # as Eye in the next row: a random one of the two is placed
    TITHE = 7  # give two random Virtues to the next player


TROUBLES: Final = tuple(trouble.name.lower() for trouble in Trouble)
"""Names of the Crises' effects, as files of cards use them."""

# where a player's Shame card is (field ``shame_at``): a seat it lies in front of, or
OWN: Final = -1  # not played in this row
AWAY: Final = 10  # removed by a Penitent until the end of the row; or there are none in this game


class Phase(enum.IntEnum):
    """What is being decided; also the kinds of decisions."""

    CALL = 0  # Part I: shame, enlist, or be done
    HERALDING = 1  # the Mission peeked at: leave it or put it under the deck
    STATEMENT = 2  # talk: accuse, vouch or stay silent
    CHOICE = 3  # the Eye chooses the Hand
    GIFT = 4  # the Hand gives a Virtue
    PLACEMENT = 5  # the Eye places one of the two
    HAND_CLAIM = 6  # talk: what the Hand says it gave
    EYE_CLAIM = 7  # talk: what the Eye says it got
    NIGHT = 8  # a Defector nominates a Crisis and its target
    FASTING = 9  # the target of a Fast discards a Virtue
    DOUBTING = 10  # the target of a Doubt discards a Disciple
    INDOCTRINATION = 11  # buy a Disciple or pass
    PAYMENT = 12  # discard a Virtue to pay for it


KINDS_OF_DECISIONS: Final = tuple(phase.name.lower() for phase in Phase)


class Ending(enum.IntEnum):
    """How a game ended."""

    OPEN = 0
    PLAYED_OUT = 1  # after the peak
    EARLY = 2  # the trailing side could not even tie any more
    DECIDED = 3  # by the decider


class Statement(enum.IntEnum):
    """What was said: SILENT, ACCUSE + seat, VOUCH + seat."""

    SILENT = 0
    ACCUSE = 1
    VOUCH = 1 + SEATS


NO_CLAIM: Final = PAIRS  # a claim that was declined; -1 none was asked for


class Reason(enum.IntEnum):
    """Why a Virtue was drawn."""

    BY_ALMONER = 0
    AFTER_FAILURE = 1
    BY_GLEANER = 2
    AFTER_ROW = 3


# Numbers made of several ---------------------------------------------------------------------

_BITS: Final = 5
_MASK: Final = (1 << _BITS) - 1
_EACH: Final = 3  # packed numbers per column


def pair_number(one: int, other: int) -> int:
    """Number of the pair of two kinds, in either order."""
    low = min(one, other)
    return low * KINDS - low * (low - 1) // 2 + max(one, other) - low


pair_of: Final = jit(pair_number)
"""The same for compiled code."""


@jit
def pack(s: State, place: int, number: int, value: int) -> None:
    """Put ``value`` (0 to 31) as ``number`` (0 to 11) into the packed event in row ``place``."""
    column = FIRST + number // _EACH
    shift = _BITS * (number % _EACH)
    kept = s.log[place, column] & ~(_MASK << shift)
    s.log[place, column] = kept | (value << shift)


@jit
def unpacked_at(log: Cells, place: int, number: int) -> int:
    """Return what :func:`pack` put there, from a log or a copy of one."""
    packed: int = log[place, FIRST + number // _EACH]
    return (packed >> (_BITS * (number % _EACH))) & _MASK


@jit
def unpack(s: State, place: int, number: int) -> int:
    """Return what :func:`pack` put there."""
    return unpacked_at(s.log, place, number)


def unpacked(event: Any) -> list[int]:
    """Return the ten numbers of one packed event, a row of the log ``(COLUMNS,)``."""
    return [
        (int(event[FIRST + number // _EACH]) >> (_BITS * (number % _EACH))) & _MASK
        for number in range(KINDS)
    ]


def spoken(code: int) -> tuple[str, int]:
    """Return ``"accuse"`` or ``"vouch"`` and the seat, from a statement that is not silence."""
    if code >= Statement.VOUCH:
        return "vouch", code - Statement.VOUCH
    return "accuse", code - Statement.ACCUSE


# Events --------------------------------------------------------------------------------------


class Event(enum.IntEnum):
    """Kinds of events in the log; :data:`EVENTS` says what each holds."""

    BEGUN = 1
    DEALT = 2
    SHAMED = 3
    ENLISTED = 4
    HERALDED = 5
    LOOKED = 6
    SAID = 7
    TURNED_UP = 8
    GAVE = 9
    PLACED = 10
    WITNESSED = 11
    CLAIMED = 12
    DREW = 13
    TOKENS = 14
    NOMINATED = 15
    LAID = 16
    SHOWN = 17
    TITHED = 18
    DISCARDED = 19
    DISMISSED = 20
    BOUGHT = 21
    END = 22


def _hand_in(event: Any) -> dict[str, Plain]:
    """Virtues of each kind."""
    return {"virtues": [*unpacked(event)]}


def _statements_in(event: Any) -> dict[str, Plain]:
    """Who said what about whom in this round; the silent are left out."""
    said: list[Plain] = []
    for seat, code in enumerate(unpacked(event)):
        if code != Statement.SILENT:
            says, about = spoken(code)
            said.append({"seat": seat, "says": says, "about": about})
    return {"statements": said}


def _result_in(event: Any) -> dict[str, Plain]:
    return {"success": int(event[THIRD]) % 2, "given": int(event[THIRD]) // 2}


def _defectors_in(event: Any) -> dict[str, Plain]:
    return {"defectors": [seat for seat in range(SEATS) if int(event[THIRD]) >> seat & 1]}


EVENTS: Final = event_table(
    Event,
    {
        Event.BEGUN: row("the game begins; the seat is the first Eye"),
        Event.DEALT: row("the seat's first `virtues`, known to it alone", packed=_hand_in),
        Event.SHAMED: row("the seat shamed another", "target"),
        Event.ENLISTED: row(
            "a Disciple was used, on -1 where it needs nobody; what a peek or a Mendicant showed",
            "disciple", "target", secret="seen",
        ),
        Event.HERALDED: row("1 if the Mission was put under the deck, 0 if left", "under"),
        Event.LOOKED: row(
            "the seat's `virtues`, known to the user of an Inquisitor alone", packed=_hand_in
        ),
        Event.SAID: row("the `statements` of a round", seat="", packed=_statements_in),
        Event.TURNED_UP: row(
            "the acting Eye chose the Hand, a Mission was turned up; bars lifted (B9)",
            "hand", "pair", "lifted",
        ),
        Event.GAVE: row("the Hand gave two Virtues", secret="pair"),
        Event.PLACED: row(
            "with the seat as Eye; kinds or -1; 1 if it is a `success`; Virtues `given`",
            "first", "second", packed=_result_in,
        ),
        Event.WITNESSED: row("a Witness saw what was given", secret="pair"),
        Event.CLAIMED: row(
            f"what was given; {NO_CLAIM}: declined to say; 1 as Eye, 0 as Hand", "pair", "as_eye"
        ),
        Event.DREW: row(
            "a Virtue was drawn: 0 by an Almoner, 1 after a failure, 2 by a Gleaner, 3 after a row",
            "reason", secret="kind",
        ),
        Event.TOKENS: row("a row went to a side", "row", "side", "tokens", seat=""),
        Event.NOMINATED: row("a nomination, of which Defectors alone know", "crisis", "target"),
        Event.LAID: row(
            "the Crisis of the night; 1 if a Guardian keeps it off",
            "crisis", "target", "guarded", seat="",
        ),
        Event.SHOWN: row("the seat's `virtues`, seen by all", packed=_hand_in),
        Event.TITHED: row("a random Virtue was handed over", "target", secret="kind"),
        Event.DISCARDED: row(
            "a Virtue was discarded; the Disciple paid for, the one that then shows, or -1",
            "kind", "bought", "shows",
        ),
        Event.DISMISSED: row("a Disciple was discarded", "disciple"),
        Event.BOUGHT: row("a Disciple was chosen to be paid for", "disciple", "pile"),
        Event.END: row(
            "who won, how (1 played out, 2 early, 3 by the decider), and who the `defectors` were",
            "winner", "ending", seat="", packed=_defectors_in,
        ),
    },
)  # fmt: skip

# The State -----------------------------------------------------------------------------------

_SEATS: Final = 2**SEATS - 1  # all of them, as bits
_MOST: Final = 127


class State(StateRecord):
    """The fields of Believers, those first that all games have and that are narrower here."""

    log_count: int = public(np.int32, 0, LOG_CAPACITY, "events logged that the viewer knows of")
    num_players: int = public(np.int8, FEWEST_SEATS, SEATS, "seats in play")
    actor: int = secret(
        np.int8, -1, "num_players-1", "seat to decide, at night for Defectors alone; -1 when over"
    )
    status: int = public(np.int8, RUNNING, TERMINATED, "0 running, 1 terminated")

    attempts: int = hidden(
        np.int32, 0, MOST_WALKS, "proposals that resampling made; 0 in a game", blank=0
    )
    log: Cells = event_log(LOG_CAPACITY)

    # sets of seats, as bits; -1 is everybody, spectators too
    faith_seen: Cells = public(
        np.int16, 0, _SEATS, "who has peeked at this seat's Faith", shape=SEATS
    )
    given_known: Cells = public(
        np.int16, -1, _SEATS, "who knows what was given for each Mission", shape=MOST_MISSIONS
    )
    under_seen: Cells = public(
        np.int16, 0, _SEATS, "who knows each Mission put under the deck", shape=MOST_UNDER
    )
    next_seen: int = public(np.int16, 0, _SEATS, "who knows the Mission on top of the deck")
    barred: int = public(np.int16, 0, _SEATS, "kept out by Doorkeepers this round")
    witnesses: int = public(np.int16, 0, _SEATS, "used a Witness this round")
    passed: int = public(np.int16, 0, _SEATS, "out of the Indoctrination that is going on")

    # options
    virtue_copies: Cells = public(
        np.int8, 0, MOST_COPIES, "Virtues of each kind in the game", shape=KINDS
    )
    mission_copies: Cells = public(
        np.int8, 0, MOST_MISSION_CARDS, "Missions of each pair in the game", shape=PAIRS
    )
    disciple_effect: Cells = public(
        np.int8, -1, len(EFFECTS) - 1, "ALMONER … APOSTLE; -1 no such name", shape=DISCIPLES
    )
    disciple_cost: Cells = public(
        np.int8, 0, MOST_COST, "Virtues that each costs; 0 no such name", shape=DISCIPLES
    )
    disciple_copies: Cells = public(
        np.int8, 0, MOST_DISCIPLE_CARDS, "Disciples of each name", shape=DISCIPLES
    )
    crisis_effect: Cells = public(
        np.int8, -1, len(TROUBLES) - 1, "FAST … TITHE; -1 no such name", shape=CRISES
    )
    row_length: Cells = public(
        np.int8, 0, LONGEST_ROW, "Missions of each row; 0 no such row", shape=ROWS
    )
    num_rows: int = public(np.int8, 1, ROWS, "rows without the decider")
    hand_size: int = public(np.int8, 1, MOST_COPIES, "Virtues dealt to each")
    virtue_kinds: int = public(np.int8, 2, KINDS, "kinds in the game, the first of the file")
    shame_on: int = public(np.int8, 0, 1, "1 with Shame cards")
    disciples_on: int = public(np.int8, 0, 1, "1 with Disciples and Indoctrination")
    crises_on: int = public(np.int8, 0, 1, "1 with nights and Crises")
    talk: int = public(np.int8, 0, 1, "1 with claims (B21)")
    zero_sum: int = public(np.int8, 0, 1, "1 if returns are divided by the size of the side (B22)")

    # cards
    hand_count: Cells = public(np.int8, 0, MOST_VIRTUES, "Virtues in each hand", shape=SEATS)
    deck_size: int = public(np.int8, 0, MOST_VIRTUES, "Virtues in the deck")
    discards: Cells = public(np.int8, 0, MOST_VIRTUES, "Virtues discarded, by kind", shape=KINDS)
    finished: Cells = public(
        np.int8, 0, MOST_VIRTUES, "Virtues in rows whose tokens are given, by kind", shape=KINDS
    )
    shame_at: Cells = public(
        np.int8, OWN, AWAY, "where each player's own Shame card is: seat, OWN, AWAY", shape=SEATS
    )
    gossip: Cells = public(np.int8, 0, _MOST, "Shame that Gossips add", shape=SEATS)
    disciples: Cells = public(
        np.int8, 0, MOST_DISCIPLE_CARDS, "Disciples in front of each", shape=(SEATS, DISCIPLES)
    )
    pile_top: Cells = public(
        np.int8, -1, DISCIPLES - 1, "the Disciple that shows; -1 none", shape=PILES
    )
    pile_size: Cells = public(
        np.int8, 0, MOST_DISCIPLE_CARDS, "Disciples in each pile, the top included", shape=PILES
    )
    buried: Cells = public(
        np.int8, 0, MOST_DISCIPLE_CARDS, "Disciples beneath the tops of all piles", shape=DISCIPLES
    )
    gone: Cells = public(
        np.int8, 0, MOST_DISCIPLE_CARDS, "Disciples used or discarded", shape=DISCIPLES
    )
    crises: Cells = public(
        np.int8, -1, CRISES - 1, "Crises on the table; -1 used up", shape=LAID_OUT
    )
    under_count: int = public(np.int8, 0, MOST_UNDER, "Missions put under the deck")

    # the course of the game
    phase: int = public(np.int8, Phase.CALL, Phase.PAYMENT, "what is decided: CALL … PAYMENT")
    row: int = public(np.int8, 0, "num_rows+1", "from 0 at the bottom; num_rows for the decider")
    row_played: int = public(np.int8, 0, LONGEST_ROW, "Missions completed in the row")
    row_won: int = public(np.int8, 0, LONGEST_ROW, "of which succeeded")
    mission: int = public(
        np.int8, 0, MOST_MISSIONS, "Missions completed: number of the present one from 0"
    )
    tokens: Cells = public(np.int8, 0, 2 * ROWS + 1, "of True Believers, of Defectors", shape=2)
    row_tokens: Cells = public(
        np.int8, -2, 2, "of each row, the decider last: > 0 for True Believers", shape=ROWS + 1
    )
    turn: int = public(np.int8, 0, "num_players-1", "the Eye in the order of Eyes")
    eye: int = public(np.int8, 0, "num_players-1", "the acting Eye (B8)")
    hand_seat: int = public(
        np.int8, -1, "num_players-1", "the Hand of this round; -1 not yet chosen"
    )
    last_hand: int = public(np.int8, -1, "num_players-1", "the Hand of the last round; -1 none")
    lantern: int = public(np.int8, 0, 1, "1 if one is lit this round")
    apostle: int = public(np.int8, 0, 1, "1 if one is at work this round")
    row_crisis: int = public(
        np.int8, -1, len(TROUBLES) - 1, "effect of the Crisis in force in this row; -1 none"
    )
    row_target: int = public(np.int8, -1, "num_players-1", "whom it binds")
    asked: int = public(
        np.int8, 0, "num_players", "players whose part in this round of questions is over"
    )
    shamed_now: int = public(np.int8, 0, 1, "1 if the player called on has shamed")
    enlisted_now: int = public(np.int8, 0, 1, "1 if the player called on has enlisted")
    gift_count: int = public(np.int8, 0, GIVEN, "Virtues in the tablet")
    due: int = public(
        np.int8, 0, MOST_COST, "Virtues still to be discarded, for a Fast or a payment"
    )
    buying: int = public(np.int8, -1, DISCIPLES - 1, "Disciple being paid for; -1 none")
    buying_pile: int = public(np.int8, -1, PILES - 1, "the pile it is on")
    winner: int = public(np.int8, -1, Faith.DEFECTOR, "BELIEVER, DEFECTOR; -1 while running")
    ending: int = public(np.int8, Ending.OPEN, Ending.DECIDED, "OPEN, PLAYED_OUT, EARLY, DECIDED")

    # the Missions turned up, by number
    mission_pair: Cells = public(
        np.int8, -1, PAIRS - 1, "its two Virtues; -1 not turned up", shape=MOST_MISSIONS
    )
    mission_row: Cells = public(np.int8, -1, ROWS, "its row", shape=MOST_MISSIONS)
    mission_eye: Cells = public(np.int8, -1, "num_players-1", "its acting Eye", shape=MOST_MISSIONS)
    mission_hand: Cells = public(np.int8, -1, "num_players-1", "its Hand", shape=MOST_MISSIONS)
    mission_placed: Cells = public(
        np.int8, -1, KINDS - 1, "kinds placed; -1 none", shape=(MOST_MISSIONS, GIVEN)
    )
    mission_result: Cells = public(
        np.int8, -1, 1, "1 success, 0 failure; -1 open", shape=MOST_MISSIONS
    )
    hand_claim: Cells = public(
        np.int8, -1, NO_CLAIM, "pair that the Hand claims, NO_CLAIM; -1 not asked",
        shape=MOST_MISSIONS,
    )  # fmt: skip
    eye_claim: Cells = public(
        np.int8, -1, NO_CLAIM, "pair that the Eye claims, NO_CLAIM; -1 not asked",
        shape=MOST_MISSIONS,
    )  # fmt: skip

    # talk
    statement: Cells = public(
        np.int8, Statement.SILENT, f"num_players+{Statement.VOUCH - 1}",
        "of this round: SILENT, ACCUSE + seat, VOUCH + seat", shape=SEATS,
    )  # fmt: skip
    accused: Cells = public(
        np.int8, 0, MOST_MISSIONS, "how often the first accused the second", shape=(SEATS, SEATS)
    )
    vouched: Cells = public(
        np.int8, 0, MOST_MISSIONS, "how often the first vouched for the second",
        shape=(SEATS, SEATS),
    )  # fmt: skip

    # who looked at whose hand, the latest eight
    glimpses: int = public(np.int8, 0, _MOST, "looks so far; number k stands in place k % 8")
    glimpse_by: Cells = public(
        np.int8, -1, SEATS, "who looked: seat; SEATS: everybody; -1 empty", shape=GLIMPSES
    )
    glimpse_of: Cells = public(np.int8, -1, "num_players-1", "whose hand", shape=GLIMPSES)
    glimpse_at: Cells = public(np.int8, 0, MOST_MISSIONS, "Missions completed then", shape=GLIMPSES)
    glimpse_whole: Cells = public(np.int8, 0, 1, "1 the whole hand, 0 one card", shape=GLIMPSES)

    # what not everybody knows
    glimpse_hand: Cells = secret(
        np.int8, 0, MOST_COPIES, "what was seen; for who looked", shape=(GLIMPSES, KINDS)
    )
    faith: Cells = owned(
        np.int8, 0, 1, "Faith; also for Defectors, after a peek, for all at the end", shape=SEATS
    )
    hand: Cells = owned(np.int8, 0, MOST_COPIES, "Virtues of each kind", shape=(SEATS, KINDS))
    gift: Cells = secret(
        np.int8, -1, KINDS - 1, "in the tablet; for the Hand, and when full for given_known",
        shape=GIVEN,
    )  # fmt: skip
    mission_given: Cells = secret(
        np.int8, -1, PAIRS - 1, "pair given; for given_known", shape=MOST_MISSIONS
    )
    next_mission: int = secret(
        np.int8, -1, PAIRS - 1, "on top of the deck; for next_seen; -1 not yet drawn"
    )
    under: Cells = secret(
        np.int8, -1, PAIRS - 1, "Missions put under the deck, in order; for under_seen",
        shape=MOST_UNDER,
    )  # fmt: skip
    nominated: Cells = secret(
        np.int8, -1, SEATS * CRISES - 1, "this night, SEATS * Crisis + target; for Defectors",
        shape=MOST_DEFECTORS,
    )  # fmt: skip
    nominations: int = secret(
        np.int8, 0, MOST_DEFECTORS, "made this night; for Defectors, 0 for others", blank=0
    )
    deck: Cells = hidden(np.int8, 0, MOST_COPIES, "Virtues of each kind in the deck", shape=KINDS)
    padding: Cells = public(np.int8, 0, 0, "always 0", shape=2)


STATE: Final = state_table(State)
