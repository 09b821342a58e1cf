"""One folder of tools in the settings: a line, and all of it when it is opened."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.ui.approval.revealed_text import RevealedText, Setting
from app.ui.parts.buttons import push_button, set_button_text
from app.ui.parts.colour_mark import StatusDot
from app.ui.parts.flow import Flow, line_of
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.parts.tokens import Token
from app.ui.setup.into_view import bring_into_view
from app.ui.setup.segments import Segments
from app.ui.theme import Theme
from app.viewmodels.states import Dot
from app.viewmodels.tools.own_tool_states import OwnSetRow, OwnToolRow

_ON, _OFF = "on", "off"
_INKS: dict[Dot | None, Token] = {Dot.GOOD: "good", Dot.WARN: "warn", Dot.BAD: "bad", None: "ink-3"}


class OwnSetCard(QFrame):
    """Shows one folder; it is always the same one. Made by the part about own tools.

    On opens the card first: the code is seen before it is allowed.
    """

    allowed = Signal(str, str)
    """Allow it as it is shown; arguments: the folder's name, and its fingerprint."""
    switched_off = Signal(str)
    """Offer its tools no longer; argument: the folder's name."""

    def __init__(self, theme: Theme, row: OwnSetRow) -> None:
        super().__init__()
        self._theme = theme
        self._row = row
        name = one_line(row.name)
        off = self.tr("Switch the tools in {folder} off").format(folder=name)
        self._mark = StatusDot(theme)
        self._name = plain_label("", theme, weight=Weight.DemiBold, elides=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._problem = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._open = push_button("", "quiet", theme)
        self._switch = Segments(
            theme,
            {
                _ON: (self.tr("On"), self.tr("Allow the tools in {folder}").format(folder=name)),
                _OFF: (self.tr("Off"), off),
            },
        )
        self._details: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._lay_out()
        self._open.clicked.connect(self._on_open_clicked)
        self._switch.chosen.connect(self._on_switch_chosen)
        self.show_row(row)

    def show_row(self, row: OwnSetRow) -> None:
        """Shows how it stands now."""
        before, self._row = self._row, row
        set_card(self, "warn" if row.dot is Dot.WARN else "plain")
        self._mark.show_ink(_INKS[row.dot])
        self._name.setText(one_line(row.title))
        words = row.words
        if row.package:
            brought = self.tr("{words} · from the package {package}")
            words = brought.format(words=words, package=row.package)
        self._words.setText(one_line(words))
        self._problem.setText(one_line(row.problem))
        self._problem.setVisible(bool(row.problem))
        self._switch.show_value(_ON if row.is_on else _OFF)
        self._switch.setVisible(row.is_on or row.can_allow)
        if self._details and before != row:
            self._drop_details()
            self._make_details()
        self._show_open()

    def _lay_out(self) -> None:
        labels = (self._name, self._words, self._problem)
        line = line_of(self._mark, labels, self._open, self._switch)
        self._column.setContentsMargins(14, 9, 14, 9)
        self._column.addWidget(line)

    def _show_open(self) -> None:
        words = self.tr("Less") if self._details else self.tr("Details")
        name = self.tr("{what}: {folder}").format(what=words, folder=one_line(self._row.name))
        set_button_text(self._open, words, name)

    def _on_open_clicked(self) -> None:
        if self._details:
            self._drop_details()
        else:
            self._make_details()
            bring_into_view(self)
        self._show_open()

    def _drop_details(self) -> None:
        if self._details:
            self._details.hide()
            self._column.removeWidget(self._details)
            self._details.deleteLater()
            self._details = None

    def _make_details(self) -> None:
        row, details = self._row, QWidget()
        column = QVBoxLayout(details)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        for sentence in row.findings:
            column.addWidget(self._small(sentence))
        for tool in row.tools:
            column.addWidget(self._tool(tool))
        if row.shown:
            column.addWidget(self._heading(row.shown_title))
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
        self._column.addWidget(details)
        self._theme.fit(details)
        details.show()
        self._details = details

    def _tool(self, tool: OwnToolRow) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        head = QWidget()
        row = Flow(head, spacing_px=6)
        row.setContentsMargins(0, 0, 0, 0)
        row.add(self._heading(tool.name), grows=True)
        row.add(self._small(tool.effect_words))
        column.addWidget(head)
        if tool.problem:
            words = self.tr("Not offered. {reason}").format(reason=one_line(tool.problem))
            column.addWidget(plain_label(words, self._theme, size="small", ink="warn", wraps=True))
        if tool.description:
            name = self.tr("What {tool} says it does").format(tool=one_line(tool.name))
            text = RevealedText(self._theme, name, Setting.PROSE)
            text.show_text(tool.description)
            column.addWidget(text)
        return part

    def _heading(self, words: str) -> QWidget:
        return plain_label(
            one_line(words), self._theme, size="secondary", weight=Weight.DemiBold, wraps=True
        )

    def _small(self, words: str) -> QWidget:
        return plain_label(one_line(words), self._theme, size="small", ink="ink-2", wraps=True)

    def _on_switch_chosen(self, value: str) -> None:
        if value == _OFF:
            if self._row.is_on:
                self.switched_off.emit(self._row.name)
        elif not self._row.is_on:
            self._switch.show_value(_OFF)
            if not self._details:
                self._on_open_clicked()

    def _on_allow_clicked(self) -> None:
        self.allowed.emit(self._row.name, self._row.fingerprint)
