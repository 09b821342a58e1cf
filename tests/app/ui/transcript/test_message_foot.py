"""The line below a message: by mouse, by keyboard and for a screen reader, and where it is seen."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.api.events import Usage
from app.chat.items import Action, CallState, SendState, ToolCall
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import Choose, CopyMessage, HitTarget, TargetAction
from app.ui.widgets.focus_ring import note_input
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied

_ACTIONS = (Action.ASK_ANEW, Action.EDIT, Action.BRANCH)
_NOON = datetime(2020, 1, 31, 12, tzinfo=UTC)
_QUESTION = replace(asked("q", "What is it?"), created_at=_NOON)
_ANSWER = replace(replied("q:0", "It **is**."), created_at=_NOON, ends_reply=True)
_CHAT = (
    _QUESTION,
    _ANSWER,
    asked("r", "And that?"),
    replace(replied("r:0", "No."), ends_reply=True),
)


@pytest.fixture
def chat(show: Show) -> Shown:
    shown = show(_CHAT)
    shown.view.offer(_ACTIONS)
    shown.settle()
    return shown


def _names(shown: Shown, key: str) -> list[str]:
    return [target.tooltip for target in shown.targets(key)]


def _target(shown: Shown, key: str, action: TargetAction) -> HitTarget:
    return next(target for target in shown.targets(key) if target.action == action)


def _picture(shown: Shown, key: str) -> QImage:
    """Take a picture of the foot of a row."""
    box = _target(shown, key, CopyMessage()).box.toAlignedRect()
    corner = shown.point(key, box.left(), box.top())
    return shown.view.viewport().grab().toImage().copy(corner.x(), corner.y(), 28, 28)


def _is_plain(picture: QImage) -> bool:
    first = picture.pixel(0, 0)
    width, height = picture.width(), picture.height()
    return all(picture.pixel(x, y) == first for x in range(width) for y in range(height))


def test_messages_offer_their_actions_in_one_order_with_targets_of_28_pixels(chat: Shown) -> None:
    assert _names(chat, "q") == _names(chat, "q:0") == ["Copy", "Try again", "Edit", "Branch"]
    least = chat.view._rows._row_context.style.scaled(28)
    boxes = [target.box for target in (*chat.targets("q"), *chat.targets("q:0"))]
    assert {(box.width(), box.height()) for box in boxes} == {(least, least)}
    assert chat.targets("q")[-1].box.right() <= chat.view._layout.column_width


def test_icons_say_what_they_do(chat: Shown, qtbot: QtBot) -> None:
    box = _target(chat, "q", Choose(Action.EDIT)).box.center()
    at = chat.point("q", box.x(), box.y())
    window = chat.view.viewport()
    QApplication.sendEvent(window, QHelpEvent(QEvent.Type.ToolTip, at, window.mapToGlobal(at)))
    qtbot.waitUntil(lambda: QToolTip.text() != "")
    assert "Edit" in QToolTip.text()
    QToolTip.hideText()


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (
            Usage(700, 60, 90, cost_usd=0.01),
            "700 tokens read, 90 cached · 60 tokens written · $0.01",
        ),
        (Usage(7, None, cost_usd=0.0), "7 tokens read · free"),
        (Usage(context_tokens=7), "price unknown"),
    ],
)
def test_words_below_a_reply_say_what_it_used(
    show: Show, qtbot: QtBot, usage: Usage, words: str
) -> None:
    shown = show((_QUESTION, replace(_ANSWER, usage=usage)))
    shown.view.offer(_ACTIONS)
    shown.settle()
    last = _target(shown, "q:0", Choose(Action.BRANCH)).box
    window = shown.view.viewport()

    def hover(x: float) -> None:
        at = shown.point("q:0", x, last.center().y())
        QApplication.sendEvent(window, QHelpEvent(QEvent.Type.ToolTip, at, window.mapToGlobal(at)))

    hover(last.right() + 12)
    qtbot.waitUntil(lambda: words in QToolTip.text())
    hover(shown.view._layout.column_width - 2)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    row = QAccessible.queryAccessibleInterface(shown.view.accessible_rows.row(1))
    assert row.text(QAccessible.Text.Description).startswith(words)


def test_arrow_that_leads_to_no_version_is_paler(show: Show) -> None:
    shown = show((replace(_QUESTION, version=1, version_count=2),))
    shown.view.offer((Action.OLDER_VERSION, Action.NEWER_VERSION))
    shown.settle()
    inks = []
    for action in (Action.OLDER_VERSION, Action.NEWER_VERSION):
        box = _target(shown, "q", Choose(action)).box.toAlignedRect()
        corner = shown.point("q", box.left(), box.top())
        picture = shown.view.viewport().grab().toImage().copy(corner.x(), corner.y(), 28, 28)
        every = [picture.pixelColor(x, y).lightness() for x in range(28) for y in range(28)]
        inks.append(min(every))
    assert inks[0] > inks[1] + 40


def test_nothing_is_offered_where_nobody_asked_for_it(show: Show) -> None:
    shown = show(_CHAT)
    assert shown.targets("q") == shown.targets("q:0") == []


def test_foot_is_seen_below_the_last_message_and_below_the_one_under_the_pointer(
    chat: Shown, qtbot: QtBot
) -> None:
    assert not _is_plain(_picture(chat, "r:0"))
    assert _is_plain(_picture(chat, "q"))
    height = chat.placed("q").row.height
    qtbot.mouseMove(chat.view.viewport(), chat.point("q", 10, 10))
    assert not _is_plain(_picture(chat, "q"))
    assert _is_plain(_picture(chat, "q:0"))
    assert chat.placed("q").row.height == height
    qtbot.mouseMove(chat.view.viewport(), chat.point("r", 10, 10))
    assert _is_plain(_picture(chat, "q"))


def test_foot_is_seen_where_the_keyboard_is(chat: Shown) -> None:
    chat.view.setFocus()
    note_input(is_keyboard=True)
    chat.view.keyboard.go_to_message(0)
    assert not _is_plain(_picture(chat, "q"))
    chat.view.keyboard.go_to_message(2)
    assert _is_plain(_picture(chat, "q"))
    chat.view.keyboard.go_to_message(0)
    note_input(is_keyboard=False)
    assert _is_plain(_picture(chat, "q"))


def test_message_that_is_edited_is_told_from_the_others(chat: Shown, theme: Theme) -> None:
    plain, height = _picture(chat, "q"), chat.placed("q").row.height
    reader = QAccessible.queryAccessibleInterface(chat.view.accessible_rows.row(0))
    assert reader.text(QAccessible.Text.Description) == ""

    chat.replace(replace(_QUESTION, is_edited=True))
    chat.settle()
    # Its foot is seen wherever the pointer is, and nothing moves.
    assert not _is_plain(_picture(chat, "q"))
    assert chat.placed("q").row.height == height
    assert reader.text(QAccessible.Text.Description) == "Being edited"
    bubble = chat.point("q", chat.view._layout.column_width - 30, 4)
    ratio = round(chat.view.devicePixelRatioF())
    seen = chat.view.viewport().grab().toImage().pixelColor(bubble * ratio)
    assert seen == theme.color("accent-soft")

    chat.replace(_QUESTION)
    chat.settle()
    assert _picture(chat, "q") == plain
    assert reader.text(QAccessible.Text.Description) == ""


@pytest.mark.parametrize("action", _ACTIONS)
def test_click_and_enter_choose_the_action_of_that_message(
    chat: Shown, qtbot: QtBot, action: Action
) -> None:
    chosen: list[tuple[str, Action]] = []
    chat.view.action_chosen.connect(lambda key, action: chosen.append((key, action)))
    chat.click("q:0", _target(chat, "q:0", Choose(action)))
    chat.view.setFocus()
    chat.view.keyboard.go_to_message(0)
    for _ in range(2 + _ACTIONS.index(action)):
        qtbot.keyClick(chat.view, Qt.Key.Key_Tab)
    qtbot.keyClick(chat.view, Qt.Key.Key_Return)
    assert chosen == [("q:0", action), ("q", action)]


def test_copy_takes_the_whole_reply_as_it_is_shown(show: Show) -> None:
    first = replied("q:0", "One *moment*.")
    last = replace(replied("q:2", "It **is**."), shows_agent=False, ends_reply=True)
    shown = show((_QUESTION, first, last))
    shown.view.offer(_ACTIONS)
    shown.settle()
    shown.click("q:2", _target(shown, "q:2", CopyMessage()))
    assert QGuiApplication.clipboard().text() == "One moment.\n\nIt is."


def test_foot_stands_below_the_call_that_a_reply_ends_with(show: Show) -> None:
    used = replace(_ANSWER, usage=Usage(7, None, cost_usd=0.0))
    call = ToolCall("c", "read_file", key="q:1", state=CallState.INTERRUPTED, closes=used)
    shown = show((_QUESTION, replace(_ANSWER, ends_reply=False), call))
    shown.view.offer(_ACTIONS)
    shown.settle()
    text, row = shown.placed("q:0"), shown.placed("q:1")
    # As near as any call is to the text before it.
    assert row.top - (text.top + text.row.height) < 12
    assert shown.targets("q:0") == []
    assert _names(shown, "q:1")[1:] == ["Copy", "Try again", "Edit", "Branch"]
    assert not _is_plain(_picture(shown, "q:1"))
    shown.click("q:1", _target(shown, "q:1", CopyMessage()))
    assert QGuiApplication.clipboard().text() == "It is."
    read = QAccessible.queryAccessibleInterface(shown.view.accessible_rows.row(2))
    assert read.text(QAccessible.Text.Description) == "7 tokens read · free"


def test_screen_reader_finds_the_buttons_by_name_and_presses_them(chat: Shown) -> None:
    chosen: list[tuple[str, Action]] = []
    chat.view.action_chosen.connect(lambda key, action: chosen.append((key, action)))
    row = QAccessible.queryAccessibleInterface(chat.view.accessible_rows.row(1))
    names = [row.child(n).text(QAccessible.Text.Name) for n in range(row.childCount())]
    words = "It is."
    assert names == [f"{name}: {words}" for name in ("Copy", "Try again", "Edit", "Branch")]
    chat.view.accessible_rows.target(2, 1).press()
    assert chosen == [("q:0", Action.EDIT)]


@pytest.mark.parametrize("state", [SendState.QUEUED, SendState.SENDING, SendState.UNCONFIRMED])
def test_message_on_its_way_has_no_foot(show: Show, state: SendState) -> None:
    shown = show((asked("q", "Hi", state),))
    shown.view.offer(_ACTIONS)
    shown.settle()
    assert CopyMessage() not in [target.action for target in shown.targets("q")]


def test_message_that_never_arrived_can_be_copied_and_edited(show: Show) -> None:
    shown = show((asked("q", "Hi", SendState.FAILED),))
    shown.view.offer(_ACTIONS)
    shown.settle()
    assert _names(shown, "q") == ["Copy", "Edit"]


def test_reply_that_streams_has_no_foot_until_it_is_over(show: Show) -> None:
    shown = show((_QUESTION, replied("q:0", "It", streams=True)))
    shown.view.offer(_ACTIONS)
    shown.settle()
    assert shown.targets("q:0") == []
    shown.replace(_ANSWER)
    shown.settle()
    assert _names(shown, "q:0")[0] == "Copy"


def test_versions_are_named_and_always_seen(show: Show) -> None:
    question = replace(_QUESTION, version=2, version_count=3)
    shown = show((question, *_CHAT[1:]))
    shown.view.offer(_ACTIONS)
    shown.settle()
    assert _names(shown, "q")[-2:] == ["Earlier version", "Later version"]
    box = _target(shown, "q", Choose(Action.OLDER_VERSION)).box.toAlignedRect()
    corner: QPoint = shown.point("q", box.left(), box.top())
    seen = shown.view.viewport().grab().toImage().copy(corner.x(), corner.y(), 28, 28)
    assert not _is_plain(seen)
    assert _is_plain(_picture(shown, "q"))
