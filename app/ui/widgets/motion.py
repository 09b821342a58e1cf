"""`Motion` animates what appears, disappears, folds or slides; `reveal` and `conceal` fold widgets.

`cross_fade` is for a page that changes all at once: it blends the old picture into the new.
`fade_in` is for menus and other small windows.

All animations of the window use this module: they take `DURATION_MS`, or no time if the theme says
that motion is reduced.
"""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEasingCurve, QEvent, QObject, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from app.ui.theme import Theme
from app.ui.widgets.scaling import NO_LIMIT_PX

DURATION_MS: Final = 140
_NAME: Final = "fold"
# Elsewhere a window has no opacity: Qt would warn at each frame.
_FADING_PLATFORMS: Final = frozenset({"cocoa", "windows", "xcb"})


class Motion(QVariantAnimation):
    """Animates a value from its current state to 0 or 1, and calls `step` with each value.

    With reduced motion, or while `owner` is not visible, `step` gets the last value at once. Ends
    with its owner.
    """

    def __init__(self, owner: QWidget, theme: Theme, step: Callable[[float], None]) -> None:
        super().__init__(owner)
        self._owner = owner
        self._theme = theme
        self._step = step
        self._then: Callable[[], None] | None = None
        self._share = 0.0
        self.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.valueChanged.connect(self._on_value_changed)
        self.finished.connect(self._on_finished)

    @property
    def share(self) -> float:
        """The current value, 0 to 1."""
        return self._share

    def go(self, share: float, then: Callable[[], None] | None = None) -> None:
        """Animate to this value; call `then` at the end, unless another target is set before."""
        self._then = None
        self.stop()
        self._then = then
        if not self._theme.has_motion or not self._owner.isVisible():
            self._on_value_changed(share)
            self._on_finished()
            return
        self.setDuration(DURATION_MS)
        self.setStartValue(self._share)
        self.setEndValue(float(share))
        self.start()

    def jump(self, share: float) -> None:
        """Set this value without an animation."""
        self._then = None
        self.stop()
        self._on_value_changed(share)

    def _on_value_changed(self, share: object) -> None:
        self._share = float(str(share))
        self._step(self._share)

    def _on_finished(self) -> None:
        then, self._then = self._then, None
        if then:
            then()


class _Fold(Motion):
    """Folds its owner, which is as high as it wants to be once it is open."""

    def __init__(self, owner: QWidget, theme: Theme) -> None:
        super().__init__(owner, theme, self._fold)
        self.setObjectName(_NAME)

    def _fold(self, share: float) -> None:
        owner = self.parent()
        if isinstance(owner, QWidget):
            owner.setMaximumHeight(NO_LIMIT_PX if share == 1 else round(_height(owner) * share))


class _Blend(QWidget):
    """Lies over a page and blends two pictures of it: however much is on it, a frame is cheap."""

    def __init__(self, page: QWidget, theme: Theme) -> None:
        super().__init__(page)
        self._page = page
        self._before = page.grab()
        self._after: QPixmap | None = None
        self._motion = Motion(self, theme, self._on_step)
        # Clicks go to the page below, which has changed already.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # The pictures cover it, so Qt need not paint the page below at each frame.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setGeometry(page.rect())
        self.show()
        self.raise_()
        # In the next turn, when the changed page is laid out.
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        self.hide()
        # Hidden above, so as not to be in the picture.
        self._after = self._page.grab()
        self.show()
        self._motion.go(1, self.deleteLater)

    def _on_step(self, _share: float) -> None:
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what was there, and over it as much of what is there as has come."""
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._before)
        if self._after is not None:
            painter.setOpacity(self._motion.share)
            painter.drawPixmap(0, 0, self._after)


def cross_fade(page: QWidget, theme: Theme) -> None:
    """Blend the page as it is now into what it becomes by the end of this turn.

    The page must not be a splitter, which makes every child a column of its own.
    """
    if theme.has_motion and page.isVisible() and not page.findChildren(_Blend):
        _Blend(page, theme)


class _FadeIn(Motion):
    """Makes its owner opaque each time it is shown, from nothing."""

    def __init__(self, owner: QWidget, theme: Theme) -> None:
        super().__init__(owner, theme, owner.setWindowOpacity)
        owner.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin before the window is on the screen: the event comes first."""
        if event.type() is QEvent.Type.Show:
            self.jump(0)
            self.go(1)
        return super().eventFilter(watched, event)


def fade_in(window: QWidget, theme: Theme) -> None:
    """Have a small window fade in whenever it is shown, where the system can do that."""
    if QGuiApplication.platformName() in _FADING_PLATFORMS:
        _FadeIn(window, theme)


def _height(widget: QWidget) -> int:
    width = widget.width()
    wanted = widget.heightForWidth(width) if widget.hasHeightForWidth() else -1
    return max(wanted, widget.sizeHint().height())


def _fold_of(widget: QWidget, theme: Theme) -> _Fold:
    found = widget.findChild(_Fold, _NAME)
    return found if isinstance(found, _Fold) else _Fold(widget, theme)


def reveal(widget: QWidget, theme: Theme) -> None:
    """Show a widget that was hidden, or is on its way out; it unfolds from its top."""
    fold = _fold_of(widget, theme)
    if widget.isHidden():
        fold.jump(0)
        widget.show()
    fold.go(1)


def conceal(widget: QWidget, theme: Theme, then: Callable[[], None] | None = None) -> None:
    """Fold a widget and hide it; `then` is called once it is gone."""

    def end() -> None:
        widget.hide()
        if then:
            then()

    fold = _fold_of(widget, theme)
    if widget.isVisible() and fold.state() is not _Fold.State.Running:
        fold.jump(1)
    fold.go(0, end)
