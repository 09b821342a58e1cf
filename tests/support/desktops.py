"""Desktops for real windows: an X display with a window manager, and a Wayland compositor.

Everything runs in processes of its own, so nothing of it touches the desktop of whoever runs the
tests.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.support.nobody import NOBODY, give_to_nobody

X11_PROGRAMS: Final = ("Xvfb", "openbox")
WAYLAND_PROGRAMS: Final = ("sway", "swaymsg")

_ENDS_WITHIN_S: Final = 20
# Openbox takes its own places of windows and keys with this; a panel takes the room of a margin.
_OPENBOX: Final = """<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
<margins><top>0</top><bottom>{panel_px}</bottom><left>0</left><right>0</right></margins>
</openbox_config>
"""
# A window that asks for the keyboard with a token gets it; tests look for nothing else.
_SWAY: Final = """
output HEADLESS-1 resolution {width}x{height} scale {scale}
focus_on_window_activation focus
xwayland disable
exec echo "$WAYLAND_DISPLAY $SWAYSOCK"
"""


def missing_of(programs: tuple[str, ...]) -> list[str]:
    """Return which of these programs are not installed here."""
    return [name for name in programs if shutil.which(name) is None]


@contextmanager
def openbox_desktop(width: int, height: int, panel_px: int = 0) -> Iterator[dict[str, str]]:
    """Run an X display with openbox and room for a panel at its foot; yield its variables."""
    screen = f"{width}x{height}x24"
    with tempfile.TemporaryDirectory() as home:
        config = Path(home) / "rc.xml"
        config.write_text(_OPENBOX.format(panel_px=panel_px), encoding="utf-8")
        x = ("Xvfb", "-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp")
        with _running(*x) as display:
            variables = {"DISPLAY": f":{_line(display)}", "QT_QPA_PLATFORM": "xcb", "HOME": home}
            manager = ("openbox", "--config-file", str(config), "--startup", "echo ready")
            with _running(*manager, variables=variables) as openbox:
                assert _line(openbox) == "ready"
                yield variables


@dataclass(frozen=True)
class Sway:
    """A running compositor; `variables` are for programs that show windows there."""

    variables: Mapping[str, str]

    def tell(self, command: str) -> None:
        """Run a command, as a line of its configuration."""
        self._ask(command)

    def windows(self) -> list[dict[str, Any]]:
        """Return what it knows of each window, in the words of sway-ipc(7)."""
        return [node for node in _below(self._ask("-t", "get_tree")) if node.get("app_id")]

    def _ask(self, *arguments: str) -> Any:
        argv = ["swaymsg", "-s", self.variables["SWAYSOCK"], "-r", *arguments]
        done = subprocess.run(argv, capture_output=True, check=True, timeout=_ENDS_WITHIN_S)
        return json.loads(done.stdout)


@contextmanager
def sway_desktop(width: int, height: int, scale: float = 1) -> Iterator[Sway]:
    """Yield a compositor with one output of this size that nobody sees."""
    with tempfile.TemporaryDirectory(prefix="sway") as name:
        folder = Path(name)
        config = folder / "config"
        config.write_text(_SWAY.format(width=width, height=height, scale=scale), encoding="utf-8")
        # It refuses to run as root.
        user = NOBODY if os.geteuid() == 0 else None
        if user:
            give_to_nobody(folder)
        variables = {
            "XDG_RUNTIME_DIR": name,
            "WLR_BACKENDS": "headless",
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman",
        }
        with _running("sway", "-c", str(config), variables=variables, user=user) as process:
            display, socket = _line(process).split()
            shown = {"WAYLAND_DISPLAY": display, "XDG_RUNTIME_DIR": name, "SWAYSOCK": socket}
            yield Sway({**shown, "QT_QPA_PLATFORM": "wayland", "HOME": name})


@contextmanager
def _running(
    *argv: str, variables: Mapping[str, str] | None = None, user: int | None = None
) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        argv,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(variables or {})},
        user=user,
        group=user,
        extra_groups=None if user is None else (),
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(_ENDS_WITHIN_S)


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def _below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in (*node.get("nodes", ()), *node.get("floating_nodes", ())):
        yield from _below(child)
