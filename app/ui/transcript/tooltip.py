"""Where a link leads, shown before it is pressed."""

from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui.parts.labels import show_plain_tooltip
from app.ui.transcript.pointer import Hit
from app.ui.transcript.targets import OpenLink


def show_address(event: QHelpEvent, hit: Hit | None, window: QWidget) -> None:
    """Show the address of the link under the pointer, as plain text."""
    target = hit.target if hit else None
    if target is None or not isinstance(target.deed, OpenLink):
        QToolTip.hideText()
        return
    show_plain_tooltip(event.globalPos(), target.deed.address, window)
