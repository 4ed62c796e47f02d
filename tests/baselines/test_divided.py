"""Bots made of two, by hand, by name and from policy files with a part of the decisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import (
    Bot,
    DividedBot,
    Network,
    PolicyBot,
    SidedBot,
    UniformBot,
    load_policy,
    make_assistant,
    make_bot,
    policy_bot,
    policy_file,
    save_policy,
)
from concilium.baselines.policy import load_network, observation_scale
from concilium.baselines.registry import names_in
from concilium.baselines.tensors import read_tensors, tensor_bytes
from concilium.commands.evaluate import find_game
from concilium.envs import FileFormatError, OptionError, get_game, make_vec
from concilium.envs.core.state import Records, take_records
from concilium.evaluation.seats import evaluate

NICAEA = get_game("nicaea")
BIDDING = ("debate_doctrine", "debate_round", "naming")
NAME = "divided:decisions=bidding,bot=random,assistant=nicaea/broker"


class Noting(UniformBot):
    """Plays at random and notes the kinds that it is asked about."""

    def __init__(self, name: str) -> None:
        super().__init__(NICAEA, 1)
        self.name = name
        self.kinds: set[str] = set()

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        bound = NICAEA.bind()
        self.kinds |= {bound.kind(views, k) for k in range(len(views))}
        return super()._choose(views, masks)


def network(**part: Any) -> Network:
    """A network of one layer with numbers at random."""
    generator = np.random.default_rng(1)
    shape = (NICAEA.num_actions, NICAEA.observation.size)
    weight = generator.normal(size=shape).astype(np.float32)
    bias = np.zeros(NICAEA.num_actions, np.float32)
    return Network(NICAEA, "relu", observation_scale(NICAEA), (weight,), (bias,), **part)


PART: dict[str, Any] = {"decisions": BIDDING, "assistant": "nicaea/tableau"}


def played(bot: Bot, steps: int = 120) -> tuple[Records, NDArray[np.int8], NDArray[np.int64]]:
    """Some positions with what the bot does there."""
    vec = make_vec(NICAEA, 12, 4, seed=1)
    batch = vec.reset()
    bot.seed(3)
    for _ in range(steps):
        views, masks = vec.views(), batch.masks
        actions = bot.act(views, masks)
        batch = vec.step(actions, observe=False)
    return views, masks, actions


def test_each_part_is_asked_about_its_kinds() -> None:
    one, other = Noting("one"), Noting("other")
    bot = DividedBot("bidding", one, other)
    assert isinstance(bot, Bot)
    assert bot.name == f"divided:decisions={'/'.join(BIDDING)},bot=one,assistant=other"
    assert repr(bot) == f"<bot {bot.name} for nicaea_v0>"
    played(bot, 300)
    assert one.kinds == set(BIDDING)
    assert other.kinds >= {"turn", "payment", "free_play"}
    assert not other.kinds & set(BIDDING)


def test_it_decides_as_its_parts_do() -> None:
    bot = make_bot(NAME, "nicaea", seed=1)
    views, masks, actions = played(bot)
    kinds = np.array([NICAEA.bind().kind(views, k) for k in range(len(views))])
    broker = make_bot("nicaea/broker", "nicaea", seed=1).act(views, masks)
    others = ~np.isin(kinds, BIDDING)
    assert others.any()
    assert (actions[others] == broker[others]).all()
    assert (masks[np.arange(len(views)), actions] == 1).all()
    whole = DividedBot("all", make_bot("nicaea/broker", "nicaea"), UniformBot(NICAEA))
    assert (whole.act(views, masks) == broker).all()
    assert len(whole.act(views[:0], masks[:0])) == 0


def test_equal_seeds_give_equal_actions() -> None:
    name = "divided:decisions=bidding,bot=random,assistant=random"
    one, two = make_bot(name, NICAEA, seed=4), make_bot(name, NICAEA, seed=5)
    assert (played(one)[0] == played(two)[0]).all()
    assert isinstance(one, DividedBot)
    first, second = (part.generator for part in one.parts)  # type: ignore[attr-defined]
    assert first.random() != second.random()


def test_names() -> None:
    bot = make_bot(NAME, "nicaea")
    assert bot.name == NAME.replace("bidding", "/".join(BIDDING))
    assert make_bot(bot.name, "nicaea").name == bot.name
    assert names_in(NAME) == ["random", "nicaea/broker"]
    assert names_in("nicaea/broker:thrift=1") == ["nicaea/broker:thrift=1"]
    assert find_game([NAME, "random"]) is NICAEA
    assert policy_file(NAME) is None
    deep = make_bot(
        "divided:assistant=nicaea/broker:thrift=1.0,marker=5,decisions=turn/payment,bot=random",
        "nicaea",
    )
    assert deep.name == (
        "divided:decisions=turn/payment,bot=random,assistant=nicaea/broker:marker=5.0,thrift=1.0"
    )
    result = evaluate(NAME, "random", game="nicaea", deals=2, num_players=4)
    assert result.bot == bot.name


FORM = "is not of the form divided:decisions=KINDS,bot=BOT,assistant=BOT"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("divided", FORM),
        ("divided:", FORM),
        ("divided:decisions=bidding,bot=random", FORM),
        ("divided:decisions=bidding,bot=random,assistant=random,bot=random", FORM),
        (f"divided:decisions=bidding,bot={NAME},assistant=random", FORM),
        ("divided:decisions=bids,bot=random,assistant=random", "no decisions 'bids' in nicaea"),
        ("divided:decisions=,bot=random,assistant=random", "no decisions ''"),
        ("divided:decisions=bidding,bot=nobody,assistant=random", "no bot 'nobody'; there are"),
        ("divided:decisions=bidding,bot=random,assistant=random,", r"parameter '' of bot 'random'|"
         "no bot 'random,'"),
        ("divided:decisions=bidding,bot=chancellors/grim,assistant=random", "plays chancellors_v0"),
    ],
)  # fmt: skip
def test_names_that_cannot_be(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_bot(name, "nicaea")


def test_parts_that_do_not_fit() -> None:
    steward = make_bot("chancellors/steward", "chancellors")
    with pytest.raises(OptionError, match="plays nicaea_v0 and chancellors/steward chancellors_v0"):
        DividedBot("all", UniformBot(NICAEA), steward)
    with pytest.raises(OptionError, match="has its parameters in its name"):
        make_bot(NAME, "nicaea", thrift=1)


# Policies --------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "bids.safetensors"
    save_policy(target, network(**PART))
    return target


def test_a_file_plays_with_its_assistant(path: Path) -> None:
    loaded = load_network(path)
    assert (loaded.decisions, loaded.assistant) == (BIDDING, "nicaea/tableau")
    bot = make_bot(str(path), "nicaea", seed=1)
    assert isinstance(bot, DividedBot)
    assert bot.name == "bids"
    views, masks, actions = played(bot)
    kinds = np.array([NICAEA.bind().kind(views, k) for k in range(len(views))])
    first = np.isin(kinds, BIDDING)
    alone = PolicyBot(network(), seed=1).act(views, masks)
    helped = make_bot("nicaea/tableau", "nicaea").act(views, masks)
    assert (actions == np.where(first, alone, helped)).all()
    drawing = make_bot(f"{path}:draw=true", "nicaea", seed=1)
    assert isinstance(drawing, DividedBot)
    assert isinstance(drawing.parts[0], PolicyBot)
    assert not drawing.parts[0].greedy
    assert drawing.name == "bids:draw=true"
    assert load_policy(path, name="mine", seed=3).name == "mine"
    assert evaluate(str(path), "random", game="nicaea", deals=2, num_players=4).games == 8
    mixed = f"divided:decisions=naming,assistant=random,bot={path}"
    assert isinstance(make_bot(mixed, "nicaea"), DividedBot)
    assert find_game([mixed]) is NICAEA


def test_a_policy_for_all_decisions_is_written_as_before(tmp_path: Path) -> None:
    save_policy(tmp_path / "a.safetensors", network())
    _, metadata = read_tensors(tmp_path / "a.safetensors")
    description = json.loads(metadata["policy"])
    assert description["format"] == 1
    assert not {"decisions", "assistant"} & set(description)
    assert isinstance(load_policy(tmp_path / "a.safetensors"), PolicyBot)


def test_a_part_of_a_policy_does_not_play_by_itself() -> None:
    with pytest.raises(OptionError, match=r"is for debate_doctrine, .*policy_bot\(\) plays it"):
        PolicyBot(network(**PART))
    bot = policy_bot(network(**PART), greedy=False, seed=3)
    assert isinstance(bot, DividedBot)
    with pytest.raises(OptionError, match="assistant 'nobody' is no rule bot"):
        policy_bot(replace(network(**PART), assistant="nobody"))


def test_assistants_are_rule_bots(path: Path) -> None:
    assert make_assistant("nicaea/broker:thrift=1.0", "nicaea").name == "nicaea/broker:thrift=1.0"
    allowed = "is no rule bot: one of random, nicaea/broker, .*nicaea/warden$"
    for name in (str(path), f"{path}:draw=true", "chancellors/learned", NAME, "", "nobody:a=1"):
        with pytest.raises(OptionError, match=allowed):
            make_assistant(name, "nicaea")


def describe(path: Path, **entries: Any) -> None:
    """Write other entries into a policy file's description; None removes one."""
    tensors, metadata = read_tensors(path)
    description = {**json.loads(metadata["policy"]), **entries}
    kept = {name: value for name, value in description.items() if value is not None}
    path.write_bytes(tensor_bytes(tensors, {"policy": json.dumps(kept)}))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"decisions": ["bids"]}, "no decisions 'bids' in nicaea: one or more of all"),
        ({"decisions": []}, "are none: one or more of all"),
        ({"decisions": "bidding"}, "decisions: 'bidding' is not allowed: a list"),
        ({"decisions": [["turn"]]}, r"\['turn'\] is not allowed: a text"),
        ({"decisions": {"turn": 1}}, "is not allowed: a list"),
        ({"decisions": None}, "field decisions is missing"),
        ({"assistant": None}, "field assistant is missing"),
        ({"assistant": 7}, "assistant: 7 is not allowed: a text from 1 to 1000"),
        ({"assistant": ""}, "assistant: '' is not allowed: a text from 1 to 1000"),
        ({"assistant": "x" * 1001}, "is not allowed: a text from 1 to 1000"),
        ({"assistant": "nobody"}, "assistant 'nobody' is no rule bot: one of random, nicaea/"),
        ({"assistant": "other.safetensors"}, "assistant 'other.safetensors' is no rule bot"),
        ({"assistant": "../../other.safetensors:draw=true"}, "is no rule bot"),
        ({"assistant": "chancellors/learned"}, "is no rule bot"),
        ({"assistant": NAME}, "is no rule bot"),
        ({"assistant": "chancellors/steward"}, "plays chancellors_v0, not nicaea_v0"),
        ({"assistant": "nicaea/broker:thrift=-1"}, "parameter thrift=-1 is not allowed"),
        ({"assistant": "nicaea/broker:courage=1"}, "'courage=1' of bot 'nicaea/broker'"),
        ({"format": 1}, "field decisions is unknown"),
        ({"format": 3}, "format 3; only 1 and 2 are read"),
    ],
    ids=str,
)
def test_broken_entries_are_one_error(entries: dict[str, Any], message: str, path: Path) -> None:
    describe(path, **entries)
    for load in (load_policy, lambda path: make_bot(str(path), "nicaea")):
        with pytest.raises(FileFormatError, match=message) as caught:
            load(path)
        assert str(caught.value).startswith(f"policy file {path}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"decisions": ("bids",), "assistant": "random"}, "no decisions 'bids'"),
        ({"decisions": ("turn",)}, "assistant: '' is not allowed"),
        ({"assistant": "random"}, "field decisions is unknown"),
    ],
)
def test_only_sound_parts_are_saved(part: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=f"no policy for nicaea_v0: .*{message}"):
        save_policy(tmp_path / "policy.safetensors", network(**part))
    assert not list(tmp_path.iterdir())


