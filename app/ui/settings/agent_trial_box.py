"""`AgentTrialPane` is the try-out beside the editor of an agent."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import IconLabel, icon_button, push_button
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.marks import AgentMark, Mark
from app.ui.widgets.surfaces import RoundedFrame, set_card, set_surface
from app.viewmodels.settings.trial_run import (
    AgentTrialViewModel,
    TrialRowKind,
    TrialRunRow,
    TrialView,
)

_LINES: Final = 400
_RADIUS_PX: Final = 10


class AgentTrialPane(QWidget):
    """Asks the agent as it is edited, and shows what it says. Made by the editor."""

    def __init__(self, theme: Theme, trial: AgentTrialViewModel) -> None:
        super().__init__()
        self._theme = theme
        self._trial = trial
        self._shown: tuple[TrialRunRow, ...] = ()
        self._mark = Mark("")
        set_surface(self, "panel")
        self._again = push_button(self.tr("Start over"), "quiet", theme, icon="refresh-cw")
        self._again.clicked.connect(trial.start_over)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._wait = plain_label(self.tr("Thinking…"), theme, size="small", ink="ink-2")
        self._rows = QWidget()
        self._column = QVBoxLayout(self._rows)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self._edit = LineEdit()
        self._edit.setFont(theme.font("secondary"))
        self._edit.returnPressed.connect(self._on_edit_return_pressed)
        self._send = icon_button("arrow-up", self.tr("Ask"), theme)
        self._send.clicked.connect(self._on_edit_return_pressed)
        self._lay_out()
        self.show_mark(self._mark)
        trial.changed.connect(self._show)
        self._show(trial.view)

    def show_mark(self, mark: Mark) -> None:
        """Show the name and mark of the agent that is tried out."""
        self._mark = mark
        name = one_line(mark.name)
        words = self.tr("Ask {name} something").format(name=name) if name else self.tr("Ask it")
        self._edit.setPlaceholderText(words)
        self._edit.setAccessibleName(words)

    def _lay_out(self) -> None:
        theme = self._theme
        head = QHBoxLayout()
        title = plain_label(self.tr("Try it out"), theme, weight=Weight.DemiBold)
        head.addWidget(title, 1)
        head.addWidget(self._again)
        words = self.tr("Not kept; tools only say what they would do.")
        note = plain_label(words, theme, size="small", ink="ink-2", wraps=True)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._rows)
        self._scroll.setAccessibleName(self.tr("Try it out"))
        for ground in (self._rows, self._scroll.viewport()):
            ground.setAutoFillBackground(False)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._on_bar_range_changed)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addWidget(self._edit, 1)
        foot.addWidget(self._send)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 16)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(note)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._wait)
        column.addWidget(self._problem)
        column.addLayout(foot)

    def _show(self, view: TrialView) -> None:
        # Only from the first change on: while a reply streams, that is its last row.
        same = 0
        while same < min(len(self._shown), len(view.rows)) and (
            self._shown[same] == view.rows[same]
        ):
            same += 1
        while self._column.count() - 1 > same:
            item = self._column.takeAt(self._column.count() - 2)
            if item and (widget := item.widget()):
                widget.hide()
                widget.deleteLater()
        for row in view.rows[same:]:
            self._column.insertWidget(self._column.count() - 1, self._widget_of(row))
        self._shown = view.rows
        self._wait.setVisible(view.is_asking)
        self._problem.setText(breakable(one_line(view.problem)))
        self._problem.setVisible(bool(view.problem))
        self._send.setEnabled(not view.is_asking)
        self._again.setEnabled(bool(view.rows) or view.is_asking)

    def _widget_of(self, row: TrialRunRow) -> QWidget:
        theme = self._theme
        match row.kind:
            case TrialRowKind.QUESTION:
                return _bubble(theme, row.text)
            case TrialRowKind.CALL:
                return _call(theme, row, self.tr("would ask"))
            case TrialRowKind.NOTE:
                return plain_label(row.text, theme, size="small", ink="ink-2", wraps=True)
            case _:
                return self._reply(row.text)

    def _reply(self, text: str) -> QWidget:
        whole = QWidget()
        mark = AgentMark(self._theme)
        mark.show_mark(self._mark)
        name = plain_label(one_line(self._mark.name), self._theme, weight=Weight.DemiBold)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(mark)
        head.addWidget(name, 1)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(_text(self._theme, text))
        return whole

    def _on_edit_return_pressed(self) -> None:
        if not self._trial.view.is_asking and self._edit.text().strip():
            self._trial.ask(self._edit.text())
            self._edit.clear()

    def _on_bar_range_changed(self, _least: int, most: int) -> None:
        # Here, since the end is not known before the new rows are laid out.
        self._scroll.verticalScrollBar().setValue(most)


def _text(theme: Theme, text: str) -> QWidget:
    # A reply without end is not worth drawing: its beginning shows how the agent writes.
    lines = text.strip("\n").split("\n")[:_LINES]
    shown = "\n".join(breakable(one_line(line, 2000)) for line in lines)
    label = plain_label(shown, theme, size="secondary", wraps=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _bubble(theme: Theme, text: str) -> QWidget:
    bubble = RoundedFrame(theme, _RADIUS_PX, ground="bubble", line="bubble")
    column = QVBoxLayout(bubble)
    column.setContentsMargins(12, 8, 12, 8)
    column.addWidget(_text(theme, text))
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(48, 0, 0, 0)
    row.addWidget(bubble)
    return whole


def _call(theme: Theme, row: TrialRunRow, would_ask: str) -> QWidget:
    card = QFrame()
    set_card(card, "plain")
    line = QHBoxLayout(card)
    line.setContentsMargins(12, 8, 12, 8)
    line.setSpacing(8)
    line.addWidget(IconLabel("wrench", theme))
    title = plain_label(one_line(row.text), theme, size="secondary", weight=Weight.DemiBold)
    line.addWidget(title)
    line.addWidget(plain_label(one_line(row.target), theme, size="small", elides=True), 1)
    line.addWidget(plain_label(would_ask, theme, size="small", ink="ink-2"))
    return card
