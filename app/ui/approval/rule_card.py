"""`RuleCard` makes a rule in the approval dock and tries it on past calls before it is saved.

`RuleHeader` is its top, and also that of the cards on which a result waits or a reply pauses.
`RuleChoices` chooses what the rule leaves out and for how long it holds. `TrialList` shows the
past calls that the rule was tried on, with what the rule makes of each.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.approvals.rule_simulation import SimulatedVerdict
from app.approvals.visible_text import escape_invisible
from app.ui.approval.answer_button import AnswerButton, EscapeFilter, InteractionDelay
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, set_role
from app.ui.widgets.buttons import IconLabel, push_button, set_button_text
from app.ui.widgets.chips import Chip, ChoiceChip
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label, set_plain_tooltip, spoken
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import RoundedFrame, hairline
from app.viewmodels.approval.rule_texts import RulePageView, TrialRow


class RuleChoices(QWidget):
    """Chips for exceptions and span. Made by the page on which a rule is made."""

    exception_added = Signal(str)
    """The person added an exception; argument: its path below the folder."""
    exception_removed = Signal(str)
    """The person removed an exception; argument: its path below the folder."""
    span_chosen = Signal(str)
    """The person chose how long the rule holds; argument: the key of the span."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._exceptions: dict[str, Chip] = {}
        self._add = Chip(theme, self.tr("Exception"), "", icon="plus")
        self._add.setAccessibleName(self.tr("Add exception"))
        self._path = LineEdit()
        self._path.setPlaceholderText(self.tr("A file or folder inside, such as private/"))
        self._path.setAccessibleName(self.tr("Path of the exception"))
        self._path.hide()
        self._span = ChoiceChip(theme, self.tr("How long"))
        self._chips = QWidget()
        self._row = FlowLayout(self._chips)
        self._lay_out_row()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._chips)
        column.addWidget(self._path)
        self._add.clicked.connect(self._on_add_clicked)
        self._path.returnPressed.connect(self._on_path_entered)
        EscapeFilter(self._path).given_up.connect(self._on_path_given_up)
        self._span.chosen.connect(self.span_chosen)

    def show_view(self, view: RulePageView) -> None:
        """Show what is chosen."""
        self._add.setVisible(view.can_except)
        if not view.can_except:
            self._path.hide()
        if tuple(self._exceptions) != view.exceptions:
            self._show_exceptions(view.exceptions)
        self._span.offer(view.spans)
        self._span.show_value(view.span)

    def start_over(self) -> None:
        """Another rule: nothing is typed."""
        self._path.clear()
        self._path.hide()

    def _show_exceptions(self, exceptions: tuple[str, ...]) -> None:
        for chip in self._exceptions.values():
            chip.setParent(None)
            chip.deleteLater()
        self._exceptions = {path: self._exception(path) for path in exceptions}
        self._lay_out_row()

    def _lay_out_row(self) -> None:
        while self._row.takeAt(0) is not None:
            pass
        self._row.add(*self._exceptions.values(), self._add, self._span)
        self._theme.fit(self._chips)

    def _exception(self, path: str) -> Chip:
        words = self.tr("Except {path}").format(path=one_line(path))
        chip = Chip(self._theme, words, "", icon="x")
        chip.setAccessibleName(self.tr("Remove exception {path}").format(path=one_line(path)))
        chip.setProperty("path", path)
        chip.clicked.connect(self._on_exception_clicked)
        return chip

    def _on_exception_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Chip):
            self.exception_removed.emit(str(sender.property("path")))

    def _on_add_clicked(self) -> None:
        self._path.show()
        self._path.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_path_entered(self) -> None:
        text = self._path.text()
        self.start_over()
        self.exception_added.emit(text)

    def _on_path_given_up(self) -> None:
        self.start_over()
        self._add.setFocus(Qt.FocusReason.OtherFocusReason)


_SPACING_PX: Final = 10
_ICON_SIDE_PX: Final = 18


class RuleHeader(QWidget):
    """Shows a question, and a few words on the right. Made by what it is the top of."""

    def __init__(self, theme: Theme, icon: str = "shield-check") -> None:
        super().__init__()
        self._question = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._effect = plain_label("", theme, size="small", weight=Weight.Medium, ink="warn")
        row = FlowLayout(self, spacing_px=_SPACING_PX)
        row.setContentsMargins(14, 11, 14, 11)
        row.add(IconLabel(icon, theme, "warn", _ICON_SIDE_PX))
        row.add(self._question, grows=True)
        row.add(self._effect)

    def show_words(self, question: str, effect: str) -> None:
        """Show this question."""
        self._question.setText(escape_invisible(question, breaks_lines=False))
        self._effect.setText(escape_invisible(effect, breaks_lines=False))
        self._effect.setVisible(bool(effect))


