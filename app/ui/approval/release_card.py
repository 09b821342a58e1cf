"""`ReleaseCard` asks whether a result may be sent to the assistant, and which parts of it.

`ReleaseAnswers` is the row of answers below the result: send it, choose what of it is sent, or
keep it back. `ReleaseState` decides which of these are offered.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.approvals.result_review import ReleaseChoice
from app.ui.approval.answer_button import AnswerButton, EscapeFilter, InteractionDelay
from app.ui.approval.call_answers import LinePage
from app.ui.approval.release_secrets import SecretList
from app.ui.approval.result_text import ResultText
from app.ui.approval.rule_card import RuleHeader
from app.ui.theme import Theme
from app.ui.widgets.accessible import set_role
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.column import ShrinkingScrollArea
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.approval.approval import PendingResultView


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """How far the review of a result has come, which decides the answers on offer.

    Attributes:
        has_secrets: Whether secrets were found in the result.
        opened: How many secrets would be sent unmasked.
        is_seen: Whether everything that must be seen before sending has been on screen.
        is_part: Whether a part of the result was chosen to be sent instead of all.
        can_mark: Whether text is selected that can be chosen as the part to send.
        can_cut: Whether the text up to the last line seen can be chosen as the part to send.
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
    """What is shown may be sent to the assistant."""
    choosing = Signal(bool)
    """The person begins to choose what is sent (true), or resets the choice (false)."""
    part_chosen = Signal(str)
    """Only a part is to be sent: `marked`, `seen`, or `all` for the whole again."""
    kept_back = Signal(str)
    """The result may not be sent; argument: the reason, which may be empty."""
    scroll_requested = Signal()
    """The person wants to see what they have not seen."""
    page_changed = Signal()
    """Another page is shown, which may need another height."""

    def __init__(self, theme: Theme, arming: InteractionDelay) -> None:
        super().__init__()
        self._arming = arming
        self._standing = ReleaseState()
        self._make_buttons(theme)
        hint = self.tr("Reason (optional, sent to the assistant)")
        name = self.tr("Reason for not sending")
        self._line = LinePage(theme, arming, hint, name, (self.tr("Don’t send"), "danger"))
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
        """Offer the first answers again, and reset the choice."""
        self._show(self._first)
        self.choosing.emit(False)

    def start_over(self) -> None:
        """Offer the first answers, nothing typed."""
        self._line.clear()
        self._show(self._first)

    @property
    def is_scrolled_by_key(self) -> bool:
        """Whether the focus is on a button that hides once everything was seen."""
        return self._unseen.hasFocus() or self._look.hasFocus()

    def show_standing(self, standing: ReleaseState) -> None:
        """Offer the answers that are possible now.

        Restart the delay once everything was seen: Send appears where the button to scroll was,
        and a click meant for that one must not send.
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
        words = self.tr("Scroll to the end to send")
        self._unseen = push_button(words, "quiet", theme, icon="arrow-down", elides=True)
        self._choose = AnswerButton(self.tr("Choose what to send…"), "secondary", theme, arming)
        self._keep = AnswerButton(self.tr("Don’t send…"), "danger", theme, arming)
        self._send = AnswerButton(self.tr("Send this"), "primary", theme, arming)
        words = self.tr("Send with %n secrets", "", 1)
        self._open = AnswerButton(words, "danger", theme, arming)
        words = self.tr("Show everything to be sent")
        self._look = push_button(words, "quiet", theme, icon="arrow-down", elides=True)
        self._only_marked = push_button(self.tr("Only the selection"), "secondary", theme)
        self._only_seen = push_button(self.tr("Only the visible part"), "secondary", theme)
        self._whole = push_button(self.tr("Everything"), "secondary", theme)
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
    row = FlowLayout(page)
    row.setContentsMargins(14, 10, 14, 14)
    row.add(*first)
    row.add_gap()
    row.add(last)
    return page


_RADIUS: Final = 10
_LINE: Final = 1
_INSET: Final = 8
_SIDE: Final = 14
_TEXT_PX: Final = 150
_LEAST_TEXT_PX: Final = 56
_LEAST_ANSWERS_PX: Final = 100


class ReleaseCard(RoundedFrame):
    """Shows a result to the letter as it would leave, and gives at most one answer about it.

    Each of its secrets is masked unless the person lets it leave, and a part can be cut out. What
    leaves although it is a secret, or because of its kind waits here, must have been on screen. An
    answer counts only when armed. Made by the dock.
    """

    sent = Signal(str, int, object)
    """The result may be told: request id, generation, and what of it, a `ReleaseChoice`."""
    kept_back = Signal(str, int, str)
    """The result may not be told: request id, generation, and the reason, which may be empty."""
    laid_out = Signal()
    """The card may want another height."""

    def __init__(self, theme: Theme, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(theme, _RADIUS, line="warn-line")
        # Not the role Grouping: screen readers would read some of its text unasked, then again.
        set_role(self, QAccessible.Role.Section)
        self._view: PendingResultView | None = None
        self._chosen = ReleaseChoice()
        self._has_answer = False
        self._arming = InteractionDelay(self, clock)
        self._header = RuleHeader(theme, "shield-alert")
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._secrets = SecretList(theme)
        self._secrets.hide()
        self._text = ResultText(theme)
        self._answers = ReleaseAnswers(theme, self._arming)
        column = QVBoxLayout(self)
        column.setContentsMargins(_LINE, _LINE, _LINE, _LINE)
        column.setSpacing(0)
        column.addWidget(self._header)
        inset = QVBoxLayout()
        inset.setContentsMargins(_SIDE, _INSET, _SIDE, 0)
        inset.setSpacing(_INSET)
        inset.addWidget(self._words)
        inset.addWidget(self._secrets)
        inset.addWidget(self._text, 1)
        column.addLayout(inset, 1)
        column.addWidget(ShrinkingScrollArea(theme, self._answers, self, _LEAST_ANSWERS_PX))
        self._connect()

    def show_view(self, view: PendingResultView) -> None:
        """Ask about this result."""
        before, self._view = self._view, view
        if before == view:
            return
        self._has_answer = False
        self._arming.restart()
        self._header.show_words(view.question, "")
        self.setAccessibleName(view.question)
        self._text.begin()
        self._answers.start_over()
        self._start_over()

    def disturb(self) -> None:
        """Start the delay of the answers again, as something was over the card."""
        self._arming.restart()

    def wanted_height(self, width: int) -> int:
        """Return the height at which a few lines of the result are in sight."""
        answers = self._answers.heightForWidth(width - 2 * _LINE)
        return self._around(width) + answers + self._list_px() + self._theme.px(_TEXT_PX)

    def least_height(self, width: int) -> int:
        """Return the height at which the answers are there, and some lines to scroll through."""
        answers = self._answers.heightForWidth(width - 2 * _LINE)
        answers = min(answers, self._theme.px(_LEAST_ANSWERS_PX))
        listed = self._list_px(is_least=True)
        return self._around(width) + answers + listed + self._theme.px(_LEAST_TEXT_PX)

    def take_focus(self) -> None:
        """Bring the keyboard to the result, from where Tab leads to the answers."""
        self._text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        """Keep the coloured band as high as the question."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.set_band("warn-soft", self._header.geometry().bottom() + 1)
        return is_done

    def _connect(self) -> None:
        self._text.looked.connect(self._stand)
        self._secrets.changed.connect(self._on_secrets_changed)
        self._secrets.pointed_at.connect(self._on_secrets_pointed_at)
        self._answers.sent.connect(self._on_answers_sent)
        self._answers.choosing.connect(self._on_answers_choosing)
        self._answers.part_chosen.connect(self._on_answers_part_chosen)
        self._answers.kept_back.connect(self._on_answers_kept_back)
        self._answers.scroll_requested.connect(self._on_answers_scroll_requested)
        self._answers.page_changed.connect(self.laid_out)
        # The list would handle Esc itself.
        esc = EscapeFilter(self, self._secrets, applies=self._answers.is_begun)
        esc.given_up.connect(self._answers.go_back)

    def _around(self, width: int) -> int:
        """Return how high everything is but the result, its secrets and the answers."""
        inside, px = width - 2 * _LINE, self._theme.px
        words = self._words.heightForWidth(inside - 2 * px(_SIDE)) + 2 * px(_INSET)
        return self._header.heightForWidth(inside) + words + 2 * _LINE

    def _list_px(self, *, is_least: bool = False) -> int:
        if self._secrets.isHidden():
            return 0
        listed = self._secrets.least_height() if is_least else self._secrets.wanted_height()
        return listed + self._theme.px(_INSET)

    def _start_over(self, *, is_choosing: bool = False) -> None:
        """Mask everything again, and cut nothing."""
        if self._view is None:
            return
        self._chosen = ReleaseChoice()
        self._secrets.show_secrets(self._view.secrets if is_choosing else ())
        self._secrets.setVisible(is_choosing and bool(self._view.secrets))
        about = one_line(" ".join(filter(None, (self._view.title, self._view.about))))
        words = self._choosing_words() if is_choosing else self._view.words
        self._words.setText(f"{about}\n{words}")
        self._text.setAccessibleDescription(f"{self._view.question}\n{self._words.text()}")
        self._show_chosen()

    def _choosing_words(self) -> str:
        if self._view and self._view.secrets:
            return self.tr(
                "Tick the secrets to send unmasked. Select part of the text to send only that."
            )
        return self.tr("Select part of the text to send only that.")

    def _show_chosen(self) -> None:
        if self._view:
            view = self._view
            self._text.show_result(view.text, view.secrets, self._chosen.opened, self._part)
            self._arming.restart()
            self._stand()
            self.laid_out.emit()

    @property
    def _part(self) -> tuple[int, int]:
        whole = (0, len(self._view.text)) if self._view else (0, 0)
        return self._chosen.part or whole

    def _to_be_seen(self) -> list[tuple[int, int]]:
        """Return what must have been on screen: secrets that leave, or all if none were found."""
        first, last = self._part
        if self._view is None or not self._view.secrets:
            return [(first, last)]
        opened = (self._view.secrets[number] for number in sorted(self._chosen.opened))
        return [(max(s.start, first), min(s.end, last)) for s in opened]

    def _stand(self) -> None:
        if self._view is None:
            return
        first, last = self._part
        is_seen = self._text.first_unseen(self._to_be_seen()) is None
        if is_seen and self._answers.is_scrolled_by_key:
            # The button is about to hide: Qt would focus an answer, which the next Space presses.
            self._text.setFocus(Qt.FocusReason.OtherFocusReason)
        self._answers.show_standing(
            ReleaseState(
                has_secrets=bool(self._view.secrets),
                opened=sum(start < end for start, end in self._to_be_seen())
                if self._view.secrets
                else 0,
                is_seen=is_seen,
                is_part=self._chosen.part is not None,
                can_mark=self._text.marked_part not in (None, (first, last)),
                can_cut=first < self._text.looked_to((first, last)) < last,
            )
        )

    def _on_secrets_changed(self, opened: frozenset[int]) -> None:
        changed = sorted(opened ^ self._chosen.opened)
        self._chosen = ReleaseChoice(opened, self._chosen.part)
        self._show_chosen()
        if self._view and changed:
            self._text.show_character(self._view.secrets[changed[0]].start)

    def _on_secrets_pointed_at(self, number: int) -> None:
        if self._view:
            self._text.show_character(self._view.secrets[number].start)

    def _on_answers_choosing(self, is_choosing: bool) -> None:
        self._start_over(is_choosing=is_choosing)
        if is_choosing and not self._secrets.isHidden():
            self._secrets.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.take_focus()

    def _on_answers_part_chosen(self, which: str) -> None:
        first, last = self._part
        marked = self._text.marked_part or (first, last)
        seen = (first, self._text.looked_to((first, last)))
        part = {"marked": marked, "seen": seen}.get(which)
        self._chosen = ReleaseChoice(self._chosen.opened, part)
        self._show_chosen()
        self.take_focus()

    def _on_answers_scroll_requested(self) -> None:
        unseen = self._text.first_unseen(self._to_be_seen())
        if unseen is not None:
            self._text.show_character(unseen)

    def _on_answers_sent(self) -> None:
        # Once more: what is sent now may be other text than what the button stood for.
        is_seen = self._text.first_unseen(self._to_be_seen()) is None
        if self._view and not self._has_answer and is_seen:
            self._has_answer = True
            self.sent.emit(self._view.request_id, self._view.generation, self._chosen)

    def _on_answers_kept_back(self, reason: str) -> None:
        if self._view and not self._has_answer:
            self._has_answer = True
            self.kept_back.emit(self._view.request_id, self._view.generation, reason)
