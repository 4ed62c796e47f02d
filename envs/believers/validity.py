"""Whether a record from outside is a State of Believers that the compiled rules can go on from.

The rules trust their States. A State from a file is looked at first: every number in its range,
every card once, sizes and counts in agreement, and something to be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.core.state import RUNNING, TERMINATED

_BITS: Final = 2**S.SEATS - 1
_MOST: Final = 127


def faults(state: Any) -> Iterator[str]:
    """Say what is wrong with a State ``()``; nothing if it is sound."""
    ranged = list(_out_of_range(state))
    yield from ranged
    if ranged:  # then the numbers mean nothing
        return
    yield from _wrong_options(state)
    yield from _wrong_virtues(state)
    yield from _wrong_disciples(state)
    yield from _wrong_missions(state)
    yield from _wrong_course(state)
    yield from _wrong_pending(state)


def _out_of_range(s: Any) -> Iterator[str]:
    n = int(s["num_players"])
    seat, kind, pair = (-1, n - 1), (-1, S.KINDS - 1), (-1, S.PAIRS - 1)
    name, count = (-1, S.DISCIPLES - 1), (0, S.MOST_VIRTUES)
    number = (0, S.MOST_MISSIONS)
    limits = {
        "num_players": (S.FEWEST_SEATS, S.SEATS), "status": (RUNNING, TERMINATED), "actor": seat,
        "log_count": (0, S.LOG_CAPACITY), "faith_seen": (0, _BITS), "given_known": (-1, _BITS),
        "under_seen": (0, _BITS), "next_seen": (0, _BITS), "barred": (0, _BITS),
        "witnesses": (0, _BITS), "passed": (0, _BITS), "virtue_copies": (0, S.MOST_COPIES),
        "mission_copies": (0, S.MOST_MISSION_CARDS), "disciple_effect": (-1, len(S.EFFECTS) - 1),
        "disciple_cost": (0, S.MOST_COST), "disciple_copies": (0, S.MOST_DISCIPLE_CARDS),
        "crisis_effect": (-1, len(S.TROUBLES) - 1), "row_length": (0, S.LONGEST_ROW),
        "num_rows": (1, S.ROWS), "hand_size": (1, S.MOST_COPIES), "virtue_kinds": (2, S.KINDS),
        "shame_on": (0, 1), "disciples_on": (0, 1), "crises_on": (0, 1), "talk": (0, 1),
        "zero_sum": (0, 1), "hand_count": count, "deck_size": count, "discards": count,
        "finished": count, "shame_at": (S.OWN, S.AWAY), "gossip": (0, _MOST),
        "disciples": (0, S.MOST_DISCIPLE_CARDS), "pile_top": name,
        "pile_size": (0, S.MOST_DISCIPLE_CARDS), "buried": (0, S.MOST_DISCIPLE_CARDS),
        "gone": (0, S.MOST_DISCIPLE_CARDS), "crises": (-1, S.CRISES - 1),
        "under_count": (0, S.MOST_UNDER), "phase": (S.CALL, S.PAYMENT),
        "row": (0, int(s["num_rows"]) + 1), "row_played": (0, S.LONGEST_ROW),
        "row_won": (0, S.LONGEST_ROW), "mission": number, "tokens": (0, 2 * S.ROWS + 1),
        "row_tokens": (-2, 2), "turn": (0, n - 1), "eye": (0, n - 1), "hand_seat": seat,
        "last_hand": seat, "lantern": (0, 1), "apostle": (0, 1),
        "row_crisis": (-1, len(S.TROUBLES) - 1), "row_target": seat, "asked": (0, n),
        "shamed_now": (0, 1), "enlisted_now": (0, 1), "gift_count": (0, S.GIVEN),
        "due": (0, S.MOST_COST), "buying": name, "buying_pile": (-1, S.PILES - 1),
        "winner": (-1, S.DEFECTOR), "ending": (S.OPEN, S.DECIDED), "mission_pair": pair,
        "mission_row": (-1, S.ROWS), "mission_eye": seat, "mission_hand": seat,
        "mission_placed": kind, "mission_result": (-1, 1), "hand_claim": (-1, S.NO_CLAIM),
        "eye_claim": (-1, S.NO_CLAIM), "statement": (S.SILENT, S.VOUCH + n - 1),
        "accused": number, "vouched": number, "glimpses": (0, _MOST),
        "glimpse_by": (-1, S.SEATS), "glimpse_of": seat, "glimpse_at": number,
        "glimpse_whole": (0, 1), "glimpse_hand": (0, S.MOST_COPIES), "faith": (0, 1),
        "hand": (0, S.MOST_COPIES), "gift": kind, "mission_given": pair, "next_mission": pair,
        "under": pair, "nominated": (-1, S.SEATS * S.CRISES - 1),
        "nominations": (0, S.MOST_DEFECTORS), "deck": (0, S.MOST_COPIES), "padding": (0, 0),
    }  # fmt: skip
    for field, (low, high) in limits.items():
        values = np.asarray(s[field])
        if values.min() < low or values.max() > high:
            yield f"{field} is not from {low} to {high}"
    kinds = np.asarray(s["log"])[:, 0]
    if kinds.min() < 0 or kinds.max() > S.END:
        yield "the log holds events that do not exist"


def _wrong_options(s: Any) -> Iterator[str]:
    lengths, rows = np.asarray(s["row_length"]), int(s["num_rows"])
    if (lengths[:rows] < 1).any() or lengths[rows:].any():
        yield "row_length does not fit num_rows"
    n = int(s["num_players"])
    if int((np.asarray(s["faith"])[:n] == S.DEFECTOR).sum()) != int(S.DEFECTORS[n]):
        yield f"faith: {n} players have {int(S.DEFECTORS[n])} Defectors"
    for name in ("faith", "hand_count", "hand", "disciples"):
        if np.asarray(s[name])[n:].any():
            yield f"{name}: a seat that is not in play has something"


def _wrong_virtues(s: Any) -> Iterator[str]:
    hand, deck = np.asarray(s["hand"]).astype(int), np.asarray(s["deck"]).astype(int)
    if (hand.sum(axis=1) != np.asarray(s["hand_count"])).any():
        yield "hand_count does not fit hand"
    if deck.sum() != int(s["deck_size"]):
        yield "deck_size does not fit deck"
    gift = np.asarray(s["gift"])[: int(s["gift_count"])]
    if (gift < 0).any() or (np.asarray(s["gift"])[int(s["gift_count"]) :] >= 0).any():
        yield "gift_count does not fit gift"
        return
    here = np.asarray(s["mission_row"]) == int(s["row"])
    placed = np.asarray(s["mission_placed"])[here].ravel()
    loose = np.bincount([*gift.tolist(), *placed[placed >= 0].tolist()], minlength=S.KINDS)
    total = hand.sum(axis=0) + deck + s["discards"] + s["finished"] + loose
    if (total != np.asarray(s["virtue_copies"])).any():
        yield "hands, deck, discards, finished, gift and placed are not all Virtues"


def _wrong_disciples(s: Any) -> Iterator[str]:
    top = np.asarray(s["pile_top"])
    tops = np.bincount(top[top >= 0], minlength=S.DISCIPLES)
    buried = np.asarray(s["buried"]).astype(int)
    total = np.asarray(s["disciples"]).astype(int).sum(axis=0) + tops + buried + s["gone"]
    copies = np.asarray(s["disciple_copies"]) * int(s["disciples_on"])
    if (total != copies).any():
        yield "disciples, pile_top, buried and gone are not all Disciples"
    sizes = np.asarray(s["pile_size"])
    if ((sizes > 0) != (top >= 0)).any() or sizes.sum() != tops.sum() + buried.sum():
        yield "pile_size does not fit pile_top and buried"
    crises = np.asarray(s["crises"])
    laid = crises[crises >= 0]
    if len(set(laid.tolist())) < len(laid) or (np.asarray(s["crisis_effect"])[laid] < 0).any():
        yield "crises: one lies twice, or there is no such Crisis"


def _wrong_missions(s: Any) -> Iterator[str]:
    count = int(s["mission"]) + (int(s["hand_seat"]) >= 0)
    pairs = np.asarray(s["mission_pair"])
    known = ("mission_pair", "mission_row", "mission_eye", "mission_hand")
    if count > S.MOST_MISSIONS or any(
        (np.asarray(s[name])[:count] < 0).any() or (np.asarray(s[name])[count:] >= 0).any()
        for name in known
    ):
        yield "mission_pair, row, eye or hand do not fit the Missions turned up"
        return
    under = np.asarray(s["under"])
    seen = [*pairs[pairs >= 0].tolist(), *under[under >= 0].tolist()]
    seen += [int(s["next_mission"])] * (int(s["next_mission"]) >= 0)
    drawn = np.bincount(seen, minlength=S.PAIRS)
    copies = np.asarray(s["mission_copies"])
    if (drawn > copies).any() or ((under >= 0).sum() != int(s["under_count"])):
        yield "more Missions of a pair than there are, or under_count does not fit under"
    running = int(s["status"]) == RUNNING
    rows = np.asarray(s["row_length"]).astype(int)[int(s["row"]) : int(s["num_rows"])]
    to_come = int(rows.sum() + (rows % 2 == 0).sum()) + 1 - int(s["row_played"])
    if running and int(s["hand_seat"]) < 0 and copies.sum() - len(pairs[pairs >= 0]) < to_come:
        yield "there are too few Missions for the rest of the game"


def _wrong_course(s: Any) -> Iterator[str]:
    running = int(s["status"]) == RUNNING
    over = (int(s["actor"]) < 0, int(s["ending"]) != S.OPEN, int(s["winner"]) >= 0)
    if over != (not running,) * 3:
        yield "status, actor, ending and winner do not agree"
        return
    if int(s["row_won"]) > int(s["row_played"]):
        yield "row_won is more than row_played"
    if not running:
        return
    row, rows = int(s["row"]), int(s["num_rows"])
    length = int(s["row_length"][row]) if row < rows else 1
    played, won = int(s["row_played"]), int(s["row_won"])
    if row > rows or played > length or (played == length and 2 * won != played):
        yield "row: it is over already"
    n, phase, actor = int(s["num_players"]), int(s["phase"]), int(s["actor"])
    if phase in (S.CALL, S.STATEMENT):
        if int(s["asked"]) >= n or actor != (int(s["turn"]) + int(s["asked"])) % n:
            yield "actor does not fit turn and asked"
    elif phase in (S.CHOICE, S.PLACEMENT, S.EYE_CLAIM) and actor != int(s["eye"]):
        yield "actor is not the Eye"
    elif phase in (S.GIFT, S.HAND_CLAIM) and actor != int(s["hand_seat"]):
        yield "actor is not the Hand"
    on_mission = phase in (S.GIFT, S.PLACEMENT, S.HAND_CLAIM, S.EYE_CLAIM)
    if on_mission != (int(s["hand_seat"]) >= 0) or int(s["hand_seat"]) == int(s["eye"]):
        yield "hand_seat does not fit the phase"


def _wrong_pending(s: Any) -> Iterator[str]:
    phase, actor = int(s["phase"]), int(s["actor"])
    if int(s["status"]) != RUNNING or not 0 <= actor < int(s["num_players"]):
        return
    held = int(s["hand_count"][actor])
    full = int(s["gift_count"])
    if (phase == S.PLACEMENT) != (full == S.GIVEN) or (full == 1 and phase != S.GIFT):
        yield "gift_count does not fit the phase"
    if phase == S.GIFT and held < S.GIVEN - full:
        yield "the Hand has too few Virtues to give"
    if (phase in (S.PAYMENT, S.FASTING)) != (int(s["due"]) > 0) or int(s["due"]) > held:
        yield "due does not fit the phase or the hand"
    buying, pile = int(s["buying"]), int(s["buying_pile"])
    if (phase == S.PAYMENT) != (buying >= 0) or (buying >= 0) != (pile >= 0):
        yield "buying or buying_pile do not fit the phase"
    elif buying >= 0 and int(s["pile_top"][pile]) != buying:
        yield "buying is not on top of buying_pile"
    if phase == S.DOUBTING and not np.asarray(s["disciples"][actor]).any():
        yield "the target of a Doubt has no Disciple"
    if phase == S.HERALDING and int(s["next_mission"]) < 0:
        yield "no Mission has been peeked at"
    if phase == S.NIGHT:
        yield from _wrong_night(s, actor)
    elif int(s["nominations"]) or (np.asarray(s["nominated"]) >= 0).any():
        yield "nominations outside the night"


def _wrong_night(s: Any, actor: int) -> Iterator[str]:
    n, made = int(s["num_players"]), int(s["nominations"])
    order = [(int(s["turn"]) + k) % n for k in range(n)]
    asked = [seat for seat in order if int(s["faith"][seat]) == S.DEFECTOR]
    codes = np.asarray(s["nominated"]).tolist()
    if made >= len(asked) or actor != asked[made]:
        yield "actor is not the Defector whose turn it is"
        return
    if any(code < 0 for code in codes[:made]) or any(code >= 0 for code in codes[made:]):
        yield "nominated does not fit nominations"
    table = np.asarray(s["crises"]).tolist()
    for seat, code in zip(asked, codes[:made], strict=False):
        name, target = divmod(code, S.SEATS)
        if name not in table or target >= n or target == seat:
            yield "nominated holds what cannot be nominated"
    if not any(name >= 0 for name in table):
        yield "no Crisis is left for the night"