_LIST_RADIUS: Final = 8
_MOST_ROWS: Final = 40
_CALL_ICON_SIDE_PX: Final = 15
_LOOKS: Final[dict[SimulatedVerdict, tuple[str, Token, Token, Token]]] = {
    SimulatedVerdict.RUNS: ("check", "good", "ink", "ink-3"),
    SimulatedVerdict.RUNS_DENIED: ("triangle-alert", "bad", "ink", "bad"),
    SimulatedVerdict.ASKS: ("minus", "ink-3", "ink-2", "ink-3"),
}


class TrialList(RoundedFrame):
    """One line a call. Hidden while there is none. Made by what shows a rule."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _LIST_RADIUS)
        self._rows: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self.hide()

    def show_rows(self, rows: Sequence[TrialRow]) -> None:
        """Show these calls; of very many the first."""
        if self._rows is not None:
            self._rows.setParent(None)
            self._rows.deleteLater()
        self._rows = QWidget()
        column = QVBoxLayout(self._rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for number, row in enumerate(rows[:_MOST_ROWS]):
            if number:
                column.addWidget(hairline())
            column.addWidget(self._row(row))
        more = len(rows) - _MOST_ROWS
        if more > 0:
            words = self.tr("And %n more like these", "", more)
            column.addWidget(hairline())
            column.addWidget(self._more(words))
        self._theme.fit(self._rows)
        self._column.addWidget(self._rows)
        self.setVisible(bool(rows))

    def _row(self, row: TrialRow) -> QWidget:
        icon, tint, ink, remark_ink = _LOOKS[row.verdict]
        widget = QWidget()
        line = FlowLayout(widget)
        line.setContentsMargins(14, 8, 14, 8)
        words = plain_label(one_line(row.words), self._theme, ink=ink, elides=True, is_code=True)
        set_plain_tooltip(words, row.words)
        line.add(IconLabel(icon, self._theme, tint, _CALL_ICON_SIDE_PX))
        line.add(words, grows=True)
        remark = one_line(row.remark)
        line.add(plain_label(remark, self._theme, size="small", ink=remark_ink, wraps=True))
        return widget

    def _more(self, words: str) -> QWidget:
        label = plain_label(words, self._theme, size="small", ink="ink-3", wraps=True)
        label.setContentsMargins(14, 8, 14, 8)
        return label


_CARD_RADIUS: Final = 10
_LINE: Final = 1
_LEAST_BODY_PX: Final = 48
_SENTENCE_CHARS: Final = 2000


class RuleCard(RoundedFrame):
    """Shows what a rule would cover and what it would have let through, and keeps it on purpose.

    Made by the dock; what it shows comes from `RulePage`.
    """

    saved = Signal()
    """The person wants the rule, and the call that waits to run."""
    left = Signal()
    """The person wants the card back."""
    exception_added = Signal(str)
    """The person added an exception; argument: its path below the folder."""
    exception_removed = Signal(str)
    """The person removed an exception; argument: its path below the folder."""
    span_chosen = Signal(str)
    """The person chose how long the rule holds; argument: the key of the span."""
    laid_out = Signal()
    """The page may want another height."""

    def __init__(self, theme: Theme, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(theme, _CARD_RADIUS, line="warn-line")
        # Not the role Grouping: screen readers would read some of its text unasked, then again.
        set_role(self, QAccessible.Role.Section)
        self._view: RulePageView | None = None
        self._description = ""
        self._arming = InteractionDelay(self, clock)
        self._header = RuleHeader(theme)
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._trial = plain_label("", theme, size="secondary", weight=Weight.DemiBold, wraps=True)
        self._calls = push_button(self.tr("Show calls"), "quiet", theme)
        self._calls.setProperty("edge", "right")
        self._shows_calls = False
        self._trials = TrialList(theme)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._choices = RuleChoices(theme)
        self._save = AnswerButton(self.tr("Save rule and allow"), "primary", theme, self._arming)
        self._back = AnswerButton(self.tr("Back"), "quiet", theme, self._arming)
        self._column = QVBoxLayout(self)
        self._page = QWidget()
        self._body = QScrollArea()
        self._foot = QWidget()
        self._lay_out()
        self._connect()

    def show_view(self, view: RulePageView) -> None:
        """Show this rule as it is chosen and tried now."""
        before, self._view = self._view, view
        # Not the question, which also changes with the span: what was typed would be lost.
        if before is None or (before.generation, before.words) != (view.generation, view.words):
            self._choices.start_over()
            self._shows_calls = False
            self._body.verticalScrollBar().setValue(0)
        self._header.show_words(view.question, view.effect_words)
        self.setAccessibleName(view.question)
        self._words.setText(one_line(view.words, _SENTENCE_CHARS))
        trying = self.tr("Trying the rule on past calls…")
        self._trial.setText(view.trial_words or trying)
        self._describe(view)
        self._show_calls()
        self._problem.setText(spoken(view.problem) if view.problem else "")
        self._problem.setVisible(view.problem is not None)
        self._choices.show_view(view)
        self._save.setEnabled(not view.is_trying)
        self._arming.restart()
        self.laid_out.emit()

    def disturb(self) -> None:
        """Start the delay of the answers again, as something was over the page."""
        self._arming.restart()

    def wanted_height(self, width: int) -> int:
        """Return the height at which nothing needs to scroll."""
        inside = width - 2 * self._theme.px(_LINE)
        header, foot = self._header.heightForWidth(inside), self._foot.heightForWidth(inside)
        return header + foot + 2 * self._theme.px(_LINE) + self._page.heightForWidth(inside)

    def least_height(self, width: int) -> int:
        """Return the height at which the answers are there, and some lines to scroll through."""
        foot = self._foot.heightForWidth(width - 2 * self._theme.px(_LINE))
        return foot + 2 * self._theme.px(_LINE) + self._theme.px(_LEAST_BODY_PX)

    def take_focus(self) -> None:
        """Bring the keyboard to what was tried, from where Tab leads to the answers."""
        self._body.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        """Hide the question where it would leave too little room for what is read."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._place_header()
        return is_done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell when what scrolls wants another height; describe it anew to who comes back."""
        if watched is self._page and event.type() is QEvent.Type.LayoutRequest:
            self.laid_out.emit()
        if watched is self._body and event.type() is QEvent.Type.FocusIn:
            self._body.setAccessibleDescription(self._description)
        return super().eventFilter(watched, event)

    def _show_calls(self) -> None:
        """List the calls that the person denied, for they argue against it; others on request."""
        trials = self._view.trials if self._view else ()
        denied = tuple(t for t in trials if t.verdict is SimulatedVerdict.RUNS_DENIED)
        self._trials.show_rows(trials if self._shows_calls else denied)
        words = self.tr("Hide calls") if self._shows_calls else self.tr("Show calls")
        set_button_text(self._calls, words)
        self._calls.setVisible(len(trials) > len(denied))

    def _on_calls_clicked(self) -> None:
        self._shows_calls = not self._shows_calls
        self._show_calls()
        # The answers may have moved.
        self._arming.restart()
        self.laid_out.emit()

    def _lay_out(self) -> None:
        page = QVBoxLayout(self._page)
        page.setContentsMargins(14, 10, 14, 4)
        page.setSpacing(8)
        tried = QWidget()
        row = FlowLayout(tried)
        row.setContentsMargins(0, 0, 0, 0)
        row.add(self._trial, grows=True)
        row.add(self._calls)
        for widget in (self._words, tried, self._trials, self._problem, self._choices):
            page.addWidget(widget)
        page.addStretch(1)
        self._body.setWidgetResizable(True)
        self._body.setFrameShape(QFrame.Shape.NoFrame)
        self._body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body.setAccessibleName(self.tr("What the rule would have allowed"))
        self._body.setWidget(self._page)
        self._body.viewport().setAutoFillBackground(False)
        self._page.setAutoFillBackground(False)
        self._page.installEventFilter(self)
        self._body.installEventFilter(self)
        buttons = FlowLayout(self._foot)
        buttons.setContentsMargins(14, 8, 14, 14)
        buttons.add(self._save, self._back)
        self._column.setContentsMargins(_LINE, _LINE, _LINE, _LINE)
        self._column.setSpacing(0)
        self._column.addWidget(self._header)
        self._column.addWidget(self._body, 1)
        self._column.addWidget(self._foot)

    def _describe(self, view: RulePageView) -> None:
        """Describe the page to screen readers, and announce what trying it has led to."""
        trial = self._trial.text()
        words = (view.question, self._words.text(), view.effect_words, trial)
        before, self._description = self._description, "\n".join(filter(None, words))
        if not self._body.hasFocus():
            self._body.setAccessibleDescription(self._description)
        elif before != self._description:
            # Announce what is new alone: a new description would be read from its start.
            announce(self._body, trial)

    def _place_header(self) -> None:
        """Keep the question in sight on its coloured band, unless there is no room for it."""
        header = self._header.heightForWidth(self.width() - 2 * self._theme.px(_LINE))
        is_short = self.height() < header + self.least_height(self.width())
        if is_short != self._header.isHidden():
            self._header.setHidden(is_short)
            self._column.activate()
        self.set_band("warn-soft", 0 if is_short else header + self._theme.px(_LINE))

    def _connect(self) -> None:
        self._arming.watch(self._body)
        self._calls.clicked.connect(self._on_calls_clicked)
        self._save.answered.connect(self.saved)
        self._back.answered.connect(self.left)
        self._choices.exception_added.connect(self.exception_added)
        self._choices.exception_removed.connect(self.exception_removed)
        self._choices.span_chosen.connect(self.span_chosen)
