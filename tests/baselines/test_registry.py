"""Bots by name: parameters in names and as keywords, what is refused, policies that come along."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.baselines import (
    BOTS,
    Bot,
    BotEntry,
    Network,
    Parameter,
    PolicyBot,
    UniformBot,
    bot_names,
    bot_parameters,
    make_bot,
    names,
    policy_file,
    registry,
    save_policy,
)
from concilium.baselines.bots import GROUP, BotCatalogue
from concilium.baselines.chancellors import STEWARD, Character, CharacterBot
from concilium.baselines.policy import observation_scale
from concilium.envs import FileFormatError, OptionError, get_game

GAME = get_game("chancellors")
RULE_BOTS = ["chancellors/steward", "chancellors/opportunist", "chancellors/grim",
             "chancellors/blocker"]  # fmt: skip


def character(name: str, **parameters: Any) -> Character:
    bot = make_bot(name, GAME, seed=1, **parameters)
    assert isinstance(bot, CharacterBot)
    return bot.character


def policy(path: Path) -> Path:
    """A policy of one layer, all zero."""
    size = GAME.observation.size
    network = Network(
        GAME, "tanh", observation_scale(GAME), (np.zeros((GAME.num_actions, size), np.float32),),
        (np.zeros(GAME.num_actions, np.float32),),
    )  # fmt: skip
    save_policy(path, network)
    return path


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of the policies that come with the package."""
    monkeypatch.setattr(names, "POLICIES", tmp_path)
    return tmp_path


# Names ---------------------------------------------------------------------------------------


def test_names_of_a_game(shipped: Path) -> None:
    assert bot_names(GAME) == ["random", *RULE_BOTS]
    for name in bot_names(GAME):
        bot = make_bot(name, GAME, seed=1)
        assert isinstance(bot, Bot)
        assert bot.name == name


def test_unknown_names_list_the_known(shipped: Path) -> None:
    there_are = "there are random, .*chancellors/steward, .*blocker, .*and .safetensors files"
    for name in ("chancellors/stewart", "stewart", "", "chancellors/stewart:alarm=8", ":alarm=8"):
        with pytest.raises(OptionError, match=there_are):
            make_bot(name, GAME)
    with pytest.raises(OptionError, match=f"no bot 'stewart'; {there_are}"):
        bot_parameters("stewart")


def test_bots_of_another_game_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = type("Elsewhere", (), {"id": "elsewhere_v0", "name": "elsewhere"})()
    made = UniformBot(GAME)
    made.game = elsewhere
    monkeypatch.setitem(BOTS, "elsewhere/bot", BotEntry(lambda game, seed, name, params: made))
    assert "elsewhere/bot" not in bot_names(GAME)
    with pytest.raises(OptionError, match="'elsewhere/bot' plays elsewhere_v0, not chancellors_v0"):
        make_bot("elsewhere/bot", GAME)


# Parameters ----------------------------------------------------------------------------------


def test_parameters_in_a_name() -> None:
    found = character("chancellors/steward:alarm=8,rank_price=9/8/6,mercy=0.25,joint=True")
    assert found == Character(alarm=8, rank_price=(9, 8, 6), mercy=0.25, joint=True)
    assert character("chancellors/grim:grudge=12") == Character(grudge=12)
    assert character("chancellors/grim:mercy=1").mercy == 1.0
    assert character("chancellors/grim:mercy=1e-2").mercy == 0.01
    assert character("chancellors/steward") == STEWARD


def test_parameters_as_keywords() -> None:
    name = "chancellors/steward:alarm=8"
    prices = np.array([9, 8, 6])
    expected = Character(alarm=8, rank_price=(9, 8, 6), mercy=1.0, joint=True)
    assert character(name, rank_price=(9, 8, 6), mercy=1, joint=True) == expected
    assert character(name, rank_price=list(prices), mercy=np.float64(1), joint=True) == expected


def test_the_name_of_a_bot_shows_its_parameters_and_makes_it_again() -> None:
    bot = make_bot("chancellors/steward:rank_price=9/8/06,alarm=8", GAME, joint=True, mercy=1)
    assert bot.name == "chancellors/steward:rank_price=9/8/6,alarm=8,joint=true,mercy=1.0"
    assert repr(bot) == f"<bot {bot.name} for chancellors_v0>"
    assert make_bot(bot.name, GAME).name == bot.name
    assert character(bot.name) == Character(rank_price=(9, 8, 6), alarm=8, joint=True, mercy=1.0)
    # what was given is shown, also where it is what it would have been
    assert make_bot("chancellors/steward:alarm=9", GAME).name == "chancellors/steward:alarm=9"
    with pytest.raises(OptionError, match="bot chancellors/steward:alarm=9 plays"):
        make_bot("chancellors/steward:alarm=9", GAME).act(
            np.zeros(1, [("viewer", np.int8)]), np.ones((1, 152), np.int8)
        )


