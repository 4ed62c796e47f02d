"""Exact best responses: figures by hand, plain enumeration, brute force, and play."""

from __future__ import annotations

import re
import zlib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium import cli
from concilium.baselines import UniformBot
from concilium.envs import BoundGame, get_game
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.believers.options import MINI
from concilium.envs.core.bot import Bot, GeneratorBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records, plain_records
from concilium.evaluation.best_response.bots import PlainBot, ResponseBot
from concilium.evaluation.best_response.report import best_response, on_policy
from concilium.evaluation.best_response.tree import Tree, groups
from concilium.evaluation.intervals import share
from tests.baselines.believers.enumeration import Enumeration
from tests.games.believers.tables import PLAIN

ROLES = (S.Faith.BELIEVER, S.Faith.DEFECTOR)
VIRTUES = (
    "Devotion", "Obedience", "Humility", "Charity", "Patience", "Courage", "Purity", "Silence",
    "Vigilance", "Sacrifice",
)  # fmt: skip
_PLAIN_TEXT = Path(PLAIN).read_text(encoding="utf-8")
DISCIPLES = _PLAIN_TEXT[_PLAIN_TEXT.index("[[disciple]]") :]
"""What the file of cards needs besides; they are not in this game."""


class HashBot(GeneratorBot):
    """Does anything, but the same in equal Views: what it does depends on all that it sees."""

    def __init__(self) -> None:
        super().__init__("hash", GAME, 0)

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        legal = [np.flatnonzero(mask) for mask in masks]
        chosen = [
            each[zlib.crc32(view.tobytes()) % len(each)]
            for view, each in zip(views, legal, strict=True)
        ]
        return np.array(chosen, np.int64)


def few_deals(
    folder: Path, copies: tuple[int, int, int], *, pairs: int = 3, **options: Any
) -> BoundGame:
    """The small game with so many copies of the three Virtues and kinds of Missions.

    The first two kinds are on 4 Missions, the first and third on 3, the second and third on 2.
    """
    others = [("Charity", name) for name in VIRTUES[4:]]
    missions = [*zip(combinations(VIRTUES[:3], 2), (4, 3, 2), strict=True)][:pairs]
    missions += [(("Humility", "Charity"), 1), *((pair, 1) for pair in others)]
    parts = ['title = "few"', 'provenance = "made for the tests"']
    for name, count in zip(VIRTUES, (*copies, *[1] * 7), strict=True):
        parts += ["[[virtue]]", f'name = "{name}"', f"copies = {count}"]
    for pair, count in missions:
        parts += ["[[mission]]", f"virtues = {list(pair)}", f"copies = {count}"]
    text = "\n".join(parts) + "\n" + DISCIPLES
    path = folder / "few.toml"
    path.write_text(text, encoding="utf-8")
    return GAME.bind(**{**MINI, "cards": str(path), **options})


def mini(**options: Any) -> BoundGame:
    return GAME.bind(**{**MINI, **options})


# By hand -----------------------------------------------------------------------------------------


def test_one_mission_by_hand(tmp_path: Path) -> None:
    """One Mission, one Virtue in each hand: it succeeds if the Hand's Virtue fits.

    Of 33 Virtues 31 are of the first kind, 1 of the second and 1 of the third. 4 of 9 Missions fit
    the first and second, 3 the first and third, 2 the second and third. Nobody has a choice but the
    Eye, which knows nothing of other hands but that its own Virtue is not among them.
    """
    table = few_deals(tmp_path, (31, 1, 1), rows="1", hand_size=1)
    fits = (4 / 9 * 32 + 3 / 9 * 32 + 2 / 9 * 2) / 33
    for role, chance in ((S.Faith.BELIEVER, fits), (S.Faith.DEFECTOR, 1 - fits)):
        found = best_response(table, PlainBot(), role=role)
        assert found.win == pytest.approx(chance, abs=1e-12)
        assert found.value == pytest.approx(2 * chance - 1, abs=1e-12)
        # as Eye three hands, for a Defector with each of four partners
        assert found.counts.information_sets == (12 if role == S.Faith.DEFECTOR else 3)


def test_a_defector_as_eye_places_what_fails(tmp_path: Path) -> None:
    """One Mission, two Virtues given: a Defector as Eye fails unless both fit.

    Of the Virtues given neither depends on whom it chose. A True Believer succeeds unless neither
    fits. Three kinds of 31, 2 and 1 make 34.
    """
    table = few_deals(tmp_path, (31, 2, 1), rows="1")
    pairs = 34 * 33
    both = (4 * 33 * 32 + 3 * 32 * 31 + 2 * 3 * 2) / 9 / pairs
    none = (4 * 0 + 3 * 2 * 1 + 2 * 31 * 30) / 9 / pairs  # 1, 2 and 31 Virtues do not fit
    for role, chance in ((S.Faith.BELIEVER, 1 - none), (S.Faith.DEFECTOR, 1 - both)):
        tree = Tree(table, [PlainBot()] * 5, 0, role)
        assert tree.win_from(0) == pytest.approx(chance, abs=1e-12)


