"""A transcript on a stage: the real view on a real list model, and what a test does to them."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.chat.items import (
    Inserted,
    Item,
    Removed,
    Replaced,
    ReplyPart,
    SendState,
    UserMessage,
)
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import HitTarget
from app.ui.transcript.layout import PlacedRow
from app.ui.transcript.view import TranscriptView
from app.viewmodels.rows import RowsModel

# A megabyte of code takes a second of a machine of its own; tests of limits count its own time.
_WAIT_MS = 60_000


class Shown:
    """A view, its model, and the items that a test changes."""

    def __init__(self, items: Sequence[Item], theme: Theme, qtbot: QtBot) -> None:
        self.items = list(items)
        self.model: RowsModel[Item] = RowsModel(lambda item: item.key)
        self.model.replace_all(self.items)
        self.clock_s = 1000.0
        self.icons: dict[str, str] = {}
        self.view = TranscriptView(
            self.model,
            theme,
            tool_icon=lambda name: self.icons.get(name, "wrench"),
            clock=lambda: self.clock_s,
        )
        self._qtbot = qtbot
        qtbot.addWidget(self.view)

    def settle(self) -> None:
        """Wait until everything in the window is laid out and coloured."""
        self._qtbot.waitUntil(self._is_settled, timeout=_WAIT_MS)

    def _is_settled(self) -> bool:
        bar = self.view.verticalScrollBar()
        return self.view.is_settled and bar.isVisible() == (bar.maximum() > 0)

    def replace(self, item: Item) -> None:
        """Show another state of the item with this key."""
        row = next(i for i, old in enumerate(self.items) if old.key == item.key)
        self.items[row] = item
        self.model.mirror(Replaced(row), self.items)

    def add(self, *items: Item) -> None:
        """Show more items at the end."""
        first = len(self.items)
        self.items += items
        self.model.mirror(Inserted(first, len(items)), self.items)

    def add_first(self, *items: Item) -> None:
        """Show more items at the beginning."""
        self.items[:0] = items
        self.model.mirror(Inserted(0, len(items)), self.items)

    def remove(self, first: int, count: int) -> None:
        """Show some items no more."""
        del self.items[first : first + count]
        self.model.mirror(Removed(first, count), self.items)

    def placed(self, key: str) -> PlacedRow:
        """Return the row with this key, which must be in the window."""
        return next(placed for placed in self.view._layout.placed if placed.key == key)

    def targets(self, key: str) -> list[HitTarget]:
        """Return what can be pressed in a row."""
        return self.placed(key).row.targets()

    def point(self, key: str, x: float, y: float) -> QPoint:
        """Return a point of a row, in the measures of the window."""
        return QPoint(round(self.view._layout.column_left + x), round(self.placed(key).top + y))

    def click(self, key: str, target: HitTarget) -> None:
        """Click on something in a row."""
        center = target.box.center()
        point = self.point(key, center.x(), center.y())
        self._qtbot.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, pos=point)

    def copied(self) -> str:
        """Press Ctrl+C, and return what the clipboard has once it is done: "nothing" if nothing.

        What a slow machine does not copy at once is copied a little later.
        """
        QGuiApplication.clipboard().setText("nothing")
        self._qtbot.keyClick(self.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        self._qtbot.waitUntil(lambda: not self.view.clipboard.is_busy, timeout=_WAIT_MS)
        return QGuiApplication.clipboard().text()

    def scroll_by(self, way: int) -> None:
        """Move the window down, or up when `way` is negative."""
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.value() + way)


def asked(key: str, text: str, state: SendState = SendState.SENT) -> UserMessage:
    """Return a message of the user."""
    return UserMessage(key, text, state, None)


def replied(key: str, text: str, *, streams: bool = False, name: str = "Coder") -> ReplyPart:
    """Return a reply that begins with its agent's name."""
    return ReplyPart(key, text, name.lower(), name, True, streams, None)