def test_the_whole_is_refused_where_masks_or_views_are(path: Path) -> None:
    bot = make_bot(NAME, "nicaea")
    vec = make_vec("nicaea", 3, 4, seed=1)
    masks = vec.reset().masks
    calls: list[Callable[[], Any]] = [
        lambda: bot.act(vec.states, masks),
        lambda: bot.act(vec.views(), masks[:2]),
        lambda: bot.act(make_vec("chancellors", 3, seed=1).reset().final_views.ravel(), masks),
    ]
    for call in calls:
        with pytest.raises(OptionError, match="bot divided:decisions="):
            call()


# A bot for each side -----------------------------------------------------------------------------

BELIEVERS = get_game("believers")
SIDES_FORM = "sides:believers=BOT,defectors=BOT"


def believers_network(**training: Any) -> Network:
    """Random weights, for all decisions of Believers."""
    generator = np.random.default_rng(1)
    widths = (BELIEVERS.observation.size, 8, BELIEVERS.num_actions)
    shapes = ((widths[1], widths[0]), (widths[2], widths[1]))
    return Network(
        BELIEVERS, "tanh", observation_scale(BELIEVERS),
        tuple(generator.normal(size=shape).astype(np.float32) for shape in shapes),
        tuple(np.zeros(width, np.float32) for width in widths[1:]), training,
    )  # fmt: skip