# Against plain enumeration -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "copies", "options"),
    [
        (S.Faith.DEFECTOR, (1, 1, 31), {"pairs": 2}),  # up to seven Virtues drawn at once
        (S.Faith.BELIEVER, (2, 1, 21), {"pairs": 1, "rows": "2"}),
    ],
)
def test_every_deal_and_draw_state_by_state(
    tmp_path: Path, role: int, copies: tuple[int, int, int], options: dict[str, Any]
) -> None:
    """Two or three Missions with all draws, against bots to whom everything matters."""
    table = few_deals(tmp_path, copies, hand_size=1, **options)
    tree = Tree(table, [HashBot()] * 5, 0, role)
    plain = Enumeration(table, HashBot(), 0, role)
    found = tree.win_from(3)
    assert found == pytest.approx(plain.value(plain.root(3)), abs=1e-12)
    # two Virtues are given in one order only: what the other leads to is not counted
    assert 100 < tree.counts.information_sets <= len(plain.alike)


@pytest.mark.parametrize("role", ROLES)
def test_all_pure_policies(tmp_path: Path, role: int) -> None:
    """One Mission: the best of all policies, counted through for each hand and first Eye."""
    table = few_deals(tmp_path, (2, 1, 31), pairs=1, rows="1")
    for eye in (0, 4):
        tree = Tree(table, [HashBot()] * 5, 0, role)
        plain = Enumeration(table, HashBot(), 0, role)
        alone: dict[tuple[bytes, bytes], Any] = {}  # what the responder knows at the beginning
        for chance, state in plain.deals(eye):
            s = plain_records(state)[0]
            told = s["faith"].tobytes() if role == S.Faith.DEFECTOR else b""
            games = alone.setdefault((s["hand"][0].tobytes(), told), [])
            games.append((chance, plain.grow(state, chance)))
        total, policies = 0.0, 0
        for games in alone.values():
            values = plain.of_all_policies(games)
            policies += len(values)
            total += max(values)
        assert policies > len(alone)
        assert tree.win_from(eye) == pytest.approx(total, abs=1e-12)


# Policies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
def test_a_policy_found_is_worth_its_value(tmp_path: Path, role: int) -> None:
    """Exactly so in the tree, and within the interval when games are played."""
    table = few_deals(tmp_path, (10, 10, 12), pairs=1, rows="2")
    bot = PlainBot()
    found = best_response(table, bot, role=role, keep_policy=True)
    assert 0 < len(found.policy) == found.counts.information_sets
    again = on_policy(table, bot, own=found.bot(), role=role)
    assert again.win == pytest.approx(found.win, abs=1e-12)
    own = on_policy(table, bot, role=role)
    assert own.win < found.win - 0.01  # one can do better than to be plain
    for policy, value in ((found.bot(), found.win), (bot, own.win)):
        played = played_wins(table, bot, policy, role, 400)
        assert played.low <= value <= played.high


def played_wins(table: BoundGame, bot: Bot, own: Bot, role: int, games: int) -> Any:
    """Wins of seat 0 in games of the engine, those in which it has that Faith."""
    wins = count = seed = 0
    while count < games:
        state = table.new_state(seed)
        seed += 1
        s = plain_records(state)[0]
        if s["faith"][0] != role:
            continue
        while s["status"] == 0:
            seat = int(s["actor"])
            view = table.view(state, seat)
            mask = table.legal_actions(view)
            player = bot if seat else own
            table.step(state, int(player.act(view, mask[np.newaxis])[0]))
        wins += int(table.returns(state)[0] > 0)
        count += 1
    return share(wins, games)


@pytest.mark.parametrize("partner", [False, True])
def test_no_worse_than_the_bot_itself_in_any_seat(partner: bool) -> None:
    table = mini(rows="1", reward="zero_sum")
    for seat, role in ((0, S.Faith.BELIEVER), (3, S.Faith.DEFECTOR)):
        bot = PlainBot(partner=partner)
        best = best_response(table, bot, seat=seat, role=role)
        own = on_policy(table, bot, seat=seat, role=role)
        assert best.win >= own.win - 1e-12
        size = 2 if role == S.Faith.DEFECTOR else 3
        assert own.value == pytest.approx((2 * own.win - 1) / size)


