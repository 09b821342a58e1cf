"""A button for what cannot be undone: it asks, and only its second form does it."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout


@dataclass(frozen=True, slots=True)
class Asked:
    """How a screen reader says what is asked, kept and deleted."""

    ask: str
    keep: str
    delete: str


class ConfirmButton(QWidget):
    """“Delete…”, then “Keep” and “Delete for ever”. Made by the page that it stands on."""

    confirmed = Signal()
    """It was asked twice, and shall be done."""

    def __init__(self, theme: Theme, names: Asked, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self._keep = push_button(self.tr("Keep"), "secondary", theme, name=names.keep)
        self._delete = push_button("", "danger", theme)
        row = FlowLayout(self)
        row.add(self._keep, self._delete)
        self._keep.clicked.connect(self._on_keep_clicked)
        self._delete.clicked.connect(self._on_delete_clicked)
        self.begin()

    def begin(self) -> None:
        """Asks nothing yet."""
        set_button_text(self._delete, self.tr("Delete…"), self._names.ask)
        self._keep.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape keeps it, while it is asked."""
        if event.key() == Qt.Key.Key_Escape and not self._keep.isHidden():
            self._on_keep_clicked()
        else:
            super().keyPressEvent(event)

    def _on_keep_clicked(self) -> None:
        self.begin()
        self._delete.setFocus()

    def _on_delete_clicked(self) -> None:
        if self._keep.isHidden():
            set_button_text(self._delete, self.tr("Delete for ever"), self._names.delete)
            self._keep.show()
            self._keep.setFocus()
        else:
            self.begin()
            self.confirmed.emit()
