"""The transcript with the find bar above it, and what can be done with both."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.ui.commands import CommandGroup, Commands
from app.ui.find.find_bar import FindBar
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.surfaces import hairline, set_surface

_GROUP = CommandGroup.TRANSCRIPT


class TranscriptPane(QWidget):
    """Shows the bar while something is looked for. Made by the chat page.

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
        self._bar.words_changed.connect(finding.look_for)
        self._bar.moved.connect(finding.move)
        self._bar.closed.connect(self.close_find)
        for changed in (finding.changed, finding.counted):
            changed.connect(self._show_count)

    def add_to(self, commands: Commands) -> None:
        """Add what can be done with a transcript."""
        keyboard, clipboard = self._view.keyboard, self._view.clipboard
        for name, text, run, keys, icon in (
            ("find", self.tr("Find in chat"), self.open_find, "Ctrl+F", "search"),
            ("find-next", self.tr("Next hit"), self._find_next, "F3", ""),
            ("find-previous", self.tr("Previous hit"), self._find_previous, "Shift+F3", ""),
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
        """Show the bar and bring the keyboard to it."""
        if not self.isVisible():
            return
        focus = QApplication.focusWidget()
        if focus is None or not self._bar.isAncestorOf(focus):
            self._before = focus
        self._show_bar(is_shown=True)
        self._is_of_search = False
        if not self._view.finding.is_looking:
            self._view.finding.look_for(self._bar.words)
        if self._bar.isVisible():
            self._bar.begin()
        self._show_count()

    def show_hit(self, rows: Sequence[int], words: str) -> None:
        """Goes to a message that was searched for, and shows its words in the bar.

        Each word is marked by itself, in the messages that show all of them; if this one does
        not, in all that show any. The keyboard stays where it is.

        Args:
            rows: The rows of the message, at least one.
            words: What was searched for.
        """
        self._show_bar(is_shown=True)
        self._bar.show_words(words)
        finding, keyboard = self._view.finding, self._view.keyboard
        for look in (finding.look_for_each, finding.look_for_any):
            look(words)
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
        """Another chat is shown: the bar goes if it was shown for a search among chats."""
        if self._is_of_search:
            self.close_find()

    def close_find(self) -> None:
        """Take the bar away, and give the keyboard back to where it was."""
        self._is_of_search = False
        self._show_bar(is_shown=False)
        self._view.finding.look_for("")
        self._before = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Look whether there is room for the bar."""
        super().resizeEvent(event)
        self._fit_bar()

    def _show_bar(self, *, is_shown: bool) -> None:
        self._is_wanted = is_shown
        self._fit_bar()

    def _fit_bar(self) -> None:
        has_room = not self.isVisible() or self.height() >= self._bar.minimumSizeHint().height()
        is_shown = self._is_wanted and has_room
        if not is_shown and self._bar.isAncestorOf(QApplication.focusWidget() or self):
            # Else Qt would choose who is next, which may be a button that allows.
            before = self._before or self._view
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._bar.setVisible(is_shown)
        self._line.setVisible(is_shown)

    def _show_count(self) -> None:
        finding = self._view.finding
        self._bar.show_count(finding.number, finding.count, is_busy=finding.is_busy)

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
