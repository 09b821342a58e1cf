"""The window and the engine of model files: loaded while one writes, and shared by all chats."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from app.api.client import ChatApi
from app.api.models import ConversationSummary
from app.paths import paths_under
from app.self_test.ui_driver import find, press_enter, type_into
from app.ui.main_window import MainWindow
from app.viewmodels.states import Dot
from tests.support.engine import TinyModels
from tests.support.tiny_model import PLAIN_TEMPLATE
from tests.support.window import Person, running_program

pytestmark = pytest.mark.anyio
_LIMIT_S = 60


async def _uses_tiny_model(person: Person) -> None:
    setup, connection = person.program.setup, person.program.connection
    await person.sees(
        lambda: not setup.first_run.is_looking, "what was found", setup.first_run_changed
    )
    find(person.window, QAbstractButton, "Use: Tiny llama").click()
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service")
    catalog = person.program.catalog
    await person.sees(lambda: bool(catalog.models.rows), "the models", catalog.models_loaded)


@pytest.fixture
def data(tmp_path: Path, tiny_models: TinyModels) -> Path:
    models = paths_under(tmp_path).service_data / "models"
    models.mkdir(parents=True)
    shutil.copy(tiny_models.file("plain", PLAIN_TEMPLATE), models / "tiny.gguf")
    return tmp_path


def _client(person: Person) -> ChatApi:
    workspace = person.program.connection.workspace
    assert workspace
    return workspace.client


async def _state_of_default(client: ChatApi) -> str:
    [default] = [model for model in await client.list_models() if model.is_default]
    return default.state


async def test_model_is_loaded_while_its_first_question_is_written(data: Path) -> None:
    async with running_program(data) as person:
        await _uses_tiny_model(person)
        client = _client(person)
        before = await _state_of_default(client)
        person.write("H")
        async with asyncio.timeout(_LIMIT_S):
            while await _state_of_default(client) == "loadable":
                pass
        assert (before, await _state_of_default(client)) == ("loadable", "ready")
        assert person.program.chat.conversation_id == ""


async def _asks(person: Person, window: MainWindow, text: str) -> None:
    """Begin a chat in a window, and do not wait for the reply."""
    chat = person.program.windows.models_of(window).chat
    window.commands["new-chat"].action.trigger()
    box = find(window, QPlainTextEdit, "Message")
    type_into(box, text)
    press_enter(box)
    await person.sees(lambda: bool(chat.conversation_id), "a chat", chat.accepted)


def _engines() -> set[int]:
    """Find the engines below this program, without what confines them."""
    found = set()
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if child.name().startswith("python") and "engine_child" in " ".join(child.cmdline()):
                found.add(child.pid)
    return found


async def test_four_chats_of_two_windows_share_one_engine(data: Path) -> None:
    engines: set[int] = set()
    async with running_program(data) as person:
        await _uses_tiny_model(person)
        person.program.windows.open_window()
        for window in person.program.windows.all:
            for text in ("One", "Two"):
                await _asks(person, window, text)
        counts: list[int] = []
        async with asyncio.timeout(_LIMIT_S):
            while counts != [2] * 4:
                engines |= _engines()
                counts = [chat.message_count for chat in await _all_chats(_client(person))]
    assert len(engines) == 1


async def _all_chats(client: ChatApi) -> Sequence[ConversationSummary]:
    return (await client.list_conversations()).data
