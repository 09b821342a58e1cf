"""The top of an approval card: what is asked, how many wait, what the call would do."""

from typing import Final

from PySide6.QtWidgets import QWidget

from app.approvals.reveal import reveal
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.icon_label import IconLabel
from app.ui.parts.labels import plain_label
from app.ui.theme import Theme
from app.viewmodels.approval.states import CardView

_SPACING_PX: Final = 10
_ICON_SIDE_PX: Final = 18


class CardHeader(QWidget):
    """Shows the question. Made by an approval card; ends with it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._question = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._position = plain_label("", theme, size="small", ink="warn")
        self._effect = plain_label("", theme, size="small", weight=Weight.Medium, ink="warn")
        row = Flow(self, spacing_px=_SPACING_PX)
        row.setContentsMargins(14, 11, 14, 11)
        row.add(IconLabel("shield-alert", theme, "warn", _ICON_SIDE_PX))
        row.add(self._question, grows=True)
        row.add(self._position, self._effect)

    def show_view(self, view: CardView) -> None:
        """Shows the question of this card."""
        self._question.setText(reveal(view.question, breaks_lines=False))
        self._effect.setText(reveal(view.effect_words, breaks_lines=False))

    def show_position(self, view: CardView) -> None:
        """Shows which of the cards that wait this is."""
        words = self.tr("{0} of {1}").format(view.position, view.total)
        self._position.setText(words if view.total > 1 else "")
        self._position.setVisible(view.total > 1)
