"""Finding in a chat: all hits are known, marked, and gone through, wherever they are."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.chat.items import CallState, ToolCall
from app.ui.commands import Commands
from app.ui.theme import Theme
from app.ui.transcript.finding import Needle
from app.ui.transcript.pane import TranscriptPane
from local_tools.ledger.steps import Decider
from tests.app.ui.transcript.conftest import Show
from tests.support.announcements import announced, reader_listening
from tests.support.transcript_fixtures import Shown, asked, replied
from tests.support.widgets import button_named, child


def _look_for(shown: Shown, words: str, qtbot: QtBot) -> tuple[int, int]:
    """Return the number of the current hit and how many there are."""
    finding = shown.view.finding
    finding.search(words)
    qtbot.waitUntil(lambda: not finding.is_busy, timeout=20_000)
    return finding.number, finding.count


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("cafe", "Un CAFÉ, un cafe\u0301!", ["CAFÉ", "cafe\u0301"]),
        ("strasse", "Straße", ["Straße"]),
        ("x", "😀x", ["x"]),
        ("a b", "a\u00a0b", ["a\u00a0b"]),
        ("é", "e", ["e"]),
        ("aa", "aaaa", ["aa", "aa"]),
        ("no", "yes", []),
    ],
)
def test_case_and_accents_do_not_matter(words: str, text: str, found: list[str]) -> None:
    needle = Needle.of(words)
    assert needle
    units = text.encode("utf-16-le")
    spans = needle.spans_in(text)
    assert [units[2 * s.first : 2 * s.last].decode("utf-16-le") for _, s in spans] == found


def test_hits_in_rows_that_are_not_laid_out_are_counted_and_reached(
    show: Show, qtbot: QtBot
) -> None:
    shown = show(
        [
            replied(str(i), f"Text {i} " + ("a **nee**dle" if i % 100 == 0 else ""))
            for i in range(1000)
        ]
    )

    assert _look_for(shown, "Needle", qtbot) == (10, 10)
    assert shown.placed("900").top >= 0
    shown.view.finding.move(1)
    assert shown.view.finding.number == 1
    assert shown.placed("0").row.height > 0
    shown.view.finding.move(-1)
    shown.view.finding.move(-1)
    assert shown.view.finding.number == 9
    assert shown.placed("800").row.height > 0
    assert shown.view.laid_out_rows < 100


def test_hit_is_not_below_the_button_that_goes_to_the_end(show: Show, qtbot: QtBot) -> None:
    shown = show([replied(f"r{n}", f"needle {n}\n\nmore") for n in range(40)])
    finding = shown.view.finding
    _look_for(shown, "needle", qtbot)

    button = button_named(shown.view, "Jump to latest")
    for _ in range(60):
        finding.move(1)
        placed = [row for row in shown.view._layout.placed if finding.is_current(row.index, 0)]
        [row] = placed
        assert not button.isVisible() or row.top + 60 <= button.y()


def test_words_that_overlap_are_one_hit(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("a", "seashell shells")])
    shown.view.finding.search_each("sea shell seash she")
    qtbot.waitUntil(lambda: not shown.view.finding.is_busy, timeout=20_000)

    row = shown.placed("a").row
    assert [row.text(hit) for hit in shown.view.finding.in_row(0)] == ["seashell", "shell"]


def test_only_what_is_shown_is_found(show: Show, qtbot: QtBot) -> None:
    call = ToolCall(
        call_id="c",
        tool="run",
        key="t",
        title="Run",
        target="ls",
        state=CallState.DONE,
        input_text="secret",
        output_text="out",
        duration_ms=4,
        decider=Decider.USER,
    )
    shown = show([call, replied("r", "[words](https://secret.example) and `code` secret")])

    assert _look_for(shown, "secret", qtbot)[1] == 1
    shown.click("t", shown.targets("t")[0])
    qtbot.waitUntil(lambda: shown.view.finding.count == 2, timeout=20_000)
    assert _look_for(shown, "and code", qtbot)[1] == 1
    assert _look_for(shown, "nowhere", qtbot) == (0, 0)


def test_reply_that_streams_is_looked_through_again(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("q", "go"), replied("r", "one word", streams=True)])
    assert _look_for(shown, "word", qtbot) == (1, 1)

    shown.replace(replied("r", "one word and a second word", streams=True))
    shown.add(asked("p", "word"))

    qtbot.waitUntil(lambda: shown.view.finding.count == 3, timeout=20_000)
    assert shown.view.finding.number == 1
    shown.remove(0, 2)
    qtbot.waitUntil(lambda: shown.view.finding.count == 1, timeout=20_000)


def test_line_of_a_hit_is_told_until_its_reply_changes(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", "A 😀 first line\n\n- the word in it", streams=True)])
    finding = shown.view.finding
    assert _look_for(shown, "word", qtbot) == (1, 1)
    lines = [finding.line]
    finding.counted.connect(lambda: lines.append(finding.line))

    shown.replace(replied("r", "Nothing", streams=True))
    qtbot.waitUntil(lambda: finding.count == 0 and not finding.is_busy, timeout=20_000)

    assert lines == ["the word in it", ""]
    assert finding.line == ""


def test_hits_are_marked_and_the_current_one_otherwise(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", "word and word")])
    before = shown.view.grab().toImage()

    _look_for(shown, "word", qtbot)
    marked = shown.view.grab().toImage()

    first, second = shown.view.finding.in_row(0)
    colors = []
    for hit in (first, second):
        text = shown.placed("r").row.text_box(0)
        assert text
        caret = text.caret(hit.first.offset)
        inside = shown.point("r", caret.x() + 2, caret.top() + 2)
        assert before.pixelColor(inside) != marked.pixelColor(inside)
        colors.append(marked.pixelColor(shown.point("r", caret.x() + 2, caret.top())))
    assert colors[0] != colors[1]


@pytest.fixture
def pane(show: Show, theme: Theme, qtbot: QtBot) -> tuple[TranscriptPane, Shown]:
    """Return a pane in front, with commands."""
    shown = show([replied(str(i), f"word {i}") for i in range(20)])
    made = TranscriptPane(shown.view, theme)
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.add_to(Commands(made))
    with qtbot.waitActive(made, timeout=20_000):
        made.show()
        made.activateWindow()
    shown.view.setFocus()
    return made, shown


def test_bar_counts_goes_through_hits_and_gives_the_keyboard_back(
    pane: tuple[TranscriptPane, Shown], qtbot: QtBot
) -> None:
    made, shown = pane
    field = made.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    assert not field.isVisible()

    qtbot.keyClick(made, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(field.hasFocus, timeout=20_000)
    qtbot.keyClicks(field, "word")
    qtbot.waitUntil(lambda: _said(made) == "20 of 20", timeout=20_000)
    with reader_listening():
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert announced(made.window())[-1] == "1 of 20: word 0"
    assert _said(made) == "1 of 20"
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert _said(made) == "20 of 20"
    qtbot.keyClick(made, Qt.Key.Key_F3)
    assert _said(made) == "1 of 20"
    qtbot.keyClicks(field, "less")
    qtbot.waitUntil(lambda: _said(made) == "No matches", timeout=20_000)

    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert shown.view.hasFocus()
    assert not field.isVisible()
    assert shown.view.finding.count == 0


def _said(pane: TranscriptPane) -> str:
    return " ".join(label.text() for label in pane.findChildren(QLabel) if label.isVisible())


def test_messages_are_gone_through_by_command(
    pane: tuple[TranscriptPane, Shown], qtbot: QtBot
) -> None:
    made, shown = pane
    control = Qt.KeyboardModifier.ControlModifier

    qtbot.keyClick(made, Qt.Key.Key_Up, control)
    qtbot.keyClick(made, Qt.Key.Key_Up, control)
    assert shown.view._current_message.index == 18
    qtbot.keyClick(made, Qt.Key.Key_Down, control)
    assert shown.view._current_message.index == 19
    for _ in range(19):
        qtbot.keyClick(shown.view, Qt.Key.Key_K)
    assert shown.view._current_message.index == 0
    assert shown.placed("0").top >= 0
    assert not shown.view.follows_end

    qtbot.keyClick(made, Qt.Key.Key_End, Qt.KeyboardModifier.AltModifier)
    assert shown.view.follows_end


def test_words_that_stand_apart_are_each_marked_where_all_of_them_are(
    pane: tuple[TranscriptPane, Shown], qtbot: QtBot
) -> None:
    made, shown = pane
    said = "Une *cafetière*: the tea pot.\n\n- more tea in the CAFÉ; teapots"
    shown.add(replied("a", "tea alone"), replied("b", said), replied("c", "alone: cafe"))

    made.show_hit([21], "cafe tea")

    finding = shown.view.finding
    qtbot.waitUntil(lambda: not finding.is_busy, timeout=20_000)
    row = shown.placed("b").row
    assert [row.text(hit) for hit in finding.in_row(21)] == ["cafe", "tea", "tea", "CAFÉ", "tea"]
    assert (finding.number, finding.count) == (1, 5)
    # The key that finds again goes on with them.
    made.open_find()
    assert finding.count == 5

    together = "A tea cafe.\n\n```\ncafe = tea\n```"
    shown.add(replied("d", together), replied("e", "only CAFE"))
    made.show_hit([23], "tea cafe")
    row = shown.placed("d").row
    assert [row.text(hit) for hit in finding.in_row(23)] == ["tea", "cafe", "cafe", "tea"]
    # What a search among the chats found may be shown in several rows.
    made.show_hit([24], "tea cafe")
    qtbot.waitUntil(lambda: not finding.is_busy, timeout=20_000)
    assert finding.in_row(24)
    assert len(finding.in_row(23)) == 4


def test_bar_that_has_no_room_waits_until_there_is_and_keeps_no_keyboard(
    pane: tuple[TranscriptPane, Shown], qtbot: QtBot
) -> None:
    made, _shown = pane
    made.setMinimumHeight(0)
    made.open_find()
    field = child(made, QLineEdit)
    qtbot.waitUntil(field.hasFocus, timeout=20_000)
    height = made.height()

    made.setFixedHeight(20)
    qtbot.waitUntil(lambda: not field.isVisible(), timeout=20_000)
    assert not field.hasFocus()
    made.open_find()
    assert not field.isVisible()

    made.setFixedHeight(height)
    qtbot.waitUntil(field.isVisible, timeout=20_000)
