"""Whether windows can open and be seen, and by which name the desktop knows them."""

from pathlib import Path

import pytest

from app.platform.display import desktop_entry, has_display, is_seen


@pytest.mark.parametrize(
    ("variables", "can_open"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        # Wayland has a name by default.
        ({"QT_QPA_PLATFORM": "wayland"}, True),
        ({"QT_QPA_PLATFORM": "xcb"}, False),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":0"}, True),
    ],
)
def test_without_a_display_no_window_can_open_on_linux(
    variables: dict[str, str], can_open: bool
) -> None:
    assert has_display(variables, "linux") is can_open
    assert has_display({}, "darwin")


def test_windows_that_are_on_no_screen_are_seen_by_nobody() -> None:
    seen = [name for name in ("xcb", "wayland", "offscreen", "minimal") if is_seen(name)]
    assert seen == ["xcb", "wayland"]


def test_windows_belong_to_the_entry_of_the_flatpak_only_inside_of_it(tmp_path: Path) -> None:
    around = {"FLATPAK_ID": "org.parley.Parley"}
    inside = tmp_path / ".flatpak-info"
    inside.touch()

    assert desktop_entry(around, inside) == "org.parley.Parley"
    assert desktop_entry({}, inside) == "parley"
    # Started by another program that is a Flatpak.
    assert desktop_entry(around, tmp_path / "nothing") == "parley"
