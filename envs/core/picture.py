"""Tables as pictures: what the text of a game shows, drawn letter by letter.

A picture is made from the text of a View alone, so it shows what its viewer may know. All pictures
have one size, as videos need it; the letters are as large as the whole text allows.
"""

from __future__ import annotations

import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import OptionError, UsageError
from concilium.envs.core.words import for_terminal

if TYPE_CHECKING:
    from PIL import ImageFont

RENDER_MODES: Final = ("ansi", "human", "rgb_array")
HEIGHT: Final = 1056  # multiples of 16, as codecs want them
WIDTH: Final = 1200
_MARGIN: Final = 24
_LETTER: Final = (11, 6)  # height and width in Pillow's own font, the only one that is always there
_SCALES: Final = (3, 2, 1)
_INDENT: Final = 4 * " "  # of what goes on in the next line
_PAPER: Final = (16, 20, 28)
_INK: Final = (222, 222, 214)
_HEADING: Final = (255, 206, 92)
_MARKED: Final = (124, 224, 160)  # lines of who is to act
_REPLACED: Final = str.maketrans({"–": "-", "—": "-", "…": "...", "’": "'"})  # not in the font

Picture = NDArray[np.uint8]


def check_render_mode(mode: str | None) -> str | None:
    """Return ``mode``; OptionError if it is neither None nor one of :data:`RENDER_MODES`."""
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"render_mode={mode!r} is not allowed: None or one of {RENDER_MODES}")
    return mode


def show(text: str, mode: str | None) -> str | Picture | None:
    """Hand out the text of a table (``ansi``) or its picture (``rgb_array``), or print it."""
    if mode == "ansi":
        return text
    if mode == "rgb_array":
        return draw(text)
    if mode == "human":
        print(for_terminal(text))
    return None


def draw(text: str) -> Picture:
    """Draw the text of a table.

    The first line is the heading; lines that begin with ``>`` or ``*`` are set off.

    Returns:
        Red, green and blue ``(HEIGHT, WIDTH, 3) uint8``.

    Raises:
        UsageError: Pillow is not installed.
    """
    font = _font()
    scale, lines = _fitted(text.translate(_REPLACED))
    small = _paint(lines, font, HEIGHT // scale, WIDTH // scale, _MARGIN // scale)
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = _PAPER
    large = small.repeat(scale, axis=0).repeat(scale, axis=1)
    picture[: large.shape[0], : large.shape[1]] = large
    return picture


def _fitted(text: str) -> tuple[int, list[tuple[str, tuple[int, int, int]]]]:
    """The largest scale at which the text fits, and its lines there with their colours."""
    for scale in _SCALES:
        rows, columns = (
            (size - 2 * _MARGIN) // (scale * letter)
            for size, letter in zip((HEIGHT, WIDTH), _LETTER, strict=True)
        )
        lines = _wrapped(text, columns)
        if len(lines) <= rows:
            return scale, lines
    left_out = f"(and {len(lines) - rows + 1} more lines)"
    return scale, [*lines[: rows - 1], (left_out, _HEADING)]


def _wrapped(text: str, columns: int) -> list[tuple[str, tuple[int, int, int]]]:
    found = []
    for number, line in enumerate(text.splitlines()):
        colour = _HEADING if number == 0 else _MARKED if line.startswith((">", "*")) else _INK
        parts = textwrap.wrap(line, columns, subsequent_indent=_INDENT) or [""]
        found += [(part, colour) for part in parts]
    return found


def _paint(
    lines: list[tuple[str, tuple[int, int, int]]], font: Any, height: int, width: int, margin: int
) -> Picture:
    from PIL import Image, ImageDraw  # here, so that games without pictures do without it

    image = Image.new("RGB", (width, height), _PAPER)
    pen = ImageDraw.Draw(image)
    for row, (line, colour) in enumerate(lines):
        plain = line.encode("latin-1", "replace").decode("latin-1")
        pen.text((margin, margin + row * _LETTER[0]), plain, fill=colour, font=font)
    return np.asarray(image, np.uint8)


@cache
def _font() -> ImageFont.ImageFont:
    try:
        from PIL import ImageFont
    except ImportError:
        raise UsageError(
            "render_mode='rgb_array' needs Pillow: pip install 'concilium[render]'"
        ) from None
    return ImageFont.load_default_imagefont()
