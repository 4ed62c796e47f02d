"""Kinds of decisions: by which names they are chosen, and which is due in each game of a batch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from concilium.envs import OptionError, UsageError, get_game, make_vec
from concilium.envs.core.bot import pick_legal
from concilium.envs.core.decisions import decision_kinds, kind_names, part_of

CHANCELLORS, NICAEA = get_game("chancellors"), get_game("nicaea")


@pytest.mark.parametrize(
    ("decisions", "expected"),
    [
        ("all", NICAEA.kinds),
        ("bidding", ("debate_doctrine", "debate_round", "naming")),
        ("turn", ("turn",)),
        (["naming", "turn", "turn"], ("turn", "naming")),
        (("bidding", "copy"), ("copy", "debate_doctrine", "debate_round", "naming")),
        (["bidding", "all"], NICAEA.kinds),
    ],
    ids=str,
)
def test_names(decisions: Any, expected: tuple[str, ...]) -> None:
    chosen = decision_kinds(NICAEA, decisions)
    assert chosen.dtype == bool
    assert chosen.shape == (7,)
    assert kind_names(NICAEA, chosen) == expected
    assert part_of(NICAEA, decisions) == (() if chosen.all() else expected)


@pytest.mark.parametrize(
    "decisions", ["bids", "", "Turn", 3, None, ["turn", 3], ["turn", ["copy"]]]
)
def test_unknown_names_list_the_known(decisions: Any) -> None:
    with pytest.raises(OptionError) as caught:
        decision_kinds(NICAEA, decisions)
    assert str(caught.value).endswith(
        " in nicaea: one or more of all, bidding (debate_doctrine, debate_round, naming), turn, "
        "payment, copy, free_play, debate_doctrine, debate_round, naming"
    )


@pytest.mark.parametrize("decisions", [[], ()])
def test_none_are_too_few(decisions: Any) -> None:
    with pytest.raises(OptionError, match="are none: one or more of all, action, block"):
        decision_kinds(CHANCELLORS, decisions)


@pytest.mark.parametrize(
    "sets",
    [{"all": ("block",)}, {"block": ("avert",)}, {"x": ()}, {"x": ("block", "bid")}],
    ids=str,
)
def test_sets_that_a_game_cannot_have(sets: Any) -> None:
    with pytest.raises(OptionError, match="needs a name of its own and some of action, block"):
        replace(CHANCELLORS, decision_sets=sets)


@pytest.mark.parametrize("game", ["chancellors", "nicaea"])
def test_a_batch_tells_what_is_due(game: str) -> None:
    rules = get_game(game)
    sizes = [rules.min_players, rules.max_players] * 10
    vec = make_vec(rules, 20, sizes)
    with pytest.raises(UsageError, match="call reset"):
        vec.kinds()
    batch, generator = vec.reset(seed=1), np.random.default_rng(1)
    seen = set()
    for _ in range(60):
        states, kinds = vec.states, vec.kinds()
        assert kinds.dtype == np.int64
        names = [table.kind(states, row) for row, table in enumerate(vec.tables)]
        assert [rules.kinds[kind] for kind in kinds] == names
        # who is to act sees the same
        assert [vec.tables[0].kind(vec.views(), row) for row in range(20)] == names
        assert (vec.kinds([3, 17, 3]) == kinds[[3, 17, 3]]).all()
        seen |= set(names)
        batch = vec.step(pick_legal(batch.masks, generator), observe=False)
    assert len(seen) > 2
    with pytest.raises(OptionError, match="out of range"):
        vec.kinds([20])
