"""How the rule bots of Believers decide, a module for each part of the game."""
