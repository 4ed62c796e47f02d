"""What makes the characters differ, shown on positions made by hand; the numbers are in the tables.

The bot to decide holds the cards named, everybody else's hand does not matter. A value worked out
in a comment is what a plan gains less what it spends, by the bot's table.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from concilium.baselines.chancellors import (
    BLOCKER,
    GRIM,
    OPPORTUNIST,
    STEWARD,
    Character,
    CharacterBot,
)
from concilium.baselines.chancellors.character import NEVER
from concilium.envs import OptionError, get_game, make_vec
from concilium.envs.chancellors.actions import (
    BLOCK_WITH,
    CONTROL_ACTION,
    CONTROL_EXCUSE,
    DECLINE,
    END_TURN,
    KEEP_SILENT,
    RAISE_HIGHER,
    RAISE_LOWER,
    REROLL,
    SOLVE,
)
from concilium.envs.core.compiled.jit import INTERPRETED
from concilium.envs.core.state import plain_records
from tests.games.chancellors.conftest import CARD, FORCE, Table, build

GAME = get_game("chancellors")
CHARACTERS = {"steward": STEWARD, "opportunist": OPPORTUNIST, "grim": GRIM, "blocker": BLOCKER}
NOTHING = Character(
    danger=(0,) * 13, rank_price=(0,) * 3, holding=(0,) * 4, point_value=0, attempt_price=0,
    contest_price=0, truce_price=0, excuse_price=0, alarm=0, margin=0, truce=0, spite=0,
)  # fmt: skip
EVERYTHING = Character(
    danger=(10_000,) * 13, rank_price=(10_000,) * 3, holding=(10_000,) * 4, point_value=10_000,
    attempt_price=10_000, contest_price=10_000, truce_price=10_000, excuse_price=10_000, alarm=13,
    margin=100, truce=13, joint=True, raise_lower=True, grudge=1, spite=10_000, mercy=1.0,
)  # fmt: skip


def decided(t: Table, character: Character) -> int:
    """What a bot of that character does in the seat to act, from that seat's View alone."""
    view = t.game.view(t.state, t.actor)
    (action,) = CharacterBot(character, name="bot").act(view, t.game.legal_actions(t.state)[None])
    assert int(action) in t.legal
    return int(action)


def control(card: str, force: str) -> int:
    return int(CONTROL_ACTION[CARD[card], FORCE[force]])


def block(card: str) -> int:
    return BLOCK_WITH + CARD[card]


def publicly(problem: int) -> int:
    return SOLVE + 2 * problem


def quietly(problem: int) -> int:
    return SOLVE + 2 * problem + 1


# The opportunist -----------------------------------------------------------------------------


def test_opportunist_pays_for_points_where_a_steward_saves() -> None:
    t = build(2, hands={0: ["Lunatic"]}, owners={"Sailor": 0}, dice=[(1, 5), (1, 1), (1, 1)])
    # steward: 10 + 8 * 5 - 9 * 6 < 0; opportunist: 25 * 5 - 13 * 6 > 0
    assert decided(t, STEWARD) == END_TURN
    assert decided(t, OPPORTUNIST) == publicly(0)


def test_opportunist_leaves_a_ten_to_others_where_a_steward_serves() -> None:
    t = build(2, hands={0: ["Market"]}, owners={"Sailor": 0}, dice=[(4, 6), (1, 1), (1, 1)])
    # quietly for 3 points: steward 120 + 8 * 3 - 9 * 6 > 0; opportunist 9 + 25 * 3 - 13 * 6 > 0
    assert decided(t, STEWARD) == decided(t, OPPORTUNIST) == quietly(0)
    t = build(2, hands={0: ["Chance Meeting"]}, owners={"Sailor": 0}, dice=[(4, 6)] + [(1, 1)] * 2)
    # with a 7: steward 120 + 8 * 3 - 9 * 7 > 0; opportunist 9 + 25 * 3 - 13 * 7 < 0
    assert decided(t, STEWARD) == quietly(0)
    assert decided(t, OPPORTUNIST) == END_TURN
    t = build(2, hands={0: ["Sea"]}, owners={"Sailor": 0}, dice=[(6, 6), (1, 1), (1, 1)])
    assert decided(t, OPPORTUNIST) == quietly(0)  # the calamity is its own, too


