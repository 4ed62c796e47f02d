"""Whom the Eye can choose as Hand, and the order in which bars are lifted (B9)."""

from __future__ import annotations

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import state as S
from tests.games.believers.tables import Table, build, pair


def bits(*seats: int) -> int:
    """Seats as bits."""
    return sum(1 << seat for seat in seats)


def at_choice(
    players: int,
    last: int = -1,
    shamed: tuple[int, ...] = (),
    exiled: int | None = None,
    barred: tuple[int, ...] = (),
    guardians: tuple[int, ...] = (),
) -> Table:
    """The Eye, seat 0, chooses the Hand; who is kept out by what."""
    t = build(
        players, last_hand=last, gossip=dict.fromkeys(shamed, 3), exiled=exiled,
        disciples={seat: ["Guardian"] for seat in guardians},
    )  # fmt: skip
    t.all_done()
    t.state["barred"] = bits(*barred)
    assert t.asked == (0, "choice")
    return t


def lifted(t: Table) -> int:
    """Choose the first candidate; how many bars were lifted, as everybody is told."""
    t.choose(t.choices[0])
    (event,) = t.events(S.Event.TURNED_UP, viewer=SPECTATOR)
    return event[4]


def test_anybody_but_the_eye(players: int) -> None:
    t = at_choice(players)
    assert t.choices == list(range(1, players))
    assert lifted(t) == 0


def test_not_the_last_hand(players: int) -> None:
    t = at_choice(players, last=2)
    assert t.choices == [k for k in range(1, players) if k != 2]
    assert lifted(t) == 0


def test_the_hand_of_a_round_is_out_in_the_next_only(players: int) -> None:
    t = build(players)
    t.round(won=True, hand=3)
    t.all_done()
    assert 3 not in t.choices
    t.choose(4)
    t.give("DH")
    t.place("D")
    t.all_done()
    assert 3 in t.choices
    assert 4 not in t.choices


def test_the_last_hand_is_out_across_rows(players: int) -> None:
    # B9
    t = build(players)
    t.rounds("SSS")
    t.round(won=True, hand=0)
    assert t["last_hand"] == 0
    t.pass_the_night()
    assert t["row"] == 1
    t.all_done()
    assert 0 not in t.choices


@pytest.mark.parametrize("guarded", [False, True])
def test_all_bars_at_once(players: int, guarded: bool) -> None:
    guardians = (2,) if guarded else ()
    t = at_choice(players, last=1, shamed=(2,), exiled=3, barred=(4,), guardians=guardians)
    if guarded:
        assert t.choices == [2, *range(5, players)]
    else:
        assert t.choices == (list(range(5, players)) or [1])  # of five, the last Hand


def test_bars_are_lifted_one_after_the_other(players: int) -> None:
    # B9: last Hand, Shame, Exile, Doorkeeper; what is lifted stays lifted
    rest = tuple(range(5, players))
    # everybody else is kept out by a Doorkeeper
    t = at_choice(players, last=1, shamed=(2,), exiled=3, barred=(4, *rest))
    assert t.choices == [1]
    assert lifted(t) == 1
    # the last Hand is shamed as well: that bar alone does not help
    t = at_choice(players, last=1, shamed=(1, 2), exiled=3, barred=(4, *rest))
    assert t.choices == [1, 2]
    assert lifted(t) == 2
    # now the shamed are exiled or at a closed door: the exiled comes in, who was the last Hand too
    t = at_choice(players, last=3, shamed=(2, 3), exiled=3, barred=(1, 2, 4, *rest))
    assert t.choices == [3]
    assert lifted(t) == 3
    # a Doorkeeper before everybody: all but the Eye
    t = at_choice(players, last=1, shamed=(2,), exiled=3, barred=(1, 2, 3, 4, *rest))
    assert t.choices == list(range(1, players))
    assert lifted(t) == 4


def test_a_bar_is_lifted_for_all_at_once(players: int) -> None:
    # B9: once Shame does not bar, it bars nobody
    everybody = tuple(range(1, players))
    t = at_choice(players, last=1, shamed=everybody)
    assert t.choices == list(everybody)
    assert lifted(t) == 2


def test_no_bar_is_lifted_while_somebody_is_left(players: int) -> None:
    # B9: the last one left has to be taken
    t = at_choice(players, last=1, shamed=tuple(range(1, players - 1)))
    assert t.choices == [players - 1]
    assert lifted(t) == 0


def test_a_guardian_among_the_shamed_is_the_only_one_left(players: int) -> None:
    # B9: Guardian lifts Shame's bar for its owner, before any bar is lifted for all
    t = at_choice(players, shamed=tuple(range(1, players)), guardians=(3,))
    assert t.choices == [3]
    assert lifted(t) == 0


def test_a_guardian_at_a_closed_door(players: int) -> None:
    # B9: Guardian lifts Shame's bar only
    t = at_choice(players, shamed=tuple(range(1, players)), guardians=(3,), barred=(3,))
    assert t.choices == [k for k in range(1, players) if k != 3]
    assert lifted(t) == 2


def test_the_displaced_eye_is_barred_like_anybody(players: int) -> None:
    # B8, B9
    t = build(players, disciples={1: ["Regent"]}, gossip={0: 3})
    t.done()
    t.enlist("Regent")
    t.all_done()
    assert t.choices == list(range(2, players))


def test_the_mission_is_turned_up_after_the_choice(players: int) -> None:
    # B9: and before the Hand picks; everybody sees it
    t = build(players, mission="HC")
    t.all_done()
    for viewer in (*range(players), SPECTATOR):
        assert t.view(viewer)["mission_pair"][0] == -1
        assert t.view(viewer)["next_mission"] == -1
    t.choose(2)
    assert t.asked == (2, "gift")
    for viewer in (*range(players), SPECTATOR):
        assert t.view(viewer)["mission_pair"][0] == pair("HC")
        assert t.view(viewer)["hand_seat"] == 2


def test_missions_come_by_card() -> None:
    # 14 of 40 Missions are of Devotion and Obedience
    found = 0
    for seed in range(200):
        t = build(5, seed=seed)
        t.state["next_mission"] = -1
        t.all_done()
        t.choose(1)
        found += t.mission(0)["pair"] == "DO"
    assert 43 <= found <= 97  # 70 expected, four deviations of 6.7


def test_exile_is_for_one_row(players: int) -> None:
    # Exile: not the Hand in the next row
    t = build(players, exiled=2)
    for result in "SFS":
        t.set_hands("DH")
        t.set_next_mission("DO")
        t.all_done()
        assert 2 not in t.choices
        t.choose(t.choices[-1])
        t.give("DH")
        t.place("D" if result == "S" else "H")
    t.round(won=True)
    assert t["row_crisis"] == -1
