"""Blocks of code leave the window: saved as files, and shown in the browser."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from app.ui.composer.composer_note import ComposerNote
from app.ui.markdown.blocks import SIZE_LIMIT
from app.ui.transcript.hit_targets import PreviewCode, SaveCode
from tests.support.fake_service import FakeService
from tests.support.widgets import child
from tests.support.window import Browser, Person, hosted_program

pytestmark = pytest.mark.anyio

_DIAGRAM = "graph TD\n  A --> B"


async def _clicks(person: Person, kind: type[SaveCode] | type[PreviewCode]) -> None:
    await person.presses(
        lambda _, target: isinstance(target.action, kind), "the button at the code block"
    )


async def test_diagram_is_opened_in_the_browser_and_its_code_saved(
    tmp_path: Path, browser: Browser
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
        assert dialog.defaultSuffix() == "mmd"
        dialog.fileSelected.emit(str(tmp_path / "drawing.mmd"))
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown", files.saved)
        assert note.accessibleName() == "Saved as drawing.mmd."
        assert (tmp_path / "drawing.mmd").read_text() == f"{_DIAGRAM}\n"


async def test_megabyte_that_is_shown_in_part_is_previewed_whole_and_more_is_refused(
    tmp_path: Path, browser: Browser
) -> None:
    line = '<script>fetch("{0}")</script><img src="{0}/c.png">Line\n'.format("http://127.0.0.1:9")
    code = line * (2**20 // len(line) + 1)
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says(f"```text\n<p>Another</p>\n```\n\n```html\n{code}\n```\n")
        await person.asks("Write it.")
        files = person.program.windows.first_models.code_files
        await _clicks(person, PreviewCode)
        await person.sees(lambda: bool(browser.opened), "the browser is opened", files.preview_made)
        files.preview("<p>" * 2**21, "html")
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown", files.failed)
        assert note.accessibleName().startswith("This is too large for a preview.")
    (page,) = browser.opened
    text = page.read_text(encoding="utf-8")
    assert text.count("Line\n") == code.count("\n") > SIZE_LIMIT // len(line)
    assert "<script" not in text
    assert "Another" not in text
