"""Where compiled code is kept, which is never a reason to fail, and what it is kept under."""

from __future__ import annotations

import enum
import functools
import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config

from concilium.envs.core.compiled.cache import cache_folder
from concilium.envs.core.compiled.closure import closure_digest
from concilium.envs.core.compiled.jit import INTERPRETED
from concilium.envs.registry import own_packages

ROOT = Path(__file__).parents[2]


# The files -----------------------------------------------------------------------------------

# one small entry point of the core is enough, and compiles in a second
PROGRAM = (
    "import numpy as np; from concilium.envs.core.kernels import pick_actions; "
    "out = np.zeros(1, np.int64); "
    "pick_actions(np.array([[0, 1]], np.int8), np.array([0.5]), out); print(out[0])"
)
ASK = "; from concilium.envs.core.kernels import core_kernel, loops"
NO_WRITING = (  # holds for the superuser too
    "import sys, os\n"
    "def refuse(event, given):\n"
    "    writes = event == 'open' and (given[2] or 0) & (os.O_WRONLY | os.O_RDWR)\n"
    "    if event in ('os.mkdir', 'os.utime', 'os.rename') or writes:\n"
    "        raise PermissionError(13, 'may not be written', str(given[0]))\n"
    "sys.addaudithook(refuse)\n"
)
NO_SPACE = (  # the folder can be made, but no file may grow beyond 100 bytes
    "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
)


