"""What is installed is what is in the tree, and importing it brings nothing heavy along."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import concilium

ROOT = Path(__file__).parent.parent
FOLDERS = ("envs", "wrappers", "training", "baselines")


def _modules() -> Iterator[Path]:
    """The files of the package by their places in it, as in ``concilium/envs/registry.py``."""
    for path in (ROOT / "src" / "concilium").rglob("*"):  # does not follow the links in there
        yield path.relative_to(ROOT / "src")
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            yield Path("concilium") / path.relative_to(ROOT)


def _packages() -> set[str]:
    return {".".join(path.parent.parts) for path in _modules() if path.suffix == ".py"}


def _lines(names: set[str]) -> str:
    return "\n".join(f'    "{name}",' for name in sorted(names))


def test_pyproject_lists_every_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    listed, there = set(settings["packages"]), _packages()
    assert not there - listed, f"[tool.setuptools] packages misses\n{_lines(there - listed)}"
    assert not listed - there, f"there are no modules in\n{_lines(listed - there)}"
    assert len(listed) == len(settings["packages"]), "a package is listed twice"
    assert set(settings["package-dir"]) == {"concilium", *(f"concilium.{f}" for f in FOLDERS)}


def test_every_package_has_an_init_file() -> None:
    whole = {".".join(path.parent.parts) for path in _modules() if path.name == "__init__.py"}
    assert not _packages() - whole, f"no __init__.py in\n{_lines(_packages() - whole)}"


def test_the_version_is_said_once_and_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == concilium.__version__


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    tree = (
        folder / "tree"
    )  # a copy, because building leaves files behind that the next build takes in
    left_out = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "runs", "tests")
    shutil.copytree(ROOT, tree, symlinks=True, ignore=left_out)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet",
         "-w", str(folder), str(tree)],
        check=True,
    )  # fmt: skip
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_every_module_and_data_file_once(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    kinds = {".py", ".toml", ".json", ".safetensors", ".md", ".typed"}
    wanted = {path.as_posix() for path in _modules() if path.suffix in kinds}
    assert {"concilium/py.typed", "concilium/cli.py", "concilium/envs/nicaea/deck.toml"} <= wanted
    assert not wanted - set(names), f"the wheel misses {sorted(wanted - set(names))}"
    assert not [name for name in names if name.startswith(("envs/", "tests/"))]


def test_the_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    program = (
        f"import sys; sys.path.insert(0, {str(target)!r})\n"
        "import concilium.envs as e\n"
        f"assert e.__file__.startswith({str(target)!r}), e.__file__\n"
        "env = e.chancellors_v0.env(); env.reset(seed=1)\n"
        "print(int(env.last()[0]['action_mask'].sum()) > 0)"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=tmp_path, check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    assert run.stdout.strip() == "True"


def test_importing_the_environments_is_light() -> None:
    program = (
        "import concilium.envs, sys; "
        "print(*{'torch', 'stable_baselines3', 'sb3_contrib', 'matplotlib', 'pygame', 'tkinter', "
        "'rich', 'safetensors', 'tensorboard'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", program]
    heavy = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert not heavy
