"""Asks before a link opens, with the whole address as it is."""

from typing import Final

from PySide6.QtCore import QRect, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.approvals.reveal import reveal
from app.ui.link_words import other_address
from app.ui.parts.buttons import push_button
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.low_area import LowArea
from app.ui.parts.scaling import hold_size
from app.ui.parts.screen_fit import ScreenFit, room_of
from app.ui.parts.surfaces import set_surface
from app.ui.theme import Theme

_WIDTH_PX: Final = 520
_ADDRESS_HEIGHT_PX: Final = 84
_OPENED: Final = frozenset({"http", "https", "mailto"})


class LinkDialog(QDialog):
    """Shows where a link leads: the host by itself, and the address with nothing shortened.

    Letters of other scripts in the host appear as they travel (xn--…), so that none can pass for
    another. Enter presses the button with the focus and no other. `ask` may be called again and
    again; made by the window.
    """

    confirmed = Signal(str)
    """The link may open; argument: the address."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open link"))
        self.setModal(True)
        self._theme = theme
        set_surface(self, "bg")
        self._address = ""
        self._column = QVBoxLayout(self)
        self._question = plain_label("", theme, size="title", weight=Weight.DemiBold, wraps=True)
        self._warning = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._shown = self._make_field(theme)
        self._open = push_button(self.tr("Open"), "secondary", theme)
        self._copy = push_button(self.tr("Copy address"), "secondary", theme)
        self._cancel = push_button(self.tr("Cancel"), "quiet", theme)
        self._open.clicked.connect(self._on_open_clicked)
        self._copy.clicked.connect(self._on_copy_clicked)
        self._cancel.clicked.connect(self.reject)
        self._lay_out()
        ScreenFit(self)

    def ask(self, address: str, words: str = "") -> None:
        """Shows the address, and waits for an answer without holding up anything.

        `words` stand for the link in the text; if they read like another address, it says so.
        """
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        full = bytes(url.toEncoded().data()).decode("ascii") if url.isValid() else address
        self._address = full
        host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
        can_open = url.isValid() and url.scheme() in _OPENED
        self._question.setText(
            self.tr("Open a page on {host}?").format(host=host) if host else self.tr("Open this?")
        )
        self._warning.setText(self._warn(url, words, can_open=can_open))
        self._warning.setVisible(bool(self._warning.text()))
        self._shown.setPlainText(reveal(full))
        self._open.setEnabled(can_open)
        self._fit()
        self.open()
        self._cancel.setFocus()

    def _fit(self) -> None:
        """As wide as the design has it, or as the window is; then as high as the words need.

        On a screen that is lower than that, they scroll above the buttons.
        """
        width = self._theme.px(_WIDTH_PX)
        if parent := self.parentWidget():
            width = min(width, parent.window().width())
        self.setFixedWidth(width)
        # The words know their height only once they are as wide as they will be.
        room = room_of(self).height()
        self._column.setGeometry(QRect(0, 0, width, room))
        self._asked.updateGeometry()
        self.resize(width, min(self._column.totalHeightForWidth(width), room))

    def _warn(self, url: QUrl, words: str, *, can_open: bool) -> str:
        if not can_open:
            return self.tr("Parley opens web pages and mail addresses only.")
        warnings = []
        if said := other_address(words, self._address):
            warnings.append(
                self.tr("The link reads “{words}”, but it leads elsewhere.").format(
                    words=one_line(said)
                )
            )
        if url.userName():
            warnings.append(self.tr("What stands before the @ is not where this link leads."))
        if "xn--" in url.host(QUrl.ComponentFormattingOption.FullyEncoded):
            warnings.append(
                self.tr("This host has letters that may look like others: {host}").format(
                    host=one_line(url.host())
                )
            )
        return "\n".join(warnings)

    def _make_field(self, theme: Theme) -> QPlainTextEdit:
        field = QPlainTextEdit()
        field.setReadOnly(True)
        field.setFont(theme.mono())
        field.setTabChangesFocus(True)
        hold_size(field, height_px=_ADDRESS_HEIGHT_PX)
        field.setProperty("field", "code")
        field.setAccessibleName(self.tr("Address of the link"))
        field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return field

    def _lay_out(self) -> None:
        buttons = Flow()
        buttons.add(self._cancel)
        buttons.add_gap()
        buttons.add(self._copy, self._open)
        column = self._column
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        asked = QWidget()
        words = QVBoxLayout(asked)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(12)
        for widget in (self._question, self._warning, self._shown):
            words.addWidget(widget)
        self._asked = LowArea(self._theme, asked, self)
        column.addWidget(self._asked)
        column.addLayout(buttons)

    def _on_open_clicked(self) -> None:
        self.accept()
        self.confirmed.emit(self._address)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._address)
        self.accept()
