"""A low window, large letters: what gives way so that the chat or the card can be read."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.common.error_messages import ErrorMessage
from app.config.settings import AppearanceSettings
from app.ui.approval.call_card import CardBody
from app.ui.approval.dock import ApprovalDock
from app.ui.chat_header import ChatHeader
from app.ui.chat_page import CompactLayout
from app.ui.composer.composer import Composer
from app.ui.notice_bar import NoticeBar
from app.ui.theme import Theme
from app.ui.widgets.chips import Chip
from app.ui.widgets.column import Column
from app.ui.widgets.labels import plain_tooltip
from app.viewmodels.states import BannerView, Dot
from app.viewmodels.tools.chat_tools import OfferedTool
from tests.support.approval_dock_fixtures import CHAT
from tests.support.cards import RULE_CARD, SHORT_CARD, long_card
from tests.support.clipping import settle
from tests.support.widgets import button_named, child, click

_TOOLS = tuple(OfferedTool(f"tool-{n}", "A tool", "It does something") for n in range(12))
_TROUBLE = BannerView(Dot.BAD, ErrorMessage("The service does not answer."), "retry")
_LINES = 3


class _Page(QWidget):
    """A chat page with an empty middle."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.banner, self.middle, self.dock = NoticeBar(theme), QWidget(), ApprovalDock(theme)
        self.agent = Chip(theme, "Writer of letters", "Agent", icon="waypoints", opens=True)
        picker = QWidget()
        inside = QVBoxLayout(picker)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.agent)
        self.composer = Composer(theme, picker)
        header = ChatHeader(theme)
        places = Column(theme, self.dock, top_px=4), Column(theme, self.composer, bottom_px=18)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (header, self.banner, self.middle, *places):
            column.addWidget(part)
        column.setStretch(2, 1)
        CompactLayout(theme, self, self.dock, self.composer, self.banner, around=(header, *places))
        self.composer.show_state(replace(CHAT, folder="~/projects/with a name", tools=_TOOLS))

    @property
    def line(self) -> int:
        """The height of a line of the chat."""
        return self.composer.fontMetrics().lineSpacing()

    def chip(self, purpose: str) -> Chip:
        """Return the chip of the composer that shows this."""
        chips = self.composer.findChildren(Chip)
        return next(chip for chip in chips if chip.accessibleName().startswith(purpose))


@pytest.fixture
def page_of(theme: Theme, qtbot: QtBot) -> Callable[[int, int], _Page]:
    """Make a page of a size, at 200 %."""

    def make(width: int, height: int) -> _Page:
        page = _Page(theme)
        qtbot.addWidget(page)
        page.resize(width, height)
        page.show()
        theme.wear(AppearanceSettings(theme="light", scale_percent=200))
        settle()
        return page

    return make


def test_chat_and_card_keep_lines_in_a_low_window(page_of: Callable[[int, int], _Page]) -> None:
    page = page_of(720, 480)
    page.banner.show_banner(_TROUBLE)
    settle()
    assert page.middle.height() >= _LINES * page.line
    assert page.composer.height() < _LINES * page.line  # All of it is in one line.

    for card in (RULE_CARD, long_card(60)):
        page.dock.show_cards([card])
        settle()
        assert child(page.dock, CardBody).viewport().height() >= _LINES * page.line
        assert page.banner.isHidden()
    page.dock.show_cards([])
    assert not page.banner.isHidden()


def test_card_gets_more_height_with_large_text(
    page_of: Callable[[int, int], _Page],
) -> None:
    page = page_of(1360, 860)
    page.dock.show_cards([SHORT_CARD])
    settle()
    assert child(page.dock, CardBody).is_read, "a short card needs no scrolling"
    page.dock.show_cards([long_card(60)])
    settle()
    assert child(page.dock, CardBody).viewport().height() >= 10 * page.line


def test_chips_become_narrower_one_after_the_other(page_of: Callable[[int, int], _Page]) -> None:
    page = page_of(1360, 1200)
    agent, folder, tools = (page.chip(name) for name in ("Agent", "Folder", "Tools"))
    whole = [chip.width() for chip in (agent, folder, tools)]

    for width in range(1360, 720, -40):
        page.resize(width, 1200)
        settle()
        now = [chip.width() for chip in (agent, folder, tools)]
        cut = [chip < before for chip, before in zip(now, whole, strict=True)]
        assert cut in ([False] * 3, [False, False, True], [False, True, True], [True] * 3), width
    assert plain_tooltip(folder) == "Folder: ~/projects/with a name"


def test_closed_banner_comes_back_when_the_state_changes(theme: Theme, qtbot: QtBot) -> None:
    bar = NoticeBar(theme)
    qtbot.addWidget(bar)
    bar.show_banner(_TROUBLE)
    bar.show()
    click(button_named(bar, "Dismiss"))
    bar.show_banner(_TROUBLE)
    assert bar.isHidden()

    bar.show_banner(replace(_TROUBLE, action="settings"))
    assert not bar.isHidden()
    click(button_named(bar, "Dismiss"))
    bar.show_banner(None)
    bar.show_banner(_TROUBLE)
    assert not bar.isHidden()
