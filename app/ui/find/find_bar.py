"""`FindBar` above the transcript takes what to find, counts the hits and steps through them.

`FindField` is its input line.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.labels import plain_label
from app.ui.widgets.surfaces import set_surface

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class FindField(LineEdit):
    """One line whose Enter goes to the next hit and whose Esc closes the bar."""

    moved = Signal(int)
    """Another hit is wanted: the next one (1) or the one before (-1)."""
    left = Signal()
    """Esc was pressed."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the keys that go through the hits."""
        if event.key() in _ENTER:
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.moved.emit(-1 if is_back else 1)
        elif step := _STEPS.get(Qt.Key(event.key())):
            self.moved.emit(step)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


_WIDEST_PX = 360


class FindBar(QWidget):
    """Takes what is to be found and shows the count. Made by the pane of the transcript."""

    words_changed = Signal(str)
    """Other words are to be found; nothing ends the search."""
    moved = Signal(int)
    """Another hit is wanted: the next one (1) or the one before (-1)."""
    closed = Signal()
    """The person wants the bar to go."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_surface(self, "bg")
        self._field = FindField()
        self._field.setFont(theme.font("secondary"))
        self._field.setPlaceholderText(self.tr("Find in chat"))
        self._field.setAccessibleName(self.tr("Find in chat"))
        self._field.setMaximumWidth(_WIDEST_PX)
        self._count = plain_label("", theme, size="small", ink="ink-2")
        self._before = icon_button("chevron-up", self.tr("Previous hit"), theme)
        self._next = icon_button("chevron-down", self.tr("Next hit"), theme)
        self._close = icon_button("x", self.tr("Close find bar"), theme)
        self.setFocusProxy(self._field)
        self._lay_out()
        self._field.textChanged.connect(self.words_changed)
        self._field.moved.connect(self.moved)
        self._field.left.connect(self.closed)
        self._before.clicked.connect(self._on_before_clicked)
        self._next.clicked.connect(self._on_next_clicked)
        self._close.clicked.connect(self.closed)

    @property
    def words(self) -> str:
        """What is typed."""
        return self._field.text()

    def show_words(self, words: str) -> None:
        """Show these words as if they had been typed."""
        self._field.setText(words)

    def begin(self) -> None:
        """Brings the keyboard here; what was typed before is marked."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_count(self, number: int, count: int, *, is_busy: bool) -> None:
        """Show which of how many hits is the current one."""
        self._before.setEnabled(count > 0)
        self._next.setEnabled(count > 0)
        if not self.words:
            words = ""
        elif count:
            words = self.tr("{number} of {count}").format(number=number, count=f"{count:,}")
        else:
            words = self.tr("Searching …") if is_busy else self.tr("Not found")
        self._count.setText(words)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(self._field, 1)
        row.addWidget(self._count)
        row.addStretch(1)
        for button in (self._before, self._next, self._close):
            row.addWidget(button)

    def _on_before_clicked(self) -> None:
        self.moved.emit(-1)

    def _on_next_clicked(self) -> None:
        self.moved.emit(1)
