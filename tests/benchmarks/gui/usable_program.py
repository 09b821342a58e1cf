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
    folder = Path(tempfile.mkdtemp(prefix="parley-bench-"))
    (folder / "config").mkdir()
    (folder / "config" / "settings.toml").write_text(_SETTINGS, encoding="utf-8")
    QtWidgets.QApplication = Typing  # type: ignore[misc, assignment]
    program = importlib.import_module("app.main")
    program.main(["--data", str(folder)])
    raise RuntimeError("Nobody could write.")
