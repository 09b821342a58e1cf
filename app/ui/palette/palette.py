"""`Palette` is the command palette: a sheet over the dimmed window, with one line to type into.

`PaletteInput` is that line; while the palette is open, it gets every key.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.common.error_messages import ErrorMessage
from app.ui.palette.entries import PaletteEntry
from app.ui.palette.entry_list import EntryList
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, told_at_its_end
from app.ui.widgets.buttons import IconLabel
from app.ui.widgets.empty_place import EmptyPlace
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.labels import plain_label, spoken
from app.ui.widgets.menus import key_text
from app.ui.widgets.motion import cross_fade
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.surfaces import RoundedFrame, hairline

_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Tab: 1,
    Qt.Key.Key_Backtab: -1,
    Qt.Key.Key_PageDown: 8,
    Qt.Key.Key_PageUp: -8,
}


class PaletteInput(LineEdit):
    """Handles the keys of the palette. Made by it; ends with it.

    No key of the window works meanwhile: what they do would happen behind the palette.
    """

    moved = Signal(int)
    """Another entry should be the current one; argument: by how many, down is positive."""
    entered = Signal(bool)
    """The current entry is meant; argument: whether in a new window."""
    left = Signal()
    """The palette should close."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setFont(theme.font())
        self.setAccessibleName(name)
        self.setPlaceholderText(name)
        self.setFrame(False)
        self.setProperty("field", "bare")

    def event(self, event: QEvent) -> bool:
        """Keep keys from the shortcuts of the window, and Tab from leaving."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, open or close; all other keys edit."""
        step = _STEPS.get(Qt.Key(event.key()))
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if step is not None:
            self.moved.emit(step)
        # Held down since before the palette opened, Enter means nothing here.
        elif event.key() in _ENTER_KEYS and not event.isAutoRepeat():
            self.entered.emit(has_control)
        elif event.key() == Qt.Key.Key_Escape or (has_control and event.key() == Qt.Key.Key_K):
            self.left.emit()
        else:
            super().keyPressEvent(event)


_WIDTH_PX: Final = 620
_MARGIN_PX: Final = 16
_TOP_SHARE: Final = 0.14
_MOST_HEIGHT_SHARE: Final = 0.66
_RADIUS_PX: Final = 14
_LINE_HEIGHT_PX: Final = 49
_FOOT_HEIGHT_PX: Final = 38
_NONE_HEIGHT_PX: Final = 188
_SHADE_ALPHA: Final = 102
_SHADOW_STEPS: Final = 28
_SHADOW_ALPHA: Final = 2


