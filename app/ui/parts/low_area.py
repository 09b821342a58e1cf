"""Something that scrolls where a window is too low for it."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from app.ui.theme import Theme

_LEAST_PX = 48


class LowArea(QScrollArea):
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
        # What was never shown counts as hidden, too; and this shows what it is given.
        was_hidden = content.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        is_hidden = was_hidden and content.isHidden()
        self.setWidget(content)
        if is_hidden:
            content.hide()
            self.hide()
        content.setAutoFillBackground(False)
        # What it stands in may have round corners, which a ground of its own would cover.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        content.installEventFilter(self)

    def sizeHint(self) -> QSize:
        """Returns the height of the content at this width."""
        hint = self._content.sizeHint()
        return QSize(hint.width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """Returns the least height that it needs, and room for the bar beside it."""
        bar = self.verticalScrollBar().sizeHint().width()
        least = min(self._height(), self._theme.px(self._least_px))
        return QSize(self._content.minimumSizeHint().width() + bar, least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wants another height at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Comes and goes with the content, and follows its height."""
        if watched is self._content:
            if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
                self.setHidden(self._content.isHidden())
            elif event.type() is QEvent.Type.LayoutRequest:
                self.updateGeometry()
        return super().eventFilter(watched, event)

    def _height(self) -> int:
        return self._content.heightForWidth(self.width())