def test_opportunist_weighs_all_problems_together() -> None:
    t = build(2, hands={0: ["Mill"]}, owners={"Sailor": 0}, dice=[(4, 4), (1, 6), (1, 1)])
    # one card of 8: 4 points for the more dangerous problem or 6 for the other
    assert decided(t, replace(OPPORTUNIST, joint=False)) == publicly(0)
    assert decided(t, OPPORTUNIST) == publicly(1)


@pytest.mark.parametrize(("score", "action"), [(40, END_TURN), (41, SOLVE)])
def test_joint_planning_sees_a_win_by_two_problems(score: int, action: int) -> None:
    t = build(
        2, hands={0: ["Forest", "Market"]}, owners={"Sailor": 0}, scores=[score],
        dice=[(1, 4), (1, 5), (1, 1)],
    )  # fmt: skip
    # 4 and 5 points by a 5 and a 6; nothing but the win is worth a card
    miser = replace(NOTHING, rank_price=(9, 9, 9), joint=True)
    assert (decided(t, miser) == END_TURN) == (action == END_TURN)
    assert decided(t, replace(miser, joint=False)) == END_TURN
    if action == SOLVE:
        t.step(decided(t, miser))
        while t.running:
            t.step(decided(t, miser))
        assert t.scores == [50, 0]


def test_opportunist_takes_forces_while_stewards_block_nobody() -> None:
    for dice, action in [((4, 5), control("Ace of Waves", "Sailor")), ((4, 4), END_TURN)]:
        t = build(2, hands={0: ["Ace of Waves"]}, owners={"Sailor": 1}, dice=[dice] + [(1, 1)] * 2)
        # 32 - 13 - 10 - 0 while there is an alarm, else 36 less
        assert decided(t, OPPORTUNIST) == action
        assert decided(t, STEWARD) == END_TURN  # 40 - 9 - 20 - 40


def test_opportunist_raises_the_lower_die() -> None:
    for character, action in [
        (OPPORTUNIST, RAISE_LOWER),
        (STEWARD, RAISE_HIGHER),
        (GRIM, RAISE_HIGHER),
        (BLOCKER, RAISE_HIGHER),
    ]:
        t = build(2, dice=[(2, 4), (1, 1), (1, 1)])
        t.end_turn()
        assert decided(t, character) == action


# Blocks --------------------------------------------------------------------------------------


def attempted(sum_of_dice: tuple[int, int], players: int = 3, **changes: Any) -> Table:
    """Seat 0 attempts the Sailor with a 2; seat 1, who controls it, holds 5, 9 and 10."""
    t = build(
        players,
        hands={0: ["Origin"], 1: ["Merchant", "Forest", "Sea"]},
        owners={"Sailor": 1},
        dice=[sum_of_dice, (1, 1), (1, 1)],
        **changes,
    )
    t.control("Origin", "Sailor")
    return t


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_blocks_when(players: int) -> None:
    for dice, steward, blocker in [
        ((2, 6), block("Forest"), block("Forest")),
        ((4, 5), DECLINE, block("Forest")),
        ((6, 6), DECLINE, block("Forest")),
    ]:
        t = attempted(dice, players)
        assert decided(t, STEWARD) == decided(t, GRIM) == steward
        assert decided(t, BLOCKER) == blocker
        assert decided(t, OPPORTUNIST) == DECLINE


def test_a_truce_is_a_dice_sum() -> None:
    for dice, action in [((1, 4), block("Forest")), ((2, 4), DECLINE)]:
        assert decided(attempted(dice), replace(STEWARD, truce=6)) == action


