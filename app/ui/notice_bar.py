"""`NoticeBar` shows one sentence that concerns the whole window, above the page."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button, push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import plain_label, set_ink, spoken
from app.ui.widgets.motion import conceal, reveal
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import CardKind, set_card
from app.viewmodels.states import BannerView, Dot

_ICON_PX: Final = 18
_LOOKS: Final[dict[Dot, tuple[CardKind, Token, str]]] = {
    Dot.GOOD: ("plain", "ink", "info"),
    Dot.WARN: ("warn", "warn", "timer"),
    Dot.BAD: ("bad", "bad", "circle-alert"),
}


class NoticeBar(QWidget):
    """Shows one banner; without one it takes no room.

    A banner that was closed stays away until another one, or none, was shown. Made by the window.
    """

    retry_requested = Signal()
    """What failed should be tried again."""
    settings_requested = Signal()
    """The settings should open."""
    details_requested = Signal()
    """What the log says should be shown."""
    updates_requested = Signal()
    """What is known of a newer version should be shown."""
    dismissed = Signal(object)
    """The person closed the banner; argument: the `BannerView`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: BannerView | None = None
        self._closed: BannerView | None = None
        self._gives_way = False
        self._card = QFrame()
        self._icon = plain_label("", theme)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._action = push_button(self.tr("Try again"), "secondary", theme)
        self._action.clicked.connect(self._on_action_clicked)
        self._details = push_button(self.tr("Details"), "quiet", theme)
        self._details.clicked.connect(self.details_requested)
        self._close = icon_button("x", self.tr("Dismiss"), theme)
        self._close.clicked.connect(self._on_close_clicked)
        row = FlowLayout(self._card, spacing_px=10)
        row.setContentsMargins(14, 7, 8, 7)
        row.add(self._icon)
        row.add(self._words, grows=True)
        row.add(self._details, self._action, self._close)
        outside = QHBoxLayout(self)
        outside.setContentsMargins(16, 10, 16, 10)
        outside.addWidget(self._card)
        theme.changed.connect(self._draw_icon)
        self.hide()

    def show_banner(self, view: BannerView | None) -> None:
        """Show this banner, unless it was closed; None hides the bar, and so forgets that."""
        is_other = view != self._view
        self._view = view
        if view != self._closed:
            self._closed = None
        self._show()
        if view is None:
            return
        card, ink, _ = _LOOKS[view.dot]
        set_card(self._card, card)
        set_ink(self._words, ink)
        self._words.setText(spoken(view.words))
        self.setAccessibleName(self._words.text())
        self._details.setVisible(view.words.is_in_log)
        self._action.setVisible(bool(view.action))
        set_button_text(self._action, self._action_text(view))
        self._draw_icon()
        # Of several pages only the one in front announces it.
        if is_other and view != self._closed and self._is_in_front():
            announce(self, self._words.text())

    def give_way(self, *, gives_way: bool) -> None:
        """Take no room for as long as something else needs it more."""
        self._gives_way = gives_way
        self._show()

    def _is_in_front(self) -> bool:
        page = self.parentWidget()
        return page is not None and page.isVisible()

    def _show(self) -> None:
        is_closed = self._view is None or self._view == self._closed
        if is_closed or self._gives_way:
            conceal(self, self._theme)
        else:
            reveal(self, self._theme)

    def _draw_icon(self) -> None:
        if self._view:
            _, ink, icon = _LOOKS[self._view.dot]
            ratio = self.devicePixelRatio()
            self._icon.setPixmap(self._theme.pixmap(icon, ink, self._theme.px(_ICON_PX), ratio))

    def _action_text(self, view: BannerView) -> str:
        match view.action:
            case "settings":
                return self.tr("Open settings")
            case "updates":
                return self.tr("Show update")
            case _:
                return self.tr("Try again")

    def _on_action_clicked(self) -> None:
        match self._view and self._view.action:
            case "settings":
                self.settings_requested.emit()
            case "updates":
                self.updates_requested.emit()
            case _:
                self.retry_requested.emit()

    def _on_close_clicked(self) -> None:
        self._closed = self._view
        self._show()
        self.dismissed.emit(self._closed)
