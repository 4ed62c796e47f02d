"""Actions are named as whoever takes them sees the table: by the names that the log uses."""

from __future__ import annotations

import re

import numpy as np
import pytest

from concilium.envs import BoundGame, IllegalActionError, OptionError, get_game
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.errors import UsageError
from concilium.envs.core.state import plain_records
from concilium.wrappers import SingleSeatEnv

GAMES = ("chancellors", "nicaea", "believers")


def tables() -> list[BoundGame]:
    """The smallest and the largest table of each game."""
    games = [get_game(name) for name in GAMES]
    return [
        game.bind(num_players=n) for game in games for n in (game.min_players, game.max_players)
    ]


@pytest.mark.parametrize("bound", tables(), ids=repr)
def test_names_say_which_player_and_both_forms_are_read(bound: BoundGame) -> None:
    n = bound.num_players
    for seat in range(n):
        seen = set()
        for action in range(bound.game.num_actions):
            counted, named = bound.action_name(action), bound.action_name(action, seat)
            seen.add(named)
            assert bound.parse_action(named.upper(), seat) == action
            assert bound.parse_action(f" {counted} ", seat) == action
            assert bound.parse_action(counted) == action
            found = re.search(r"opponent (\d+)", counted)
            if found and int(found[1]) < n:  # others do not sit there
                player = f"player_{(seat + int(found[1])) % n}"
                assert named == counted.replace(found[0], player)
            else:
                assert named == counted
        assert len(seen) == bound.game.num_actions


def test_a_name_of_a_player_needs_the_seat() -> None:
    bound = get_game("believers").bind(num_players=5)
    assert bound.action_name(1, 3) == "shame player_4"
    assert bound.parse_action("shame player_4", 0) == 4
    for name, seat in (("shame player_4", None), ("shame player_3", 3), ("shame player_9", 0)):
        with pytest.raises(IllegalActionError, match="no action called"):
            bound.parse_action(name, seat)
    for seat in (-1, 5):
        with pytest.raises(OptionError, match="seat"):
            bound.action_name(1, seat)
        with pytest.raises(OptionError, match="seat"):
            bound.parse_action("done", seat)


def test_an_environment_speaks_for_the_selected_agent() -> None:
    env = GameEnv(get_game("believers"), num_players=5)
    assert env.action_name(1) == "shame opponent 1"  # nobody is selected yet
    assert env.parse_action("shame opponent 1") == 1
    with pytest.raises(UsageError):
        env.action_name(1, "player_1")
    env.reset(seed=3)
    seat = env.possible_agents.index(env.agent_selection)
    for name in (f"shame player_{(seat + 1) % 5}", "shame opponent 1"):
        assert env.parse_action(name) == 1
    assert env.action_name(1) == f"shame player_{(seat + 1) % 5}"
    assert env.action_name(1, "player_4") == "shame player_0"
    assert env.parse_action("shame player_0", "player_4") == 1
    with pytest.raises(OptionError, match="no agent"):
        env.action_name(1, "player_5")


def test_what_is_said_of_an_illegal_action_names_players() -> None:
    env = GameEnv(get_game("believers"), num_players=5)
    env.reset(seed=3)
    single = SingleSeatEnv("believers", num_players=5, seat=2)
    single.reset(seed=3)
    bound = env.game
    states = bound.new_state(3)
    seat = int(plain_records(states)["actor"][0])
    action = bound.parse_action(f"choose player_{(seat + 1) % 5}", seat)
    assert not bound.legal_actions(states)[action]
    for step in (env.step, single.step, lambda action: bound.step(states, action)):
        with pytest.raises(IllegalActionError, match="legal") as caught:
            step(action)
        assert re.search(r"shame player_\d|choose player_\d|enlist|give", str(caught.value))
        assert "opponent" not in str(caught.value)
    assert np.array_equal(bound.new_state(3), states)
