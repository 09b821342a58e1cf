"""Plug-ins of Qt in somebody else's folder are not loaded, whatever leads there."""

import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.fake_qt_plugins import loaded_by, plant, refusing

_ROOT: Final = Path(__file__).parents[2]
# A program that minds nothing: it shows that what was planted would be loaded.
_CARELESS: Final = """
import sys
from PySide6.QtWidgets import QApplication
application = QApplication([])
print("ready", file=sys.stderr, flush=True)
sys.stdin.read()
"""


@pytest.mark.security(84)
@pytest.mark.skipif(sys.platform != "linux", reason="the loader of Linux writes down what it loads")
def test_planted_plugins_are_not_loaded_though_a_careless_program_loads_them(
    tmp_path: Path,
) -> None:
    """From source; the frozen program is asked the same by its own tests. Windows: not run here."""
    planted = tmp_path / "planted"
    around = {**plant(planted), "PYTHONPATH": str(_ROOT)}
    ours = [sys.executable, "-P", "-m", "app.main"]

    careless = loaded_by([sys.executable, "-P", "-c", _CARELESS], around, planted)
    loaded = loaded_by(refusing(ours, tmp_path), around, planted)

    assert any(file.startswith(str(planted)) for file in careless)
    assert any("libqoffscreen" in file for file in loaded)
    assert [file for file in loaded if file.startswith(str(planted))] == []
