"""Run some of the tests with other versions of what is needed: ``make test-versions``.

``python -m tests.versions lowest newest`` makes a virtual environment for each word, in a temporary
folder: with the lowest versions that ``pyproject.toml`` declares, or with the newest that install.
PyTorch alone is that of ``constraints.txt`` in both, since other builds of it take gigabytes.
Nothing but Python's own library is needed to run this.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
WAYS: Final = ("lowest", "newest")
SELECTION: Final = (
    "tests/envs", "tests/wrappers", "tests/training", "tests/baselines/test_policy.py",
    "tests/baselines/test_divided.py", "tests/evaluation/test_plot.py",
    "tests/cli/test_commands.py",
)  # fmt: skip
"""What touches every package that is needed, and little beside."""
_TOOLS: Final = {"ruff", "mypy", "setuptools", "pygame-ce"}  # these tests do without


def requirements() -> list[str]:
    """Everything that the selection needs, as declared, PyTorch excepted."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [entry for extra in project["optional-dependencies"].values() for entry in extra]
    found = dict.fromkeys([*project["dependencies"], *extras])
    left = {"torch", project["name"], *_TOOLS}
    return [entry for entry in found if re.split(r"[^A-Za-z0-9_-]", entry)[0] not in left]


def pinned(package: str) -> str:
    """The line of a package in ``constraints.txt``."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return next(line for line in lines if line.startswith(f"{package}=="))


def lowest(requirement: str) -> str:
    """A requirement for the lowest version that another one allows."""
    return requirement.replace(">=", "==")


def run(way: str) -> int:
    """Install what is needed, run the selection, and return the exit code."""
    needed = requirements()
    if way == "lowest":
        needed = [lowest(entry) for entry in needed]
    with tempfile.TemporaryDirectory(prefix=f"concilium-{way}-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, pinned("torch"), *needed], check=True)
        subprocess.run([python, "-m", "pip", "freeze", "--disable-pip-version-check"], check=True)
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT / "src"),
            "CONCILIUM_CACHE_DIR": str(Path(folder) / "cache"),
        }  # fmt: skip
        # what a package warns of is no fault here: it still works
        options = ["-q", "-m", "not long", "-p", "no:cacheprovider", "-o", "filterwarnings=default"]
        return subprocess.run(
            [python, "-m", "pytest", *options, *SELECTION], cwd=ROOT, env=environment, check=False
        ).returncode


def main(ways: list[str]) -> int:
    """Run each way that is named; 0 if all tests passed in all of them."""
    for way in ways:
        if way not in WAYS:
            print(f"{way!r} is not one of {', '.join(WAYS)}", file=sys.stderr)
            return 2
    codes = {way: run(way) for way in ways}
    for way, code in codes.items():
        print(f"{way} versions: {'passed' if not code else f'failed ({code})'}")
    return int(any(codes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(WAYS)))
