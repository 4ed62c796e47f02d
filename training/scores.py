"""The held-out score of a run: how good the greedy policy is in games it does not learn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from concilium.baselines import policy_bot
from concilium.baselines.evaluation import Evaluation, evaluate
from concilium.baselines.policy import Network
from concilium.training.presets import Preset

_STREAM = 0x5C02E  # keeps these deals apart from those of the run and of later evaluations


@dataclass(frozen=True)
class Score:
    """A held-out score and what it is the mean of.

    Attributes:
        value: mean over all evaluations of the share of games won as a single seat, or, with the
            table's reward, of the table's mean return in self-play.
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
    parts = []
    together = preset.reward == "table"
    for players in preset.num_players:
        for opponent in (bot.name,) if together else preset.held_out:
            result = evaluate(
                bot,
                bot if together else opponent,
                game=preset.game,
                deals=preset.held_out_deals,
                seats=range(players) if together else (0,),
                seed=deals,
                num_players=players,
                **preset.options,
            )
            parts.append((players, opponent, _value(result, together)))
    return Score(float(np.mean([value for _, _, value in parts])), tuple(parts))


def _value(result: Evaluation, together: bool) -> float:
    return result.mean_return.value if together else result.won.value
