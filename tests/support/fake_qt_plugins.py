"""Plug-ins of Qt that somebody planted, and a program that starts among them."""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLibraryInfo

_KINDS: Final = ("platforms", "imageformats", "styles", "platformthemes", "iconengines")
_TIMEOUT_S: Final = 20.0
_LOADED: Final = "calling init: "


def plant(folder: Path) -> dict[str, str]:
    """Copy real plug-ins into `folder`, with a qt.conf that names it; return the environment.

    What is loaded from there could be anybody's code: a plug-in runs as soon as it is loaded.
    """
    real = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))
    for kind in _KINDS:
        if (real / kind).is_dir():
            shutil.copytree(real / kind, folder / kind)
    (folder / "qt.conf").write_text(f"[Paths]\nPlugins = {folder}\n", encoding="utf-8")
    steering = {
        "QT_PLUGIN_PATH": str(folder),
        "QT_QPA_PLATFORM_PLUGIN_PATH": str(folder / "platforms"),
        "QML2_IMPORT_PATH": str(folder),
        "QML_IMPORT_PATH": str(folder),
        "QT_QPA_PLATFORM": "offscreen",
    }
    return {**os.environ, **steering}


def loaded_by(command: Sequence[str], around: dict[str, str], folder: Path) -> set[str]:
    """Start a program that says a line on its standard error once it has its windows, and end it.

    It is started in `folder`, where the planted qt.conf is. Gives the files that it has loaded, as
    the loader wrote them down: a program that refuses to start is gone before its maps are read.
    """
    notes, pipe = folder / "loaded", subprocess.PIPE
    env = {**around, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(notes)}
    with subprocess.Popen(command, stderr=pipe, text=True, cwd=folder, env=env) as program:
        assert program.stderr is not None
        assert program.stderr.readline()
        program.send_signal(signal.SIGTERM)
        program.wait(_TIMEOUT_S)
    lines = notes.with_suffix(f".{program.pid}").read_text(encoding="utf-8").splitlines()
    return {line.rpartition(_LOADED)[2] for line in lines if _LOADED in line}


def refusing(program: Sequence[str], folder: Path) -> list[str]:
    """Make a command line of ours that has windows and prints a line: its folder is a file."""
    in_the_way = folder / "file"
    in_the_way.write_text("no folder", encoding="utf-8")
    return [*program, "--data", str(in_the_way)]
