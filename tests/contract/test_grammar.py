"""What is told agrees with whom and how many it speaks of, in all games (you, others, 0, 1, many).

Hand-written sentences for every kind of event, to the acting player and to the others; and for all
numbers, all Views and all pictures the rules that such sentences follow.
"""

from __future__ import annotations

import io
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from concilium.envs import SPECTATOR, get_game
from concilium.envs.believers import state as believers_state
from concilium.envs.believers.text import cards_in, fields_of
from concilium.envs.believers.text import event_text as believers_text
from concilium.envs.chancellors import state as chancellors_state
from concilium.envs.chancellors.text import event_text as chancellors_text
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.state import RUNNING, plain_records
from concilium.envs.core.words import Count, seat_name, whom, wrapped
from concilium.envs.nicaea import state as nicaea_state
from concilium.envs.nicaea.text import deck_in
from concilium.envs.nicaea.text import event_text as nicaea_text

COUNTED = "Virtue|card|point|token|marker|Mission|draw|Debate Round|Disciple"
RULES = {
    "a verb that does not go with you": r"\b[Yy]ou (?!as\b)\w+(?<!s)s\b",
    "a verb that does not go with others": r"\bplayer_\d (were|have|are|begin|hold|accuse|vouch)\b",
    "what is yours": r"\bof you\b|\b[Yy]ou's\b|\bof player_\d all\b",
    "one of many": rf"(?<![\d.,+-])\b1 ({COUNTED})s\b",
    "many of one": rf"(?<![\d.])\b(0|[2-9]|\d\d+) ({COUNTED})\b(?! [+\d])",
    "an article": r"\b[Aa] (?=[AEIOaeio8])|\b[Aa]n (?=[^AEIOaeio8])",
    "oneself": r"^you .*\b(on|to|shamed) you\b|^(player_\d) .*\b(on|to|shamed) \2\b",
    "a gap": r" [,;.]|[,;] *[,;]|\s$|^ |None|[{}]",
}


def wrong(text: str) -> list[str]:
    """Rules that a line breaks, with what breaks them."""
    found = {name: re.search(rule, text) for name, rule in RULES.items()}
    return [f"{name}: {at[0]!r} in {text!r}" for name, at in found.items() if at]


# One kind of event each ----------------------------------------------------------------------

Told = tuple[dict[str, Any], str, str]
"""An event but for its kind and seat, which is 2; what it is told as to seat 2 and to others."""

CHANCELLORS: dict[str, Told] = {
    "draw": ({"card": 37, "deck": 0}, "you drew Excuse", "player_2 drew Excuse"),
    "turn": ({"turns": 0}, "your turn 1", "player_2's turn 1"),
    "attempt": (
        {"card": 0, "force": -1, "deck": 0},
        "you tried for all forces with Ace of Moons 1M",
        "player_2 tried for all forces with Ace of Moons 1M",
    ),
    "take": ({"force": 0}, "you took Sailor", "player_2 took Sailor"),
    "decline": ({"force": 2}, "you let Diplomat go", "player_2 let Diplomat go"),
    "blocked": (
        {"card": 0, "force": 0, "deck": 0},
        "you kept Sailor with Ace of Moons 1M", "player_2 kept Sailor with Ace of Moons 1M",
    ),
    "solve": (
        {"problem": 0, "quiet": 1, "target": 9},
        "you began on problem 1 quietly, target 9", "player_2 began on problem 1 quietly, target 9",
    ),
    "commit": (
        {"card": 0, "problem": 0, "deck": 0}, "you paid Ace of Moons 1M",
        "player_2 paid Ace of Moons 1M",
    ),
    "solved": (
        {"problem": 1, "points": 1}, "you solved problem 2 for 1 point",
        "player_2 solved problem 2 for 1 point",
    ),
    "roll": ({"problem": 0, "low": 1, "high": 6}, *2 * ("problem 1 rolled 1-6",)),
    "escalate": ({"problem": 0, "low": 1, "high": 6}, *2 * ("problem 1 grew to 1-6",)),
    "silent": ({}, "you kept silent", "player_2 kept silent"),
    "averted": (
        {"card": 37, "problem": 0, "deck": 0}, "you rerolled problem 1 with the Excuse",
        "player_2 rerolled problem 1 with the Excuse",
    ),
    "shuffle": ({"deck": 1, "cards": 1}, *2 * ("the discards became deck 2, 1 card",)),
    "end": (
        {"outcome": 1, "winner": 2}, "the end: the King names a Lord High Chancellor, you",
        "the end: the King names a Lord High Chancellor, player_2",
    ),
}  # fmt: skip

