"""The rules of Believers a second time, in lists and words, from rulebook and rulings alone.

The whole game is one story, :meth:`Reference.play`, told in the order of the rulebook. Wherever a
player decides something it stops and says who may do what; :meth:`Reference.step` lets it go on.
What chance decided is read from the engine's event that tells of it: the one with the number of the
event that is to be told here. That it was possible is checked. Actions have the game's numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.core.compiled.log import ACTOR, FIRST, SECOND, SECRET, THIRD
from tests.games.believers.reference_parts import (
    KINDS,
    SHAME_THAT_BARS,
    Answer,
    Decision,
    Event,
    Mission,
    Setup,
    Story,
    potential,
)
from tests.games.believers.reference_table import ReferenceTable, Rows, number_of, pair_of

TARGETS_ANYBODY = ("penitent", "gossip", "doorkeeper")
TARGETS_OTHERS = ("confidant", "inquisitor", "mendicant", "oracle")
STEADFAST = ("guardian", "gleaner")


class Reference(ReferenceTable):
    """A game of Believers.

    Attributes:
        decision: who is asked what now; None when the game is over.
    """

    def __init__(self, setup: Setup, told: Rows) -> None:
        """Begin a game; ``told`` are the engine's events so far."""
        super().__init__(setup, told)
        self.set_up()
        self.story = self.play()
        self.decision: Decision | None = next(self.story)

    def step(self, action: int, told: Rows) -> None:
        """Take a legal action and go on to the next decision; ``told`` as at the beginning."""
        assert self.decision is not None
        assert action in self.decision.options
        self.told = told
        try:
            self.decision = self.story.send(action)
        except StopIteration:
            self.decision = None

    # the game

    def set_up(self) -> None:
        """B1: what was dealt is known; without Shame nobody has a card."""
        self.tell(S.Event.BEGUN, self.turn)
        for seat, player in enumerate(self.players):
            self.tell(S.Event.DEALT, seat, *player.hand, knowers=[seat])
        self.return_shame()

    def return_shame(self) -> None:
        """B5: cards go back to their owners, Gossip ends."""
        for player in self.players:
            player.shame_card = "own" if self.setup.shame else "away"
            player.gossip = 0

    def play(self) -> Story:
        """Row by row, and the decider if need be."""
        last = len(self.setup.rows) - 1
        for row, length in enumerate(self.setup.rows):
            yield from self.play_row(row, length, row == last)
            if self.ending:
                return
            if row < last:
                if self.setup.crises_on:
                    yield from self.night()
                if self.setup.disciples_on:
                    yield from self.indoctrination()
                if self.row_crisis is not None and self.row_crisis[0] == "poverty":
                    self.row_crisis = None
        yield from self.play_row(last + 1, 1, False)  # B19

    def play_row(self, row: int, length: int, peak: bool) -> Story:
        """Rounds until the row is complete; B14: a tie asks for one Mission more."""
        self.row, self.row_played, self.row_won = row, 0, 0
        complete = False
        while not complete and not self.ending:
            yield from self.call_for_disciples()
            yield from self.talk()
            yield from self.choose_hand()
            won = bool((yield from self.go_on_mission()))
            self.row_played += 1
            self.row_won += won
            self.completed += 1
            complete = self.row_played >= length and 2 * self.row_won != self.row_played
            self.pay_for_failure(won, complete)
            if complete:
                self.end_row(row, length, peak)
            self.last_hand, self.hand = self.hand, None
            self.test_end(row, length, peak, complete)
            self.turn = (self.turn + 1) % self.n  # B15

    def end_row(self, row: int, length: int, peak: bool) -> None:
        """B14, B19: tokens; then Shame and what a Crisis brought end."""
        side = 0 if 2 * self.row_won > self.row_played else 1
        decider = row == len(self.setup.rows)
        sweep = self.row_won in (0, self.row_played) and not decider
        earned = 2 if peak or sweep else 1
        self.tokens[side] += earned
        self.row_tokens[row] = earned if side == 0 else -earned
        self.tell(S.Event.TOKENS, -1, row, side, earned)
        for mission in self.history:
            if mission.row == row:
                for kind in mission.placed:
                    self.deck.finished[kind] += 1
        self.return_shame()
        self.row_crisis = None

    def test_end(self, row: int, length: int, peak: bool, complete: bool) -> None:
        """B18, B19: the end, if it has come."""
        a, b = self.tokens
        if row == len(self.setup.rows):
            self.end("decided")
        elif peak and complete:
            if a != b:
                self.end("played out")
        elif a != b:
            trailing = 0 if a < b else 1
            rest = 2 * (len(self.setup.rows) - 1 - row)  # every later row can be swept
            if not complete:
                won = self.row_won if trailing == 0 else self.row_played - self.row_won
                rest += potential(won, self.row_played, length, peak)
            if min(a, b) + rest < max(a, b):
                self.end("early")

    def end(self, how: str) -> None:
        """Who has more tokens has won."""
        self.ending = how
        self.winner = 0 if self.tokens[0] > self.tokens[1] else 1
        number = {
            "played out": S.Ending.PLAYED_OUT,
            "early": S.Ending.EARLY,
            "decided": S.Ending.DECIDED,
        }[how]
        defectors = sum(1 << k for k, player in enumerate(self.players) if player.defector)
        self.tell(S.Event.END, -1, self.winner, number, defectors)

    @property
    def returns(self) -> list[float]:
        """B22."""
        if self.winner is None:
            return [0.0] * self.n
        sides = [int(player.defector) for player in self.players]
        return [
            (1 if side == self.winner else -1) / (sides.count(side) if self.setup.zero_sum else 1)
            for side in sides
        ]

    # Part I

    def call_for_disciples(self) -> Story:
        """B4: one opportunity each, from the Eye in the order of Eyes leftwards."""
        self.eye = self.turn
        self.barred, self.witnesses = set(), []
        self.lantern = self.apostle = False
        self.statements = [0] * self.n
        if not self.setup.shame and not self.setup.disciples_on:
            return
        for k, seat in enumerate(self.clockwise(self.turn)):
            self.asked = k
            yield from self.opportunity(seat)

    def opportunity(self, seat: int) -> Story:
        """One Shame and one Disciple, in any order, then done."""
        self.shamed = self.enlisted = False
        while True:
            action = yield Decision(seat, "call", frozenset(self.calls(seat)))
            if action == act.DONE:
                break
            if action < act.ENLIST:
                target = (seat + action - act.SHAME + 1) % self.n
                self.players[seat].shame_card = target
                self.shamed = True
                self.tell(S.Event.SHAMED, seat, target)
            else:
                name, k = divmod(action - act.ENLIST, S.SEATS)
                yield from self.enlist(seat, name, (seat + k) % self.n)
        self.shamed = self.enlisted = False

    def calls(self, seat: int) -> set[int]:
        """What a player can do in Part I; nothing when muted."""
        options = {act.DONE}
        if self.row_crisis == ("muteness", seat):
            return options
        player = self.players[seat]
        if player.shame_card == "own" and not self.shamed:
            options |= {act.SHAME + k - 1 for k in range(1, self.n)}
        if not self.enlisted:
            for name in player.disciples:
                effect = self.setup.effects[name]
                places = range(1)
                if effect in STEADFAST:
                    places = range(0)
                elif effect in TARGETS_ANYBODY:
                    places = range(self.n)
                elif effect in TARGETS_OTHERS:
                    places = range(1, self.n)
                options |= {act.ENLIST + S.SEATS * name + k for k in places}
        return options

    def enlist(self, seat: int, name: int, target: int) -> Story:
        """B6, B7: use a Disciple; it leaves the game."""
        self.players[seat].disciples.remove(name)
        self.gone.append(name)
        self.enlisted = True
        effect = self.setup.effects[name]
        aimed = effect in (*TARGETS_ANYBODY, *TARGETS_OTHERS)
        use: Callable[[int, int], int] = getattr(self, f"use_{effect}")
        secret = use(seat, target)
        readers = [seat, target] if effect == "mendicant" else [seat]
        self.tell(
            S.Event.ENLISTED, seat, name, target if aimed else -1, secret=secret,
            readers=readers if secret >= 0 else None,
        )  # fmt: skip
        if effect == "almoner":
            self.draw(seat, S.Reason.BY_ALMONER)
        elif effect == "inquisitor":
            self.tell(S.Event.LOOKED, target, *self.players[target].hand, knowers=[seat])
        elif effect == "herald":
            action = yield Decision(seat, "heralding", frozenset({act.HERALD, act.HERALD + 1}))
            if action == act.HERALD + 1:
                self.missions.put_under()
            self.tell(S.Event.HERALDED, seat, action - act.HERALD)

    def use_almoner(self, seat: int, target: int) -> int:
        """The draw comes after the card is played."""
        return -1

    def use_penitent(self, seat: int, target: int) -> int:
        """B5: cards that lie there are away until the row ends; Gossip is forgotten."""
        for player in self.players:
            if player.shame_card == target:
                player.shame_card = "away"
        self.players[target].gossip = 0
        return -1

    def use_gossip(self, seat: int, target: int) -> int:
        """One Shame more."""
        self.players[target].gossip += 1
        return -1

    def use_confidant(self, seat: int, target: int) -> int:
        """See a random Virtue of another."""
        rival = self.players[target]
        if not rival.held:
            return -1
        kind = self.chance(SECRET)
        assert rival.hand[kind] > 0
        self.glimpse(seat, target, [kind])
        return kind

    def use_herald(self, seat: int, target: int) -> int:
        """See the Mission on top of the deck."""
        number = self.chance(SECRET)
        _, known = self.missions.look(pair_of(number))
        known.add(seat)
        return number

    def use_inquisitor(self, seat: int, target: int) -> int:
        """See all Virtues of another."""
        self.glimpse(seat, target, None)
        return -1

    def use_doorkeeper(self, seat: int, target: int) -> int:
        """Not the Hand this round."""
        self.barred.add(target)
        return -1

    def use_regent(self, seat: int, target: int) -> int:
        """B8: the acting Eye of this round."""
        self.eye = seat
        return -1

    def use_mendicant(self, seat: int, target: int) -> int:
        """Take a random Virtue from another."""
        rival = self.players[target]
        if not rival.held:
            return -1
        kind = rival.lose(self.chance(SECRET))
        self.players[seat].hand[kind] += 1
        self.glimpse(target, seat, [kind])
        return kind

    def use_oracle(self, seat: int, target: int) -> int:
        """See another's Faith."""
        self.faith_seen[target].add(seat)
        return int(self.players[target].defector)

    def use_witness(self, seat: int, target: int) -> int:
        """See the pair after the Mission."""
        self.witnesses.append(seat)
        return -1

    def use_lantern(self, seat: int, target: int) -> int:
        """What is given is shown to all."""
        self.lantern = True
        return -1

    def use_apostle(self, seat: int, target: int) -> int:
        """Both are placed."""
        self.apostle = True
        return -1

    def talk(self) -> Story:
        """B21: a statement each."""
        if not self.setup.talk:
            return
        for k, seat in enumerate(self.clockwise(self.turn)):
            self.asked = k
            places = range(self.n - 1)
            options = {act.SILENT} | {act.ACCUSE + k for k in places}
            options |= {act.VOUCH + k for k in places}
            action = yield Decision(seat, "statement", frozenset(options))
            if act.ACCUSE <= action < act.ACCUSE + self.n - 1:
                target = (seat + action - act.ACCUSE + 1) % self.n
                self.statements[seat] = S.Statement.ACCUSE + target
                self.accused[seat][target] += 1
            elif action != act.SILENT:
                target = (seat + action - act.VOUCH + 1) % self.n
                self.statements[seat] = S.Statement.VOUCH + target
                self.vouched[seat][target] += 1
            said = tuple(self.statements) + (0,) * (10 - self.n)
            if k:  # the row of the log is rewritten
                self.events.pop()
            self.events.append(Event(S.Event.SAID, -1, said))

    # Part II

    def candidates(self) -> tuple[list[int], int]:
        """B9: who can be the Hand, and how many bars had to be lifted."""
        last, shamed = {self.last_hand}, set()
        for seat, player in enumerate(self.players):
            lying = sum(other.shame_card == seat for other in self.players) + player.gossip
            if lying >= SHAME_THAT_BARS and not self.owns(seat, "guardian"):
                shamed.add(seat)
        exiled = set()
        if self.row_crisis is not None and self.row_crisis[0] == "exile":
            exiled = {self.row_crisis[1]}
        bars: list[set[int]] = [{k for k in last if k is not None}, shamed, exiled, self.barred]
        for lifted in range(5):
            out = set().union(*bars[lifted:])
            free = [k for k in range(self.n) if k != self.eye and k not in out]
            if free:
                return free, lifted
        raise AssertionError("there is always somebody")

    def choose_hand(self) -> Story:
        """B9: the Eye chooses the Hand, then the Mission is turned up."""
        free, lifted = self.candidates()
        options = {act.CHOOSE + (seat - self.eye) % self.n - 1 for seat in free}
        action = yield Decision(self.eye, "choice", frozenset(options))
        self.hand = (self.eye + action - act.CHOOSE + 1) % self.n
        number = self.chance(SECOND)
        self.missions.turn_up(pair_of(number))
        self.history.append(Mission(pair_of(number), self.row, self.eye, self.hand))
        self.tell(S.Event.TURNED_UP, self.eye, self.hand, number, lifted)

    def go_on_mission(self) -> Answer:
        """B10, B11: give, place, look, claim; whether it succeeded."""
        mission = self.history[-1]
        hand, eye = self.players[mission.hand], self.players[mission.eye]
        given = min(hand.held, 2)
        if given == 2:
            yield from self.give(mission)
            if self.apostle:
                mission.placed, self.gift = self.gift, []
            else:
                kind = yield from self.place(mission)
                self.gift.remove(kind)
                mission.placed = [kind]
                eye.hand[self.gift.pop()] += 1
        elif given == 1:
            mission.placed = [hand.lose(hand.kinds()[0])]
        elif self.deck.has_a_card():
            mission.placed = [self.deck.draw(self.chance(FIRST))]
        mission.result = any(kind in mission.pair for kind in mission.placed)
        shown = (mission.placed + [-1, -1])[:2]
        self.tell(S.Event.PLACED, mission.eye, *shown, int(mission.result) + 2 * given)
        if mission.given is not None:
            # no ruling says in which order: the engine's
            first = len(self.events)
            looking = [int(row[ACTOR]) for row in self.told[first : first + len(self.witnesses)]]
            assert sorted(looking) == sorted(self.witnesses)
            for seat in looking:
                mission.known.add(seat)
                number = number_of(mission.given)
                self.tell(S.Event.WITNESSED, seat, secret=number, readers=[seat])
            if self.setup.talk:
                yield from self.claim(mission)
        return mission.result

    def give(self, mission: Mission) -> Story:
        """The Hand gives two Virtues, one at a time; who sees them."""
        hand = self.players[mission.hand]
        for _ in range(2):
            options = frozenset(act.GIVE + kind for kind in hand.kinds())
            action = yield Decision(mission.hand, "gift", options)
            self.gift.append(hand.lose(action - act.GIVE))
        self.gift.sort()
        mission.given = (self.gift[0], self.gift[1])
        seen_by_all = self.lantern or self.apostle
        mission.known = set(self.everybody()) if seen_by_all else {mission.hand, mission.eye}
        self.tell(
            S.Event.GAVE, mission.hand, secret=number_of(mission.given), readers=list(mission.known)
        )

    def place(self, mission: Mission) -> Answer:
        """The kind that the Eye places; a blind one leaves it to chance."""
        if self.row_crisis == ("blindness", mission.eye):
            kind = self.chance(FIRST)
            assert kind in self.gift
            return kind
        options = frozenset(act.PLACE + kind for kind in self.gift)
        action = yield Decision(mission.eye, "placement", options)
        return action - act.PLACE

    def claim(self, mission: Mission) -> Story:
        """B21: first the Hand, then the Eye, any pair of the kinds in the game or none."""
        options = frozenset(act.CLAIM + number for number in self.claimable())
        action = yield Decision(mission.hand, "hand_claim", options)
        mission.hand_claim = action - act.CLAIM
        self.tell(S.Event.CLAIMED, mission.hand, mission.hand_claim, 0)
        action = yield Decision(mission.eye, "eye_claim", options)
        mission.eye_claim = action - act.CLAIM
        self.tell(S.Event.CLAIMED, mission.eye, mission.eye_claim, 1)

    def claimable(self) -> list[int]:
        """Pairs of kinds that are in the game, and no claim."""
        kinds = [kind for kind in KINDS if self.all_virtues[kind]]
        return [number_of((a, b)) for a in kinds for b in kinds if a <= b] + [S.NO_CLAIM]

    @property
    def all_virtues(self) -> list[int]:
        """Virtues of each kind in the game."""
        hands = list(zip(*self.setup.hands, strict=True))
        return [sum(hands[kind]) + self.setup.deck[kind] for kind in KINDS]

    def pay_for_failure(self, won: bool, complete: bool) -> None:
        """B12: who draws after a failure, and after a row of failures."""
        if won:
            return
        assert self.hand is not None
        self.draw(self.eye, S.Reason.AFTER_FAILURE)
        self.draw(self.hand, S.Reason.AFTER_FAILURE)
        for seat in self.clockwise(self.eye):
            for _ in range(self.owns(seat, "gleaner")):
                self.draw(seat, S.Reason.BY_GLEANER)
        if complete and self.row_won == 0:
            for seat in self.clockwise(self.eye):
                self.draw(seat, S.Reason.AFTER_ROW)

    # the Crisis

    def night(self) -> Story:
        """B16: the Defectors nominate; most nominations win, the earliest of equals."""
        self.nominations = []
        places = {name: place for place, name in enumerate(self.crises) if name is not None}
        for seat in self.clockwise(self.turn):
            if self.players[seat].defector:
                options = frozenset(
                    act.NOMINATE + act.OPPONENTS * name + k - 1
                    for name in places
                    for k in range(1, self.n)
                )
                action = yield Decision(seat, "night", options)
                name, k = divmod(action - act.NOMINATE, act.OPPONENTS)
                target = (seat + k + 1) % self.n
                self.nominations.append((name, target))
                know = [k for k in range(self.n) if self.players[k].defector]
                self.tell(S.Event.NOMINATED, seat, name, target, knowers=know)
        name, target = max(
            self.nominations,
            key=lambda one: (self.nominations.count(one), -self.nominations.index(one)),
        )
        self.crises[places[name]] = None
        kept_off = self.owns(target, "guardian") > 0
        self.tell(S.Event.LAID, -1, name, target, int(kept_off))
        if not kept_off:
            yield from self.suffer(self.setup.troubles[name], target)

    def suffer(self, trouble: str, target: int) -> Story:
        """What each Crisis does."""
        player = self.players[target]
        if trouble == "fast":
            self.due = min(2, player.held)
            yield from self.pay(target, "fasting", None)
        elif trouble == "testimony":
            self.glimpse("all", target, None)
            self.tell(S.Event.SHOWN, target, *player.hand)
        elif trouble == "doubt" and player.disciples:
            options = frozenset(act.DISMISS + name for name in player.disciples)
            action = yield Decision(target, "doubting", options)
            player.disciples.remove(action - act.DISMISS)
            self.gone.append(action - act.DISMISS)
            self.tell(S.Event.DISMISSED, target, action - act.DISMISS)
        elif trouble in ("muteness", "exile", "poverty", "blindness"):
            self.row_crisis = (trouble, target)
        elif trouble == "tithe":
            receiver = (target + 1) % self.n
            for _ in range(min(2, player.held)):
                kind = player.lose(self.chance(SECRET))
                self.players[receiver].hand[kind] += 1
                self.glimpse(target, receiver, [kind])
                self.tell(S.Event.TITHED, target, receiver, secret=kind, readers=[target, receiver])

    def pay(self, seat: int, kind: str, place: int | None) -> Story:
        """Discard as many Virtues as are due, for a Fast or for the top of a pile."""
        player = self.players[seat]
        while self.due:
            options = frozenset(act.DISCARD + kind for kind in player.kinds())
            action = yield Decision(seat, kind, options)
            self.deck.discards[player.lose(action - act.DISCARD)] += 1
            self.due -= 1
            name, shown = -1, -1
            if place is not None:
                name = self.piles.tops[place]  # type: ignore[assignment]
                if not self.due and not self.piles.is_last(place):
                    shown = self.chance(THIRD)
            self.tell(S.Event.DISCARDED, seat, action - act.DISCARD, name, shown)
        if place is not None:
            player.disciples.append(name)
            self.piles.take(place, None if shown < 0 else shown)

    # Indoctrination

    def indoctrination(self) -> Story:
        """B20: from the next Eye clockwise, round and round, until all have passed."""
        self.passed = set()
        if self.row_crisis is not None and self.row_crisis[0] == "poverty":
            self.passed = {self.row_crisis[1]}
        while len(self.passed) < self.n:
            for seat in self.clockwise(self.turn):
                if seat not in self.passed:
                    yield from self.buy_or_pass(seat)

    def buy_or_pass(self, seat: int) -> Story:
        """One of the Disciples that show and that one can pay for, or nothing any more."""
        held = self.players[seat].held
        shown = {name for name in self.piles.tops if name is not None}
        options = {act.BUY + name for name in shown if self.setup.costs[name] <= held}
        action = yield Decision(seat, "indoctrination", frozenset(options | {act.PASS}))
        if action == act.PASS:
            self.passed.add(seat)
            return
        name = action - act.BUY
        place = self.piles.where(name)
        self.buying = (name, place)
        self.due = self.setup.costs[name]
        self.tell(S.Event.BOUGHT, seat, name, place)
        yield from self.pay(seat, "payment", place)
        self.buying = None
