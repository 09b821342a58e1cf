"""What a screen reader finds in the transcript: a list, and in it an item for each message.

Qt knows widgets only. Here each message has an object that stands for it, made when it is asked
for, and interfaces tell Qt what these objects and the view are.
"""

from functools import cache
from typing import Final, cast

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget

from app.chat.items import Item, ReplyPart, UserMessage
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.quoting import spoken_name
from app.ui.transcript.reading import Reading
from app.ui.transcript.row_cache import RowCache

_LONGEST: Final = 20_000
# Qt takes it for "there is none"; its type stubs know no such answer.
_NOTHING: Final = cast("QAccessibleInterface", None)


class ReadableRow(QObject):
    """Stands for one row. Made when a screen reader asks for the row; ends with the view."""

    def __init__(self, number: int, rows: "ReadableRows") -> None:
        super().__init__(rows)
        self.number = number
        self.rows = rows


class ReadableRows(QObject):
    """What the rows of a view are called, where they are, and which one the keyboard is at.

    One for a view; ends with it.
    """

    def __init__(
        self, area: "ReadableArea", cache: RowCache, layout: TranscriptLayout, reading: Reading
    ) -> None:
        super().__init__(area)
        self.area = area
        self._cache = cache
        self._layout = layout
        self._reading = reading
        self._objects: dict[int, ReadableRow] = {}

    @property
    def count(self) -> int:
        """How many there are."""
        return self._cache.count

    def row(self, number: int) -> ReadableRow:
        """Return what stands for a row."""
        if number not in self._objects:
            self._objects[number] = ReadableRow(number, self)
        return self._objects[number]

    def name(self, number: int) -> str:
        """Return what is read out: who speaks, and what is shown."""
        if not 0 <= number < self.count:
            return ""
        item = self._cache.item(number)
        speaker, text = _speaker(item), self._cache.read(number).shown_text[:_LONGEST]
        return f"{speaker}: {text}" if speaker else text

    def box(self, number: int) -> QRect:
        """Return where a row is on the screen; nothing outside the window."""
        window = self.area.viewport()
        for placed in self._layout.placed:
            if placed.index == number:
                corner = window.mapToGlobal(QPoint(self._layout.column_left, placed.top))
                return QRect(corner.x(), corner.y(), self._layout.column_width, placed.row.height)
        return QRect()

    def row_at(self, point: QPoint) -> int | None:
        """Return the row at a point of the screen."""
        boxes = ((placed.index, self.box(placed.index)) for placed in self._layout.placed)
        return next((number for number, box in boxes if box.contains(point)), None)

    def is_current(self, number: int) -> bool:
        """Tell whether the keyboard is at a row."""
        return self.area.hasFocus() and self._reading.index == number

    @property
    def current(self) -> int | None:
        """The row that the keyboard is at."""
        number = self._reading.index
        return number if number is not None and number < self.count else None

    def tell_focus(self) -> None:
        """Tell a screen reader which row the keyboard is at now."""
        if QAccessible.isActive() and self.current is not None:
            row = self.row(self.current)
            QAccessible.updateAccessibility(QAccessibleEvent(row, QAccessible.Event.Focus))


class ReadableArea(QAbstractScrollArea):
    """A scroll area whose rows can be read one by one.

    Whoever makes one gives it its rows before it is shown.
    """

    readable: ReadableRows


class _Area(QAccessibleWidget):
    """The list. After its rows comes the window, with the button that floats in it."""

    def __init__(self, area: ReadableArea) -> None:
        super().__init__(area, QAccessible.Role.List)
        self._area = area

    def childCount(self) -> int:
        return self._area.readable.count + 1

    def child(self, index: int) -> QAccessibleInterface:
        readable = self._area.readable
        if index == readable.count:
            return QAccessible.queryAccessibleInterface(self._area.viewport())
        if not 0 <= index < readable.count:
            return _NOTHING
        return QAccessible.queryAccessibleInterface(readable.row(index))

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        found = child.object()
        if isinstance(found, ReadableRow):
            return found.number
        return self._area.readable.count if found is self._area.viewport() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        number = self._area.readable.row_at(QPoint(x, y))
        return _NOTHING if number is None else self.child(number)

    def focusChild(self) -> QAccessibleInterface:
        number = self._area.readable.current
        if number is None or not self._area.hasFocus():
            return super().focusChild()
        return self.child(number)


class _Row(QAccessibleInterface):
    """One item of the list.

    What is in it is pressed by Tab and Enter: an interface that has actions of its own, too, is
    handed to Qt by a wrong address, and the program ends there.
    """

    def __init__(self, row: ReadableRow) -> None:
        super().__init__()
        self._row = row

    def isValid(self) -> bool:
        return 0 <= self._row.number < self._row.rows.count

    def object(self) -> QObject:
        return self._row

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._row.rows.area)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        return self._row.rows.name(self._row.number) if kind == QAccessible.Text.Name else ""

    def setText(self, _kind: QAccessible.Text, _text: str) -> None:
        """Nobody but its speaker says what a message says."""

    def rect(self) -> QRect:
        return self._row.rows.box(self._row.number)

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = True
        state.readOnly = True
        state.focused = self._row.rows.is_current(self._row.number)
        state.offscreen = self.rect().isEmpty()
        return state

    def window(self) -> QWindow:
        return self._row.rows.area.window().windowHandle()

    def childCount(self) -> int:
        return 0

    def child(self, _index: int) -> QAccessibleInterface:
        return _NOTHING

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        return _NOTHING

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        return -1


@cache
def install_readers() -> None:
    """Teach Qt what these objects are; once a process, before the first view is shown."""
    QAccessible.installFactory(_interface_of)


def _interface_of(_class_name: str, thing: QObject) -> QAccessibleInterface | None:
    if isinstance(thing, ReadableRow):
        return _Row(thing)
    return _Area(thing) if isinstance(thing, ReadableArea) else None


def _speaker(item: Item) -> str:
    """Return who says a message, also where the window does not show it again."""
    if isinstance(item, UserMessage | ReplyPart):
        return spoken_name(item, is_repeated=True)
    return ""
