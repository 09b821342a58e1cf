"""The same text gives the same picture, streamed or loaded, and nothing in it is fetched."""

import socket
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QPointF, QUrl
from PySide6.QtGui import QColor, QImage, QPainter, QTextDocument
from pytestqt.qtbot import QtBot

from app.chat.items import ReplyPart
from app.ui.markdown.sanitize import SafeHtml
from app.ui.theme import Theme
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.rows.reply_row import ReplyRow
from app.ui.transcript.selection import SelectedText, TextPosition
from app.ui.transcript.view import TranscriptView
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, asked, replied

_TEXTS: Final = {
    "mixed": (
        "# Head\n\nSome **bold** `code` and [a](https://a.example).\n\n- one\n- [x] two\n  1. in\n"
        "\n```python\ndef f(x):\n    return 'y'  # why\n```\n\n> quote\n> - item\n\n|a|b|\n|-|-:|\n"
        "|1|`2`|\n\nlast [r]\n\n[r]: https://r.example"
    ),
    "open fence": "text\n\n```js\nconst a = 1;\nlet b = 'x" + "y" * 700,
    "long line": "start " + "z" * 1500 + " end\n\nafter",
    "rtl": "مرحبا `code` بالعالم\n\n- שלום\n- عالم\n\n> اقتباس",
    "zalgo": "a" + "\u0301" * 3000 + " b\n\nnext",
    "wide": "```py\n"
    + "f(1, " * 40
    + ")\nx\n```\n\n"
    + "|a column" * 12
    + "|\n"
    + "|-" * 12
    + "|\n|b|",
    "many": "Paragraph number one.\n\n" * 60,
}


def _final(reply: ReplyPart) -> ReplyPart:
    return ReplyPart(reply.key, reply.text, "coder", "Coder", True, False, None)


def _picture(shown: Shown) -> QImage:
    shown.settle()
    return shown.view.viewport().grab().toImage()


@pytest.mark.security(78)
@pytest.mark.parametrize("name", list(_TEXTS))
def test_streamed_text_looks_like_the_loaded_one(name: str, show: Show) -> None:
    text = _TEXTS[name]
    streamed = show([asked("q", "go"), replied("r", "", streams=True)])

    for end in range(7, len(text), 7):
        streamed.replace(replied("r", text[:end], streams=True))
        streamed.view._arrange()
    streamed.replace(_final(replied("r", text)))

    assert _picture(streamed) == _picture(show([asked("q", "go"), replied("r", text)]))


@pytest.mark.security(78)
def test_text_looks_the_same_at_every_split(show: Show) -> None:
    text = _TEXTS["mixed"]
    streamed = show([replied("r", "", streams=True)])

    for end in range(3, len(text), 31):
        part = replied("r", text[:end], streams=True)
        streamed.replace(part)
        assert _picture(streamed) == _picture(show([part])), text[:end]


def _hostile(address: str) -> str:
    return "\n\n".join(
        form.replace("URL", address)
        for form in (
            "![a](URL)",
            "![a][r]\n\n[r]: URL",
            '<img src="URL">',
            "[![a](URL)](URL)",
            '<body background="URL">',
            '<table background="URL"><tr><td>x</td></tr></table>',
            '<style>@import "URL";</style>',
            '<p style="background-image:url(URL)">x</p>',
            '<link rel="stylesheet" href="URL">',
            '<svg><image href="URL"/></svg>',
            "- ![a](URL)\n\n> ![a](URL)\n\n|![a](URL)|\n|-|\n|![a](URL)|",
            "![a](<URL>)",
            "# ![a](URL)",
            '<object data="URL"></object>',
            '<iframe src="URL"></iframe>',
        )
    )


@pytest.mark.security(75)
def test_no_picture_is_fetched_from_the_network(show: Show) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/x.png"
        shown = show([asked("u", _hostile(address)), replied("r", _hostile(address))])
        shown.view.grab()

        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.security(75)
def test_no_picture_is_read_from_the_disk(show: Show, tmp_path: Path) -> None:
    pink = QImage(400, 400, QImage.Format.Format_RGB32)
    pink.fill(QColor("#ff00ff"))
    path = tmp_path / "pink.png"
    assert pink.save(str(path))

    shown = show([replied("r", _hostile(path.as_uri()) + _hostile(str(path)))])
    picture = shown.view.viewport().grab().toImage()

    colours = {picture.pixel(x, y) for x in range(0, 780, 5) for y in range(0, 600, 5)}
    assert QColor("#ff00ff").rgb() not in colours


@pytest.mark.security(75)
def test_documents_load_no_resources_even_if_requested(theme: Theme, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    assert image.save(str(path))
    style = TranscriptStyle(theme)
    document = TextBox(style, style.body, 22).document

    kind = QTextDocument.ResourceType.ImageResource.value
    assert not document.resource(kind, QUrl.fromLocalFile(str(path)))
    document.setHtml(f'<img src="{path.as_uri()}">')
    assert document.size().height() < 50


@pytest.mark.parametrize(
    "text", ["<code>parley</code> begins", "To see it, use <code>parley-server</code> or more"]
)
def test_ground_of_inline_code_stays_at_the_edge_of_the_text(theme: Theme, text: str) -> None:
    style = TranscriptStyle(theme)
    box = TextBox(style, style.body, style.line_px)
    box.show_html(SafeHtml(f"<p>{text}</p>"))
    box.set_width(130)
    picture = QImage(160, 100, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    box.paint(PaintContext(painter, 0, 100), QPointF(10, 0), "ink", None)
    painter.end()

    drawn = {x for x in range(12) for y in range(100) if picture.pixelColor(x, y) != "white"}
    assert drawn
    assert min(drawn) >= 8


@pytest.mark.security(76)
def test_only_open_addresses_can_be_pressed(show: Show, qtbot: QtBot) -> None:
    addresses = ["file:///etc/passwd", "javascript:alert(1)", "smb://h/s", "https://ok.example/x"]
    shown = show([replied("r", "\n\n".join(f"[words]({address})" for address in addresses))])
    (target,) = shown.targets("r")

    with qtbot.waitSignal(shown.view.link_activated, timeout=20_000) as opened:
        shown.click("r", target)

    assert opened.args == ["https://ok.example/x", "words"]


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_view_can_be_drawn_at_every_scale(ratio: float, show: Show) -> None:
    shown = show([asked("q", "go"), replied("r", _TEXTS["mixed"], streams=True)])
    size = shown.view.viewport().size()
    picture = QImage(size * ratio, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(ratio)

    shown.view.viewport().render(picture)

    assert picture.pixelColor(0, 0) == "#ffffff"


def test_view_is_named_for_screen_readers(show: Show) -> None:
    assert show([]).view.accessibleName() == "Transcript"
    assert isinstance(show([]).view, TranscriptView)


@pytest.mark.parametrize(
    ("text", "line"),
    [("|a|b|\n|-|-|\n|1|growing", "growing"), ("one\n\n- two", "two"), ("```\nx\ny", "y")],
)
def test_caret_stands_after_the_last_letter(text: str, line: str, show: Show) -> None:
    shown = show([replied("r", text, streams=True)])
    row = shown.placed("r").row
    assert isinstance(row, ReplyRow)

    end = row._stack.end_box()
    position = row.position_at(QPointF(end.left() + 1, row._head_px + end.center().y()))

    assert position is not None
    before = TextPosition(position.piece, position.offset - len(line))
    assert row.text(SelectedText(before, position)).endswith(line)
