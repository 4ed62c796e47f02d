"""Options: their defaults, what is allowed, and how everything else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs import OptionError, get_game
from concilium.envs.chancellors.state import OPTION_LIMIT

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build

DEFAULTS = {
    "excuse": False, "pawns": False, "problems": 3, "calamity": "all_lose", "target_score": 50,
    "max_turns": 300,
}  # fmt: skip
# option: what its refusal must say
ALLOWED = {
    "num_players": ["2", "4"],
    "excuse": ["True", "False"],
    "pawns": ["True", "False"],
    "problems": ["3", "4", "5"],
    "calamity": ["'all_lose'", "'lowest_wins'"],
    "target_score": ["1", str(OPTION_LIMIT)],
    "max_turns": ["1", str(OPTION_LIMIT)],
}
ACCEPTED: dict[str, list[object]] = {
    "num_players": [2, 3, 4],
    "excuse": [True, False],
    "pawns": [True, False],
    "problems": [3, 4, 5],
    "calamity": ["all_lose", "lowest_wins"],
    "target_score": [1, 2, 49, 50, OPTION_LIMIT],
    "max_turns": [1, 2, 299, 300, OPTION_LIMIT],
}
REFUSED: dict[str, list[object]] = {
    "num_players": [0, 1, 5, -2, True, 3.0, "3", None, [3]],
    "excuse": [0, 1, "True", "yes", None, 1.0],
    "pawns": [0, 1, "False", "on", None, 0.0],
    "problems": [0, 2, 6, -3, True, 3.0, "3", None],
    "calamity": ["", "ALL_LOSE", "all lose", "lowest", 0, True, None, b"all_lose"],
    "target_score": [0, -1, -50, OPTION_LIMIT + 1, 10**30, True, False, 50.0, "50", None],
    "max_turns": [0, -1, OPTION_LIMIT + 1, 10**30, True, 300.0, "300", None, float("nan")],
}


def pairs(table: dict[str, list[object]]) -> list[tuple[str, object]]:
    """Return all (option, value) pairs."""
    return [(name, value) for name, values in table.items() for value in values]


def test_defaults() -> None:
    # options: each extension off, three problems, everyone loses, 50 points, 300 turns
    bound = get_game("chancellors").bind(num_players=3)
    assert dict(bound.options) == {"num_players": 3, **DEFAULTS}


def test_the_tables_name_every_option() -> None:
    # options
    names = {option.name for option in get_game("chancellors").all_options}
    assert names == set(ALLOWED) == set(ACCEPTED) == set(REFUSED) == {"num_players", *DEFAULTS}


@pytest.mark.parametrize(("name", "value"), pairs(ACCEPTED))
def test_allowed_values(name: str, value: object) -> None:
    # options
    bound = get_game("chancellors").bind(**{name: value})
    assert bound.options[name] == value
    assert type(bound.options[name]) is type(value)
    bound.new_state(0)


@pytest.mark.parametrize(("name", "value"), pairs(REFUSED))
def test_refused_values_name_what_is_allowed(name: str, value: object) -> None:
    # options
    with pytest.raises(OptionError) as caught:
        get_game("chancellors").bind(**{name: value})
    message = str(caught.value)
    assert name in message
    assert repr(value) in message
    for allowed in ALLOWED[name]:
        assert allowed in message.split("not allowed")[1]


@pytest.mark.parametrize("name", ["players", "Excuse", "problem", "seed", "target", "num_player"])
def test_unknown_names_are_refused(name: str) -> None:
    # options: the message names the ones there are
    with pytest.raises(OptionError) as caught:
        get_game("chancellors").bind(**{name: 3})
    message = str(caught.value)
    assert repr(name) in message
    for known in ALLOWED:
        assert known in message


def test_numpy_values_are_taken_as_plain_ones() -> None:
    # options
    bound = get_game("chancellors").bind(
        num_players=np.int64(4),
        excuse=np.bool_(True),
        problems=np.int8(5),
        calamity=np.str_("lowest_wins"),
        target_score=np.uint16(7),
    )
    assert bound.options["num_players"] == 4
    assert bound.options["excuse"] is True
    assert type(bound.options["problems"]) is int
    assert type(bound.options["calamity"]) is str
    with pytest.raises(OptionError):
        get_game("chancellors").bind(problems=np.float64(3.0))
    with pytest.raises(OptionError):
        get_game("chancellors").bind(problems=np.bool_(True))


def test_unknown_games_are_refused() -> None:
    # the message names the games there are
    with pytest.raises(OptionError, match="chancellors"):
        get_game("chancelors")


def test_the_options_stand_in_every_state(deal: Build, players: int) -> None:
    # C14: a player knows the options
    t = deal(
        players, 1, excuse=True, problems=5, calamity="lowest_wins", target_score=77, max_turns=88
    )
    for record in (t.state, t.game.view(t.state, 0)):
        assert record["num_players"][0] == players
        assert (record["excuse"][0], record["pawns"][0]) == (1, 0)
        assert (record["problems"][0], record["lowest_wins"][0]) == (5, 1)
        assert (record["target_score"][0], record["max_turns"][0]) == (77, 88)


def test_the_largest_options_can_be_played(table: Build, players: int) -> None:
    # options
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        dice=[(2, 6), (1, 1), (1, 1)],
        scores=[OPTION_LIMIT - 6],
        turns=OPTION_LIMIT - 1,
        target_score=OPTION_LIMIT,
        max_turns=OPTION_LIMIT,
    )
    t.solve(0, "public", "Mill")
    assert (t.terminated, t.scores[0]) == (True, OPTION_LIMIT)
    t = table(players, turns=OPTION_LIMIT - 1, target_score=OPTION_LIMIT, max_turns=OPTION_LIMIT)
    t.finish_turn()
    assert (t.truncated, t["turns"]) == (True, OPTION_LIMIT)
