"""The section about disk space says how much the data take."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.ui.settings.disk_space import DiskSpaceSection
from app.ui.theme import Theme
from app.viewmodels.settings.disk_space import DiskSpaceViewModel
from tests.support.plugins import LoopBackend
from tests.support.signals import emitted


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop


@pytest.mark.anyio
async def test_size_of_the_data_is_measured_when_the_section_opens(
    theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "undo").mkdir()
    (tmp_path / "undo" / "copy").write_bytes(b"x" * 3000)
    space = DiskSpaceViewModel(tmp_path)
    section = DiskSpaceSection(theme, space)
    qtbot.addWidget(section)

    measured = emitted(space.measured)
    section.begin()
    await measured

    labels: list[QLabel] = section.findChildren(QLabel)
    assert "2.93 KiB" in [label.text() for label in labels]
    await space.aclose()
