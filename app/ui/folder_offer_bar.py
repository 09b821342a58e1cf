"""The offer to let a folder be read without asking, above the composer."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.ui.parts.announcing import announce
from app.ui.parts.buttons import icon_button, push_button
from app.ui.parts.flow import Flow
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme


class FolderOfferBar(QFrame):
    """Hidden until a folder is offered. Made by the chat page; ends with it."""

    accepted = Signal()
    """The folder may be read without asking."""
    declined = Signal()
    """Every call shall ask."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._folder = ""
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._accept = push_button(
            self.tr("Read here without asking"), "secondary", theme, icon="shield-check"
        )
        self._decline = icon_button("x", self.tr("Keep asking"), theme)
        set_card(self, "plain")
        row = Flow(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.add(self._words, grows=True)
        row.add(self._accept, self._decline)
        self._accept.clicked.connect(self.accepted)
        self._decline.clicked.connect(self.declined)
        self.hide()

    def show_folder(self, folder: str) -> None:
        """Offer this folder, or nothing when it is empty."""
        words = self.tr("Tools ask before they list, read or search files in {folder}.")
        self._words.setText(words.format(folder=one_line(folder)))
        self.setAccessibleName(self._words.text())
        self.setVisible(bool(folder))
        is_other, self._folder = folder != self._folder, folder
        if folder and is_other:
            announce(self, self._words.text())