def test_solved_problems_are_no_reason_for_a_truce_and_zero_is_peace() -> None:
    t = build(
        2, hands={0: ["Ace of Suns", "Huntress"], 1: ["Forest"]},
        owners={"Sailor": 1, "Diplomat": 0}, dice=[(5, 5), (1, 1), (1, 1)],
    )  # fmt: skip
    t.solve(0, "quiet", "Huntress")
    t.state["where"][0, CARD["Origin"]] = 0  # seat 0 gets a card to attempt with
    t.state["where"][0, CARD["Ace of Suns"]] = 4
    t.state["deck"][0] = np.where(t["deck"] == CARD["Origin"], CARD["Ace of Suns"], t["deck"])
    t.control("Origin", "Sailor")
    assert decided(t, STEWARD) == block("Forest")
    assert decided(t, OPPORTUNIST) == DECLINE


# The blocker ---------------------------------------------------------------------------------


def test_blocker_collects_all_forces() -> None:
    t = build(
        2, hands={0: ["Savage"]}, owners={"Sailor": 0, "Diplomat": 0}, dice=[(1, 1)] * 3
    )  # fmt: skip
    # the third: 60 - 20 - 9 * 3 > 0 against 5 - 20 - 9 * 3 < 0
    assert decided(t, BLOCKER) == control("Savage", "Soldier")
    assert decided(t, STEWARD) == END_TURN


def test_blocker_serves_like_a_steward() -> None:
    t = build(2, hands={0: ["Market"]}, owners={"Sailor": 0}, dice=[(4, 6), (1, 1), (1, 1)])
    assert decided(t, BLOCKER) == decided(t, STEWARD) == quietly(0)


# Grim ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "scores", "trigger"),
    [
        (2, [5, 29], False), (2, [5, 30], True),
        (3, [3, 30, 8], False), (3, [2, 30, 8], True),  # 24.5 and 25 above the average of two
        (4, [0, 30, 10, 6], False), (4, [0, 30, 10, 5], True),  # of three: 24.67 and 25
        (3, [0, 40, 40], False),  # 20 above the others, and nobody leads
    ],
)  # fmt: skip
def test_grim_stops_to_serve_when_somebody_runs_away(
    players: int, scores: list[int], trigger: bool
) -> None:
    t = build(
        players, hands={0: ["Sea"]}, owners={"Sailor": 0}, dice=[(6, 6), (1, 1), (1, 1)],
        scores=scores,
    )  # fmt: skip
    assert decided(t, STEWARD) == quietly(0)
    assert decided(t, GRIM) == (END_TURN if trigger else quietly(0))
    assert decided(t, replace(GRIM, mercy=1.0)) == quietly(0)
    assert decided(t, replace(GRIM, grudge=0)) == quietly(0)


def test_grim_in_the_lead_stays_a_steward() -> None:
    t = build(
        3, hands={0: ["Sea"]}, owners={"Sailor": 0}, dice=[(6, 6), (1, 1), (1, 1)],
        scores=[40, 0, 0],
    )  # fmt: skip
    assert decided(t, GRIM) == quietly(0)


def test_a_punishing_grim_still_takes_a_win() -> None:
    t = build(
        2, hands={0: ["Sea"]}, owners={"Sailor": 0}, dice=[(4, 6), (1, 1), (1, 1)],
        scores=[5, 40], target_score=11,
    )  # fmt: skip
    assert decided(t, GRIM) == publicly(0)  # 6 points by a 10


def test_a_punishing_grim_blocks_its_enemy_and_nobody_else() -> None:
    # seat 0 attempts, seat 1 is asked
    assert decided(attempted((6, 6), scores=[30, 5, 0]), GRIM) == block("Forest")
    assert decided(attempted((6, 6), scores=[0, 5, 0]), GRIM) == DECLINE
    assert decided(attempted((1, 1), scores=[0, 0, 30]), GRIM) == DECLINE
    assert decided(attempted((1, 1), scores=[0, 0, 20]), GRIM) == block("Forest")


def test_a_punishing_grim_takes_the_forces_of_its_enemy() -> None:
    t = build(
        3, hands={0: ["Origin"]}, owners={"Sailor": 2, "Soldier": 0, "Diplomat": 0},
        dice=[(1, 1)] * 3, scores=[0, 0, 40],
    )  # fmt: skip
    # of its enemy: 5 - 8 * 2 - 20 + 40 > 0; of the other: 5 - 8 * 2 - 20 - 40 < 0
    assert decided(t, GRIM) == control("Origin", "Sailor")
    assert decided(t, replace(GRIM, spite=0)) == END_TURN
    t.state["owner"][0, FORCE["Sailor"]] = 1
    assert decided(t, GRIM) == END_TURN


