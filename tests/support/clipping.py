"""Find text that a person cannot read: cut off, squeezed, or outside of its parent."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from app.ui.widgets.buttons import ElidingButton

_ROUNDS = 6


def settle() -> None:
    """Finish all layouts; one may request another."""
    for _ in range(_ROUNDS):
        QCoreApplication.sendPostedEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def clipped(root: QWidget) -> list[str]:
    """Return what in `root`, as it is shown now, cannot be read whole; what ends in "…" can."""
    settle()
    parts: list[QWidget] = [part for part in root.findChildren(QWidget) if part.isVisible()]
    return [
        f"{type(part).__name__} {_name(part)!r}: {fault}"
        for part in parts
        if (fault := next(_faults(part, root), ""))
    ]


def _faults(part: QWidget, root: QWidget) -> Iterator[str]:
    if isinstance(part, QScrollArea):
        yield from _sideways(part)
    elif isinstance(part, QLabel) and part.text():
        yield from _label_faults(part)
    elif isinstance(part, QAbstractButton):
        hint = part.minimumSizeHint() if isinstance(part, ElidingButton) else part.sizeHint()
        if part.width() < hint.width() or part.height() < hint.height():
            yield f"{part.size().toTuple()} of {hint.toTuple()}"
    elif isinstance(part, QLineEdit) and part.height() < part.minimumSizeHint().height():
        yield "not high enough"
    if isinstance(part, QLabel | QAbstractButton | QLineEdit):
        yield from _outside(part, root)


def _sideways(area: QScrollArea) -> Iterator[str]:
    bar, content = area.horizontalScrollBar(), area.widget()
    never = area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    hidden = content.width() - area.viewport().width() if content else 0
    if (never and hidden > 0) or (not never and bar.maximum() > 0):
        yield f"scrolls sideways by {max(hidden, bar.maximum())}"


def _label_faults(label: QLabel) -> Iterator[str]:
    room, metrics = label.contentsRect().size(), label.fontMetrics()
    if label.wordWrap():
        # A break of no width parts a word, too.
        words = label.text().replace("\u200b", " ").split()
        longest = max(map(metrics.horizontalAdvance, words), default=0)
        if room.width() < longest:
            yield f"a word of {longest} in {room.width()}"
        if label.height() < label.heightForWidth(label.width()):
            yield f"{label.height()} high of {label.heightForWidth(label.width())}"
    elif label.height() < metrics.height():
        yield f"{label.height()} high of {metrics.height()}"
    elif label.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored:
        return  # It asks for no width, and ends in "…" or goes.
    elif label.width() < label.minimumSizeHint().width():
        yield f"{label.width()} wide of {label.sizeHint().width()}"


def _outside(part: QWidget, root: QWidget) -> Iterator[str]:
    """Yield a fault if the part extends beyond a parent that does not scroll."""
    above = part.parentWidget()
    while above is not None:
        place = QRect(part.mapTo(above, QPoint(0, 0)), part.size())
        is_scrolled = isinstance(above.parentWidget(), QAbstractScrollArea)
        if is_scrolled:
            place.moveTop(0)
            place.setHeight(1)
        if not above.rect().contains(place):
            yield f"reaches out of {type(above).__name__}"
        if is_scrolled or above is root:
            return
        above = above.parentWidget()


def _name(part: QWidget) -> str:
    text = part.text() if isinstance(part, QLabel) else part.accessibleName()
    return text[:40]
