"""These functions make the few kinds of buttons that there are; the style sheet has their colours.

`CALL_ICONS` shows the state of a tool call, by the same icon wherever the call is shown.
`IconLabel` is an icon that stands beside something and does nothing. `ConfirmButton` is for what
cannot be undone: the first click asks, and only the second emits `confirmed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from app.chat.items import CallState
from app.ui.theme import Theme
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import literal, one_line, set_plain_tooltip
from app.ui.widgets.scaling import hold_size
from app.ui.widgets.stylesheet import Token

Kind = Literal["primary", "secondary", "quiet", "link", "danger", "chip", "section", "segment"]

_ICON_SIDE_PX = 18
_CHIP_ICON_SIDE_PX = 15
_GAP = "\u2009"
_ELLIPSIS = "…"
_FEW_LETTERS = "nnn…"
_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class PushButton(QPushButton):
    """A button that Enter presses as Space does while it has the focus.

    Qt leaves Enter to default buttons, which answer wherever in their window it is typed.
    """

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Click on Enter, once per press; handle other keys as Qt does."""
        if not _clicks_by_enter(self, event):
            super().keyPressEvent(event)

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """Show the focus to the keyboard only."""
        super().initStyleOption(option)
        if not has_ring(self):
            option.state &= ~QStyle.StateFlag.State_HasFocus


class _IconButton(QToolButton):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _clicks_by_enter(self, event):
            super().keyPressEvent(event)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        super().initStyleOption(option)
        if not has_ring(self):
            option.state &= ~QStyle.StateFlag.State_HasFocus


class ElidingButton(PushButton):
    """A button whose words end with an ellipsis where there is no room for them."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Return the room that the icon needs, with an ellipsis for the words."""
        hint, metrics = self.sizeHint(), self.fontMetrics()
        spare = self.room_wanted() - metrics.horizontalAdvance(_ELLIPSIS)
        return QSize(hint.width() - max(0, spare), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the button with as many letters as there is room for."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.room_wanted() - max(0, self.sizeHint().width() - self.width())
        if room < self.text_width():
            option.text = self._cut_to(room)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)

    def _cut_to(self, room: int) -> str:
        metrics = self.fontMetrics()
        if room < metrics.horizontalAdvance(_FEW_LETTERS) and not self.icon().isNull():
            return ""
        end, flag = Qt.TextElideMode.ElideRight, Qt.TextFlag.TextShowMnemonic
        return metrics.elidedText(self.text(), end, room, flag)

    def room_wanted(self) -> int:
        """Return the width that the words are to have where there is enough room."""
        return self.text_width()

    def text_width(self) -> int:
        """Return the width of the words."""
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()


def push_button(
    text: str, kind: Kind, theme: Theme, *, icon: str = "", name: str = "", elides: bool = False
) -> QPushButton:
    """Make a button with words on it.

    It is reached by Tab and not by a click, so that clicking leaves the typing where it is; it is
    never the default button of anything. `name` is what a screen reader says instead of `text`.
    With `elides` it may be narrower than its words.
    """
    button = ElidingButton() if elides else PushButton()
    dress(button, kind, theme)
    if icon:
        tint_icon(button, icon, theme)
    set_button_text(button, text, name)
    return button


def dress(button: QPushButton, kind: Kind, theme: Theme) -> None:
    """Give a button the looks and manners of its kind."""
    button.setProperty("kind", kind)
    button.setAutoDefault(False)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    weight = Weight.Normal if kind in ("chip", "section") else Weight.Medium
    button.setFont(theme.font("secondary", weight))
    side = _CHIP_ICON_SIDE_PX if kind == "chip" else _ICON_SIDE_PX
    button.setIconSize(QSize(side, side))


def set_button_text(button: QPushButton, text: str, name: str = "") -> None:
    """Show other words on the button; `name` is what a screen reader says instead."""
    shown = one_line(text)
    set_shown_text(button, shown, name or shown)


def set_shown_text(button: QPushButton, shown: str, name: str) -> None:
    """Show words on the button that are escaped already."""
    # Styles give no room between icon and words.
    gap = "" if button.icon().isNull() else _GAP
    button.setText(gap + literal(shown))
    button.setAccessibleName(name)


