"""One sentence above the box: what could not be done, or what sending would do."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.parts.announcing import announce
from app.ui.parts.buttons import icon_button, push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import plain_label, set_ink
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme


class ComposerNote(QFrame):
    """Hidden until there is something to say; hidden again when it is answered or put away.

    Made by the composer; ends with it.
    """

    confirmed = Signal()
    """The person wants to send although it declines the tool that waits."""
    wanted_back = Signal(str)
    """The person wants a message back that was removed; argument: its text."""
    put_away = Signal()
    """The person has read it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._confirm = push_button(self.tr("Deny it and send"), "secondary", theme)
        self._put_back = push_button(self.tr("Put it back"), "secondary", theme)
        self._close = icon_button("x", self.tr("Close this note"), theme)
        row = Flow(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.add(self._words, grows=True)
        row.add(self._confirm, self._put_back, self._close)
        self._confirm.clicked.connect(self.confirmed)
        self._put_back.clicked.connect(self._on_put_back_clicked)
        self._close.clicked.connect(self.put_away)
        self._is_question = False
        self._removed = ""
        self.hide()

    @property
    def is_question(self) -> bool:
        """Whether an answer is awaited."""
        return self._is_question

    def show_refusal(self, words: str) -> None:
        """Say why something could not be done."""
        set_card(self, "bad")
        set_ink(self._words, "bad")
        self._show(words, is_question=False)

    def show_question(self, words: str) -> None:
        """Ask whether to send although that declines a tool."""
        set_card(self, "warn")
        set_ink(self._words, "warn")
        self._show(words, is_question=True)

    def show_removed(self, text: str) -> None:
        """Say that a message is gone, and offer its text once more."""
        set_card(self, "plain")
        set_ink(self._words, "ink-2")
        self._show(self.tr("The message was removed."), is_question=False, removed=text)

    def _on_put_back_clicked(self) -> None:
        self.hide()
        self.wanted_back.emit(self._removed)

    def _show(self, words: str, *, is_question: bool, removed: str = "") -> None:
        self._is_question = is_question
        self._removed = removed
        self._words.setText(words)
        self._put_back.setVisible(bool(removed))
        self._confirm.setVisible(is_question)
        self.setAccessibleName(words)
        self.show()
        announce(self, words)
