"""A reply of many blocks: the pointer and the search leave no more of it laid out than is seen."""

from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.ui.transcript.blocks.pieces import TextPiece
from app.ui.transcript.rows.reply_row import ReplyRow
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, replied

_PARAGRAPH: Final = "Words with [a link](https://a.example) to be read.\n\n"
_COUNT: Final = 400


def _documents(shown: Shown) -> int:
    row = shown.placed("r").row
    assert isinstance(row, ReplyRow)
    pieces = [piece for piece in row._stack._pieces if isinstance(piece, TextPiece)]
    return sum(piece._text_box is not None for piece in pieces)


def test_pointer_over_a_long_reply_makes_no_documents(show: Show) -> None:
    shown = show([replied("r", _PARAGRAPH * _COUNT)])
    for value in range(0, shown.view.verticalScrollBar().maximum(), 500):
        shown.view.verticalScrollBar().setValue(value)
    before = _documents(shown)
    assert before < _COUNT / 2

    hit = shown.view._pointer.hit(QPointF(60, 300))

    assert hit
    assert len(shown.targets("r")) == _COUNT
    assert _documents(shown) == before


def test_copying_a_long_reply_keeps_no_documents(show: Show) -> None:
    shown = show([replied("r", _PARAGRAPH * _COUNT)])

    shown.view.clipboard.copy_message(0)
    shown.scroll_by(-100)

    assert QGuiApplication.clipboard().text().count("a link") == _COUNT
    assert _documents(shown) < _COUNT / 2


def test_links_of_what_was_let_go_are_where_they_were(show: Show) -> None:
    shown = show([replied("r", _PARAGRAPH * _COUNT)])
    shown.view.verticalScrollBar().setValue(0)
    shown.settle()
    first = shown.targets("r")[0]

    for value in range(0, shown.view.verticalScrollBar().maximum(), 500):
        shown.view.verticalScrollBar().setValue(value)

    assert shown.targets("r")[0] == first


def test_long_reply_is_looked_through_in_slices_also_while_it_grows(
    show: Show, qtbot: QtBot
) -> None:
    count = _COUNT // 2
    shown = show([replied("r", _PARAGRAPH * count, streams=True)])
    finding = shown.view.finding
    slices: list[int] = []
    finding._slices.worked.connect(lambda: slices.append(finding.count))

    # Each time far more that is new than a fast machine looks through in two slices.
    finding.search("read")
    qtbot.waitUntil(lambda: not finding.is_busy, timeout=20_000)
    assert finding.count == count
    assert len(slices) > 2
    slices.clear()
    shown.replace(replied("r", _PARAGRAPH * 2 * count))
    qtbot.waitUntil(lambda: finding.count == 2 * count, timeout=20_000)
    assert len(slices) > 2


def test_colours_stand_where_they_belong_beside_emoji(show: Show) -> None:
    line = "x = '😀😀' # why"
    shown = show([replied("r", f"```python\n{line}\n```")])
    text = shown.placed("r").row.text_box(0)
    assert text

    stretches = text.box.document.firstBlock().layout().formats()
    units = line.encode("utf-16-le")
    coloured = [
        units[2 * s.start : 2 * (s.start + s.length)].decode("utf-16-le") for s in stretches
    ]
    assert coloured[-1] == "# why"
    assert "😀😀" in "".join(coloured)