@pytest.mark.parametrize("text", [
    "alarm=14", "alarm=-1", "alarm=8.5", "alarm=", "alarm=eight", "alarm=8/9", "alarm=true",
    "alarm= 8", "alarm=99999999999999999999",
])  # fmt: skip
def test_wrong_whole_numbers_in_names(text: str) -> None:
    with pytest.raises(OptionError, match=f"parameter {text} is not allowed: a whole number from 0 "
                       "to 13"):  # fmt: skip
        make_bot(f"chancellors/steward:{text}", GAME)


@pytest.mark.parametrize(("text", "allowed"), [
    ("rank_price=9/8", "3 whole numbers from 0 to 10000, in a name with / between them"),
    ("rank_price=9", "3 whole numbers from 0 to 10000"),
    ("rank_price=9/8/7/6", "3 whole numbers"),
    ("rank_price=9/8/", "3 whole numbers"),
    ("rank_price=9/8/7.5", "3 whole numbers"),
    ("rank_price=9/8/-7", "3 whole numbers"),
    ("mercy=1.5", "a number from 0 to 1$"),
    ("mercy=nan", "a number"),
    ("mercy=inf", "a number"),
    ("mercy=1_0", "a number"),
    ("joint=yes", "true or false"),
    ("joint=1", "true or false"),
])  # fmt: skip
def test_other_wrong_values_in_names(text: str, allowed: str) -> None:
    with pytest.raises(OptionError, match=f"parameter {text} is not allowed: {allowed}"):
        make_bot(f"chancellors/steward:{text}", GAME)


@pytest.mark.parametrize("parameter", [
    {"alarm": 14}, {"alarm": 8.0}, {"alarm": True}, {"alarm": "8"}, {"alarm": None},
    {"alarm": (8,)}, {"rank_price": 9}, {"rank_price": (9, 8)}, {"rank_price": (9, 8, 7.0)},
    {"rank_price": "9/8/7"}, {"mercy": float("nan")}, {"mercy": "1"}, {"mercy": True},
    {"joint": 1}, {"joint": "true"},
])  # fmt: skip
def test_wrong_values_as_keywords(parameter: dict[str, Any]) -> None:
    ((name, value),) = parameter.items()
    with pytest.raises(OptionError, match=f"^parameter {name}=.* is not allowed: ") as caught:
        make_bot("chancellors/steward", GAME, **parameter)
    assert f"={value!r} is" in str(caught.value)


@pytest.mark.parametrize("word", ["alram=8", "alarm", "alarm=8,", "", "=8", "Alarm=8", " alarm=8"])
def test_unknown_parameters_in_names(word: str) -> None:
    with pytest.raises(
        OptionError,
        match=r"of bot 'chancellors/steward' is not of the form name=value; it has danger, .*alarm",
    ):
        make_bot(f"chancellors/steward:{word}", GAME)


def test_unknown_parameters_as_keywords_and_twice_the_same() -> None:
    with pytest.raises(OptionError, match="'chancellors/grim' has no parameter 'alram'; it has da"):
        make_bot("chancellors/grim", GAME, alram=8)
    twice = "parameter alarm of bot 'chancellors/steward' is given twice"
    with pytest.raises(OptionError, match=twice):
        make_bot("chancellors/steward:alarm=8,alarm=8", GAME)
    with pytest.raises(OptionError, match=twice):
        make_bot("chancellors/steward:alarm=8", GAME, alarm=8)


def test_random_has_no_parameters() -> None:
    assert bot_parameters("random") == ()
    with pytest.raises(OptionError, match=r"parameter 'draw=true' of bot 'random'.* none"):
        make_bot("random:draw=true", GAME)
    with pytest.raises(OptionError, match="bot 'random' has no parameter 'draw'; it has none"):
        make_bot("random", GAME, draw=True)


def test_parameters_are_listed_with_defaults_and_meaning() -> None:
    for name in RULE_BOTS:
        listed = {parameter.name: parameter for parameter in bot_parameters(name)}
        assert list(listed) == list(vars(STEWARD))
        made = character(name)
        assert {key: parameter.default for key, parameter in listed.items()} == vars(made)
        for parameter in listed.values():
            assert parameter.check(parameter.default) == parameter.default
            assert len(parameter.meaning) > 10
    alarm = {parameter.name: parameter for parameter in bot_parameters("chancellors/steward")}
    assert alarm["alarm"].allowed() == "a whole number from 0 to 13"
    assert (alarm["alarm"].default, alarm["alarm"].type) == (9, int)


