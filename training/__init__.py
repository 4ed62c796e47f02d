"""Training and evaluation of policies.

``python -m concilium.training.demo`` shows all of it. Modules here import torch when needed and are
imported by nothing else.
"""
