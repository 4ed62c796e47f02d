"""Every table has a picture of what its viewer may know, which recorders of videos take."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from numpy.typing import NDArray
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecVideoRecorder

from concilium.envs import OptionError, UsageError, get_game
from concilium.envs.core import picture
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.picture import HEIGHT, WIDTH, draw
from concilium.envs.core.words import for_terminal
from concilium.wrappers import DecisionsEnv, SingleSeatEnv
from concilium.wrappers.sb3 import Sb3VecEnv

CHANCELLORS = "concilium/Chancellors-v0"


def printed(text: Any) -> str:
    return f"{for_terminal(text)}\n"


def is_picture(frame: Any) -> bool:
    return (
        isinstance(frame, np.ndarray)
        and frame.dtype == np.uint8
        and frame.shape == (HEIGHT, WIDTH, 3)
        and bool((frame != frame[0, 0]).any())
    )


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[NDArray[np.uint8]]:
    """What recorders give to moviepy, which need not be installed."""
    found: list[NDArray[np.uint8]] = []

    class Clip:
        def __init__(self, given: list[NDArray[np.uint8]], fps: int) -> None:
            assert fps == 1
            found.extend(given)

        def write_videofile(self, path: str, **options: Any) -> None:
            Path(path).touch()

    module: Any = types.ModuleType("moviepy.video.io.ImageSequenceClip")
    module.ImageSequenceClip = Clip
    for name in ("moviepy", "moviepy.video", "moviepy.video.io"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return found


@pytest.mark.parametrize("name", ["chancellors", "nicaea", "believers"])
def test_every_adapter_of_every_game_has_pictures(name: str) -> None:
    aec = GameEnv(get_game(name), render_mode="rgb_array")
    aec.reset(seed=1)
    assert is_picture(aec.render())
    kind = get_game(name).kinds[0]
    part = DecisionsEnv(name, decisions=kind, assistant="random", render_mode="rgb_array")
    part.reset(seed=1)
    assert is_picture(part.render())
    single = SingleSeatEnv(name, render_mode="rgb_array")
    assert single.render() is None
    single.reset(seed=1)
    assert is_picture(single.render())
    many = Sb3VecEnv(name, 3, render_mode="rgb_array", seed=1)
    many.reset()
    assert all(map(is_picture, many.get_images()))
    tiled = many.render()
    assert tiled is not None
    assert tiled.shape == (2 * HEIGHT, 2 * WIDTH, 3)


@pytest.mark.parametrize("name", ["chancellors", "nicaea", "believers"])
def test_pictures_differ_when_the_table_that_is_seen_does(name: str) -> None:
    bound = get_game(name).bind()
    state = bound.new_state(1)
    generator = np.random.default_rng(1)
    pairs = 0
    for _ in range(40):
        view = bound.view(state, 0)
        text, frame = bound.render(view), draw(bound.render(view))
        unseen = bound.determinize(view, 7)  # another truth that the player cannot tell from it
        pairs += unseen.tobytes() != state.tobytes()
        assert (draw(bound.render(bound.view(unseen, 0))) == frame).all()
        legal = np.flatnonzero(bound.legal_actions(state))
        if not len(legal):
            break
        bound.step(state, int(generator.choice(legal)))
        after = bound.render(bound.view(state, 0))
        assert (draw(after) == frame).all() == (after == text)
    assert pairs > 10


def test_long_texts_get_smaller_letters_and_say_what_is_left_out() -> None:
    frames = [draw("\n".join(["word " * 8] * count)) for count in (5, 40, 80, 300)]
    assert all(map(is_picture, frames))
    heights = [int(np.flatnonzero((frame[:, :60] > 100).any(axis=(1, 2)))[-1]) for frame in frames]
    assert max(heights) < HEIGHT
    scales = [picture._fitted("\n".join(["word"] * count)) for count in (5, 40, 80, 300)]
    assert [scale for scale, _ in scales] == [3, 2, 1, 1]
    last, _ = scales[-1][1][-1]
    assert last == f"(and {301 - len(scales[-1][1])} more lines)"


def test_make_vec_env_of_sb3_makes_and_draws_them() -> None:
    arguments = {"num_players": 2, "opponents": "random"}
    env = make_vec_env(CHANCELLORS, n_envs=4, env_kwargs=arguments)
    env.reset()
    assert env.render_mode == "rgb_array"
    frame = env.render()
    assert frame is not None
    assert frame.shape == (2 * HEIGHT, 2 * WIDTH, 3)
    env.close()


def test_gymnasium_records_videos(frames: list[NDArray[np.uint8]], tmp_path: Path) -> None:
    env = RecordVideo(
        gymnasium.make(CHANCELLORS, render_mode="rgb_array", num_players=2),
        str(tmp_path / "videos"),
    )
    env.reset(seed=1)
    over = False
    while not over:
        action = int(env.unwrapped.action_masks().argmax())  # type: ignore[attr-defined]
        *_, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
    env.close()  # type: ignore[no-untyped-call]
    assert len(frames) > 3
    assert all(map(is_picture, frames))
    assert (frames[0] != frames[-1]).any()


def test_sb3_records_videos(frames: list[NDArray[np.uint8]], tmp_path: Path) -> None:
    games = Sb3VecEnv("chancellors", 2, num_players=2, seed=1, render_mode="rgb_array")
    env = VecVideoRecorder(games, str(tmp_path), lambda step: step == 0, video_length=5)
    env.reset()
    for _ in range(7):
        env.step(games.action_masks().argmax(axis=1))
    env.close()
    assert len(frames) >= 5


def test_human_prints_what_ansi_returns(capsys: pytest.CaptureFixture[str]) -> None:
    shown, text = (SingleSeatEnv("nicaea", render_mode=mode) for mode in ("human", "ansi"))
    shown.reset(seed=1)
    text.reset(seed=1)
    assert capsys.readouterr().out == printed(text.render())
    action = int(text.action_masks().argmax())
    shown.step(action)
    text.step(action)
    assert shown.render() is None
    assert capsys.readouterr().out == printed(text.render())
    many = Sb3VecEnv("chancellors", 2, render_mode="human", seed=1)
    many.reset()
    many.render()
    assert capsys.readouterr().out.count("Chancellors ·") == 2


@pytest.mark.parametrize("make", [SingleSeatEnv, lambda name, **k: Sb3VecEnv(name, 2, **k)])
def test_modes_that_there_are_not(make: Any) -> None:
    with pytest.raises(OptionError, match="render_mode='web' is not allowed: None or one of"):
        make("chancellors", render_mode="web")


def test_without_pillow_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SingleSeatEnv("chancellors", render_mode="rgb_array")
    env.reset(seed=1)
    monkeypatch.setitem(sys.modules, "PIL", None)
    picture._font.cache_clear()
    with pytest.raises(UsageError, match=r"needs Pillow: pip install 'concilium\[render\]'"):
        env.render()
    monkeypatch.undo()
    assert is_picture(env.render())
