"""Whether a record from outside is a State of Believers that the compiled rules can go on from.

The rules trust their States. A State from a file is looked at first. That every number is in its
range has been seen to by the table of the State; here it is asked whether they agree: every card
once, sizes and counts as they should be, and something to be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.believers.options import missions_to_come
from concilium.envs.core.state import RUNNING

Fields: TypeAlias = dict[str, Any]
"""A State: whole numbers and arrays of them ``int64``."""


def faults(state: Any) -> Iterator[str]:
    """Say what is wrong with a State ``()`` whose numbers are in their ranges; nothing if sound."""
    s: Fields = {
        name: state[name].astype(np.int64) if each.shape else int(state[name])
        for name, each in S.STATE.fields.items()
    }
    yield from _wrong_options(s)
    yield from _wrong_virtues(s)
    yield from _wrong_disciples(s)
    yield from _wrong_missions(s)
    yield from _wrong_course(s)
    yield from _wrong_pending(s)


def _wrong_options(s: Fields) -> Iterator[str]:
    lengths, rows = s["row_length"], s["num_rows"]
    if (lengths[:rows] < 1).any() or lengths[rows:].any():
        yield "row_length does not fit num_rows"
    n = s["num_players"]
    if int((s["faith"][:n] == S.Faith.DEFECTOR).sum()) != int(S.DEFECTORS[n]):
        yield f"faith: {n} players have {int(S.DEFECTORS[n])} Defectors"
    for name in ("faith", "hand_count", "hand", "disciples"):
        if s[name][n:].any():
            yield f"{name}: a seat that is not in play has something"


def _wrong_virtues(s: Fields) -> Iterator[str]:
    hand, deck = s["hand"], s["deck"]
    if (hand.sum(axis=1) != s["hand_count"]).any():
        yield "hand_count does not fit hand"
    if deck.sum() != s["deck_size"]:
        yield "deck_size does not fit deck"
    gift = s["gift"][: s["gift_count"]]
    if (gift < 0).any() or (s["gift"][s["gift_count"] :] >= 0).any():
        yield "gift_count does not fit gift"
        return
    here = s["mission_row"] == s["row"]
    placed = s["mission_placed"][here].ravel()
    loose = np.bincount([*gift.tolist(), *placed[placed >= 0].tolist()], minlength=S.KINDS)
    total = hand.sum(axis=0) + deck + s["discards"] + s["finished"] + loose
    if (total != s["virtue_copies"]).any():
        yield "hands, deck, discards, finished, gift and placed are not all Virtues"


def _wrong_disciples(s: Fields) -> Iterator[str]:
    top = s["pile_top"]
    tops = np.bincount(top[top >= 0], minlength=S.DISCIPLES)
    buried = s["buried"]
    total = s["disciples"].sum(axis=0) + tops + buried + s["gone"]
    copies = s["disciple_copies"] * s["disciples_on"]
    if (total != copies).any():
        yield "disciples, pile_top, buried and gone are not all Disciples"
    sizes = s["pile_size"]
    if ((sizes > 0) != (top >= 0)).any() or sizes.sum() != tops.sum() + buried.sum():
        yield "pile_size does not fit pile_top and buried"
    crises = s["crises"]
    laid = crises[crises >= 0]
    if len(set(laid.tolist())) < len(laid) or (s["crisis_effect"][laid] < 0).any():
        yield "crises: one lies twice, or there is no such Crisis"


def _wrong_missions(s: Fields) -> Iterator[str]:
    count = s["mission"] + (s["hand_seat"] >= 0)
    pairs = s["mission_pair"]
    known = ("mission_pair", "mission_row", "mission_eye", "mission_hand")
    if count > S.MOST_MISSIONS or any(
        (s[name][:count] < 0).any() or (s[name][count:] >= 0).any() for name in known
    ):
        yield "mission_pair, row, eye or hand do not fit the Missions turned up"
        return
    under = s["under"]
    seen = [*pairs[pairs >= 0].tolist(), *under[under >= 0].tolist()]
    seen += [s["next_mission"]] * (s["next_mission"] >= 0)
    drawn = np.bincount(seen, minlength=S.PAIRS)
    copies = s["mission_copies"]
    if (drawn > copies).any() or ((under >= 0).sum() != s["under_count"]):
        yield "more Missions of a pair than there are, or under_count does not fit under"
    running = s["status"] == RUNNING
    rows = s["row_length"][s["row"] : s["num_rows"]]
    lead, won = int(s["tokens"][0] - s["tokens"][1]), s["row_won"]
    to_come = missions_to_come(tuple(rows.tolist()), lead, won, s["row_played"] - won)
    if running and s["hand_seat"] < 0 and copies.sum() - len(pairs[pairs >= 0]) < to_come:
        yield "there are too few Missions for the rest of the game"


def _wrong_course(s: Fields) -> Iterator[str]:
    running = s["status"] == RUNNING
    over = (s["actor"] < 0, s["ending"] != S.Ending.OPEN, s["winner"] >= 0)
    if over != (not running,) * 3:
        yield "status, actor, ending and winner do not agree"
        return
    if s["row_won"] > s["row_played"]:
        yield "row_won is more than row_played"
    if not running:
        return
    row, rows = s["row"], s["num_rows"]
    length = s["row_length"][row] if row < rows else 1
    played, won = s["row_played"], s["row_won"]
    if row > rows or played > length or (played == length and 2 * won != played):
        yield "row: it is over already"
    n, phase, actor = s["num_players"], s["phase"], s["actor"]
    if phase in (S.Phase.CALL, S.Phase.STATEMENT):
        if s["asked"] >= n or actor != (s["turn"] + s["asked"]) % n:
            yield "actor does not fit turn and asked"
    elif phase in (S.Phase.CHOICE, S.Phase.PLACEMENT, S.Phase.EYE_CLAIM) and actor != s["eye"]:
        yield "actor is not the Eye"
    elif phase in (S.Phase.GIFT, S.Phase.HAND_CLAIM) and actor != s["hand_seat"]:
        yield "actor is not the Hand"
    on_mission = phase in (S.Phase.GIFT, S.Phase.PLACEMENT, S.Phase.HAND_CLAIM, S.Phase.EYE_CLAIM)
    if on_mission != (s["hand_seat"] >= 0) or s["hand_seat"] == s["eye"]:
        yield "hand_seat does not fit the phase"


def _wrong_pending(s: Fields) -> Iterator[str]:
    phase, actor = s["phase"], s["actor"]
    if s["status"] != RUNNING or actor < 0:
        return
    held = s["hand_count"][actor]
    full = s["gift_count"]
    if (phase == S.Phase.PLACEMENT) != (full == S.GIVEN) or (full == 1 and phase != S.Phase.GIFT):
        yield "gift_count does not fit the phase"
    if phase == S.Phase.GIFT and held < S.GIVEN - full:
        yield "the Hand has too few Virtues to give"
    if (phase in (S.Phase.PAYMENT, S.Phase.FASTING)) != (s["due"] > 0) or s["due"] > held:
        yield "due does not fit the phase or the hand"
    buying, pile = s["buying"], s["buying_pile"]
    if (phase == S.Phase.PAYMENT) != (buying >= 0) or (buying >= 0) != (pile >= 0):
        yield "buying or buying_pile do not fit the phase"
    elif buying >= 0 and s["pile_top"][pile] != buying:
        yield "buying is not on top of buying_pile"
    if phase == S.Phase.DOUBTING and not s["disciples"][actor].any():
        yield "the target of a Doubt has no Disciple"
    if phase == S.Phase.HERALDING and s["next_mission"] < 0:
        yield "no Mission has been peeked at"
    if phase == S.Phase.NIGHT:
        yield from _wrong_night(s, actor)
    elif s["nominations"] or (s["nominated"] >= 0).any():
        yield "nominations outside the night"


def _wrong_night(s: Fields, actor: int) -> Iterator[str]:
    n, made = s["num_players"], s["nominations"]
    order = [(s["turn"] + k) % n for k in range(n)]
    asked = [seat for seat in order if s["faith"][seat] == S.Faith.DEFECTOR]
    codes, table = s["nominated"], s["crises"]
    if made >= len(asked) or actor != asked[made]:
        yield "actor is not the Defector whose turn it is"
        return
    if (codes[:made] < 0).any() or (codes[made:] >= 0).any():
        yield "nominated does not fit nominations"
    for seat, code in zip(asked, codes[:made], strict=False):
        name, target = divmod(code, S.SEATS)
        if name not in table or target >= n or target == seat:
            yield "nominated holds what cannot be nominated"
    if (table < 0).all():
        yield "no Crisis is left for the night"