def test_a_punishing_grim_keeps_the_excuse() -> None:
    for scores, action in [([0, 0, 0], REROLL), ([0, 0, 40], KEEP_SILENT)]:
        t = build(
            3, hands={0: ["Excuse"]}, dice=[(6, 6), (1, 1), (1, 1)], scores=scores, asking=True,
            excuse=True,
        )  # fmt: skip
        assert decided(t, GRIM) == action
        assert decided(t, STEWARD) == REROLL


# The Excuse ----------------------------------------------------------------------------------


def test_the_excuse_takes_forces_where_the_cards_could_then_solve_a_twelve() -> None:
    t = build(
        2, hands={0: ["Excuse", "Sea"]}, dice=[(6, 6), (1, 1), (1, 1)], excuse=True
    )  # fmt: skip
    assert decided(t, STEWARD) == CONTROL_EXCUSE  # the Sea cannot both take the Sailor and pay
    t = build(2, hands={0: ["Excuse", "Sea"]}, dice=[(1, 6), (1, 1), (1, 1)], excuse=True)
    assert decided(t, STEWARD) != CONTROL_EXCUSE


# All characters ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHARACTERS)
def test_only_views_are_looked_at(name: str) -> None:
    t = build(2, hands={0: ["Sea"]}, owners={"Sailor": 0})
    bot = CharacterBot(CHARACTERS[name], name=name)
    with pytest.raises(OptionError, match="takes Views of the player to act only"):
        bot.act(t.state, t.game.legal_actions(t.state)[None])
    # what the seat cannot know makes no difference
    for seed in range(5):
        t = build(3, hands={0: ["Origin", "Pact"], 1: ["Sea"]}, owners={"Sailor": 1}, seed=seed)
        other = t.game.determinize(t.game.view(t.state, 0), seed)
        assert (other["where"] != t.state["where"]).any()
        assert decided(Table(t.game, other), CHARACTERS[name]) == decided(t, CHARACTERS[name])


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("character", [NOTHING, EVERYTHING], ids=["nothing", "everything"])
def test_extreme_characters_play_legally(character: Character, num_players: int) -> None:
    bot = CharacterBot(character, name="extreme")
    for options in ({}, {"excuse": True, "pawns": True, "problems": 5, "target_score": 8000}):
        vec = make_vec(GAME, 20, num_players, seed=3, **options)
        batch = vec.reset()
        for _ in range(60):
            actions = bot.act(vec.views(), batch.masks)
            assert (batch.masks[np.arange(20), actions] == 1).all()
            batch = vec.step(actions)


def test_compiled_code_reads_every_param() -> None:
    made = replace(GRIM, rank_price=(1, 2, 3), joint=True, mercy=0.5)
    calm, punishing = plain_records(made.records())
    for entry in fields(Character):
        assert np.array_equal(calm[entry.name], getattr(made, entry.name)), entry.name
        if entry.name not in ("danger", "alarm"):
            assert np.array_equal(punishing[entry.name], getattr(made, entry.name)), entry.name
    assert punishing["danger"].tolist() == [round(number / 2) for number in made.danger]
    assert punishing["alarm"] == NEVER  # nothing is alarming


def test_all_characters_share_one_compiled_loop() -> None:
    for character in CHARACTERS.values():
        decided(build(2), character)
    vec = make_vec(GAME, 8, 3, seed=1)
    masks = vec.reset().masks
    views = vec.views()
    bot = CharacterBot(STEWARD, name="steward")
    expected = bot.act(views, masks)
    assert bot.act(views[::2], masks[::2]).tolist() == expected[::2].tolist()
    assert bot.act(views, np.asfortranarray(masks)).tolist() == expected.tolist()
    masks.setflags(write=False)
    assert bot.act(views, masks).tolist() == expected.tolist()
    assert INTERPRETED or len(CharacterBot.program.loop.signatures) == 1
