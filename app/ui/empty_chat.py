"""`EmptyChat` stands in place of the transcript of a chat without messages."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.empty_place import EmptyDrawing
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label

_WIDTH_PX = 460
_GAP_PX = 8


class EmptyChat(QWidget):
    """Shows examples to begin with; for imported chats, how to import more.

    Shown while a chat has no messages; made by the chat page.
    """

    example_chosen = Signal(str)
    """This example should be in the composer, to be changed or sent; argument: its text."""
    folder_needed = Signal()
    """The example that was chosen is about the folder of the chat."""
    import_requested = Signal()
    """Chats should be imported."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_archive = False
        self._words = self._make_words()
        self._say()
        for label in self._words:
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._block = QWidget()
        column = QVBoxLayout(self._block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addStretch(2)
        self._drawing = EmptyDrawing("message-square", theme)
        column.addWidget(self._drawing, 0, Qt.AlignmentFlag.AlignHCenter)
        for label in self._words:
            column.addWidget(label)
        self._offers = self._make_offers()
        column.addWidget(self._offers)
        self._import = push_button(self.tr("Import chats…"), "secondary", theme)
        self._import.clicked.connect(self.import_requested)
        # As far below the words as the examples are.
        self._action = QWidget()
        row = QVBoxLayout(self._action)
        row.setContentsMargins(0, 12, 0, 0)
        row.addWidget(self._import, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._action)
        column.addStretch(3)
        # Not aligned but between stretches: only so do wrapped words get the height they need.
        self._row = QHBoxLayout(self)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._row.addStretch(1)
        self._row.addWidget(self._block, 1000)
        self._row.addStretch(1)
        theme.changed.connect(self._fit)
        self._fit()

    def show_archive(self, *, is_archive: bool) -> None:
        """Show what can be done with imported chats, or with those of a project."""
        if is_archive != self._is_archive:
            self._is_archive = is_archive
            self._say()
            self._fit()

    def minimumSizeHint(self) -> QSize:
        """Ask for no room: what does not fit is left out."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for: the drawing first, then examples and words."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = self._theme.px(_WIDTH_PX)
        self._block.setMaximumWidth(width)
        margins = self._row.contentsMargins()
        room = min(width, self.width() - margins.left() - margins.right())
        needed = margins.top() + margins.bottom() + self._theme.px(_GAP_PX)
        below, other = self._offers, self._action
        if self._is_archive:
            below, other = other, below
        other.hide()
        self._drawing.show_icon("archive" if self._is_archive else "message-square")
        for part in (*self._words, below, self._drawing):
            height = part.heightForWidth(room) if part in self._words else part.sizeHint().height()
            height = max(height, part.minimumHeight())
            needed += height + self._theme.px(_GAP_PX)
            part.setVisible(needed <= self.height())

    def _make_words(self) -> tuple[QLabel, QLabel]:
        weight = Weight.DemiBold
        title = plain_label("", self._theme, size="heading", weight=weight, wraps=True)
        return title, plain_label("", self._theme, ink="ink-2", wraps=True)

    def _say(self) -> None:
        title, words = self._words
        if self._is_archive:
            title.setText(self.tr("Imported chats"))
            words.setText(
                self.tr(
                    "Import chats that Parley, ChatGPT or Claude exported. They stay on this "
                    "computer, where you can read and search them."
                )
            )
            return
        title.setText(self.tr("What would you like to do?"))
        words.setText(self.tr("Nothing runs on this computer until you have seen and allowed it."))

    def _make_offers(self) -> QWidget:
        offers = QWidget()
        column = QVBoxLayout(offers)
        column.setContentsMargins(0, 12, 0, 0)
        column.setSpacing(_GAP_PX)
        for text in self._examples():
            column.addWidget(self._offer(text), 0, Qt.AlignmentFlag.AlignHCenter)
        return offers

    def _examples(self) -> Sequence[str]:
        """Return what every assistant can at least begin with; all but the first need a folder."""
        return (
            self.tr("What can you help me with?"),
            self.tr("List the files in this folder"),
            self.tr("Read README.md and sum it up"),
        )

    def _offer(self, text: str) -> QPushButton:
        button = push_button(text, "chip", self._theme)
        button.setProperty("example", text)
        button.clicked.connect(self._on_button_clicked)
        return button

    def _on_button_clicked(self) -> None:
        text = self.sender().property("example")
        self.example_chosen.emit(text)
        if text in self._examples()[1:]:
            self.folder_needed.emit()