class Palette(QWidget):
    """Takes the text to search for, and shows the entries that its maker passes to `show_entries`.

    A part of the window, not a window of its own: it takes the keyboard when it opens and brings
    it back where it was. Made by the window; ends with it.
    """

    typed = Signal(str)
    """Entries for these letters are wanted; argument: what is typed, empty at the beginning."""
    chosen = Signal(object, bool)
    """An entry was chosen, and the palette is closed; arguments: the `PaletteEntry`, and whether it
    should open in a new window."""
    closed = Signal()
    """What was behind the palette can be seen and pressed again."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._before: QWidget | None = None
        self._sheet = RoundedFrame(theme, _RADIUS_PX, parent=self)
        self._line = PaletteInput(theme, self.tr("Search chats and commands"))
        self._list = EntryList(theme)
        self._none = EmptyPlace(theme, "search")
        self._none.show_words(self.tr("No results"), "", self.tr("Clear search"))
        self._none.acted.connect(self._line.clear)
        # The focus stays in the line: the palette closes when the line loses it.
        for button in self._none.findChildren(QPushButton):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._new_window = plain_label(
            self.tr("{keys} to open in a new window").format(
                keys=key_text(QKeySequence("Ctrl+Return"))
            ),
            theme,
            size="small",
            ink="ink-3",
        )
        self.setAccessibleName(self.tr("Command palette"))
        self._lay_out()
        self._line.textChanged.connect(self._on_line_text_changed)
        self._line.moved.connect(self._list.step)
        self._line.entered.connect(self._on_line_entered)
        self._line.left.connect(self.shut)
        self._list.clicked_on.connect(self._on_list_clicked_on)
        self._line.installEventFilter(self)
        window.installEventFilter(self)
        theme.changed.connect(self._fit)
        theme.fit(self)
        self.hide()

    def open(self) -> None:
        """Open over the window, empty, with the keyboard in its line."""
        if self.isVisible():
            return
        self._before = self._window.focusWidget()
        # Orca says nothing of a line whose caret has moved before the keyboard came to it.
        with told_at_its_end(self._window):
            self._line.clear()
            self._on_line_text_changed("")
            self._list.begin()
            self._fit()
            cross_fade(self._window, self._theme)
            self.show()
            self.raise_()
            self._line.setFocus(Qt.FocusReason.PopupFocusReason)

    def shut(self) -> None:
        """Close, and bring the keyboard back where it was."""
        if not self.isVisible():
            return
        before, self._before = self._before, None
        # Return the focus before hiding, as Qt would pass it to another widget.
        if self._line.hasFocus() and before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        cross_fade(self._window, self._theme)
        self.hide()
        self.closed.emit()

    def show_entries(self, entries: Sequence[PaletteEntry], *, has_new_window: bool) -> None:
        """Show these; with `has_new_window` a chat among them can open in a new window."""
        self._list.show_entries(entries)
        self._none.setVisible(not entries)
        self._list.setVisible(bool(entries))
        if not entries and self.isVisible():
            announce(self, self.tr("No results"))
        self._new_window.setVisible(has_new_window)
        self._fit()

    def show_failure(self, words: ErrorMessage) -> None:
        """Say why chats could not be looked through, until something else is typed."""
        self._problem.setText(spoken(words))
        self._problem.show()
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window whatever its size, and close when the keyboard goes elsewhere."""
        if watched is self._window and event.type() is QEvent.Type.Resize:
            self._fit()
        elif watched is self._line and isinstance(event, QFocusEvent) and event.lostFocus():
            self._on_focus_lost(event.reason())
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take every click; the one beside the sheet closes when the button is up again."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close on a click beside the sheet."""
        if not self._sheet.geometry().contains(event.position().toPoint()):
            self.shut()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Dim the window, and let the sheet throw a shadow."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # No colour of a theme: a shade takes light away from every colour.
        shade = QColor(Qt.GlobalColor.black)
        shade.setAlpha(_SHADE_ALPHA)
        painter.fillRect(self.rect(), shade)
        painter.setPen(Qt.PenStyle.NoPen)
        shade.setAlpha(_SHADOW_ALPHA)
        painter.setBrush(shade)
        sheet = QRectF(self._sheet.geometry()).translated(0, 6)
        for step in range(_SHADOW_STEPS):
            painter.drawRoundedRect(
                sheet.adjusted(-step, -step, step, step), _RADIUS_PX + step, _RADIUS_PX + step
            )

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(19, 0, 16, 0)
        head.setSpacing(4)
        head.addWidget(IconLabel("search", self._theme))
        hold_size(self._line, height_px=_LINE_HEIGHT_PX)
        head.addWidget(self._line, 1)
        self._problem.setContentsMargins(21, 6, 16, 8)
        column = QVBoxLayout(self._sheet)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._none, 1)
        column.addWidget(self._list, 1)
        column.addWidget(self._problem)
        column.addWidget(hairline())
        column.addLayout(self._make_foot())

    def _make_foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(19, 0, 16, 0)
        row.setSpacing(10)
        first = plain_label(self.tr("↑ ↓ to select"), self._theme, size="small", ink="ink-3")
        hold_size(first, height_px=_FOOT_HEIGHT_PX)
        row.addWidget(first)
        for words in (self.tr("Enter to open"), None, self.tr("Esc to close")):
            made = plain_label(words or "", self._theme, size="small", ink="ink-3")
            row.addWidget(made if words else self._new_window)
        row.addStretch(1)
        return row

    def _fit(self) -> None:
        self.setGeometry(self._window.rect())
        px = self._theme.px
        width = min(px(_WIDTH_PX), self.width() - 2 * _MARGIN_PX)
        top = round(self.height() * _TOP_SHARE)
        most = round(self.height() * _MOST_HEIGHT_SHARE)
        around = px(_LINE_HEIGHT_PX) + px(_FOOT_HEIGHT_PX) + 4
        if not self._problem.isHidden():
            around += self._problem.heightForWidth(width - 2)
        has_any = self._list.current is not None
        room = most - around
        wanted = self._list.height_within(room) if has_any else px(_NONE_HEIGHT_PX)
        self._sheet.setGeometry((self.width() - width) // 2, top, width, min(most, around + wanted))
        self.update()

    def _choose(self, entry: PaletteEntry | None, *, in_new_window: bool) -> None:
        if entry:
            is_offered = not self._new_window.isHidden()
            self.shut()
            self.chosen.emit(entry, in_new_window and is_offered)

    def _on_line_text_changed(self, typed: str) -> None:
        self._problem.hide()
        self.typed.emit(typed)

    def _on_line_entered(self, in_new_window: bool) -> None:
        self._choose(self._list.current, in_new_window=in_new_window)

    def _on_list_clicked_on(self, entry: PaletteEntry) -> None:
        self._choose(entry, in_new_window=False)

    def _on_focus_lost(self, reason: Qt.FocusReason) -> None:
        # Another window in front, or the menu of the line, is no leaving.
        stays = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if reason not in stays:
            self.shut()
