"""A result that waits: what would leave is shown, and it leaves only on purpose."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.approval.release_card import ReleaseCard
from app.viewmodels.approval.held_words import HeldView
from tests.support.approval_stage import ApprovalStage
from tests.support.widgets import child

pytestmark = pytest.mark.security(30)

_HELD = HeldView(
    request_id="release#call-1",
    generation=7,
    question="This result has 2 secrets",
    title="Read file",
    about="~/a/.env",
    words="Nothing has left yet.",
    masked_text="KEY=[masked: api key]\nrtl \u202e end",
    text="KEY=4d5e6f\nrtl \u202e end",
    secret_count=2,
)


def _answers(stage: ApprovalStage) -> list[tuple[object, ...]]:
    given: list[tuple[object, ...]] = []
    stage.dock.release.sent.connect(lambda *answer: given.append(answer))
    stage.dock.release.kept_back.connect(lambda *answer: given.append(answer))
    return given


def _show(stage: ApprovalStage, view: HeldView = _HELD) -> QPlainTextEdit:
    stage.dock.show_held(view)
    stage.settle()
    return child(child(stage.dock, ReleaseCard), QPlainTextEdit)


def _click(stage: ApprovalStage, name: str) -> None:
    stage.settle()
    stage.click(stage.point(stage.answer(name)))


def test_what_would_leave_is_shown_masked_and_a_click_counts_once_armed(
    stage: ApprovalStage,
) -> None:
    given = _answers(stage)
    text = _show(stage)
    assert text.toPlainText() == "KEY=[masked: api key]\nrtl ‹U+202E› end"
    assert stage.composer.isAncestorOf(stage.window.focusWidget())

    _click(stage, "Send masked")
    assert given == []
    stage.arm()
    _click(stage, "Send masked")
    _click(stage, "Send masked")

    assert given == [("release#call-1", 7, True)]


def test_secrets_are_sent_only_after_they_were_shown(stage: ApprovalStage) -> None:
    given = _answers(stage)
    text = _show(stage)
    stage.arm()
    _click(stage, "Send as it is…")
    assert given == []
    assert "4d5e6f" in text.toPlainText()

    _click(stage, "Send with its secrets")
    assert given == []
    stage.arm()
    _click(stage, "Send with its secrets")

    assert given == [("release#call-1", 7, False)]


def test_a_result_is_kept_back_with_a_reason(stage: ApprovalStage) -> None:
    given = _answers(stage)
    _show(stage)
    stage.arm()
    _click(stage, "Keep back…")
    QTest.keyClicks(stage.window.focusWidget(), "not this")
    stage.arm()
    stage.key(Qt.Key.Key_Return)

    assert given == [("release#call-1", 7, "not this")]


def test_another_result_begins_with_its_secrets_masked(stage: ApprovalStage) -> None:
    _answers(stage)
    text = _show(stage)
    stage.arm()
    _click(stage, "Send as it is…")
    _show(stage, replace(_HELD, generation=8))

    assert "4d5e6f" not in text.toPlainText()
    stage.dock.show_held(None)
    assert not stage.dock.isVisible()


def test_a_result_without_secrets_is_sent_or_kept_back(stage: ApprovalStage) -> None:
    given = _answers(stage)
    _show(stage, replace(_HELD, secret_count=0, masked_text=_HELD.text))
    stage.arm()
    _click(stage, "Send")

    assert given == [("release#call-1", 7, False)]
