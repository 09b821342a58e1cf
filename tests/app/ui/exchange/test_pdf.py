"""Chats on paper."""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.exchange.labels import Labels
from app.exchange.whole_chat import WholeChat, WholeMessage, Words
from app.paths import resources
from app.ui.exchange.pdf import pdf_writer
from tests.support.whole_chats import NOON, chat_of, full_chat

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(autouse=True)
def _locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


def _write(chat: WholeChat, path: Path) -> int:
    steps = pdf_writer(resources() / "themes", lambda: "Inter")(chat, Labels(), NOON, path)
    count = 0
    for step in steps:
        count += 1
        if step is not None:
            step()
    return count


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


def test_a_long_chat_takes_several_pages_in_small_steps(tmp_path: Path) -> None:
    steps = _write(chat_of(*["A paragraph.\n\n- with\n- a list"] * 60), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") > 3
    assert steps > 240


def test_one_block_that_is_longer_than_a_page_goes_on_on_the_next(tmp_path: Path) -> None:
    code = "```\n" + "\n".join(f"line {n}" for n in range(150)) + "\n```"
    _write(chat_of(code), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") == 3


def test_what_does_not_fit_in_a_line_is_broken_and_everything_ends(tmp_path: Path) -> None:
    rows = "| a | b |\n|---|---|\n" + "| long text here | x |\n" * 200
    _write(chat_of("x" * 20_000, rows, "> " * 30 + "deep", "---"), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") > 5


def test_a_formula_takes_its_place(tmp_path: Path) -> None:
    formula = "\n\n".join(["$$\n\\frac{a}{b}\n$$"] * 80)
    _write(chat_of(formula), tmp_path / "a.pdf")

    assert _pages(tmp_path / "a.pdf") > 1


def test_a_formula_is_drawn_where_it_can_be(tmp_path: Path) -> None:
    """Shapes of the same formula grow the file, which text would hardly do."""
    sizes = []
    for name, command in (("drawn", "frac"), ("text", "mystery")):
        source = f"$$\\{command}{{1}}{{x}}$$\n\n> $$\\{command}{{a}}{{b}}$$\n\n"
        steps = _write(chat_of(source + "after"), tmp_path / f"{name}.pdf")
        assert steps > 3
        sizes.append(_shapes(tmp_path / f"{name}.pdf"))

    assert sizes[0] > sizes[1] + 20


def _shapes(path: Path) -> int:
    """How many curves are drawn on the pages."""
    found = re.findall(rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL)
    pages = (_inflated(stream) for stream in found)
    return sum(page.count(b" c\n") for page in pages)


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_a_message_without_a_blank_is_laid_out_in_pieces(tmp_path: Path) -> None:
    """In one document a million letters took half a minute."""
    said = WholeMessage("u", "user", NOON, (Words("y" * 40_000 + "\n" + "z" * 9_000),))
    once = _write(WholeChat("c", "A chat", NOON, (said,)), tmp_path / "a.pdf")
    empty = _write(WholeChat("c", "A chat", NOON, ()), tmp_path / "b.pdf")

    assert once - empty >= 7


def test_long_replies_are_read_outside_of_the_window_s_thread(tmp_path: Path) -> None:
    steps = pdf_writer(resources() / "themes", lambda: "Inter")(
        chat_of("- item\n" * 500, "short"), Labels(), NOON, tmp_path / "a.pdf"
    )
    left_to_threads = [step for step in steps if step is not None]

    assert len(left_to_threads) == 1


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        _write(full_chat(), tmp_path / "gone" / "a.pdf")


def test_a_full_disk_is_an_error(qapp: QApplication) -> None:
    assert qapp is not None
    with pytest.raises(OSError, match="space"):
        _write(full_chat(), Path("/dev/full"))
