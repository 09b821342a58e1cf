"""How wide the sides of a window are at the first start."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.ui.theme import Theme
from app.ui.workbench import Columns
from tests.support.clipping import settle


def test_sides_are_as_wide_as_the_letters_are_large_and_leave_the_middle_half(
    theme: Theme, qtbot: QtBot
) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    columns = Columns(theme)
    qtbot.addWidget(columns)
    sidebar, middle, panel = (QWidget() for _ in range(3))
    for part, stretch in ((sidebar, 0), (middle, 1), (panel, 0)):
        columns.addWidget(part)
        columns.setStretchFactor(columns.indexOf(part), stretch)
    for side in (sidebar, panel):
        side.hide()
    columns.resize(1500, 800)
    columns.show()
    columns.begin()
    panel.show()
    settle()
    assert panel.width() == 600

    columns.resize(720, 480)
    settle()
    assert panel.width() == 360
