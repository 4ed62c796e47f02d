"""The formulas of the behaviour model for compiled code."""

from __future__ import annotations

from concilium.baselines.believers.inference import model
from concilium.envs.core.compiled.jit import jit

fits = jit(model.fits)
target_chance = jit(model.target_chance)
plan_chance = jit(model.plan_chance)
gift_chance = jit(model.gift_chance)
serving_chance = jit(model.serving_chance)
claim_chance = jit(model.claim_chance)
night_chance = jit(model.night_chance)
