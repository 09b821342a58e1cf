"""The top of the page on which a rule is made, or on which a reply pauses."""

from typing import Final

from PySide6.QtWidgets import QWidget

from app.approvals.reveal import reveal
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.icon_label import IconLabel
from app.ui.parts.labels import plain_label
from app.ui.theme import Theme

_SPACING_PX: Final = 10
_ICON_SIDE_PX: Final = 18


class RuleHeader(QWidget):
    """Shows a question, and a few words on the right. Made by what it is the top of."""

    def __init__(self, theme: Theme, icon: str = "shield-check") -> None:
        super().__init__()
        self._question = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._effect = plain_label("", theme, size="small", weight=Weight.Medium, ink="warn")
        row = Flow(self, spacing_px=_SPACING_PX)
        row.setContentsMargins(14, 11, 14, 11)
        row.add(IconLabel(icon, theme, "warn", _ICON_SIDE_PX))
        row.add(self._question, grows=True)
        row.add(self._effect)

    def show_words(self, question: str, effect: str) -> None:
        """Show this question."""
        self._question.setText(reveal(question, breaks_lines=False))
        self._effect.setText(reveal(effect, breaks_lines=False))
        self._effect.setVisible(bool(effect))
