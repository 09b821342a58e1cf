"""`Toast` confirms in a corner of its page what was just done, and offers to undo it."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button, push_button, set_button_text
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.motion import Motion
from app.ui.widgets.surfaces import RoundedFrame

_RADIUS_PX: Final = 10
_MOVES: Final = frozenset(
    {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide}
)
_BELOW_PX: Final = 20
_STAYS_MS: Final = 10_000


class Toast(RoundedFrame):
    """Slides in over the lower edge of `page`, and disappears by itself after a while.

    Where one of `foots` is on the page it stands above that, so that nothing is covered that is
    about to be pressed. It stays while the pointer or the keyboard is on it. Made by the page; ends
    with it.
    """

    def __init__(
        self,
        theme: Theme,
        page: QWidget,
        foots: Sequence[QWidget] = (),
        *,
        stays_ms: int = _STAYS_MS,
    ) -> None:
        super().__init__(theme, _RADIUS_PX, ground="panel", line="line-strong", parent=page)
        self._page = page
        self._foots = tuple(foots)
        self._run: Callable[[], None] = self.dismiss
        self._slide = Motion(self, theme, self._place)
        self._leaving = QTimer(self, interval=stays_ms)
        self._leaving.timeout.connect(self._on_leaving_timeout)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._action = push_button(self.tr("Undo"), "link", theme)
        self._action.clicked.connect(self._on_action_clicked)
        close = icon_button("x", self.tr("Dismiss"), theme)
        close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 8, 6)
        row.setSpacing(8)
        for part in (self._words, self._action, close):
            row.addWidget(part)
        for watched in (page, *self._foots):
            watched.installEventFilter(self)
        self.hide()

    def show_words(
        self,
        words: str,
        action: str = "",
        run: Callable[[], None] | None = None,
        name: str = "",
    ) -> None:
        """Show a text with a button that calls `run`; `name` is the button's accessible name."""
        self._run = run or self.dismiss
        self._words.setText(one_line(words))
        set_button_text(self._action, action or self.tr("Dismiss"), name)
        self._action.setVisible(bool(action))
        if self.isHidden():
            self._slide.jump(0)
            self.show()
        self.raise_()
        self._slide.go(1)
        self._leaving.start()
        announce(self, one_line(words))

    def dismiss(self) -> None:
        """Hide at once, as its text no longer holds or was read."""
        self._leaving.stop()
        if (focus := self._focus_inside()) is not None:
            focus.clearFocus()
            self._page.setFocus()
        if not self.isHidden():
            self._slide.go(0, self.hide)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the lower edge of the page, or above its foot."""
        if event.type() in _MOVES and not self.isHidden():
            self._place(self._slide.share)
        return super().eventFilter(watched, event)

    def _place(self, share: float) -> None:
        left, bottom, across = self._free_place()
        # As wide as the text on one line, where the page is: otherwise it wraps.
        self._words.setFixedWidth(1)
        room = across - 2 * self._theme.px(_BELOW_PX) - self.sizeHint().width()
        own = self._words.fontMetrics().horizontalAdvance(self._words.text()) + 1
        self._words.setFixedWidth(max(1, min(own, room)))
        width = self.sizeHint().width()
        height = max(self.sizeHint().height(), self.heightForWidth(width))
        top = bottom - round((height + self._theme.px(_BELOW_PX)) * share)
        self.setGeometry(left + (across - width) // 2, top, width, height)
        # It comes from behind the foot.
        self.setMask(QRegion(0, 0, width, max(1, min(height, bottom - top))))

    def _free_place(self) -> tuple[int, int, int]:
        """Return where it stands: the left edge, the bottom and the width of what is free."""
        page = self._page
        seen = [foot for foot in self._foots if foot.isVisible()]
        if not seen:
            return 0, page.height(), page.width()
        places = [foot.mapTo(page, QPoint(0, 0)) for foot in seen]
        return places[0].x(), min(place.y() for place in places), seen[0].width()

    def _on_action_clicked(self) -> None:
        # Dismissed first: what it runs may show other words here.
        run = self._run
        self.dismiss()
        run()

    def _on_leaving_timeout(self) -> None:
        if not self.underMouse() and self._focus_inside() is None:
            self.dismiss()

    def _focus_inside(self) -> QWidget | None:
        focus: QWidget | None = QApplication.focusWidget()
        return focus if focus and self.isAncestorOf(focus) else None
