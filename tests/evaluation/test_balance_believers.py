"""What the balance of a set of cards is measured by, and the bot made of two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from concilium import cli
from concilium.baselines.believers import ALWAYS, PARTNER, SELFISH, CharacterBot
from concilium.baselines.divided import SidedBot
from concilium.envs import get_game, make_vec
from concilium.envs.believers import GAME
from concilium.envs.believers.cards import HOUSE_FILE, read_cards
from concilium.envs.core.bot import UniformBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import plain_records
from concilium.evaluation.balance.believers import (
    SCHEDULES,
    match_chance,
    schedules,
    with_regents,
)
from concilium.evaluation.sides import play_sides


def test_match_chance_by_hand(tmp_path: Path) -> None:
    """Missions of the first two kinds, and of the first with the third; 3, 2, 1 … copies."""
    copies = [3, 2, 1, 1, 1, 1, 1, 1, 1, 1]  # 13
    text = 'title = "t"\nprovenance = "p"\n'
    text += "".join(f'[[virtue]]\nname = "V{k}"\ncopies = {c}\n' for k, c in enumerate(copies))
    text += '[[mission]]\nvirtues = ["V0", "V1"]\ncopies = 1\n'
    text += '[[mission]]\nvirtues = ["V0", "V2"]\ncopies = 3\n'
    rest = HOUSE_FILE.read_text(encoding="utf-8")
    text += rest[rest.index("[[disciple]]") :]
    path = tmp_path / "few.toml"
    path.write_text(text, encoding="utf-8")
    # 5 of 13 match the first Mission, 4 of 13 each of the three others
    assert match_chance(read_cards(path), 5) == pytest.approx((5 + 3 * 4) / 4 / 13)


def test_regents_are_changed_and_nothing_else(tmp_path: Path) -> None:
    text = HOUSE_FILE.read_text(encoding="utf-8")
    changed = with_regents(text, 3)
    old, new = text.splitlines(), changed.splitlines()
    differ = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    assert [new[k] for k in differ] == ["copies = 3"]
    assert new[differ[0] - 3] == 'name = "Regent"'
    with pytest.raises(OptionError, match="0 Regents"):
        with_regents(text.replace("regent", "oracle"), 3)


def test_schedules_are_those_played(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures are those of the same pairings played again; the strongest wins most."""
    found = schedules({"num_players": 5}, 40, 3)
    assert list(found.won) == list(SCHEDULES)
    assert found.won[found.strongest].value == min(each.value for each in found.won.values())
    assert set(found.concealed) == {"always", "partner"}
    assert found.again.units == 40
    for words in (("--players", "11"), ("--option", "cards=missing.toml"), ("--games", "0")):
        assert cli.main(["balance", "believers", *words]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_each_side_is_played_by_its_bot() -> None:
    """Two bots in one come to the same as one for each side, where neither draws anything."""
    steady = [CharacterBot(each, name="steady", seed=0) for each in (SELFISH, PARTNER)]
    made = SidedBot([CharacterBot(SELFISH, name="b"), CharacterBot(ALWAYS, name="d")], seed=4)
    vec = make_vec(get_game("believers"), 64, 7, seed=2)
    batch = vec.reset()
    for _ in range(60):
        views = vec.views()
        plain = plain_records(views)
        actions = made.act(views, batch.masks)
        assert (batch.masks[np.arange(64), actions] == 1).all()
        faith = plain["faith"][np.arange(64), plain["actor"]]
        calls = plain["phase"] == 0
        assert (actions[calls & (faith == 0)] == 0).all()  # selfish: done, and nothing else
        batch = vec.step(actions)
    results = play_sides(GAME, steady, deals=20, seed=1, options={"num_players": 6})
    again = play_sides(GAME, steady, deals=20, seed=1, options={"num_players": 6})
    assert results.winner.tolist() == again.winner.tolist()
    with pytest.raises(OptionError, match="one bot for several sides"):
        SidedBot([made, made])
    with pytest.raises(OptionError, match="plays"):
        SidedBot([made, UniformBot(get_game("nicaea"))])
