"""``python -m concilium.training.demo``: train a policy for Chancellors and see how strong it is.

Trains the preset ``chancellors-quick``, then lets the policy play as a single seat against each of
the preset's bots at each table size, every deal in every rotation of the seats. The bots themselves
sit in the same seat of the same deals for comparison. All of it is kept in a folder.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cyclopts import App
from cyclopts.types import NonNegativeInt, PositiveFloat, PositiveInt

from concilium.baselines import Bot, make_bot, policy_bot
from concilium.envs import ConciliumError, get_game
from concilium.envs.core.files import write_atomically
from concilium.envs.core.schema import json_text
from concilium.evaluation.plot import draw_run
from concilium.evaluation.report import percent, signed, text_table
from concilium.evaluation.seats import Evaluation, evaluate
from concilium.training.learn import CURVES, POLICY, train
from concilium.training.presets import changed, load_preset
from concilium.training.progress import Progress

PRESET: Final = "chancellors-quick"
FOLDER: Final = Path("runs/demo")
EVALUATION: Final = "evaluation.json"
PICTURE: Final = "demo.png"
_TIME_LIMIT: Final = 360.0  # seconds of training at most, so that slow machines end in time too
_DEALS: Final = 500
_TITLE: Final = "one seat at a table of n, all others alike; 95 % intervals by deal"
_HEADER: Final = ("n", "others", "seat", "won %", "calamity %", "mean return")


app: Final = App(
    name="python -m concilium.training.demo", help_format="markdown", result_action="return_value"
)


@app.default
def run(
    *,
    preset: str = PRESET,
    budget: PositiveInt | None = None,
    seconds: PositiveFloat = _TIME_LIMIT,
    deals: PositiveInt = _DEALS,
    seed: NonNegativeInt = 1,
    folder: Path = FOLDER,
) -> None:
    """Train a policy for Chancellors and compare it with the named bots.

    Args:
        preset: a preset's name or a TOML file.
        budget: decisions in place of the preset's.
        seconds: of training at most.
        deals: for each line of the table.
        seed: of training and deals.
        folder: where the run is kept.
    """
    start = time.perf_counter()
    asked = load_preset(preset)
    if budget is not None:
        asked = changed(asked, budget=budget)
    print(f"training on {asked.game}: at most {asked.budget:,} decisions", flush=True)
    with Progress(asked.game, asked.budget, seconds) as progress:
        done = train(asked, seed, folder, seconds=seconds, replace=True, tell=progress)
    speed = done.decisions / done.seconds["all"]
    print(f"{done.decisions:,} decisions in {done.seconds['all']:.0f} s ({speed:,.0f} a second)")
    policy = policy_bot(done.network, name="policy")
    results = compare(policy, asked.bots, asked.game, asked.num_players, deals, seed)
    print(text_table(_TITLE, _HEADER, [_row(result) for result in results]))
    report = [result.to_json() for result in results]
    write_atomically(folder / EVALUATION, json_text(report, EVALUATION, indent=1) + "\n")
    own = [result for result in results if result.bot == policy.name]
    draw_run(folder / PICTURE, done.curves, own, f"{asked.game}, seed {seed}")
    print(f"kept in {folder}: {POLICY}, {CURVES}, {EVALUATION}, {PICTURE}")
    print(f"all of it took {time.perf_counter() - start:.0f} s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; return the exit code."""
    try:
        app(arguments)
    except ConciliumError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    return 0


def compare(
    policy: Bot, names: Sequence[str], game: str, table_sizes: Sequence[int], deals: int, seed: int
) -> list[Evaluation]:
    """Evaluate the policy and every named bot in one seat, against every named bot in the others.

    Args:
        policy: the bot to be compared.
        names: the bots that it is compared with.
        game: name of the game.
        table_sizes: numbers of players.
        deals: for each comparison.
        seed: of deals and bots.
    """
    rules = get_game(game)
    return [
        evaluate(focal, background, game=rules, deals=deals, seed=seed, num_players=players)
        for players in table_sizes
        for background in names
        for focal in [policy, *(make_bot(name, rules, seed=0) for name in names)]
    ]


def _row(result: Evaluation) -> tuple[str, ...]:
    return (
        str(result.options["num_players"]),
        result.opponents[0].rpartition("/")[2],
        result.bot.rpartition("/")[2],
        percent(result.won),
        percent(result.outcomes.get("calamity")),
        signed(result.mean_return),
    )


if __name__ == "__main__":
    sys.exit(main())
