"""The answers below an approval card: allow, always allow, edit, answer instead, or deny."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.approval.answer_button import AnswerButton
from app.ui.approval.arming import Arming
from app.ui.approval.edit_page import EditPage
from app.ui.approval.line_page import LinePage
from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import button_text, set_plain_tooltip
from app.ui.parts.menus import make_menu
from app.ui.theme import Theme
from app.viewmodels.approval.states import CardView


class CardAnswers(QWidget):
    """The answers, and a page each for what has to be typed.

    Each answer counts only when armed. Made by an approval card; ends with it.
    """

    allowed = Signal()
    """The person allows this call, once."""
    denied = Signal(str)
    """The person denies this call: the reason, which may be empty."""
    forbidden = Signal(str)
    """The person denies this call and every later one of this tool in the chat: the reason."""
    answered_instead = Signal(str)
    """The person answers in place of the tool: the answer."""
    edited = Signal(str)
    """The person wants to see the call with another input: the input as JSON."""
    rule_requested = Signal(int)
    """The person wants to make a rule: the number of the one among those offered."""
    scroll_requested = Signal()
    """The person wants to see the next part they have not seen."""
    page_changed = Signal()
    """Another page wants another height."""

    def __init__(self, theme: Theme, arming: Arming, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arming = arming
        self._has_rules = False
        self._make_buttons(theme)
        self._menu = make_menu(self, self.tr("Always allow"), theme)
        self._reason = LinePage(
            theme,
            arming,
            self.tr("Reason, if you like – the assistant is told"),
            self.tr("Reason for denying"),
            (self.tr("Deny"), "danger"),
            for_good=self.tr("Deny this tool in this chat"),
        )
        self._words = LinePage(
            theme,
            arming,
            self.tr("What the assistant is told in place of a result"),
            self.tr("Your answer"),
            (self.tr("Answer"), "primary"),
        )
        self._words.need_words()
        self._edit = EditPage(theme, arming)
        self._answers = self._answers_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for page in (self._answers, self._reason, self._words, self._edit):
            column.addWidget(page)
        self._show_page(self._answers)
        self._connect()

    def start_over(self, view: CardView) -> None:
        """Offer the answers for this card, with nothing typed, but for what has to be mended."""
        self._reason.clear()
        self._words.clear()
        self._offer_rules(view.rules)
        self._edit.offer(view.typed or view.input_text, view.problem)
        self._open_edit.setVisible(bool(view.input_text))
        self._show_page(self._edit if view.problem else self._answers)

    def mend_input(self) -> None:
        """Bring the keyboard to the input that could not be taken."""
        self._edit.begin()

    @property
    def is_scrolled_by_key(self) -> bool:
        """Whether the keyboard is at the button that goes once everything was seen."""
        return self._unseen.hasFocus()

    def set_read(self, is_read: bool) -> None:
        """Offer Allow only when everything was seen, else say how to get there.

        Whoever scrolls by clicking must not allow with the same series of clicks.
        """
        if is_read and not self._allow.isEnabled():
            self._arming.restart()
        self._allow.setEnabled(is_read)
        self._always.setVisible(is_read and self._has_rules)
        self._unseen.setVisible(not is_read)

    def _make_buttons(self, theme: Theme) -> None:
        arming = self._arming
        self._allow = AnswerButton(self.tr("Allow once"), "primary", theme, arming)
        self._always = AnswerButton(self.tr("Always allow…"), "secondary", theme, arming)
        self._open_edit = AnswerButton(self.tr("Edit"), "quiet", theme, arming)
        self._open_words = AnswerButton(self.tr("Answer instead…"), "quiet", theme, arming)
        self._open_reason = AnswerButton(self.tr("Deny…"), "danger", theme, arming)
        self._unseen = push_button(
            self.tr("Scroll through all of it to allow"),
            "quiet",
            theme,
            icon="arrow-down",
            elides=True,
        )
        set_plain_tooltip(self._unseen, self._unseen.accessibleName())

    def _answers_row(self) -> QWidget:
        page = QWidget()
        row = Flow(page)
        row.setContentsMargins(14, 8, 14, 14)
        row.add(self._allow)
        row.add(self._always)
        row.add(self._unseen)
        row.add(self._open_edit)
        row.add(self._open_words)
        row.add_gap()
        row.add(self._open_reason)
        return page

    def _offer_rules(self, rules: Sequence[str]) -> None:
        self._has_rules = bool(rules)
        for action in self._menu.actions():
            self._menu.removeAction(action)
            action.deleteLater()
        for number, words in enumerate(rules):
            action = QAction(button_text(words), self._menu)
            action.setData(number)
            self._menu.addAction(action)
        self._always.setVisible(self._has_rules and self._allow.isEnabled())

    def _connect(self) -> None:
        self._allow.answered.connect(self.allowed)
        self._always.answered.connect(self._on_always_answered)
        self._menu.triggered.connect(self._on_menu_triggered)
        self._unseen.clicked.connect(self.scroll_requested)
        self._open_edit.answered.connect(self._on_open_edit_answered)
        self._open_words.answered.connect(self._on_open_words_answered)
        self._open_reason.answered.connect(self._on_open_reason_answered)
        self._reason.left.connect(self._on_reason_left)
        self._words.left.connect(self._on_words_left)
        self._edit.left.connect(self._on_edit_left)
        self._reason.entered.connect(self.denied)
        self._reason.entered_for_good.connect(self.forbidden)
        self._words.entered.connect(self.answered_instead)
        self._edit.entered.connect(self.edited)

    def _show_page(self, shown: QWidget) -> None:
        pages = (self._answers, self._reason, self._words, self._edit)
        for page in pages:
            if page is not shown:
                page.hide()
        shown.show()
        self.page_changed.emit()

    def _on_always_answered(self) -> None:
        above = QPoint(0, -self._menu.sizeHint().height())
        self._menu.popup(self._always.mapToGlobal(above))

    def _on_menu_triggered(self, action: QAction) -> None:
        self.rule_requested.emit(int(action.data()))

    def _on_open_edit_answered(self) -> None:
        self._show_page(self._edit)
        self._edit.begin()

    def _on_open_words_answered(self) -> None:
        self._show_page(self._words)
        self._words.begin()

    def _on_open_reason_answered(self) -> None:
        self._show_page(self._reason)
        self._reason.begin()

    def _on_reason_left(self) -> None:
        self._go_back(self._open_reason)

    def _on_words_left(self) -> None:
        self._go_back(self._open_words)

    def _on_edit_left(self) -> None:
        self._go_back(self._open_edit)

    def _go_back(self, button: AnswerButton) -> None:
        self._show_page(self._answers)
        button.setFocus(Qt.FocusReason.OtherFocusReason)
