"""Servers that other programs have, to be taken over one by one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText
from app.ui.parts.buttons import push_button
from app.ui.parts.fields import Field
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.stacking import stack
from app.ui.parts.surfaces import set_card
from app.ui.setup.into_view import bring_into_view
from app.ui.theme import Theme
from app.viewmodels.tools.tool_server_states import FoundRow


class FoundServers(QWidget):
    """Shows exactly what would be taken over. Made by the part about servers."""

    taken = Signal(str, object)
    """Take one over; arguments: its key, and the answers to what it asks, a dictionary."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = stack(self, 8)
        self._shown: tuple[FoundRow, ...] | None = None
        self._list = QWidget()
        self._column.addWidget(self._list)

    def show_rows(self, rows: tuple[FoundRow, ...] | None) -> None:
        """Shows what was found; nothing before it was looked for."""
        self.setVisible(rows is not None)
        if rows is None or rows == self._shown:
            return
        self._shown = rows
        made = QWidget()
        column = stack(made, 8)
        if not rows:
            words = self.tr("No other program on this computer has tool servers.")
            column.addWidget(self._small(words))
        for row in rows:
            column.addWidget(self._card(row))
        self._column.replaceWidget(self._list, made)
        self._list.hide()
        self._list.deleteLater()
        self._list = made
        self._theme.fit(made)
        made.show()
        if self.isVisible():
            bring_into_view(self)

    def _card(self, row: FoundRow) -> QFrame:
        card = QFrame()
        set_card(card, "plain")
        column = QVBoxLayout(card)
        column.setContentsMargins(14, 9, 14, 9)
        column.setSpacing(6)
        name = one_line(row.name)
        column.addWidget(plain_label(name, self._theme, weight=Weight.DemiBold, wraps=True))
        column.addWidget(self._small(self.tr("from {program}").format(program=row.program)))
        if row.start_text:
            exact = RevealedText(self._theme, self.tr("What {server} is").format(server=name))
            exact.show_text(row.start_text)
            column.addWidget(exact)
        if row.given:
            names = ", ".join(map(one_line, row.given))
            column.addWidget(self._small(self.tr("It is given: {names}").format(names=names)))
        if row.problem:
            words = one_line(row.problem)
            column.addWidget(plain_label(words, self._theme, size="small", ink="warn", wraps=True))
            return card
        fields = {key: Field(self._theme, one_line(words), hides=True) for key, words in row.asks}
        for field in fields.values():
            column.addWidget(field)
        take = push_button(
            self.tr("Take over"),
            "secondary",
            self._theme,
            name=self.tr("Take over {server}").format(server=name),
        )
        take.clicked.connect(
            lambda: self.taken.emit(row.key, {key: field.text for key, field in fields.items()})
        )
        column.addWidget(take, 0, Qt.AlignmentFlag.AlignLeft)
        return card

    def _small(self, words: str) -> QWidget:
        return plain_label(words, self._theme, size="small", ink="ink-2", wraps=True)
