"""The held-out score of a run: how good the greedy policy is in games it does not learn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from concilium.baselines import make_bot, policy_bot
from concilium.baselines.policy import Network
from concilium.envs import get_game
from concilium.envs.core.bot import Bot
from concilium.evaluation.seats import evaluate
from concilium.evaluation.sides import play_sides
from concilium.training.presets import Preset

_STREAM = 0x5C02E  # keeps these deals apart from those of the run and of later evaluations


@dataclass(frozen=True)
class Score:
    """A held-out score and what it is the mean of.

    Attributes:
        value: mean over all evaluations of the share of games won as a single seat, or as a whole
            side where a side is learned, or, with the table's reward, of the table's mean return in
            self-play.
        parts: ``(players, opponents, value)`` of each evaluation.
    """

    value: float
    parts: tuple[tuple[int, str, float], ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping."""
        return {"score": self.value, "parts": [list(part) for part in self.parts]}


def held_out_score(preset: Preset, network: Network, seed: int) -> Score:
    """Score a policy; equal seeds mean equal deals, so scores of one run are compared in pairs.

    Args:
        preset: names the opponents, the table sizes and the number of deals.
        network: the policy, played greedily.
        seed: of the run.
    """
    bot = policy_bot(network, seed=0)
    deals = int(np.random.SeedSequence((seed, _STREAM)).generate_state(1)[0])
    together = preset.reward == "table"
    measure = _as_side if preset.side else _by_seats
    parts = tuple(
        (players, opponent, measure(preset, bot, opponent, players, deals))
        for players in preset.num_players
        for opponent in ((bot.name,) if together else preset.held_out)
    )
    return Score(float(np.mean([value for _, _, value in parts])), parts)


def _by_seats(preset: Preset, bot: Bot, opponent: str, players: int, seed: int) -> float:
    """Share of games won as a single seat; with the table's reward the table's mean return."""
    together = preset.reward == "table"
    result = evaluate(
        bot,
        bot if together else opponent,
        game=preset.game,
        deals=preset.held_out_deals,
        seats=range(players) if together else (0,),
        seed=seed,
        num_players=players,
        **preset.options,
    )
    return result.mean_return.value if together else result.won.value


def _as_side(preset: Preset, bot: Bot, opponent: str, players: int, seed: int) -> float:
    """Share of games won in all seats of the side, against ``opponent`` in all others."""
    game = get_game(preset.game)
    side = game.side_number(preset.side)
    bots = [
        bot if number == side else make_bot(opponent, game, seed=0)
        for number in range(len(game.sides))
    ]
    options = {"num_players": players, **preset.options}
    results = play_sides(game, bots, deals=preset.held_out_deals, seed=seed, options=options)
    return results.won(side).value
