"""Each kind of row says what its item holds, and does what its buttons say."""

import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.api.events import PieceKind
from app.chat.items import (
    Action,
    CallState,
    Handover,
    Notice,
    ReplyPart,
    SendState,
    Tone,
    ToolCall,
    UserMessage,
)
from app.chat.transcript import reply_items
from app.common.error_messages import ErrorMessage
from app.config.settings import AppearanceSettings
from app.store.records import ReplyPiece, StoredAttachment
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import Choose, CopyText, Toggle
from app.ui.transcript.rows import row_cache
from app.ui.widgets.marks import mark_ink, mark_of
from local_tools.ledger.steps import Decider, Decision, RefusalReason, ReleaseKind
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied
from tests.support.widgets import AT_ONCE_MS, FOR_EVER_MS, double_clicks_within

_CALL = ToolCall(
    call_id="c",
    tool="read_file",
    key="t",
    title="Read file",
    target="~/notes/a.md",
    state=CallState.DONE,
    input_text='{"path": "a.md"}',
    output_text="line one\nred \x1b[31m\u202etxt",
    duration_ms=4,
    decision=Decision.ALLOWED,
    decider=Decider.USER,
)


def _text(shown: Shown, key: str) -> str:
    return shown.placed(key).row.shown_text


def test_tool_row_has_the_icon_of_its_tool(show: Show) -> None:
    shown = show([_CALL])
    pictures = []
    for icon in ("wrench", "file-text", "globe"):
        shown.icons[_CALL.tool] = icon
        pictures.append(shown.view.viewport().grab().toImage())

    assert all(before != after for before, after in pairwise(pictures))


def test_each_agent_has_a_colour_of_its_own_above_its_words_and_in_a_hand_over(
    show: Show, theme: Theme
) -> None:
    shown = show([replied("a", "Yes.", name="Writer"), Handover("h", "Writer", "Files")])
    image = shown.view.viewport().grab().toImage()

    for key, agents in (("a", ("Writer",)), ("h", ("Writer", "Files"))):
        top = shown.placed(key).top
        band = range(max(0, int(top)), int(top) + shown.placed(key).row.height)
        colours = {image.pixelColor(x, y).name() for y in band for x in range(image.width())}
        inks = {theme.color(mark_ink(mark_of(agent).colour)).name() for agent in agents}
        assert len(inks) == len(agents)
        assert inks <= colours


def test_icons_of_rows_grow_with_their_text(show: Show, theme: Theme) -> None:
    notice = Notice("n", Tone.WARN, ErrorMessage("Lost."))
    rows = [_CALL, notice]
    small = [_first_ink(show(rows), key, theme.px(30)) for key in ("t", "n")]
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))

    large = [_first_ink(show(rows), key, theme.px(30)) for key in ("t", "n")]

    assert all(after >= 1.7 * before for before, after in zip(small, large, strict=True))


def _first_ink(shown: Shown, key: str, height: int) -> int:
    """How high the first thing is that is drawn in a row, from the left."""
    image = shown.view.viewport().grab().toImage()
    placed = shown.placed(key)
    ground = image.pixelColor(shown.point(key, 4, height / 2))

    def inked(x: int) -> list[int]:
        points = (shown.point(key, x, y) for y in range(6, height))
        return [at.y() for at in points if image.pixelColor(at) != ground]

    assert placed.row.height > height
    begins = next(x for x in range(4, 200) if inked(x))
    ends = next(x for x in range(begins, 200) if not inked(x))
    lines = [y for x in range(begins, ends) for y in inked(x)]
    return max(lines) - min(lines) + 1