NICAEA: dict[str, Told] = {
    "dealt": (
        {"dispute": 0, "side": 1}, "you were dealt a card of I B",
        "player_2 was dealt a card of I B",
    ),
    "begun": ({}, "you begin with Constantine", "player_2 begins with Constantine"),
    "drew": ({"card": 0, "space": 0}, *2 * ("CARD came to space 1 (nothing)",)),
    "took": (
        {"card": 0, "space": 3, "price": 2}, "you chose debate doctrine for 2, with CARD",
        "player_2 chose debate doctrine for 2, with CARD",
    ),
    "played": (
        {"card": 0, "target": 2, "price": 0}, "you chose to play CARD to your own tableau free",
        "player_2 chose to play CARD to their own tableau free",
    ),
    "passed": (
        {"taken": 1, "pool": 0}, "you passed and took 1 TI from pool 1",
        "player_2 passed and took 1 TI from pool 1",
    ),
    "flipped": (
        {"card": 0, "influence": 1}, "you flipped CARD for 1", "player_2 flipped CARD for 1",
    ),
    "paid": ({"amount": 1}, "you paid 1 TI", "player_2 paid 1 TI"),
    "copied": ({"action": 0}, "you chose to copy nothing", "player_2 chose to copy nothing"),
    "refreshed": ({"card": 0}, "your CARD was turned up", "player_2's CARD was turned up"),
    "played_free": (
        {"card": 0}, "you played CARD by the Action", "player_2 played CARD by the Action",
    ),
    "bought": (
        {"dispute": 0, "side": 0, "price": 1}, "you chose to buy I A for 1",
        "player_2 chose to buy I A for 1",
    ),
    "declined": ({"phase": 1}, "you declined", "player_2 declined"),
    "won": ({"dispute": 0, "side": 0, "cards": 1}, *2 * ("I A won with 1 card",)),
    "marker": (
        {"dispute": 0, "value": 4}, "you drew a Victory Point marker worth 4 for dispute I",
        "player_2 drew a Victory Point marker worth 4 for dispute I",
    ),
    "round": (
        {"round": 0}, "Debate Round 1, Constantine to you",
        "Debate Round 1, Constantine to player_2",
    ),
    "bonus": (
        {"card": 0, "amount": 1}, "you had a bonus of 1 from the pair of CARD",
        "player_2 had a bonus of 1 from the pair of CARD",
    ),
    "lost": (
        {"amount": 1}, "you gave back 1 TI above the Canons",
        "player_2 gave back 1 TI above the Canons",
    ),
    "shared": ({"each": 1, "kept": 0}, *2 * ("the pools gave everybody 1 TI and kept 0",)),
    "moved": (
        {"space": 0}, "you put Constantine on space 1 (nothing)",
        "player_2 put Constantine on space 1 (nothing)",
    ),
    "named": ({"dispute": 0, "side": 0}, "you named I A", "player_2 named I A"),
    "revealed": (
        {"fours": 1, "fives": 0, "sixes": 2}, "you revealed 1 marker of 4, 0 of 5, 2 of 6",
        "player_2 revealed 1 marker of 4, 0 of 5, 2 of 6",
    ),
    "scored": (
        {"points": 1, "influence": 0}, "you scored 1 point with Influence 0",
        "player_2 scored 1 point with Influence 0",
    ),
    "end": (
        {"ending": 1, "schism": 1, "winners": 0b0101},
        "the end: all disputes are settled; schism, won by player_0 and you",
        "the end: all disputes are settled; schism, won by player_0 and player_2",
    ),
}  # fmt: skip

