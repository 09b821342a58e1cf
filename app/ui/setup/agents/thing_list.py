"""All agents or all skills in the settings, and the folder for one's own."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import plain_label
from app.ui.parts.stacking import stack
from app.ui.setup.agents.thing_card import ThingCard
from app.ui.setup.card_column import CardColumn
from app.ui.theme import Theme
from app.viewmodels.settings.agent_states import AgentsView, ThingRow


class ThingList(QWidget):
    """Keeps a card for each; of very many the first ones. Made by the section.

    `title` is what they are called, `none` says that there are none.
    """

    switched = Signal(str, bool)
    """Use one, or use it no longer; arguments: its name, and whether."""
    folder_requested = Signal()
    """The folder for one's own should open."""
    look_requested = Signal()
    """The files should be read again."""

    def __init__(self, theme: Theme, icon: str, title: str, none: str) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._none = plain_label(none, theme, size="secondary", ink="ink-2", wraps=True)
        self._cards = CardColumn[ThingRow, ThingCard](theme, self._card, ThingCard.show_row)
        words, again = self.tr("Open folder"), self.tr("Look again")
        self._folder = push_button(
            words, "secondary", theme, icon="folder", name=f"{words}: {title}"
        )
        self._look = push_button(again, "quiet", theme, icon="refresh-cw", name=f"{again}: {title}")
        self._lay_out()
        self._folder.clicked.connect(self.folder_requested)
        self._look.clicked.connect(self.look_requested)

    def show_rows(self, view: AgentsView, rows: tuple[ThingRow, ...]) -> None:
        """Shows these of the view."""
        self._cards.show_rows(rows)
        self._none.setVisible(not rows and not view.is_looking)
        self._folder.setVisible(view.is_local)
        self._look.setEnabled(not view.is_looking)

    def _lay_out(self) -> None:
        row = Flow()
        row.add(self._folder, self._look)
        stack(self, 10, self._none, self._cards, row)

    def _card(self, row: ThingRow) -> ThingCard:
        card = ThingCard(self._theme, row, self._icon)
        card.switched.connect(self.switched)
        return card
