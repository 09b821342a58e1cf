"""Reading in the whole window: finding words in the open chat, and going through its messages."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QToolButton

from app.self_test.ui_driver import click, find, type_into
from app.ui.transcript.pane import FindBar
from app.ui.transcript.view import TranscriptView
from app.viewmodels.states import Dot
from tests.support.window import has_chosen_offline, running_program

pytestmark = pytest.mark.anyio


async def test_words_are_found_in_the_open_chat_and_esc_gives_the_keyboard_back(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")
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
