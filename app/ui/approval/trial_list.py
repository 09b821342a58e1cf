"""The calls of the past that a rule was tried on, with what the rule makes of each."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.parts.flow import Flow
from app.ui.parts.icon_label import IconLabel
from app.ui.parts.labels import one_line, plain_label, set_plain_tooltip
from app.ui.parts.rounded_frame import RoundedFrame
from app.ui.parts.surfaces import hairline
from app.ui.parts.tokens import Token
from app.ui.theme import Theme
from app.viewmodels.approval.rule_states import TrialRow

_RADIUS: Final = 8
_MOST_ROWS: Final = 40
_ICON_SIDE_PX: Final = 15
_LOOKS: Final[dict[str, tuple[str, Token, Token, Token]]] = {
    "runs": ("check", "good", "ink", "ink-3"),
    "denied": ("triangle-alert", "bad", "ink", "bad"),
    "asks": ("minus", "ink-3", "ink-2", "ink-3"),
}


class TrialList(RoundedFrame):
    """One line a call. Hidden while there is none. Made by what shows a rule."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _RADIUS)
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
        icon, tint, ink, remark_ink = _LOOKS[row.kind]
        widget = QWidget()
        line = Flow(widget)
        line.setContentsMargins(14, 8, 14, 8)
        words = plain_label(one_line(row.words), self._theme, ink=ink, elides=True, is_code=True)
        set_plain_tooltip(words, row.words)
        line.add(IconLabel(icon, self._theme, tint, _ICON_SIDE_PX))
        line.add(words, grows=True)
        remark = one_line(row.remark)
        line.add(plain_label(remark, self._theme, size="small", ink=remark_ink, wraps=True))
        return widget

    def _more(self, words: str) -> QWidget:
        label = plain_label(words, self._theme, size="small", ink="ink-3", wraps=True)
        label.setContentsMargins(14, 8, 14, 8)
        return label
