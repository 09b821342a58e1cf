"""What opened on a page of the settings is brought into view."""

from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

# What was shown just now is laid out first: what is in it, then what it is in.
_TURNS: Final = 3


def bring_into_view(part: QWidget, turns: int = _TURNS) -> None:
    """Brings the whole of `part` into view, or as much from its top as there is room for.

    Waits for so many turns of the event loop, in which the page grows.
    """
    after = partial(bring_into_view, part, turns - 1) if turns else partial(_scroll_to, part)
    QTimer.singleShot(0, part, after)


def _scroll_to(part: QWidget) -> None:
    scroll: QWidget | None = part.parentWidget()
    while scroll and not isinstance(scroll, QScrollArea):
        scroll = scroll.parentWidget()
    if not isinstance(scroll, QScrollArea):
        return
    room = scroll.viewport().height()
    bar = scroll.verticalScrollBar()
    top = part.mapTo(scroll, QPoint(0, 0)).y() + bar.value()
    if not bar.value() <= top <= bar.value() + room - part.height():
        bar.setValue(max(0, top - max(0, room - part.height()) // 2))
