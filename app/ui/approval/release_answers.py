"""The answers below a result that waits: send it, choose what of it is sent, or keep it back."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.approval.answer_button import AnswerButton
from app.ui.approval.arming import Arming
from app.ui.approval.line_page import LinePage
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.flow import Flow
from app.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the person is: what decides which answers there are.

    Attributes:
        has_secrets: Whether any were found.
        opened: How many would be sent as they are.
        is_seen: Whether all was seen that must have been.
        is_part: Whether a part would be sent.
        can_mark: Whether a part is marked.
        can_cut: Whether the beginning that was looked at is a part.
    """

    has_secrets: bool = False
    opened: int = 0
    is_seen: bool = False
    is_part: bool = False
    can_mark: bool = False
    can_cut: bool = False


class ReleaseAnswers(QWidget):
    """Three pages of answers, each of which counts only when armed. Made by the card."""

    sent = Signal()
    """What is shown may be told."""
    choosing = Signal(bool)
    """The person begins to choose what is sent, or wants everything as it was."""
    part_chosen = Signal(str)
    """Only a part is to be sent: `marked`, `seen`, or `all` for the whole again."""
    kept_back = Signal(str)
    """The result may not be told: the reason, which may be empty."""
    scroll_requested = Signal()
    """The person wants to see what they have not seen."""
    page_changed = Signal()
    """Another page wants another height."""

    def __init__(self, theme: Theme, arming: Arming) -> None:
        super().__init__()
        self._arming = arming
        self._standing = Standing()
        self._make_buttons(theme)
        hint = self.tr("Why not? The assistant is told.")
        name = self.tr("Reason for keeping it back")
        self._line = LinePage(theme, arming, hint, name, (self.tr("Keep back"), "danger"))
        self._first = _page((self._masked, self._plain, self._unseen, self._choose), self._keep)
        parts = (self._only_marked, self._only_seen, self._whole)
        self._choices = _page((self._send, self._open, self._look, *parts), self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for page in (self._first, self._choices, self._line):
            column.addWidget(page)
        self._show(self._first)
        self._connect()

    def is_begun(self) -> bool:
        """Return whether there is a step to go back to."""
        return not self._first.isVisibleTo(self)

    def go_back(self) -> None:
        """Offer the first answers again, and want everything as it was."""
        self._show(self._first)
        self.choosing.emit(False)

    def start_over(self) -> None:
        """Offer the first answers, nothing typed."""
        self._line.clear()
        self._show(self._first)

    @property
    def is_scrolled_by_key(self) -> bool:
        """Whether the keyboard is at a button that goes once everything was seen."""
        return self._unseen.hasFocus() or self._look.hasFocus()

    def show_standing(self, standing: Standing) -> None:
        """Offer what can be answered now.

        Whoever scrolls by clicking must not send with the same series of clicks.
        """
        before, self._standing = self._standing, standing
        if before == standing:
            return
        if before.is_seen != standing.is_seen:
            self._arming.restart()
        has_secrets, is_seen = standing.has_secrets, standing.is_seen
        self._masked.setVisible(has_secrets)
        self._plain.setVisible(not has_secrets and is_seen)
        self._unseen.setVisible(not has_secrets and not is_seen)
        self._send.setVisible(is_seen and not standing.opened)
        self._open.setVisible(is_seen and bool(standing.opened))
        self._look.setVisible(not is_seen)
        set_button_text(self._open, self.tr("Send with %n secrets", "", standing.opened))
        self._only_marked.setEnabled(standing.can_mark)
        self._only_seen.setVisible(standing.can_cut)
        self._whole.setVisible(standing.is_part)
        self.page_changed.emit()

    def _make_buttons(self, theme: Theme) -> None:
        arming = self._arming
        self._masked = AnswerButton(self.tr("Send masked"), "primary", theme, arming)
        self._plain = AnswerButton(self.tr("Send"), "primary", theme, arming)
        words = self.tr("Scroll through all of it to send")
        self._unseen = push_button(words, "quiet", theme, icon="arrow-down", elides=True)
        self._choose = AnswerButton(self.tr("Choose what is sent…"), "secondary", theme, arming)
        self._keep = AnswerButton(self.tr("Keep back…"), "danger", theme, arming)
        self._send = AnswerButton(self.tr("Send this"), "primary", theme, arming)
        words = self.tr("Send with %n secrets", "", 1)
        self._open = AnswerButton(words, "danger", theme, arming)
        words = self.tr("Look at all that would be sent")
        self._look = push_button(words, "quiet", theme, icon="arrow-down", elides=True)
        self._only_marked = push_button(self.tr("Only the marked part"), "secondary", theme)
        self._only_seen = push_button(self.tr("Only what was in sight"), "secondary", theme)
        self._whole = push_button(self.tr("All of it"), "secondary", theme)
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, arming)

    def _connect(self) -> None:
        for button in (self._masked, self._plain, self._send, self._open):
            button.answered.connect(self.sent)
        self._unseen.clicked.connect(self.scroll_requested)
        self._look.clicked.connect(self.scroll_requested)
        self._choose.answered.connect(self._on_choose_answered)
        self._keep.answered.connect(self._on_keep_answered)
        self._back.answered.connect(self.go_back)
        self._only_marked.clicked.connect(self._on_only_marked_clicked)
        self._only_seen.clicked.connect(self._on_only_seen_clicked)
        self._whole.clicked.connect(self._on_whole_clicked)
        self._line.left.connect(self.go_back)
        self._line.entered.connect(self.kept_back)

    def _show(self, page: QWidget) -> None:
        for other in (self._first, self._choices, self._line):
            other.setVisible(other is page)
        self._arming.restart()
        self.page_changed.emit()

    def _on_choose_answered(self) -> None:
        self._show(self._choices)
        self.choosing.emit(True)

    def _on_keep_answered(self) -> None:
        self._show(self._line)
        self._line.begin()

    def _on_only_marked_clicked(self) -> None:
        self.part_chosen.emit("marked")

    def _on_only_seen_clicked(self) -> None:
        self.part_chosen.emit("seen")

    def _on_whole_clicked(self) -> None:
        self.part_chosen.emit("all")


def _page(first: tuple[QWidget, ...], last: QWidget) -> QWidget:
    page = QWidget()
    row = Flow(page)
    row.setContentsMargins(14, 10, 14, 14)
    row.add(*first)
    row.add_gap()
    row.add(last)
    return page
