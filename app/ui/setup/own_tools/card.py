"""One folder of tools in the settings: a line, and all of it when it is opened."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText
from app.ui.parts.buttons import push_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.setup.opening_card import CardLine, OpeningCard
from app.ui.setup.tool_part import tool_part
from app.ui.theme import Theme
from app.viewmodels.states import Dot
from app.viewmodels.tools.own_tool_states import OwnSetRow


class OwnSetCard(OpeningCard[QWidget]):
    """Shows one folder: its tools and its code. Made by the part about own tools."""

    allowed = Signal(str, str)
    """Allow it as it is shown; arguments: the folder's name, and its fingerprint."""

    def __init__(self, theme: Theme, row: OwnSetRow) -> None:
        name = one_line(row.name)
        on = self.tr("Allow the tools in {folder}").format(folder=name)
        off = self.tr("Switch the tools in {folder} off").format(folder=name)
        super().__init__(theme, row.name, (on, off))
        self._row = row
        self.show_row(row)

    def show_row(self, row: OwnSetRow) -> None:
        """Shows how it stands now."""
        before, self._row = self._row, row
        words = row.words
        if row.package:
            brought = self.tr("{words} · from the package {package}")
            words = brought.format(words=words, package=row.package)
        warns = row.dot is Dot.WARN
        line = CardLine(row.title, words, row.problem, row.dot, is_on=row.is_on, warns=warns)
        with self._keyboard_kept():
            self._show_line(line, can_switch=row.is_on or row.can_allow)
            if before != row:
                self._renew_details()

    def _made_details(self) -> QWidget:
        row, details = self._row, QWidget()
        column = QVBoxLayout(details)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        for sentence in row.findings:
            column.addWidget(self._small(sentence))
        for tool in row.tools:
            effects = self._small(tool.effect_words)
            part = tool_part(self._theme, tool.name, tool.problem, tool.description, effects)
            column.addWidget(part)
        if row.shown:
            title, bold = one_line(row.shown_title), Weight.DemiBold
            heading = plain_label(title, self._theme, size="secondary", weight=bold, wraps=True)
            column.addWidget(heading)
            text = RevealedText(self._theme, row.shown_title)
            text.show_text(row.shown)
            column.addWidget(text)
        if row.can_allow:
            allow = push_button(
                self.tr("Allow this code"),
                "primary",
                self._theme,
                name=self.tr("Allow the code in {folder}").format(folder=one_line(row.name)),
            )
            allow.clicked.connect(self._on_allow_clicked)
            hint = self.tr(
                "Its calls ask like those of any tool, and run in the sandbox where there is one."
            )
            column.addWidget(self._small(hint))
            column.addWidget(allow, 0, Qt.AlignmentFlag.AlignLeft)
        return details

    def _small(self, words: str) -> QWidget:
        return plain_label(one_line(words), self._theme, size="small", ink="ink-2", wraps=True)

    def _on_allow_clicked(self) -> None:
        self.allowed.emit(self._row.name, self._row.fingerprint)
