"""Sides: the deal says where a bot sits, and a game is what its own replay says."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import GeneratorBot, UniformBot
from concilium.envs import BotError, Game, OptionError, get_game
from concilium.envs.believers.options import MINI
from concilium.envs.core.option import OptionValue
from concilium.envs.core.state import Records, plain_records
from concilium.evaluation.matches import deal_seeds
from concilium.evaluation.seats import evaluate_side
from concilium.evaluation.sides import NOBODY, SideResults, play_sides

GAME = get_game("believers")
CHANCELLORS = get_game("chancellors")
BELIEVERS, DEFECTORS = 0, 1


class PlainBot(GeneratorBot):
    """Takes the first legal action, or the last: no chance in it. Keeps what it was shown."""

    def __init__(self, game: Game, last: bool = False) -> None:
        super().__init__("last" if last else "first", game)
        self.last = last
        self.seen: list[Records] = []

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        self.seen.append(plain_records(views).copy())
        return plain_choice(masks, self.last)


def plain_choice(masks: NDArray[np.int8], last: bool) -> NDArray[np.int64]:
    first: NDArray[np.int64] = (masks[:, ::-1] if last else masks).argmax(axis=1)
    return masks.shape[1] - 1 - first if last else first


def test_each_deal_is_played_as_on_its_own() -> None:
    options: dict[str, OptionValue] = {"num_players": 6, "rows": "2-1"}
    table = GAME.bind(**options)
    deals = 515  # more than fit side by side
    bots = [PlainBot(GAME), PlainBot(GAME, last=True)]
    results = play_sides(GAME, bots, deals=deals, seed=9, options=options)
    seeds = deal_seeds(deals, 9)
    for deal in (0, 1, 2, 3, 511, 512, 514):
        state = table.new_state(seeds[deal])
        plain, decisions = plain_records(state), 0
        assert results.seats[deal].tolist() == plain["faith"][0, :6].tolist()
        while plain["status"][0] == 0:
            mask = table.legal_actions(state)
            last = plain["faith"][0, plain["actor"][0]] == DEFECTORS
            table.step(state, int(plain_choice(mask[np.newaxis], last)[0]))
            decisions += 1
        assert results.decisions[deal] == decisions
        assert results.states[deal].tobytes() == state[0].tobytes()
        assert results.winner[deal] == plain["winner"][0]
        assert results.seat_returns[deal].tolist() == table.returns(state).tolist()
        assert results.outcomes[deal] == GAME.outcome(state)[0]
        won = plain["winner"][0] == np.arange(2)
        assert results.returns[deal].tolist() == np.where(won, 1.0, -1.0).tolist()
    assert set(results.winner.tolist()) == {0, 1}


def test_bots_are_asked_for_the_seats_of_their_side_and_choices_only() -> None:
    bots = [PlainBot(GAME), PlainBot(GAME, last=True)]
    play_sides(GAME, bots, deals=20, seed=1, options=MINI)
    for side, bot in enumerate(bots):
        seen = np.concatenate(bot.seen)
        assert (seen["viewer"] == seen["actor"]).all()
        assert (seen["faith"][np.arange(len(seen)), seen["viewer"]] == side).all()
        masks = np.empty((len(seen), GAME.num_actions), np.int8)
        GAME.kernels.legal_many(seen, masks, 0, len(seen))
        assert (masks.sum(axis=1) > 1).all()


def test_deals_depend_on_seed_and_number_alone() -> None:
    def play(last: bool, deals: int, seed: int) -> SideResults:
        bots = [UniformBot(GAME), PlainBot(GAME, last)]
        return play_sides(GAME, bots, deals=deals, seed=seed, options=MINI)

    first, again = play(True, 600, 3), play(True, 600, 3)
    other, short = play(False, 600, 3), play(True, 40, 3)
    assert first.states.tobytes() == again.states.tobytes()
    assert (first.winner == again.winner).all()
    assert (first.seats == other.seats).all()
    assert (first.seats[:40] == short.seats).all()
    assert (first.decisions != other.decisions).any() or (first.winner != other.winner).any()
    assert (play(True, 40, 4).seats != short.seats).any()


def test_states_are_kept_only_if_wanted() -> None:
    bots = [UniformBot(GAME), UniformBot(GAME)]
    kept = play_sides(GAME, bots, deals=5, seed=1, options=MINI)
    bare = play_sides(GAME, bots, deals=5, seed=1, options=MINI, keep_states=False)
    assert len(kept.states) == 5
    assert len(bare.states) == 0
    assert (kept.winner == bare.winner).all()


def test_a_game_that_nobody_wins() -> None:
    """Chancellors with two sides by seat: a calamity is won by none of them."""
    game = replace(
        CHANCELLORS,
        sides=("even", "odd"),
        side=lambda states: np.tile([[0, 1, 0, 1]], (len(states), 1)),
    )
    bots = [PlainBot(game), PlainBot(game)]
    results = play_sides(
        game, bots, deals=50, seed=2, options={"num_players": 3, "target_score": 12}
    )
    calamity = results.outcomes == CHANCELLORS.outcomes.index("calamity")
    assert calamity.sum() > 0
    assert (results.winner[calamity] == NOBODY).all()
    assert (results.returns[calamity] == -1).all()
    assert (results.seats == [0, 1, 0]).all()
    for deal in np.flatnonzero(~calamity):
        side = int(np.flatnonzero(results.seat_returns[deal] > 0)[0]) % 2
        assert results.winner[deal] == side


def made(winner: list[int]) -> SideResults:
    """Results of which only the winners count."""
    count = len(winner)
    returns = np.where(np.array(winner)[:, np.newaxis] == np.arange(2), 1.0, -1.0)
    numbers = np.zeros(count, np.int64)
    return SideResults(
        GAME, np.array(winner), returns, returns, numbers, numbers, np.zeros((count, 2), int),
        np.empty(0, GAME.dtype),
    )  # fmt: skip


def test_figures_by_hand() -> None:
    results, other = made([1, 1, 1, 0]), made([0, 1, 0, 0])
    assert results.won(1).value == 0.75
    assert results.won(0).value == 0.25
    assert results.returned(1).value == pytest.approx(0.5)  # three wins, one loss
    difference = results.difference(other, 1)  # by deal: 1, 0, 1, 0
    assert difference.value == 0.5
    # brought to [0, 1]: 0.75 with error 0.1443, that of 9 games; Student's 3.182 gives up to
    # 0.9594, and what 4 deals did not show (0.7169 of them) down to 0.75 x 0.2831
    assert difference.low == pytest.approx(-0.5754, abs=1e-3)
    assert difference.high == pytest.approx(0.9188, abs=1e-3)
    with pytest.raises(OptionError, match="of 4 and of 1 deals"):
        results.difference(made([1]), 1)


def test_what_does_not_fit_is_named() -> None:
    two: list[Any] = [UniformBot(GAME), UniformBot(GAME)]

    def refused(message: str, game: Game = GAME, bots: Any = two, deals: int = 1) -> None:
        with pytest.raises(OptionError, match=message):
            play_sides(game, bots, deals=deals, seed=0, options={"num_players": 5})

    refused("chancellors has no sides", game=CHANCELLORS)
    refused("1 bots for the sides believers, defectors: one for each", bots=two[:1])
    refused("random plays chancellors_v0, not believers_v0", bots=[two[0], UniformBot(CHANCELLORS)])
    refused("deals=0 is not allowed", deals=0)

    class Wrong(PlainBot):
        def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
            illegal: NDArray[np.int64] = (masks == 0).argmax(axis=1)
            return illegal

    with pytest.raises(BotError, match=r"bot first for believers_v0 chose \d+, which is not legal"):
        play_sides(GAME, [two[0], Wrong(GAME)], deals=3, seed=0, options=MINI)


def test_sides_of_states() -> None:
    table = GAME.bind(num_players=5)
    state = table.new_state(7)
    sides = GAME.sides_in(state)
    assert sides.shape == (1, 10)
    assert (sides[0, :5] == plain_records(state)["faith"][0, :5]).all()
    assert sorted(sides[0, :5].tolist()) == [0, 0, 0, 1, 1]  # two of five are Defectors
    assert (sides[0, 5:] == -1).all()
    assert [GAME.side_number(name) for name in ("believers", "defectors")] == [0, 1]
    with pytest.raises(OptionError, match="a View does not tell the sides"):
        GAME.sides_in(table.view(state, 0))
    with pytest.raises(OptionError, match="chancellors has no sides"):
        CHANCELLORS.sides_in(CHANCELLORS.bind().new_state(1))
    with pytest.raises(OptionError, match="not States of believers_v0"):
        GAME.sides_in(CHANCELLORS.bind().new_state(1))


def test_evaluating_a_side(tmp_path: Path) -> None:
    bots = [UniformBot(GAME), PlainBot(GAME, last=True)]
    results = play_sides(GAME, bots, deals=60, seed=5, options=MINI)
    uniform = play_sides(GAME, [UniformBot(GAME), UniformBot(GAME)], deals=60, seed=5, options=MINI)
    told = evaluate_side(bots[1], "random", game=GAME, side="defectors", deals=60, seed=5, **MINI)
    assert told.bot == "last"
    assert told.won == results.won(DEFECTORS)
    assert told.baseline == uniform.won(DEFECTORS)
    assert told.difference.value == pytest.approx(told.won.value - told.baseline.value)
    assert told.mean_return.value == pytest.approx(2 * told.won.value - 1)
    assert told.decisions == results.decisions.mean()
    assert sum(share.value for share in told.outcomes.values()) == pytest.approx(1)
    assert told.to_json()["side"] == "defectors"
    path = tmp_path / "rows.csv"
    told.write_rows(path)
    with path.open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 60
    for deal, line in enumerate(lines):
        names = [line[f"bot_{seat}"] for seat in range(5)]
        assert [name == "last" for name in names] == (results.seats[deal] == DEFECTORS).tolist()
        won = float(line[f"return_{names.index('last')}"]) > 0
        assert won == (results.winner[deal] == DEFECTORS)
    with pytest.raises(
        OptionError, match="side 'red' is not one of believers: there are believers"
    ):
        evaluate_side("random", "random", game=GAME, side="red", deals=1)
    with pytest.raises(OptionError, match="side 'red': chancellors has no sides"):
        evaluate_side("random", "random", game=CHANCELLORS, side="red", deals=1)