ONE = [1, *[0] * 9]
BELIEVERS: dict[str, Told] = {
    "begun": ({}, "you are the first Eye", "player_2 is the first Eye"),
    "dealt": ({"virtues": ONE}, "you were dealt Devotion", "player_2 was dealt Devotion"),
    "shamed": ({"target": 3}, "you shamed player_3", "player_2 shamed player_3"),
    "enlisted": (
        {"disciple": 1, "target": 2, "seen": None}, "you enlisted Penitent on yourself",
        "player_2 enlisted Penitent on themself",
    ),
    "heralded": (
        {"under": 1}, "you put the Mission under the deck",
        "player_2 put the Mission under the deck",
    ),
    "looked": (
        {"virtues": ONE}, "you were seen to hold Devotion", "player_2 was seen to hold Devotion",
    ),
    "said": (
        {"statements": [
            {"seat": 2, "says": "accuse", "about": 3}, {"seat": 3, "says": "vouch", "about": 2},
        ]},
        "statements: you accuse player_3; player_3 vouches for you",
        "statements: player_2 accuses player_3; player_3 vouches for player_2",
    ),
    "turned_up": (
        {"hand": 3, "pair": 1, "lifted": 1},
        "you chose player_3 as Hand for Devotion and Obedience; bars lifted: 1",
        "player_2 chose player_3 as Hand for Devotion and Obedience; bars lifted: 1",
    ),
    "gave": ({"pair": None}, "you gave two Virtues", "player_2 gave two Virtues"),
    "placed": (
        {"first": 0, "second": 1, "success": 1, "given": 2},
        "with you as Eye Devotion and Obedience were placed: success",
        "with player_2 as Eye Devotion and Obedience were placed: success",
    ),
    "witnessed": (
        {"pair": None}, "you saw as Witness what was given",
        "player_2 saw as Witness what was given",
    ),
    "claimed": (
        {"pair": 55, "as_eye": 1}, "you as Eye claimed nothing", "player_2 as Eye claimed nothing",
    ),
    "drew": (
        {"reason": 1, "kind": None}, "you drew a Virtue after the failure",
        "player_2 drew a Virtue after the failure",
    ),
    "tokens": (
        {"row": 0, "side": 1, "tokens": 1}, *2 * ("row 1 went to the Defectors: 1 token",),
    ),
    "nominated": (
        {"crisis": 0, "target": 3}, "you nominated CRISIS on player_3",
        "player_2 nominated CRISIS on player_3",
    ),
    "laid": (
        {"crisis": 0, "target": 2, "guarded": 1},
        "CRISIS was laid on you, whom a Guardian protected",
        "CRISIS was laid on player_2, whom a Guardian protected",
    ),
    "shown": ({"virtues": ONE}, "you showed to all Devotion", "player_2 showed to all Devotion"),
    "tithed": (
        {"target": 3, "kind": None}, "you gave a random Virtue to player_3",
        "player_2 gave a random Virtue to player_3",
    ),
    "discarded": (
        {"kind": 0, "bought": -1, "shows": -1}, "you discarded Devotion",
        "player_2 discarded Devotion",
    ),
    "dismissed": ({"disciple": 1}, "you discarded Penitent", "player_2 discarded Penitent"),
    "bought": (
        {"disciple": 1, "pile": 0}, "you chose to buy Penitent from pile 1",
        "player_2 chose to buy Penitent from pile 1",
    ),
    "end": (
        {"winner": 1, "ending": 1, "defectors": [2, 3]},
        "the end: all rows are played; the Defectors won; the Defectors were you and player_3",
        "the end: all rows are played; the Defectors won; the Defectors were player_2 and player_3",
    ),
}  # fmt: skip


