"""What is installed is what is in the tree, and importing it costs little."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import concilium

ROOT = Path(__file__).parent.parent
FOLDERS = ("envs", "wrappers", "training", "baselines")


def _packages() -> set[str]:
    found = {"concilium", "concilium.commands"}
    for folder in FOLDERS:
        for init in (ROOT / folder).rglob("__init__.py"):
            found.add(".".join(("concilium", *init.parent.relative_to(ROOT).parts)))
    return found


def test_pyproject_lists_every_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert set(settings["packages"]) == _packages()
    assert set(settings["package-dir"]) == {"concilium", *(f"concilium.{f}" for f in FOLDERS)}


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
    wanted = {"concilium/py.typed", "concilium/__init__.py", "concilium/cli.py"}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".toml", ".json", ".safetensors", ".md"}:
                wanted.add(f"concilium/{path.relative_to(ROOT)}")
    assert wanted <= set(names)
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
        "import time; start = time.process_time(); import concilium.envs; "
        "spent = time.process_time() - start; import sys; "
        "heavy = {'torch', 'stable_baselines3', 'sb3_contrib', 'matplotlib', 'pygame', 'tkinter', "
        "'rich', 'safetensors', 'tensorboard'} & set(sys.modules); print(spent, *heavy)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        ).stdout.split()
        for _ in range(3)
    ]
    assert all(len(run) == 1 for run in runs), runs
    assert min(float(run[0]) for run in runs) < 1.0
