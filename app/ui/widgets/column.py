"""`Column` is the middle column that transcript, cards and composer share.

`ShrinkingScrollArea` holds something that scrolls where a window is too low for it.
"""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

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
    """Empty room, as high as the design has it, or lower. Made by the column."""

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
        """Return the height of the design."""
        if self._gives_way:
            return self.minimumSizeHint()
        return QSize(0, self._theme.px(self._height_px))

    def minimumSizeHint(self) -> QSize:
        """Return the least height: where room is short, this gap gives way first."""
        return QSize(0, min(self._height_px, _LEAST_ROOM_PX))


_LEAST_PX = 48


class ShrinkingScrollArea(QScrollArea):
    """Shows `content`, as high as it wants to be, or lower with a scroll bar; hidden with it.

    It is never lower than `least_px`, unless the content is. Made by what it stands in, which is
    its parent: without one, showing the content would open a window. Ends with it.
    """

    def __init__(
        self, theme: Theme, content: QWidget, parent: QWidget, least_px: int = _LEAST_PX
    ) -> None:
        super().__init__(parent)
        self._least_px = least_px
        self._theme = theme
        self._content = content
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        # `isHidden` is also true before the first show, and `setWidget` shows the widget.
        was_hidden = content.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        is_hidden = was_hidden and content.isHidden()
        self.setWidget(content)
        if is_hidden:
            content.hide()
            self.hide()
        # `setWidget` has turned it on.
        content.setAutoFillBackground(False)
        # What it stands in may have round corners, which a ground of its own would cover.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        """Return the height of the content at this width."""
        hint = self._content.sizeHint()
        return QSize(hint.width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """Return the least height that it needs, and room for the bar beside it."""
        bar = self.verticalScrollBar().sizeHint().width()
        least = min(self._height(), self._theme.px(self._least_px))
        return QSize(self._content.minimumSizeHint().width() + bar, least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height at another width."""
        super().resizeEvent(event)
        # At another width only: a height that asks for a height would never come to rest.
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show and hide with the content, and follow its height."""
        if watched is self._content:
            # Unlike Show and Hide, these come also while the window itself is hidden.
            if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
                self.setHidden(self._content.isHidden())
            elif event.type() is QEvent.Type.LayoutRequest:
                self.updateGeometry()
        return super().eventFilter(watched, event)

    def _height(self) -> int:
        return self._content.heightForWidth(self.width())
