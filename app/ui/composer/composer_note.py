"""`ComposerNote` is the note above the box: an error, a hint, or a question before sending."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label, set_ink, set_plain_tooltip
from app.ui.widgets.surfaces import set_card
from app.ui.widgets.toggles import CheckBox

_MOST_NAMED: Final = 12
_MOST_REASONS: Final = 5


class ComposerNote(QFrame):
    """Hidden until it has a text; hidden again when it is answered or dismissed.

    Made by the composer; ends with it.
    """

    confirmed = Signal()
    """The person wants to send, which denies the tool call that waits."""
    retried = Signal()
    """The person wants to ask a question anew."""
    rewind_chosen = Signal(bool)
    """The person chose whether to put back what tools changed; argument: whether."""
    restore_requested = Signal(str)
    """The person wants a message back that was removed; argument: its text."""
    dismissed = Signal()
    """The person closed the note."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._rewind = CheckBox(theme, self.tr("Also undo what tools changed"))
        self._confirm = push_button(self.tr("Deny and send"), "secondary", theme)
        self._retry = push_button(self.tr("Try again"), "secondary", theme)
        self._put_back = push_button(self.tr("Undo"), "secondary", theme)
        self._close = icon_button("x", self.tr("Dismiss"), theme)
        row = FlowLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.add(self._words, grows=True)
        row.add(self._rewind)
        row.add(self._retry, self._confirm, self._put_back)
        row.add_gap()
        row.add(self._close)
        self._rewind.toggled.connect(self.rewind_chosen)
        self._confirm.clicked.connect(self.confirmed)
        self._retry.clicked.connect(self._on_retry_clicked)
        self._put_back.clicked.connect(self._on_put_back_clicked)
        self._close.clicked.connect(self.dismissed)
        self._is_question = False
        self._removed = ""
        self._refused = ""
        self._rewind.hide()
        self.hide()

    @property
    def is_question(self) -> bool:
        """Whether the note asks to decline the waiting tool call."""
        return self._is_question

    def show_refusal(self, words: str) -> None:
        """Show an error; choices for the next message stay."""
        set_card(self, "bad")
        set_ink(self._words, "bad")
        self._show(words)

    def show_refused_files(self, reasons: Sequence[str]) -> None:
        """Show why files were not attached, a line each; without reasons, take only that back."""
        lines = list(reasons[:_MOST_REASONS])
        if (more := len(reasons) - len(lines)) > 0:
            lines.append(self.tr("And {0} more.").format(more))
        was_shown, self._refused = self._refused, "\n".join(lines)
        if lines:
            self.show_refusal(self._refused)
        elif was_shown and self._words.text() == was_shown:
            self.hide()

    def show_hint(self, words: str, changed: Sequence[str] = ()) -> None:
        """Show a hint about the text in the box.

        Args:
            words: A sentence.
            changed: Files that can be restored when the message is sent.
        """
        self._show_plain(words, changed)

    def ask_anew(self, words: str, changed: Sequence[str]) -> None:
        """Ask whether to restore these files before a question is asked again."""
        self._show_plain(words, changed, can_retry=True)
        self._retry.setFocus()

    def show_question(self, words: str) -> None:
        """Ask whether to send, which declines the waiting tool call."""
        set_card(self, "warn")
        set_ink(self._words, "warn")
        self._show(words, is_question=True)

    def end(self) -> None:
        """Hide the note and its buttons."""
        self._offer_rewind(())
        self.hide()

    def show_removed(self, text: str) -> None:
        """Show that a message was removed, and offer its text again."""
        set_card(self, "plain")
        set_ink(self._words, "ink-2")
        self._show(self.tr("Message removed."), removed=text)

    def _on_put_back_clicked(self) -> None:
        self.hide()
        self.restore_requested.emit(self._removed)

    def _on_retry_clicked(self) -> None:
        self.retried.emit()
        self.end()

    def _show_plain(self, words: str, changed: Sequence[str], *, can_retry: bool = False) -> None:
        set_card(self, "plain")
        set_ink(self._words, "ink-2")
        self._offer_rewind(changed)
        self._show(words, can_retry=can_retry)

    def _offer_rewind(self, changed: Sequence[str]) -> None:
        self._rewind.setChecked(False)
        count = len(changed)
        words = (
            self.tr("Also undo what tools changed (1 file)")
            if count == 1
            else self.tr("Also undo what tools changed ({count} files)").format(count=count)
        )
        self._rewind.setText(words)
        self._rewind.setAccessibleName(words)
        names = "\n".join(one_line(path) for path in changed[:_MOST_NAMED])
        set_plain_tooltip(self._rewind, f"{names}\n…" if count > _MOST_NAMED else names)
        self._rewind.setAccessibleDescription(names)
        self._rewind.setVisible(bool(changed))

    def _show(
        self, words: str, *, is_question: bool = False, can_retry: bool = False, removed: str = ""
    ) -> None:
        self._is_question = is_question
        self._removed = removed
        self._words.setText(words)
        self._put_back.setVisible(bool(removed))
        self._confirm.setVisible(is_question)
        self._retry.setVisible(can_retry)
        self.setAccessibleName(words)
        self.show()
        announce(self, words)
