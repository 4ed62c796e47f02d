"""Concilium: reinforcement-learning environments for games of hidden loyalties."""

__version__ = "0.1.0"