def dealt(games: int = 64, steps: int = 30) -> tuple[Records, Any, Any]:
    """Views, masks and the own sides of those to act, in the middle of games of Believers."""
    vec = make_vec(BELIEVERS, games, 7, seed=2)
    batch = vec.reset()
    bot = UniformBot(BELIEVERS, seed=1)
    for _ in range(steps):
        batch = vec.step(bot.act(vec.views(), batch.masks))
    views = vec.views()
    return views, batch.masks, BELIEVERS.sides_in(vec.states)[np.arange(games), vec.actors]


def test_each_side_is_asked_for_its_own_seats() -> None:
    bot = make_bot("sides:defectors=believers/always,believers=random", "believers", seed=3)
    assert isinstance(bot, SidedBot)
    assert bot.name == "sides:believers=random,defectors=believers/always"
    views, masks, sides = dealt()
    assert set(sides.tolist()) == {0, 1}
    assert (BELIEVERS.own_sides(views) == sides).all()
    seen: dict[int, list[int]] = {0: [], 1: []}
    for number, part in enumerate(bot.parts):
        act = part.act

        def watched(views: Records, masks: Any, act: Any = act, number: int = number) -> Any:
            seen[number].extend(BELIEVERS.own_sides(views).tolist())
            return act(views, masks)

        part.act = watched  # type: ignore[method-assign]
    bot.act(views, masks)
    assert [set(seen[number]) for number in (0, 1)] == [{0}, {1}]
    assert len(seen[0]) + len(seen[1]) == 64


