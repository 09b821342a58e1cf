"""Chats on paper."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Final

import pypdfium2
import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.import_export.loading import (
    ExportedConversation,
    ExportedImage,
    ExportedMessage,
    Labels,
    TextPart,
)
from app.paths import resources
from app.ui.import_export.pdf import pdf_writer
from local_tools.attached_file import DRAWN, ContentImage
from tests.support.clocks import within_own_time
from tests.support.import_export_fixtures import NOON, chat_of, full_chat

_WRITE: Final = pdf_writer(resources() / "themes", lambda: "Inter")

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(autouse=True)
def _locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


def _write(chat: ExportedConversation, path: Path, stopped: Event | None = None) -> None:
    """Write in a thread of its own, as an export does."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_WRITE, chat, Labels(), NOON, path, stopped or Event()).result()


def _pages(path: Path) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))


def _sheet(path: Path) -> tuple[int, int]:
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    assert found
    return round(float(found[1])), round(float(found[2]))


@pytest.mark.parametrize(
    ("name", "sheet"), [("de_DE", (595, 842)), ("en_US", (612, 792)), ("en_CA", (612, 792))]
)
def test_the_paper_is_what_the_country_uses(
    tmp_path: Path, name: str, sheet: tuple[int, int]
) -> None:
    QLocale.setDefault(QLocale(name))
    _write(full_chat(), tmp_path / "a.pdf")

    assert _sheet(tmp_path / "a.pdf") == sheet


def test_a_long_chat_takes_several_pages(tmp_path: Path) -> None:
    _write(chat_of(*["A paragraph.\n\n- with\n- a list"] * 60), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") > 3


@pytest.mark.parametrize("count", [1, 60])
def test_nothing_more_is_printed_after_the_export_was_cancelled(tmp_path: Path, count: int) -> None:
    stopped = Event()

    class Cancelling(tuple[ExportedMessage, ...]):
        """Messages that are cancelled while they are written."""

        def __iter__(self) -> Iterator[ExportedMessage]:
            yield from tuple(self[:count])
            stopped.set()
            yield from tuple(self[count:])

    messages = Cancelling(chat_of(*["A paragraph.\n\n" * 60] * 59).messages)
    _write(ExportedConversation("c", "A chat", NOON, messages), tmp_path / "a.pdf", stopped)

    assert _pages(tmp_path / "a.pdf") <= 1


def test_one_block_that_is_longer_than_a_page_goes_on_on_the_next(tmp_path: Path) -> None:
    code = "```\n" + "\n".join(f"line {n}" for n in range(150)) + "\n```"
    _write(chat_of(code), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") == 3


def test_long_lines_are_broken_and_every_page_ends(tmp_path: Path) -> None:
    rows = "| a | b |\n|---|---|\n" + "| long text here | x |\n" * 200
    _write(chat_of("x" * 20_000, rows, "> " * 30 + "deep", "---"), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") > 5


def test_a_formula_takes_its_place(tmp_path: Path) -> None:
    formula = "\n\n".join(["$$\n\\frac{a}{b}\n$$"] * 80)
    _write(chat_of(formula), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") > 1


def test_a_formula_is_a_picture_where_it_can_be_drawn(tmp_path: Path) -> None:
    pictures = []
    for name, command in (("drawn", "frac"), ("text", "mystery")):
        source = f"$$\\{command}{{1}}{{x}}$$\n\n> $$\\{command}{{a}}{{b}}$$\n\n"
        _write(chat_of(source + "after"), tmp_path / f"{name}.pdf")
        found = re.findall(rb"/Subtype\s*/Image", (tmp_path / f"{name}.pdf").read_bytes())
        pictures.append(len(found))

    assert pictures[0] >= 2
    assert pictures[1] == 0


@within_own_time(12.0)
def test_a_message_without_a_blank_is_laid_out_soon(tmp_path: Path) -> None:
    """A million letters in one line took a minute."""
    said = ExportedMessage("u", "user", NOON, (TextPart("y" * 1_000_000),))
    chat = ExportedConversation("c", "A chat", NOON, (said,))
    _WRITE(chat, Labels(), NOON, tmp_path / "a.pdf", Event())

    assert _pages(tmp_path / "a.pdf") > 100


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        _write(full_chat(), tmp_path / "gone" / "a.pdf")


def test_a_full_disk_is_an_error(qapp: QApplication) -> None:
    assert qapp is not None
    with pytest.raises(OSError, match="space"):
        _write(full_chat(), Path("/dev/full"))


def test_an_image_is_drawn_in_its_size_and_one_that_cannot_be_is_named(tmp_path: Path) -> None:
    pixels = ContentImage("sign.png", DRAWN, 1000, 500, bytes((230, 20, 20, 255)) * 500_000)
    images = (
        ExportedImage("sign.png", "image/png", b"", pixels),
        ExportedImage("gone.png", "image/png", b""),
    )
    messages = (ExportedMessage("m", "user", NOON, (TextPart("Look"), *images)),)
    _write(ExportedConversation("c", "A chat", NOON, messages), tmp_path / "a.pdf")

    with pypdfium2.PdfDocument(tmp_path / "a.pdf") as paper:
        page = paper[0]
        words = page.get_textpage().get_text_bounded()
        shown = page.render(scale=1).to_pil().convert("RGB")
    assert "gone.png" in words
    # On paper it is a JPEG.
    red = [
        (x, y)
        for y in range(shown.height)
        for x in range(shown.width)
        if sum(abs(a - b) for a, b in zip(shown.getpixel((x, y)), (230, 20, 20), strict=True)) < 9
    ]
    width, height = (max(line) - min(line) + 1 for line in zip(*red, strict=True))
    # 480 pixels of a web page are five inches.
    assert abs(width - 360) <= 2
    assert abs(height - 180) <= 2
