"""The exact best response of one seat of a small game of Believers to deterministic bots.

``concilium best-response`` prints it. The expectation is over all deals and all chance; a policy
may use all that its seat saw. What is found is exact, but for rounding, against bots that answer
equal Views with equal actions; others are refused.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from concilium.baselines.registry import make_bot
from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.bot import Bot
from concilium.envs.core.errors import OptionError
from concilium.evaluation.best_response.bots import PlainBot, ResponseBot
from concilium.evaluation.best_response.tree import Counts, Tree

ROLES: Final = {"defector": S.Faith.DEFECTOR, "believer": S.Faith.BELIEVER}
"""Faith of the seat by the name it has on the command line."""
PLAIN: Final[Mapping[str, bool]] = {"plain": False, "plain:partner=true": True}
"""The bots of this module by name, and whether Defectors make each other the Hand."""


@dataclass(frozen=True)
class BestResponse:
    """What an enumeration found.

    Attributes:
        seat, role: of whom.
        win: probability of a win, from 0 to 1.
        value: expected return, by the game's option ``reward``.
        counts: how large the tree was.
        seconds: what it took.
        policy: action by digest of the View, in all information sets that a best response may come
            to; empty if it was not kept, or if the seat did not respond.
    """

    seat: int
    role: int
    win: float
    value: float
    counts: Counts
    seconds: float
    policy: Mapping[bytes, int] = field(repr=False)

    def bot(self) -> ResponseBot:
        """A bot that plays the policy, in this seat with this Faith only."""
        return ResponseBot(self.policy)


def best_response(
    table: BoundGame,
    bot: Bot,
    *,
    seat: int = 0,
    role: int = S.Faith.DEFECTOR,
    keep_policy: bool = False,
) -> BestResponse:
    """Find the best that one seat can do against copies of a deterministic bot, exactly.

    Args:
        table: Believers without talk, Shame, Disciples and Crises, such as ``MINI``.
        bot: what sits in all other seats.
        seat: whose response it is; its Faith is fixed, all else is dealt.
        role: that Faith, ``DEFECTOR`` or ``BELIEVER``.
        keep_policy: whether the policy is kept, 16 bytes and more for each information set.

    Raises:
        OptionError: the options are not those of a small game, there is no such seat or Faith, or
            the bot acts by chance.
    """
    return _enumerate(table, [bot] * table.num_players, seat, role, True, keep_policy)


def on_policy(
    table: BoundGame,
    bot: Bot,
    *,
    own: Bot | None = None,
    seat: int = 0,
    role: int = S.Faith.DEFECTOR,
) -> BestResponse:
    """Find how one seat does with a policy of its own, exactly.

    Args:
        table: as for :func:`best_response`.
        bot: what sits in all other seats.
        own: deterministic bot in ``seat``; the same as in the others if not given.
        seat: whose wins are summed.
        role: its Faith.

    Raises:
        OptionError: as for :func:`best_response`.
    """
    bots = [bot] * table.num_players
    if own is not None and 0 <= seat < len(bots):
        bots[seat] = own
    return _enumerate(table, bots, seat, role, False, False)


def _enumerate(
    table: BoundGame, bots: Sequence[Bot], seat: int, role: int, responds: bool, keep: bool
) -> BestResponse:
    if table.game is not GAME:
        raise OptionError(f"this is for {GAME.id}, not for {table.game.id}")
    if not 0 <= seat < table.num_players or role not in ROLES.values():
        raise OptionError(
            f"seat={seat}, role={role} is not allowed: a seat from 0 to {table.num_players - 1}, "
            f"role {S.Faith.BELIEVER} (True Believer) or {S.Faith.DEFECTOR} (Defector)"
        )
    start = time.perf_counter()
    policy: dict[bytes, int] = {}
    tree = Tree(table, bots, seat, role, responds, policy if keep else None)
    win = tree.win()
    defectors = int(S.DEFECTORS[table.num_players])
    size = defectors if role == S.Faith.DEFECTOR else table.num_players - defectors
    scale = 1.0 / size if table.options["reward"] == "zero_sum" else 1.0
    seconds = time.perf_counter() - start
    return BestResponse(seat, role, win, scale * (2 * win - 1), tree.counts, seconds, policy)


def bot_of(name: str) -> Bot:
    """One of :data:`PLAIN`, or a bot of the registry.

    Raises:
        OptionError, FileFormatError: as for :func:`make_bot`.
    """
    return PlainBot(partner=PLAIN[name]) if name in PLAIN else make_bot(name, GAME, seed=0)


def lines(table: BoundGame, bot: Bot, seat: int, roles: Sequence[str]) -> Sequence[str]:
    """The figures as lines of text, two for each role."""
    found = []
    for name in roles:
        role = ROLES[name]
        for what, each in (
            (bot.name, on_policy(table, bot, seat=seat, role=role)),
            ("best response", best_response(table, bot, seat=seat, role=role)),
        ):
            counts = each.counts
            found.append(
                f"{name} in seat {seat}, {what} among {bot.name}: wins {100 * each.win:.4f} %, "
                f"return {each.value:+.6f}; {counts.courses} nodes at {counts.positions} public "
                f"positions, {counts.information_sets} information sets, {counts.questions} Views "
                f"asked about, {each.seconds:.1f} s"
            )
    return found
