"""The first minute: from the first start to a reply of a real model, in few clicks.

The real engine runs a tiny model, in the real window, with the real service.
"""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QWidget

from app.paths import paths_under
from app.self_test.ui_driver import find, type_into
from app.ui.sidebar.sidebar import Sidebar
from app.viewmodels.states import Dot
from tests.support.engine import TinyModels
from tests.support.plugins import LoopBackend
from tests.support.tiny_model import PLAIN_TEMPLATE
from tests.support.widgets import click, label_texts
from tests.support.window import Person, has_chosen_offline, running_program

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since the window is under these tests."""
    return qt_loop


class _Clicks:
    """Clicks what has a name, and counts."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self.count = 0

    def on(self, name: str) -> None:
        click(find(self._window, QAbstractButton, name))
        self.count += 1


async def _has_answered(person: Person) -> None:
    await person.sees(
        lambda: bool(person.reply) and not person.program.chat.state.is_busy, "a whole reply"
    )


async def _is_connected(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service answers")


async def _has_looked(person: Person) -> None:
    setup = person.program.setup
    await person.sees(
        lambda: not setup.first_run.is_looking, "models were looked for", setup.first_run_changed
    )


async def test_found_model_answers_after_two_clicks(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    models = paths_under(tmp_path).service_data / "models"
    models.mkdir(parents=True)
    shutil.copy(tiny_models.file("plain", PLAIN_TEMPLATE), models / "tiny.gguf")
    async with running_program(tmp_path) as person:
        clicks = _Clicks(person.window)
        await _has_looked(person)
        clicks.on("Use: Tiny llama")
        await _is_connected(person)
        type_into(person.box, "Hello")
        clicks.on("Send")
        await _has_answered(person)
    assert clicks.count <= 4


async def test_opened_file_answers_after_four_clicks(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    async with running_program(tmp_path) as person:
        clicks = _Clicks(person.window)
        await _has_looked(person)
        clicks.on("Open a model file…")
        [dialog] = person.window.findChildren(QFileDialog)
        # One click on the file, one on Open.
        clicks.count += 2
        dialog.fileSelected.emit(str(model))
        dialog.reject()
        await _is_connected(person)
        type_into(person.box, "Hello")
        clicks.on("Send")
        await _has_answered(person)
    assert clicks.count <= 5


async def test_file_of_the_command_line_answers_at_the_first_start(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    async with running_program(tmp_path) as person:
        person.program.open_model_file(tiny_models.file("plain", PLAIN_TEMPLATE))
        await _is_connected(person)
        await person.asks("Hello")
        assert person.reply


async def test_file_of_the_command_line_answers_in_place_of_another_model_unless_it_is_none(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    has_chosen_offline(tmp_path)
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"PK\x03\x04" + bytes(4000))
    async with running_program(tmp_path) as person:
        await _is_connected(person)
        models = person.program.setup.models
        person.program.open_model_file(bad)
        await person.sees(
            lambda: bool(models.view.problem),
            "the settings show why no model can be used",
            models.changed,
        )
        assert any(
            "not a model file in the GGUF format" in text for text in label_texts(person.window)
        )
        person.program.open_model_file(tiny_models.file("plain", PLAIN_TEMPLATE))
        await person.sees(
            lambda: bool(models.view.said),
            "the settings show the result of the choice",
            models.changed,
        )
        assert any(
            "Tiny llama answers from your next" in text for text in label_texts(person.window)
        )
        person.window.leave_settings()
        await person.asks("Hello")
        assert person.reply
        [sidebar] = person.window.findChildren(Sidebar)
        assert any("Tiny llama" in text for text in label_texts(sidebar))


async def test_model_file_that_is_dropped_on_a_chat_answers_there(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    has_chosen_offline(tmp_path)
    dropped = QMimeData()
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    dropped.setUrls([QUrl.fromLocalFile(str(model))])
    async with running_program(tmp_path) as person:
        await _is_connected(person)
        person.box.insertFromMimeData(dropped)
        chat, catalog = person.program.chat, person.program.catalog
        wanted = f"file:{model}"
        await person.sees(
            lambda: chat.chosen.models.now.model == wanted, "the model", catalog.models_loaded
        )
        assert chat.attachments.items == ()
        await person.asks("Hello")
        assert person.reply
        [sidebar] = person.window.findChildren(Sidebar)
        assert any("Tiny llama" in text for text in label_texts(sidebar))