def icon_button(icon: str, name: str, theme: Theme) -> QToolButton:
    """Make a button that is only an icon; `name` is its tooltip and what a screen reader says."""
    button = _IconButton()
    button.setProperty("kind", "icon")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setIconSize(QSize(_ICON_SIDE_PX, _ICON_SIDE_PX))
    button.setAccessibleName(name)
    set_plain_tooltip(button, name)
    tint_icon(button, icon, theme)
    return button


def tint_icon(button: QAbstractButton, icon: str, theme: Theme, ink: Token = "ink-2") -> None:
    """Show `icon` on the button, in the colour of `ink` whatever the theme."""
    untint(button)
    _Tint(button, icon, theme, ink)


def untint(button: QAbstractButton) -> None:
    """Leave the icon of the button to whoever sets it from now on."""
    for old in button.findChildren(_Tint):
        old.end()


def _clicks_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    if event.key() not in _ENTER_KEYS:
        return False
    # A held key must not press what comes into the place of this button.
    if not event.isAutoRepeat():
        button.click()
    return True


class _Tint(QObject):
    """Draws the icon of its parent anew when the colours change; ends with its parent."""

    def __init__(self, button: QAbstractButton, icon: str, theme: Theme, ink: Token) -> None:
        super().__init__(button)
        self._button = button
        self._icon = icon
        self._theme = theme
        self._ink = ink
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def end(self) -> None:
        """Leave the button alone from now on."""
        self._theme.changed.disconnect(self._on_theme_changed)
        # Out of the tree at once: `findChildren` finds it until the event loop deletes it.
        self.setParent(None)
        self.deleteLater()

    def _on_theme_changed(self) -> None:
        self._button.setIcon(self._theme.icon(self._icon, self._ink))


CALL_ICONS: Final[Mapping[CallState, tuple[str, Token]]] = {
    CallState.WAITING: ("clock", "warn"),
    CallState.RUNNING: ("refresh-cw", "ink-2"),
    CallState.DONE: ("check", "good"),
    CallState.FAILED: ("x", "bad"),
    CallState.DENIED: ("ban", "bad"),
    CallState.ANSWERED: ("message-square", "ink-2"),
    CallState.REFUSED: ("ban", "warn"),
    CallState.INTERRUPTED: ("triangle-alert", "warn"),
}


class IconLabel(QWidget):
    """Draws the icon in the colour of `ink`, whatever the theme. Made by what it stands in."""

    def __init__(self, icon: str, theme: Theme, ink: Token = "ink-2", side_px: int = 16) -> None:
        super().__init__()
        self._icon = icon
        self._theme = theme
        self._ink: Token = ink
        hold_size(self, width_px=side_px, height_px=side_px)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the icon."""
        ratio = self.devicePixelRatioF()
        pixmap = self._theme.pixmap(self._icon, self._ink, self.width(), ratio)
        QPainter(self).drawPixmap(0, 0, pixmap)


@dataclass(frozen=True, slots=True)
class Asked:
    """How a screen reader says what is asked, kept and deleted."""

    ask: str
    keep: str
    delete: str


class ConfirmButton(QWidget):
    """“Delete…”, then “Cancel” and “Delete permanently”. Made by the page that it stands on."""

    confirmed = Signal()
    """The second button was pressed, which confirms the first."""

    def __init__(self, theme: Theme, names: Asked, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self._keep = push_button(self.tr("Cancel"), "secondary", theme, name=names.keep)
        self._delete = push_button("", "danger", theme)
        row = FlowLayout(self)
        row.add(self._keep, self._delete)
        self._keep.clicked.connect(self._on_keep_clicked)
        self._delete.clicked.connect(self._on_delete_clicked)
        self.begin()

    def begin(self) -> None:
        """Show the first form."""
        set_button_text(self._delete, self.tr("Delete…"), self._names.ask)
        self._keep.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel on Escape, while it is asked."""
        if event.key() == Qt.Key.Key_Escape and not self._keep.isHidden():
            self._on_keep_clicked()
        else:
            super().keyPressEvent(event)

    def _on_keep_clicked(self) -> None:
        self.begin()
        self._delete.setFocus()

    def _on_delete_clicked(self) -> None:
        if self._keep.isHidden():
            set_button_text(self._delete, self.tr("Delete permanently"), self._names.delete)
            self._keep.show()
            # On Cancel: a key that is pressed twice by accident deletes nothing.
            self._keep.setFocus()
        else:
            self.begin()
            self.confirmed.emit()
