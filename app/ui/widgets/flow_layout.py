"""`FlowLayout` lays widgets out in a row that wraps where it is too narrow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QLayout,
    QLayoutItem,
    QSpacerItem,
    QStyle,
    QWidget,
)

from app.ui.widgets.surfaces import stack

# What can be cut gets no narrower than this share of the line: it goes to the next one.
_LEAST_SHARE: Final = 0.2
# Growing parts and wrapped text need a larger share to be usable.
_GROWING_SHARE: Final = 0.3
_WORDS_SHARE: Final = 0.5
# Of which the places are kept: a window that is drawn larger passes through many.
_MOST_WIDTHS: Final = 8


@dataclass(frozen=True, slots=True)
class _Part:
    """A part that is to be placed: how narrow it may become, and how wide it would like to be."""

    item: QLayoutItem
    least: int
    wanted: int
    grows: bool


class FlowLayout(QLayout):
    """A layout that wraps its widgets into several rows where one is too wide.

    A widget added with `grows` takes the free space of its row; so does a `gap`. Its height follows
    from its width. Made for a widget or put into another layout.
    """

    def __init__(self, parent: QWidget | None = None, *, spacing_px: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._growing: list[QLayoutItem] = []
        self._whole: list[QLayoutItem] = []
        self._hanging: list[QLayoutItem] = []
        # Qt asks for the same sizes again and again before it places anything.
        self._placed: dict[int, list[QRect]] = {}
        self._hint: QSize | None = None
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing_px)

    def add(
        self, *widgets: QWidget, grows: bool = False, whole: bool = False, hangs: bool = False
    ) -> None:
        """Add widgets at the end; what is `whole` goes to the next line before it is cut.

        What `hangs` is a button without a frame: at the start of a line its words begin there.
        """
        for widget in widgets:
            self.addWidget(widget)
            if grows:
                self._growing.append(self._items[-1])
            if whole:
                self._whole.append(self._items[-1])
            if hangs:
                self._hanging.append(self._items[-1])

    def add_gap(self) -> None:
        """Add room that pushes what follows to the end of the line."""
        gap = QSpacerItem(0, 0)
        self.addItem(gap)
        self._growing.append(gap)

    def addItem(self, item: QLayoutItem) -> None:
        """Take an item, for `addWidget`."""
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item, or None behind the last one."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give an item away."""
        if not 0 <= index < len(self._items):
            return None
        item = self._items.pop(index)
        self._growing = [growing for growing in self._growing if growing is not item]
        self._whole = [whole for whole in self._whole if whole is not item]
        self._hanging = [hanging for hanging in self._hanging if hanging is not item]
        self.invalidate()
        return item

    def expandingDirections(self) -> Qt.Orientation:
        """Ask for no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Tell Qt that a narrow row is a high one."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines together."""
        margins = self.contentsMargins()
        rects = self._rects(width - margins.left() - margins.right())
        lowest = max((rect.bottom() + 1 for rect in rects), default=0)
        return lowest + margins.top() + margins.bottom()

    def invalidate(self) -> None:
        """Drop the cached positions and sizes."""
        self._placed.clear()
        self._hint = None
        super().invalidate()

    def sizeHint(self) -> QSize:
        """Return the size of one line with everything in it."""
        if self._hint is None:
            parts = list(self._parts(0))
            width = sum(part.wanted for part in parts) + self._gaps(parts)
            height = max((part.item.sizeHint().height() for part in parts), default=0)
            self._hint = QSize(width, height).grownBy(self.contentsMargins())
        return self._hint

    def minimumSize(self) -> QSize:
        """Return the size of the largest part: so narrow each has a line of its own."""
        least = QSize(0, 0)
        for item in self._items:
            if not item.isEmpty():
                least = least.expandedTo(item.minimumSize())
        return least.grownBy(self.contentsMargins())

    def setGeometry(self, rect: QRect) -> None:
        """Place everything."""
        super().setGeometry(rect)
        inside = rect.marginsRemoved(self.contentsMargins())
        direction = self._direction()
        shown = [item for item in self._items if not item.isEmpty() or item.spacerItem()]
        for item, place in zip(shown, self._rects(inside.width()), strict=True):
            moved = place.translated(inside.topLeft())
            if item in self._hanging and not place.left():
                moved.translate(-_around_words(item), 0)
            item.setGeometry(QStyle.visualRect(direction, inside, moved))

    def _direction(self) -> Qt.LayoutDirection:
        parent = self.parentWidget()
        return parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight

    def _rects(self, width: int) -> list[QRect]:
        """Return where each shown item goes, from the top left of the inside."""
        if width in self._placed:
            return self._placed[width]
        rects: list[QRect] = []
        top = 0
        for line in self._lines(width):
            placed = self._placed_line(line, width, top)
            rects += placed
            top = max((rect.bottom() + 1 for rect in placed), default=top) + self.spacing()
        if len(self._placed) == _MOST_WIDTHS:
            self._placed.clear()
        self._placed[width] = rects
        return rects

    def _lines(self, width: int) -> Iterator[list[_Part]]:
        line: list[_Part] = []
        for part in self._parts(width):
            grown = [*line, part]
            if line and sum(each.least for each in grown) + self._gaps(grown) > width:
                yield line
                grown = [part]
            line = grown
        if line:
            yield line

    def _placed_line(self, line: Sequence[_Part], width: int, top: int) -> list[QRect]:
        widths = _shared(line, width - self._gaps(line))
        heights = [_height_of(part.item, wide) for part, wide in zip(line, widths, strict=True)]
        highest = max(heights)
        rects = []
        left = 0
        for part, wide, high in zip(line, widths, heights, strict=True):
            rects.append(QRect(left, top + (highest - high) // 2, wide, high))
            left += wide + (0 if part.item.spacerItem() else self.spacing())
        return rects

    def _parts(self, width: int) -> Iterator[_Part]:
        """Yield what is shown; in no width at all, as narrow as it ever becomes."""
        for item in self._items:
            if item.spacerItem():
                yield _Part(item, 0, 0, grows=True)
            elif not item.isEmpty():
                yield self._part(item, width)

    def _part(self, item: QLayoutItem, width: int) -> _Part:
        grows = item in self._growing
        share = _GROWING_SHARE if grows else _LEAST_SHARE
        if item.hasHeightForWidth():
            share = _WORDS_SHARE
        if item in self._whole:
            share = 1.0
        wanted = _wanted_width(item)
        least = max(item.minimumSize().width(), min(wanted, round(width * share)))
        return _Part(item, min(least, width or least), wanted, grows)

    def _gaps(self, line: Sequence[_Part]) -> int:
        """Return the room between the parts of a line; a gap needs none of its own."""
        return self.spacing() * max(0, sum(not part.item.spacerItem() for part in line) - 1)


def _around_words(item: QLayoutItem) -> int:
    """Return the width beside the words of a button, at each end."""
    button = item.widget()
    if not isinstance(button, QAbstractButton):
        return 0
    return (button.sizeHint().width() - button.fontMetrics().horizontalAdvance(button.text())) // 2


def _shared(line: Sequence[_Part], width: int) -> list[int]:
    """Divide a line: first all get what they want, as far as there is room, then one grows."""
    left = max(0, width - sum(part.least for part in line))
    lacking = sum(max(0, part.wanted - part.least) for part in line)
    share = min(1.0, left / lacking) if lacking else 0.0
    widths = [part.least + int(max(0, part.wanted - part.least) * share) for part in line]
    growing = [number for number, part in enumerate(line) if part.grows]
    if growing:
        widths[growing[0]] += max(0, width - sum(widths))
    return widths


def _wanted_width(item: QLayoutItem) -> int:
    """Return the width of a part in one line; labels that wrap would like to stand in one, too."""
    widget = item.widget()
    if isinstance(widget, QLabel):
        return _label_width(widget)
    of_child = Qt.FindChildOption.FindDirectChildrenOnly
    labels: list[QLabel] = widget.findChildren(QLabel, options=of_child) if widget else []
    if any(label.wordWrap() for label in labels):
        return max(_label_width(label) for label in labels if not label.isHidden())
    return item.sizeHint().width()


def _label_width(label: QLabel) -> int:
    if not label.wordWrap():
        return label.sizeHint().width()
    lines = label.text().split("\n")
    margins = label.contentsMargins()
    wide = max(label.fontMetrics().horizontalAdvance(line) for line in lines)
    return wide + margins.left() + margins.right() + 1


def _height_of(item: QLayoutItem, width: int) -> int:
    if item.hasHeightForWidth():
        return item.heightForWidth(width)
    return max(item.sizeHint().height(), item.minimumSize().height())


def line_of(mark: QWidget, labels: Sequence[QWidget], *ends: QWidget) -> QWidget:
    """Return the line of a card: a mark, labels below each other, and what ends the line."""
    names = QWidget()
    stack(names, 2, *labels)
    line = QWidget()
    row = FlowLayout(line, spacing_px=8)
    row.setContentsMargins(0, 0, 0, 0)
    row.add(mark)
    row.add(names, grows=True)
    row.add(*ends)
    return line
