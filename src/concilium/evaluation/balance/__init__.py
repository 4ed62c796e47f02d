"""How the house sets of cards play out between bots, a program for each game."""
