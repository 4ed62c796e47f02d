"""How good beliefs about hidden sides are; ``concilium beliefs``."""

from concilium.evaluation.beliefs.measures import (
    Beliefs,
    assignment_loss,
    by_row,
    calibration,
    divergence,
    excess_log_loss,
)
from concilium.evaluation.beliefs.sample import Sample, sample_views

__all__ = [
    "Beliefs", "Sample", "assignment_loss", "by_row", "calibration", "divergence",
    "excess_log_loss", "sample_views",
]  # fmt: skip
