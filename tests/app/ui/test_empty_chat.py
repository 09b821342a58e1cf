"""The page of a chat in which nothing was said: its examples."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.ui.empty_chat import EmptyChat
from app.ui.theme import Theme
from tests.support.widgets import click, label_texts


def _shown(theme: Theme, qtbot: QtBot, height: int) -> EmptyChat:
    page = EmptyChat(theme)
    qtbot.addWidget(page)
    page.resize(700, height)
    page.show()
    return page


def test_a_click_gives_the_example_away(theme: Theme, qtbot: QtBot) -> None:
    page, given = _shown(theme, qtbot, 500), list[str]()
    page.example_chosen.connect(given.append)
    page.folder_needed.connect(lambda: given.append("a folder"))
    offers = [one for one in page.findChildren(QPushButton) if one.isVisible()]
    for offer in offers:
        click(offer)

    first, *others = [offer.accessibleName() for offer in offers]
    assert len(others) == 2
    assert given == [first, *(said for offer in others for said in (offer, "a folder"))]


def test_examples_give_way_where_the_words_need_the_room(theme: Theme, qtbot: QtBot) -> None:
    page = _shown(theme, qtbot, 120)
    in_little_room = [offer.isVisible() for offer in page.findChildren(QPushButton)]
    page.resize(700, 500)

    assert not any(in_little_room)
    assert sum(offer.isVisible() for offer in page.findChildren(QPushButton)) == 3


def test_page_of_imported_chats_offers_the_import_and_no_examples(
    theme: Theme, qtbot: QtBot
) -> None:
    page, asked = _shown(theme, qtbot, 500), list[bool]()
    page.import_requested.connect(lambda: asked.append(True))

    page.show_archive(is_archive=True)

    assert "Imported chats" in label_texts(page)
    [button] = [one for one in page.findChildren(QPushButton) if one.isVisible()]
    click(button)
    assert asked == [True]

    page.show_archive(is_archive=False)
    assert "What would you like to do?" in label_texts(page)
    assert not button.isVisible()
