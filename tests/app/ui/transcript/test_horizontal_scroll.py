"""What is wider than its block stays as wide as it is, and is moved sideways in it."""

from typing import Final

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.ui.theme import Theme
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.canvas import boxes_of
from app.ui.transcript.hit_targets import CopyText, HitTarget, OpenLink, SaveCode, Scroll, Wrap
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, replied

_LONG: Final = "first " + "middle " * 30 + "last"
_CODE: Final = f"```\n{_LONG}\nshort\n```"
_TABLE: Final = (
    "|" + "|".join(f"Column number {n}" for n in range(12)) + "|\n" + "|-" * 12 + "|\n"
    "|[near](https://a.example)" + "|some words" * 10 + "|[far](https://b.example)|"
)
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_NONE: Final = Qt.KeyboardModifier.NoModifier
_LEFT: Final = Qt.MouseButton.LeftButton


def _target(shown: Shown, action: type, key: str = "r") -> HitTarget:
    return next(target for target in shown.targets(key) if isinstance(target.action, action))


def _scroll(shown: Shown) -> HorizontalScroll:
    scroll = shown.placed("r").row.scroll_at(_target(shown, Scroll).box.center())
    assert scroll
    return scroll


def _moved(shown: Shown) -> float:
    """How far the block is moved: its bar begins where its text did."""
    return _target(shown, Scroll).box.left() - _scroll(shown).text_left


def _in_code(shown: Shown, x: float = 100) -> QPoint:
    return shown.point("r", x, _target(shown, Scroll).box.top() - 30)


