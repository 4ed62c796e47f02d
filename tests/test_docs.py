"""What the documents say is what the code does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from concilium.envs import GAMES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *(ROOT / "envs").glob("*/README.md")]


def _blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = _blocks(page)
    assert blocks
    for block in blocks:
        exec(compile(block, str(page), "exec"), {"__name__": "__main__"})


def test_the_first_screen_has_a_short_example_of_each_kind() -> None:
    pettingzoo, sb3 = _blocks(ROOT / "README.md")[:2]
    assert len(pettingzoo.strip().splitlines()) <= 10
    assert len(sb3.strip().splitlines()) <= 15
    assert "chancellors_v0" in pettingzoo
    assert "MaskablePPO" in sb3


def test_generated_tables_are_fresh() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    stale = [path for path, page, renewed in generate.pages() if page != renewed]
    assert not stale, "run docs/generate.py"
    for game in GAMES.values():
        for name, table in generate.game_parts(game).items():
            page = f"<!-- generated: {name} -->\nold\n<!-- end -->"
            assert table in generate.fill(page, generate.game_parts(game))


def test_every_link_of_the_pages_leads_somewhere() -> None:
    for page in [*PAGES, *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"
