"""What the self-test says of the parts of Qt that show windows."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.self_test.environment_checks import check_plugins
from app.self_test.report import CheckFailed, NotAvailable


@pytest.mark.skipif("sys.platform != 'linux'", reason="elsewhere there is always a display")
def test_platform_plugin_may_be_missing_only_without_a_display(
    qapp: QApplication, tmp_path: Path
) -> None:
    assert qapp.platformName() in check_plugins({})
    with pytest.raises(NotAvailable, match=r"there is no display.*was not found"):
        check_plugins({"QT_QPA_PLATFORM": "offscreen"}, tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        with pytest.raises(CheckFailed, match="was not found"):
            check_plugins({"QT_QPA_PLATFORM": "offscreen", name: ":0"}, tmp_path)
