"""`AgentTrialPane` is the try-out beside the editor of an agent."""

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QUrl
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chat.items import (
    Inserted,
    Item,
    Notice,
    Removed,
    Replaced,
    ReplyPart,
    SendState,
    Tone,
    UserMessage,
)
from app.common.error_messages import ErrorMessage
from app.ui.composer.square_button import SquareButton
from app.ui.link_dialog import LinkDialog
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.buttons import push_button
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.marks import Mark
from app.ui.widgets.surfaces import set_surface
from app.ui.widgets.system_dialogs import open_by_system
from app.viewmodels.rows import RowsModel
from app.viewmodels.settings.trial_run import (
    AgentTrialViewModel,
    TrialRowKind,
    TrialView,
)

_WOULD_ASK: Final = QT_TRANSLATE_NOOP("ErrorMessage", "Would ask to run: {tool} {target}")


class AgentTrialPane(QWidget):
    """Asks the agent as it is edited, and shows what it says as a chat does.

    Made by the editor.
    """

    def __init__(self, theme: Theme, trial: AgentTrialViewModel) -> None:
        super().__init__()
        self._theme = theme
        self._trial = trial
        self._mark = Mark("")
        set_surface(self, "bg")
        self._again = push_button(self.tr("Start over"), "quiet", theme, icon="refresh-cw")
        self._again.clicked.connect(trial.start_over)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._wait = plain_label(self.tr("Thinking…"), theme, size="small", ink="ink-2")
        self._items: RowsModel[Item] = RowsModel(lambda item: item.key, self)
        self._view = TranscriptView(
            self._items,
            theme,
            tool_icon=lambda _name: "wrench",
            agent_mark=lambda _name: self._mark,
            stays_here=True,
        )
        self._link_dialog = LinkDialog(theme, self)
        self._view.link_activated.connect(self._link_dialog.ask)
        self._link_dialog.confirmed.connect(self._on_link_confirmed)
        self._edit = LineEdit()
        self._edit.setFont(theme.font("secondary"))
        self._edit.returnPressed.connect(self._on_edit_return_pressed)
        self._send = SquareButton("arrow-up", self.tr("Ask"), theme)
        self._send.clicked.connect(self._on_edit_return_pressed)
        self._lay_out()
        self.show_mark(self._mark)
        trial.changed.connect(self._show)
        self._show(trial.view)

    def show_mark(self, mark: Mark) -> None:
        """Show the name and mark of the agent that is tried out."""
        self._mark = mark
        name = one_line(mark.name)
        words = (
            self.tr("Ask {name} something").format(name=name)
            if name
            else self.tr("Ask the agent something")
        )
        self._edit.setPlaceholderText(words)
        self._edit.setAccessibleName(words)

    def _lay_out(self) -> None:
        theme = self._theme
        head = QHBoxLayout()
        title = plain_label(self.tr("Try it out"), theme, weight=Weight.DemiBold)
        head.addWidget(title, 1)
        head.addWidget(self._again)
        words = self.tr("Not saved. Tools do not run here; they only show what they would do.")
        note = plain_label(words, theme, size="small", ink="ink-2", wraps=True)
        self._view.setAccessibleName(self.tr("Try it out"))
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addWidget(self._edit, 1)
        foot.addWidget(self._send)
        above, below = QVBoxLayout(), QVBoxLayout()
        above.setContentsMargins(16, 12, 16, 0)
        below.setContentsMargins(16, 0, 16, 16)
        above.addLayout(head)
        above.addWidget(note)
        below.addWidget(self._wait)
        below.addWidget(self._problem)
        below.addLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(above)
        column.addWidget(self._view, 1)
        column.addLayout(below)

    def _show(self, view: TrialView) -> None:
        self._show_items([_item(view, number, self._mark.name) for number in range(len(view.rows))])
        self._wait.setVisible(view.is_asking)
        self._problem.setText(breakable(one_line(view.problem)))
        self._problem.setVisible(bool(view.problem))
        self._send.setEnabled(not view.is_asking)
        self._again.setEnabled(bool(view.rows) or view.is_asking)

    def _show_items(self, items: list[Item]) -> None:
        """Show these: a reply that goes on is a later state of its row."""
        before = self._items.rows
        for row, (old, new) in enumerate(zip(before, items, strict=False)):
            if old != new:
                self._items.mirror(Replaced(row), items)
        if len(items) < len(before):
            self._items.mirror(Removed(len(items), len(before) - len(items)), items)
        elif len(items) > len(before):
            self._items.mirror(Inserted(len(before), len(items) - len(before)), items)

    def _on_edit_return_pressed(self) -> None:
        # The button is disabled meanwhile, but Return comes here, too.
        if not self._trial.view.is_asking and self._edit.text().strip():
            self._trial.ask(self._edit.text())
            self._edit.clear()

    def _on_link_confirmed(self, address: str) -> None:
        open_by_system(QUrl(address))


def _item(view: TrialView, number: int, agent: str) -> Item:
    """Return a row of the try-out as a chat has it."""
    row = view.rows[number]
    key = f"{row.kind.value}:{number}"
    match row.kind:
        case TrialRowKind.QUESTION:
            return UserMessage(key, row.text, SendState.SENT, None)
        case TrialRowKind.CALL:
            values = {"tool": row.text, "target": row.target}
            return Notice(key, Tone.INFO, ErrorMessage(str(_WOULD_ASK), values))
        case TrialRowKind.NOTE:
            return Notice(key, Tone.INFO, ErrorMessage(row.text))
        case _:
            before = view.rows[number - 1].kind if number else None
            is_last = number == len(view.rows) - 1
            return ReplyPart(
                key,
                row.text,
                None,
                agent,
                shows_agent=before is not TrialRowKind.CALL,
                is_streaming=is_last and view.is_asking,
                created_at=None,
            )
