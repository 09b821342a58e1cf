"""A strip that says how an export or an import is going, and what became of it."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.ui.parts.announcing import announce
from app.ui.parts.buttons import icon_button, push_button
from app.ui.parts.folders import open_folder
from app.ui.parts.labels import one_line, plain_label, set_ink
from app.ui.parts.surfaces import hairline, set_surface
from app.ui.theme import Theme
from app.viewmodels.exchange.work import WorkView

_BAR_WIDTH_PX: Final = 160
_STEPS: Final = 1000
_STAYS_MS: Final = 12_000


class WorkBar(QWidget):
    """Shows one `WorkView`, or nothing and takes no room then. Made by the window's contents.

    What went well goes by itself after a while, unless the pointer or the keyboard is on it.
    """

    cancelled = Signal()
    """What runs should end."""
    dismissed = Signal()
    """What became of it was read."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, stays_ms: int = _STAYS_MS
    ) -> None:
        super().__init__(parent)
        set_surface(self, "panel")
        self._path = ""
        self._leaving = QTimer(self)
        self._leaving.setInterval(stays_ms)
        self._leaving.timeout.connect(self._on_leaving_timeout)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._share = QProgressBar()
        self._share.setRange(0, _STEPS)
        self._share.setTextVisible(False)
        self._share.setFixedSize(_BAR_WIDTH_PX, 4)
        self._share.setAccessibleName(self.tr("Progress"))
        self._cancel = push_button(self.tr("Cancel"), "secondary", theme)
        self._open = push_button(self.tr("Show in folder"), "secondary", theme)
        self._close = icon_button("x", self.tr("Close"), theme)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        outside.addWidget(hairline())
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 12, 6)
        row.setSpacing(12)
        outside.addLayout(row)
        row.addWidget(self._words, 1)
        row.addWidget(self._share, 0, Qt.AlignmentFlag.AlignVCenter)
        for button in (self._cancel, self._open, self._close):
            row.addWidget(button)
        self._cancel.clicked.connect(self.cancelled)
        self._close.clicked.connect(self.dismissed)
        self._open.clicked.connect(self._on_open_clicked)
        self.hide()

    def show_work(self, view: WorkView | None) -> None:
        """Shows this; None hides the strip."""
        self.setVisible(view is not None)
        self._leaving.stop()
        if view is None:
            return
        if not view.is_running:
            announce(self, view.words)
            if not view.is_bad:
                self._leaving.start()
        self._path = view.path
        self._words.setText(one_line(view.words))
        set_ink(self._words, "bad" if view.is_bad else "ink")
        self.setAccessibleName(self._words.text())
        self._share.setValue(int(view.share * _STEPS))
        self._share.setVisible(view.is_running)
        self._cancel.setVisible(view.is_running)
        self._open.setVisible(bool(view.path))
        self._close.setVisible(not view.is_running)

    def _on_leaving_timeout(self) -> None:
        focus = QApplication.focusWidget()
        is_in_use = self.underMouse() or (focus is not None and self.isAncestorOf(focus))
        if not is_in_use:
            self._leaving.stop()
            self.dismissed.emit()

    def _on_open_clicked(self) -> None:
        open_folder(Path(self._path).parent)
