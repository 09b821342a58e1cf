"""Menus with round corners, drawn as the style sheet says."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.theme import Theme


def make_menu(parent: QWidget, name: str, theme: Theme) -> QMenu:
    """Make an empty menu; `name` is what a screen reader says."""
    menu = QMenu(parent)
    menu.setWindowFlags(
        menu.windowFlags()
        | Qt.WindowType.FramelessWindowHint
        | Qt.WindowType.NoDropShadowWindowHint
    )
    menu.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    menu.setAccessibleName(name)
    menu.setFont(theme.font("secondary"))
    return menu
