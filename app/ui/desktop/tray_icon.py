"""`TrayIcon` shows how many chats have news; its menu opens windows and quits."""

from typing import Final

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.config.settings import Settings
from app.ui.theme import Theme
from app.ui.widgets.fonts import Weight

_SIZES_PX: Final = (16, 22, 24, 32, 48, 64)
_MOST_SHOWN: Final = 9
_BADGE_SHARE: Final = 0.62
_DIGIT_SHARE: Final = 0.72


class TrayIcon(QObject):
    """Appears in the tray if the setting is on. One for the run; `close` removes it."""

    opened = Signal()
    """The person wants the windows back."""
    chat_begun = Signal()
    """The person wants a new chat."""
    quit_chosen = Signal()
    """The person wants the program to end."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._count = 0
        self._settings = Settings()
        self._menu = QMenu()
        self._menu.setAccessibleName(self.tr("Parley"))
        theme.dress(self._menu)
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self._menu)
        self.icon.activated.connect(self._on_icon_activated)
        self.translate()

    def translate(self) -> None:
        """Write menu and tooltip in the language that the program speaks now."""
        self._menu.clear()
        self._menu.addAction(self.tr("Open Parley"), self.opened.emit)
        self._menu.addAction(self.tr("New chat"), self.chat_begun.emit)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Quit"), self.quit_chosen.emit)
        self.show_count(self._count)

    @property
    def keeps_running(self) -> bool:
        """Whether the program should stay when its last window is closed."""
        tray = self._settings.tray
        return tray.is_shown and tray.keeps_running and QSystemTrayIcon.isSystemTrayAvailable()

    def show_settings(self, settings: Settings) -> None:
        """Stand in the tray, or not, as it was chosen."""
        self._settings = settings
        self.icon.setVisible(settings.tray.is_shown)

    def show_count(self, count: int) -> None:
        """Show how many chats have news."""
        self._count = count
        self.icon.setIcon(self._drawn())
        words = self.tr("%n unread chats", "", count) if count else ""
        self.icon.setToolTip(": ".join(filter(None, (self.tr("Parley"), words))))

    def close(self) -> None:
        """Take the icon away, for good."""
        self.icon.hide()
        self._menu.deleteLater()
        self.deleteLater()

    def _drawn(self) -> QIcon:
        icon = QIcon()
        for size_px in _SIZES_PX:
            picture = QPixmap(self._theme.app_pixmap(size_px))
            if self._count:
                self._draw_badge(picture, size_px)
            icon.addPixmap(picture)
        return icon

    def _draw_badge(self, picture: QPixmap, size_px: int) -> None:
        side = size_px * _BADGE_SHARE
        place = QRectF(size_px - side, size_px - side, side, side)
        font = self._theme.font("small", Weight.Bold)
        font.setPixelSize(max(1, round(side * _DIGIT_SHARE)))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bad"))
        painter.drawEllipse(place)
        painter.setPen(self._theme.color("bg"))
        painter.setFont(font)
        text = str(self._count) if self._count <= _MOST_SHOWN else "+"
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _on_icon_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        # The menu opens by itself.
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.opened.emit()
