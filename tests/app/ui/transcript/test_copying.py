"""What is marked is copied exactly as it is shown."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.chat.items import Action, Notice, Tone
from app.common.error_messages import ErrorMessage
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied

_TEXT = """Hello **bold** `code` [link](https://a.example).

1. one
   - in
2. two

```py
x = 1

y
```

|a|b|
|-|-|
|1|2|

end"""

_SHOWN = """Hello bold code link.
1. one
  ◦ in
2. two
x = 1

y
a\tb
1\t2
end"""


def _clipboard() -> str:
    return QGuiApplication.clipboard().text()


def _drag(shown: Shown, start: QPoint, end: QPoint) -> None:
    window = shown.view.viewport()
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    for kind, point, button, buttons in (
        (QEvent.Type.MouseButtonPress, start, left, left),
        (QEvent.Type.MouseMove, (start + end) / 2, none, left),
        (QEvent.Type.MouseMove, end, none, left),
        (QEvent.Type.MouseButtonRelease, end, left, none),
    ):
        at = QPointF(point)
        event = QMouseEvent(
            kind, at, window.mapToGlobal(at), button, buttons, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(window, event)


@pytest.mark.security(79)
def test_dragging_over_a_reply_copies_what_is_shown(show: Show) -> None:
    shown = show([replied("r", _TEXT)])
    height = shown.placed("r").row.height

    _drag(shown, shown.point("r", 0, 32), shown.point("r", 719, height - 1))

    assert shown.copied() == _SHOWN


def test_part_of_a_line_is_copied_to_the_letter(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("u", "iiii wwww iiii")])
    row = shown.placed("u").row
    whole = row.all_selected()
    assert whole

    qtbot.mouseDClick(
        shown.view.viewport(), Qt.MouseButton.LeftButton, pos=shown.point("u", 670, 20)
    )

    assert shown.copied() == "wwww"


def test_selecting_upwards_is_the_same_as_downwards(show: Show) -> None:
    shown = show([replied("r", "first line\n\nsecond line\n\nthird")])
    first, last = shown.point("r", 0, 32), shown.point("r", 719, 60)

    _drag(shown, first, last)
    down = shown.copied()
    _drag(shown, last, first)

    assert shown.copied() == down == "first line\nsecond line"


def test_everything_in_a_message_is_selected_by_key(show: Show, qtbot: QtBot) -> None:
    shown = show([asked("u", "a question"), replied("r", _TEXT)])

    qtbot.keyClick(shown.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)

    assert shown.copied() == _SHOWN


def test_nothing_selected_leaves_the_clipboard_alone(show: Show) -> None:
    assert show([asked("u", "text")]).copied() == "nothing"


def test_breaks_in_long_runs_are_not_copied(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", "x" * 3000)])

    qtbot.keyClick(shown.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)

    assert shown.copied() == "x" * 3000


@pytest.mark.security(79)
def test_hidden_characters_in_code_are_copied_as_they_are_shown(show: Show, qtbot: QtBot) -> None:
    shown = show([replied("r", "```\na\u200bb\n```")])

    qtbot.keyClick(shown.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)

    assert shown.copied() == "a‹U+200B›b"


def _menu(shown: Shown, point: QPoint) -> QMenu:
    window = shown.view.viewport()
    QApplication.sendEvent(window, _context_event(window.mapToGlobal(point), point))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def _context_event(at: QPoint, point: QPoint) -> QEvent:
    return QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, at)


@pytest.mark.parametrize(
    ("words", "copied"), [("Copy message", _SHOWN), ("Copy as Markdown", _TEXT)]
)
def test_menu_copies_the_whole_message(words: str, copied: str, show: Show) -> None:
    shown = show([replied("r", _TEXT)])
    menu = _menu(shown, shown.point("r", 300, 40))

    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()

    assert _clipboard() == copied


def test_menu_copies_the_address_of_a_link(show: Show) -> None:
    shown = show([replied("r", "[link](https://a.example/x)")])
    menu = _menu(shown, shown.point("r", 5, 38))

    next(a for a in menu.actions() if a.text() == "Copy link address").trigger()
    menu.close()

    assert _clipboard() == "https://a.example/x"


def test_selected_text_is_painted_and_lost_on_the_next_click(show: Show) -> None:
    notice = Notice("n", Tone.INFO, ErrorMessage("Stopped."), (Action.SEND_AGAIN,))
    shown = show([replied("r", "some words to mark"), notice])
    before = shown.view.viewport().grab().toImage()

    _drag(shown, shown.point("r", 0, 38), shown.point("r", 100, 38))
    assert shown.view.viewport().grab().toImage() != before
    _drag(shown, shown.point("r", 200, 38), shown.point("r", 200, 38))
    assert shown.view.viewport().grab().toImage() == before


def test_drag_that_begins_on_a_link_selects_and_does_not_open(show: Show) -> None:
    shown = show([replied("r", "[a long link to drag over](https://a.example) more")])
    opened: list[str] = []
    shown.view.link_activated.connect(opened.append)

    _drag(shown, shown.point("r", 10, 38), shown.point("r", 100, 38))

    assert opened == []
    assert len(shown.copied()) > 5


def test_blanks_in_code_among_words_are_shown_and_copied(show: Show) -> None:
    shown = show([replied("r", "Run `a  b   c` now,\n  then |x|\n\n|h|\n|-|\n|`p  q`|")])

    row = shown.placed("r").row
    assert row.shown_text == "Run a  b   c now, then |x|\nh\np  q"
