"""These classes expose the rows of the transcript, and the targets in them, to screen readers.

Qt knows widgets only. Here each message, and each link and button in it, has an object that stands
for it, made when it is asked for (`AccessibleRow`, `AccessibleTarget`), and interfaces tell Qt what
these objects and the view are. `Announcer` tells of each finished reply and each notice, once.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias, cast

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleTextInterface,
    QWindow,
)
from PySide6.QtWidgets import QAbstractScrollArea, QAccessibleWidget, QWidget
from shiboken6 import Shiboken

from app.chat.items import Item, Notice, ReplyPart, ToolCall, UserMessage
from app.common.error_messages import ErrorMessage
from app.ui.transcript.copying import spoken_name
from app.ui.transcript.hit_targets import FromNote, HitTarget, OpenLink, OpenPage, ToNote
from app.ui.transcript.layout import PlacedRow, TranscriptLayout
from app.ui.transcript.navigation import CurrentMessage, TargetFocus
from app.ui.transcript.rows.message_foot import edited_words
from app.ui.transcript.rows.row_cache import RowCache
from app.ui.widgets.accessible import (
    NOTHING,
    StandIn,
    StandInInterface,
    announce,
    install_interfaces,
    tell_focus,
)
from app.ui.widgets.labels import short_name
from app.viewmodels.chat.usage_texts import reply_usage_words
from app.viewmodels.i18n import catalog_text

_Part: TypeAlias = QAccessibleTextInterface | QAccessibleActionInterface

_LONGEST: Final = 20_000
_PRESS: Final = QAccessibleActionInterface.pressAction()
_COPY: Final = "copy"


class AccessibleRow(StandIn):
    """Stands for one row. Made when a screen reader asks for the row; ends with the view."""

    def __init__(self, number: int, rows: "AccessibleRows") -> None:
        super().__init__(rows)
        self.number = number
        self.rows = rows

    def make_interface(self) -> QAccessibleInterface:
        """Return the accessible interface of the row."""
        return _Row(self)

    def copy(self) -> None:
        """Copy the message."""
        self.rows.copied.emit(self.number)


class AccessibleTarget(StandIn):
    """Stands for one link or button of a row, by its number in the row; ends with the view."""

    def __init__(self, number: int, row: AccessibleRow) -> None:
        super().__init__(row)
        self.number = number
        self.row = row

    @property
    def target(self) -> HitTarget | None:
        """What it stands for, unless that is gone or far from the window."""
        targets = self.row.rows.targets(self.row.number)
        return targets[self.number] if self.number < len(targets) else None

    def make_interface(self) -> QAccessibleInterface:
        """Return the accessible interface of the link or button."""
        return _TargetInterface(self)

    def press(self) -> None:
        """Press the link or button."""
        if target := self.target:
            self.row.rows.press(self.row.number, target)


class AccessibleRows(QObject):
    """The names, texts and targets of a view's rows, and which of them has the keyboard.

    One for a view; ends with it.
    """

    pressed = Signal(str, object)
    """A screen reader presses something: the key of the row, and the `TargetAction`."""
    copied = Signal(int)
    """A screen reader copies a message: the number of its row."""

    def __init__(
        self,
        area: "AccessibleArea",
        cache: RowCache,
        layout: TranscriptLayout,
        current_message: CurrentMessage,
        focus: TargetFocus,
    ) -> None:
        super().__init__(area)
        self.area = area
        self._cache = cache
        self._layout = layout
        self._current_message = current_message
        self._focus = focus
        self._objects: dict[int, AccessibleRow] = {}
        self._targets: dict[tuple[int, int], AccessibleTarget] = {}
        self._read: tuple[Item, object, str] | None = None

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._cache.count

    def row(self, number: int) -> AccessibleRow:
        """Return the object of a row."""
        if number not in self._objects:
            self._objects[number] = AccessibleRow(number, self)
        return self._objects[number]

    def target(self, number: int, of_row: int) -> AccessibleTarget:
        """Return the object of a link or button of a row."""
        if (of_row, number) not in self._targets:
            self._targets[of_row, number] = AccessibleTarget(number, self.row(of_row))
        return self._targets[of_row, number]

    def name(self, number: int) -> str:
        """Return the accessible name: who speaks, and what is shown."""
        if not 0 <= number < self.count:
            return ""
        speaker, text = _speaker(self._cache.item(number)), self.text(number)
        return f"{speaker}: {text}" if speaker else text

    def description(self, number: int) -> str:
        """Return the accessible description: that it is edited, or what a reply used."""
        item = self._cache.item(number) if 0 <= number < self.count else None
        if isinstance(item, UserMessage) and item.is_edited:
            return edited_words()
        item = item.closes if isinstance(item, ToolCall) else item
        used = item.usage if isinstance(item, ReplyPart) else None
        return reply_usage_words(used) if used is not None else ""

    def text(self, number: int) -> str:
        """Return the text of a row, as it is shown."""
        if not 0 <= number < self.count:
            return ""
        item, shape = self._cache.item(number), self._cache.shape(number)
        # Cached, as a screen reader asks for it again at each letter.
        if self._read is None or self._read[0] is not item or self._read[1] != shape:
            self._read = item, shape, self._cache.read(number).shown_text[:_LONGEST]
        return self._read[2]

    def targets(self, number: int) -> list[HitTarget]:
        """Return the targets of a row; none far from the window."""
        placed = self._placed(number)
        return placed.row.targets() if placed else []

    def press(self, number: int, target: HitTarget) -> None:
        """Press a link or button of a row."""
        if placed := self._placed(number):
            self.pressed.emit(placed.key, target.action)

    def box(self, number: int, target: HitTarget | None = None) -> QRect:
        """Return the rectangle of a row or target on the screen; empty outside the window."""
        placed = self._placed(number)
        if placed is None:
            return QRect()
        window = self.area.viewport()
        corner = window.mapToGlobal(QPoint(self._layout.column_left, placed.top))
        if target:
            return target.box.toAlignedRect().translated(corner)
        return QRect(corner.x(), corner.y(), self._layout.column_width, placed.row.height)

    def row_at(self, point: QPoint) -> int | None:
        """Return the row at a point of the screen."""
        boxes = ((placed.index, self.box(placed.index)) for placed in self._layout.placed)
        return next((number for number, box in boxes if box.contains(point)), None)

    @property
    def current(self) -> AccessibleRow | AccessibleTarget | None:
        """The object that has the keyboard while the view has it: a target, or a whole row."""
        if self._focus.index is not None and self._focus.number is not None:
            return self.target(self._focus.number, self._focus.index)
        number = self._current_message.index
        return self.row(number) if number is not None and number < self.count else None

    def is_current(self, thing: AccessibleRow | AccessibleTarget) -> bool:
        """Return whether an object has the keyboard."""
        return self.area.hasFocus() and self.current is thing

    def notify_focus(self) -> None:
        """Notify screen readers of the keyboard's new place."""
        if self.area.hasFocus() and self.current is not None:
            tell_focus(self.current)

    def _placed(self, number: int) -> PlacedRow | None:
        return next((placed for placed in self._layout.placed if placed.index == number), None)