def test_any_dataclass_can_hold_params(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Params:
        shares: tuple[float, float] = field(default=(0.5, 1.0), metadata={"meaning": "of a and b"})
        flags: tuple[bool, bool] = field(default=(True, False), metadata={"meaning": "on or off"})
        offset: int = field(default=-1, metadata={"meaning": "below zero, too", "low": -5})
        own: str = "not for names"

    seen: list[Params] = []

    def make(game: Any, seed: int | None, name: str, params: Params) -> Bot:
        seen.append(params)
        return UniformBot(game, seed)

    monkeypatch.setitem(BOTS, "made-up", BotEntry(make, Params()))
    make_bot("made-up:shares=1/0.25,offset=-3", GAME, flags=(False, True))
    make_bot("made-up:flags=true/TRUE", GAME)
    assert seen == [Params((1.0, 0.25), (False, True), -3), Params(flags=(True, True))]
    assert bot_parameters("made-up") == (
        Parameter("shares", (0.5, 1.0), "of a and b"),
        Parameter("flags", (True, False), "on or off"),
        Parameter("offset", -1, "below zero, too", low=-5),
    )
    for text, allowed in [
        ("flags=true", "2 true or false, in a name with"),
        ("offset=-6", "a whole number from -5$"),
        ("shares=a/b", "2 numbers, in a name with / between them"),
        ("own=mine", "not of the form name=value; it has shares, flags, offset"),
    ]:
        with pytest.raises(OptionError, match=allowed):
            make_bot(f"made-up:{text}", GAME)


# Other packages ------------------------------------------------------------------------------

MADE = """
from dataclasses import dataclass
from concilium.baselines import BotEntry, UniformBot
from concilium.baselines.parameters import number

@dataclass(frozen=True)
class Params:
    luck: float = number(0.5, "how lucky it is", high=1.0)

class LuckyBot(UniformBot):
    pass

def make(game, seed, name, params):
    bot = LuckyBot(game, seed)
    bot.name, bot.luck = name, params.luck
    return bot

BOTS = {"chancellors/NAME": BotEntry(make, Params())}
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Installs a package with a module and an entry point; bots are looked for anew."""
    fresh = BotCatalogue()
    for module in (names, registry):
        monkeypatch.setattr(module, "BOTS", fresh)
    monkeypatch.syspath_prepend(tmp_path)

    def install(name: str, source: str) -> None:
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}\n")
        monkeypatch.delitem(sys.modules, name, raising=False)

    return install


def test_another_package_brings_a_bot(package: Callable[[str, str], None]) -> None:
    package("bots_of_luck", MADE.replace("NAME", "lucky"))
    bot: Any = make_bot("chancellors/lucky:luck=0.25", GAME, seed=1)
    assert (bot.name, bot.luck) == ("chancellors/lucky:luck=0.25", 0.25)
    assert "chancellors/lucky" in bot_names(GAME)
    assert "chancellors/lucky" not in bot_names(get_game("nicaea"))
    assert bot_parameters("chancellors/lucky") == (
        Parameter("luck", 0.5, "how lucky it is", low=0, high=1.0),
    )


def test_two_packages_with_the_same_bot(package: Callable[[str, str], None]) -> None:
    package("bots_of_luck", MADE.replace("NAME", "lucky"))
    package("more_luck", MADE.replace("NAME", "lucky"))
    package("other_luck", MADE.replace("NAME", "other"))
    both = "bots_of_luck and more_luck both have a bot 'chancellors/lucky'"
    with pytest.warns(RuntimeWarning, match=both), pytest.raises(OptionError, match=f"; {both}$"):
        make_bot("chancellors/lucky", GAME)
    assert make_bot("chancellors/other", GAME).name == "chancellors/other"


def test_the_bots_here_cannot_be_replaced(package: Callable[[str, str], None]) -> None:
    package("bots_of_luck", MADE.replace("NAME", "steward"))
    with pytest.warns(RuntimeWarning, match=r"chancellors and bots_of_luck both have .*/steward"):
        bot_names(GAME)
    assert isinstance(make_bot("chancellors/steward", GAME), CharacterBot)


@pytest.mark.parametrize(("source", "words"), [
    ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("1 / 0", "ZeroDivisionError"),
    ("BOTS = {'x': 1}", "exports no table called BOTS"),
    ("", "exports no table called BOTS"),
])  # fmt: skip
def test_a_package_that_fails_harms_no_other(
    package: Callable[[str, str], None], source: str, words: str
) -> None:
    package("bots_of_luck", MADE.replace("NAME", "lucky"))
    package("broken_bots", source)
    assert make_bot("chancellors/steward", GAME).name == "chancellors/steward"  # nobody is asked
    fault = f"bots of broken_bots are missing: .*{words}"
    with pytest.warns(RuntimeWarning, match=fault):
        assert make_bot("chancellors/lucky", GAME).name == "chancellors/lucky"
    with pytest.raises(OptionError, match=f"no bot 'chancellors/broken'; .*{fault}"):
        make_bot("chancellors/broken", GAME)


