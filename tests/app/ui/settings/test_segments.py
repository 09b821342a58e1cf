"""Values side by side: Tab leads to the one that is chosen, arrows to the others."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.toggles import Segments


def _name() -> str:
    focus = QApplication.focusWidget()
    assert isinstance(focus, QPushButton)
    return focus.accessibleName()


@pytest.mark.parametrize("chosen", ["on", "off"])
def test_tab_leads_to_what_is_chosen(chosen: str, theme: Theme, qtbot: QtBot) -> None:
    window, before = QWidget(), QLineEdit()
    segments = Segments(theme, {"on": ("On", "Tray: on"), "off": ("Off", "Tray: off")})
    column = QVBoxLayout(window)
    column.addWidget(before)
    column.addWidget(segments)
    qtbot.addWidget(window)
    segments.show_value("on")
    segments.show_value(chosen)
    with qtbot.waitActive(window):
        window.show()
    before.setFocus()

    qtbot.keyClick(before, Qt.Key.Key_Tab)
    reached = _name()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)

    assert reached == f"Tray: {chosen}"
    assert _name() == "Tray: off"
