"""Pictures: what is drawn is what was found; matplotlib is imported when one is drawn."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from concilium.envs import OptionError
from concilium.evaluation import plot
from concilium.evaluation.dilemma import Dilemma, dilemma
from concilium.evaluation.seats import evaluate
from concilium.evaluation.tournament import Tournament, tournament

STEWARD = "chancellors/steward"


@pytest.fixture(scope="module")
def diagram() -> Dilemma:
    return dilemma(STEWARD, "random", game="chancellors", players=[2, 3], deals=6, target_score=10)


@pytest.fixture(scope="module")
def cross() -> Tournament:
    return tournament(
        [STEWARD, "random"], game="chancellors", players=[3], deals=6, ratings=False,
        target_score=10,
    )  # fmt: skip


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Collects the figures that would have been written."""
    figures: list[Any] = []
    monkeypatch.setattr(plot, "_save", lambda figure, path: figures.append(figure))
    return figures


def lines(axes: Any) -> dict[str, list[float]]:
    """Heights of the points of each line with a name and error bars."""
    return {
        bars.get_label(): [round(float(y), 9) for y in bars.lines[0].get_ydata()]
        for bars in axes.containers
    }


def test_diagram_shows_payoffs_over_the_number_of_others(
    diagram: Dilemma, drawn: list[Any]
) -> None:
    plot.draw_dilemma("unused.png", diagram, payoff="return")
    two, three, losses = drawn[0].axes
    mixes = diagram.mixes_of("random", 3)
    assert (
        lines(three)
        == {
            "a deviator": [round(mix.deviator_return.value, 9) for mix in mixes[1:]],  # type: ignore[union-attr]
            "a resident": [round(mix.resident_return.value, 9) for mix in mixes[:3]],  # type: ignore[union-attr]
        }
    )
    assert [len(heights) for heights in lines(two).values()] == [2, 2]
    assert lines(losses)["calamity, 3 players"] == [
        round(mix.outcomes["calamity"].value, 9) for mix in mixes
    ]
    assert "3 players" in three.get_ylabel()
    # all bars are within the panel
    low, high = three.get_ylim()
    assert all(low < y < high for heights in lines(three).values() for y in heights)
    plot.draw_dilemma("unused.png", diagram)
    won = [round(mix.deviator_won.value, 9) for mix in mixes[1:]]  # type: ignore[union-attr]
    assert lines(drawn[1].axes[1])["a deviator"] == won


def test_error_bars_reach_to_the_ends_of_the_intervals(diagram: Dilemma, drawn: list[Any]) -> None:
    plot.draw_dilemma("unused.png", diagram)
    bars = drawn[0].axes[2].containers[1]  # calamities of 3 players
    ends = [path.vertices[:, 1].tolist() for path in bars.lines[2][0].get_paths()]
    shares = [mix.outcomes["calamity"] for mix in diagram.mixes_of("random", 3)]
    assert ends == [[pytest.approx(each.low), pytest.approx(each.high)] for each in shares]


def test_several_deviators_stand_side_by_side(diagram: Dilemma, drawn: list[Any]) -> None:
    both = replace(
        diagram,
        deviators=("random", "other"),
        mixes=diagram.mixes + tuple(replace(mix, deviator="other") for mix in diagram.mixes),
    )
    plot.draw_dilemma("unused.png", both)
    panels = drawn[0].axes
    assert len(panels) == 6  # two table sizes and the losses, times two
    assert [panel.get_title() for panel in panels[:2]] == ["deviators: random", "deviators: other"]
    assert lines(panels[0]) == lines(panels[1])


def test_an_unknown_payoff_is_refused(diagram: Dilemma) -> None:
    with pytest.raises(OptionError, match="payoff='fame'"):
        plot.draw_dilemma("unused.png", diagram, payoff="fame")  # type: ignore[arg-type]


def test_heat_map_shows_the_cells(cross: Tournament, drawn: list[Any]) -> None:
    plot.draw_heat_map("unused.png", cross)
    panel = drawn[0].axes[0]
    shares = [cell.won.value for cell in cross.tables[0].cells]
    assert panel.images[0].get_array().ravel().tolist() == pytest.approx(shares)
    assert [tick.get_text() for tick in panel.get_yticklabels()] == ["steward", "random"]
    written = [text.get_text().split("\n")[0] for text in panel.texts]
    assert written == [f"{100 * share:.0f}" for share in shares]


def test_pictures_are_written(diagram: Dilemma, cross: Tournament, tmp_path: Path) -> None:
    plot.draw_dilemma(tmp_path / "dilemma.png", diagram)
    plot.draw_heat_map(tmp_path / "cross.png", cross)
    for name in ("dilemma.png", "cross.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_matplotlib_is_not_needed_until_a_picture_is_drawn() -> None:
    code = "import sys, concilium.evaluation.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(("name", "start"), [
    ("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.PDF", b"%PDF"),
])  # fmt: skip
def test_pictures_are_of_the_format_that_their_names_tell(
    tmp_path: Path, name: str, start: bytes
) -> None:
    plot.draw_run(tmp_path / name, [], [], "a title " * 40)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"a\.gif.*\.png, \.svg, \.pdf"):
        plot.draw_run(tmp_path / "a.gif", [], [], "title")
    assert not list(tmp_path.iterdir())


def test_games_that_nobody_won_are_shown(drawn: list[Any]) -> None:
    found = evaluate("random", "random", game="chancellors", deals=20, num_players=3)
    plot.draw_run("unused.png", [], [found], "title")
    won, nobody = (bar.get_height() for bar in drawn[0].axes[1].patches)
    assert won == found.won.value
    assert nobody == pytest.approx((found.results.returns <= 0).all(axis=2).mean())


def test_dilemma_has_no_empty_panels(drawn: list[Any]) -> None:
    found = dilemma("random", "believers/partner", game="believers", players=[5], deals=2)
    plot.draw_dilemma("unused.png", found)
    assert found.lost_by_all == ()
    assert all(axes.has_data() for axes in drawn[0].axes)
