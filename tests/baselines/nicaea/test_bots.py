"""The rule bots of Nicaea: legal everywhere, from Views only, and each with its habits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines.nicaea import Character, CharacterBot
from concilium.envs.core.bot import UniformBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records, plain_records
from concilium.envs.core.vector import VecGame
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as act
from concilium.envs.nicaea.state import KINDS, SEATS, Phase
from concilium.evaluation.balance.nicaea import CHARACTERS
from concilium.evaluation.intervals import share
from concilium.evaluation.matches import play
from tests.games.nicaea.players import write_deck
from tests.games.nicaea.tables import (
    ALEXANDRIA,
    ANTIOCH,
    ASIA,
    DEBATE_SPACE,
    PALESTINE,
    ROME,
    Table,
    bishop,
    build,
    canon,
    pair,
)

NAMES = list(CHARACTERS)


def bot_of(name: str) -> CharacterBot:
    return CharacterBot(CHARACTERS[name], name=f"nicaea/{name}", seed=0)


def choice(table: Table, name: str) -> int:
    """What a bot does in the position, from the View of whoever is to decide."""
    view = table.game.view(table.state, table.actor)
    return int(bot_of(name).act(view, table.game.legal_actions(view)[np.newaxis])[0])


def sampled(count: int, decks: list[str | Path]) -> tuple[Records, NDArray[np.int8]]:
    """Views of all kinds of decisions at all table sizes, from games of bots and chance."""
    tables = [GAME.bind(num_players=4 + k % 3, deck=decks[k % len(decks)]) for k in range(36)]
    vec = VecGame(tables, seed=5)
    bots = [*map(bot_of, NAMES), UniformBot(GAME, 1)]
    generator = np.random.default_rng(2)
    batch = vec.reset()
    views, masks = [], []
    for step in range(400):
        now = vec.views()
        keep = (generator.random(36) < 0.06) | (plain_records(now)["phase"] == Phase.NAMING)
        views.append(now[keep])
        masks.append(batch.masks[keep])
        batch = vec.step(bots[step % len(bots)].act(now, batch.masks))
    all_views, all_masks = np.concatenate(views), np.concatenate(masks)
    assert set(plain_records(all_views)["phase"].tolist()) == set(range(len(KINDS)))
    order = generator.permutation(len(all_views))[:count]
    return all_views[order], all_masks[order]


# All of them -----------------------------------------------------------------------------------


def test_legal_in_all_positions_with_any_deck(tmp_path: Path) -> None:
    """At 4 to 6 players, with the house deck and two of 60 cards of odd numbers."""
    generator = np.random.default_rng(8)
    decks: list[str | Path] = ["house"]
    for number, (figures, canons) in enumerate([(30, 0), (20, 20)]):
        decks.append(write_deck(tmp_path / f"{number}.toml", generator, figures, canons))
    views, masks = sampled(900, decks)
    assert 60 in plain_records(views)["num_cards"]
    for name in NAMES:
        actions = bot_of(name).act(views, masks)
        assert (masks[np.arange(len(actions)), actions] == 1).all()


def odd_decks(folder: Path) -> list[Path]:
    """Decks at the limits of what is allowed: few cards, no Canons, all dear, all alike."""
    generator = np.random.default_rng(4)
    paths = []
    for number, (figures, canons) in enumerate(
        [(4, 0), (3, 2), (3, 54), (30, 0), (10, 5), (10, 5)]
    ):
        paths.append(write_deck(folder / f"odd{number}.toml", generator, figures, canons))
    for path, cost, track in (
        (paths[0], 9, ([2, 24, 25], [1, 23, 24], [0, 0, 0])),
        (paths[4], 9, ([2, 3, 4], [1, 1, 1], [10, 10, 10])),
        (paths[5], 1, (list(range(14, 26)), [1] * 12, [0] * 12)),
    ):
        text = re.sub(r"(?m)^cost = .*$", f"cost = {cost}", path.read_text())
        for name, values in zip(("base", "contrarian", "refresh"), track, strict=True):
            text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {values}", text)
        path.write_text(text)
    return paths


def test_games_with_odd_decks_come_to_their_end(tmp_path: Path) -> None:
    """Every character, at 4 to 6 players: nothing illegal is chosen."""
    decks = odd_decks(tmp_path)
    tables = [GAME.bind(num_players=4 + k % 3, deck=decks[k // 3]) for k in range(3 * len(decks))]
    vec = VecGame(tables, seed=9)
    bots = [bot_of(name) for name in NAMES]
    batch = vec.reset()
    ended: set[int] = set()
    for step in range(3000):
        actions = bots[step % len(bots)].act(vec.views(), batch.masks)
        assert (batch.masks[np.arange(len(tables)), actions] == 1).all()
        batch = vec.step(actions)
        ended |= set(batch.finished.tolist())
        if len(ended) == len(tables):
            return
    pytest.fail(f"only games {sorted(ended)} ended")


def test_one_by_one_in_batches_and_again() -> None:
    """A desk keeps forecasts of other positions; they change nothing."""
    views, masks = sampled(150, ["house"])
    for name in NAMES:
        bot = bot_of(name)
        together = bot.act(views, masks)
        assert (bot.act(views[::-1], masks[::-1])[::-1] == together).all()
        alone = [int(bot.act(views[k : k + 1], masks[k : k + 1])[0]) for k in range(len(views))]
        assert together.tolist() == alone
        bot.seed(3)
        assert (bot.act(views, masks) == together).all()


INTERPRETED = """
import sys
import numpy as np
from concilium.baselines.nicaea import CharacterBot
from concilium.evaluation.balance.nicaea import CHARACTERS
from concilium.envs.core.compiled.jit import INTERPRETED
from concilium.envs.core.state import attribute_records
assert INTERPRETED
views, masks = attribute_records(np.load(sys.argv[1])), np.load(sys.argv[2])
bot = CharacterBot(CHARACTERS["warden"], name="warden", seed=0)
np.save(sys.argv[3], bot.act(views, masks))
"""


def test_compiled_and_interpreted_decide_alike(tmp_path: Path) -> None:
    views, masks = sampled(900, ["house"])
    plain = plain_records(views)
    rows = np.flatnonzero((plain["num_players"] == 4) & (plain["phase"] != 6))[:12]
    files = [str(tmp_path / name) for name in ("views.npy", "masks.npy", "actions.npy")]
    np.save(files[0], plain[rows])
    np.save(files[1], masks[rows])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", INTERPRETED, *files], check=True, env=environment)
    assert (np.load(files[2]) == bot_of("warden").act(views[rows], masks[rows])).all()


def test_views_only() -> None:
    """States are refused, and what a View hides makes no difference."""
    game = GAME.bind(num_players=5)
    state = game.new_state(3)
    with pytest.raises(OptionError, match="takes Views"):
        bot_of("broker").act(state, game.legal_actions(state)[np.newaxis])
    views, masks = sampled(120, ["house"])
    rows = np.flatnonzero(plain_records(views)["num_players"] == 5)
    for row in rows:
        view = views[row : row + 1]
        player = int(plain_records(view)["viewer"][0])
        other = game.view(game.determinize(view, 7), player)
        for name in NAMES:
            bot = bot_of(name)
            mask = masks[row : row + 1]
            assert (bot.act(view, mask) == bot.act(other, mask)).all()
    assert len(rows) > 20


@pytest.mark.parametrize("players", [4, 5, 6])
@pytest.mark.parametrize("name", NAMES)
def test_better_than_chance(players: int, name: str) -> None:
    """A single seat among random players wins much more than its share."""
    seating = np.stack([np.roll([0] + [1] * (players - 1), k) for k in range(players)])
    table = GAME.bind(num_players=players)
    results = play(table, [bot_of(name), UniformBot(GAME, 0)], seating[:2], 40, seed=players)
    assert share(int(results.won(0).sum()), 80).low > 1.5 / players


def test_games_go_on_and_disputes_are_settled() -> None:
    """Hardly a game drags on in poverty; some end by five settled disputes."""
    table = GAME.bind(num_players=5)
    seating = np.array([[0, 1, 2, 3, 4]])
    results = play(table, [bot_of(name) for name in NAMES], seating, 120, seed=6)
    assert np.quantile(results.decisions, 0.9) < 400
    assert (results.outcomes <= 2).sum() > 5
    assert (results.outcomes >= 5).sum() == 0  # idle rounds


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(OptionError, match="argue=2"):
        Character(buying=(2.0, 0.1, 0.5, 0.1)).records()


# Habits ----------------------------------------------------------------------------------------


def test_ti_that_would_be_lost_is_paid_first() -> None:
    """Three TI and no Canon: in the Debate Round they go before the Bishop does."""
    own = bishop(3, ROME)
    table = build(4, tableaus={0: [own]}, ti=[3, 0, 0, 0], passes=3, actor=3, constantine=0)
    table.state["first_passer"] = 0
    table.pass_turn()
    while table.asked != (0, "debate_round"):
        table.decline()
    table.buy("I-A")
    assert choice(table, "broker") == act.PAY_REST


def test_a_bishop_that_comes_back_is_flipped_and_a_pair_is_not() -> None:
    """A payment of 2 before the round: not from the pair, whose bonus would be lost."""
    one, other = pair(bishop(2, ROME, bonus=2), bishop(2, ASIA, bonus=2))
    single = bishop(2, ANTIOCH)
    table = build(
        4,
        tableaus={0: [one, other, single]},
        doctrine={0: "I-A"},
        tokens=(1, 0, 0, 0, 0),
        display={DEBATE_SPACE: canon(3)},
    )
    table.take(DEBATE_SPACE)
    assert choice(table, "tableau") == act.FLIP + table.numbers[single]


def test_the_broker_settles_and_joins_who_can_still_reach_four() -> None:
    """Dispute I lacks one A, for 6, and all could pay it; the cheap B, for 3, would come late."""
    table = build(
        4,
        tableaus={seat: [bishop(4, ROME), bishop(4, ASIA)] for seat in range(4)},
        doctrine={1: "I-A I-A", 2: "I-A II-B", 3: "II-A"},
        tokens=(4, 2, 0, 0, 0),
        passes=3,
        actor=3,
    )
    table.state["first_passer"] = 0
    table.pass_turn()
    while table.actor != 0:
        table.decline()
    assert {"I-A", "I-B", "II-A", "II-B"} <= table.buys
    assert choice(table, "broker") == act.BUY


def test_the_contrarian_takes_the_cheap_side_and_the_schismatic_no_winning_one() -> None:
    table = build(
        5,
        tableaus={0: [bishop(4, ROME), bishop(3, ASIA)]},
        doctrine={1: "I-A", 2: "I-A", 3: "I-B", 4: "III-A"},
        tokens=(3, 0, 1, 0, 0),
        passes=4,
        actor=4,
    )
    table.state["first_passer"] = 0
    table.pass_turn()
    while table.actor != 0:
        table.decline()
    eager = CharacterBot(Character(contrary=5.0), name="eager", seed=0)
    view = table.game.view(table.state, 0)
    action = int(eager.act(view, table.game.legal_actions(view)[np.newaxis])[0])
    assert action in (act.BUY + 1, act.BUY + 5)  # I-B or III-B: fewer cards in hands
    table.state["doctrine"][0, 3, 0, 0] = 1  # three A of I: buying the fourth would win
    table.state["doctrine"][0, 3, 0, 1] = 0
    table.state["supply"][0, 0] = [0, 3, 1]
    assert choice(table, "schismatic") != act.BUY


def test_a_card_of_the_leading_suit_is_played_and_the_schismatic_keeps_canons() -> None:
    free = bishop(4, ROME)
    table = build(4, hands={0: [free]}, tableaus={0: [bishop(2, ROME)]}, display={0: None})
    assert choice(table, "tableau") == act.PLAY + SEATS * table.numbers[free]
    law = canon(3, ROME)
    table = build(
        4,
        hands={0: [law]},
        tableaus={0: [bishop(2, ROME)]},
        display=dict.fromkeys(range(7)),
        deck=[],
    )
    assert choice(table, "tableau") == act.PLAY + SEATS * table.numbers[law]
    assert choice(table, "schismatic") != act.PLAY + SEATS * table.numbers[law]


def test_the_schismatic_gives_up_what_is_out_of_reach() -> None:
    """Another has more Influence and fewer points: the Canon is worth its points after all."""
    law = canon(3, ROME)
    rows = {0: [bishop(2, ROME), canon(3, ROME)], 1: [bishop(9, ASIA), bishop(4, ANTIOCH)]}
    table = build(
        4,
        hands={0: [law]},
        tableaus=rows,
        display=dict.fromkeys(range(7)),
        deck=[],
        settled="I-A II-A III-A IV-A V-A",
        tokens=(-1,) * 5,
    )
    assert choice(table, "schismatic") == act.PLAY + SEATS * table.numbers[law]


def test_the_warden_lifts_the_schismatic_off_the_last_place() -> None:
    """All is settled, seat 2 has most Influence and 2 points, seat 1 has 4: a Canon of 3 helps."""
    law = canon(3, PALESTINE)
    rows = {
        0: [bishop(2, ALEXANDRIA), canon(3, ROME), canon(3, ASIA)],
        1: [canon(2, ROME), canon(2, ASIA)],
        2: [bishop(4, ROME), bishop(4, ANTIOCH), canon(2, ANTIOCH)],
        3: [canon(3, PALESTINE), canon(2, ANTIOCH)],
    }
    table = build(
        4,
        hands={0: [law]},
        tableaus=rows,
        display=dict.fromkeys(range(7)),
        deck=[],
        ti=[1, 0, 0, 0],
        settled="I-A II-A III-A IV-A V-A",
        tokens=(-1,) * 5,
    )
    assert choice(table, "warden") == act.PLAY + SEATS * table.numbers[law] + 2
    assert choice(table, "broker") != act.PLAY + SEATS * table.numbers[law] + 2


def test_the_namer_names_what_wins() -> None:
    """N30: the deck is empty; seat 0 holds an A of V, seat 1 a B, and a marker decides the game."""
    table = build(
        4,
        tableaus={2: [bishop(1, ROME)]},
        deck=[],
        doctrine={0: "V-A", 1: "V-B"},
        settled="I-A II-A III-A IV-A",
        tokens=(-1, -1, -1, -1, 2),
        passes=3,
        actor=3,
    )
    table.state["first_passer"] = 0
    table.pass_turn()
    table.decline_all()
    assert table.asked == (0, "naming")
    for name in NAMES:
        assert choice(table, name) == act.NAME + 8
