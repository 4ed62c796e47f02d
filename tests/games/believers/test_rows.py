"""Rows: ties, sweeps, the peak (B14), succession (B15), early ends (B18), the decider (B19)."""

from __future__ import annotations

import pytest

from concilium.envs import IllegalActionError
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.core.state import TERMINATED
from tests.games.believers.tables import Table, build

OPPOSITE = str.maketrans("SF", "FS")


def row_tokens(t: Table) -> list[int]:
    """Tokens of each row: those of True Believers above 0, of Defectors below."""
    return [int(count) for count in t["row_tokens"]]


def after(players: int, results: str, **options: object) -> Table:
    """The game after so many Missions, with a night wherever one is due before the next."""
    t = build(players, options=options)
    t.rounds(results)
    return t


@pytest.mark.parametrize(
    ("results", "tokens"),
    [
        ("SSSS", [2, 0]),  # a sweep
        ("FFFF", [0, 2]),
        ("SSSF", [1, 0]),
        ("FSFF", [0, 1]),
        ("SFSFS", [1, 0]),  # a tie and one Mission more
        ("SSFFF", [0, 1]),
    ],
)  # fmt: skip
def test_tokens_of_the_first_row(players: int, results: str, tokens: list[int]) -> None:
    # B14
    t = after(players, results)
    assert t.tokens == tokens
    assert row_tokens(t) == [tokens[0] - tokens[1], 0, 0, 0, 0]
    (event,) = t.events(S.Event.TOKENS)
    side = 0 if tokens[0] else 1
    assert event == (S.Event.TOKENS, -1, 0, side, max(tokens), -1)
    assert t.kind == "night"


@pytest.mark.parametrize("results", ["SFSF", "SSFF", "FSSF", "FFSS"])
def test_a_tie_asks_for_one_more_mission_in_the_row(players: int, results: str) -> None:
    # B14: a full round; no tokens and no night yet
    t = after(players, results)
    assert t.kind == "call"
    assert (t["row"], t["row_played"], t["row_won"]) == (0, 4, 2)
    assert t.tokens == [0, 0]
    assert t.actor == 4 % players
    t.rounds("S")
    assert t.mission(4)["row"] == 0
    assert t.kind == "night"


def test_shame_and_row_effects_go_on_in_the_extra_mission(players: int) -> None:
    # B14
    t = build(players, gossip={2: 3}, shame={1: 3}, row_crisis=(S.Trouble.EXILE, 4))
    t.rounds("SFSF")
    assert t.shame(2) == 3
    assert t["shame_at"][1] == 3
    assert (t["row_crisis"], t["row_target"]) == (S.Trouble.EXILE, 4)
    t.all_done()
    assert not {2, 4} & set(t.choices)
    t = build(players, gossip={2: 3}, shame={1: 3}, row_crisis=(S.Trouble.EXILE, 1))
    t.rounds("SFSFS")
    assert t.shame(2) == t.shame(3) == 0
    assert t["row_crisis"] == -1


def test_no_sweep_after_a_tie(players: int) -> None:
    # B14: three successes of five are one token
    assert after(players, "FFSSS").tokens == [1, 0]


@pytest.mark.parametrize(
    ("results", "tokens"), [("SSS", [4, 0]), ("SSF", [3, 0]), ("SFF", [2, 1]), ("FFF", [2, 2])]
)
def test_the_second_row_has_three_missions(players: int, results: str, tokens: list[int]) -> None:
    # B14: it cannot tie
    t = after(players, "SSSS" + results)
    assert t.tokens == tokens
    assert t.kind == "night"
    assert t["crises"].tolist().count(-1) == 1


@pytest.mark.parametrize(
    ("results", "tokens"), [("SS", [3, 1]), ("FF", [1, 3]), ("SFS", [2, 1]), ("FSF", [1, 2])]
)
def test_the_third_row_can_tie(players: int, results: str, tokens: list[int]) -> None:
    # B14
    t = after(players, "SSSF" + "FFS" + results)
    assert t.tokens == tokens
    assert t.kind == "night"