def _run(folder: Path, before: str = "", program: str = PROGRAM) -> list[str]:
    """Run the program and return the lines that it wrote on standard error."""
    run = subprocess.run(
        [sys.executable, "-B", "-c", before + program],
        env={**os.environ, "CONCILIUM_CACHE_DIR": str(folder)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.split()[-1] == "1"
    return run.stderr.strip().splitlines()


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the entry point of the program is kept."""
    folder = tmp_path_factory.mktemp("warm")
    (said,) = _run(folder)
    assert "compiling core.pick, once" in said
    return folder


def test_what_is_kept_is_used_and_nothing_is_said(warm: Path) -> None:
    asked = f"{ASK}; print(*core_kernel(loops.pick).stats.cache_misses, 1)"
    assert _run(warm, program=PROGRAM + asked) == []


def test_a_folder_that_cannot_be_written_is_read(warm: Path) -> None:
    asked = f"{ASK}; assert not core_kernel(loops.pick).stats.cache_misses"
    assert _run(warm, NO_WRITING, PROGRAM + asked) == []


def _hole(data: bytes, share: float) -> bytes:
    """Overwrite some bytes, as a broken disk does."""
    place = int(len(data) * share)
    return data[:place] + b"\xa5" * 48 + data[place + 48 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut off": lambda data: data[:1000],
    "the end is missing": lambda data: data[:-1],
    **{f"a hole at {share}": functools.partial(_hole, share=share) for share in (0.0, 0.3, 0.6)},
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_anew(damage: str, warm: Path, tmp_path: Path) -> None:
    # not run: what is in it could end the process with a signal, at every start
    shutil.copytree(warm, tmp_path, dirs_exist_ok=True)
    (path,) = tmp_path.rglob("*.code")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    (said,) = _run(tmp_path)
    assert "damaged" in said
    assert _run(tmp_path) == []


# ended by a signal, by Ctrl-C, and by a signal after some of the code has been kept
KILLED = (
    "import os; from concilium.envs.core.compiled.cache import KeptCode; "
    "KeptCode.save_overload = lambda *args: (print(1, flush=True), os._exit(0)); "
)
INTERRUPTED = "import sys; " + KILLED.replace("os._exit", "sys.exit")
LATER = "; import os; os._exit(0)"
ANOTHER = "; pick_actions(np.array([[0, 1]], np.uint8), np.array([0.5]), out); print(out[0])"


def test_a_start_that_was_killed_is_told_of_again(tmp_path: Path) -> None:
    for before, program in (
        (KILLED, PROGRAM), (INTERRUPTED, PROGRAM),
        ("", PROGRAM.replace("print(out[0])", "print(out[0], flush=True)") + LATER),
        ("", PROGRAM + ANOTHER),
    ):  # fmt: skip
        (said,) = _run(tmp_path, before, program)
        assert "compiling core.pick, once" in said
    assert _run(tmp_path) == []


def test_one_more_signature_is_not_told_of(warm: Path, tmp_path: Path) -> None:
    shutil.copytree(warm, tmp_path, dirs_exist_ok=True)
    assert _run(tmp_path, program=PROGRAM + ANOTHER) == []


# no user has this number, and HOME is not set
NO_HOME = (
    "import os, platformdirs.unix, pwd, tempfile; "
    "[os.environ.pop(name, None) for name in ('HOME', 'CONCILIUM_CACHE_DIR', 'XDG_CACHE_HOME')]; "
    "tempfile.tempdir = {folder!r}; os.getuid = lambda: {uid}; "
    "pwd.getpwuid = lambda uid: {{}}[uid]; "
)


def test_a_user_without_a_home_has_a_temporary_folder(tmp_path: Path) -> None:
    before = NO_HOME.format(folder=str(tmp_path), uid=os.getuid())
    no_home, compiling = _run(tmp_path, before)
    assert f"no home: compiled code is kept in {tmp_path}/concilium-{os.getuid()}" in no_home
    assert "compiling core.pick, once" in compiling
    assert _run(tmp_path, before) == []


def test_a_temporary_folder_of_another_user_is_not_used(tmp_path: Path) -> None:
    (tmp_path / f"concilium-{os.getuid() + 1}").mkdir()
    before = NO_HOME.format(folder=str(tmp_path), uid=os.getuid() + 1)
    (said,) = _run(tmp_path, before)
    assert "not kept: there is no home, and" in said
    assert "not this user's alone" in said


# two signatures of one entry point, of which neither can be kept
TWICE = PROGRAM + ANOTHER


@pytest.mark.parametrize("trouble", [NO_SPACE, NO_WRITING])
def test_what_cannot_be_kept_costs_one_line(trouble: str, warm: Path, tmp_path: Path) -> None:
    shutil.copytree(warm, tmp_path, dirs_exist_ok=True)
    (path,) = tmp_path.rglob("*.code")
    path.unlink()
    (said,) = _run(tmp_path, trouble, TWICE)
    assert "not kept" in said
    (folder,) = tmp_path.iterdir()
    assert [left.name for left in folder.iterdir()] == ["filled"]  # nor is half a file left


def test_folders_that_cannot_be_made_cost_one_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("in the way")
    (said,) = _run(path, program=PROGRAM + (
        "; from concilium.envs import GAMES; [game.kernels.cache_folder for game in GAMES.values()]"
    ))  # fmt: skip
    assert "not kept" in said


def test_old_folders_go_and_those_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCILIUM_CACHE_DIR", str(tmp_path))
    for number in range(6):
        old = tmp_path / f"game-{number:016x}"
        old.mkdir()
        os.utime(old, (number, number))
        (tmp_path / f"game-bots-{number:016x}").mkdir()
        (tmp_path / f"game.bots-{number:016x}").mkdir()
    assert cache_folder("game", "f" * 16) == tmp_path / f"game-{'f' * 16}"
    assert len(list(tmp_path.glob("game?bots-*"))) == 12
    kept = {path.name for path in tmp_path.glob("game-*")} - {
        path.name for path in tmp_path.glob("game-bots-*")
    }
    assert kept == {f"game-{mark}" for mark in ("f" * 16, *(f"{n:016x}" for n in (3, 4, 5)))}


# What the code is kept under ----------------------------------------------------------------

ACTIONS = '''
"""Numbers of actions."""
GIVE = 3  # a comment
TAKE = 4
'''
RULES = '''
import enum
import numpy as np
import numba

LIMIT = 7
UNUSED = 1
TABLE = np.arange(4)
PAIR = (1, 2)

class Phase(enum.IntEnum):
    """A phase."""
    NIGHT = 1
    DAY = 2

def far(x):
    """Return what is far away."""
    return x + LIMIT if x in {3, 5, 9} else min(x, 1000)

@numba.njit
def near(x):
    return far(x) + TABLE[x] + PAIR[0]

def step(x):
    """Take a step."""
    # as the rules say
    if x == A.GIVE:
        return near(x)
    return x * Phase.NIGHT

def describe(x):
    return f"text {step(x)}"
'''


def _digest(rules: str = RULES, actions: str = ACTIONS) -> str:
    module, numbers = types.ModuleType("rules"), types.ModuleType("actions")
    exec(compile(actions, "actions.py", "exec"), vars(numbers))
    vars(module)["A"] = numbers
    exec(compile(rules, "rules.py", "exec"), vars(module))
    return closure_digest([vars(module)["step"]])


EDITS = {
    "the function": ("return near(x)", "return -near(x)"),
    "another order": ("far(x) + TABLE[x]", "TABLE[x] + far(x)"),
    "a helper": ("return far(x) + ", "return far(x) - "),
    "a function two calls away": ("x + LIMIT", "x - LIMIT"),
    "a number in it": ("1000", "1001"),
    "a set in it": ("{3, 5, 9}", "{3, 5, 8}"),
    "a function that is built in": ("min(", "max("),
    "a constant": ("LIMIT = 7", "LIMIT = 8"),
    "the type of a constant": ("LIMIT = 7", "LIMIT = 7.0"),
    "an array": ("np.arange(4)", "np.arange(4)[::-1]"),
    "the type of an array": ("np.arange(4)", "np.arange(4, dtype=np.int8)"),
    "the shape of an array": ("np.arange(4)", "np.arange(4).reshape(2, 2)"),
    "a tuple": ("(1, 2)", "(1, 3)"),
    "a member of an enumeration": ("NIGHT = 1", "NIGHT = 0"),
    "another member of it": ("DAY = 2", "DAY = 3"),
}
NOTHING = {
    "a docstring": ('"""Take a step."""', '"""Take one step."""'),
    "a docstring far away": ('"""Return what is far away."""', '"""Return."""'),
    "a comment": ("# as the rules say\n", "# as the rules of the game say\n    # and so on\n"),
    "an empty line": ("LIMIT = 7", "\n\nLIMIT = 7"),
    "a text": ('f"text {step(x)}"', 'f"words {step(x)}"'),
    "a constant that is not used": ("UNUSED = 1", "UNUSED = 2"),
    "a function that is not called": ("def describe(x):", "def tell(x):"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_of_what_is_compiled_changes_the_digest(edit: str) -> None:
    old, new = EDITS[edit]
    assert old in RULES
    assert _digest(RULES.replace(old, new)) != _digest()


@pytest.mark.parametrize("edit", NOTHING)
def test_other_edits_do_not_change_the_digest(edit: str) -> None:
    old, new = NOTHING[edit]
    assert old in RULES
    assert _digest(RULES.replace(old, new)) == _digest()


def test_attributes_of_modules_count_if_they_are_used() -> None:
    assert _digest(actions=ACTIONS.replace("GIVE = 3", "GIVE = 5")) != _digest()
    assert _digest(actions=ACTIONS.replace("TAKE = 4", "TAKE = 5")) == _digest()
    assert _digest(actions=ACTIONS.replace("a comment", "a remark")) == _digest()


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("OPT", 0),
        ("BOUNDSCHECK", 1),
        ("LOOP_VECTORIZE", 0),
        ("DEBUGINFO_DEFAULT", 1),
        ("CPU_NAME", "generic"),
        ("CPU_FEATURES", "+sse2"),
        ("EXTEND_VARIABLE_LIFETIMES", 1),
    ],
)
def test_settings_of_numba_change_the_digest(
    setting: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _digest()
    monkeypatch.setattr(config, setting, value)
    assert _digest() != before


@pytest.mark.skipif(INTERPRETED, reason="what is interpreted is not kept")
@pytest.mark.parametrize(
    "variable",
    ["OPT=0", "OPT=max", "BOUNDSCHECK=1", "DEBUGINFO=1", "CPU_NAME=generic", "CPU_FEATURES=+sse2"],
)
def test_code_compiled_with_other_settings_is_not_used(
    variable: str, warm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = "; print(core_kernel(loops.pick)._cache.cache_path); print(1)"
    name, _, value = variable.partition("=")
    monkeypatch.setenv(f"NUMBA_{name}", value)
    before = {path.name for path in warm.iterdir()}
    _run(warm, program=f"{ASK[2:]}{folders}")
    assert len({path.name for path in warm.iterdir()} - before) == 1


@pytest.mark.parametrize(
    "value", [{"a": 1}, [1, 2], {3}, object(), Path("x")], ids=lambda value: type(value).__name__
)
def test_what_compiled_code_cannot_hold_is_named(value: Any) -> None:
    scope: dict[str, Any] = {"__name__": "rules", "odd_thing": value}
    exec("def inner(x):\n    return odd_thing\ndef step(x):\n    return inner(x)", scope)
    with pytest.raises(TypeError, match=r"compiled code uses odd_thing = "):
        closure_digest([scope["step"]])


def test_functions_in_closures_count() -> None:
    def made(amount: int, table: np.ndarray[Any, Any], kind: type[enum.IntEnum]) -> Any:
        def step(x: int) -> Any:
            return x + amount + table[0] + kind(1)

        return step

    first = enum.IntEnum("first", {"ONE": 1})
    second = enum.IntEnum("second", {"ONE": 1, "TWO": 2})
    digests = [
        closure_digest([made(1, np.zeros(1), first)]),
        closure_digest([made(2, np.zeros(1), first)]),
        closure_digest([made(1, np.ones(1), first)]),
        closure_digest([made(1, np.zeros(1), second)]),
    ]
    assert len(set(digests)) == len(digests)
    assert closure_digest([made(1, np.zeros(1), first)]) == digests[0]


# The games -----------------------------------------------------------------------------------

FOLDERS = (
    "from concilium.envs import GAMES\n"
    "print(*(game.kernels.cache_folder.name for game in GAMES.values()))"
)


def _folders(tmp_path: Path, package: Path, hash_seed: int) -> list[str]:
    """Names of the folders of the games' code, as another process finds them."""
    run = subprocess.run(
        [sys.executable, "-B", "-c", FOLDERS],
        env={
            **os.environ, "CONCILIUM_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(package),
        },
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.split()


def _edit(path: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, path.read_text(), flags=re.MULTILINE)
    assert count, f"{path} does not have {pattern}"
    path.write_text(text)


def _change_words(envs: Path) -> None:
    """Edit comments, docstrings, texts, and the PettingZoo environment."""
    for path in [*envs.glob("*/*.py"), *envs.glob("core/*/*.py")]:
        path.write_text(f"# a remark\n{path.read_text()}")
    for path in [*envs.glob("*/rules.py"), *envs.glob("*/view.py"), envs / "core/aec.py"]:
        _edit(path, r'^    """(?=[A-Z])', '    """In other words: ')
    for path in envs.glob("*/text.py"):
        path.write_text(f"{path.read_text()}\n\ndef more() -> str:\n    return 'a text'\n")
    _edit(envs / "core/aec.py", "^    def step", "    def more(self) -> None: ...\n\n    def step")


@pytest.mark.skipif(INTERPRETED, reason="what is interpreted is not kept")
def test_only_rules_change_where_the_games_are_kept(tmp_path: Path) -> None:
    package = tmp_path / "package"
    shutil.copytree(ROOT / "src", package, ignore=shutil.ignore_patterns("__pycache__"))
    names = _folders(tmp_path, ROOT / "src", 1)
    assert _folders(tmp_path, package, 1) == names
    _change_words(package / "concilium" / "envs")
    assert _folders(tmp_path, package, 2) == names
    rules = package / "concilium/envs/nicaea/rules.py"
    rules.write_text(f"{rules.read_text()}\n\n@jit\ndef kind(s: Any) -> Any:\n    return s.actor\n")
    changed = _folders(tmp_path, package, 3)
    assert [a == b for a, b in zip(changed, names, strict=True)] == [
        name != "concilium.envs.nicaea" for name in own_packages()
    ]
