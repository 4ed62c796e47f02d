"""The exceptions of the suite: few, typed, each message naming the value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable


class ConciliumError(Exception):
    """Base class of every error that the suite raises on purpose."""


class OptionError(ConciliumError, ValueError):
    """An option, argument or name has a value that is not allowed."""


class IllegalActionError(ConciliumError, ValueError):
    """An action is of the wrong type, out of range, or not legal in the present position."""


class UsageError(ConciliumError, RuntimeError):
    """Methods are called in an order that has no meaning, such as ``step`` before ``reset``."""


class NotResetError(UsageError, AttributeError):
    """Something is asked that an environment has only once it has been reset."""


class BotError(ConciliumError, RuntimeError):
    """A bot that an environment asked has answered with something else than legal actions.

    The environment stands in the middle of a step then, and has to be reset.
    """


class FileFormatError(ConciliumError, ValueError):
    """A replay, policy, preset or deck file is damaged or of another version."""


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a message about a word that is none of ``words``: one much like it, if any."""
    from difflib import get_close_matches  # rarely needed

    near = get_close_matches(word, list(words), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
