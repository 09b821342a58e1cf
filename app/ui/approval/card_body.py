"""The scrolling middle of an approval card, which knows what has been on screen."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.approvals.visible_text import escape_invisible
from app.ui.approval.card_contents import CallCardContents
from app.ui.approval.revealed_text import ViewedRanges
from app.ui.theme import Theme
from app.viewmodels.approval.call_texts import CardView

LEAST_BODY_PX: Final = 48


class CardBody(QScrollArea):
    """Shows the contents of a card, and remembers which parts of them were on screen.

    Made by an approval card; ends with it.
    """

    looked = Signal()
    """More, or less, of the contents has been seen."""
    laid_out = Signal()
    """The contents may want another height."""
    focus_changed = Signal(bool)
    """The keyboard came or went: whether it is here."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._seen = ViewedRanges()
        self._page: QWidget | None = None
        self._contents: CallCardContents | None = None
        self._head: QWidget | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().valueChanged.connect(self._look)

    def show_view(self, view: CardView) -> None:
        """Show another card from its top, nothing of it seen yet."""
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        if self._head:
            self._column.addWidget(self._head)
        self._contents = CallCardContents(view, self._theme)
        self._contents.shown_wanted.connect(self._on_contents_shown_wanted)
        self.setAccessibleName(escape_invisible(view.question, breaks_lines=False))
        self.setAccessibleDescription(self._contents.spoken(view))
        self._column.addWidget(self._contents, 1)
        self._theme.fit(page)
        page.installEventFilter(self)
        self._page = page
        self._seen.clear()
        self.setWidget(page)
        page.setAutoFillBackground(False)  # setWidget has switched it on.
        self._begin()

    @property
    def has_head(self) -> bool:
        """Whether something scrolls above the contents."""
        return self._head is not None

    def set_head(self, head: QWidget | None) -> None:
        """Let this scroll above the contents, or what did so no longer: it has no parent then."""
        if self._head:
            self._head.setParent(None)
        self._head = head
        if head and self._page:
            self._column.insertWidget(0, head)
            head.show()
        self._seen.clear()
        self._begin()

    @property
    def is_read(self) -> bool:
        """Whether every part of the contents, as laid out now, was on screen."""
        is_whole = self._contents is not None and self._contents.is_whole()
        return is_whole and self._first_unseen() is None

    def wanted_height(self, width: int) -> int:
        """Return the height at which nothing needs to scroll."""
        return self._page.heightForWidth(width) if self._page else 0

    def minimumSizeHint(self) -> QSize:
        """Return room for some lines to scroll through; contents that are lower need less."""
        least = min(self.wanted_height(self.width()), self._theme.px(LEAST_BODY_PX))
        return QSize(super().minimumSizeHint().width(), least)

    def show_unseen(self) -> None:
        """Scroll to the first part that has not been on screen."""
        unseen = self._first_unseen()
        if unseen is not None:
            self.verticalScrollBar().setValue(unseen)

    def focus_end(self) -> None:
        """Bring the keyboard to the last of the contents, from where Tab leads to the answers."""
        last = self._contents.stops[-1:] if self._contents else []
        for place in last or [self]:
            place.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Look anew: what fitted in before was perhaps never drawn like that."""
        self._offer_bar()
        super().resizeEvent(event)
        self._seen.clear()
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to be seen."""
        super().showEvent(event)
        self._look()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say that the keyboard is here."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say that the keyboard has gone."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's name.
        """Go through the contents in the order of reading: they come and go, after the answers."""
        places = [self, *(self._contents.stops if self._contents else ())]
        focus = QApplication.focusWidget()
        at = (places.index(focus) if focus in places else 0) + (1 if next else -1)
        if at < 0:
            return super().focusNextPrevChild(next)
        goal = places[at] if at < len(places) else self._after()
        if goal is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
        goal.setFocus(reason)
        if goal in places[1:]:
            self.ensureWidgetVisible(goal)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the layout of the contents: at another width, lines are elsewhere."""
        if watched is self._page:
            if isinstance(event, QResizeEvent):
                self._on_page_resized(event)
            elif event.type() == QEvent.Type.LayoutRequest:
                self._offer_bar()
                self.laid_out.emit()
        is_done = super().eventFilter(watched, event)
        if watched is self._page and event.type() == QEvent.Type.LayoutRequest:
            self._look()
        return is_done

    def _on_contents_shown_wanted(self, text: QWidget, box: QRect) -> None:
        if self._page:
            place = text.mapTo(self._page, box.center())
            self.ensureVisible(place.x(), place.y(), 0, box.height())

    def _after(self) -> QWidget | None:
        """Return what the keyboard comes to after all of the contents."""
        widget = self.nextInFocusChain()
        while widget is not None and widget is not self:
            takes_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes_tab and widget.isEnabled() and widget.isVisible():
                return widget
            widget = widget.nextInFocusChain()
        return None

    def _begin(self) -> None:
        self.verticalScrollBar().setValue(0)
        self._look()

    def _on_page_resized(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._seen.clear()
        self._look()
        self.laid_out.emit()

    def _offer_bar(self) -> None:
        """Take the scroll bar away where all fits in without it.

        By itself the bar would stay where only its own width makes the contents too high.
        """
        room, policy = self.maximumViewportSize(), Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if self.wanted_height(room.width()) <= room.height():
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)

    def _first_unseen(self) -> int | None:
        return self._seen.first_gap(self._page.height()) if self._page else 0

    def _look(self) -> None:
        if self.isVisible() and not self.window().isMinimized():
            top = self.verticalScrollBar().value()
            height = self.viewport().height()
            self._seen.add(top, top + height)
            # More of the contents is made before the reader gets to the end of what is here.
            if self._page and self._contents and top + 2 * height >= self._page.height():
                self._contents.show_more()
        self.looked.emit()
