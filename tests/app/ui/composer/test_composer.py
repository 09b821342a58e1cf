"""The composer: what is given away and when, what a chat offers around the box."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QLocale, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.chat.session import MESSAGE_LIMIT_CHARS
from app.ui.composer.composer import Composer
from app.ui.composer.composer_box import RemainingLengthLabel
from app.ui.theme import Theme
from app.viewmodels.tools.chat_tools import OfferedTool
from tests.support.approval_dock_fixtures import CHAT
from tests.support.composer_fixtures import (
    Given,
    button_names,
    button_of,
    press,
    type_into,
    words_of,
)

_NO_MODIFIER = Qt.KeyboardModifier.NoModifier
_BUSY = replace(CHAT, is_busy=True)


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_blanks_alone_are_not_sent(text: str, composer: Composer, given: Given) -> None:
    composer.set_text(text)
    press(composer, Qt.Key.Key_Return)

    assert given.messages == []
    assert not button_of(composer, "Send").isEnabled()


def test_the_box_is_cleared_only_when_the_message_is_kept(composer: Composer) -> None:
    type_into(composer, "Hello")
    press(composer, Qt.Key.Key_Return)
    before = composer.text
    composer.accepted()

    assert before == "Hello"
    assert composer.text == ""


def test_a_message_is_given_away_once_while_it_is_being_kept(
    composer: Composer, given: Given
) -> None:
    type_into(composer, "Hello")
    for _ in range(3):
        press(composer, Qt.Key.Key_Return)

    assert given.messages == ["Hello"]


def test_text_typed_while_a_message_is_stored_stays(composer: Composer, given: Given) -> None:
    type_into(composer, "Hello")
    press(composer, Qt.Key.Key_Return)
    type_into(composer, " again")
    composer.accepted()

    assert given.messages == ["Hello"]
    assert composer.text == " again"


def test_a_draft_that_arrives_while_a_message_is_being_kept_waits(composer: Composer) -> None:
    type_into(composer, "Hello")
    press(composer, Qt.Key.Key_Return)
    composer.set_text("")
    while_keeping = composer.text
    composer.accepted()

    assert while_keeping == "Hello"
    assert composer.text == ""


def test_a_refused_message_stays_with_the_reason_beside_it(
    composer: Composer, given: Given
) -> None:
    type_into(composer, "Hello")
    press(composer, Qt.Key.Key_Return)
    composer.refused("The disk is full.")

    assert composer.text == "Hello"
    assert "The disk is full." in words_of(composer)

    press(composer, Qt.Key.Key_Return)
    assert given.messages == ["Hello", "Hello"]


def test_a_note_can_be_put_away(composer: Composer) -> None:
    composer.refused("The disk is full.")
    button_of(composer, "Dismiss").click()

    assert "The disk is full." not in words_of(composer)


def test_with_nobody_to_send_to_the_reason_is_reported(composer: Composer, given: Given) -> None:
    composer.show_state(replace(CHAT, can_send=False, placeholder="Not connected yet"))
    type_into(composer, "Hello")
    press(composer, Qt.Key.Key_Return)

    assert given.messages == []
    assert composer.text == "Hello"
    assert "Not connected yet" in words_of(composer)


def test_while_busy_send_is_stop_and_enter_queues(composer: Composer, given: Given) -> None:
    composer.show_state(_BUSY)
    type_into(composer, "Next")
    names = button_names(composer)
    press(composer, Qt.Key.Key_Return)

    assert "Stop (Esc)" in names
    assert "Send" not in names
    assert given.messages == ["Next"]


def test_esc_and_the_button_stop_a_reply_and_nothing_else(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(composer.stop_requested):
        press(composer, Qt.Key.Key_Escape)
    composer.show_state(_BUSY)
    with qtbot.waitSignal(composer.stop_requested, timeout=20_000):
        press(composer, Qt.Key.Key_Escape)
    with qtbot.waitSignal(composer.stop_requested, timeout=20_000):
        QTest.mouseClick(button_of(composer, "Stop (Esc)"), Qt.MouseButton.LeftButton)
    # The key that gave something else up may be held a little long.
    [esc] = composer.findChildren(QShortcut)
    assert not esc.autoRepeat()


def test_the_second_half_of_a_double_click_on_send_does_not_stop_the_reply(
    composer: Composer, given: Given, qtbot: QtBot
) -> None:
    type_into(composer, "Hello")
    QTest.mouseClick(button_of(composer, "Send"), Qt.MouseButton.LeftButton)
    composer.accepted()
    composer.show_state(_BUSY)
    stop = button_of(composer, "Stop (Esc)")
    with qtbot.assertNotEmitted(composer.stop_requested):
        QApplication.sendEvent(stop, _second_press(stop))
        QTest.mouseRelease(stop, Qt.MouseButton.LeftButton)

    assert given.messages == ["Hello"]


def _second_press(button: QWidget) -> QMouseEvent:
    left, at = Qt.MouseButton.LeftButton, QPointF(button.rect().center())
    return QMouseEvent(
        QEvent.Type.MouseButtonDblClick, at, button.mapToGlobal(at), left, left, _NO_MODIFIER
    )


def test_a_message_taken_back_comes_before_what_is_in_the_box(composer: Composer) -> None:
    type_into(composer, "new")
    composer.take_back("old")

    assert composer.text == "old\nnew"


def test_up_and_down_walk_through_what_was_sent_here(composer: Composer) -> None:
    composer.recall_requested.connect(lambda step: composer.recall(("first", "last"), step))
    up, down = Qt.Key.Key_Up, Qt.Key.Key_Down
    seen = []
    for key in (up, up, up, down, down, up):
        press(composer, key)
        seen.append(composer.text)

    assert seen == ["last", "first", "first", "last", "", "last"]


def test_up_walks_no_further_once_the_recalled_text_was_changed(
    composer: Composer, qtbot: QtBot
) -> None:
    composer.recall_requested.connect(lambda step: composer.recall(("first", "last"), step))
    press(composer, Qt.Key.Key_Up)
    type_into(composer, "!")
    with qtbot.assertNotEmitted(composer.recall_requested):
        press(composer, Qt.Key.Key_Up)

    assert composer.text == "last!"


def test_up_in_a_recalled_message_of_two_lines_moves_the_cursor_first(composer: Composer) -> None:
    composer.recall_requested.connect(lambda step: composer.recall(("one", "two\nlines"), step))
    for _ in range(2):
        press(composer, Qt.Key.Key_Up)
    before = composer.text
    press(composer, Qt.Key.Key_Up)

    assert (before, composer.text) == ("two\nlines", "one")


def test_a_second_message_sent_while_the_first_is_being_kept_follows_it(
    composer: Composer, given: Given
) -> None:
    type_into(composer, "one")
    press(composer, Qt.Key.Key_Return)
    type_into(composer, "two")
    press(composer, Qt.Key.Key_Return)
    composer.accepted()
    composer.accepted()

    assert given.messages == ["one", "two"]
    assert composer.text == ""


def test_the_hint_does_not_promise_to_send_while_a_tool_waits(composer: Composer) -> None:
    composer.show_state(replace(_BUSY, is_asking=True))

    assert not {"Enter to send", "Enter to queue"} & set(words_of(composer))


def test_an_example_does_not_replace_what_was_begun(composer: Composer) -> None:
    composer.propose("an example")
    first = composer.text
    composer.propose("another")

    assert (first, composer.text) == ("an example", "an example")


def test_every_change_is_told_as_a_draft(composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    type_into(composer, "ab")

    assert drafts == ["a", "ab"]


def test_sending_while_a_tool_waits_asks_before_it_declines(
    composer: Composer, given: Given
) -> None:
    composer.show_state(replace(_BUSY, is_asking=True))
    type_into(composer, "Stop that")
    press(composer, Qt.Key.Key_Return)
    composer.ask_to_decline()
    button_of(composer, "Deny and send").click()

    assert given.declining == ["Stop that"]
    assert composer.text == "Stop that"


def test_the_question_goes_when_no_tool_waits_any_more(composer: Composer) -> None:
    composer.show_state(replace(_BUSY, is_asking=True))
    composer.ask_to_decline()
    composer.show_state(CHAT)

    assert "Deny and send" not in button_names(composer)


def test_without_a_folder_the_chip_asks_for_one(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.folder_requested, timeout=20_000):
        button_of(composer, "Folder: Choose folder…").click()


def test_a_chosen_folder_can_be_changed_and_dropped(composer: Composer, qtbot: QtBot) -> None:
    composer.show_state(replace(CHAT, folder="~/Projects/notes"))
    button_of(composer, "Folder: ~/Projects/notes").click()
    menu = next(m for m in composer.findChildren(QMenu) if m.isVisible())
    change, drop = menu.actions()
    with qtbot.waitSignal(composer.folder_requested, timeout=20_000):
        change.trigger()
    with qtbot.waitSignal(composer.folder_cleared, timeout=20_000):
        drop.trigger()
    menu.close()


def test_the_tools_of_the_chat_are_counted_and_a_click_asks_for_their_list(
    composer: Composer, qtbot: QtBot
) -> None:
    tools = (OfferedTool("read_file", "Read file", "Reads a file."),)
    composer.show_state(replace(CHAT, tools=tools))
    with qtbot.waitSignal(composer.tools_requested, timeout=20_000):
        button_of(composer, "Tools: 1 tool").click()
    heights = {button_of(composer, name).height() for name in ("Attach", "Tools: 1 tool", "Send")}
    assert len(heights) == 1, "the buttons of the row are of one height"

    composer.show_state(replace(CHAT, tools=()))
    assert "Tools: No tools" in button_names(composer)


def test_tools_chip_is_hidden_without_tools(composer: Composer) -> None:
    composer.show_state(replace(CHAT, has_tools=False))
    assert not any(name.startswith("Tools") for name in button_names(composer))


def test_each_enter_gives_one_message_of_its_own_however_quick(
    composer: Composer, given: Given
) -> None:
    for text in ("one", "two", "three"):
        type_into(composer, text)
        press(composer, Qt.Key.Key_Return)
    type_into(composer, "not yet")
    for _ in range(4):
        composer.accepted()

    assert given.messages == ["one", "two", "three"]
    assert composer.text == "not yet"


def test_two_quick_enters_send_one_message(composer: Composer, given: Given) -> None:
    type_into(composer, "one")
    for _ in range(2):
        press(composer, Qt.Key.Key_Return)
    composer.accepted()
    press(composer, Qt.Key.Key_Return)

    assert given.messages == ["one"]
    assert composer.text == ""


def test_messages_submitted_after_a_refused_one_stay_in_the_box(
    composer: Composer, given: Given
) -> None:
    type_into(composer, "one")
    press(composer, Qt.Key.Key_Return)
    type_into(composer, " two")
    press(composer, Qt.Key.Key_Return)
    composer.refused("The disk is full.")

    assert given.messages == ["one"]
    assert composer.text == "one two"


def test_a_message_that_is_too_long_stays_in_the_box(composer: Composer, given: Given) -> None:
    """Specification 8 gives no size of a message; the limit is our choice."""
    composer.set_text("a b " * (MESSAGE_LIMIT_CHARS // 4) + "x")
    can_send = button_of(composer, "Send").isEnabled()
    press(composer, Qt.Key.Key_Return)

    assert not can_send
    assert given.messages == []
    assert len(composer.text) == MESSAGE_LIMIT_CHARS + 1
    assert any(words.startswith("1 characters over") for words in words_of(composer))


def test_the_room_that_is_left_is_said_near_the_limit_and_over_it(
    theme: Theme, qtbot: QtBot
) -> None:
    label = RemainingLengthLabel(theme)
    qtbot.addWidget(label)
    fits, said = [], []
    for length in (10, MESSAGE_LIMIT_CHARS - 10, MESSAGE_LIMIT_CHARS, MESSAGE_LIMIT_CHARS + 2):
        fits.append(label.show_length(length))
        said.append(label.words)

    count = QLocale().toString
    over = f"2 characters over the limit of {count(MESSAGE_LIMIT_CHARS)}."
    assert fits == [True, True, True, False]
    assert said == [
        "",
        "10 characters left",
        "0 characters left",
        f"{over} Shorten the message to send it.",
    ]


def test_a_removed_message_can_be_put_back(composer: Composer) -> None:
    type_into(composer, "new")
    composer.offer_back("removed")
    button_of(composer, "Undo").click()

    assert composer.text == "removed\nnew"
    assert "Undo" not in button_names(composer)
