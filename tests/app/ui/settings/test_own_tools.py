"""Own tools in the settings: the code is seen before it is allowed, and again when it changed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.approval.revealed_text import RevealedText
from app.ui.settings.user_tools import UserToolsGroup
from app.ui.theme import Theme
from app.user_tools.user_tools import ApprovedSnapshots, UserTools
from app.viewmodels.user_tools import UserToolsViewModel
from local_tools.registry import ToolRegistry
from tests.support.signals import emitted
from tests.support.user_tool_fixtures import COUNT_CODE, make_set
from tests.support.widgets import is_in_view, low_on_a_page

pytestmark = pytest.mark.anyio


class Page:
    """The part of the settings, its view model, and what is offered."""

    def __init__(self, place: Path, theme: Theme) -> None:
        self.folder = place / "tools"
        make_set(self.folder / "texts")
        self.registry = ToolRegistry()
        own = UserTools(self.folder, ApprovedSnapshots(place / "allowed"), self.registry, None)
        self.model = UserToolsViewModel(own)
        self.group = UserToolsGroup(theme, self.model)

    @property
    def words(self) -> str:
        labels = self.group.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisibleTo(self.group))

    @property
    def code(self) -> str:
        texts = self.group.findChildren(RevealedText)
        return "\n".join(text.toPlainText() for text in texts if text.isVisibleTo(self.group))

    @property
    def keyboard(self) -> QWidget:
        """Where the keyboard is."""
        return self.group.window().focusWidget()

    def press(self, name: str) -> None:
        button = self.button(name)
        button.setFocus()
        button.click()

    def button(self, name: str) -> QAbstractButton:
        buttons: list[QAbstractButton] = self.group.findChildren(QAbstractButton)
        found = [b for b in buttons if b.accessibleName() == name and not b.isHidden()]
        assert found, sorted(b.accessibleName() for b in buttons)
        return found[0]


@asynccontextmanager
async def page(place: Path, theme: Theme, qtbot: QtBot) -> AsyncIterator[Page]:
    made = Page(place, theme)
    qtbot.addWidget(made.group)
    try:
        changed = emitted(made.model.changed)
        made.model.refresh()
        await changed
        yield made
    finally:
        await made.model.aclose()


@pytest.mark.security(45)
async def test_the_code_is_seen_before_it_is_allowed_and_again_when_it_changed(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with page(tmp_path, theme, qtbot) as made:
        made.group.show()
        assert "off: not allowed yet" in made.words
        made.press("Tools in texts")
        assert made.keyboard.accessibleName() == "Tools in texts"
        assert made.registry.definitions() == ()
        assert "def count_words" in made.code
        changed = emitted(made.model.changed)
        made.press("Allow the code in texts")
        await changed
        assert [item.name for item in made.registry.definitions()] == ["texts__count_words"]
        assert made.keyboard.accessibleName() == "Tools in texts"
        assert made.keyboard.isVisible()
        changed = asyncio.ensure_future(emitted(made.model.changed))
        make_set(made.folder / "texts", COUNT_CODE.replace("= 1", "= 2"))
        while not changed.done():
            # The folder is watched by Qt, whose loop is not this one.
            QApplication.processEvents()
            await asyncio.sleep(0)
        await changed
        assert "off: files changed since you allowed them" in made.words
        assert made.registry.definitions() == ()


async def test_a_folder_is_switched_off_and_one_that_cannot_be_used_says_why(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with page(tmp_path, theme, qtbot) as made:
        made.press("Details: texts")
        changed = emitted(made.model.changed)
        made.press("Allow the code in texts")
        await changed
        changed = emitted(made.model.changed)
        made.press("Tools in texts")
        await changed
        assert made.registry.definitions() == ()
        (made.folder / "texts" / "tool.toml").unlink()
        changed = emitted(made.model.changed)
        made.press("Refresh folder")
        await changed
        assert "The folder has no tool.toml." in made.words


async def test_file_that_cannot_be_imported_shows_the_reason(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with page(tmp_path, theme, qtbot) as made:
        other = tmp_path / "other.zip"
        other.write_bytes(b"no zip")
        made.press("Import a zip file…")
        (dialog,) = made.group.findChildren(QFileDialog)
        changed = emitted(made.model.changed)
        dialog.fileSelected.emit(str(other))
        await changed
        assert "other.zip is no zip file that can be read." in made.words


async def test_opened_details_and_imported_tools_scroll_into_view(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    make_set(tmp_path / "elsewhere" / "another", name="another")
    async with page(tmp_path, theme, qtbot) as made:
        with low_on_a_page(made.group, above_px=850) as scroll:
            bar = scroll.verticalScrollBar()
            made.press("Tools in texts")
            qtbot.waitUntil(lambda: bar.value() > 0, timeout=20_000)
            assert is_in_view(scroll, made.button("Allow the code in texts"))

            made.press("Hide details: texts")
            bar.setValue(0)
            made.press("Import a folder…")
            (dialog,) = made.group.findChildren(QFileDialog)
            changed = emitted(made.model.changed)
            dialog.fileSelected.emit(str(tmp_path / "elsewhere" / "another"))
            await changed
            qtbot.waitUntil(lambda: bar.value() > 0, timeout=20_000)
            assert is_in_view(scroll, made.button("Details: another"))
            assert made.keyboard is made.button("Details: another")