def test_message_of_the_user_is_shown_before_what_reads_markdown_is_imported(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    row_cache._reply_kinds.cache_clear()
    # What is None there cannot be imported.
    monkeypatch.setitem(sys.modules, "app.ui.transcript.rows.reply_row", None)
    shown = show([asked("u", "Write *it*"), _CALL])

    assert shown.placed("u").row.shown_text == "Write *it*"
    assert shown.placed(_CALL.key).row.height


def test_message_of_the_user_stands_on_the_right(show: Show) -> None:
    shown = show([asked("u", "short")])
    image = shown.view.viewport().grab().toImage()
    row = shown.placed("u")

    left = image.pixelColor(shown.point("u", 10, 20))
    inside = image.pixelColor(shown.point("u", 700, 30))
    assert left != inside
    assert row.row.height == pytest.approx(40, abs=2)


@pytest.mark.parametrize(
    ("state", "extra"),
    [
        (SendState.SENT, False),
        (SendState.SENDING, False),
        (SendState.QUEUED, True),
        (SendState.HELD, True),
        (SendState.UNCONFIRMED, True),
        (SendState.FAILED, True),
        (SendState.UNSENT, True),
    ],
)
def test_message_says_what_became_of_it(state: SendState, extra: bool, show: Show) -> None:
    plain = show([asked("u", "text")]).placed("u").row.height

    assert (show([asked("u", "text", state)]).placed("u").row.height > plain) is extra


@pytest.mark.parametrize(
    ("state", "can_move", "words"),
    [
        (SendState.QUEUED, False, ["Edit", "Remove"]),
        (SendState.HELD, False, ["Send", "Edit", "Remove"]),
        (SendState.HELD, True, ["Send", "Edit", "Remove", "Move", "Move"]),
        (SendState.SENDING, True, []),
    ],
)
def test_actions_of_a_waiting_message_are_below_it(
    state: SendState, can_move: bool, words: list[str], show: Show
) -> None:
    shown = show([replace(asked("u", "text", state), can_move=can_move)])
    targets = shown.targets("u")

    assert [target.name.split()[0] for target in targets] == words
    assert len({target.name for target in targets}) == len(targets)
    edges = [edge for target in targets for edge in (target.box.left(), target.box.right())]
    assert all(right - left > -5 for left, right in pairwise(edges))


def test_waiting_message_can_be_taken_back_or_removed(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("u", "text", SendState.QUEUED)])
    edit, remove = shown.targets("u")
    with qtbot.waitSignal(shown.view.withdraw_chosen, timeout=20_000) as chosen:
        shown.click("u", edit)
    with qtbot.waitSignal(shown.view.action_chosen, timeout=20_000) as removed:
        shown.click("u", remove)

    assert chosen.args == ["u"]
    assert removed.args == ["u", Action.REMOVE]


def test_handover_names_both_agents(show: Show) -> None:
    shown = show([Handover("a", "Supervisor", "Writer"), Handover("b", None, "Coder")])

    assert _text(shown, "a") == "Supervisor handed over to Writer"
    assert _text(shown, "b") == "Coder continues"


@pytest.mark.security(69)
def test_agent_name_is_short_and_shows_what_is_hidden_in_it(show: Show) -> None:
    shown = show([Handover("a", "You\u202e✓", "x" * 10_000)])

    assert "‹U+202E›" in _text(shown, "a")
    assert len(_text(shown, "a")) < 120


@pytest.mark.parametrize("lines", [3, 400], ids=["small", "taller than the window"])
def test_tool_row_that_opens_comes_into_view(lines: int, show: Show) -> None:
    call = replace(_CALL, output_text="line\n" * lines)
    before = [asked(f"u{number}", "go on " * 30) for number in range(20)]
    shown = show([*before, call, asked("end", "and then")])
    target = shown.targets("t")[0]
    foot = shown.view.viewport().height()
    assert shown.placed("t").top > foot / 2

    shown.click("t", target)
    shown.settle()

    row = shown.placed("t")
    assert row.top >= 0
    is_whole = row.top + row.row.height <= foot
    assert is_whole or row.top < 60


def test_tool_row_opens_and_closes_on_a_click(show: Show) -> None:
    shown = show([asked("u", "go"), _CALL])
    closed = shown.placed("t").row.height
    (target,) = shown.targets("t")
    assert isinstance(target.action, Toggle)

    shown.click("t", target)
    text = _text(shown, "t")
    assert shown.placed("t").row.height > closed + 100
    assert "line one" in text
    assert '{"path": "a.md"}' in text
    assert "allowed by you · 4 ms" in text

    shown.click("t", target)
    assert shown.placed("t").row.height == closed
    assert _text(shown, "t") == "Read file ~/notes/a.md 4 ms"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_tool_row_opens_by_keyboard(key: Qt.Key, show: Show, qtbot: QtBot) -> None:
    shown = show([_CALL])
    shown.view.setFocus()
    closed = shown.placed("t").row.height

    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, key)

    assert shown.placed("t").row.height > closed


