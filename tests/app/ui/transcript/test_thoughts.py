"""A thought is one line that opens; closed, nothing of it is read, found or copied."""

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.chat.items import Thought
from app.ui.transcript.hit_targets import Toggle
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied


def _thought(text: str = "I *wonder*.", since: float | None = None) -> Thought:
    return Thought("t", text, None if since else 12.3, "writer", "Writer", True, since)


def _open(shown: Shown) -> None:
    (line, *_) = shown.targets("t")
    assert line.action == Toggle()
    shown.click("t", line)
    shown.settle()


def _words(shown: Shown) -> str:
    return shown.placed("t").row.shown_text


def test_line_says_how_long_it_took_and_opens_to_the_thought(show: Show) -> None:
    shown = show([asked("q", "Hi"), _thought()])
    assert _words(shown) == "Thought for 12 s"
    assert shown.view.accessible_rows.name(1) == "Thought for 12 s"
    closed_px = shown.placed("t").row.height

    _open(shown)

    assert _words(shown) == "Thought for 12 s\nI wonder."
    assert shown.placed("t").row.height > closed_px
    _open(shown)
    assert _words(shown) == "Thought for 12 s"


def test_seconds_count_while_the_model_thinks(show: Show, qtbot: QtBot) -> None:
    shown = show([_thought(since=1000.0)])
    assert _words(shown) == "Thinking…"

    shown.clock_s = 1075.0
    qtbot.waitUntil(lambda: _words(shown) == "Thinking… 1 min 15 s")
    shown.replace(_thought())
    shown.settle()

    assert _words(shown) == "Thought for 12 s"


def test_closed_thought_is_neither_found_nor_copied(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("q", "Hi"), _thought("secretly"), replied("r", "Hello")])
    finding = shown.view.finding
    finding.search("secretly")
    qtbot.waitUntil(lambda: not finding.is_busy)

    assert finding.count == 0
    shown.view.clipboard.copy_chat()
    qtbot.waitUntil(lambda: not shown.view.clipboard.is_busy)
    copied = QCoreApplication.instance().clipboard().text()  # type: ignore[union-attr]  # it runs
    assert "secretly" not in copied
    assert "Hello" in copied


@pytest.mark.parametrize(
    "text",
    [
        '<img src="file:///etc/passwd"><script>x</script>',
        "![p](http://192.0.2.1/a.png)",
        "\u202ered " * 50,
        "x" * 300_000,
        "- a\n" * 20_000,
    ],
    ids=["markup", "picture", "hidden", "wide", "long"],
)
def test_hostile_and_huge_thoughts_are_shown_as_replies_are(show: Show, text: str) -> None:
    shown = show([_thought(text)])
    _open(shown)

    row = shown.placed("t").row
    assert row.piece_count > 0
    assert "<img" not in row.shown_text or "&lt;" not in row.shown_text
    _open(shown)
    assert shown.placed("t").row.piece_count == 0


def test_reply_replaces_the_waiting_row_without_a_jump(show: Show) -> None:
    waiting = Thought("t", "", None, None, None, True, 1000.0, is_choosing=True)
    shown = show([asked("q", "Hi"), waiting])
    assert _words(shown) == "Choosing an agent…"
    assert not shown.targets("t")
    before = (shown.placed("t").top, shown.placed("t").row.height)

    shown.replace(replied("t", "Hello", streams=True))
    shown.settle()

    assert (shown.placed("t").top, shown.placed("t").row.height) == before
