"""An agent can be called anything: its name stays a short line beside its badge, on its side."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.ui.theme import Theme
from app.ui.widgets.marks import Mark, paint_mark
from app.viewmodels.settings.agent_editing import COLOURS
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied

_NAMES = (
    "You",
    "System ✓",
    "You\u202e\u2066",
    "‹U+202E›",
    "<b>You</b><br>",
    "a\nb\u2028c",
    "W" * 10_000,
    "مرحبا",
    "a" + "\u0301" * 500,
    "\u200b",
    " ",
)


def _head(shown: Shown) -> QImage:
    """Return the line of the name, over the whole column."""
    window = shown.view.viewport()
    corner, end = shown.point("r", 0, 0), shown.point("r", 719, 27)
    return window.grab().toImage().copy(corner.x(), corner.y(), end.x() - corner.x(), 27)


def _grounds(theme: Theme) -> list[QColor]:
    """Return the ground of a badge in each colour that an agent can have."""
    image = QImage(22, 22, QImage.Format.Format_RGB32)
    grounds = []
    for colour in COLOURS:
        image.fill(theme.color("bg"))
        painter = QPainter(image)
        paint_mark(painter, QRectF(image.rect()), theme, Mark(" ", colour=colour))
        painter.end()
        grounds.append(image.pixelColor(3, 11))
    return grounds


@pytest.mark.security(69)
@pytest.mark.parametrize("name", _NAMES)
def test_reply_keeps_its_side_whatever_its_agent_is_called(
    name: str, show: Show, theme: Theme
) -> None:
    usual = show([asked("u", "go"), replied("r", "text")]).placed("r").row.height
    shown = show([asked("u", "go"), replied("r", "text", name=name)])
    head = _head(shown)

    row = shown.placed("r").row
    assert row.height == usual
    assert head.pixelColor(3, 11) in _grounds(theme)
    ground, right = theme.color("bg"), range(620, head.width())
    assert {head.pixelColor(x, y).name() for x in right for y in range(27)} == {ground.name()}
    assert shown.placed("u").top < shown.placed("r").top


@pytest.mark.security(69)
def test_name_is_read_aloud_as_it_is_shown(show: Show) -> None:
    shown = show([replied("r", "text", name="You\u202e" + "x" * 100)])

    spoken = shown.view.accessible_rows.name(0)
    assert spoken.startswith("You‹U+202E›xxx")
    assert spoken.endswith("…: text")
    assert len(spoken) == 40 + len(": text")