@pytest.mark.security(7)
def test_output_shows_what_would_be_obeyed_or_hidden(show: Show) -> None:
    shown = show([_CALL])
    shown.click("t", shown.targets("t")[0])

    assert "red ‹U+001B›[31m‹U+202E›txt" in _text(shown, "t")


def test_open_row_stays_open_while_its_call_goes_on(show: Show) -> None:
    shown = show([replace(_CALL, state=CallState.RUNNING, output_text="", duration_ms=None)])
    shown.click("t", shown.targets("t")[0])

    shown.replace(_CALL)
    shown.settle()

    assert "line one" in _text(shown, "t")


def test_running_call_shows_what_it_wrote_last_and_can_be_stopped_at_its_row(show: Show) -> None:
    running = replace(_CALL, state=CallState.RUNNING, output_text="", duration_ms=None)
    shown = show([running])
    _, stop = shown.targets("t")
    shown.replace(replace(running, output_text="one of three\ntwo of \x1b[2Jthree\n"))
    shown.settle()

    assert "two of ‹U+001B›[2Jthree" in _text(shown, "t")
    assert "one of three" not in _text(shown, "t")
    assert stop.name == "Stop"
    chosen: list[tuple[str, Action]] = []
    shown.view.action_chosen.connect(lambda key, action: chosen.append((key, action)))
    shown.click("t", stop)
    assert chosen == [("t", Action.STOP_CALL)]

    shown.replace(_CALL)
    shown.settle()
    assert len(shown.targets("t")) == 1


def test_huge_output_is_cut_and_says_so(show: Show) -> None:
    shown = show([replace(_CALL, output_text="x" * 1_000_000)])
    shown.click("t", shown.targets("t")[0])

    assert "more characters are not shown" in _text(shown, "t")
    assert len(_text(shown, "t")) < 50_000


@pytest.mark.parametrize("state", list(CallState))
def test_every_state_of_a_call_can_be_drawn_and_told_apart(state: CallState, show: Show) -> None:
    shown = show([replace(_CALL, state=state)])
    others = {
        _text(show([replace(_CALL, state=other)]), "t") for other in CallState if other != state
    }

    assert _text(shown, "t") not in others


def test_notice_offers_its_actions_and_says_which_was_chosen(show: Show, qtbot: QtBot) -> None:
    words = ErrorMessage("The connection to {host} was lost.", {"host": "h.example"})
    actions = (Action.LOAD_REST, Action.SEND_AGAIN)
    shown = show([Notice("n", Tone.BAD, words, actions)])
    load, send = shown.targets("n")
    assert [load.name, send.name] == ["Load the rest", "Send again"]
    assert load.box.right() < send.box.left()

    with qtbot.waitSignal(shown.view.action_chosen, timeout=20_000) as chosen:
        shown.click("n", send)

    assert chosen.args == ["n", Action.SEND_AGAIN]
    assert _text(shown, "n") == "The connection to h.example was lost."


def test_notice_is_answered_by_keyboard(show: Show, qtbot: QtBot) -> None:
    actions = (Action.CHECK_AGAIN, Action.CANCEL)
    shown = show([Notice("n", Tone.WARN, ErrorMessage("Words."), actions)])
    shown.view.setFocus()

    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    with qtbot.waitSignal(shown.view.action_chosen, timeout=20_000) as chosen:
        qtbot.keyClick(shown.view, Qt.Key.Key_Return)

    assert chosen.args == ["n", Action.CANCEL]


