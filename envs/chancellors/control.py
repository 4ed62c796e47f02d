"""Controlling forces: attempts, and the blocks of those who control them (C3–C6, C15)."""

from __future__ import annotations

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import EXCUSE, MATCHES, NUM_FORCES, NUM_SUITED, RANK, TOP_RANK
from concilium.envs.chancellors.deck import leave_hand
from concilium.envs.chancellors.state import NO_CARD, NOBODY, Event, Phase, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells


@jit
def legal_controls(s: State, mask: Cells) -> None:
    """C3, C4, C15: any matching card in hand for any force not one's own."""
    seat = s.actor
    for action in range(A.CONTROL_EXCUSE):
        held = s.where[A.CONTROL_CARD[action]] == seat
        mask[action] = held & (s.owner[A.CONTROL_FORCE[action]] != seat)
    if s.where[EXCUSE] == seat:
        for force in range(NUM_FORCES):
            if s.owner[force] != seat:
                mask[A.CONTROL_EXCUSE] = 1


@jit
def attempt(s: State, card: int, force: int) -> None:
    """Play a card for a force; its controller is asked unless nothing could beat the card (C6)."""
    _play(s, card, force)
    if s.owner[force] == NOBODY or RANK[card] == TOP_RANK:
        _take(s, force)
        _settle(s)
    else:
        _ask(s, force)


@jit
def attempt_with_excuse(s: State) -> None:
    """C15: all forces not one's own; free ones at once, then each controller in table order."""
    _play(s, EXCUSE, -1)
    for force in range(NUM_FORCES):
        if s.owner[force] == NOBODY:
            _take(s, force)
    _next_question(s, 0)


@jit
def _play(s: State, card: int, force: int) -> None:
    log_public(s, Event.ATTEMPT, s.active, card, force, s.card_deck[card])
    leave_hand(s, s.active, card, Place.TABLE)
    s.attempt_card = card


@jit
def _next_question(s: State, first: int) -> None:
    """Ask the controller of the next force from ``first`` on, or settle the attempt."""
    if s.attempt_card == EXCUSE:
        for force in range(first, NUM_FORCES):
            if s.owner[force] != s.active:
                _ask(s, force)
                return
    _settle(s)


@jit
def _ask(s: State, force: int) -> None:
    """C5: the controller is asked whether able to block or not."""
    s.phase = Phase.BLOCK
    s.attempt_force = force
    s.actor = s.owner[force]


@jit
def _take(s: State, force: int) -> None:
    s.owner[force] = s.active
    log_public(s, Event.TAKE, s.active, force, 0, 0)


@jit
def _settle(s: State) -> None:
    s.where[s.attempt_card] = Place.DISCARD
    s.attempt_card = NO_CARD
    s.attempt_force = -1
    s.phase = Phase.MAIN
    s.actor = s.active


@jit
def legal_blocks(s: State, mask: Cells) -> None:
    """C5, C15: one card with a suit of the force and a higher rank (the Excuse counts as 0)."""
    seat = s.actor
    force = s.attempt_force
    rank = RANK[s.attempt_card]
    mask[A.DECLINE] = 1
    for card in range(NUM_SUITED):
        if s.where[card] == seat and MATCHES[card, force] == 1 and RANK[card] > rank:
            mask[A.BLOCK_WITH + card] = 1


@jit
def decline(s: State) -> None:
    """Let the force go; the attempt that was let pass is remembered."""
    seat = s.actor
    force = s.attempt_force
    s.let_go_rank[seat, force] = RANK[s.attempt_card] + 1
    s.let_go_draws[seat, force] = 0
    log_public(s, Event.DECLINE, seat, force, 0, 0)
    _take(s, force)
    _next_question(s, force + 1)


@jit
def block(s: State, card: int) -> None:
    """C5: the blocking card is discarded at once and final."""
    seat = s.actor
    force = s.attempt_force
    log_public(s, Event.BLOCKED, seat, card, force, s.card_deck[card])
    leave_hand(s, seat, card, Place.DISCARD)
    _next_question(s, force + 1)