def test_names_nest(tmp_path: Path) -> None:
    policy = tmp_path / "mine.safetensors"
    save_policy(policy, believers_network())
    inner = f"divided:decisions=vote,bot={policy}:draw=true,assistant=believers/bayes"
    for name in (
        f"sides:believers={inner},defectors=believers/always",
        f"sides:defectors={policy},believers=random",
        f"divided:decisions=vote,bot=sides:believers=random,defectors={policy},assistant=random",
    ):
        kinds = set(BELIEVERS.kinds)
        name = name.replace("vote", sorted(kinds)[0])
        assert make_bot(name, "believers").game is BELIEVERS
        assert str(policy) in {part.partition(":draw")[0] for part in names_in(name)}
        assert find_game([name]) is BELIEVERS
        assert policy_file(name) is None


@pytest.mark.parametrize(
    ("name", "game", "message"),
    [
        ("sides", "believers", f"is not of the form {SIDES_FORM}"),
        ("sides:believers=random", "believers", f"is not of the form {SIDES_FORM}"),
        ("sides:believers=random,believers=random", "believers", "is not of the form"),
        ("sides:reds=random,blues=random", "believers", "is not of the form"),
        ("sides:believers=random,defectors=nobody", "believers", "no bot 'nobody'"),
        ("sides:believers=random,defectors=random", "nicaea", "nicaea_v0: it has no sides"),
        ("sides:believers=nicaea/broker,defectors=random", "believers", "plays nicaea_v0"),
    ],
)
def test_sides_that_cannot_be(name: str, game: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_bot(name, game)


def test_only_games_with_sides_have_bots_for_them() -> None:
    with pytest.raises(OptionError, match="2 bots for the sides of nicaea: it has none"):
        SidedBot([UniformBot(NICAEA), UniformBot(NICAEA)])
    with pytest.raises(OptionError, match="nicaea has no sides"):
        NICAEA.own_sides(make_vec("nicaea", 2, 4, seed=1).reset().final_views.ravel())
    vec = make_vec("believers", 2, 5, seed=1)
    vec.reset()
    with pytest.raises(OptionError, match="are not Views of players of believers_v0"):
        BELIEVERS.own_sides(vec.states)


@pytest.mark.parametrize("side", [0, 1])
def test_a_policy_of_one_side_warns_once_when_it_plays_the_other(side: int) -> None:
    names = BELIEVERS.sides
    bot = policy_bot(believers_network(preset={"side": names[side]}), name="mine")
    views, masks, sides = dealt()
    own = np.flatnonzero(sides == side)
    bot.act(take_records(views, own), masks[own])  # warnings are errors here
    message = (
        rf"policy mine has learned to play {names[side]} only and is asked to play "
        rf"{names[1 - side]}; {SIDES_FORM} is"
    )
    with pytest.warns(RuntimeWarning, match=message):
        bot.act(views, masks)
    bot.act(views, masks)
    both = SidedBot([policy_bot(believers_network(preset={"side": name})) for name in names])
    both.act(views, masks)


def test_policies_of_all_roles_do_not_warn() -> None:
    views, masks, _ = dealt()
    for training in ({}, {"preset": {"side": ""}}, {"preset": {"side": "reds"}}, {"preset": 3}):
        policy_bot(believers_network(**training)).act(views, masks)


# Runs ------------------------------------------------------------------------------------------


def test_a_runs_folder_stands_for_its_policy(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "nicaea-quick-1"
    folder.mkdir(parents=True)
    with pytest.raises(OptionError, match=r"no bot .*and folders of runs"):
        make_bot(str(folder), "nicaea")
    (folder / "run.json").write_text("{}")
    with pytest.raises(FileFormatError, match=r"nicaea-quick-1/policy\.safetensors: no such file"):
        make_bot(str(folder), "nicaea")
    path.rename(folder / "policy.safetensors")
    for name in (str(folder), f"{folder}/"):
        bot = make_bot(name, "nicaea", seed=1)
        assert isinstance(bot, DividedBot)
        assert bot.name == "nicaea-quick-1"
        assert find_game([name]) is NICAEA
    assert make_bot(f"{folder}:draw=true", "nicaea").name == "nicaea-quick-1:draw=true"
    assert load_network(folder).decisions == BIDDING
    assert load_policy(folder).name == "nicaea-quick-1"
    assert evaluate(str(folder), "random", game="nicaea", deals=1, num_players=4).games == 4