def test_button_pressed_and_left_again_does_nothing(show: Show, qtbot: QtBot) -> None:
    shown = show([Notice("n", Tone.BAD, ErrorMessage("Words."), (Action.SEND_AGAIN,))])
    center = shown.targets("n")[0].box.center()
    chosen: list[str] = []
    shown.view.action_chosen.connect(lambda key, _action: chosen.append(key))
    window = shown.view.viewport()

    at = shown.point("n", center.x(), center.y())
    qtbot.mousePress(window, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseRelease(window, Qt.MouseButton.LeftButton, pos=shown.point("n", 60, 20))

    assert chosen == []


@pytest.mark.parametrize("action", list(Action))
def test_every_action_has_words(action: Action, show: Show) -> None:
    (target,) = show([Notice("n", Tone.INFO, ErrorMessage("Words."), (action,))]).targets("n")

    assert target.action == Choose(action)
    assert target.name


def test_narrow_notice_puts_its_buttons_below_its_words(show: Show) -> None:
    words = ErrorMessage("The connection was lost during this reply. What came is kept.")
    notice = Notice("n", Tone.BAD, words, (Action.LOAD_REST, Action.SEND_AGAIN))
    narrow = show([notice], width=400)

    assert narrow.targets("n")[0].box.top() > 40
    assert all(target.box.left() >= 0 for target in narrow.targets("n"))


def test_countdown_goes_on_each_second(show: Show, qtbot: QtBot) -> None:
    words = ErrorMessage("Sending again in {seconds} s.", {"seconds": 99})
    shown = show([Notice("n", Tone.WARN, words, (Action.CANCEL,), until=1018.0)])
    assert _text(shown, "n") == "Sending again in 18 s."

    shown.clock_s = 1003.5
    qtbot.waitUntil(lambda: _text(shown, "n") == "Sending again in 15 s.", timeout=20_000)
    shown.clock_s = 1100.0
    qtbot.waitUntil(lambda: _text(shown, "n") == "Sending again in 0 s.", timeout=20_000)


def test_words_without_their_values_are_shown_all_the_same(show: Show) -> None:
    shown = show([Notice("n", Tone.BAD, ErrorMessage("Lost {what} at {seconds} s <b>x</b>."))])

    assert _text(shown, "n") == "Lost … at … s <b>x</b>."


def test_code_is_copied_as_it_is_shown(show: Show) -> None:
    shown = show([replied("r", "```sh\nrm x\u202e\nls\n```")])
    _, target = shown.targets("r")
    assert isinstance(target.action, CopyText)

    shown.click("r", target)

    assert QGuiApplication.clipboard().text() == "rm x‹U+202E›\nls"
    assert _text(shown, "r") == "rm x‹U+202E›\nls"


def test_part_of_a_reply_without_an_agent_has_no_head(show: Show) -> None:
    part = ReplyPart("r", "text", "coder", "Coder", False, False, None)
    shown = show([part, replied("s", "text")])

    assert shown.placed("s").row.height > shown.placed("r").row.height + 20


def test_streaming_reply_without_text_shows_where_it_will_be(show: Show) -> None:
    empty = show([replied("r", "", streams=True)]).placed("r").row.height

    assert empty == show([replied("r", "word")]).placed("r").row.height


def test_switching_the_theme_paints_everything_anew(show: Show, theme: Theme) -> None:
    shown = show([asked("u", "hi"), replied("r", "[link](https://a.example) `code`"), _CALL])
    light = shown.view.viewport().grab().toImage()

    theme.wear(AppearanceSettings(theme="dark"))
    shown.settle()
    dark = shown.view.viewport().grab().toImage()

    assert light.pixelColor(2, 2) == "#ffffff"
    assert dark.pixelColor(2, 2) == theme.color("bg")
    assert light != dark
    theme.wear(AppearanceSettings(theme="light"))
    shown.settle()
    assert shown.view.viewport().grab().toImage() == light


def test_press_meant_for_a_card_that_just_went_opens_nothing(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("q", "go"), _CALL], height=300)
    (target,) = shown.targets("t")

    with double_clicks_within(FOR_EVER_MS):
        shown.view.resize(788, 600)
        shown.click("t", target)
    assert "Input" not in _text(shown, "t")

    # A double click takes no longer than this; later presses are meant for the row.
    with double_clicks_within(AT_ONCE_MS):
        shown.view.resize(788, 620)
    qtbot.waitUntil(lambda: not shown.view._pointer.ignores_presses, timeout=20_000)
    shown.click("t", target)
    assert "Input" in _text(shown, "t")


