"""Imports go downwards only, at the top of a file and inside functions alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from concilium.envs.registry import own_packages

SOURCE = Path(__file__).parents[1] / "src"
GAMES = tuple(own_packages())

LAYERS = (
    ("concilium",),  # the version, and nothing that is imported
    ("concilium.envs.core.compiled",),
    ("concilium.envs.core",),
    ("concilium.envs.check", *GAMES),
    ("concilium.envs",),
    ("concilium.baselines",),
    ("concilium.wrappers",),
    ("concilium.evaluation",),
    ("concilium.training",),
    ("concilium.bench",),
    ("concilium.commands", "concilium.cli", "concilium.__main__"),
)
"""Packages from the lowest layer to the highest; the longest name that fits a module counts."""

GENERIC = ("concilium.envs.core.compiled", "concilium.envs.core", "concilium.envs.check")


@dataclass(frozen=True)
class Arrow:
    """One module names another, in an import statement or as a string."""

    source: str
    target: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: {self.source} imports {self.target}"


def _room(module: str) -> str:
    """The package of LAYERS to which a module belongs."""
    rooms = [room for layer in LAYERS for room in layer]
    return max((r for r in rooms if f"{module}.".startswith(f"{r}.")), key=len)


def _height(module: str) -> int:
    (height,) = (h for h, layer in enumerate(LAYERS) if _room(module) in layer)
    return height


@cache
def _modules() -> dict[str, Path]:
    """The files of all modules by the modules' names; the links in ``src`` are followed."""
    found: dict[str, Path] = {}
    folders = [SOURCE / "concilium"]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            if path.is_dir() and path.name != "__pycache__":
                folders.append(path)
            elif path.suffix == ".py":
                parts = path.with_suffix("").relative_to(SOURCE).parts
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _targets(node: ast.AST, package: str) -> Iterator[str]:
    """Names of the modules that one node of a file names; ``package`` is where the file lies."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *filter(None, [base])])
        for alias in node.names:
            whole = f"{base}.{alias.name}"
            yield whole if whole in _modules() else base
    elif isinstance(node, ast.Constant):  # the name of a module, or the beginning of one
        name = str(node.value).rstrip(".")
        if name != "concilium" and name in _modules():
            yield name


@cache
def _code(path: Path) -> ast.Module:
    """What a file says to Python: without docstrings."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
    return tree


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@cache
def _arrows() -> tuple[Arrow, ...]:
    arrows: dict[Arrow, None] = {}
    for module, path in _modules().items():
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for node in ast.walk(_code(path)):
            for target in _targets(node, package):
                if target.partition(".")[0] == "concilium":
                    place = f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 0)}"
                    arrows[Arrow(module, target, place)] = None
    return tuple(arrows)


def _told(arrows: list[Arrow]) -> str:
    return "\n".join(map(str, arrows))


def test_everything_is_looked_at() -> None:
    assert len(_modules()) > 150
    assert {_room(module) for module in _modules()} == {room for layer in LAYERS for room in layer}
    assert [module for module in _modules() if _room(module) == "concilium"] == ["concilium"]
    named = {arrow.target for arrow in _arrows() if arrow.source == "concilium.cli"}
    assert "concilium.commands" in named  # the name of a module, put together from strings


def test_every_way_to_import_is_seen() -> None:
    program = """
import concilium.envs.core.game as game
from concilium.envs import registry, GAMES
from . import game as here
from .. import check
from .layout import Layout
if True:
    def late():
        import importlib
        return importlib.import_module("concilium.training"), f"concilium.commands.{late}"
"""
    nodes = ast.walk(ast.parse(program))
    found = {each for node in nodes for each in _targets(node, "concilium.envs.core")}
    assert {each for each in found if each.startswith("concilium")} == {
        "concilium.envs.core.game", "concilium.envs.registry", "concilium.envs",
        "concilium.envs.check", "concilium.envs.core.layout", "concilium.training",
        "concilium.commands",
    }  # fmt: skip


@pytest.mark.parametrize("layer", [room for layer in LAYERS for room in layer])
def test_no_import_goes_upwards(layer: str) -> None:
    upwards = [
        arrow for arrow in _arrows()
        if _room(arrow.source) == layer and _height(arrow.target) > _height(layer)
    ]  # fmt: skip
    assert not upwards, f"{len(upwards)} imports go upwards:\n{_told(upwards)}"


@pytest.mark.parametrize("game", GAMES)
def test_no_game_imports_another_or_the_examination(game: str) -> None:
    beside = [
        arrow for arrow in _arrows()
        if _room(arrow.source) == game
        and _height(arrow.target) == _height(game)
        and _room(arrow.target) != game
    ]  # fmt: skip
    assert not beside, _told(beside)


def test_what_is_generic_knows_no_game() -> None:
    names = [game.rpartition(".")[2] for game in GAMES]
    known = [
        f"{path}:{node.lineno}: {node.value!r}"
        for module, path in _modules().items()
        if _room(module) in GENERIC
        for node in ast.walk(_code(path))
        if isinstance(node, ast.Constant) and any(name in str(node.value) for name in names)
    ]
    assert not known, "\n".join(known)
    arrows = [
        arrow for arrow in _arrows()
        if _room(arrow.target) in GAMES
        and _room(arrow.source) in GENERIC
    ]  # fmt: skip
    assert not arrows, _told(arrows)


@pytest.mark.parametrize("package", [name for name, path in _modules().items()
                                     if path.name == "__init__.py"])  # fmt: skip
def test_every_package_says_what_it_is_for(package: str) -> None:
    assert ast.get_docstring(ast.parse(_modules()[package].read_text())), package
