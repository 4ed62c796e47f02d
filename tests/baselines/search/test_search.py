"""Bots that search: worlds, playouts, the choice at the root, the tree."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import make_bot
from concilium.baselines.believers import BAYES, posteriors
from concilium.baselines.registry import names_in
from concilium.baselines.search import SearchBot, Settings
from concilium.baselines.search.playout import BatchPlayouts, CompiledPlayouts, playouts
from concilium.baselines.search.root import improve
from concilium.baselines.search.worlds import draw_worlds
from concilium.envs import Game, OptionError, get_game
from concilium.envs.core.bot import UniformBot
from concilium.envs.core.state import RUNNING, Records, plain_records
from tests.toys.kuhn import BET, PASS
from tests.toys.kuhn import GAME as KUHN

TABLES = [
    ("chancellors", 2), ("chancellors", 3), ("chancellors", 4), ("nicaea", 4), ("nicaea", 5),
    ("nicaea", 6), *(("believers", n) for n in range(5, 11)),
]  # fmt: skip
RULE_BOTS = {
    "chancellors": ("chancellors/steward", "chancellors/opportunist"),
    "nicaea": ("nicaea/broker", "nicaea/tableau"),
    "believers": ("believers/bayes:steady=true", "believers/partner:steady=true"),
}


def position(game: Game, players: int, decisions: int, seed: int = 0) -> Records:
    """A State with a choice, after so many random decisions or as many as there are."""
    bound = game.bind(num_players=players)
    generator = np.random.default_rng(seed)
    states = bound.new_state(seed)
    found = states.copy()
    for _ in range(decisions):
        if plain_records(states)["status"][0] != RUNNING:
            break
        legal = np.flatnonzero(bound.legal_actions(states))
        if len(legal) > 1:
            found = states.copy()
        bound.step(states, int(generator.choice(legal)))
    return found


def seen(game: Game, states: Records) -> tuple[Records, NDArray[np.int8]]:
    """The View and the mask of whoever is to act."""
    bound = game.bind(num_players=int(plain_records(states)["num_players"][0]))
    view = bound.view(states, int(plain_records(states)["actor"][0]))
    return view, bound.legal_actions(view)[np.newaxis]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_worlds_show_the_viewer_what_it_saw(name: str, players: int) -> None:
    game = get_game(name)
    bot = make_bot(RULE_BOTS[name][0], game, seed=1)
    for decisions in (0, 25, 60):
        view, _ = seen(game, position(game, players, decisions))
        viewer = int(plain_records(view)["viewer"][0])
        worlds = draw_worlds(view, bot, 50, np.random.default_rng(1))
        again = np.empty_like(worlds)
        game.kernels.view_many(worlds, np.arange(50), np.full(50, viewer), again, 0, 50)
        expected = plain_records(view)[0].tobytes()
        assert all(row.tobytes() == expected for row in plain_records(again))


@pytest.mark.parametrize("players", range(5, 11))
def test_worlds_follow_the_posterior(players: int) -> None:
    game = get_game("believers")
    bot = make_bot("believers/bayes", game, seed=1)
    view, _ = seen(game, position(game, players, 80, seed=players))
    worlds = plain_records(draw_worlds(view, bot, 4000, np.random.default_rng(2)))
    chances = posteriors(view, BAYES.model()).seats[0]
    shares = (worlds["faith"][:, :players] == 1).mean(axis=0)
    errors = np.sqrt(chances * (1 - chances) / 4000)
    assert (np.abs(shares - chances) <= 5 * errors + 1e-9).all()


@pytest.mark.parametrize(("name", "players"), [("chancellors", 3), ("nicaea", 5), ("believers", 7)])
def test_both_ways_of_playing_on_agree(name: str, players: int) -> None:
    """Compiled whole or in batches: bots that draw nothing come to the same returns."""
    game = get_game(name)
    bots = [make_bot(bot, game, seed=1) for bot in RULE_BOTS[name]]
    view, mask = seen(game, position(game, players, 30))
    worlds = draw_worlds(view, bots[0], 8, np.random.default_rng(3))
    legal = np.flatnonzero(mask[0])[:4]
    rows = np.tile(np.arange(8), len(legal))
    sits = np.random.default_rng(4).integers(0, 2, (8, players))
    compiled = playouts(game, bots)
    assert isinstance(compiled, CompiledPlayouts)
    before = plain_records(worlds).tobytes()
    found = [
        each(worlds, rows, np.repeat(legal, 8), sits)
        for each in (compiled, BatchPlayouts(game, bots), compiled)
    ]
    assert plain_records(worlds).tobytes() == before
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][0], found[2][0])
    assert found[0][1] == found[1][1] > len(rows)
    bound = game.bind(num_players=players)
    assert (
        found[0][0].sum(axis=1)
        == pytest.approx([bound.game.utility_sum(bound.options)] * len(rows))
        or bound.game.utility_sum(bound.options) is None
    )


def test_equal_actions_have_equal_chance() -> None:
    """The same action in the same world comes to the same end, also with bots that draw."""
    game = get_game("believers")
    bots = [make_bot("believers/bayes", game, seed=1), UniformBot(game, 1)]
    view, mask = seen(game, position(game, 6, 20))
    worlds = draw_worlds(view, bots[0], 16, np.random.default_rng(1))
    action = np.full(32, np.flatnonzero(mask[0])[0])
    sits = np.ones((16, 6), np.int64)
    sits[:, :3] = 0
    returns, _ = playouts(game, bots)(worlds, np.tile(np.arange(16), 2), action, sits)
    assert np.array_equal(returns[:16], returns[16:])
    assert len(np.unique(returns, axis=0)) > 1


# At the root -----------------------------------------------------------------------------------


def noisy(means: list[float], seed: int, spread: float = 1.0):  # type: ignore[no-untyped-def]
    """Actions whose returns share a part of their chance, and have some of their own."""
    generator = np.random.default_rng(seed)

    def attempt(actions: NDArray[np.int64], worlds: int) -> NDArray[np.float64]:
        shared = generator.normal(size=worlds)
        own = generator.normal(size=(len(actions), worlds))
        return np.array(means)[actions][:, np.newaxis] + shared + spread * own

    return attempt


def test_the_best_action_is_found_and_halves_are_dropped() -> None:
    found = improve(np.arange(8), 0, noisy([0, 0, 0, 3, 0, 0, 0, 0], 1), Settings(worlds=64))
    assert found.chosen == 3
    assert found.blueprint == 0
    assert found.worlds == 64
    # 7 challengers: all in 16 worlds (64 / 8 is fewer), then 3, then 1
    assert sorted(found.visits.tolist()) == [16, 16, 16, 16, 16, 16, 64, 64]
    assert found.gains[3] == pytest.approx(3, abs=0.6)
    assert found.errors[0] == 0


def test_it_departs_seldom_where_nothing_is_better() -> None:
    departed = [
        improve(np.arange(6), 2, noisy([0.0] * 6, seed), Settings(worlds=32)).chosen != 2
        for seed in range(400)
    ]
    # the best of five at 2 standard errors, three fifths of its worlds chosen beforehand: a few in
    # a hundred for one action, at most five times as many for five
    assert np.mean(departed) < 0.12
    sure = [
        improve(np.arange(6), 2, noisy([0.0] * 6, seed), Settings(worlds=32, threshold=5.0)).chosen
        for seed in range(400)
    ]
    assert np.mean(np.array(sure) != 2) <= 0.01


def test_a_certain_gain_needs_no_spread() -> None:
    found = improve(
        np.array([4, 9]), 9, noisy([0.0] * 4 + [1.0] + [0.0] * 5, 1, 0.0), Settings(worlds=2)
    )
    assert found.chosen == 4
    assert found.errors.tolist() == pytest.approx([0, 0])


def test_time_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr("concilium.baselines.search.root.time.perf_counter", lambda: next(ticks))
    settings = Settings(milliseconds=100_000, worlds=2)
    found = improve(np.arange(4), 0, noisy([0, 0, 2, 0], 1), settings)
    assert found.chosen == 2
    # a look at the clock every 16 worlds: one a second, some more at the stages' ends
    assert 90 * 16 <= found.worlds <= 100 * 16


# The bot ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tree", [False, True])
@pytest.mark.parametrize(("card", "chosen"), [(2, BET), (0, PASS)])
def test_kuhn_with_a_sure_hand(card: int, chosen: int, tree: bool) -> None:
    """The second to act, facing a bet: the King calls and wins 2, the Jack folds and loses 1."""
    states = KUHN.bind().new_state(0)
    plain_records(states)["card"] = (1, card)
    plain_records(states)["rest"] = 2 - card
    plain_records(states)["log"][0, :2, 5] = (1, card)
    KUHN.bind().step(states, BET)
    view, mask = seen(KUHN, states)
    bot = SearchBot(UniformBot(KUHN, 1), settings=Settings(worlds=8, tree=tree), seed=1)
    assert bot.act(view, mask).tolist() == [chosen]
    thoughts = bot.thoughts[0]
    assert thoughts is not None
    assert thoughts.values.tolist() == [-1, 2 if card == 2 else -2]


@pytest.mark.parametrize("tree", [False, True])
@pytest.mark.parametrize("name", sorted(RULE_BOTS))
def test_what_is_hidden_decides_nothing(name: str, tree: bool) -> None:
    game = get_game(name)
    states = position(game, game.min_players, 25, seed=3)
    view, _ = seen(game, states)
    other = game.bind(num_players=game.min_players).determinize(view, 99)
    assert plain_records(other)[0].tobytes() != plain_records(states)[0].tobytes()
    found: list[NDArray[np.generic]] = []
    for each in (states, other):
        bot = searcher(game, tree=tree)
        found.append(bot.act(*seen(game, each)))
        found.append(bot.thoughts[0].values)  # type: ignore[union-attr]
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(found[1], found[3], equal_nan=True)


def searcher(game: Game, seed: int = 5, tree: bool = False) -> SearchBot:
    """A short search with the game's first rule bot."""
    own, other = (make_bot(bot, game, seed=1) for bot in RULE_BOTS[game.name])
    return SearchBot(own, [own, other], Settings(worlds=12, tree=tree), seed=seed)


