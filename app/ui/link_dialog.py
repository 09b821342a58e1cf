"""`LinkDialog` asks before a link opens and shows the whole address as it is.

`other_address` finds link texts that look like an address other than the link's own.
"""

import re
import unicodedata
from typing import Final

from PySide6.QtCore import QRect, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.approvals.visible_text import escape_invisible
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.column import ShrinkingScrollArea
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.screen_fit import ScreenFit, room_of
from app.ui.widgets.surfaces import set_surface

_LABEL: Final = r"[^\s/?#@:()<>\[\]\"'.,;!]"
# A host, perhaps with a scheme or a name before it and a path after it, as people write them.
_SAID: Final = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]{1,20}://)?(?:mailto:)?(?P<user>[^\s/@]{1,64}@)?"
    rf"(?P<host>{_LABEL}{{1,63}}(?:\.{_LABEL}{{1,63}}){{0,9}}\.(?:{_LABEL}{{2,63}}|\d))"
    r"(?::\d+)?(?P<rest>[/?#]\S*)?",
    re.IGNORECASE,
)
_ENDS: Final = ".,;:!?'\")]>…/"
_LONGEST: Final = 1000
# File names look like hosts: one is no other address if the address ends in that file.
_FILE: Final = re.compile(
    r"\.(?:cfg|cpp|cs|css|csv|go|html|ini|ipynb|java|jpg|js|json|kt|lock|md|pdf|php|png|py|rb|rs|rst"
    r"|sh|sql|svg|toml|ts|tsx|txt|xml|yaml|yml|zip)$",
    re.IGNORECASE,
)


def other_address(words: str, address: str) -> str:
    """Return what the words of a link name as an address, if the link leads elsewhere.

    Nothing if they name none, or the one that the link leads to, perhaps shortened.
    """
    url = QUrl(address)
    said = (found for found in _SAID.finditer(_plain(words)) if _names_host(found))
    other = next((found for found in said if not _leads_there(found, url)), None)
    return other[0].rstrip(_ENDS) if other else ""


def _plain(words: str) -> str:
    """Return the words as they look: without invisible characters, wide letters as narrow ones."""
    folded = unicodedata.normalize("NFKC", words[:_LONGEST]).replace("\u3002", ".")
    return "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")


def _names_host(said: re.Match[str]) -> bool:
    """Tell hosts from numbers such as 3.14."""
    labels = said["host"].split(".")
    return bool(said["scheme"]) or not labels[-1].isdecimal() or len(labels) == 4


def _leads_there(said: re.Match[str], url: QUrl) -> bool:
    if url.scheme() == "mailto":
        name = (said["user"] or "@") + said["host"]
        return not said["scheme"] and url.path().lower().endswith(name.lower())
    if said["user"]:
        return False
    encoded = QUrl.ComponentFormattingOption.FullyEncoded
    rest = (said["rest"] or "").rstrip(_ENDS).lower()
    behind = _behind_host(url).lower()
    if _travelling(said["host"]) == _travelling(url.host(encoded)):
        return behind.startswith(rest)
    is_file = _FILE.search(said["host"]) and not said["scheme"] and not rest
    return bool(is_file) and url.fileName() == said["host"]


def _travelling(host: str) -> str:
    """Return a host as it is looked up, without the "www." that people leave out."""
    encoded = bytes(QUrl.toAce(host).data()).decode("ascii")
    return (encoded or host).lower().removeprefix("www.")


def _behind_host(url: QUrl) -> str:
    query = f"?{url.query()}" if url.hasQuery() else ""
    return url.path() + query + (f"#{url.fragment()}" if url.hasFragment() else "")


_WIDTH_PX: Final = 520
_ADDRESS_HEIGHT_PX: Final = 84
_OPENED: Final = frozenset({"http", "https", "mailto"})


class LinkDialog(QDialog):
    """Shows where a link leads: the host by itself, and the address with nothing shortened.

    Letters of other scripts in the host appear encoded (xn--…), so that none can pass for
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
        """Show the address, and wait for an answer without holding up anything.

        `words` stand for the link in the text; if they read like another address, it says so.
        """
        # Strict: Qt would otherwise correct an address, and open another one than was written.
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        full = bytes(url.toEncoded().data()).decode("ascii") if url.isValid() else address
        self._address = full
        # In punycode, so that a letter that looks like another one shows.
        host = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
        can_open = url.isValid() and url.scheme() in _OPENED
        self._question.setText(
            self.tr("Open a page on {host}?").format(host=host)
            if host
            else self.tr("Open this link?")
        )
        self._warning.setText(self._warn(url, words, can_open=can_open))
        self._warning.setVisible(bool(self._warning.text()))
        self._shown.setPlainText(escape_invisible(full))
        self._open.setEnabled(can_open)
        self._fit()
        self.open()
        # The harmless answer: a key that was meant for the chat opens nothing.
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
            return self.tr("Parley opens only web pages and email addresses.")
        warnings = []
        if said := other_address(words, self._address):
            warnings.append(
                self.tr("The link text “{words}” differs from its destination.").format(
                    words=one_line(said)
                )
            )
        if url.userName():
            warnings.append(self.tr("The text before the @ is not the destination of this link."))
        if "xn--" in url.host(QUrl.ComponentFormattingOption.FullyEncoded):
            warnings.append(
                self.tr("This host name contains look-alike letters: {host}").format(
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
        field.setAccessibleName(self.tr("Link address"))
        field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return field

    def _lay_out(self) -> None:
        buttons = FlowLayout()
        buttons.add_gap()
        buttons.add(self._cancel, self._copy, self._open)
        column = self._column
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        asked = QWidget()
        words = QVBoxLayout(asked)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(12)
        for widget in (self._question, self._warning, self._shown):
            words.addWidget(widget)
        self._asked = ShrinkingScrollArea(self._theme, asked, self)
        column.addWidget(self._asked)
        column.addLayout(buttons)

    def _on_open_clicked(self) -> None:
        self.accept()
        self.confirmed.emit(self._address)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._address)
        self.accept()
