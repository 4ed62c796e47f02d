"""What a game is worth to whom (B22), in both forms."""

from __future__ import annotations

import pytest

from concilium.envs.believers import state as S
from tests.games.believers.tables import DEFECTORS, Table, build


def played(players: int, results: str, reward: str) -> Table:
    """A game over; the last seats are the Defectors."""
    t = build(players, options={"reward": reward})
    t.rounds(results)
    assert t.over
    return t


@pytest.mark.parametrize(
    ("results", "winner"),
    [
        ("SSSSSSSS", S.Faith.BELIEVER), ("FFFFFFFF", S.Faith.DEFECTOR),  # early
        ("SSSFFFSSFSF", S.Faith.DEFECTOR), ("SSSFFFSSFSS", S.Faith.BELIEVER),  # the peak
        ("SSSSSFFSFSFS", S.Faith.BELIEVER), ("SSSSSFFSFSFF", S.Faith.DEFECTOR),  # the decider
    ],
)  # fmt: skip
def test_every_way_to_end(players: int, results: str, winner: int) -> None:
    # B22: each winner +1, each loser -1; or shared within the side
    defectors = DEFECTORS[players]
    believers = players - defectors
    sign = 1 if winner == S.Faith.BELIEVER else -1
    t = played(players, results, "team")
    assert t["winner"] == winner
    assert t.returns == [sign] * believers + [-sign] * defectors
    t = played(players, results, "zero_sum")
    assert t.returns == pytest.approx(
        [sign / believers] * believers + [-sign / defectors] * defectors
    )
    assert sum(t.returns) == pytest.approx(0)


def test_nothing_while_the_game_runs(players: int) -> None:
    for reward in ("team", "zero_sum"):
        t = build(players, options={"reward": reward})
        t.rounds("SSSSSSS")
        assert t.tokens == [4, 0]
        assert t.returns == [0.0] * players


def test_five_players_by_hand() -> None:
    # B22: 3 True Believers, 2 Defectors
    assert played(5, "SSSSSSSS", "zero_sum").returns == pytest.approx([1 / 3] * 3 + [-1 / 2] * 2)
    assert played(5, "FFFFFFFF", "zero_sum").returns == pytest.approx([-1 / 3] * 3 + [1 / 2] * 2)
    assert played(5, "FFFFFFFF", "team").returns == [-1, -1, -1, 1, 1]


def test_seats_of_the_sides_do_not_matter(players: int) -> None:
    # B22: by Faith, wherever they sit
    t = build(players, defectors=range(DEFECTORS[players]))
    t.rounds("SSSSSSSS")
    assert t.returns == [-1] * DEFECTORS[players] + [1] * (players - DEFECTORS[players])
