"""The group of the settings about newer versions: asked for, described, and got by the person."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.approvals.reveal import reveal
from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import plain_label
from app.ui.parts.stacking import stack
from app.ui.setup.lines import lines_field
from app.ui.setup.outcome import Outcome
from app.ui.setup.segments import Segments
from app.ui.theme import Theme
from app.viewmodels.settings.updates import UpdateState, UpdatesViewModel, UpdateView

_NOTES_HEIGHT_PX: Final = 120
_ON, _OFF = "on", "off"


class UpdatesGroup(QWidget):
    """Says what is known of newer versions. Made by the section about the program."""

    page_requested = Signal(str)
    """The page of a newer version should be offered to the person; argument: its address."""

    def __init__(self, theme: Theme, updates: UpdatesViewModel) -> None:
        super().__init__()
        self._updates = updates
        self._outcome = Outcome(theme)
        words = self.tr("What is new")
        self._notes = lines_field(theme, words, _NOTES_HEIGHT_PX, is_exact=False)
        self._look = push_button(
            self.tr("Look for a newer version"), "secondary", theme, icon="refresh-cw"
        )
        self._page = push_button(self.tr("Open its page…"), "secondary", theme, icon="globe")
        title, on, off = self.tr("Look at each start"), self.tr("On"), self.tr("Off")
        self._wished = plain_label(title, theme, wraps=True)
        self._switch = Segments(
            theme, {_ON: (on, f"{title}: {on}"), _OFF: (off, f"{title}: {off}")}
        )
        self._lay_out()
        self._look.clicked.connect(updates.look)
        self._page.clicked.connect(self._on_page_clicked)
        self._switch.chosen.connect(self._on_switch_chosen)
        updates.changed.connect(self._show)
        self._show(updates.view)

    def _lay_out(self) -> None:
        row = Flow()
        row.add(self._look, self._page)
        self._wish = QWidget()
        wish = Flow(self._wish, spacing_px=6)
        wish.setContentsMargins(0, 0, 0, 0)
        wish.add(self._wished, grows=True)
        wish.add(self._switch)
        stack(self, 10, self._outcome, self._notes, row, self._wish)

    def _show(self, view: UpdateView) -> None:
        match view.state:
            case UpdateState.CURRENT | UpdateState.NEWER:
                self._outcome.show_words(view.words, "")
            case UpdateState.FAILED | UpdateState.DAMAGED:
                self._outcome.show_words("", view.words)
            case _:
                self._outcome.show_words("", "", view.words)
        self._notes.setPlainText("\n".join(map(reveal, view.notes.split("\n"))))
        self._notes.setVisible(bool(view.notes))
        self._page.setVisible(bool(view.link))
        can_ask = view.state not in (UpdateState.UNSET, UpdateState.DAMAGED)
        self._look.setVisible(can_ask)
        self._look.setEnabled(view.state is not UpdateState.LOOKING)
        self._wish.setVisible(can_ask)
        self._switch.show_value(_ON if self._updates.is_at_start else _OFF)

    def _on_page_clicked(self) -> None:
        self.page_requested.emit(self._updates.view.link)

    def _on_switch_chosen(self, value: str) -> None:
        self._updates.choose_at_start(value == _ON)
