"""What a painted row stands on: the same in every list."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter
from PySide6.QtWidgets import QStyle

from app.ui.theme import Theme
from app.ui.widgets.focus_ring import note_input
from app.ui.widgets.painting import paint_flat_ground, paint_round_ground

_ROOM = QRectF(0, 0, 60, 30)
_MIDDLE, _EDGE = (30, 15), (30, 1)
_NONE = QStyle.StateFlag.State_None
_HERE = QStyle.StateFlag.State_HasFocus
_SELECTED = QStyle.StateFlag.State_Selected
_POINTED_AT = QStyle.StateFlag.State_MouseOver


def _painted(
    theme: Theme, state: QStyle.StateFlag, fill: QBrush | None, *, is_flat: bool
) -> QImage:
    image = QImage(60, 30, QImage.Format.Format_RGB32)
    image.fill(theme.color("bg"))
    painter = QPainter(image)
    if is_flat:
        paint_flat_ground(painter, _ROOM, theme, state)
    else:
        paint_round_ground(painter, _ROOM, theme, state, fill)
    painter.end()
    return image


@pytest.mark.parametrize("is_flat", [True, False])
def test_a_row_is_filled_when_it_is_selected_or_pointed_at_and_framed_where_the_keyboard_is(
    theme: Theme, is_flat: bool
) -> None:
    note_input(is_keyboard=True)
    shown = {
        state: _painted(theme, state, None, is_flat=is_flat)
        for state in (_NONE, _SELECTED, _POINTED_AT, _HERE)
    }
    at = {state: image.pixelColor(*_MIDDLE) for state, image in shown.items()}
    edges = {state: image.pixelColor(*_EDGE) for state, image in shown.items()}

    assert at[_NONE] == edges[_NONE] == theme.color("bg")
    assert at[_SELECTED] == edges[_SELECTED] == theme.color("selection")
    assert at[_POINTED_AT] == edges[_POINTED_AT] == theme.color("hover")
    assert edges[_HERE] == theme.color("accent")


def test_a_list_that_chooses_the_colour_itself_is_left_to_it(theme: Theme) -> None:
    red = QColor(Qt.GlobalColor.red)
    assert _painted(theme, _NONE, QBrush(red), is_flat=False).pixelColor(*_MIDDLE) == red
    none = _painted(theme, _SELECTED, QBrush(), is_flat=False)
    assert none.pixelColor(*_MIDDLE) == theme.color("bg")