class Teller:
    """Tells events of one game to a viewer."""

    def __init__(
        self, name: str, told: Mapping[str, Told], table: Any,
        tell: Callable[[dict[str, Any], int], str], words: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.name, self.told, self.table, self.tell = name, told, table, tell
        self.words = words or {}

    def event(self, name: str) -> dict[str, Any]:
        """The event of the examples, by seat 2 if anybody acts."""
        number = next(k for k, each in self.table.names.items() if each == name)
        seat = self.table.rows[number].seat
        return {"event": name, **({seat: 2} if seat else {}), **self.told[name][0]}


def tellers() -> dict[str, Teller]:
    """All games'."""
    nicaea, believers = get_game("nicaea").bind(), get_game("believers").bind()
    deck, cards = deck_in(nicaea), cards_in(believers)
    fields = dict(fields_of(plain_records(believers.template)[0]))
    return {
        "chancellors": Teller(
            "chancellors", CHANCELLORS, chancellors_state.EVENTS, chancellors_text
        ),
        "nicaea": Teller(
            "nicaea", NICAEA, nicaea_state.EVENTS,
            lambda event, viewer: nicaea_text(event, viewer, deck), {"CARD": deck.texts[0]},
        ),
        "believers": Teller(
            "believers", BELIEVERS, believers_state.EVENTS,
            lambda event, viewer: believers_text(cards, event, {**fields, "viewer": viewer}),
            {"CRISIS": cards.crises[0].name},
        ),
    }  # fmt: skip


TELLERS = tellers()
KINDS = [(game, kind) for game, teller in TELLERS.items() for kind in teller.told]


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_an_event_is_told_to_you_and_to_others(game: str, kind: str) -> None:
    teller = TELLERS[game]
    event, expected = teller.event(kind), list(teller.told[kind][1:])
    for word, meant in teller.words.items():
        expected = [text.replace(word, meant) for text in expected]
    told = [teller.tell(event, viewer) for viewer in (2, 0, SPECTATOR)]
    assert told == [expected[0], expected[1].replace("player_0", "you"), expected[1]]
    assert [fault for line in told for fault in wrong(line)] == []


def numbers(event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The event with its amounts 0, 1 and many, and -1 or unknown where it may be."""
    amounts = {
        "points", "cards", "tokens", "taken", "amount", "each", "kept", "price", "influence",
        "fours", "fives", "sixes", "lifted", "turns", "round", "target", "given",
    }  # fmt: skip
    free = [name for name in event if name in amounts and isinstance(event[name], int)]
    for values in itertools.product((0, 1, 2), repeat=len(free)):
        yield {**event, **dict(zip(free, values, strict=True))}


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_events_of_all_numbers_agree(game: str, kind: str) -> None:
    teller = TELLERS[game]
    for event in numbers(teller.event(kind)):
        for viewer in (0, 1, 2, 3, SPECTATOR):
            assert wrong(teller.tell(event, viewer)) == []


def test_every_kind_of_event_is_among_them() -> None:
    for teller in TELLERS.values():
        assert list(teller.told) == list(teller.table.names.values())


# Whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(TELLERS))
def test_all_that_is_told_of_a_game_agrees(game: str) -> None:
    options = {"talk": "claims"} if game == "believers" else {}
    rng = np.random.default_rng(5)
    bound = get_game(game).bind(**options)
    for seed in range(2):
        states, move = bound.new_state(seed), 0
        while True:
            running = int(plain_records(states)["status"][0]) == RUNNING
            if move % 11 == 0 or not running:
                for viewer in (*range(bound.num_players), SPECTATOR):
                    view = bound.view(states, viewer)
                    lines = [*bound.describe(view).split("\n"), *bound.events(view)]
                    assert [fault for line in lines for fault in wrong(line)] == []
                    drawn = [" ".join(line.split()) for line in bound.render(view).split("\n")]
                    faults = [fault for line in drawn for fault in wrong(line)]
                    assert [fault for fault in faults if "a gap" not in fault] == []
            if not running:
                break
            legal = np.flatnonzero(bound.legal_actions(states))
            bound.step(states, int(rng.choice(legal)))
            move += 1


# The words -----------------------------------------------------------------------------------


def test_words_that_agree() -> None:
    assert f"{seat_name(1, 1):was} {seat_name(1, 1):has} {seat_name(1, 1):'s}" == (
        "you were you have your"
    )
    assert f"{seat_name(1, 0):was}, {seat_name(1, 0):'s}" == "player_1 was, player_1's"
    assert f"[{seat_name(1, 1):<5}]" == "[you  ]"
    assert seat_name(1, 1).started("vouches") == "You vouch"
    assert [f"{Count(k):card}" for k in (0, 1, 2, 11)] == [
        "0 cards",
        "1 card",
        "2 cards",
        "11 cards",
    ]
    assert f"{Count(3)} {Count(3):>3} {Count(3):d}" == "3   3 3"
    assert [whom(1, 1, 1), whom(1, 1, 0), whom(1, 0, 1)] == ["yourself", "themself", "you"]


class Terminal(io.StringIO):
    """What standard output is for a person."""

    def isatty(self) -> bool:
        """Say that somebody reads it."""
        return True


@pytest.mark.parametrize("game", list(TELLERS))
def test_pictures_fit_the_terminal(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = GameEnv(get_game(game), render_mode="human")
    env.reset(seed=2)
    words = env.game.render(env.view(env.agent_selection)).split()
    monkeypatch.setenv("COLUMNS", "50")
    for stream, fits in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stdout", stream)
        env.render()
        lines = stream.getvalue().split("\n")
        assert (max(map(len, lines)) <= 50) == fits
        assert " ".join(lines).split() == words


def test_lines_break_between_words() -> None:
    text = "one two three four five six\n\n  eins zwei drei vier\nverylongwordthatdoesnotfithere a"
    assert wrapped(text, 20).split("\n") == [
        "one two three four", "    five six", "", "  eins zwei drei", "      vier",
        "verylongwordthatdoesnotfithere", "    a",
    ]  # fmt: skip
    assert wrapped("a   b", 20) == "a   b"
