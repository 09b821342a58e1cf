"""Keep fixed sizes and margins of widgets in step with the scale of the window."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QLayout, QWidget

from app.ui.widgets.fonts import Fonts

# What a layout was made with, at 100 %: margins, then spacing.
_MADE_WITH: Final = "made_with"
# WORKAROUND A new style sheet gives each widget back the font that it had when it met the last one
# (QStyleSheetStyle::unsetPalette); this is where that font is kept.
_KEPT_BY_SHEET: Final = "_q_styleSheetWidgetFont"
# QWIDGETSIZE_MAX, which PySide6 does not export.
NO_LIMIT_PX: Final = 16777215
"""How large a widget may be that has no limit."""
Margins: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom."""
_SIZE_MADE_WITH: Final = "size_made_with"
_HELD: Final = "held_size"
_ICON_MADE_WITH: Final = "icon_made_with"


def hold_size(widget: QWidget, *, width_px: int = 0, height_px: int = 0) -> None:
    """Give a widget this width or height of the design, whatever is in it; 0 leaves it free."""
    widget.setProperty(_HELD, (width_px, height_px))
    _refit_held(widget, (width_px, height_px), 1)


def refit(widgets: Iterable[QWidget], scale: float) -> None:
    """Scale the margins, sizes and icons of these widgets from the ones at 100 %."""
    for widget in widgets:
        # Menus and other parts of Qt have layouts of their own, or none.
        if layout := widget.layout():
            _refit_layout(layout, scale)
        if held := widget.property(_HELD):
            _refit_held(widget, held, scale)
        else:
            _refit_size(widget, scale)
        if isinstance(widget, QAbstractButton):
            _refit_icon(widget, scale)


def refont(widgets: Iterable[QWidget], before: Fonts, after: Fonts) -> None:
    """Give these widgets the fonts of `after`, where they were given fonts of `before`."""
    for widget in widgets:
        if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont):
            font = after.in_place_of(widget.font(), before)
            widget.setFont(font)
            if widget.property(_KEPT_BY_SHEET) is not None:
                widget.setProperty(_KEPT_BY_SHEET, font)


def remake(layout: QLayout, margins_px: Margins, spacing_px: int, scale: float) -> None:
    """Give a layout other margins and another spacing of the design."""
    layout.setProperty(_MADE_WITH, (*margins_px, spacing_px))
    _refit_layout(layout, scale)


def _refit_layout(layout: QLayout, scale: float) -> None:
    made = layout.property(_MADE_WITH)
    if made is None:
        margins = layout.contentsMargins()
        made = (margins.left(), margins.top(), margins.right(), margins.bottom(), layout.spacing())
        layout.setProperty(_MADE_WITH, made)
    left, top, right, bottom, spacing = (round(length * scale) for length in made)
    if layout.contentsMargins() != QMargins(left, top, right, bottom):
        layout.setContentsMargins(left, top, right, bottom)
    if spacing >= 0 and layout.spacing() != spacing:
        layout.setSpacing(spacing)
    # WORKAROUND Asked for an item, PySide6 takes the wrapper of its widget away with it, such as
    # that of a scroll bar, which somebody may hold: layouts in a layout are its children, too.
    for inner in layout.children():
        if isinstance(inner, QLayout):
            _refit_layout(inner, scale)


def _refit_held(widget: QWidget, held: tuple[int, int], scale: float) -> None:
    width, height = (round(length * scale) for length in held)
    if width:
        widget.setFixedWidth(width)
    if height:
        widget.setFixedHeight(height)


def _refit_size(widget: QWidget, scale: float) -> None:
    """Scales the widest that a column becomes, and squares of one size, such as a dot.

    The least sizes stay: they say how small the window may become, whatever the scale.
    """
    least, most = widget.minimumSize(), widget.maximumSize()
    is_square = least == most and most.width() == most.height()
    if not is_square and not least.width() < most.width() < NO_LIMIT_PX:
        return
    made = widget.property(_SIZE_MADE_WITH)
    if made is None:
        made = most
        widget.setProperty(_SIZE_MADE_WITH, made)
    if is_square:
        widget.setFixedSize(made * scale)
    else:
        widget.setMaximumWidth(round(made.width() * scale))


def _refit_icon(button: QAbstractButton, scale: float) -> None:
    made = button.property(_ICON_MADE_WITH)
    if made is None:
        made = button.iconSize().width()
        button.setProperty(_ICON_MADE_WITH, made)
    side = round(made * scale)
    button.setIconSize(QSize(side, side))
