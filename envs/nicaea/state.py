"""The State of Nicaea and the values of its fields.

Seats are absolute, 0 to 5, clockwise. Disputes I to V are numbers 0 to 4, sides A and B 0 and 1,
the spaces of the Action Display 0 to 6 from left to right, suits 0 to 4. Cards are numbers by their
place in the deck file, Bishops first. TI is temporary Influence.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.events import COLUMNS
from concilium.envs.core.state import state_dtype

SEATS: Final = 6
FEWEST_SEATS: Final = 4
DISPUTES: Final = 5
SIDES: Final = 2
SIDE_A: Final = 0
SIDE_B: Final = 1
CARDS: Final = 60  # the largest deck that fits
FEWEST_CARDS: Final = 8  # a display and one card to come
SUITS: Final = 5
TRACK: Final = 12  # the longest dispute track that fits; 9 spaces are all that a token can use
POOLS: Final = 4
VALUES: Final = 3  # of Victory Point markers
LOWEST_VALUE: Final = 4  # markers show 4, 5, 6
MARKERS_EACH: Final = 10
MOST_MARKERS: Final = 2 * DISPUTES  # that one player can win
WINNING_CARDS: Final = 4  # of a side in players' hands settle the dispute
SINGLE_CARDS: Final = 3  # one-sided cards of each side
MOST_HELD: Final = 2  # doctrine cards of one dispute that a player may hold
IDLE_LIMIT: Final = 3  # idle Debate Rounds in a row that end the game (N6)
LOG_CAPACITY: Final = 64
NO_CARD: Final = -1
NOBODY: Final = -1
NONE: Final = -1

# limits of what a deck file may hold: a payment's sums must fit the bits of one number
MOST_COST: Final = 9
MOST_BONUS: Final = 9
MOST_BASE: Final = 25  # so a price is at most 50
MOST_REFRESH: Final = 20  # in halves

# the spaces of the Action Display, left to right
NOTHING: Final = 0
REFRESH: Final = 1
DEBATE: Final = 2
FREE_PLAY: Final = 3
NEW_OFFER: Final = 4
SPACES: Final = 7
SPACE_KIND: Final[NDArray[np.int64]] = np.array(
    [NOTHING, REFRESH, REFRESH, DEBATE, NEW_OFFER, FREE_PLAY, FREE_PLAY]
)
"""Which Action each space stands for, ``(7,)``."""
SPACE_COST: Final[NDArray[np.int64]] = np.array([0, 1, 2, 2, 3, 3, 4])
"""Influence that the Action of each space costs, ``(7,)``."""
for _table in (SPACE_KIND, SPACE_COST):
    _table.setflags(write=False)

# where a card is: 0..5 in that seat's hand, 6..11 in the tableau of seat 0..5, or
TABLEAU: Final = SEATS  # + seat
DISPLAY: Final = 12
DECK: Final = 13
ABSENT: Final = 14  # there is no such card in this deck

# phases, also the kinds of decisions
TURN: Final = 0  # take an Action, play a card or pass
PAYMENT: Final = 1  # flip a Bishop or pay the rest in TI
COPY: Final = 2  # New Offer: which Action to copy
PLAY_FREE: Final = 3  # which card to play without paying, or none
DEBATE_DOCTRINE: Final = 4  # which doctrine to buy by an Action, or none
DEBATE_ROUND: Final = 5  # which doctrine to buy in the Debate Round, or none
NAMING: Final = 6  # which side wins a dispute left open by an empty deck
KINDS: Final = (
    "turn", "payment", "copy", "free_play", "debate_doctrine", "debate_round", "naming",
)  # fmt: skip
BIDDING: Final = ("debate_doctrine", "debate_round", "naming")
"""The kinds of decisions that are about doctrine: buying it, declining to, naming a side."""

# how a game ended
OPEN: Final = 0
SETTLED: Final = 1  # all five disputes were settled
EXHAUSTED: Final = 2  # the deck was empty, Constantine's holder named the rest (N30)
IDLE: Final = 3  # three idle Debate Rounds (N6)

# a dispute in the field ``settled``: OPEN, or the side that won + 1

# events; every number is public except the value of a marker drawn
DEALT: Final = 1  # who holds; dispute, side of the doctrine card dealt at the start
BEGUN: Final = 2  # who begins the game
DREW: Final = 3  # card put on the display; card, space
TOOK: Final = 4  # who; card, space, price: an Action is taken
PLAYED: Final = 5  # who; card, seat of the tableau, price (0: free)
PASSED: Final = 6  # who; TI taken, pool it came from (-1 none)
FLIPPED: Final = 7  # who; card, Influence it gave
PAID: Final = 8  # who; TI
COPIED: Final = 9  # who; kind of Action
REFRESHED: Final = 10  # whose; card turned face up
PLAYED_FREE: Final = 11  # who; card, by an Action
BOUGHT: Final = 12  # who; dispute, side, price
DECLINED: Final = 13  # who; phase in which
WON: Final = 14  # dispute is settled; dispute, side, cards of that side in players' hands
MARKER: Final = 15  # who drew a marker; dispute; secret: value 4..6
ROUND: Final = 16  # who passed first and takes Constantine; number of the Debate Round from 0
BONUS: Final = 17  # whose; card of the figure with the lower number, TI
LOST: Final = 18  # who; TI above the Canons returned
SHARED: Final = 19  # nobody; TI that each player gets of the pools, TI put back
MOVED: Final = 20  # who put Constantine down; space
NAMED: Final = 21  # who; dispute, side
REVEALED: Final = 22  # whose markers; how many of value 4, 5, 6
SCORED: Final = 23  # who; points, Influence
END: Final = 24  # how (SETTLED … IDLE), 1 if by schism, winners as bits

STATE: Final = state_dtype(
    [
        # public
        ("rounds", np.int16),  # Debate Rounds completed
        ("issued", np.int16),  # TI out of the supply: held or in the pools
        ("ti", np.int16, SEATS),  # TI held
        ("pool", np.int16, POOLS),  # TI in the Pass Pools, topmost first
        ("score", np.int16, SEATS),  # points of the end, 0 before
        ("log", np.int16, (LOG_CAPACITY, COLUMNS)),
        # options, public: the deck and the track
        ("num_cards", np.int8),  # cards of the deck, 8..60
        ("partner", np.int8, CARDS),  # the other card of a Bishop's figure; -1 for a Canon
        ("suit", np.int8, CARDS),  # 0..4
        ("cost", np.int8, CARDS),  # Influence, 1..9; of a Canon also its points
        ("bonus", np.int8, CARDS),  # TI for a pair of face-up Bishops, each card's part, 0..9
        ("icons", np.int8, CARDS),  # disputes that a Bishop scores for, bit 0 dispute I
        ("track_spaces", np.int8),  # 3..12
        ("track_base", np.int8, TRACK),  # price of an argument with the token on the space
        ("track_contrarian", np.int8, TRACK),  # price of the side with fewer cards in hands
        ("track_refresh", np.int8, TRACK),  # cards refreshed per doctrine card, in halves
        # public: cards
        ("where", np.int8, CARDS),  # hand (seat), TABLEAU + seat, DISPLAY, DECK, ABSENT
        ("face_down", np.int8, CARDS),  # 1 for a flipped card in a tableau
        ("tableau", np.int8, (SEATS, CARDS)),  # cards from left to right, -1 behind them
        ("tableau_size", np.int8, SEATS),
        ("display", np.int8, SPACES),  # card on each space, -1 none
        ("deck_size", np.int8),
        # public: doctrine
        ("doctrine", np.int8, (SEATS, DISPUTES, SIDES)),  # doctrine cards held, 0..2
        ("supply", np.int8, (DISPUTES, SIDES + 1)),  # A, B, double-sided cards not yet bought
        ("removed", np.int8, DISPUTES),  # doctrine cards of the losing side, in the box
        ("token", np.int8, DISPUTES),  # space of the track from 0; -1 when settled
        ("settled", np.int8, DISPUTES),  # OPEN, 1: A has won, 2: B has won
        ("marker_count", np.int8, SEATS),  # Victory Point markers held
        # public: the turn
        ("constantine", np.int8),  # seat that holds the marker, -1 if it is on the display
        ("constantine_space", np.int8),  # space it stands on, -1 if a seat holds it
        ("passes", np.int8),  # length of the unbroken run of passes, 0..n; n: Debate Round
        ("first_passer", np.int8),  # seat that began the run, -1 without a run
        ("busy", np.int8),  # 1 if anybody acted, played or bought since the last Debate Round
        ("idle_rounds", np.int8),  # idle Debate Rounds in a row, 0..3
        ("phase", np.int8),  # TURN … NAMING
        ("asked", np.int8),  # players whose purchase in this Debate Round is over, 0..n
        ("taking", np.int8),  # card whose Action is being paid for or resolved, -1 none
        ("playing", np.int8),  # card being paid for, still in hand, -1 none
        ("target", np.int8),  # seat whose tableau it goes to, -1 none
        ("buying", np.int8),  # dispute whose doctrine card is being paid for, -1 none
        ("buying_side", np.int8),  # side of it, -1 none
        ("price", np.int8),  # of the payment begun, 0 none
        ("paid", np.int8),  # Influence of the Bishops flipped for it so far
        ("lowest_flip", np.int8),  # smallest cost among them, 0 none
        ("ending", np.int8),  # OPEN while running, SETTLED, EXHAUSTED, IDLE
        ("schism", np.int8),  # 1 if the game was won by a schism
        ("winners", np.int8),  # seats that won, bit 0 seat 0; 0 while running
        # partly hidden: of others, and of all for a spectator, UNKNOWN until the end
        ("markers", np.int8, (SEATS, VALUES)),  # markers of value 4, 5, 6 held
        # hidden from all
        ("marker_supply", np.int8, VALUES),  # markers not yet drawn; UNKNOWN until the end
        ("deck", np.int8, CARDS),  # order, the last of deck_size is drawn next; -1 behind
    ]
)
