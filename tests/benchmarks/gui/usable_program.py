"""The program, started where it was used before: until the composer takes a letter."""

import importlib
import tempfile
from pathlib import Path

from PySide6 import QtWidgets

from tests.benchmarks.gui.bench import Found
from tests.benchmarks.gui.typing_at import Typing

_SETTINGS = '[connection]\nkind = "local"\n'


def act() -> Found:
    """Run until somebody could write; ends the process then."""
    run_until_usable(made_folder(Path(tempfile.mkdtemp(prefix="parley-bench-"))))
    raise RuntimeError("Nobody could write.")


def made_folder(folder: Path) -> Path:
    """Make an empty folder the data folder of somebody who chose the service of this computer."""
    (folder / "config").mkdir()
    (folder / "config" / "settings.toml").write_text(_SETTINGS, encoding="utf-8")
    return folder


def run_until_usable(folder: Path) -> None:
    """Run the program on a data folder until somebody could write; ends the process then."""
    QtWidgets.QApplication = Typing  # type: ignore[misc, assignment]
    program = importlib.import_module("app.main")
    program.main(["--data", str(folder)])
