"""Data from outside checked against declared types; what is wrong is said in one line.

Types are dataclasses or msgspec Structs whose fields say what is allowed, as in
``Annotated[int, Meta(ge=1, le=9)]``. Unknown fields are refused by
``Struct(forbid_unknown_fields=True)``. ``Meta(description=…)`` says in words what is allowed where
the type alone does not.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from concilium.envs.core.errors import FileFormatError, OptionError

LONGEST_SHOWN: Final = 80  # characters of a value in a message
_PLACE: Final = re.compile(r" - at (?:`key` in )?`\$(.*)`$")
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_LABELS: Final = ("id", "name")
"""Fields by which an entry of a list is called in messages."""
_NAMED: Final = re.compile(r"Object (?:missing required|contains unknown) field `(.*?)`")
_NO_JSON: Final = (ValueError, RecursionError, msgspec.DecodeError)
T = TypeVar("T")


class FaultError(FileFormatError):
    """What is wrong in a file, without the name of the file."""


def convert(value: Any, kind: type[T]) -> T:
    """Return parsed JSON or TOML as ``kind``.

    Raises:
        FaultError: it does not fit; says which field, what value, and what is allowed.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise FaultError(_told(str(error), value, inspect.type_info(kind))) from None
    except UnicodeEncodeError as error:  # half a character
        raise FaultError(str(error)) from None


def parse_json(text: bytes | str, what: str) -> dict[str, Any]:
    """Parse a JSON object; NaN and what lies too deep are refused.

    Raises:
        FileFormatError: it is not one; ``what`` names it in the message.
    """
    try:
        value = msgspec.json.decode(text)
    except _NO_JSON as error:
        raise FileFormatError(f"{what} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise FileFormatError(f"{what} is not a JSON object")
    return value


def json_text(value: Any, what: str, *, indent: int | None = None, compact: bool = False) -> str:
    """Return a value as JSON that :func:`parse_json` reads.

    Args:
        value: what to write.
        what: names it in messages.
        indent: spaces by which lines within lines begin; one line if None.
        compact: without spaces behind commas and colons.

    Raises:
        OptionError: it holds something that JSON has not, such as NaN or half a character.
    """
    separators = (",", ":") if compact else None
    try:
        text = json.dumps(value, allow_nan=False, indent=indent, separators=separators)
        msgspec.json.decode(text)
        return text
    except (TypeError, *_NO_JSON) as error:
        raise OptionError(f"{what} cannot be written as JSON: {error}") from None


def _told(message: str, value: Any, info: inspect.Type) -> str:
    """Tell what msgspec found wrong, with the place in words and what is allowed there."""
    found = _PLACE.search(message)
    steps = _STEP.findall(found[1]) if found else []
    named = _NAMED.match(message)
    words: list[str] = []
    for left, (name, number) in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        value, info = (
            (value[name], _field(info, name)) if name else (value[int(number)], _item(info))
        )
        last = not left and not named
        if name:
            words.append(f"field {name}" if last else name)
        elif last:
            words[-1:] = [f"field {words[-1]}" if words else "the list", f"entry {int(number) + 1}"]
        else:
            words[-1] += f" {int(number) + 1}{_label(value)}"
    where = f"{', '.join(words)}: " if words else ""
    if named:
        wrong = "is missing" if "missing" in named[0] else f"is unknown: there are {_names(info)}"
        name = named[1] if named[1].isprintable() else repr(named[1])
        return f"{where}field {name:.{LONGEST_SHOWN}} {wrong}"
    return f"{where}{value!r:.{LONGEST_SHOWN}} is not allowed: {allowed(info)}"


def _label(entry: Any) -> str:
    names = [entry[key] for key in _LABELS if key in entry] if isinstance(entry, dict) else []
    return f" ({names[0]!r:.{LONGEST_SHOWN}})" if names and isinstance(names[0], str) else ""


def _field(info: inspect.Type, name: str) -> inspect.Type:
    for field in getattr(info, "fields", ()):
        if field.encode_name == name:
            kind: inspect.Type = field.type
            return kind
    return inspect.AnyType()


def _item(info: inspect.Type) -> inspect.Type:
    if isinstance(info, inspect.Metadata):
        return _item(info.type)
    kind: inspect.Type = getattr(info, "item_type", inspect.AnyType())
    return kind


def _names(info: inspect.Type) -> str:
    return ", ".join(sorted(field.encode_name for field in getattr(info, "fields", ())))


def allowed(info: inspect.Type) -> str:
    """Say in words what a type allows."""
    if isinstance(info, inspect.Metadata):
        return (info.extra_json_schema or {}).get("description") or allowed(info.type)
    if isinstance(info, inspect.UnionType):
        return " or ".join(map(allowed, info.types))
    if isinstance(info, inspect.LiteralType):
        return f"one of {', '.join(map(str, info.values))}"
    if isinstance(info, inspect.IntType):
        return "a whole number" + _bounds(info.ge, info.le)
    if isinstance(info, inspect.FloatType):
        return "a number" + _bounds(info.ge, info.le)
    if isinstance(info, inspect.StrType):
        return "a text" + _bounds(info.min_length, info.max_length, " characters")
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        return "a list" + _bounds(info.min_length, info.max_length, " entries")
    if isinstance(info, inspect.BoolType):
        return "true or false"
    return "nothing" if isinstance(info, inspect.NoneType) else "a table"


def _bounds(low: float | None, high: float | None, unit: str = "") -> str:
    """``" from 1 to 9"``, ``" of at least 1"`` and the like; empty without bounds."""
    if low is None and high is None:
        return ""
    if high is None:
        return f" of at least {low:.12g}{unit}"
    first = "" if low is None else f" from {low:.12g}"
    return f"{first} to {high:.12g}{unit}" if first else f" of at most {high:.12g}{unit}"
