"""What a player knew at any moment, told again from the last View alone.

:class:`Historian` takes a late View. What was dealt to all openly it finds by winding the events
back, everything else it tells forward, event by event. If a player's log is complete, each earlier
View of the player holds the same as the story at that place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.core.compiled.log import FIRST, SECOND, SECRET, THIRD


class Historian:
    """The fields of a player's Views, as the log tells them.

    Attributes:
        known: values of fields after the events told so far.
    """

    def __init__(self, last: Any, viewer: int) -> None:
        """Take the last View of a running game, in which nobody is just paying."""
        self.viewer = viewer
        self.n = n = int(last["num_players"])
        self.options = last
        self.log = [row.copy() for row in last["log"][: int(last["log_count"])]]
        self.known: dict[str, Any] = {
            "hand_count": np.zeros(10, int),
            "own_hand": np.zeros(10, int),
            "deck_size": int(last["virtue_copies"].sum()) - n * int(last["hand_size"]),
            "discards": np.zeros(10, int),
            "finished": np.zeros(10, int),
            "shame_at": np.full(10, S.OWN if last["shame_on"] else S.AWAY),
            "gossip": np.zeros(10, int),
            "tokens": np.zeros(2, int),
            "row_tokens": np.zeros(5, int),
            "accused": np.zeros((10, 10), int),
            "vouched": np.zeros((10, 10), int),
            "faith_seen": np.zeros(10, int),
            "glimpses": 0,
        }
        self.known["hand_count"][:n] = int(last["hand_size"])
        self.missions: list[dict[str, int]] = []
        self.faiths: dict[int, int] = {}
        self.glimpses: list[tuple[int, int, int, int, tuple[int, ...]]] = []
        self.row_placed: list[int] = []
        self.paying = self.pile = 0
        self.enlisted: list[tuple[int, int, int]] = []  # effect, who, target; since the last Hand
        self.enlisted_before: list[tuple[int, int, int]] = []  # of the round before
        self.gave: list[int] = []
        self._wind_back(last)

    def _wind_back(self, last: Any) -> None:
        """What was dealt to all openly: Disciples, tops and sizes of piles, Crises."""
        held, gone = last["disciples"].astype(int), last["gone"].astype(int)
        tops, sizes = last["pile_top"].astype(int), last["pile_size"].astype(int)
        buried, crises = last["buried"].astype(int), set(last["crises"].tolist()) - {-1}
        for row in reversed(self.log):
            kind, who = int(row[0]), int(row[1])
            if kind in (S.Event.ENLISTED, S.Event.DISMISSED):
                held[who, row[FIRST]] += 1
                gone[row[FIRST]] -= 1
            elif kind == S.Event.LAID:
                crises.add(int(row[FIRST]))
            elif kind == S.Event.BOUGHT:
                name, pile = int(row[FIRST]), int(row[SECOND])
                held[who, name] -= 1
                if tops[pile] >= 0:
                    buried[tops[pile]] += 1
                tops[pile] = name
                sizes[pile] += 1
        self.known |= {
            "disciples": held, "gone": gone, "pile_top": tops, "pile_size": sizes,
            "buried": buried, "crises": crises,
        }  # fmt: skip

    # forward

    def tell(self, row: Any) -> None:
        """Let the next event happen."""
        kind, who, first, second = int(row[0]), int(row[1]), int(row[FIRST]), int(row[SECOND])
        secret, known = int(row[SECRET]), self.known
        if kind == S.Event.DEALT:
            known["own_hand"] = np.array(S.unpacked(row))
        elif kind == S.Event.SHAMED:
            known["shame_at"][who] = first
        elif kind == S.Event.ENLISTED:
            self.enlist(who, first, second, secret)
        elif kind == S.Event.LOOKED:
            self.look(self.viewer, who, 1, S.unpacked(row))
        elif kind == S.Event.SHOWN:
            self.look(10, who, 1, S.unpacked(row))
        elif kind == S.Event.SAID:
            self.said(S.unpacked(row))
        elif kind == S.Event.TURNED_UP:
            self.turn_up(who, first, second)
        elif kind in (S.Event.GAVE, S.Event.WITNESSED):
            self.give(kind, who, secret)
        elif kind == S.Event.PLACED:
            self.place(who, first, second, int(row[THIRD]))
        elif kind == S.Event.CLAIMED:
            self.missions[-1]["eye_claim" if second else "hand_claim"] = first
        elif kind == S.Event.DREW:
            self.draw()
            self.move(who, 1, secret)
        elif kind == S.Event.TOKENS:
            self.tokens(first, second, int(row[THIRD]))
        elif kind == S.Event.LAID:
            known["crises"].discard(first)
        elif kind == S.Event.TITHED:
            self.move(who, -1, secret)
            self.move(first, 1, secret)
            self.look(who, first, 0, one_hot(secret))
        elif kind == S.Event.DISCARDED:
            self.discard(who, first, second, int(row[THIRD]))
        elif kind == S.Event.DISMISSED:
            known["disciples"][who, first] -= 1
            known["gone"][first] += 1
        elif kind == S.Event.BOUGHT:
            self.paying = int(self.options["disciple_cost"][first])
            self.pile = second

    def move(self, seat: int, by: int, kind: int) -> None:
        """A Virtue comes into a hand or leaves it."""
        self.known["hand_count"][seat] += by
        if seat == self.viewer:
            assert kind >= 0
            self.known["own_hand"][kind] += by

    def draw(self) -> None:
        """A card leaves the deck, which may have to be made first."""
        known = self.known
        for heap in ("discards", "finished"):
            if known["deck_size"] == 0:
                known["deck_size"] = int(known[heap].sum())
                known[heap][:] = 0
        known["deck_size"] -= 1

    def look(self, by: int, of: int, whole: int, hand: list[int]) -> None:
        """A look at a hand; what was seen is known to its owner alone."""
        seen = tuple(hand) if by in (self.viewer, 10) else (-1,) * 10
        self.glimpses.append((by, of, len(self.missions), whole, seen))
        self.known["glimpses"] = len(self.glimpses)

    def enlist(self, who: int, name: int, target: int, secret: int) -> None:
        """A Disciple is used."""
        known, effect = self.known, int(self.options["disciple_effect"][name])
        known["disciples"][who, name] -= 1
        known["gone"][name] += 1
        self.enlisted.append((effect, who, target))
        if effect == S.Effect.PENITENT:
            known["shame_at"][known["shame_at"] == target] = S.AWAY
            known["gossip"][target] = 0
        elif effect == S.Effect.GOSSIP:
            known["gossip"][target] += 1
        elif effect == S.Effect.ORACLE:
            known["faith_seen"][target] |= 1 << who
            if who == self.viewer:
                self.faiths[target] = secret
        elif effect == S.Effect.INQUISITOR and who != self.viewer:
            self.look(who, target, 1, [])
        elif effect in (S.Effect.CONFIDANT, S.Effect.MENDICANT) and known["hand_count"][target] > 0:
            if effect == S.Effect.CONFIDANT:
                self.look(who, target, 0, one_hot(secret))
            else:
                self.move(target, -1, secret)
                self.move(who, 1, secret)
                self.look(target, who, 0, one_hot(secret))

    def said(self, codes: list[int]) -> None:
        """Statements of a round; the row holds those made so far."""
        known = self.known
        for seat, code in enumerate(codes):
            if S.Statement.ACCUSE <= code < S.Statement.ACCUSE + 10:
                known["accused"][seat, code - S.Statement.ACCUSE] += 1
            elif code >= S.Statement.VOUCH:
                known["vouched"][seat, code - S.Statement.VOUCH] += 1

    def turn_up(self, eye: int, hand: int, pair: int) -> None:
        """A Mission."""
        self.missions.append(
            {"pair": pair, "eye": eye, "hand": hand, "given": -1, "result": -1, "hand_claim": -1,
             "eye_claim": -1}
        )  # fmt: skip
        self.enlisted_before, self.enlisted = self.enlisted, []

    def give(self, kind: int, who: int, pair: int) -> None:
        """Two Virtues leave the Hand; who knows which, is told the pair."""
        if pair >= 0:
            self.missions[-1]["given"] = pair
        if kind == S.Event.GAVE:
            kinds = [-1, -1] if pair < 0 else [int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])]
            for one in kinds:
                self.move(who, -1, one)
            self.gave = kinds

    def place(self, eye: int, first: int, second: int, code: int) -> None:
        """Virtues on the Mission; what the Eye keeps."""
        mission = self.missions[-1]
        mission["result"] = code % 2
        placed = [kind for kind in (first, second) if kind >= 0]
        self.row_placed += placed
        given = code // 2
        if given == 1:
            self.move(mission["hand"], -1, first)
        elif given == 0 and placed:
            self.draw()
        elif given == 2 and len(placed) == 1:
            kept = list(self.gave)
            if eye == self.viewer:
                kept.remove(first)
            self.move(eye, 1, kept[0])

    def tokens(self, row: int, side: int, count: int) -> None:
        """The end of a row."""
        known = self.known
        known["tokens"][side] += count
        known["row_tokens"][row] = count if side == 0 else -count
        for kind in self.row_placed:
            known["finished"][kind] += 1
        self.row_placed = []
        known["shame_at"][: self.n] = S.OWN if self.options["shame_on"] else S.AWAY
        known["gossip"][:] = 0

    def discard(self, who: int, kind: int, name: int, shown: int) -> None:
        """A Virtue goes to the discards; with the last one a Disciple is paid for."""
        known = self.known
        self.move(who, -1, kind)
        known["discards"][kind] += 1
        if name < 0:
            return
        self.paying -= 1
        if self.paying == 0:
            known["disciples"][who, name] += 1
            known["pile_size"][self.pile] -= 1
            known["pile_top"][self.pile] = shown
            if shown >= 0:
                known["buried"][shown] -= 1


def one_hot(kind: int) -> list[int]:
    """A hand of one card."""
    return [int(k == kind) for k in range(10)]
