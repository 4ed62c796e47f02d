"""Measurements of speed, behind ``concilium bench``."""
