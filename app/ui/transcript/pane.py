"""`TranscriptPane` is the transcript with the find bar above it, and what can be done with both.

`FindBar` takes what to find, counts the hits and steps through them; `FindField` is its line.
"""

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.commands import CommandGroup, Commands
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import hairline, set_surface

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class FindField(LineEdit):
    """One line whose Enter goes to the next hit and whose Esc closes the bar."""

    moved = Signal(int)
    """Another hit is wanted: the next one (1) or the one before (-1)."""
    left = Signal()
    """Esc was pressed."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys that go through the hits."""
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
    """Asks what to find and shows the count. Made by the pane of the transcript."""

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
        self._line = ""
        self._before = icon_button("chevron-up", self.tr("Previous match"), theme)
        self._next = icon_button("chevron-down", self.tr("Next match"), theme)
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
        """Move the keyboard focus here, and select what was typed before."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_count(self, number: int, count: int, line: str, *, is_busy: bool) -> None:
        """Show which of how many hits is the current one; `line` is read out with it."""
        self._before.setEnabled(count > 0)
        self._next.setEnabled(count > 0)
        if not self.words:
            words = ""
        elif count:
            number_words, count_words = map(QLocale().toString, (number, count))
            words = self.tr("{number} of {count}").format(number=number_words, count=count_words)
        else:
            words = self.tr("Searching…") if is_busy else self.tr("No matches")
        is_other = words != self._count.text() or line != self._line
        self._count.setText(words)
        self._line = line
        if is_other and not is_busy and self.isVisible():
            announce(self, f"{words}: {one_line(line)}" if line else words)

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


_GROUP = CommandGroup.TRANSCRIPT


class TranscriptPane(QWidget):
    """Shows the bar while something is searched for. Made by the chat page.

    Where a card leaves no room for it in a low window, the bar waits until there is.
    """

    def __init__(self, view: TranscriptView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._bar = FindBar(theme)
        self._line = hairline()
        self._before: QWidget | None = None
        self._is_of_search = False
        self._is_wanted = False
        set_surface(self, "bg")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self._line)
        column.addWidget(view, 1)
        self._show_bar(is_shown=False)
        finding = view.finding
        self._bar.words_changed.connect(finding.search)
        self._bar.moved.connect(finding.move)
        self._bar.closed.connect(self.close_find)
        for changed in (finding.changed, finding.counted):
            changed.connect(self._show_count)

    def add_to(self, commands: Commands) -> None:
        """Add the commands of the transcript."""
        keyboard, clipboard = self._view.keyboard, self._view.clipboard
        for name, text, run, keys, icon in (
            ("find", self.tr("Find in chat"), self.open_find, "Ctrl+F", "search"),
            ("find-next", self.tr("Next match"), self._find_next, "F3", ""),
            ("find-previous", self.tr("Previous match"), self._find_previous, "Shift+F3", ""),
            ("next-message", self.tr("Next message"), self._next_message, "Ctrl+Down", ""),
            ("previous-message", self.tr("Previous message"), self._last_message, "Ctrl+Up", ""),
            ("latest", self.tr("Jump to latest"), self._view.jump_to_latest, "Alt+End", ""),
            ("copy-shown", self.tr("Copy"), keyboard.copy, "", "copy"),
            ("copy-markdown", self.tr("Copy as Markdown"), keyboard.copy_markdown, "", "copy"),
            ("copy-message", self.tr("Copy message"), keyboard.copy_message, "", "copy"),
            ("copy-chat", self.tr("Copy chat as Markdown"), clipboard.copy_chat, "", "copy"),
        ):
            commands.add(name, text, run, group=_GROUP, keys=keys, icon=icon)

    def open_find(self) -> None:
        """Show the bar and move the keyboard focus to it."""
        if not self.isVisible():
            return
        focus = QApplication.focusWidget()
        if focus is None or not self._bar.isAncestorOf(focus):
            self._before = focus
        self._show_bar(is_shown=True)
        self._is_of_search = False
        if not self._view.finding.is_searching:
            self._view.finding.search(self._bar.words)
        if self._bar.isVisible():
            self._bar.begin()
        self._show_count()

    def show_hit(self, rows: Sequence[int], words: str) -> None:
        """Go to a message that was searched for, and show its words in the bar.

        Each word is a hit by itself, in the messages that show all of them; if this one does
        not, in all that show any. The keyboard stays where it is.

        Args:
            rows: The rows of the message, at least one.
            words: What was searched for.
        """
        self._show_bar(is_shown=True)
        self._bar.show_words(words)
        finding, keyboard = self._view.finding, self._view.keyboard
        for search in (finding.search_each, finding.search_any):
            search(words)
            row = finding.first_with_hit(rows)
            if row is not None:
                keyboard.go_to_message(row)
                finding.go_to_row(row)
                self._is_of_search = True
                self._show_count()
                return
        keyboard.go_to_message(rows[0])
        self.close_find()

    def forget_hit(self) -> None:
        """Close the bar if it was shown for a search among chats: another chat is shown now."""
        if self._is_of_search:
            self.close_find()

    def close_find(self) -> None:
        """Hide the bar, and move the keyboard focus back to where it was."""
        self._is_of_search = False
        self._show_bar(is_shown=False)
        self._view.finding.search("")
        self._before = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show or hide the bar as there is room for it."""
        super().resizeEvent(event)
        self._fit_bar()

    def _show_bar(self, *, is_shown: bool) -> None:
        self._is_wanted = is_shown
        self._fit_bar()

    def _fit_bar(self) -> None:
        # A pane that is not seen has no height that tells anything.
        has_room = not self.isVisible() or self.height() >= self._bar.minimumSizeHint().height()
        is_shown = self._is_wanted and has_room
        if not is_shown and self._bar.isAncestorOf(QApplication.focusWidget() or self):
            # Without this Qt passes the focus on, perhaps to a button that allows a call.
            before = self._before or self._view
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._bar.setVisible(is_shown)
        self._line.setVisible(is_shown)

    def _show_count(self) -> None:
        finding = self._view.finding
        is_busy = finding.is_busy
        line = "" if is_busy else finding.line
        self._bar.show_count(finding.number, finding.count, line, is_busy=is_busy)

    def _find_next(self) -> None:
        self._go_on(1)

    def _find_previous(self) -> None:
        self._go_on(-1)

    def _go_on(self, by: int) -> None:
        if self._is_wanted:
            self._view.finding.move(by)
        else:
            self.open_find()

    def _next_message(self) -> None:
        self._go_to_message(1)

    def _last_message(self) -> None:
        self._go_to_message(-1)

    def _go_to_message(self, by: int) -> None:
        if self.isVisible():
            self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._view.keyboard.move_message(by)
