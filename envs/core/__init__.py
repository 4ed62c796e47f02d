"""The contract of a game and everything that is written once for all games."""
