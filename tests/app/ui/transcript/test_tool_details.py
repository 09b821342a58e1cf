"""The opened row of a call: its facts, the difference that it made, and Undo in its head."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor
from pytestqt.qtbot import QtBot

from app.chat.items import Action, CallChange, CallState, ToolCall
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import Choose, HitTarget, ShowRest
from local_tools.diff import change_text
from local_tools.ledger.steps import Decider, Decision
from tests.app.ui.transcript.conftest import Show
from tests.support.clocks import within_own_time
from tests.support.transcript_fixtures import Shown, asked

_LETTER = "".join(f"line {number} ## --\n" for number in range(1, 15))
_NEW = CallChange("c1", change_text("", _LETTER), is_new=True, can_undo=True)
_CALL = ToolCall(
    call_id="c",
    tool="write_file",
    key="t",
    title="Write file",
    target="/srv/letter.md",
    state=CallState.DONE,
    input_text='{"path": "letter.md"}',
    output_text="Made letter.md.",
    duration_ms=3,
    decision=Decision.ALLOWED,
    decider=Decider.FOLDER_RULE,
    change=_NEW,
)
_UNDO = Choose(Action.UNDO_CALL)


def _opened(show: Show, call: ToolCall = _CALL) -> Shown:
    shown = show([asked("u", "Write it"), call])
    shown.click("t", shown.targets("t")[0])
    shown.settle()
    return shown


def _names(shown: Shown) -> list[str]:
    return [target.name for target in shown.targets("t")][1:]


def _target(shown: Shown, action: object) -> HitTarget:
    return next(target for target in shown.targets("t") if target.action == action)


def _lines(shown: Shown) -> list[str]:
    return shown.placed("t").row.shown_text.splitlines()


def _chosen(shown: Shown) -> list[tuple[str, Action]]:
    chosen: list[tuple[str, Action]] = []
    shown.view.action_chosen.connect(lambda key, action: chosen.append((key, action)))
    return chosen


def test_new_file_shows_what_was_made_and_its_first_five_lines(show: Show) -> None:
    shown = _opened(show)

    assert _lines(shown) == [
        "Write file /srv/letter.md",
        "New file, 14 lines · allowed by your rule for this folder · 3 ms",
        *(f"+line {number} ## --" for number in range(1, 6)),
    ]
    assert _names(shown) == ["Undo", "Show 9 more lines"]


def test_rest_of_the_lines_is_shown_and_put_away_by_mouse_and_keyboard(
    show: Show, qtbot: QtBot
) -> None:
    shown = _opened(show)
    low = shown.placed("t").row.height

    shown.click("t", _target(shown, ShowRest(0)))
    shown.settle()
    assert _lines(shown)[-1] == "+line 14 ## --"
    assert shown.placed("t").row.height > low + 100
    assert _names(shown)[1] == "Show fewer lines"
    # A state of the call that comes later leaves what the reader chose.
    shown.replace(replace(_CALL, change=replace(_NEW, can_undo=False)))
    shown.settle()
    assert _lines(shown)[-1] == "+line 14 ## --"

    shown.view.setFocus()
    shown.view.keyboard.go_to_message(1)
    for _ in range(2):
        qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Return)
    shown.settle()
    assert _lines(shown)[-1] == "+line 5 ## --"
    assert shown.placed("t").row.height == low


def test_screen_reader_hears_the_rest_once_it_is_shown_and_presses_undo(show: Show) -> None:
    shown = _opened(show)
    chosen = _chosen(shown)
    row = QAccessible.queryAccessibleInterface(shown.view.accessible_rows.row(1))
    names = [row.child(n).text(QAccessible.Text.Name) for n in range(row.childCount())]
    assert names[1:] == ["Undo", "Show 9 more lines"]
    assert "line 6" not in row.text(QAccessible.Text.Name)

    shown.view.accessible_rows.target(2, 1).press()
    shown.settle()
    assert "line 14" in row.text(QAccessible.Text.Name)
    shown.view.accessible_rows.target(1, 1).press()
    assert chosen == [("t", Action.UNDO_CALL)]


def test_changed_file_says_how_many_lines_and_shows_those_around_them(show: Show) -> None:
    changed = _LETTER.replace("line 7 ## --\n", "seven\neight\n")
    change = CallChange("c1", change_text(_LETTER, changed))
    shown = _opened(show, replace(_CALL, decider=Decider.USER, change=change))

    assert _lines(shown)[1] == "2 lines added, 1 removed · allowed by you · 3 ms"
    assert _lines(shown)[2:] == [
        "@@ lines 4–11 @@",
        *(f" line {number} ## --" for number in range(4, 7)),
        "-line 7 ## --",
        "+seven",
        "+eight",
        *(f" line {number} ## --" for number in range(8, 11)),
    ]
    assert _names(shown) == []

    less = _LETTER.replace("line 7 ## --\nline 8 ## --\n", "")
    shorter = replace(change, diff=change_text(_LETTER, less))
    shown.replace(replace(_CALL, decider=Decider.USER, change=shorter))
    shown.settle()
    assert _lines(shown)[1].startswith("2 lines removed · ")


def test_lines_stand_on_the_ground_of_what_was_done_with_them(show: Show, theme: Theme) -> None:
    change = CallChange("c1", change_text("one\n", "two\n"))
    shown = _opened(show, replace(_CALL, change=change))
    text = shown.placed("t").row.text_box(0)
    assert text is not None
    picture = shown.view.viewport().grab().toImage()
    grounds = []
    for line in range(3):
        # Behind the words, at the right end of the panel.
        at = shown.point("t", 680, text.origin.y() + (line + 0.5) * text.box.height / 3)
        grounds.append(picture.pixelColor(at * round(picture.devicePixelRatio())))

    expected = [theme.color("bg"), theme.color("removed"), theme.color("added")]
    assert grounds == [QColor(color) for color in expected]


@pytest.mark.security(4)
@pytest.mark.parametrize("line", ["\u202e" * 100_000, "a" + "\u0301" * 80_000, "y" * 1_000_000])
@within_own_time(4.0)
def test_line_that_takes_seconds_to_lay_out_is_cut(show: Show, line: str) -> None:
    change = CallChange("c1", change_text("", f"{line}\nend\n"), is_new=True)
    shown = _opened(show, replace(_CALL, change=change))
    text = shown.placed("t").row.shown_text

    assert len(text) < 21_000
    assert text.endswith("…")


def test_what_is_hidden_in_a_difference_is_shown(show: Show) -> None:
    change = CallChange("c1", change_text("", "red \u202etxt\n"), is_new=True)
    shown = _opened(show, replace(_CALL, change=change))

    assert _lines(shown)[-1] == "+red ‹U+202E›txt"


@pytest.mark.parametrize(
    "call",
    [
        replace(_CALL, change=replace(_NEW, can_undo=False)),
        replace(_CALL, is_undone=True),
        replace(_CALL, change=None),
    ],
    ids=["cannot", "was undone", "unknown"],
)
def test_undo_is_offered_only_where_it_works(show: Show, call: ToolCall) -> None:
    shown = _opened(show, call)

    assert _UNDO not in [target.action for target in shown.targets("t")]


def test_undo_stands_in_the_head_of_the_opened_row_only(show: Show, qtbot: QtBot) -> None:
    shown = show([_CALL])
    chosen = _chosen(shown)
    assert _names(shown) == []
    opened: list[str] = []
    shown.view.opened.connect(opened.append)

    shown.click("t", shown.targets("t")[0])
    shown.settle()
    assert opened == ["t"]
    button = _target(shown, _UNDO)
    line = shown.targets("t")[0].box
    assert line.right() <= button.box.left()
    assert line.top() <= button.box.top()
    assert button.box.bottom() <= line.bottom()

    shown.click("t", button)
    shown.view.setFocus()
    shown.view.keyboard.go_to_message(0)
    for _ in range(2):
        qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Return)
    assert chosen == [("t", Action.UNDO_CALL)] * 2

    shown.replace(replace(_CALL, is_undone=True))
    shown.settle()
    assert _lines(shown)[0] == "Write file /srv/letter.md undone"


def test_failed_call_shows_what_was_said_instead_of_a_difference(show: Show) -> None:
    shown = _opened(show, replace(_CALL, state=CallState.FAILED, output_text="The disk is full."))

    assert _lines(shown)[1] == "allowed by your rule for this folder · 3 ms"
    assert "The disk is full." in _lines(shown)


@pytest.mark.parametrize(
    ("target", "shown_target"),
    [
        ("{home}/Club/letter.md", "~/Club/letter.md"),
        ("{home}/a, {home}/b, /c{home}/d", "~/a, ~/b, /c{home}/d"),
        ("{home}s/a", "{home}s/a"),
    ],
)
def test_places_in_the_home_folder_are_shown_short(
    show: Show, target: str, shown_target: str
) -> None:
    home = str(Path.home())
    shown = show([replace(_CALL, target=target.format(home=home), duration_ms=None)])

    assert _lines(shown) == [f"Write file {shown_target.format(home=home)}"]