def test_second_click_counts_only_where_the_first_one_was(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("q", "go"), _CALL])
    (target,) = shown.targets("t")
    point = shown.point("t", target.box.center().x(), target.box.center().y())
    viewport = shown.view.viewport()
    left = Qt.MouseButton.LeftButton

    # The first click was on something that is gone.
    second = QMouseEvent(
        QEvent.Type.MouseButtonDblClick,
        point.toPointF(),
        viewport.mapToGlobal(point).toPointF(),
        left,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, second)
    qtbot.mouseRelease(viewport, left, pos=point)

    assert "Input" not in _text(shown, "t")


@pytest.mark.parametrize("state", [CallState.FAILED, CallState.REFUSED])
def test_row_of_a_call_that_came_to_nothing_says_why_without_being_opened(
    state: CallState, show: Show
) -> None:
    words = "The file does not exist.\nMore about it."
    failed = replace(_CALL, state=state, output_text=words)
    shown = show([_CALL, replace(failed, key="f")])

    assert shown.placed("f").row.shown_text.endswith("\nThe file does not exist.")
    assert shown.placed("f").row.height > shown.placed("t").row.height


def test_call_without_a_folder_says_so_and_offers_to_choose_one(show: Show, qtbot: QtBot) -> None:
    call = ToolCall("c", "read_file", state=CallState.REFUSED, refusal=RefusalReason.NO_FOLDER)
    pieces = [ReplyPiece(PieceKind.CALL, "read_file", call_id="c")]
    shown = show(reply_items("t", pieces, {"c": call}, None))
    key = shown.items[0].key
    *_, offer = shown.targets(key)
    with qtbot.waitSignal(shown.view.action_chosen, timeout=20_000) as chosen:
        shown.click(key, offer)

    assert _text(shown, key).endswith("not run\nNo folder is chosen for this chat.")
    assert chosen.args == [key, Action.CHOOSE_FOLDER]


def test_row_of_a_call_says_what_was_kept_of_its_result(show: Show) -> None:
    kept = replace(_CALL, release=ReleaseKind.KEPT_BACK)
    masked = replace(_CALL, key="m", release=ReleaseKind.MASKED, masked=2)
    failed = replace(_CALL, key="f", state=CallState.FAILED, release=ReleaseKind.MASKED, masked=3)
    undone = replace(_CALL, key="u", is_undone=True)
    shown = show([kept, masked, failed, undone])

    assert _text(shown, "t").endswith("not sent")
    assert _text(shown, "m").endswith("sent with 2 secrets masked")
    assert "failed · sent with 3 secrets masked" in _text(shown, "f")
    assert _text(shown, "u").endswith("undone")


@pytest.mark.security(69)
def test_reason_of_a_failed_call_hides_nothing(show: Show) -> None:
    shown = show([replace(_CALL, state=CallState.FAILED, output_text="no \u202etxt.exe")])

    assert "\u202e" not in shown.placed("t").row.shown_text


def test_message_shows_what_goes_with_it_and_its_whole_text_when_opened(show: Show) -> None:
    offer = StoredAttachment("1", "offer\u202e.pdf", "pdf", 214_000, "0" * 64, "page", 2)
    text = "Look\n\n[attachment: offer.pdf (PDF, 2 pages)]"
    message = UserMessage("a", text, SendState.SENT, None, words_length=4, attachments=(offer,))
    shown = show([message])

    row = shown.placed("a").row
    assert row.shown_text == "offer‹U+202E›.pdf (2 pages · 214 kB)\nLook"
    assert row.source_text == text
    before = row.height
    image = replace(offer, kind="image", unit="", count=0)
    picture = show([replace(message, attachments=(image,))])
    assert picture.targets("a") == [], "the text tells no more of an image than its name"
    shown = show([message])
    (fold,) = shown.targets("a")
    assert fold.name == "Show the whole message"
    shown.click("a", fold)
    row = shown.placed("a").row
    assert "[attachment: offer.pdf" in row.shown_text
    assert row.height > before
