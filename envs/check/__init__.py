"""The conformance check: whether a game and its environment keep every promise of the contract.

``check_game(game)`` plays a game in every way that matters and returns a :class:`Report` with one
line per property. It is meant for whoever adds a game or changes one::

    from concilium.envs.check import check_game

    report = check_game(MY_GAME, options=({}, {"rounds": 1}), pairs=10_000)
    print(report)
    report.raise_if_failed()
"""

from concilium.envs.check.checker import PROPERTIES, check_game
from concilium.envs.check.report import ConformanceError, Line, Report

__all__ = ["PROPERTIES", "ConformanceError", "Line", "Report", "check_game"]