class AccessibleArea(QAbstractScrollArea):
    """A scroll area whose rows can be read one by one.

    A subclass sets `accessible_rows` before it is shown.
    """

    accessible_rows: AccessibleRows


class _Area(QAccessibleWidget):
    """The list. After its rows comes the window, with the button that floats in it."""

    def __init__(self, area: AccessibleArea) -> None:
        super().__init__(area, QAccessible.Role.List)
        self._area = area

    def childCount(self) -> int:
        return self._area.accessible_rows.count + 1

    def child(self, index: int) -> QAccessibleInterface:
        accessible_rows = self._area.accessible_rows
        if index == accessible_rows.count:
            return QAccessible.queryAccessibleInterface(self._area.viewport())
        if not 0 <= index < accessible_rows.count:
            return NOTHING
        return QAccessible.queryAccessibleInterface(accessible_rows.row(index))

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        found = child.object()
        if isinstance(found, AccessibleRow):
            return found.number
        return self._area.accessible_rows.count if found is self._area.viewport() else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        number = self._area.accessible_rows.row_at(QPoint(x, y))
        return NOTHING if number is None else self.child(number)

    def focusChild(self) -> QAccessibleInterface:
        current = self._area.accessible_rows.current
        if current is None or not self._area.hasFocus():
            return super().focusChild()
        return QAccessible.queryAccessibleInterface(current)


