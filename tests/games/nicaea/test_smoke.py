"""Nicaea as a whole: deals, games to the end, and decks of a user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import FileFormatError, OptionError, nicaea_v0, register_game
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import SPECTATOR, Records
from concilium.envs.core.vector import VecGame
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea.actions import DECLINE, NUM_ACTIONS, PASS
from concilium.envs.nicaea.deck import read_deck
from concilium.envs.nicaea.state import CARDS, Ending

register_game(GAME)
HOUSE = GAME.folder / "deck.toml"


def small_deck(**changes: str) -> str:
    """The text of a sound deck of four Bishops and five Canons; ``changes`` replace parts of it."""
    parts = {
        "title": 'title = "small"\nprovenance = "made for a test"\n',
        "track": '[track]\nprovenance = "made for a test"\n',
        "base": "base = [2, 4, 7]\n",
        "contrarian": "contrarian = [1, 1, 2]\n",
        "refresh": "refresh = [0, 0.5, 2]\n",
        "bishops": "".join(
            f'[[bishop]]\nid = "b{k}"\nfigure = "{"PQ"[k // 2]}"\nsuit = "s{k % 5}"\n'
            f"cost = {k + 1}\nbonus = 1\ndisputes = [{k % 5 + 1}]\n"
            for k in range(4)
        ),
        "canons": "".join(
            f'[[canon]]\nid = "c{k}"\nname = "C{k}"\nsuit = "s{k}"\ncost = 2\n' for k in range(5)
        ),
    }
    return "".join({**parts, **changes}.values())


def write(folder: Path, text: str) -> Path:
    path = folder / "deck.toml"
    path.write_text(text)
    return path


def play(game: BoundGame, seed: int, passes: float) -> tuple[Records, int]:
    """Play a game at random, passing and declining ``passes`` times as often as anything else."""
    rng = np.random.default_rng(seed)
    weights = np.ones(NUM_ACTIONS)
    weights[[PASS, DECLINE]] = passes
    state = game.new_state(seed)
    census = game.census(state)
    moves = 0
    while int(state["status"][0]) == 0:
        chances = game.legal_actions(state) * weights
        game.step(state, int(rng.choice(NUM_ACTIONS, p=chances / chances.sum())))
        moves += 1
        assert (game.census(state) == census).all()
        assert not list(GAME.faults(state[0]))
    return state, moves


@pytest.mark.parametrize("players", [4, 5, 6])
def test_deal(players: int) -> None:
    """N2, N3: a doctrine card each, tokens, TI, seven cards on the display."""
    game = GAME.bind(num_players=players)
    for seed in range(30):
        s = game.new_state(seed)[0]
        dealt = s["doctrine"].sum(axis=(0, 2))
        start = int(s["actor"])
        assert (s["doctrine"][:players].sum(axis=(1, 2)) == 1).all()
        assert dealt.sum() == players
        assert s["token"].tolist() == dealt.tolist()
        assert int(s["constantine"]) == start
        expected = [0] * 6
        for seat in range(players):
            dispute = int(np.argmax(s["doctrine"][seat].sum(axis=1)))
            expected[seat] = {1: 3, 2: 2}[int(dealt[dispute])]
            assert players > 4 or dispute < 3
        expected[(start - 1) % players] += 1
        assert s["ti"].tolist() == expected
        assert (s["display"] >= 0).all()
        assert int(s["deck_size"]) == 40 - 7


@pytest.mark.parametrize("players", [4, 5, 6])
def test_games_end_within_the_bound_and_tell_everything(players: int) -> None:
    game = GAME.bind(num_players=players)
    for seed, (passes, ending) in enumerate(
        [(1.0, Ending.EXHAUSTED), (2.0, Ending.EXHAUSTED), (1e9, Ending.IDLE)]
    ):
        state, moves = play(game, seed, passes)
        assert int(state["ending"][0]) == ending
        assert moves <= game.max_game_length
        assert game.returns(state).sum() == pytest.approx(0)
        for viewer in (*range(players), SPECTATOR):
            view = game.view(state, viewer)
            assert game.events(view)[-1].startswith("the end: ")
            assert "over: " in game.describe(view)
            assert "over: " in game.render(view)


def test_three_idle_rounds_are_three_times_everybody_passing() -> None:
    """N6: and nobody buys."""
    state, moves = play(GAME.bind(num_players=4), 0, 1e9)
    assert int(state["rounds"][0]) == 3
    assert int(state["idle_rounds"][0]) == 3
    assert moves == 12 + state["log"][0, :, 0].tolist().count(13)  # DECLINED


def test_decks_of_ones_own_share_a_batch(tmp_path: Path) -> None:
    own = GAME.bind(num_players=4, deck=write(tmp_path, small_deck()))
    state = own.new_state(0)[0]
    assert int(state["num_cards"]) == 9
    assert state["track_base"].tolist() == [2, 4, 7] + [0] * 9
    assert state["track_refresh"][:3].tolist() == [0, 1, 4]  # halves
    assert state["partner"][:9].tolist() == [1, 0, 3, 2, -1, -1, -1, -1, -1]
    assert own.action_name(1) == "take P (s0 1+1; I)"
    batch = VecGame([GAME.bind(num_players=6), own, GAME.bind(num_players=5)], seed=1)
    rng = np.random.default_rng(0)
    step = batch.reset()
    for _ in range(400):
        step = batch.step([int(rng.choice(np.flatnonzero(mask))) for mask in step.masks])
    assert batch.states["num_cards"].tolist() == [40, 9, 40]


def test_the_value_of_the_option_notices_a_changed_file(tmp_path: Path) -> None:
    path = write(tmp_path, small_deck())
    value = GAME.bind(deck=str(path)).options["deck"]
    assert GAME.bind(deck=value).options["deck"] == value
    assert str(value).startswith(f"{path}#")
    write(tmp_path, small_deck(base="base = [2, 4, 8]\n"))
    assert GAME.bind(deck=str(path)).options["deck"] != value
    with pytest.raises(FileFormatError, match="changed"):
        GAME.bind(deck=f"{path}#{'0' * 16}")
    for wrong in (5, "", None, True):
        with pytest.raises(OptionError, match="path of a deck file"):
            GAME.bind(deck=wrong)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"base": "base = [2, 2, 3]\n"}, "track, field base, space 2"),
        ({"contrarian": "contrarian = [1, 4, 2]\n"}, "track, field contrarian, space 2"),
        ({"refresh": "refresh = [0, 0.3, 2]\n"}, "track, field refresh, space 2"),
        ({"refresh": "refresh = [0, 2]\n"}, "field refresh: is not a list|has 2 numbers"),
        ({"title": 'provenance = "x"\n'}, "field title is missing"),
        ({"canons": ""}, "field canon is missing"),
        ({"bishops": ""}, "field bishop is missing"),
        ({"track": '[track]\nprovenance = "x"\nlength = 3\n'}, "track: field length is unknown"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        read_deck(write(tmp_path, small_deck(**changes)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cost = 3", "cost = 0", r"bishop 3 \('b2'\), field cost: 0 is not allowed"),
        ("cost = 3", "cost = 2.5", "field cost: 2.5 is not allowed"),
        ("cost = 3", "cost = true", "field cost: True is not allowed"),
        ('figure = "P"', 'figure = "R"', "card 'b0', field figure: 'R' is on 1 cards"),
        ("disputes = [3]", "disputes = [3, 3]", r"\('b2'\), field disputes"),
        ("disputes = [3]", "disputes = [6]", r"\('b2'\), field disputes"),
        ("disputes = [3]", "disputes = []", r"\('b2'\), field disputes"),
        ('id = "c1"', 'id = "B2"', "card 'B2', field id: two cards"),
        ('suit = "s4"', 'suit = "s3"', "4 suits"),
        ('name = "C1"', 'name = ""', r"canon 2 \('c1'\), field name"),
        ("bonus = 1", "bonus = 1\nnote = 2", "field note is unknown"),
    ],
)
def test_a_broken_card_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = small_deck().replace(old, new, 1)
    with pytest.raises(FileFormatError, match=words):
        read_deck(write(tmp_path, text))


def test_house_deck() -> None:
    deck = read_deck(HOUSE)
    bishops = [card for card in deck.cards if not card.is_canon]
    assert (len(bishops), len(deck.cards)) == (30, 40)
    assert deck.provenance
    assert deck.track_provenance
    assert len({text.lower() for text in deck.texts}) == 40
    for suit in deck.suits:
        mine = [card for card in deck.cards if card.suit == suit]
        assert len(mine) == 8
        assert sorted(card.cost for card in mine if card.is_canon) == [2, 3]
    for dispute in range(5):
        assert 8 <= sum(dispute in card.icons for card in bishops) <= 10


def test_largest_deck_fits(tmp_path: Path) -> None:
    """60 cards of the largest numbers, a full game and its observations."""
    canons = "".join(
        f'[[canon]]\nid = "k{k}"\nname = "K{k}"\nsuit = "s{k % 5}"\ncost = 9\n'
        for k in range(CARDS - 4)
    )
    track = {
        "base": "base = [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]\n",
        "contrarian": f"contrarian = {[13] * 12}\n", "refresh": f"refresh = {[10] * 12}\n",
    }  # fmt: skip
    game = GAME.bind(num_players=6, deck=write(tmp_path, small_deck(canons=canons, **track)))
    state, _ = play(game, 3, 1.0)
    vector = game.encode(game.view(state, 0))[0]
    assert (vector >= GAME.observation.low).all()
    assert (vector <= GAME.observation.high).all()


def test_environment_plays() -> None:
    env = nicaea_v0.env(num_players=4, render_mode="ansi")
    env.reset(seed=2)
    total: dict[str, Any] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        over = terminated or truncated
        assert observation is not None
        env.step(None if over else int(observation["action_mask"].argmax()))
    assert sum(total.values()) == pytest.approx(0)
