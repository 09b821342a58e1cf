"""Drive a composer by real keys and clicks, and collect what it emits."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.ui.composer.composer import Composer
from app.ui.composer.message_edit import MessageEdit


class Given:
    """Everything that a composer has emitted."""

    def __init__(self, composer: Composer) -> None:
        self.messages: list[str] = []
        self.declining: list[str] = []
        self.files: list[tuple[Path, ...]] = []
        composer.submitted.connect(self.messages.append)
        composer.decline_confirmed.connect(self.declining.append)
        composer.files_attached.connect(self.files.append)


def edit_of(composer: Composer) -> MessageEdit:
    """Return the text area."""
    return composer.findChildren(MessageEdit)[0]


def type_into(composer: Composer, text: str) -> None:
    """Type `text` into the text area, key by key."""
    QTest.keyClicks(edit_of(composer), text)


def press(
    composer: Composer,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press a key in the window: whatever has the keyboard gets it, after the short cuts."""
    QTest.keyClick(composer.windowHandle(), key, modifier)


def button_of(composer: Composer, name: str) -> QAbstractButton:
    """Return the button of this name that is on screen."""
    buttons = composer.findChildren(QAbstractButton)
    return next(b for b in buttons if b.accessibleName() == name and b.isVisible())


def button_names(composer: Composer) -> set[str]:
    """Return the names of all buttons on screen."""
    buttons = composer.findChildren(QAbstractButton)
    return {button.accessibleName() for button in buttons if button.isVisible()}


def words_of(composer: Composer) -> set[str]:
    """Return the words of all labels on screen."""
    return {label.text() for label in composer.findChildren(QLabel) if label.isVisible()}
