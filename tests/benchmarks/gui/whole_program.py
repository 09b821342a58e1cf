"""The program itself, started for the first time."""

import importlib
import tempfile

from PySide6 import QtWidgets

from tests.benchmarks.gui.bench import Found
from tests.benchmarks.gui.watching import Watching


def act() -> Found:
    """Run until the window is painted; ends the process then."""
    # The program makes its application itself; what it imports is part of what is measured.
    QtWidgets.QApplication = Watching  # type: ignore[misc]
    program = importlib.import_module("app.main")
    program.main(["--data", tempfile.mkdtemp(prefix="parley-bench-")])
    raise RuntimeError("Nothing was painted.")