class _Text(QAccessibleTextInterface):
    """The text of a row, to be read by letter, word and line; nothing in it can be selected.

    Positions count letters of UTF-16, as Qt does.
    """

    def __init__(self, row: AccessibleRow) -> None:
        super().__init__()
        self._row = row

    def characterCount(self) -> int:
        return len(self._units()) // 2

    def text(self, start: int, end: int) -> str:
        return self._units()[2 * start : 2 * end].decode("utf-16-le", "replace")

    def characterRect(self, offset: int) -> QRect:
        """Return the estimated rectangle of a letter: lines share the height of the row."""
        lines = self._lines()
        before = self.text(0, offset).split("\n")
        box, line, column = self._row.rows.box(self._row.number), len(before) - 1, len(before[-1])
        height = max(1, box.height() // len(lines))
        width = max(1, box.width() // max(1, len(lines[min(line, len(lines) - 1)])))
        return QRect(box.left() + column * width, box.top() + line * height, width, height)

    def offsetAtPoint(self, point: QPoint) -> int:
        box, lines = (
            self._row.rows.box(self._row.number),
            self.text(0, self.characterCount()).split("\n"),
        )
        line = (point.y() - box.top()) * len(lines) // max(1, box.height())
        return sum(len(each) + 1 for each in lines[: max(0, min(line, len(lines) - 1))])

    def cursorPosition(self) -> int:
        return 0

    def setCursorPosition(self, _position: int) -> None:
        return

    def selectionCount(self) -> int:
        return 0

    def selection(self, _number: int) -> tuple[int, int]:
        return 0, 0

    def attributes(self, _offset: int) -> tuple[str, int, int]:
        return "", 0, self.characterCount()

    def addSelection(self, _start: int, _end: int) -> None:
        return

    def removeSelection(self, _number: int) -> None:
        return

    def setSelection(self, _number: int, _start: int, _end: int) -> None:
        return

    def scrollToSubstring(self, _start: int, _end: int) -> None:
        return

    def _lines(self) -> list[str]:
        return self._row.rows.text(self._row.number).split("\n")

    def _units(self) -> bytes:
        return self._row.rows.text(self._row.number).encode("utf-16-le", "surrogatepass")


class _Action(QAccessibleActionInterface):
    """The one thing that can be done with a message, a link or a button; `words` are its name."""

    def __init__(self, name: str, words: str, do: Callable[[], None]) -> None:
        super().__init__()
        self._name = name
        self._words = words
        self._do = do

    def actionNames(self) -> list[str]:
        return [self._name]

    def localizedActionName(self, _name: str) -> str:
        return self._words

    def localizedActionDescription(self, _name: str) -> str:
        return ""

    def keyBindingsForAction(self, _name: str) -> list[str]:
        return []

    def doAction(self, name: str) -> None:
        if name == self._name:
            self._do()


class _Row(StandInInterface):
    """One item of the list."""

    def __init__(self, row: AccessibleRow) -> None:
        super().__init__(row)
        self._row = row
        self._parts: Mapping[QAccessible.InterfaceType, _Part] = {
            QAccessible.InterfaceType.TextInterface: _Text(row),
            QAccessible.InterfaceType.ActionInterface: _Action(
                _COPY, QCoreApplication.translate("Transcript", "Copy message"), row.copy
            ),
        }

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        return _address(self._parts.get(kind))

    def isValid(self) -> bool:
        return 0 <= self._row.number < self._row.rows.count

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._row.rows.area)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Description:
            return self._row.rows.description(self._row.number)
        return self._row.rows.name(self._row.number) if kind == QAccessible.Text.Name else ""

    def rect(self) -> QRect:
        return self._row.rows.box(self._row.number)

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = True
        state.readOnly = True
        state.focused = self._row.rows.is_current(self._row)
        state.offscreen = self.rect().isEmpty()
        return state

    def window(self) -> QWindow:
        return self._row.rows.area.window().windowHandle()

    def childCount(self) -> int:
        return len(self._row.rows.targets(self._row.number))

    def child(self, index: int) -> QAccessibleInterface:
        if not 0 <= index < self.childCount():
            return NOTHING
        target = self._row.rows.target(index, self._row.number)
        return QAccessible.queryAccessibleInterface(target)

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        for index, target in enumerate(self._row.rows.targets(self._row.number)):
            if self._row.rows.box(self._row.number, target).contains(x, y):
                return self.child(index)
        return NOTHING

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        found = child.object()
        if isinstance(found, AccessibleTarget) and found.row is self._row:
            return found.number
        return -1


class _TargetInterface(StandInInterface):
    """One link or button in a row."""

    def __init__(self, thing: AccessibleTarget) -> None:
        super().__init__(thing)
        self._target = thing
        words = QCoreApplication.translate("Transcript", "Press")
        self._press = _Action(_PRESS, words, thing.press)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        is_action = kind is QAccessible.InterfaceType.ActionInterface
        return _address(self._press if is_action else None)

    def isValid(self) -> bool:
        return self._target.target is not None

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._target.row)

    def role(self) -> QAccessible.Role:
        target = self._target.target
        links = OpenLink | OpenPage | ToNote | FromNote
        is_link = target is not None and isinstance(target.action, links)
        return QAccessible.Role.Link if is_link else QAccessible.Role.Button

    def text(self, kind: QAccessible.Text) -> str:
        target = self._target.target
        if target is None:
            return ""
        words = target.action.words if isinstance(target.action, OpenLink) else ""
        if kind == QAccessible.Text.Name:
            return words or target.name
        # Where a link leads is to be known before it is pressed.
        is_more = kind == QAccessible.Text.Description and words not in ("", target.name)
        return target.name if is_more else ""

    def rect(self) -> QRect:
        target, row = self._target.target, self._target.row
        return row.rows.box(row.number, target) if target else QRect()

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = True
        state.focused = self._target.row.rows.is_current(self._target)
        state.offscreen = self.rect().isEmpty()
        return state

    def window(self) -> QWindow:
        return self._target.row.rows.area.window().windowHandle()