@pytest.mark.parametrize("name", sorted(RULE_BOTS))
def test_it_repeats_and_is_copied(name: str) -> None:
    game = get_game(name)
    view, mask = seen(game, position(game, game.max_players, 40))
    bot = searcher(game)
    copies = [copy.deepcopy(bot), pickle.loads(pickle.dumps(bot)), searcher(game)]
    answers = [[each.act(view, mask).tolist() for _ in range(3)] for each in (bot, *copies)]
    assert answers[1:] == answers[:-1]
    first = bot.decisions
    bot.seed(5)
    assert [bot.act(view, mask).tolist() for _ in range(3)] == answers[0]
    assert bot.decisions == 2 * first


def test_names() -> None:
    name = "search:bot=believers/bayes:sleep=2,others=believers/bayes+random,worlds=8,tree=true"
    bot = make_bot(name, "believers", seed=1)
    assert isinstance(bot, SearchBot)
    assert bot.name == name
    assert bot.settings == Settings(worlds=8, tree=True)
    assert bot.blueprint.name == "believers/bayes:sleep=2"
    assert [other.name for other in bot.others] == ["believers/bayes", "random"]
    assert names_in(name) == ["believers/bayes:sleep=2", "believers/bayes", "random"]
    assert make_bot("search:bot=random", "nicaea").name == "search:bot=random"
    for wrong, message in (
        ("search:worlds=8", "is not of the form search:bot=BOT"),
        ("search:bot=random,worlds=1", "worlds=1 is not allowed: a whole number from 2"),
        ("search:bot=random,deep=3", "no bot"),
        ("search:bot=random,worlds=8,worlds=9", "is not of the form"),
        ("search:bot=nicaea/broker", "plays nicaea_v0, not believers_v0"),
    ):
        with pytest.raises(OptionError, match=message):
            make_bot(wrong, "believers")


def test_bots_of_other_games_are_refused() -> None:
    own, other = make_bot("random", "chancellors"), make_bot("random", "nicaea")
    with pytest.raises(OptionError, match="a search plays one game"):
        SearchBot(own, [other])