def test_a_folder_is_imported_when_it_is_needed() -> None:
    code = (
        "import sys; from concilium.baselines import make_bot; from concilium.envs import get_game;"
        "make_bot('chancellors/steward:alarm=8', 'chancellors'); make_bot('random', 'nicaea');"
        "print([n for n in ('chancellors', 'nicaea', 'believers')"
        " if f'concilium.baselines.{n}' in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "['chancellors']\n"


# Policies ------------------------------------------------------------------------------------


def test_policy_files_take_draw(tmp_path: Path) -> None:
    path = str(policy(tmp_path / "mine.safetensors"))
    for name, arguments, shown, greedy in [
        (path, {}, "mine", True),
        (path, {"greedy": False}, "mine", False),
        (f"{path}:draw=true", {}, "mine:draw=true", False),
        (f"{path}:draw=false", {"greedy": False}, "mine:draw=false", True),
        (path, {"draw": True}, "mine:draw=true", False),
    ]:
        bot = make_bot(name, GAME, **arguments)
        assert isinstance(bot, PolicyBot)
        assert (bot.name, bot.greedy) == (shown, greedy)
    with pytest.raises(OptionError, match="parameter draw=maybe is not allowed: true or false"):
        make_bot(f"{path}:draw=maybe", GAME)
    with pytest.raises(OptionError, match="has no parameter 'alarm'; it has draw"):
        make_bot(path, GAME, alarm=8)
    assert make_bot("random", GAME, greedy=False).name == "random"


def test_colons_in_paths(tmp_path: Path) -> None:
    odd = tmp_path / "a:b=c"
    odd.mkdir()
    path = policy(odd / "d:draw=e.safetensors")
    assert make_bot(str(path), GAME).name == "d:draw=e"
    bot = make_bot(f"{path}:draw=true", GAME)
    assert isinstance(bot, PolicyBot)
    assert not bot.greedy
    assert policy_file(str(path)) == policy_file(f"{path}:draw=true") == path


def test_a_policy_file_that_is_not_there() -> None:
    with pytest.raises(FileFormatError, match=r"nowhere.* no such file"):
        make_bot("nowhere.safetensors:draw=true", GAME)
    assert [parameter.name for parameter in bot_parameters("nowhere.safetensors")] == ["draw"]


def test_policies_that_come_along_are_known_by_name(shipped: Path) -> None:
    policy(shipped / "chancellors-table.safetensors")
    shutil.copy(shipped / "chancellors-table.safetensors", shipped / "elsewhere-x.safetensors")
    policy(shipped / "chancellors-a-b.safetensors")
    for odd in ("chancellors.safetensors", "-x.safetensors", "chancellors-.safetensors"):
        policy(shipped / odd)
    (shipped / "chancellors-notes.txt").write_text("no policy")
    assert bot_names(GAME) == [
        "random", *RULE_BOTS, "chancellors/a-b", "chancellors/table"
    ]  # fmt: skip
    bot = make_bot("chancellors/table", GAME, seed=1)
    assert isinstance(bot, PolicyBot)
    assert (bot.name, bot.greedy) == ("chancellors/table", True)
    drawn = make_bot("chancellors/table:draw=true", GAME, seed=1)
    assert isinstance(drawn, PolicyBot)
    assert (drawn.name, drawn.greedy) == ("chancellors/table:draw=true", False)
    assert [parameter.name for parameter in bot_parameters("chancellors/table")] == ["draw"]
    assert policy_file("chancellors/table") == shipped / "chancellors-table.safetensors"
    assert policy_file("chancellors/steward:alarm=8") is None
    with pytest.raises(OptionError, match="'elsewhere/x' plays chancellors_v0"):
        make_bot("elsewhere/x", type("Other", (), {"id": "elsewhere_v0", "name": "elsewhere"})())


def test_there_need_be_no_policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "POLICIES", tmp_path / "nowhere")
    assert bot_names(GAME) == ["random", *RULE_BOTS]


def test_the_policies_of_the_package_can_be_used() -> None:
    for name in bot_names(GAME):
        if (path := policy_file(name)) is not None:
            assert name not in BOTS
            assert path.parent == names.POLICIES
            assert isinstance(make_bot(name, GAME), PolicyBot)