@pytest.mark.parametrize(("result", "tokens"), [("S", [4, 1]), ("F", [2, 3])])
def test_the_peak_is_worth_two(players: int, result: str, tokens: list[int]) -> None:
    # B14: two, not four, though all of its Missions are alike
    t = after(players, "SSSF" + "FFS" + "SFS" + result)
    assert t.tokens == tokens
    assert row_tokens(t) == [1, -1, 1, 2 if result == "S" else -2, 0]
    assert t.over
    assert t["ending"] == S.Ending.PLAYED_OUT
    assert t["winner"] == (S.Faith.BELIEVER if result == "S" else S.Faith.DEFECTOR)


def test_the_eye_moves_one_seat_left_after_each_mission(players: int) -> None:
    # B15: across rows and extra Missions
    results = "SFSFS" + "FSF" + "SFF" + "S"
    t = after(players, results)
    assert t["mission_eye"][: len(results)].tolist() == [
        number % players for number in range(len(results))
    ]


def test_rows_are_played_from_the_bottom(players: int) -> None:
    t = after(players, "SFSFS" + "FSF" + "SFF" + "S")
    assert t["mission_row"][:12].tolist() == [0] * 5 + [1] * 3 + [2] * 3 + [3]
    assert t["mission_result"][:12].tolist() == [int(r == "S") for r in "SFSFSFSFSFFS"]


# early ends


def endings(players: int, results: str, **options: object) -> tuple[list[bool], Table]:
    """Whether the game was over after each Mission."""
    t = build(players, options=options)
    over = []
    for result in results:
        t.rounds(result)
        over.append(t.over)
    return over, t


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("results", ["SSSSSSSS", "SSSSSSSFS"])
def test_two_sweeps_and_a_mission(players: int, results: str, mirrored: bool) -> None:
    # B18: at 4-0 the game ends when the leader wins a Mission of row 3, without an extra Mission
    over, t = endings(players, results.translate(OPPOSITE) if mirrored else results)
    assert over == [False] * (len(results) - 1) + [True]
    assert t["ending"] == S.Ending.EARLY
    assert t["winner"] == int(mirrored)
    assert sorted(t.tokens) == [0, 4]
    defectors = sum(1 << k for k in range(players) if t["faith"][k] == S.Faith.DEFECTOR)
    assert t.events(S.Event.END) == [
        (S.Event.END, -1, int(mirrored), S.Ending.EARLY, defectors, -1)
    ]
    assert t["actor"] == -1


def test_two_sweeps_are_not_enough(players: int) -> None:
    # B18: the other side can still sweep row 3 and win the peak, and then the decider
    over, t = endings(players, "SSSSSSS" + "FF" + "F")
    assert over == [False] * 10
    assert t.tokens == [4, 4]
    t.rounds("F")
    assert t.over
    assert t["winner"] == S.Faith.DEFECTOR


@pytest.mark.parametrize(
    ("results", "last"),
    [
        # 2-0 after row 1, then 3-0: 2 + 2 are still to come for the other side; 4 > 3
        ("SSSS" "SSF" "SFS", "early"),  # 4-0 before the peak: two at most
        ("SSSS" "SSF" "SS", "early"),  # 5-0
        ("SSSS" "SFF" "SFS", "goes on"),  # 3-1: the peak makes it 3-3
        ("SSSS" "SFF" "SS", "early"),  # 4-1
        ("SSSF" "SSF" "SFS", "early"),  # 3-0
        ("SSSF" "SSF" "SFF", "goes on"),  # 2-1
        ("SSSF" "SSS" "SFF", "goes on"),  # 3-1
        ("SSSF" "SSS" "FSS", "early"),  # 4-0
        ("SSSF" "FFF" "SFS", "goes on"),  # 2-2
        ("SSSF" "SFF" "SS", "goes on"),  # 3-1
    ],
)  # fmt: skip
def test_the_end_before_the_peak(players: int, results: str, last: str) -> None:
    # B18: over when the trailing side cannot even tie with the two tokens of the peak
    over, t = endings(players, results)
    assert over == [False] * (len(results) - 1) + [last == "early"]
    if last == "early":
        assert t["ending"] == S.Ending.EARLY
        assert t["winner"] == S.Faith.BELIEVER
    else:
        assert t.kind == "night"


