"""Bots that think: each legal action is tried in worlds that the View leaves possible.

Sources: rollouts from sampled worlds (Ginsberg, "GIB", JAIR 14, 2001), one step of improvement of a
blueprint (Lerer et al., "Improving policies via search in cooperative partially observable games",
AAAI 2020), sequential halving (Karnin, Koren and Somekh, ICML 2013), information-set tree search
with one observer (Cowling, Powley and Whitehouse, IEEE TCIAIG 4, 2012).
"""

from typing import Final

from concilium.baselines.bots import BotEntry
from concilium.baselines.search.bot import SearchBot
from concilium.baselines.search.root import Thoughts
from concilium.baselines.search.settings import SEARCH, SEARCH_FORM, Settings

__all__ = ["BOTS", "SEARCH", "SEARCH_FORM", "SearchBot", "Settings", "Thoughts"]

BOTS: Final[dict[str, BotEntry]] = {}
"""None has a name of its own: they are called by :data:`SEARCH_FORM`."""
