"""Blocks of code leave the window: saved as files, and shown in the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from app.ui.composer.composer_note import ComposerNote
from app.ui.markdown.blocks import SIZE_LIMIT
from app.ui.transcript.hit_targets import HitTarget, PreviewCode, SaveCode
from app.ui.transcript.view import TranscriptView
from tests.support.fake_service import FakeService
from tests.support.widgets import child
from tests.support.window import Person, hosted_program

pytestmark = pytest.mark.anyio

_DIAGRAM = "graph TD\n  A --> B"


class _Browser(QObject):
    """Remembers what the system was asked to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def opens(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


@pytest.fixture
def browser() -> Iterator[_Browser]:
    browser = _Browser()
    # PySide takes a str here, whatever its stub says.
    QDesktopServices.setUrlHandler("file", browser, "opens")  # type: ignore[arg-type]
    yield browser
    QDesktopServices.unsetUrlHandler("file")


def _target(
    person: Person, kind: type[SaveCode] | type[PreviewCode]
) -> tuple[TranscriptView, HitTarget, QPointF] | None:
    view = child(person.window, TranscriptView)
    for placed in view._layout.placed:
        for target in placed.row.targets():
            if isinstance(target.action, kind):
                at = target.box.center() + QPointF(view._layout.column_left, placed.top)
                return view, target, at
    return None


async def _clicks(person: Person, kind: type[SaveCode] | type[PreviewCode]) -> None:
    await person.sees(
        lambda: _target(person, kind) is not None, "the button at the code block is shown"
    )
    found = _target(person, kind)
    assert found
    view, _, at = found
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())


async def test_diagram_is_opened_in_the_browser_and_its_code_saved(
    tmp_path: Path, browser: _Browser
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says(f"See:\n\n```mermaid\n{_DIAGRAM}\n```\n")
        await person.asks("Draw it.")
        files = person.program.windows.first_models.code_files
        await _clicks(person, PreviewCode)
        await person.sees(lambda: bool(browser.opened), "the browser is opened", files.preview_made)
        (page,) = browser.opened
        assert page.suffix == ".html"
        assert "graph TD" in page.read_text(encoding="utf-8")

        await _clicks(person, SaveCode)
        (dialog,) = [d for d in person.window.findChildren(QFileDialog) if d.isVisible()]
        (offered,) = dialog.selectedFiles()
        assert Path(offered).name == "code.mmd"
        dialog.close()
        dialog.fileSelected.emit(str(tmp_path / "drawing.mmd"))
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown", files.saved)
        assert note.accessibleName() == "Saved as drawing.mmd."
        assert (tmp_path / "drawing.mmd").read_text() == f"{_DIAGRAM}\n"


async def test_code_that_is_shown_in_part_is_saved_and_shown_whole(
    tmp_path: Path, browser: _Browser
) -> None:
    code = "\n".join(f"<p>Line {number}</p>" for number in range(SIZE_LIMIT // 10))
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says(f"```text\n<p>Another</p>\n```\n\n```html\n{code}\n```\n")
        await person.asks("Write it.")
        files = person.program.windows.first_models.code_files
        await _clicks(person, PreviewCode)
        await person.sees(lambda: bool(browser.opened), "the browser is opened", files.preview_made)
    text = browser.opened[0].read_text(encoding="utf-8")
    assert text.count("Line ") == SIZE_LIMIT // 10
    assert "Another" not in text
