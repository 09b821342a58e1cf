"""Attached files above the message: shown, removed by mouse and keyboard, sent without words."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton

from app.ui.composer.composer import Composer
from app.viewmodels.chat.attached_files import AttachmentChip
from app.viewmodels.chat.model_choice import ModelOption
from local_tools.attached_file import DRAWN, ContentImage
from tests.support.announcements import announced, reader_listening
from tests.support.approval_dock_fixtures import CHAT
from tests.support.composer_fixtures import (
    Given,
    button_names,
    button_of,
    edit_of,
    press,
    words_of,
)

_OFFER = AttachmentChip("1", "offer.pdf", "2 pages · 214 kB")
_COSTS = AttachmentChip("2", "budget.xlsx", "3 sheets · 38 kB", "file-spreadsheet")
_IMAGE = AttachmentChip("3", "market.jpg", "1,568 × 1,039 · 246 kB", "image")
_AWAITED = AttachmentChip("", "slow.pdf", "")


@pytest.fixture
def removed(composer: Composer) -> list[str]:
    ids: list[str] = []
    composer.attachment_removed.connect(ids.append)
    composer.show_state(CHAT)
    return ids


def test_each_file_says_its_name_and_what_it_is(composer: Composer) -> None:
    composer.show_attachments((_OFFER, _COSTS))
    assert {"offer.pdf", "2 pages · 214 kB", "budget.xlsx"} <= words_of(composer)
    assert {"Remove offer.pdf", "Remove budget.xlsx"} <= button_names(composer)

    composer.show_attachments(())
    assert "offer.pdf" not in words_of(composer)


def test_two_files_of_one_name_leave_nothing_behind(composer: Composer) -> None:
    composer.show_attachments((_AWAITED, _AWAITED))
    composer.show_attachments((_OFFER, _AWAITED))
    composer.show_attachments((_OFFER,))
    assert "slow.pdf" not in words_of(composer)


def test_file_that_was_taken_in_is_read_out_and_one_of_an_opened_chat_is_not(
    composer: Composer,
) -> None:
    with reader_listening():
        composer.show_attachments((_OFFER,))
        composer.show_attachments((_OFFER, _AWAITED))
        composer.show_attachments((_OFFER, AttachmentChip("3", "slow.pdf", "1 page · 9 kB")))
    assert announced(composer.window()) == ["Attached: slow.pdf, 1 page · 9 kB"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_a_file_is_removed_by_keyboard_and_the_next_one_has_it(
    key: Qt.Key, composer: Composer, removed: list[str]
) -> None:
    composer.show_attachments((_OFFER, _COSTS))
    button_of(composer, "Remove offer.pdf").setFocus()
    press(composer, key)
    assert removed == ["1"]

    composer.show_attachments((_COSTS,))
    assert button_of(composer, "Remove budget.xlsx").hasFocus()
    press(composer, key)
    composer.show_attachments(())
    assert edit_of(composer).hasFocus()


def test_tab_follows_what_is_seen_from_the_files_to_the_words_and_the_plus(
    composer: Composer,
) -> None:
    composer.show_attachments((_OFFER,))
    composer.show_attachments((_OFFER, _COSTS))
    elsewhere = QPushButton("Elsewhere", composer)
    elsewhere.show()
    back, names = Qt.KeyboardModifier.ShiftModifier, []
    for _ in range(2):
        press(composer, Qt.Key.Key_Tab, back)
        names.append(_with_keyboard(composer))
    for _ in range(3):
        press(composer, Qt.Key.Key_Tab)
        names.append(_with_keyboard(composer))
    offer, costs = "Remove offer.pdf", "Remove budget.xlsx"
    assert names == [costs, offer, costs, "Message", "Attach"]


def _with_keyboard(composer: Composer) -> str:
    return composer.focusWidget().accessibleName()


def test_a_file_is_removed_by_mouse(composer: Composer, removed: list[str]) -> None:
    composer.show_attachments((_OFFER, _COSTS))
    QTest.mouseClick(button_of(composer, "Remove budget.xlsx"), Qt.MouseButton.LeftButton)
    assert removed == ["2"]


def test_files_alone_can_be_sent_but_not_while_one_is_being_read(
    composer: Composer, given: Given, removed: list[str]
) -> None:
    composer.show_attachments((_OFFER, _AWAITED))
    assert "Reading…" in words_of(composer)
    press(composer, Qt.Key.Key_Return)
    assert not button_of(composer, "Send").isEnabled()
    assert given.messages == []

    composer.show_attachments((_OFFER,))
    assert button_of(composer, "Send").isEnabled()
    press(composer, Qt.Key.Key_Return)
    assert given.messages == [""]
    assert removed == []


def test_the_plus_offers_files_a_folder_the_screen_and_the_clipboard(
    composer: Composer, given: Given
) -> None:
    asked: list[str] = []
    composer.files_requested.connect(lambda: asked.append("files"))
    composer.folder_requested.connect(lambda: asked.append("folder"))
    handed: list[tuple[str, bytes]] = []
    composer.content_attached.connect(lambda *found: handed.append(found))
    menu = next(m for m in composer.findChildren(QMenu) if m.accessibleName() == "Attach")
    composer.screenshot_requested.connect(lambda: asked.append("screenshot"))
    files, folder, screenshot, clipboard = menu.actions()

    files.trigger()
    folder.trigger()
    screenshot.trigger()
    assert asked == ["files", "folder", "screenshot"]

    QApplication.clipboard().setText("Hello")
    clipboard.trigger()
    assert handed == [("Clipboard.txt", b"Hello")]
    assert composer.text == ""

    copied = QMimeData()
    copied.setUrls([QUrl.fromLocalFile("/tmp/a.txt")])
    QApplication.clipboard().setMimeData(copied)
    clipboard.trigger()
    assert [str(path) for paths in given.files for path in paths] == ["/tmp/a.txt"]

    QApplication.clipboard().setMimeData(QMimeData())
    clipboard.trigger()
    assert "There is nothing on the clipboard to attach." in words_of(composer)


def test_an_image_is_shown_as_it_leaves(composer: Composer) -> None:
    drawn = ContentImage("a.png", DRAWN, 40, 30, bytes((10, 200, 30, 255)) * 1200)
    composer.show_attachments((replace(_IMAGE, thumbnail=drawn),))
    pictures = [
        label.pixmap() for label in composer.findChildren(QLabel) if not label.pixmap().isNull()
    ]
    assert any(picture.toImage().pixelColor(5, 5) == QColor(10, 200, 30) for picture in pictures)


def test_a_model_that_cannot_see_is_known_before_sending(composer: Composer) -> None:
    words = "Small can’t see images. It receives only their names."
    blind = ModelOption("small", "Small", "", can_see=False)
    composer.show_state(replace(CHAT, model=blind))
    composer.show_attachments((_OFFER,))
    assert words not in words_of(composer)
    composer.show_attachments((_OFFER, _IMAGE))
    assert words in words_of(composer)
    composer.show_state(replace(CHAT, model=replace(blind, can_see=True)))
    assert words not in words_of(composer)


def test_every_refused_file_is_named_and_no_other_note_ends_with_them(composer: Composer) -> None:
    composer.tell_refused(["a.pdf is damaged.", "b.pdf is locked."])
    assert "a.pdf is damaged.\nb.pdf is locked." in words_of(composer)
    composer.tell_refused([f"{number} is damaged." for number in range(9)])
    (words,) = (words for words in words_of(composer) if words.startswith("0 is"))
    assert words.splitlines()[4:] == ["4 is damaged.", "And 4 more."]
    composer.tell_refused([])
    assert words not in words_of(composer)

    composer.tell("There is nothing on the clipboard to attach.")
    composer.tell_refused([])
    assert "There is nothing on the clipboard to attach." in words_of(composer)
