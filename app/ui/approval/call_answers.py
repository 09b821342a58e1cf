"""`CardAnswers` shows the answers to a call: allow, always allow, edit, answer instead, or deny.

Answers that need typing have pages of their own, which `CardAnswers` makes: `EditPage` changes the
input of the call as JSON, and `LinePage` takes one line, the reason for a denial or an answer
instead.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.ui.approval.answer_button import AnswerButton, EscapeFilter, InteractionDelay
from app.ui.theme import Theme
from app.ui.widgets.buttons import Kind, push_button
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import button_text, one_line, plain_label, set_plain_tooltip
from app.ui.widgets.menus import make_menu
from app.viewmodels.approval.call_texts import CardView

_LINES: Final = 6
_SPARE_PX: Final = 14


class InputEdit(QPlainTextEdit):
    """Edits the input as text, a few lines high. Tab moves the focus on and types no tab."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFont(theme.mono())
        self.setProperty("field", "code")
        self.setTabChangesFocus(True)

    def sizeHint(self) -> QSize:
        """Ask for a few lines."""
        lines = self.fontMetrics().lineSpacing() * _LINES
        return QSize(super().sizeHint().width(), lines + self._theme.px(_SPARE_PX))

    def minimumSizeHint(self) -> QSize:
        """Never get lower than these lines."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


class EditPage(QWidget):
    """The input to change, a way back, and a button that shows the call with it.

    Nothing is allowed here: what was typed is checked, and asked about anew. Made by
    `CardAnswers`.
    """

    entered = Signal(str)
    """The person wants to see the call with this input."""
    left = Signal()
    """The person wants the other answers back."""

    def __init__(self, theme: Theme, arming: InteractionDelay) -> None:
        super().__init__()
        self._edit = InputEdit(theme)
        self._edit.setAccessibleName(self.tr("Input"))
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, arming)
        self._show = AnswerButton(self.tr("Review change"), "primary", theme, arming)
        arming.watch(self._edit)
        buttons = QWidget()
        row = FlowLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.add(self._show)
        row.add_gap()
        row.add(self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 14)
        column.setSpacing(8)
        column.addWidget(self._edit)
        column.addWidget(self._problem)
        column.addWidget(buttons)
        EscapeFilter(self._edit).given_up.connect(self.left)
        self._back.answered.connect(self.left)
        self._show.answered.connect(self._on_show_answered)

    def offer(self, text: str, problem: str) -> None:
        """Show `text` for editing, and `problem`, why the last edit was refused; empty for none."""
        if self._edit.toPlainText() != text:
            self._edit.setPlainText(text)
        self._problem.setText(one_line(problem))
        self._problem.setVisible(bool(problem))

    def begin(self) -> None:
        """Bring the keyboard to the text; the person asked for it."""
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_show_answered(self) -> None:
        self.entered.emit(self._edit.toPlainText())


_LONGEST: Final = 2000


class LinePage(QWidget):
    """A line, the answer that it belongs to, and a way back. Made by `CardAnswers`.

    `for_good` are the words of an answer that holds for what comes later, too; empty for none.
    """

    entered = Signal(str)
    """The person answers with this text."""
    entered_for_good = Signal(str)
    """The person answers with this text, and does not want to be asked again."""
    left = Signal()
    """The person wants the other answers back."""

    def __init__(
        self,
        theme: Theme,
        arming: InteractionDelay,
        hint: str,
        name: str,
        answer: tuple[str, Kind],
        *,
        for_good: str = "",
    ) -> None:
        super().__init__()
        self._arming = arming
        self._needs_words = False
        self._line = LineEdit()
        self._line.setMaxLength(_LONGEST)
        self._line.setPlaceholderText(hint)
        self._line.setAccessibleName(name)
        self._line.setProperty("field", "answer")
        self._answer = AnswerButton(*answer, theme, arming)
        arming.watch(self._line)
        row = FlowLayout(self)
        row.setContentsMargins(14, 8, 14, 14)
        row.add(self._line, grows=True)
        row.add(self._answer)
        if for_good:
            button = AnswerButton(for_good, "quiet", theme, arming)
            button.answered.connect(self._on_for_good_answered)
            row.add(button)
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, arming)
        row.add(self._back)
        self._line.returnPressed.connect(self._on_line_return_pressed)
        EscapeFilter(self._line).given_up.connect(self.left)
        self._back.answered.connect(self.left)
        self._answer.answered.connect(self._enter)

    def need_words(self) -> None:
        """Take no answer without words."""
        self._needs_words = True
        self._answer.setEnabled(False)
        self._line.textChanged.connect(self._on_line_text_changed)

    def begin(self) -> None:
        """Bring the keyboard to the line; the person asked for it."""
        self._line.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        """Forget what was typed."""
        self._line.clear()

    def _on_line_text_changed(self, text: str) -> None:
        self._answer.setEnabled(bool(text.strip()))

    def _on_line_return_pressed(self) -> None:
        if self._arming.is_armed:
            self._enter()

    def _on_for_good_answered(self) -> None:
        self.entered_for_good.emit(self._line.text().strip())

    def _enter(self) -> None:
        words = self._line.text().strip()
        if words or not self._needs_words:
            self.entered.emit(words)


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

    def __init__(
        self, theme: Theme, arming: InteractionDelay, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._arming = arming
        self._has_rules = False
        self._make_buttons(theme)
        self._menu = make_menu(self, self.tr("Always allow"), theme)
        self._reason = LinePage(
            theme,
            arming,
            self.tr("Reason (optional, sent to the assistant)"),
            self.tr("Reason for denying"),
            (self.tr("Deny"), "danger"),
            for_good=self.tr("Deny this tool in this chat"),
        )
        self._words = LinePage(
            theme,
            arming,
            self.tr("What the assistant receives instead of a result"),
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
        if is_read:
            # First, since the line may have no room for both: the card would become higher.
            self._unseen.hide()
        self._always.setVisible(is_read and self._has_rules)
        self._unseen.setVisible(not is_read)

    def _make_buttons(self, theme: Theme) -> None:
        arming = self._arming
        self._allow = AnswerButton(self.tr("Allow once"), "primary", theme, arming)
        self._always = AnswerButton(
            self.tr("Always allow…"), "secondary", theme, arming, opens=True
        )
        self._open_edit = AnswerButton(self.tr("Edit"), "quiet", theme, arming)
        self._open_words = AnswerButton(self.tr("Answer instead…"), "quiet", theme, arming)
        self._open_reason = AnswerButton(self.tr("Deny…"), "danger", theme, arming)
        self._unseen = push_button(
            self.tr("Scroll to the end to allow"),
            "quiet",
            theme,
            icon="arrow-down",
            elides=True,
        )
        set_plain_tooltip(self._unseen, self._unseen.accessibleName())

    def _answers_row(self) -> QWidget:
        page = QWidget()
        row = FlowLayout(page)
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
            # The menu owns its actions: taking them out does not delete them.
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
        # Upwards, as the card stands at the foot of the window.
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
        # What had the keyboard is hidden with its page.
        button.setFocus(Qt.FocusReason.OtherFocusReason)
