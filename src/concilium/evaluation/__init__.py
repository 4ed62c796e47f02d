"""How strong bots are, how good their beliefs, and what a game is like between them.

:func:`evaluate` and :func:`evaluate_side` say how a bot does against others; :func:`play` and
:func:`play_sides` give the raw results of matches. Tournaments are in :mod:`.tournament`, the use
of working together in :mod:`.dilemma`, pictures in :mod:`.plot`, the quality of beliefs in
:mod:`.beliefs`, exact best responses in :mod:`.best_response`, the balance of the house sets in
:mod:`.balance`.
"""

from concilium.evaluation.intervals import Estimate
from concilium.evaluation.matches import Results, deal_seeds, play
from concilium.evaluation.seats import Evaluation, SideEvaluation, evaluate, evaluate_side
from concilium.evaluation.sides import NOBODY, SideResults, play_sides

__all__ = [
    "NOBODY", "Estimate", "Evaluation", "Results", "SideEvaluation", "SideResults", "deal_seeds",
    "evaluate", "evaluate_side", "play", "play_sides",
]  # fmt: skip
