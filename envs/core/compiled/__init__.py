"""What is compiled for all games, and where compiled code is kept."""