@pytest.mark.parametrize(
    ("results", "over"),
    [
        ("SSSS" "SSS" "S", True),  # 4-0: 1 (a tie and an extra Mission) and 2 are not 4
        ("SSSS" "SSS" "F", False),  # a sweep and the peak are
        ("SSSS" "SSS" "FS", True),  # a tie: no sweep any more
        ("SSSS" "SSF" "S", False),  # 3-0: 1 + 2
        ("SSSS" "SSF" "SF", False),
        ("SSSF" "SSS" "SF", False),
        ("SSSS" "S", False),
        ("SSSS" "SS", False),  # 2-0: one row to be swept, the peak
    ],
)  # fmt: skip
def test_the_end_within_a_row(players: int, results: str, over: bool) -> None:
    # B18: the test after each Mission
    found, _ = endings(players, results)
    assert found == [False] * (len(results) - 1) + [over]


def test_the_end_comes_after_draws_and_tokens(players: int) -> None:
    # B12: Eye and Hand still draw, no night follows
    t = after(players, "FFFFFFF")
    t.pass_the_night()
    t.state["log_count"], t.state["log"] = 0, 0
    t.round(won=False)
    assert t.over
    assert [event[0] for event in t.events()][-3:] == [S.Event.DREW, S.Event.DREW, S.Event.END]


# the decider


@pytest.mark.parametrize("result", ["S", "F"])
def test_a_tie_after_the_peak(players: int, result: str) -> None:
    # B19
    t = after(players, "SSSS" + "SFF" + "SFS" + "F")  # 2-0, 2-1, 3-1, 3-3
    assert not t.over
    assert t.tokens == [3, 3]
    assert (t["row"], t["row_played"], t["row_won"]) == (4, 0, 0)
    number = int(t["mission"])
    t.rounds(result)
    assert t["status"] == TERMINATED
    assert t["ending"] == S.Ending.DECIDED
    assert t["winner"] == (S.Faith.BELIEVER if result == "S" else S.Faith.DEFECTOR)
    assert row_tokens(t)[4] == (1 if result == "S" else -1)
    assert t.mission(number)["row"] == 4
    assert t.mission(number)["eye"] == number % players


def test_what_ends_before_the_decider(players: int) -> None:
    # B19: a row of its own: Shame back, row effects over; last Hand and Eyes go on
    t = after(players, "SSSS" + "SFF" + "SFS")
    t.pass_the_night()
    seat = t.after(t.actor, 2)
    t.state["gossip"][0, seat] = 3
    t.state["shame_at"][0, 1] = 2
    t.state["row_crisis"], t.state["row_target"] = S.Trouble.EXILE, t.after(t.actor, 3)
    hand = t.after(t.actor, 4)
    t.round(won=False, hand=hand)
    assert t["row"] == 4
    assert t["gossip"].tolist() == [0] * 10
    assert t["shame_at"][:players].tolist() == [S.OWN] * players
    assert t["row_crisis"] == -1
    assert t["last_hand"] == hand
    crises = t.crises
    assert t.shames == [k for k in range(players) if k != t.actor]
    t.all_done()
    assert hand not in t.choices
    assert t.crises == crises  # no night before it


def test_a_failed_decider_is_a_row_that_failed(players: int) -> None:
    # B12: everybody draws, the decider included
    t = after(players, "SSSS" + "SFF" + "SFS" + "F")
    assert t["row"] == 4
    t.state["log_count"], t.state["log"] = 0, 0
    t.round(won=False)
    assert [why for _, why, _ in t.draws()] == [S.Reason.AFTER_FAILURE] * 2 + [
        S.Reason.AFTER_ROW
    ] * players


