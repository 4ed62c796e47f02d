"""The Debate Round, in the order of N20, and what may end the game after it."""

from __future__ import annotations

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.doctrine import can_buy, cards_held, first_open, settle
from concilium.envs.nicaea.payment import gain, put_into_pools
from concilium.envs.nicaea.scoring import finish
from concilium.envs.nicaea.state import Ending, Event, Phase, State
from concilium.envs.nicaea.tableau import count_canons, pair_bonus, refresh_leftmost


@jit
def begin_debate_round(s: State) -> None:
    """N20: Constantine to the first passer, bonus, refresh; then the purchases are asked for."""
    n = s.num_players
    log_public(s, Event.ROUND, s.first_passer, s.rounds, 0, 0)
    s.constantine = s.first_passer
    s.constantine_space = S.NONE
    for seat in range(n):
        _earn_bonus(s, seat)
    for seat in range(n):
        for _ in range(refresh_count(s, seat)):
            if not refresh_leftmost(s, seat):
                break
    s.asked = 0
    ask_next_buyer(s)


@jit
def _earn_bonus(s: State, seat: int) -> None:
    """N21: TI for each figure both of whose cards are face up."""
    for k in range(s.tableau_size[seat]):
        card = s.tableau[seat, k]
        amount = pair_bonus(s, card)
        if amount > 0:
            gain(s, seat, amount)
            log_public(s, Event.BONUS, seat, card, amount, 0)


@jit
def refresh_count(s: State, seat: int) -> int:
    """N22: cards that the seat may turn up: halves summed over open disputes, rounded up once."""
    halves = 0
    for dispute in range(S.DISPUTES):
        if s.settled[dispute] == S.OPEN:
            number = s.track_refresh[s.token[dispute]]
            halves += number * cards_held(s, seat, dispute)
    return (halves + 1) // 2


@jit
def ask_next_buyer(s: State) -> None:
    """N23: from the last passer clockwise, whoever can buy anything; then the round goes on."""
    n = s.num_players
    while s.asked < n:
        # a run of passes goes round the table, so the last passer sits before the first
        seat = (s.first_passer + n - 1 + s.asked) % n
        if can_buy(s, seat):
            s.phase = Phase.DEBATE_ROUND
            s.actor = seat
            return
        s.asked = s.asked + 1
    _end_debate_round(s)


@jit
def _end_debate_round(s: State) -> None:
    """Refill, Influence, N6's count of idle rounds, and N29: the one test for the end."""
    _slide_display(s)
    fill_display(s)
    _adjust_influence(s)
    s.rounds = s.rounds + 1
    s.idle_rounds = s.idle_rounds + 1
    if s.busy == 1:
        s.idle_rounds = 0
    s.busy = 0
    s.passes = 0  # N4
    s.first_passer = S.NOBODY
    s.asked = 0
    s.phase = Phase.TURN
    s.actor = s.constantine
    if first_open(s) == S.DISPUTES:
        finish(s, Ending.SETTLED)
    elif s.deck_size == 0:
        s.phase = Phase.NAMING
    elif s.idle_rounds == S.IDLE_LIMIT:
        finish(s, Ending.IDLE)


@jit
def _slide_display(s: State) -> None:
    """N27: all cards to the left, in their order."""
    filled = 0
    for space in range(S.SPACES):
        card = s.display[space]
        if card != S.NO_CARD:
            s.display[space] = S.NO_CARD
            s.display[filled] = card
            filled += 1


@jit
def fill_display(s: State) -> None:
    """N15, N27: a card for each empty space but Constantine's, left to right, while there are."""
    for space in range(S.SPACES):
        size = s.deck_size
        if s.display[space] == S.NO_CARD and space != s.constantine_space and size > 0:
            card = s.deck[size - 1]
            s.deck[size - 1] = S.NO_CARD
            s.deck_size = size - 1
            s.display[space] = card
            s.where[card] = S.DISPLAY
            log_public(s, Event.DREW, S.NOBODY, card, space, 0)


@jit
def _adjust_influence(s: State) -> None:
    """N28: TI cut to the Canons; the pools shared, the remainder back, the share not cut."""
    n = s.num_players
    for seat in range(n):
        excess = s.ti[seat] - count_canons(s, seat)
        if excess > 0:
            gain(s, seat, -excess)
            log_public(s, Event.LOST, seat, excess, 0, 0)
    total = 0
    for place in range(S.POOLS):
        total += s.pool[place]
        s.pool[place] = 0
    for seat in range(n):
        s.ti[seat] = s.ti[seat] + total // n
    put_into_pools(s, total % n)
    if total > 0:
        log_public(s, Event.SHARED, S.NOBODY, total // n, total % n, 0)


# Exhaustion ----------------------------------------------------------------------------------


@jit
def legal_names(s: State, mask: Cells) -> None:
    """N30: either side of the first dispute still open."""
    dispute = first_open(s)
    for side in range(S.SIDES):
        mask[A.NAME + S.SIDES * dispute + side] = 1


@jit
def name_side(s: State, dispute: int, side: int) -> None:
    """N30: the dispute is settled at once, so the namer sees own markers before the next."""
    log_public(s, Event.NAMED, s.actor, dispute, side, 0)
    settle(s, dispute, side)
    if first_open(s) == S.DISPUTES:
        finish(s, Ending.EXHAUSTED)
