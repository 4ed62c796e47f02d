"""Words and values of the layouts agree: what is counted to a limit says so."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

import pytest

from concilium.envs.believers import observation as believers
from concilium.envs.chancellors import observation as chancellors
from concilium.envs.chancellors.state import STATE
from concilium.envs.core.layout import Layout
from concilium.envs.nicaea import observation as nicaea


def layouts(module: ModuleType) -> list[Layout]:
    """Both layouts of a game."""
    return [module.OBSERVATION, module.STATE_LAYOUT]


@pytest.mark.parametrize("module", [chancellors, nicaea, believers], ids=lambda m: m.__name__)
def test_what_is_cut_off_says_so(module: ModuleType) -> None:
    source = inspect.getsource(module)
    cut = set(re.findall(r"^ *out\.(\w+)(?:\[.*?\])? = min\(", source, re.MULTILINE))
    told = set()
    for layout in layouts(module):
        for segment in layout.segments:
            if segment.name in cut:
                assert f"counted to {segment.high}" in segment.meaning, segment.name
                told.add(segment.name)
    assert told == cut
    assert bool(cut) == (module is not believers)


def test_what_the_state_cuts_off_says_so_in_the_layouts() -> None:
    capped = [name for name, each in STATE.fields.items() if "counted to" in each.meaning]
    assert capped == ["solves", "let_go_draws"]
    for layout in layouts(chancellors):
        for name in capped:
            assert f"counted to {layout[name].high}" in layout[name].meaning
            assert f"counted to {layout[name].high}" in STATE.fields[name].meaning
