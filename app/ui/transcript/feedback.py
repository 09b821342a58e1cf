"""What was done a moment ago, so that its button can say so."""

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.ui.transcript.targets import Deed

_SHOWN_MS: Final = 1500


class Feedback(QObject):
    """Remembers the last deed for as long as a glance takes. One for a view."""

    changed = Signal()
    """Something was done, or is a while ago now."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._done: tuple[str, Deed] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def show(self, key: str, deed: Deed) -> None:
        """Remember what was done in a row."""
        self._done = (key, deed)
        self._timer.start()
        self.changed.emit()

    def in_row(self, key: str) -> Deed | None:
        """Return what was done in a row just now."""
        return self._done[1] if self._done and self._done[0] == key else None

    def _on_timer_timeout(self) -> None:
        self._done = None
        self.changed.emit()
