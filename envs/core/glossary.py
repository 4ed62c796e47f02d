"""What the cards of a game do, by their names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from concilium.envs.core.errors import OptionError


class Glossary:
    """Cards by name, each with a line that says what it does.

    Args:
        texts: names and lines; of two cards of one name the later gets its kind, the first word of
            its line, behind it in brackets.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self.texts: dict[str, str] = {}
        for name, text in texts:
            kind = text.split()[0].rstrip(",;:")
            self.texts[f"{name} ({kind})" if name in self.texts else name] = text

    def explain(self, name: str) -> str:
        """Return a line for the card of that name, or for each whose name begins with it.

        Raises:
            OptionError: there is none; the message names some that are written alike.
        """
        wanted = name.strip().lower()
        found = [each for each in self.texts if each.lower() == wanted] or [
            each for each in self.texts if wanted and each.lower().startswith(wanted)
        ]
        if not found:
            lower = {each.lower(): each for each in self.texts}
            alike = [lower[each] for each in get_close_matches(wanted, lower, 3)]
            hint = f"; did you mean {', '.join(alike)}?" if alike else ""
            raise OptionError(f"there is no card called {name!r}{hint}")
        return "\n".join(f"{each}: {self.texts[each]}" for each in found)
