"""A result that waits: what would leave is shown, and it leaves only on purpose."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.approvals.result_review import ReleaseChoice
from app.ui.approval.release_card import ReleaseCard
from app.viewmodels.approval.approval import PendingResultView, SecretView
from tests.support.announcements import announced, reader_listening
from tests.support.approval_dock_fixtures import CHAT, ApprovalDockFixture
from tests.support.cards import SHORT_CARD
from tests.support.widgets import child, click

pytestmark = pytest.mark.security(30)

_TEXT = "KEY=4d5e6f\nrtl \u202e end\nPW=sesame"
_HELD = PendingResultView(
    request_id="release#call-1",
    generation=7,
    question="This result contains 2 secrets",
    title="Read file",
    about="~/a/.env",
    words="Nothing has left yet.",
    text=_TEXT,
    secrets=(
        SecretView(4, 10, "[masked: key]", "key, line 1, 6 characters"),
        SecretView(24, 30, "[masked: password]", "password, line 3, 6 characters"),
    ),
)
_LONG = "".join(f"line {number} of many\n" for number in range(400))
_PLAIN = replace(_HELD, text=_LONG, secrets=())


def _answers(stage: ApprovalDockFixture) -> list[tuple[object, ...]]:
    given: list[tuple[object, ...]] = []
    stage.dock.sent.connect(lambda *answer: given.append(answer))
    stage.dock.kept_back.connect(lambda *answer: given.append(answer))
    return given


def _show(stage: ApprovalDockFixture, view: PendingResultView = _HELD) -> QPlainTextEdit:
    stage.dock.show_pending_result(view)
    stage.settle()
    return child(child(stage.dock, ReleaseCard), QPlainTextEdit)


def _click(stage: ApprovalDockFixture, name: str) -> None:
    stage.settle()
    stage.click(stage.point(stage.answer(name)))


def _choose(stage: ApprovalDockFixture) -> QListWidget:
    """Open the page on which a person chooses what is sent."""
    stage.arm()
    _click(stage, "Choose what to send…")
    stage.settle()
    return child(child(stage.dock, ReleaseCard), QListWidget)


def _names(stage: ApprovalDockFixture) -> set[str]:
    """Return the answers that are on screen."""
    buttons = child(stage.dock, ReleaseCard).findChildren(QPushButton)
    return {button.accessibleName() for button in buttons if button.isVisible()}


def _scroll_through(stage: ApprovalDockFixture, text: QPlainTextEdit) -> None:
    bar = text.verticalScrollBar()
    while bar.value() < bar.maximum():
        bar.setValue(bar.value() + bar.pageStep() - 1)
        stage.settle()


def test_release_card_shows_the_masked_text_and_accepts_clicks_once_armed(
    stage: ApprovalDockFixture,
) -> None:
    given = _answers(stage)
    text = _show(stage)
    assert text.toPlainText() == "KEY=[masked: key]\nrtl ‹U+202E› end\nPW=[masked: password]"
    assert stage.composer.isAncestorOf(stage.window.focusWidget())

    _click(stage, "Send masked")
    assert given == []
    stage.arm()
    _click(stage, "Send masked")
    _click(stage, "Send masked")

    assert given == [("release#call-1", 7, ReleaseChoice())]


def test_one_secret_is_let_out_by_keys_and_the_other_stays_masked(
    stage: ApprovalDockFixture,
) -> None:
    given = _answers(stage)
    text = _show(stage)
    secrets = _choose(stage)
    assert secrets.hasFocus()
    rows = [secrets.item(row).text() for row in range(secrets.count())]
    assert rows == ["All 2 secrets", "key, line 1, 6 characters", "password, line 3, 6 characters"]

    stage.keys(
        [(key, Qt.KeyboardModifier.NoModifier) for key in (Qt.Key.Key_Down, Qt.Key.Key_Space)]
    )
    assert "KEY=4d5e6f" in text.toPlainText()
    assert "[masked: password]" in text.toPlainText()
    assert secrets.item(0).checkState() is Qt.CheckState.PartiallyChecked
    _click(stage, "Send with 1 secrets")
    assert given == []
    stage.arm()
    _click(stage, "Send with 1 secrets")

    assert given == [("release#call-1", 7, ReleaseChoice(frozenset({0})))]


def test_a_click_on_the_words_of_a_secret_ticks_it_and_another_takes_that_back(
    stage: ApprovalDockFixture,
) -> None:
    text = _show(stage)
    secrets = _choose(stage)
    words = secrets.visualItemRect(secrets.item(1)).center()

    click(secrets.viewport(), words)
    assert "KEY=4d5e6f" in text.toPlainText()

    click(secrets.viewport(), words)
    assert "[masked: key]" in text.toPlainText()


def test_all_secrets_are_ticked_at_once_and_back_masks_them_again(
    stage: ApprovalDockFixture,
) -> None:
    given = _answers(stage)
    text = _show(stage)
    secrets = _choose(stage)
    secrets.item(0).setCheckState(Qt.CheckState.Checked)
    assert "sesame" in text.toPlainText()
    assert "Send with 2 secrets" in _names(stage)

    stage.arm()
    _click(stage, "Back")
    assert "sesame" not in text.toPlainText()
    stage.arm()
    _click(stage, "Send masked")

    assert given == [("release#call-1", 7, ReleaseChoice())]


def test_a_secret_leaves_only_after_all_of_it_was_on_screen(stage: ApprovalDockFixture) -> None:
    given = _answers(stage)
    secret = SecretView(0, len(_LONG), "[masked: file]", "file, line 1")
    text = _show(stage, replace(_HELD, text=_LONG, secrets=(secret,)))
    secrets = _choose(stage)
    secrets.item(0).setCheckState(Qt.CheckState.Checked)
    stage.arm()
    text.verticalScrollBar().setValue(text.verticalScrollBar().maximum())
    stage.settle()
    assert "Send with 1 secrets" not in _names(stage)

    # Each click shows the next part that was not on screen.
    while "Show everything to be sent" in _names(stage):
        _click(stage, "Show everything to be sent")
    _click(stage, "Send with 1 secrets")
    assert given == []
    stage.arm()
    _click(stage, "Send with 1 secrets")

    assert given == [("release#call-1", 7, ReleaseChoice(frozenset({0})))]


def test_a_result_that_waits_for_its_kind_is_read_before_it_is_sent(
    stage: ApprovalDockFixture,
) -> None:
    given = _answers(stage)
    text = _show(stage, _PLAIN)
    assert "Send" not in _names(stage)
    bar = text.verticalScrollBar()
    bar.setValue(bar.maximum())
    bar.setValue(0)
    assert "Send" not in _names(stage)
    _scroll_through(stage, text)
    stage.arm()
    _click(stage, "Send")

    assert given == [("release#call-1", 7, ReleaseChoice())]


def test_scrolling_to_the_end_by_key_leads_to_no_answer(stage: ApprovalDockFixture) -> None:
    given = _answers(stage)
    text = _show(stage, _PLAIN)

    reached = stage.scroll_by_key("Scroll to the end to send")

    assert reached is text
    assert given == []


def test_only_what_was_in_sight_is_sent(stage: ApprovalDockFixture) -> None:
    given = _answers(stage)
    text = _show(stage, _PLAIN)
    _choose(stage)
    _click(stage, "Only the visible part")
    shown = text.toPlainText()
    assert _LONG.startswith(shown)
    assert 0 < len(shown) < len(_LONG)
    assert "Everything" in _names(stage)

    stage.arm()
    _click(stage, "Send this")

    assert given == [("release#call-1", 7, ReleaseChoice(part=(0, len(shown))))]


def test_only_the_marked_part_is_sent(stage: ApprovalDockFixture) -> None:
    given = _answers(stage)
    text = _show(stage)
    _choose(stage)
    cursor = text.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    cursor.movePosition(QTextCursor.MoveOperation.Down, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    _click(stage, "Only the selection")
    assert text.toPlainText() == "KEY=[masked: key]\n"
    stage.arm()
    _click(stage, "Send this")

    assert given == [("release#call-1", 7, ReleaseChoice(part=(0, 11)))]


def test_a_result_is_kept_back_with_a_reason(stage: ApprovalDockFixture) -> None:
    given = _answers(stage)
    _show(stage)
    stage.arm()
    _click(stage, "Don’t send…")
    QTest.keyClicks(stage.window.focusWidget(), "not this")
    stage.arm()
    stage.key(Qt.Key.Key_Return)

    assert given == [("release#call-1", 7, "not this")]


@pytest.mark.parametrize("page", ["Choose what to send…", "Don’t send…"])
@pytest.mark.parametrize("tabs", range(3))
def test_esc_goes_back_one_step_from_any_focus_in_the_card(
    page: str, tabs: int, stage: ApprovalDockFixture, qtbot: QtBot
) -> None:
    given = _answers(stage)
    stage.composer.show_state(replace(CHAT, is_busy=True, is_asking=True))
    text = _show(stage)
    stage.arm()
    _click(stage, page)
    stage.settle()
    for _ in range(tabs):
        stage.key(Qt.Key.Key_Tab)
    with qtbot.assertNotEmitted(stage.composer.stop_requested):
        stage.key(Qt.Key.Key_Escape)

    assert {"Send masked", "Don’t send…"} <= _names(stage)
    assert text.hasFocus()
    assert given == []


def test_esc_goes_back_from_what_was_chosen_and_masks_it_again(stage: ApprovalDockFixture) -> None:
    text = _show(stage)
    secrets = _choose(stage)
    secrets.item(0).setCheckState(Qt.CheckState.Checked)
    stage.key(Qt.Key.Key_Escape)

    assert "sesame" not in text.toPlainText()
    assert secrets.isHidden()


def test_esc_on_the_first_answers_stops_the_reply_as_on_every_card(
    stage: ApprovalDockFixture, qtbot: QtBot
) -> None:
    given = _answers(stage)
    stage.composer.show_state(replace(CHAT, is_busy=True, is_asking=True))
    for show in (lambda: stage.show(SHORT_CARD), lambda: _show(stage)):
        show()
        stage.key(Qt.Key.Key_F6)
        with qtbot.waitSignal(stage.composer.stop_requested, timeout=20_000):
            stage.key(Qt.Key.Key_Escape)

    assert (given, stage.answers) == ([], [])


def test_next_held_result_starts_with_its_secrets_masked(stage: ApprovalDockFixture) -> None:
    _answers(stage)
    text = _show(stage)
    _choose(stage).item(0).setCheckState(Qt.CheckState.Checked)
    _show(stage, replace(_HELD, generation=8))

    assert "sesame" not in text.toPlainText()
    assert "Send masked" in _names(stage)
    stage.dock.show_pending_result(None)
    assert not stage.dock.isVisible()


@pytest.mark.parametrize(
    ("view", "heard"),
    [
        (replace(_HELD, is_statement=True), "This result contains 2 secrets."),
        (replace(_PLAIN, question="Tell it this?"), "Tell it this?"),
    ],
)
def test_held_result_is_announced(
    stage: ApprovalDockFixture, view: PendingResultView, heard: str
) -> None:
    with reader_listening():
        stage.dock.show_pending_result(view)
        stage.settle()
        assert announced(stage.window) == [f"Your decision is needed: {heard} Press F6."]
