"""The exceptions of the suite: few, typed, each message naming the value and what is allowed."""

from __future__ import annotations


class ConciliumError(Exception):
    """Base class of every error that the suite raises on purpose."""


class OptionError(ConciliumError, ValueError):
    """An option, argument or name has a value that is not allowed."""


class IllegalActionError(ConciliumError, ValueError):
    """An action is of the wrong type, out of range, or not legal in the present position."""


class UsageError(ConciliumError, RuntimeError):
    """Methods are called in an order that has no meaning, such as ``step`` before ``reset``."""


class BotError(ConciliumError, RuntimeError):
    """A bot that an environment asked has answered with something else than legal actions.

    The environment stands in the middle of a step then, and has to be reset.
    """


class FileFormatError(ConciliumError, ValueError):
    """A replay, policy, preset or deck file is damaged or of another version."""
