"""Every window fits into the room of a small screen, on real desktops."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import QRect

from app.ui.widgets.screen_fit import fitted
from tests.support.desktops import (
    WAYLAND_PROGRAMS,
    X11_PROGRAMS,
    missing_of,
    openbox_desktop,
    sway_desktop,
)

_ROOT: Final = Path(__file__).parents[3]
_ENDS_WITHIN_S: Final = 240
_KINDS: Final = ["MainWindow", "MainWindow", "LinkDialog", "QFileDialog", "AgentLists"]

needs_openbox = pytest.mark.skipif(
    bool(missing_of(X11_PROGRAMS)), reason=f"no {', '.join(missing_of(X11_PROGRAMS))}"
)
needs_sway = pytest.mark.skipif(
    bool(missing_of(WAYLAND_PROGRAMS)), reason=f"no {', '.join(missing_of(WAYLAND_PROGRAMS))}"
)


def _shown(
    folder: Path,
    variables: Mapping[str, str],
    *,
    factor: int = 1,
    letters: int = 100,
    is_alone: bool = False,
) -> list[dict[str, Any]]:
    """Show each window of the program in turn, or an empty one; return where each came to stand."""
    alone = ["alone"] if is_alone else []
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.support.window_on_desktop",
            str(folder),
            str(letters),
            *alone,
        ],
        capture_output=True,
        text=True,
        timeout=_ENDS_WITHIN_S,
        check=False,
        cwd=_ROOT,
        env={**os.environ, **variables, "QT_SCALE_FACTOR": str(factor)},
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert [window["kind"] for window in found] == (_KINDS[:1] if is_alone else _KINDS)
    return found


def _outside(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        window for window in found if not QRect(*window["room"]).contains(QRect(*window["frame"]))
    ]


@needs_openbox
@pytest.mark.parametrize(
    ("screen", "factor", "letters"),
    [
        pytest.param((1366, 768), 1, 100, id="small", marks=pytest.mark.long),
        pytest.param((720, 480), 1, 200, id="smallest with large letters"),
        pytest.param((1366, 768), 2, 100, id="factor 2"),
        pytest.param((1366, 768), 2, 200, id="all of it", marks=pytest.mark.long),
    ],
)
def test_windows_fit_with_their_frames_beside_a_panel(
    screen: tuple[int, int], factor: int, letters: int, tmp_path: Path
) -> None:
    with openbox_desktop(*screen, panel_px=24) as variables:
        found = _shown(tmp_path, variables, factor=factor, letters=letters)

    assert _outside(found) == []
    bottom = (screen[1] - 24) // factor
    assert {sum(window["room"][1::2]) for window in found} <= {bottom, bottom + 1}


@needs_openbox
def test_window_that_was_on_a_larger_screen_fits_a_smaller_one(tmp_path: Path) -> None:
    with openbox_desktop(1920, 1080) as variables:
        large = _shown(tmp_path, variables)
    with openbox_desktop(1024, 600) as variables:
        small = _shown(tmp_path, variables)

    # Where there is room, it is as large as the design.
    assert large[0]["size"] == [1360, 860]
    assert _outside(large) == _outside(small) == []


@needs_openbox
def test_window_is_where_it_was_at_the_start_before(tmp_path: Path) -> None:
    # As high as the screen, its frame is above where the usual one would end.
    with openbox_desktop(1366, 768) as variables:
        before, after = (_shown(tmp_path, variables, is_alone=True) for _ in range(2))

    assert after[0]["frame"] == before[0]["frame"]


@needs_sway
@pytest.mark.parametrize(
    ("screen", "factor", "floats"),
    [
        pytest.param((1366, 768), 2, False, id="tiled"),
        pytest.param((720, 480), 1, True, id="smallest", marks=pytest.mark.long),
        pytest.param((1366, 768), 2, True, id="factor 2", marks=pytest.mark.long),
    ],
)
def test_windows_fit_under_wayland(
    screen: tuple[int, int], factor: int, floats: bool, tmp_path: Path
) -> None:
    with sway_desktop(*screen, scale=factor) as sway:
        if floats:
            sway.tell('for_window [app_id=".*"] floating enable')
        found = _shown(tmp_path, sway.variables)

    # A window knows no place there; it is one with its frame.
    room = QRect(0, 0, screen[0] // factor, screen[1] // factor)
    sizes = [window["size"] for window in found]
    assert [size for size in sizes if size[0] > room.width() or size[1] > room.height()] == []
    if not floats:
        # As the compositor has it: the whole room, and then half of it each.
        assert room.width() - 8 < sizes[0][0]
        assert sizes[1][0] < room.width() / 2


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((10, 20, 300, 200), (10, 20, 300, 200)),
        ((-50, 900, 300, 200), (0, 400, 300, 200)),
        ((700, -9, 300, 200), (500, 0, 300, 200)),
        ((5, 5, 4000, 3000), (0, 0, 800, 600)),
    ],
)
def test_place_is_moved_into_the_room_and_no_larger_than_that(
    place: tuple[int, int, int, int], expected: tuple[int, int, int, int]
) -> None:
    assert fitted(QRect(*place), QRect(0, 0, 800, 600)) == QRect(*expected)
