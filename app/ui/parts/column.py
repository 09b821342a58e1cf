"""The middle column that transcript, cards and composer share."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.theme import Theme

COLUMN_WIDTH_PX: Final = 720
COLUMN_MARGIN_PX: Final = 16
_LEAST_ROOM_PX: Final = 4


class Column(QWidget):
    """Centres one widget, at most as wide as a line is good to read.

    The room above and below it gives way before anything else does, where a window is low.
    """

    def __init__(
        self, theme: Theme, content: QWidget, *, top_px: int = 0, bottom_px: int = 0
    ) -> None:
        super().__init__()
        content.setMaximumWidth(COLUMN_WIDTH_PX)
        row = QHBoxLayout()
        row.setContentsMargins(COLUMN_MARGIN_PX, 0, COLUMN_MARGIN_PX, 0)
        row.setSpacing(0)
        # The content takes all the width up to its maximum; what is left is shared.
        row.addStretch(1)
        row.addWidget(content, 1000)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._rooms = _Room(theme, top_px), _Room(theme, bottom_px)
        column.addWidget(self._rooms[0])
        column.addLayout(row)
        column.addWidget(self._rooms[1])

    def give_way(self, *, gives_way: bool) -> None:
        """Leave next to no room above and below, or as much as the design has."""
        for room in self._rooms:
            room.give_way(gives_way=gives_way)


class _Room(QWidget):
    """Nothing, as high as the design has it, or lower. Made by the column."""

    def __init__(self, theme: Theme, height_px: int) -> None:
        super().__init__()
        self._theme = theme
        self._height_px = height_px
        self._gives_way = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self.updateGeometry)

    def give_way(self, *, gives_way: bool) -> None:
        """Be as low as can be, or as high as the design has it."""
        self._gives_way = gives_way
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Returns the height of the design."""
        if self._gives_way:
            return self.minimumSizeHint()
        return QSize(0, self._theme.px(self._height_px))

    def minimumSizeHint(self) -> QSize:
        """Returns next to nothing."""
        return QSize(0, min(self._height_px, _LEAST_ROOM_PX))
