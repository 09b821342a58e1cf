"""The page of a chat in which nothing was said: its examples."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.empty_chat import EmptyChat
from app.ui.theme import Theme
from tests.support.widgets import click


def _shown(theme: Theme, qtbot: QtBot, height: int) -> EmptyChat:
    page = EmptyChat(theme)
    qtbot.addWidget(page)
    page.resize(700, height)
    page.show()
    return page


def test_a_click_gives_the_example_away(theme: Theme, qtbot: QtBot) -> None:
    page, given = _shown(theme, qtbot, 500), list[str]()
    page.example_chosen.connect(given.append)
    offers = page.findChildren(QPushButton)
    for offer in offers:
        click(offer)

    assert given == [offer.accessibleName() for offer in offers]
    assert len(given) == 3


def test_examples_give_way_where_the_words_need_the_room(theme: Theme, qtbot: QtBot) -> None:
    page = _shown(theme, qtbot, 120)
    in_little_room = [offer.isVisible() for offer in page.findChildren(QPushButton)]
    page.resize(700, 500)

    assert in_little_room == [False] * 3
    assert all(offer.isVisible() for offer in page.findChildren(QPushButton))
