"""Values that the fields of every game's records take."""

from __future__ import annotations

from typing import Final

RUNNING: Final = 0
TERMINATED: Final = 1
TRUNCATED: Final = 2

FULL: Final = -1  # viewer of a State: the whole truth
SPECTATOR: Final = -2  # viewer of a View that shows what all players may know
UNKNOWN: Final = -1  # a blanked entry of a View
