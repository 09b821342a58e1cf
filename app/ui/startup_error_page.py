"""What stands in the window's place when the program cannot start."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

_WIDTH_PX = 460
_MARGIN_PX = 24
_WORDS_HEIGHT_PX = 72


class StartupErrorPage(QWidget):
    """A sentence and a way out. It needs no theme: what it tells of may be that there is none.

    Made by `app.main`; ends with the program.
    """

    closed = Signal()
    """The person has read it."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Parley cannot start"))
        self.setFixedWidth(_WIDTH_PX)
        words = QPlainTextEdit(sentence)
        words.setReadOnly(True)
        words.setFrameShape(QFrame.Shape.NoFrame)
        words.setFixedHeight(_WORDS_HEIGHT_PX)
        words.setAccessibleName(self.tr("What is wrong"))
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        column.setSpacing(_MARGIN_PX)
        column.addWidget(words)
        column.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)
        # As large as it stays, before it is seen.
        self.adjustSize()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Lets the program end."""
        event.accept()
        self.closed.emit()
