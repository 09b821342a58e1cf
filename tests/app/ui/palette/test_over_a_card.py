"""A card under the palette: it stays where it is, and nothing meant for the palette answers it."""

import pytest
from PySide6.QtCore import Qt

from app.ui.palette.palette import Palette
from app.ui.theme import Theme
from tests.support.approval_dock_fixtures import ApprovalDockFixture
from tests.support.cards import SHORT_CARD


@pytest.fixture
def palette(stage: ApprovalDockFixture, theme: Theme) -> Palette:
    made = Palette(theme, stage.window)
    made.closed.connect(stage.dock.disturb)
    return made


@pytest.mark.security(2)
def test_clicks_that_close_the_palette_answer_no_card(
    stage: ApprovalDockFixture, palette: Palette
) -> None:
    stage.show(SHORT_CARD)
    stage.arm()
    allow = stage.point(stage.answer("Allow once"))
    place = stage.dock.geometry()

    palette.open()
    stage.settle()
    assert stage.dock.geometry() == place
    stage.click(allow)
    assert not palette.isVisible()
    stage.click(allow)
    assert stage.answers == []

    stage.arm()
    stage.click(allow)
    assert [answer[0] for answer in stage.answers] == ["allowed"]


@pytest.mark.security(1)
def test_keys_typed_into_the_palette_answer_no_card(
    stage: ApprovalDockFixture, palette: Palette
) -> None:
    stage.show(SHORT_CARD)
    stage.key(Qt.Key.Key_F6)
    stage.key(Qt.Key.Key_Tab)
    palette.open()
    stage.arm()

    for key in (Qt.Key.Key_F6, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Tab):
        stage.key(key)
    stage.key(Qt.Key.Key_Escape)
    stage.key(Qt.Key.Key_Space)

    assert stage.answers == []