def test_what_one_side_wins_the_other_loses() -> None:
    """Copies of a bot that does not look at seats: its side wins as often whoever is asked."""
    table = mini(rows="1")
    traitor = on_policy(table, PlainBot(), seat=0, role=S.Faith.DEFECTOR)
    believer = on_policy(table, PlainBot(), seat=2, role=S.Faith.BELIEVER)
    assert traitor.win + believer.win == pytest.approx(1.0, abs=1e-12)


def test_views_that_the_policy_never_comes_to(tmp_path: Path) -> None:
    table = few_deals(tmp_path, (31, 1, 1), rows="1", hand_size=1)
    state = table.new_state(1)
    view = table.view(state, int(plain_records(state)["actor"][0]))
    with pytest.raises(OptionError, match="never comes to"):
        ResponseBot({}).act(view, table.legal_actions(view)[np.newaxis])


# What is refused ---------------------------------------------------------------------------------


def test_bots_that_act_by_chance_are_refused() -> None:
    with pytest.raises(OptionError, match="random acts by chance"):
        best_response(mini(rows="1"), UniformBot(GAME))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"talk": "claims"}, "without talk"),
        ({"shame": True}, "without talk, Shame"),
        ({"hand_size": 3}, "at most 2"),
        ({"virtue_kinds": 2, "num_players": 7, "rows": "1-1-1"}, "too few"),
    ],
)
def test_other_games_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        best_response(mini(**options), PlainBot())


def test_seats_and_games_are_checked() -> None:
    with pytest.raises(OptionError, match="a seat from 0 to 4"):
        best_response(mini(), PlainBot(), seat=5)
    with pytest.raises(OptionError, match="role"):
        on_policy(mini(), PlainBot(), role=2)
    with pytest.raises(OptionError, match="not for chancellors"):
        best_response(get_game("chancellors").bind(), PlainBot())


# Parts -------------------------------------------------------------------------------------------


def test_groups_are_of_equal_rows() -> None:
    columns = [np.array([3, 1, 3, -1, 1]), np.array([0, 2, 0, 0, 3])]
    first, group = groups(columns)
    assert len(first) == 4
    assert group[0] == group[2]
    assert len(set(group.tolist())) == 4
    for column in columns:
        assert column[first][group].tolist() == column.tolist()


def test_the_plain_bot_serves_its_side() -> None:
    """It is deterministic, helps or hurts as well as it can, and picks its partner if wanted."""
    table = mini()
    for seed in range(12):
        state = table.new_state(seed)
        s = plain_records(state)[0]
        while s["status"] == 0:
            seat, phase = int(s["actor"]), int(s["phase"])
            view, mask = table.view(state, seat), table.legal_actions(state)
            action = int(PlainBot(seed=seed).act(view, mask[np.newaxis])[0])
            picks = int(PlainBot(partner=True).act(view, mask[np.newaxis])[0])
            if phase == S.Phase.CHOICE:
                assert action == np.flatnonzero(mask)[0]
                other = (seat + picks - GAME.actions.start("choose") + 1) % 5
                allowed = [
                    k for k in range(5) if k != seat and s["faith"][k] and k != s["last_hand"]
                ]
                if s["faith"][seat] and allowed:
                    assert other == allowed[0]
            else:
                start = GAME.actions.start("give" if phase == S.Phase.GIFT else "place")
                pair = int(s["mission_pair"][s["mission"]])
                wanted = {int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])}
                if s["faith"][seat] == S.Faith.DEFECTOR:
                    wanted = {0, 1, 2} - wanted
                offered = {int(a) - start for a in np.flatnonzero(mask)}
                assert action - start in (wanted & offered or offered)
            table.step(state, action)


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--option", "rows=1", "--role", "believer", "--bot", "plain:partner=true"]
    assert cli.main(["best-response", *words]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2
    assert printed[0].startswith("believer in seat 0, plain:partner=true among plain:partner=true")
    for line in printed:
        assert re.search(r"wins \d+\.\d{4} %, return [+-]\d\.\d{6}; \d+ nodes", line)
        assert "information sets" in line


def test_wrong_input_gives_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["best-response", "--option", "rows=1", "--bot", "random"]) == 2
    assert "bot random acts by chance" in capsys.readouterr().err


# The whole of it ---------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("role", ROLES)
def test_mini_is_enumerated(role: int) -> None:
    table = mini()
    own = on_policy(table, PlainBot(), role=role)
    best = best_response(table, PlainBot(), role=role, keep_policy=True)
    assert best.win > own.win
    for policy, value in ((best.bot(), best.win), (PlainBot(), own.win)):
        played = played_wins(table, PlainBot(), policy, role, 4000)
        assert played.low <= value <= played.high