def test_a_failed_peak_is_a_row_that_failed(players: int) -> None:
    # B12
    t = after(players, "SSSS" + "SFF" + "SFS")
    t.pass_the_night()
    t.state["log_count"], t.state["log"] = 0, 0
    t.round(won=False)
    assert [why for _, why, _ in t.draws()] == [S.Reason.AFTER_FAILURE] * 2 + [
        S.Reason.AFTER_ROW
    ] * players


def test_the_longest_game_has_thirteen_missions(players: int) -> None:
    # rows 1 and 3 tie, and so does the whole: 5 + 3 + 3 + 1 + 1
    t = after(players, "SFSFS" + "SSS" + "SFF" + "F" + "S")  # 1-0, 3-0, 3-1, 3-3
    assert t.over
    assert t["mission"] == 13
    assert t["mission_result"][:14].tolist() == [1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, -1]


def test_nothing_is_legal_after_the_end(players: int) -> None:
    t = after(players, "SSSSSSSS")
    assert t.legal == set()
    with pytest.raises(IllegalActionError):
        t.step(act.DONE)


# other rows


def rows_of(results: str, rows: str) -> Table:
    """Five players on another pyramid."""
    return after(5, results, rows=rows)


@pytest.mark.parametrize(
    ("rows", "results", "tokens", "how"),
    [
        ("1", "S", [2, 0], S.Ending.PLAYED_OUT),
        ("2", "SS", [2, 0], S.Ending.PLAYED_OUT),  # a peak of two: two tokens, no more for a sweep
        ("2", "SFF", [0, 2], S.Ending.PLAYED_OUT),  # it can tie like any row of an even number
        ("1-1", "SS", [4, 0], S.Ending.PLAYED_OUT),  # a row of one is swept
        ("1-1", "SFF", [2, 3], S.Ending.DECIDED),
        ("2-1", "SFSF", [1, 2], S.Ending.PLAYED_OUT),
        ("2-1", "SSFS", [3, 2], S.Ending.DECIDED),
        ("1-2", "SS", [2, 0], S.Ending.OPEN),  # others can still tie: extra Mission, two tokens
        ("1-2", "SSFF", [2, 2], S.Ending.OPEN),  # a decider
        ("3-1", "SSFF", [1, 2], S.Ending.PLAYED_OUT),
        ("1-1-1", "SS", [4, 0], S.Ending.EARLY),  # the peak is two only
        ("1-1-1", "SF", [2, 2], S.Ending.OPEN),
        ("4", "SFSFF", [0, 2], S.Ending.PLAYED_OUT),
        ("1-3", "SSS", [2, 0], S.Ending.EARLY),  # two of three at the peak: others have 0 to come
    ],
)  # fmt: skip
def test_other_pyramids(rows: str, results: str, tokens: list[int], how: int) -> None:
    # options: the last row is the peak; B14, B18, B19
    t = rows_of(results, rows)
    assert t.tokens == tokens
    assert t["ending"] == how


def test_equal_tokens_never_end_a_row_early() -> None:
    # B18: nobody trails at 0-0, though the peak of four cannot be lost any more after three
    t = rows_of("SSS", "4")
    assert t["ending"] == S.Ending.OPEN
    t.rounds("F")
    assert t.tokens == [2, 0]
    assert t["ending"] == S.Ending.PLAYED_OUT


def test_no_night_after_the_peak() -> None:
    # options: Crisis after every row but the last, Indoctrination before every row but the first
    t = rows_of("S", "2-2-1")
    kinds = []
    for result in "SFFSSSS":
        while t.kind in ("night", "fasting", "indoctrination"):
            kinds.append(t.kind)
            t.step(act.PASS if t.kind == "indoctrination" else min(t.legal))
        t.round(result == "S")
        if t.over:
            break
    assert t.over
    assert kinds.count("indoctrination") == 10
    assert kinds.count("night") == 4
