"""What every bot has to keep to: legal actions, Views only, its own chance, clear errors."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import BOTS, Bot, BotEntry, GeneratorBot, UniformBot, bot_names, make_bot
from concilium.envs import GAMES, Game, IllegalActionError, OptionError, get_game, make_vec
from concilium.envs.core.bot import pick_legal, refuse_empty
from concilium.envs.core.state import Records, plain_records
from tests.games.nicaea.players import SMALL_DECK

GAME = get_game("chancellors")
EXTREMES: dict[str, list[dict[str, Any]]] = {
    "chancellors": [{"target_score": 1}, {"target_score": 8000}, {"max_turns": 1}],
    "nicaea": [{"deck": SMALL_DECK}],
    "believers": [{"rows": "1"}, {"talk": "claims", "disciples": False}],
}
PLAYING = [
    pytest.param(game, name, id=f"{game.name}-{name}")
    for game in map(get_game, EXTREMES)
    for name in bot_names(game)
    if name in BOTS
]
"""Every game with every rule bot that plays it."""
OPTIONS = [
    {"excuse": excuse, "pawns": pawns, "problems": problems, "calamity": calamity}
    for excuse, pawns, problems, calamity in product(
        (False, True), (False, True), (3, 4, 5), ("all_lose", "lowest_wins")
    )
]


def play(bots: list[Bot], num_players: int, steps: int, seed: int, **options: Any) -> list[int]:
    """Let the bots decide by turns in 24 games; return all actions, each checked to be legal."""
    vec = make_vec(bots[0].game, 24, num_players, seed=seed, **options)
    batch = vec.reset()
    taken: list[int] = []
    for step in range(steps):
        views = vec.views()
        plain = plain_records(views)
        assert (plain["viewer"] == plain["actor"]).all()
        actions = bots[step % len(bots)].act(views, batch.masks)
        assert actions.dtype == np.int64
        assert (batch.masks[np.arange(24), actions] == 1).all()
        taken += actions.tolist()
        batch = vec.step(actions)
    return taken


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(map(str, o.values())))
def test_bots_are_legal_with_all_options(num_players: int, options: dict[str, Any]) -> None:
    names = bot_names(GAME)
    assert {"random", "chancellors/steward", "chancellors/opportunist"} <= set(names)
    for name in names:
        play([make_bot(name, GAME, seed=1)], num_players, 40, seed=2, **options)
    # random moves lead where a careful bot alone never comes, such as payments begun badly
    play([make_bot(name, GAME, seed=1) for name in names], num_players, 120, seed=3, **options)


@pytest.mark.parametrize(("game", "name"), PLAYING)
def test_bots_are_legal_at_extreme_options(game: Game, name: str) -> None:
    for players in {game.min_players, game.max_players}:
        for options in EXTREMES[game.name]:
            play([make_bot(name, game, seed=1)], players, 60, seed=4, **options)


@pytest.mark.parametrize(("game", "name"), PLAYING)
def test_equal_seeds_give_equal_actions(game: Game, name: str) -> None:
    bot = make_bot(name, game, seed=5)
    first = play([bot], game.max_players, 50, seed=6)
    bot.seed(5)
    assert play([bot], game.max_players, 50, seed=6) == first


def test_uniform_bot_differs_by_seed_and_is_uniform() -> None:
    bot = UniformBot(GAME, seed=1)
    assert play([bot], 2, 50, seed=6) != play([bot], 2, 50, seed=6)
    masks = np.zeros((30_000, GAME.num_actions), np.int8)
    masks[:, [3, 70, 151]] = 1
    actions = pick_legal(masks, np.random.default_rng(0))
    counts = np.bincount(actions, minlength=152)
    assert counts[[3, 70, 151]].sum() == 30_000
    assert abs(counts[[3, 70, 151]] - 10_000).max() < 500  # six standard deviations


@pytest.mark.parametrize(("game", "name"), PLAYING)
def test_global_generators_are_left_alone(game: Game, name: str) -> None:
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    play([make_bot(name, game)], game.min_players, 20, seed=1)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002


@pytest.mark.parametrize(("game", "name"), PLAYING)
def test_an_empty_mask_is_refused(game: Game, name: str) -> None:
    vec = make_vec(game, 3, game.min_players, seed=1)
    masks = vec.reset().masks
    masks[1] = 0
    bot = make_bot(name, game)
    with pytest.raises(IllegalActionError, match="row 1 of the masks is all zero"):
        bot.act(vec.views(), masks)
    with pytest.raises(IllegalActionError, match="row 1"):
        pick_legal(masks, np.random.default_rng(0))
    with pytest.raises(IllegalActionError, match="row 1"):
        refuse_empty(masks)


@pytest.mark.parametrize(("game", "name"), PLAYING)
def test_views_of_another_game_are_refused(game: Game, name: str) -> None:
    bot = make_bot(name, game)
    foreign: Records = np.zeros(1, [("viewer", np.int8)])
    with pytest.raises(OptionError, match=f"{name} plays {game.id}"):
        bot.act(foreign, np.ones((1, game.num_actions), np.int8))
    vec = make_vec(game, 2, game.min_players, seed=1)
    vec.reset()
    shape = rf"\(1, {game.num_actions}\)"
    with pytest.raises(OptionError, match=f"masks of shape {shape} for 2 views"):
        bot.act(vec.views(), np.ones((1, game.num_actions), np.int8))


@pytest.mark.parametrize(("game", "name"), PLAYING)
def test_no_views_no_actions(game: Game, name: str) -> None:
    vec = make_vec(game, 1, game.min_players, seed=1)
    vec.reset()
    none = make_bot(name, game).act(vec.views([]), np.zeros((0, game.num_actions), np.int8))
    assert none.shape == (0,)
    assert none.dtype == np.int64


def test_registry() -> None:
    assert make_bot("random", "chancellors").game is GAME
    assert make_bot("random", GAME.bind(num_players=4)).name == "random"
    assert (
        repr(make_bot("chancellors/steward", GAME))
        == "<bot chancellors/steward for chancellors_v0>"
    )
    for game in GAMES.values():
        for name in bot_names(game):
            assert isinstance(make_bot(name, game), Bot)
    with pytest.raises(
        OptionError, match="no bot 'stewart'; there are random, chancellors/steward"
    ):
        make_bot("stewart", GAME)
    with pytest.raises(OptionError, match="no game 'chess'"):
        make_bot("random", "chess")
    with pytest.raises(OptionError, match="seed -1 is out of range"):
        make_bot("random", GAME, seed=-1)


def test_a_bot_for_another_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(GeneratorBot):
        def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
            raise AssertionError

    class Elsewhere:
        id = "elsewhere_v0"

    other = Other("other", Elsewhere())  # type: ignore[arg-type]
    monkeypatch.setitem(BOTS, "other", BotEntry(lambda game, seed, name, settings: other))
    with pytest.raises(OptionError, match="'other' plays elsewhere_v0, not chancellors_v0"):
        make_bot("other", GAME)
    assert list(GAMES)  # and the games themselves are as they were
