"""How the house sets of cards play out between bots, by ``concilium balance``."""
