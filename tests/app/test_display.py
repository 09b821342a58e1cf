"""Whether windows can open and be seen, and by which name the desktop knows them."""

from pathlib import Path

import pytest

from app.platform.display import desktop_dialogs, desktop_entry, has_display, is_seen


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


def test_file_dialogs_are_the_desktops_where_it_has_a_portal(tmp_path: Path) -> None:
    service = tmp_path / "dbus-1/services/org.freedesktop.portal.Desktop.service"
    variables = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus", "XDG_DATA_DIRS": str(tmp_path)}

    with desktop_dialogs(variables, "linux"):
        assert "QT_QPA_PLATFORMTHEME" not in variables
    service.parent.mkdir(parents=True)
    service.touch()
    with desktop_dialogs(variables, "linux"):
        assert variables["QT_QPA_PLATFORMTHEME"] == "xdgdesktopportal"

    assert "QT_QPA_PLATFORMTHEME" not in variables


@pytest.mark.parametrize(
    ("platform", "more"),
    [
        ("win32", {}),
        ("linux", {"DBUS_SESSION_BUS_ADDRESS": ""}),
        ("linux", {"QT_QPA_PLATFORMTHEME": "qt6ct"}),
    ],
)
def test_dialogs_are_qts_choice_elsewhere_and_where_it_was_made(
    tmp_path: Path, platform: str, more: dict[str, str]
) -> None:
    service = tmp_path / "dbus-1/services/org.freedesktop.portal.Desktop.service"
    service.parent.mkdir(parents=True)
    service.touch()
    before = {"DBUS_SESSION_BUS_ADDRESS": "x", "XDG_DATA_DIRS": str(tmp_path), **more}
    variables = dict(before)

    with desktop_dialogs(variables, platform):
        assert variables == before


def test_windows_belong_to_the_entry_of_the_flatpak_only_inside_of_it(tmp_path: Path) -> None:
    around = {"FLATPAK_ID": "org.parley.Parley"}
    inside = tmp_path / ".flatpak-info"
    inside.touch()

    assert desktop_entry(around, inside) == "org.parley.Parley"
    assert desktop_entry({}, inside) == "parley"
    # Started by another program that is a Flatpak.
    assert desktop_entry(around, tmp_path / "nothing") == "parley"
