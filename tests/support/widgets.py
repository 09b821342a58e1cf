"""Finding the parts of a window and using them as a person does."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

# Longer than a test takes, and no time at all.
FOR_EVER_MS: Final = 600_000
AT_ONCE_MS: Final = 1

Part = TypeVar("Part", bound=QWidget)


def child(widget: QWidget, kind: type[Part]) -> Part:
    """Return the one part of this kind.

    Raises:
        LookupError: there is none, or more than one.
    """
    parts: list[Part] = widget.findChildren(kind)
    if len(parts) != 1:
        raise LookupError(f"{len(parts)} parts are a {kind.__name__}")
    return parts[0]


def label_texts(widget: QWidget) -> set[str]:
    """Return the texts of all labels that can be seen in `widget` when it is shown."""
    return {
        label.text()
        for label in widget.findChildren(QLabel)
        if label.isVisibleTo(widget) and label.text()
    }


def button_named(widget: QWidget, name: str) -> QAbstractButton:
    """Return the one button that a screen reader calls `name`.

    Raises:
        LookupError: there is none, or more than one.
    """
    buttons: list[QAbstractButton] = widget.findChildren(QAbstractButton)
    named = [button for button in buttons if button.accessibleName() == name]
    if len(named) != 1:
        raise LookupError(f"{len(named)} buttons are called {name!r}")
    return named[0]


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Click with the left button, at `at` or in the middle."""
    QTest.mouseClick(
        widget,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        at or widget.rect().center(),
    )


def press(widget: QWidget, key: Qt.Key) -> None:
    """Press and release a key."""
    QTest.keyClick(widget, key)


def enter_text(widget: QWidget, text: str) -> None:
    """Type the text, key by key."""
    QTest.keyClicks(widget, text)


@contextmanager
def double_clicks_within(limit_ms: int) -> Iterator[None]:
    """Set the double-click interval for the block, so that a busy machine cannot exceed it."""
    before = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(limit_ms)
    yield
    QApplication.setDoubleClickInterval(before)


@contextmanager
def low_on_a_page(part: QWidget, above_px: int) -> Iterator[QScrollArea]:
    """Show a page of 600 x 900 pixels with `part` that far down."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.addSpacing(above_px)
    column.addWidget(part)
    scroll = QScrollArea(widgetResizable=True)
    scroll.setWidget(page)
    scroll.resize(600, 900)
    scroll.show()
    try:
        yield scroll
    finally:
        part.setParent(None)
        # To close the last window would end the program.
        scroll.hide()
        scroll.deleteLater()


def is_in_view(scroll: QScrollArea, part: QWidget) -> bool:
    """Return whether the top of `part` can be seen."""
    at = part.mapTo(scroll.viewport(), QPoint(0, 0))
    return scroll.viewport().rect().contains(at)
