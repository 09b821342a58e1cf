"""Buttons by the keyboard."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from app.ui.composer.square_button import SquareButton
from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.chips import Chip
from tests.support.widgets import press

_KINDS = ("words", "narrow", "icon", "chip", "send")


@pytest.fixture(params=_KINDS)
def button(request: pytest.FixtureRequest, theme: Theme, qtbot: QtBot) -> QAbstractButton:
    kinds: dict[str, QAbstractButton] = {
        "words": push_button("Start", "primary", theme),
        "narrow": push_button("Start", "quiet", theme, elides=True),
        "icon": icon_button("x", "Close", theme),
        "chip": Chip(theme, "Auto", "Agent", opens=True),
        "send": SquareButton("arrow-up", "Send", theme),
    }
    for each in kinds.values():
        qtbot.addWidget(each)
    return kinds[str(request.param)]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_a_button_as_the_space_bar_does(
    button: QAbstractButton, qtbot: QtBot, key: Qt.Key
) -> None:
    with qtbot.waitSignal(button.clicked, timeout=20_000):
        press(button, key)


def test_a_held_enter_presses_no_button_again(button: QAbstractButton, qtbot: QtBot) -> None:
    repeated = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
    )

    with qtbot.assertNotEmitted(button.clicked):
        QApplication.sendEvent(button, repeated)


def test_short_choice_is_drawn_beside_its_icon(theme: Theme, qtbot: QtBot) -> None:
    chip = Chip(theme, "", "Agent", icon="folder")
    qtbot.addWidget(chip)
    chip.show_choice("Auto", lead="Auto")
    chip.resize(chip.sizeHint())
    shown = chip.grab().toImage()
    chip.show_choice("Otto", lead="Otto")

    assert chip.grab().toImage() != shown