def _address(part: _Part | None) -> int:
    """Return the address of a part's C++ object; whoever passes the part keeps it alive.

    A class with several bases has them at several addresses, of which Qt would get the first: so
    each part is an object of its own.
    """
    # Anything else than such a pointer, None included, would be taken for an address itself.
    pointer = Shiboken.VoidPtr(Shiboken.getCppPointer(part)[0] if part else 0)
    return cast("int", pointer)


@cache
def install_accessible_rows() -> None:
    """Register the interfaces with Qt; once a process, before the first view is shown."""
    install_interfaces()
    QAccessible.installFactory(_interface_of)


def _interface_of(_class_name: str, thing: QObject) -> QAccessibleInterface | None:
    return _Area(thing) if isinstance(thing, AccessibleArea) else None


def _speaker(item: Item) -> str:
    """Return the name of a message's speaker, also where the window does not show it again."""
    if isinstance(item, UserMessage | ReplyPart):
        return spoken_name(item, is_repeated=True)
    return ""


class Announcer(QObject):
    """Announces each reply when it has ended, and each notice when it comes.

    One for a view; ends with it.
    """

    announced = Signal(str)
    """The words that were given to the screen reader."""

    def __init__(self, rows: RowCache, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._rows = rows
        self._streaming: set[str] = set()
        self._notices: dict[str, ErrorMessage] = {}

    def rows_inserted(self, first: int, last: int) -> None:
        """Announce notices among new rows, and watch replies that stream.

        What happens comes one by one; several at once are what the disk or the service has kept.
        """
        for index in range(first, last + 1):
            item = self._rows.item(index)
            # A notice that was taken away and comes back has something to say again.
            self._notices.pop(item.key, None)
            if isinstance(item, Notice) and first < last:
                self._notices[item.key] = item.words
        self.rows_changed(first, last)

    def rows_changed(self, first: int, last: int) -> None:
        """Announce replies that have ended, and notices that are new."""
        for index in range(first, last + 1):
            item = self._rows.item(index)
            if isinstance(item, ReplyPart):
                self._note_reply(item, index)
            elif isinstance(item, Notice):
                self._note_notice(item, index)

    def clear(self) -> None:
        """Forget all items: others are shown now."""
        self._streaming.clear()
        self._notices.clear()

    def announce(self, words: str) -> None:
        """Announce words at once."""
        self.announced.emit(words)
        announce(self._window, words)

    def _note_reply(self, item: ReplyPart, index: int) -> None:
        if item.is_streaming:
            self._streaming.add(item.key)
        elif item.key in self._streaming:
            self._streaming.discard(item.key)
            self.announce(self._words(item, index))

    def _note_notice(self, item: Notice, index: int) -> None:
        if self._notices.get(item.key) != item.words:
            self._notices[item.key] = item.words
            self.announce(self._rows.read(index).shown_text)

    def _words(self, item: ReplyPart, index: int) -> str:
        name = catalog_text(item.agent_display_name or item.agent_name or "")
        # What is in the window follows with the next frame, and may lack the last words yet.
        is_long = len(item.text) > _LONGEST
        text = item.text[:_LONGEST] if is_long else self._rows.read(index).shown_text
        return f"{short_name(name)}: {text}" if name and item.shows_agent else text
