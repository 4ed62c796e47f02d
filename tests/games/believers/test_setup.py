"""The deal (B1, B2) and what everybody sees of it (B3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from pathlib import Path

import numpy as np
import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.state import plain_records
from tests.games.believers.tables import (
    COSTS,
    DEFECTORS,
    DISCIPLES,
    PLAIN,
    Table,
    build,
    counts,
    game_of,
    letters,
)

SEEDS = range(40)
BELIEVERS = {5: 3, 6: 4, 7: 4, 8: 5, 9: 6, 10: 6}
SECRET_FIELDS = ("faith", "hand", "deck", "next_mission", "gift", "nominated", "nominations")


def dealt(players: int, seed: int, **options: Hashable) -> Table:
    """A game just dealt."""
    game = game_of(players, **options)
    return Table(game, game.new_state(seed))


def spread(found: Counter[object], size: int, deals: int) -> float:
    """Chi-square of counts that should be equal, over its mean in standard deviations."""
    expected = deals / size
    seen = [*found.values(), *[0] * (size - len(found))]
    total = sum((count - expected) ** 2 / expected for count in seen)
    return float((total - (size - 1)) / (2 * (size - 1)) ** 0.5)


def test_faiths(players: int) -> None:
    # setup 1: three and two of five players, up to six and four of ten
    for seed in SEEDS:
        faith = dealt(players, seed)["faith"][:players].tolist()
        assert faith.count(S.Faith.BELIEVER) == BELIEVERS[players]
        assert faith.count(S.Faith.DEFECTOR) == DEFECTORS[players]


def test_virtues(players: int) -> None:
    # setup 3: four each, the rest is the deck; nothing discarded or placed
    t = dealt(players, 1)
    assert t["hand_count"].tolist() == [4] * players + [0] * (10 - players)
    assert t["hand"][players:].sum() == 0
    assert t["deck_size"] == t["deck"].sum() == 94 - 4 * players
    copies = [20, 20, 20, 10, 4, 4, 4, 4, 4, 4]
    assert (t["hand"].sum(axis=0) + t["deck"]).tolist() == copies
    for field in ("discards", "finished"):
        assert t[field].sum() == 0
    assert t["gift"].tolist() == [-1, -1]


def test_disciples(players: int) -> None:
    # B2: one of cost 1 each; all others in three piles, the first ones take the remainder
    for seed in SEEDS:
        t = dealt(players, seed)
        mine = [t.disciples(seat) for seat in range(players)]
        assert [len(names) for names in mine] == [1] * players
        assert {COSTS[names[0]] for names in mine} == {1}
        left = 45 - players
        sizes = [left // 3 + (k < left % 3) for k in range(3)]
        assert t["pile_size"].tolist() == sizes
        assert None not in t.tops
        assert t["buried"].sum() == left - 3
        there = t["disciples"].sum(axis=0) + t["buried"]
        for top in t["pile_top"]:
            there[top] += 1
        assert there.tolist() == [3] * 15 + [0] * 5
        assert t["gone"].sum() == 0


def test_left_over_disciples_of_cost_one_are_in_the_piles(players: int) -> None:
    # B2: they come up like any other
    tops = Counter(COSTS[str(top)] for seed in SEEDS for top in dealt(players, seed).tops)
    assert set(tops) == {1, 2, 3}


def test_crises(players: int) -> None:
    # setup 7: three different ones, face up; any of the eight
    seen = set()
    for seed in SEEDS:
        t = dealt(players, seed)
        assert len(set(t.crises)) == 3
        assert None not in t.crises
        seen |= set(t.crises)
    assert len(seen) == 8


def test_nobody_has_shame_or_tokens(players: int) -> None:
    # setup 5: everybody has the own Shame card
    t = dealt(players, 2)
    assert t["shame_at"][:players].tolist() == [S.OWN] * players
    assert t["gossip"].sum() == 0
    assert t.tokens == [0, 0]
    assert (t["row"], t["row_played"], t["row_won"], t["mission"]) == (0, 0, 0, 0)
    assert (t["hand_seat"], t["last_hand"], t["row_crisis"]) == (-1, -1, -1)
    assert t["mission_pair"].tolist() == [-1] * S.MOST_MISSIONS


def test_first_eye(players: int) -> None:
    # setup 8, B1: a random seat, which begins Part I
    eyes = set()
    for seed in SEEDS:
        t = dealt(players, seed)
        assert t["eye"] == t["turn"]
        assert t.asked == (t.eye, "call")
        eyes.add(t.eye)
    assert eyes == set(range(players))


def test_the_deal_is_even(players: int) -> None:
    # B1: Eye, Faith, Virtues, Disciples, tops and Crises at random, Eye and Faith independent
    deals = 1200
    found: dict[str, Counter[object]] = {
        name: Counter() for name in ("eye", "defector", "both", "crises", "disciple", "top")
    }
    kinds = np.zeros(10)
    game = game_of(players)
    for seed in range(deals):
        s = plain_records(game.new_state(seed))[0]
        eye, faith = int(s["eye"]), s["faith"][:players]
        first = int(np.flatnonzero(faith)[0])
        found["eye"][eye] += 1
        found["defector"][tuple(np.flatnonzero(faith).tolist())] += 1
        found["both"][(eye - first) % players, int(faith[eye])] += 1
        found["crises"][tuple(sorted(s["crises"].tolist()))] += 1
        found["disciple"][int(np.flatnonzero(s["disciples"][1])[0])] += 1
        found["top"][int(s["pile_top"][2])] += 1
        kinds += s["hand"][1]
    worlds = {5: 10, 6: 15, 7: 35, 8: 56, 9: 84, 10: 210}[players]
    assert spread(found["eye"], players, deals) < 5
    assert spread(found["defector"], worlds, deals) < 5
    assert spread(found["crises"], 56, deals) < 5
    assert spread(found["disciple"], 4, deals) < 5
    believing = sum(found["both"][k, S.Faith.BELIEVER] for k in range(players))
    share = BELIEVERS[players] / players
    assert abs(believing - deals * share) < 5 * (deals * share * (1 - share)) ** 0.5
    expected = 4 * deals * np.array([20, 20, 20, 10, 4, 4, 4, 4, 4, 4]) / 94
    assert (np.abs(kinds - expected) < 5 * np.sqrt(expected)).all()
    # the top of a pile: three of each name, less one cost-1 card in 12 dealt to each player
    left = np.array([3 - 3 * players / 12] * 4 + [3] * 11) / (45 - players)
    seen = np.array([found["top"][name] for name in range(15)])
    assert (np.abs(seen - deals * left) < 5 * np.sqrt(deals * left)).all()


def test_the_dealt_disciple_is_free_and_usable_in_round_one(players: int) -> None:
    # B2
    for seed in SEEDS[:12]:
        t = dealt(players, seed)
        (name,) = t.disciples(t.actor)
        assert {offer for offer, _ in t.enlists} == {name}
        assert t.hand(t.actor) == letters(t["hand"][t.actor])
        assert len(t.hand(t.actor)) == 4


def test_a_steadfast_disciple_dealt_is_in_force_at_once(players: int, tmp_path: Path) -> None:
    # B2: a file in which Guardians cost 1 and are the only ones of that cost
    text = Path(PLAIN).read_text()
    for name in ("Almoner", "Penitent", "Gossip", "Confidant"):
        text = text.replace(
            f'effect = "{name.lower()}"\ncost = 1', f'effect = "{name.lower()}"\ncost = 2'
        )
    text = text.replace(
        'effect = "guardian"\ncost = 2\ncopies = 3', 'effect = "guardian"\ncost = 1\ncopies = 10'
    )
    path = tmp_path / "cards.toml"
    path.write_text(text)
    game = GAME.bind(num_players=players, cards=path)
    t = Table(game, game.new_state(3))
    assert [t.disciples(seat) for seat in range(players)] == [["Guardian"]] * players
    assert t.enlists == set()  # nothing to enlist: it works by itself
    victim = t.after(t.eye)
    t.state["gossip"][0, victim] = 3
    t.all_done()
    assert victim in t.choices


def test_only_tops_of_piles_are_visible(players: int) -> None:
    # B2, B3: a View names the tops; what is beneath is known as a heap, by counting
    t = dealt(players, 4)
    for viewer in (0, players - 1, SPECTATOR):
        view = t.view(viewer)
        for field in ("pile_top", "pile_size", "buried", "disciples", "crises", "gone"):
            assert view[field].tolist() == t[field].tolist()


def test_defectors_know_each_other(players: int) -> None:
    # B1: True Believers know their own Faith and how many Defectors there are
    t = dealt(players, 5)
    faith = t["faith"][:players].tolist()
    for seat in range(players):
        seen = t.view(seat)["faith"][:players].tolist()
        if faith[seat] == S.Faith.DEFECTOR:
            assert seen == faith
        else:
            assert seen == [S.Faith.BELIEVER if k == seat else -1 for k in range(players)]
    assert t.view(SPECTATOR)["faith"][:players].tolist() == [-1] * players


def test_hands_and_decks_are_hidden(players: int) -> None:
    # B3: hand sizes are public
    t = dealt(players, 6)
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert view["hand_count"].tolist() == t["hand_count"].tolist()
        assert view["deck_size"] == t["deck_size"]
        assert set(view["deck"].tolist()) == {-1}
        for seat in range(players):
            own = seat == viewer
            assert view["hand"][seat].tolist() == (t["hand"][seat].tolist() if own else [-1] * 10)


def test_nothing_else_tells_of_the_secrets(players: int) -> None:
    # B1, B3: other hands of others and other Faiths look the same, byte for byte
    t = dealt(players, 7)
    s = plain_records(t.state)[0]
    seat = int(np.flatnonzero(s["faith"][:players] == S.Faith.BELIEVER)[0])
    rng = np.random.default_rng(players)
    before = {viewer: t.game.view(t.state, viewer).tobytes() for viewer in (seat, SPECTATOR)}
    others = [k for k in range(players) if k != seat]
    for _ in range(5):
        s["faith"][others] = rng.permutation(s["faith"][others])
        for k in others:
            t.set_hand(k, "")
        for k in others:
            deck = [kind for kind in range(10) for _ in range(int(s["deck"][kind]))]
            t.set_hand(
                k, "".join("DOHCPRUSVX"[kind] for kind in rng.choice(deck, 4, replace=False))
            )
        # events of the deal are known to their own player alone
        for row in s["log"][: int(s["log_count"])]:
            if row[0] == S.Event.DEALT and row[1] != seat:
                row[2:6] = rng.integers(0, 100, 4)
        assert t.game.view(t.state, seat).tobytes() == before[seat]
        s["hand"][seat], kept = counts("DDDD"), s["hand"][seat].copy()
        s["faith"][seat] = 1 - s["faith"][seat]
        assert t.game.view(t.state, seat).tobytes() != before[seat]
        assert (
            plain_records(t.game.view(t.state, SPECTATOR))["hand"].tobytes()
            == plain_records(np.frombuffer(before[SPECTATOR], t.state.dtype))["hand"].tobytes()
        )
        s["hand"][seat], s["faith"][seat] = kept, 1 - s["faith"][seat]


def test_faith_stays_secret_to_the_end(players: int) -> None:
    # B1; at the end all are shown, hands are not
    t = build(players, defectors=range(1, 1 + DEFECTORS[players]))
    seat = 0
    t.rounds("SSFS")
    while not t.over:
        assert t.view(seat)["faith"][:players].tolist().count(-1) == players - 1
        t.rounds("S")
    assert t.view(seat)["faith"][:players].tolist() == t["faith"][:players].tolist()
    assert t.view(SPECTATOR)["faith"][:players].tolist() == t["faith"][:players].tolist()
    assert t.view(seat)["hand"][t.after(seat)].tolist() == [-1] * 10


def test_the_first_events(players: int) -> None:
    # who is the Eye is told to all, each hand to its owner
    t = dealt(players, 9)
    assert t.events(S.Event.BEGUN)[0][:2] == (S.Event.BEGUN, t.eye)
    assert [event[1] for event in t.events(S.Event.DEALT)] == list(range(players))
    for viewer in range(players):
        mine = t.events(viewer=viewer)
        assert [event[0] for event in mine] == [S.Event.BEGUN, S.Event.DEALT]
        assert mine[1][1] == viewer
        row = t.view(viewer)["log"][1]
        assert S.unpacked(row) == t["hand"][viewer].tolist()
    assert [event[0] for event in t.events(viewer=SPECTATOR)] == [S.Event.BEGUN]


@pytest.mark.parametrize("field", SECRET_FIELDS)
def test_spectators_see_no_secret_field(players: int, field: str) -> None:
    # B3, B17
    view = dealt(players, 10).view(SPECTATOR)
    assert set(np.ravel(view[field]).tolist()) <= {-1, 0}
    if field not in ("nominations", "faith", "hand"):
        assert set(np.ravel(view[field]).tolist()) == {-1}


def test_names_of_the_house_set() -> None:
    # HOUSE: fifteen Disciples and eight Crises in this order
    s = plain_records(GAME.bind().new_state(0))[0]
    assert s["disciple_effect"].tolist() == [*range(15), *[-1] * 5]
    tuned = {"Regent": 1}
    costs = [tuned.get(name, COSTS[name]) for name in DISCIPLES]
    assert s["disciple_cost"][:15].tolist() == costs
    assert s["crisis_effect"].tolist() == [*range(8), *[-1] * 4]


def test_house_missions_are_matched_by_chance_as_often_as_wanted(players: int) -> None:
    # HOUSE: ten kinds; every kind on a Mission; a random Virtue matches with 0.35 to 0.45
    s = plain_records(GAME.bind(num_players=players).new_state(0))[0]
    virtues = s["virtue_copies"] / s["virtue_copies"].sum()
    missions = s["mission_copies"] / s["mission_copies"].sum()
    assert s["mission_copies"].sum() >= 13
    assert (s["virtue_copies"] > 0).all()
    chance = missions @ (virtues[S.PAIR_LOW] + virtues[S.PAIR_HIGH])
    assert 0.35 <= chance <= 0.45
    on = {int(k) for p in np.flatnonzero(missions) for k in (S.PAIR_LOW[p], S.PAIR_HIGH[p])}
    assert on == set(range(10))
    same = S.PAIR_LOW == S.PAIR_HIGH
    assert s["mission_copies"][same].sum() == 0
