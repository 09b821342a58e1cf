"""Reading in the whole window: finding words in the open chat, and going through its messages."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QToolButton

from app.self_test.ui_driver import click, find, type_into
from app.ui.transcript.pane import FindBar
from app.ui.transcript.view import TranscriptView
from tests.support.fake_service import FakeService
from tests.support.window import hosted_program

pytestmark = pytest.mark.anyio


async def test_words_are_found_in_the_open_chat_and_esc_gives_the_keyboard_back(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says("Hello to you.")
        await person.asks("Hello there")
        view = person.window.findChild(TranscriptView)
        bar = person.window.findChild(FindBar)
        assert view
        assert bar
        person.box.setFocus()

        click(find(person.window, QToolButton, "Find in chat"))
        type_into(find(bar, QLineEdit, "Find in chat"), "hello")
        await person.sees(lambda: view.finding.number > 0, "a hit", view.finding.changed)

        bar.closed.emit()
        assert not bar.isVisible()
        person.window.commands["previous-message"].action.trigger()
        assert view.hasFocus()
