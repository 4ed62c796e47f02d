"""The ways a game ends, which of them comes first, and what each player gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs import IllegalActionError
from concilium.envs.chancellors.actions import END_TURN
from concilium.envs.chancellors.state import Event, Outcome

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Table

WINNER_PAYOFF = {2: [1.0, -1.0], 3: [1.0, -1 / 2], 4: [1.0, -1 / 3]}

# players, tied for the lowest score: what each of these gets, what each other gets
LOWEST_WINS = {
    (2, 1): (1.0, -1.0), (2, 2): (0.0, 0.0),
    (3, 1): (1.0, -1 / 2), (3, 2): (1 / 4, -1 / 2), (3, 3): (0.0, 0.0),
    (4, 1): (1.0, -1 / 3), (4, 2): (1 / 3, -1 / 3), (4, 3): (1 / 9, -1 / 3), (4, 4): (0.0, 0.0),
}  # fmt: skip


def test_reaching_the_target_wins_at_once(table: Build, players: int) -> None:
    # C10: before reroll, escalation and draw
    active = players - 1
    scores = [44] * players
    t = table(
        players,
        active=active,
        hands={active: ["Mill", "Sea"]},
        owners={"Sailor": active},
        scores=scores,
        dice=[(2, 6), (1, 2), (3, 3)],
    )
    t.solve(0, "public", "Mill")
    assert t.terminated
    assert t["outcome"] == Outcome.WON
    assert t["winner"] == active
    assert t.scores == [44] * active + [50]
    assert t.dice == [(2, 6), (1, 2), (3, 3)]
    assert t.sizes == [0] * active + [1]
    assert t.events(Event.ROLL, Event.ESCALATE, Event.DRAW, Event.TURN) == []
    assert t.discards == {"Mill"}
    assert t.pending == set()


@pytest.mark.parametrize(("score", "wins"), [(43, False), (44, True), (45, True), (49, True)])
def test_the_target_may_be_passed_but_not_missed(
    table: Build, players: int, score: int, wins: bool
) -> None:
    # C10: 50 or more; 49 is not enough
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        scores=[score],
        dice=[(2, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public", "Mill")
    assert t.scores[0] == score + 6
    assert t.terminated == wins
    assert t.running != wins


def test_a_quiet_solve_wins_too(table: Build, players: int) -> None:
    # C10
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        scores=[48],
        dice=[(3, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "quiet", "Mill")
    assert (t.terminated, t["winner"]) == (True, 0)


def test_the_second_problem_of_a_turn_wins(table: Build, players: int) -> None:
    # C10
    t = table(
        players,
        hands={0: ["Mill", "Sea"]},
        owners={"Sailor": 0},
        scores=[40],
        dice=[(2, 6), (4, 5), (1, 1)],
    )
    t.solve(0, "public", "Mill")
    assert t.running
    t.solve(1, "quiet", "Sea")
    assert t.running  # 46 + 3
    t = table(
        players,
        hands={0: ["Mill", "Sea"]},
        owners={"Sailor": 0},
        scores=[40],
        dice=[(2, 6), (4, 5), (1, 1)],
    )
    t.solve(0, "public", "Mill")
    t.solve(1, "public", "Sea")
    assert t.terminated  # 46 + 5


@pytest.mark.parametrize("target", [1, 5, 6, 7, 200])
def test_the_target_score_is_an_option(table: Build, players: int, target: int) -> None:
    # C10
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        dice=[(2, 6), (1, 1), (1, 1)],
        target_score=target,
    )
    t.solve(0, "public", "Mill")
    assert t.terminated == (target <= 6)


def test_a_win_comes_before_the_calamity(table: Build, players: int) -> None:
    # C10: another problem at 6-6 does not matter any more
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        scores=[44],
        dice=[(2, 6), (6, 6), (6, 6)],
    )
    t.solve(0, "public", "Mill")
    assert t["outcome"] == Outcome.WON
    assert t.returns[0] == 1.0


@pytest.mark.parametrize("calamity", ["all_lose", "lowest_wins"])
def test_payoff_of_a_win(table: Build, players: int, calamity: str) -> None:
    # C18: +1 and -1/(n-1), whatever the option for calamities and the other scores
    for winner in range(players):
        scores = [10 * seat for seat in range(players)]
        scores[winner] = 44
        t = table(
            players,
            active=winner,
            hands={winner: ["Mill"]},
            owners={"Sailor": winner},
            scores=scores,
            dice=[(2, 6), (1, 1), (1, 1)],
            calamity=calamity,
        )
        assert t.returns == [0.0] * players
        t.solve(0, "public", "Mill")
        win, loss = WINNER_PAYOFF[players]
        expected = [win if seat == winner else loss for seat in range(players)]
        assert t.returns == pytest.approx(expected)


@pytest.mark.parametrize("scores", [[0, 0, 0, 0], [49, 3, 2, 1]])
def test_payoff_of_a_calamity_where_all_lose(table: Build, players: int, scores: list[int]) -> None:
    # C18
    t = table(players, scores=scores[:players], dice=[(6, 6), (1, 1), (1, 1)], calamity="all_lose")
    t.end_turn()
    assert (t.terminated, t["outcome"]) == (True, Outcome.CALAMITY)
    assert t.returns == [-1.0] * players


@pytest.mark.parametrize(("count", "tied"), LOWEST_WINS)
@pytest.mark.parametrize("first", [0, 1, 2, 3])
@pytest.mark.parametrize("low", [0, 7])
def test_payoff_of_a_calamity_where_the_lowest_wins(
    table: Build, count: int, tied: int, first: int, low: int
) -> None:
    # C18: each number of tied players, in each place at the table
    winners = {(first + k) % count for k in range(tied)}
    scores = [low if seat in winners else low + 1 + seat for seat in range(count)]
    t = table(count, scores=scores, dice=[(6, 6), (1, 1), (1, 1)], calamity="lowest_wins")
    t.end_turn()
    gain, loss = LOWEST_WINS[count, tied]
    expected = [gain if seat in winners else loss for seat in range(count)]
    assert t.returns == pytest.approx(expected)
    assert sum(t.returns) == pytest.approx(0.0)


def test_one_point_less_is_no_tie(table: Build, players: int) -> None:
    # C18: a near tie
    scores = [20] * players
    scores[-1] = 19
    t = table(players, scores=scores, dice=[(6, 6), (1, 1), (1, 1)], calamity="lowest_wins")
    t.end_turn()
    win, loss = WINNER_PAYOFF[players]
    assert t.returns == pytest.approx([loss] * (players - 1) + [win])


def test_points_of_the_last_turn_count_at_a_calamity(table: Build, players: int) -> None:
    # C18: 0 + 6 points against 5, so the active player is not the lowest
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        scores=[0, *[5] * (players - 1)],
        dice=[(2, 6), (6, 6), (1, 1)],
        calamity="lowest_wins",
    )
    t.solve(0, "public", "Mill")
    t.end_turn()
    assert t.returns[0] < 0 <= t.returns[1]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_the_game_is_cut_short_after_so_many_turns(table: Build, players: int, limit: int) -> None:
    # C19: after the draw of that turn; 0 for all
    t = table(players, max_turns=limit)
    for _ in range(limit):
        assert t.running
        t.finish_turn()
    assert (t.truncated, t.terminated, t.running) == (True, False, False)
    assert t["outcome"] == Outcome.OUT_OF_TIME
    assert t["turns"] == limit
    assert t.sizes == [limit] * players
    assert t.returns == [0.0] * players
    assert sum(t.dice[0]) == 2 + limit  # escalated in that turn too
    assert [event[0] for event in t.events()][-1] == Event.END


def test_the_turn_before_the_limit_is_an_ordinary_one(table: Build, players: int) -> None:
    # C19
    t = table(players, turns=298)
    t.finish_turn()
    assert (t.running, t["turns"], t.actor) == (True, 299, 1)
    t.finish_turn()
    assert (t.truncated, t["turns"]) == (True, 300)


@pytest.mark.parametrize("scores", [[49, 0, 0, 0], [3, 4, 5, 6]])
@pytest.mark.parametrize("calamity", ["all_lose", "lowest_wins"])
def test_scores_do_not_matter_when_cut_short(
    table: Build, players: int, scores: list[int], calamity: str
) -> None:
    # C19
    t = table(players, scores=scores[:players], turns=299, calamity=calamity)
    t.finish_turn()
    assert t.truncated
    assert t.returns == [0.0] * players


def test_a_win_in_the_last_turn_comes_first(table: Build, players: int) -> None:
    # C19
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        scores=[44],
        turns=299,
        dice=[(2, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public", "Mill")
    assert (t.terminated, t.truncated, t["outcome"]) == (True, False, Outcome.WON)
    assert t.returns[0] == 1.0


def test_a_calamity_in_the_last_turn_comes_first(table: Build, players: int) -> None:
    # C19
    t = table(players, turns=299, dice=[(6, 6), (1, 1), (1, 1)])
    t.end_turn()
    assert (t.terminated, t.truncated, t["outcome"]) == (True, False, Outcome.CALAMITY)
    assert t.returns == [-1.0] * players


def test_a_6_6_reached_in_the_last_turn_is_no_calamity(table: Build, players: int) -> None:
    # C12, C19: nor is anybody asked to avert it
    t = table(players, turns=299, dice=[(5, 6), (1, 1), (1, 1)], hands={1: ["Excuse"]}, excuse=True)
    t.end_turn()
    assert t.truncated
    assert t.dice[0] == (6, 6)
    assert t.returns == [0.0] * players


def ended(table: Build, players: int, how: int) -> Table:
    """Return a game that ended in one of the three ways."""
    if how == Outcome.WON:
        t = table(
            players,
            hands={0: ["Mill"]},
            owners={"Sailor": 0},
            scores=[44],
            dice=[(2, 6), (1, 1), (1, 1)],
        )
        t.solve(0, "public", "Mill")
    elif how == Outcome.CALAMITY:
        t = table(players, dice=[(6, 6), (1, 1), (1, 1)])
        t.end_turn()
    else:
        t = table(players, max_turns=1)
        t.end_turn()
    assert t["outcome"] == how
    return t


@pytest.mark.parametrize("how", [Outcome.WON, Outcome.CALAMITY, Outcome.OUT_OF_TIME])
def test_after_the_end_nobody_moves(table: Build, players: int, how: int) -> None:
    # C10, C12, C19
    t = ended(table, players, how)
    assert t.actor == -1
    assert t.legal == set()
    before = t.state.tobytes()
    with pytest.raises(IllegalActionError, match="after the end"):
        t.game.step(t.state, END_TURN)
    assert t.state.tobytes() == before


@pytest.mark.parametrize(
    ("how", "winner"), [(Outcome.WON, 0), (Outcome.CALAMITY, -1), (Outcome.OUT_OF_TIME, -1)]
)
def test_the_log_tells_the_end(table: Build, players: int, how: int, winner: int) -> None:
    # C14
    t = ended(table, players, how)
    assert t.events()[-1][:3] == (Event.END, winner, how)
    assert t["winner"] == winner


def test_random_play_ends_in_calamity_soon(deal: Build, players: int) -> None:
    # what is known about play: practically always, in 5 to 8 turns
    rng = np.random.default_rng(players)
    turns = []
    for seed in range(100):
        t = deal(players, seed)
        while t.running:
            t.step(int(rng.choice(sorted(t.legal))))
        assert t["outcome"] == Outcome.CALAMITY
        assert t.returns == [-1.0] * players
        turns.append(int(t["turns"]))
    assert 4 <= np.mean(turns) <= 9
