"""What the rule bots decide: in positions made by hand, and in Views of all kinds of decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers import Character, CharacterBot
from concilium.baselines.registry import BOTS
from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.believers.options import MINI
from concilium.envs.core.bot import Bot, UniformBot
from concilium.envs.core.state import Records, plain_records, take_records
from concilium.envs.core.vector import VecGame
from tests.games.believers.tables import CRISES, DISCIPLES, PLAIN, Table

CHARACTERS: Final[dict[str, Character]] = {
    name.removeprefix("believers/"): kind.params
    for name, kind in BOTS.items()
    if name.startswith("believers/") and isinstance(kind.params, Character)
}
"""The registry's, by name."""
MADE: Final = Character(
    shame_at=0.5, block_at=0.45, accuse_at=0.6, reserve=3, sleep=0, often=1.0, as_eye=1.0, pick=1.0
)
"""With the params that positions made by hand are made for, however the registry's are tuned."""
CALM: Final = replace(MADE, shame_at=2.0)
"""Shames nobody, so that Disciples alone are seen."""
ODD: Final = str(Path(__file__).with_name("odd.toml"))
RARE: Final = (
    S.Phase.HERALDING, S.Phase.HAND_CLAIM, S.Phase.EYE_CLAIM, S.Phase.NIGHT, S.Phase.FASTING,
    S.Phase.DOUBTING, S.Phase.PAYMENT,
)  # fmt: skip


def bot_of(character: Character, seed: int = 0) -> CharacterBot:
    """A bot of this character."""
    return CharacterBot(character, name="believers/bot", seed=seed)


# Positions by hand -----------------------------------------------------------------------------


def decided(t: Table, character: Character = MADE, seed: int = 0) -> int:
    """What a bot of this character does in the seat to act, from that seat's View alone."""
    view = t.game.view(t.state, t.actor)
    action = int(bot_of(character, seed).act(view, t.game.legal_actions(view)[np.newaxis])[0])
    assert action in t.legal
    return action


def decided_often(t: Table, character: Character, times: int, seed: int = 0) -> NDArray[np.int64]:
    """What a bot does in so many draws in the same position ``(times,)``."""
    view = t.game.view(t.state, t.actor)
    views = take_records(view, np.zeros(times, np.int64))
    masks = np.repeat(t.game.legal_actions(view)[np.newaxis], times, axis=0)
    return bot_of(character, seed).act(views, masks)


def learn(t: Table, viewer: int, *seats: int) -> None:
    """Let a player know the Faith of others, as if it had asked Oracles about them."""
    for seat in seats:
        t.state["faith_seen"][0, seat] |= 1 << viewer


def enlisting(name: str, relative: int = 0) -> int:
    """Using a plain Disciple on the player so many seats clockwise, or on nobody."""
    return act.ENLIST + S.SEATS * DISCIPLES.index(name) + relative


def chosen(t: Table, action: int) -> int:
    """The seat that becomes the Hand."""
    assert 0 <= action - act.CHOOSE < act.OPPONENTS
    return t.after(t.actor, action - act.CHOOSE + 1)


def nominated(t: Table, action: int) -> tuple[str, int]:
    """The Crisis nominated, and on whom."""
    number, place = divmod(action - act.NOMINATE, act.OPPONENTS)
    return CRISES[number], t.after(t.actor, place + 1)


# Views of all kinds ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """Views of whoever is to act, and their legal actions, row by row."""

    views: Records
    masks: NDArray[np.int8]

    @property
    def plain(self) -> Records:
        """The Views as Python reads them."""
        return plain_records(self.views)

    @property
    def own_faith(self) -> NDArray[np.int8]:
        """Faith of whoever is to act ``(k,)``."""
        faith: NDArray[np.int8] = self.plain["faith"][
            np.arange(len(self.views)), self.plain["actor"]
        ]
        return faith

    def where(self, rows: NDArray[np.bool_]) -> Sample:
        """Some of them."""
        return Sample(take_records(self.views, np.flatnonzero(rows)), self.masks[rows])

    def answers(self, character: Character, seed: int = 0) -> NDArray[np.int64]:
        """What a bot of this character does in each ``(k,)``."""
        return bot_of(character, seed).act(self.views, self.masks)


def all_tables() -> list[BoundGame]:
    """5 to 10 players, with and without talk and each part, the small game, odd cards.

    Every table size comes up with every set of options.
    """
    options: list[dict[str, Any]] = [
        {},
        {"talk": "claims"},
        {"talk": "claims", "cards": PLAIN},
        {"cards": ODD},
        {"cards": ODD, "talk": "claims", "rows": "2-1"},
        {"shame": False},
        {"disciples": False, "talk": "claims"},
        {"crises": False},
        {"shame": False, "disciples": False, "crises": False},
        {"rows": "1-2-1", "hand_size": 2, "virtue_kinds": 5, "cards": PLAIN},
    ]
    tables = [GAME.bind(num_players=n, **more) for more in options for n in range(5, 11)]
    mini = [GAME.bind(**MINI), GAME.bind(**{**MINI, "talk": "claims"})]
    return tables + mini * 3


@cache
def sampled(part: float = 0.2, steps: int = 400) -> Sample:
    """Views from games of all the bots and of chance; more of rare kinds of decisions."""
    tables = all_tables()
    vec = VecGame(tables, seed=5)
    bots: list[Bot] = [*(bot_of(each, 3) for each in CHARACTERS.values()), UniformBot(GAME, 1)]
    generator = np.random.default_rng(2)
    batch = vec.reset()
    views, masks = [], []
    for _ in range(steps):
        now = vec.views()
        keep = generator.random(len(tables)) < part
        keep |= np.isin(plain_records(now)["phase"], RARE) & (generator.random(len(tables)) < 0.3)
        views.append(now[keep])
        masks.append(batch.masks[keep])
        # everybody at a table is played by any of the bots, so that all of them meet all
        by = generator.integers(len(bots), size=len(tables))
        actions = np.empty(len(tables), np.int64)
        for number, bot in enumerate(bots):
            actions[by == number] = bot.act(now[by == number], batch.masks[by == number])
        batch = vec.step(actions)
    return Sample(np.concatenate(views), np.concatenate(masks))