def _turn(
    shown: Shown, at: QPoint, angle: QPoint, pixels: QPoint, keys: Qt.KeyboardModifier = _NONE
) -> None:
    window = shown.view.viewport()
    event = QWheelEvent(
        QPointF(at),
        window.mapToGlobal(QPointF(at)),
        pixels,
        angle,
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(window, event)


def _mouse(shown: Shown, kind: QEvent.Type, at: QPoint) -> None:
    window = shown.view.viewport()
    is_move = kind is QEvent.Type.MouseMove
    button = Qt.MouseButton.NoButton if is_move else _LEFT
    where = QPointF(at)
    event = QMouseEvent(kind, where, window.mapToGlobal(where), button, _LEFT, _NONE)
    QApplication.sendEvent(window, event)


def _drag(shown: Shown, *points: QPoint) -> None:
    _mouse(shown, QEvent.Type.MouseButtonPress, points[0])
    for point in points[1:]:
        _mouse(shown, QEvent.Type.MouseMove, point)
    _mouse(shown, QEvent.Type.MouseButtonRelease, points[-1])


def _clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_long_line_of_code_stays_one_line(show: Show) -> None:
    shown = show([replied("long", _CODE), replied("r", _CODE.replace(_LONG, "x"))])

    assert shown.placed("long").row.height == shown.placed("r").row.height
    assert not [target for target in shown.targets("r") if isinstance(target.action, Wrap | Scroll)]


@pytest.mark.parametrize(
    ("angle", "pixels", "keys"),
    [
        (QPoint(0, -120), QPoint(), _SHIFT),
        (QPoint(-120, 0), QPoint(), _NONE),
        (QPoint(-80, 10), QPoint(-40, 5), _NONE),
    ],
)
@pytest.mark.parametrize("text", [_CODE, _TABLE])
def test_wheel_and_touchpad_move_the_block_under_the_pointer(
    text: str, angle: QPoint, pixels: QPoint, keys: Qt.KeyboardModifier, show: Show
) -> None:
    shown = show([replied("r", text + "\n\nmore\n" * 40)])
    shown.view.verticalScrollBar().setValue(0)

    _turn(shown, _in_code(shown), angle, pixels, keys)
    assert _moved(shown) > 0
    assert shown.view.verticalScrollBar().value() == 0

    _turn(shown, _in_code(shown), angle * -10, pixels * -10, keys)
    assert _moved(shown) == 0


def test_block_at_its_end_does_not_hand_the_wheel_to_the_chat(show: Show) -> None:
    shown = show([replied("r", _CODE + "\n\nmore\n" * 40)])
    shown.view.verticalScrollBar().setValue(0)

    for _ in range(100):
        _turn(shown, _in_code(shown), QPoint(0, -120), QPoint(), _SHIFT)

    assert _moved(shown) == _scroll(shown).maximum
    assert shown.view.verticalScrollBar().value() == 0


def test_wheel_over_a_block_scrolls_the_chat_as_everywhere(show: Show) -> None:
    shown = show([replied("r", _CODE + "\n\nmore\n" * 40)])
    shown.view.verticalScrollBar().setValue(0)

    _turn(shown, _in_code(shown), QPoint(10, -120), QPoint())

    assert shown.view.verticalScrollBar().value() > 0
    assert _moved(shown) == 0


def test_arrow_keys_move_the_block_that_the_keyboard_is_at(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", "[a](https://a.example)\n\n" + _CODE)])
    shown.view.setFocus()

    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Right)
    assert _moved(shown) == 0
    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Right)
    assert _moved(shown) > 0
    qtbot.keyClick(shown.view, Qt.Key.Key_Left)
    assert _moved(shown) == 0


@pytest.mark.parametrize("text", [_CODE, _TABLE])
def test_arrow_keys_move_the_block_that_was_clicked(text: str, show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", text)])

    qtbot.mouseClick(shown.view.viewport(), _LEFT, pos=_in_code(shown, 200))
    qtbot.keyClick(shown.view, Qt.Key.Key_Right)

    assert _moved(shown) > 0


@pytest.mark.parametrize("text", [_CODE, _TABLE])
def test_bar_is_drawn_to_the_end(text: str, show: Show) -> None:
    shown = show([replied("r", text)])
    bar = _target(shown, Scroll).box
    start = shown.point("r", bar.left() + 10, bar.center().y())

    _drag(shown, start, start + QPoint(5, 80), start + QPoint(2000, 0))
    assert _moved(shown) == _scroll(shown).maximum
    # A press beside the handle brings it there.
    _drag(shown, shown.point("r", bar.left() + 2, bar.center().y()))
    assert _moved(shown) == 0


def test_click_finds_the_letter_under_it_in_a_moved_block(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", _CODE)])
    _scroll(shown).move(10_000)
    end = _target(shown, Scroll).box.right() - 10

    qtbot.mouseDClick(shown.view.viewport(), _LEFT, pos=shown.point("r", end, _line_y(shown)))

    assert shown.copied() == "last"


def _line_y(shown: Shown) -> float:
    """Return the middle of the first line of code."""
    text = shown.placed("r").row.text_box(0)
    assert text
    return text.caret(0).center().y()


def test_selecting_goes_on_beyond_the_side_of_the_block(show: Show) -> None:
    shown = show([replied("r", _CODE)])
    y = _line_y(shown)
    right = _target(shown, Scroll).box.right()

    points = [shown.point("r", right + 40 + by, y) for by in range(60)]
    _drag(shown, shown.point("r", 0, y), *points)

    assert _moved(shown) == _scroll(shown).maximum
    assert shown.copied() == _LONG


def test_hit_is_brought_into_view_and_marked_where_it_stands(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", _CODE)])
    shown.view.finding.search("last")
    finding = shown.view.finding
    qtbot.waitUntil(lambda: finding.count == finding.number == 1, timeout=20_000)

    text = shown.placed("r").row.text_box(0)
    (hit,) = finding.in_row(0)
    (box,) = boxes_of(shown.placed("r"), hit)
    assert text
    assert _moved(shown) > 0
    assert text.window
    assert text.window.contains(box)
    assert box.left() == pytest.approx(text.caret(hit.first.offset).x())

    _scroll(shown).move(-10_000)
    assert boxes_of(shown.placed("r"), hit) == []


def test_wrap_button_toggles_line_wrapping_of_one_block(show: Show) -> None:
    shown = show([replied("r", _CODE + "\n\n" + _CODE)])
    height = shown.placed("r").row.height
    line = height // 8

    shown.click("r", _target(shown, Wrap))
    assert height + line < shown.placed("r").row.height
    assert [t.name for t in shown.targets("r") if isinstance(t.action, Wrap)] == [
        "Don’t wrap long lines",
        "Wrap long lines",
    ]
    shown.click("r", _target(shown, Wrap))
    assert shown.placed("r").row.height == height


def test_wrapped_block_stays_so_when_its_row_is_made_anew(show: Show, theme: Theme) -> None:
    shown = show([replied("r", _CODE)])
    shown.view.setFocus()
    shown.view._on_pointer_pressed("r", _target(shown, Wrap).action)
    height = shown.placed("r").row.height

    theme.wear(AppearanceSettings(theme="dark"))
    shown.settle()

    assert shown.placed("r").row.height == height
    assert not [target for target in shown.targets("r") if isinstance(target.action, Scroll)]


@pytest.mark.security(79)
@pytest.mark.parametrize("is_wrapped", [False, True])
def test_copy_gives_the_code_without_its_last_break_however_it_is_shown(
    is_wrapped: bool, show: Show
) -> None:
    shown = show([replied("r", "```sh\n" + _LONG + "\n\nrm \u202ex\n\n```")])
    if is_wrapped:
        shown.click("r", _target(shown, Wrap))
    copy = _target(shown, CopyText)
    before = shown.view.viewport().grab().toImage()
    said: list[str] = []
    shown.view._announcer.announced.connect(said.append)

    shown.click("r", copy)

    row = shown.placed("r").row
    assert _clipboard() == _LONG + "\n\nrm ‹U+202E›x"
    assert row.shown_text.rstrip("\n") == _clipboard()
    assert shown.view.viewport().grab().toImage() != before
    assert said == ["Copied"]


def test_columns_of_a_wide_table_stay_wide_enough_to_read(show: Show) -> None:
    shown = show([replied("r", _TABLE), replied("t", "|a|b|\n|-|-|\n|1|2|")])

    assert shown.placed("r").row.height < 3 * shown.placed("t").row.height
    assert not [target for target in shown.targets("t") if isinstance(target.action, Scroll)]


def test_link_out_of_sight_is_pressed_by_nothing_and_comes_by_tab(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", _TABLE)], width=600)
    far = next(t for t in shown.targets("r") if t.action == OpenLink("https://b.example", "far"))
    assert far.window
    assert not far.window.intersects(far.box)
    assert not far.contains(far.box.center())
    shown.view.setFocus()

    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)
    qtbot.keyClick(shown.view, Qt.Key.Key_Tab)

    far = next(t for t in shown.targets("r") if t.action == far.action)
    assert far.window
    assert far.window.contains(far.box)
    with qtbot.waitSignal(shown.view.link_activated, timeout=20_000) as opened:
        qtbot.keyClick(shown.view, Qt.Key.Key_Return)
    assert opened.args == ["https://b.example", "far"]


@pytest.mark.security(77)
def test_endless_line_of_code_is_always_broken(show: Show) -> None:
    shown = show([replied("r", "```\n" + "x" * 9000 + "\n```")])

    assert shown.placed("r").row.height > 1000
    assert [type(target.action) for target in shown.targets("r")] == [SaveCode, CopyText]


def test_streamed_code_keeps_its_caret_in_sight(show: Show) -> None:
    shown = show([replied("r", "", streams=True)])

    for end in (10, 60, 120, len(_CODE) - 12):
        shown.replace(replied("r", _CODE[:end], streams=True))
        shown.settle()
        box: QRectF = shown.placed("r").row._stack.end_box()  # type: ignore[attr-defined]
        assert 0 <= box.left() <= 720


def test_code_goes_from_left_to_right_whatever_it_begins_with(show: Show) -> None:
    shown = show([replied("r", "```\nשלום = 1\n```")])

    text = shown.placed("r").row.text_box(0)
    assert text
    assert text.caret(text.box.length).x() < 200


def test_table_that_reads_leftwards_begins_on_the_right(show: Show) -> None:
    table = "|שם|ערך|\n|-|-:|\n|אחד|1|\n|שתיים|2|"
    shown = show([replied("r", table)])
    row = shown.placed("r").row
    text = row.text_box(0)
    assert text

    at = {word: text.caret(text.box.plain.index(word)).x() for word in ("שם", "ערך", "שתיים", "2")}
    assert at["שם"] > 500 > at["ערך"]
    assert at["שתיים"] > 500 > at["2"]
    assert row.shown_text == "שם\tערך\nאחד\t1\nשתיים\t2"


def test_wide_table_that_reads_leftwards_shows_its_first_columns(show: Show) -> None:
    wide = "|" + "|".join(f"עמודה רחבה {n}" for n in range(12)) + "|\n" + "|-" * 12 + "|\n|א|"
    shown = show([replied("r", wide[:60], streams=True)])
    for end in (200, len(wide)):
        shown.replace(replied("r", wide[:end], streams=True))
        shown.settle()

    scroll = _scroll(shown)
    assert scroll.maximum > 100
    assert scroll.text_left == -scroll.maximum
    scroll.move(-40)
    shown.replace(replied("r", f"{wide}ב|"))
    shown.settle()
    assert scroll.text_left == 40 - scroll.maximum
