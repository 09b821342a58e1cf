"""Models in the whole program: checked, chosen, answering, and keys that stay where they are."""

from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListView

from app.chat.items import Action, Notice
from app.config.settings import (
    AgentSettings,
    ConnectionSettings,
    ModelSettings,
    Settings,
    SettingsFile,
)
from app.ui.composer.agent_picker import AgentPicker
from app.ui.composer.message_edit import MessageEdit
from app.ui.composer.model_list import ModelList
from app.ui.transcript.view import TranscriptView
from app.viewmodels.chat.model_choice import ModelOption
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.settings.models import CheckState
from app.viewmodels.states import Dot
from tests.support.chat_fixtures import START
from tests.support.fake_models import KEY, FakeOpenAi
from tests.support.fake_service import FakeService, delta, sse
from tests.support.processes import services_of
from tests.support.widgets import button_named, child, click, press
from tests.support.window import (
    KeyringInMemory,
    Person,
    has_chosen_offline,
    hosted_program,
    running_program,
)

pytestmark = pytest.mark.anyio


async def _is_ready(person: Person) -> None:
    connection, models = person.program.connection, person.program.setup.models
    await person.sees(
        lambda: bool(models.view.said) and connection.status.dot is Dot.GOOD,
        "the service is ready",
        models.changed,
        connection.status_changed,
    )


def _shown_by_service() -> str:
    """Return what other programs of the same user can see of the service."""
    process, *_ = services_of(psutil.Process())
    try:
        return f"{process.cmdline()} {process.environ()}"
    except psutil.AccessDenied:
        return str(process.cmdline())


@pytest.mark.security(64)
async def test_service_gets_the_key_of_its_model_where_nobody_sees_it_and_a_server_none(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi("A chat") as server:
        model_id = f"openai:small@{server.base_url}/v1"
        keyring = _has_chosen_keyed(tmp_path, model_id)
        async with running_program(tmp_path, keyring) as person:
            connection, models = person.program.connection, person.program.setup.models
            # Without the key it would not start: the service refuses a model that it cannot ask.
            await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")
            assert KEY not in _shown_by_service()

            server.says("yes")
            models.check(model_id)
            await person.sees(
                lambda: models.view.models[1].check is CheckState.GOOD,
                "the check says that the model answers",
                models.changed,
            )
            # It is asked as a chat would ask it.
            assert {tool["function"]["name"] for tool in server.asked[-1]["tools"]} >= {"read_file"}
            assert "Call me Ada." in server.asked[-1]["messages"][0]["content"]
            models.choose(model_id)
            await _is_ready(person)
            # First it is asked which agent should answer.
            server.says("assistant")
            server.says("Good ", "day.")
            await person.asks("Hello")

            assert person.reply == "Good day."
            assert person.program.conversations.rowCount() == 1
            assert not any(KEY in str(request.headers) for request in server.requests)
    assert not _is_kept(KEY, tmp_path)


async def test_model_chosen_for_a_chat_answers_there_after_a_restart_too(tmp_path: Path) -> None:
    async with FakeOpenAi("A chat") as small, FakeOpenAi("A chat") as big:
        for server, name in ((small, "small"), (big, "big")):
            server.pages["/v1/models"] = {"data": [{"id": name}]}
        paths = has_chosen_offline(tmp_path)
        default = ConnectionSettings(kind="local", model=f"openai:small@{small.base_url}/v1")
        added = ModelSettings(added=(f"openai:big@{big.base_url}/v1",))
        SettingsFile(paths.settings_file).save(Settings(connection=default, models=added))
        async with running_program(tmp_path) as person:
            catalog, chat = person.program.catalog, person.program.chat
            await person.sees(
                lambda: catalog.models.rowCount() > 2, "the models", catalog.models_loaded
            )
            assert chat.state.model.display_name == "small"
            chat.chosen.choose_agent(catalog.agents.rows[1])
            _choose_model(person, "big")
            assert chat.state.model.display_name == "big"
            big.says("From the big one.")
            await person.asks("Hello")
            assert person.reply == "From the big one."
            chat_id = chat.conversation_id
            chat.open("")
            assert chat.state.model.display_name == "small"
            # A new chat with the same agent begins with the model that it had last.
            chat.chosen.choose_agent(catalog.agents.rows[1])
            await person.sees(lambda: chat.state.model.display_name == "big", "its last model")
            chat.open(chat_id)
        async with running_program(tmp_path) as person:
            chat, catalog = person.program.chat, person.program.catalog
            await person.sees(
                lambda: chat.conversation_id == chat_id, "the chat is open", chat.opened
            )
            await person.sees(
                lambda: chat.state.model.display_name == "big", "its model", catalog.models_loaded
            )
            big.says("Still here.")
            await person.asks("And now?")
            assert person.reply.endswith("Still here.")
            _choose_model(person, "")
            small.says("Small again.")
            await person.asks("And who now?")
            assert person.reply.endswith("Small again.")
    assert len(small.asked) == 1


async def test_reply_that_broke_off_offers_another_model_and_to_go_on(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.sends(START, delta("As I was say"), sse("error", message="It broke off."))
        async with hosted_program(tmp_path, service) as person:
            chat = person.program.chat
            person.say("Hello")
            await person.sees(
                lambda: any(isinstance(row, Notice) for row in chat.transcript.rows),
                "the notice of the failure is shown",
            )
            notice = next(row for row in chat.transcript.rows if isinstance(row, Notice))
            assert notice.actions == (Action.TRY_AGAIN, Action.CHOOSE_MODEL, Action.CONTINUE_REPLY)
            transcript = child(person.window, TranscriptView)

            transcript.action_chosen.emit(notice.key, Action.CHOOSE_MODEL)
            assert child(person.window, ModelList).isVisible()
            QApplication.activePopupWidget().hide()  # type: ignore[union-attr]  # it is open

            # What is sent before the failed reply has ended waits for a person.
            await person.sees(lambda: not chat.state.is_busy, "the reply has ended")
            service.says("ing, yes.")
            transcript.action_chosen.emit(notice.key, Action.CONTINUE_REPLY)
            await person.sees(
                lambda: person.reply.endswith("ing, yes."), "the reply with “ing, yes.” is shown"
            )
        sent = [r.json["message"] for r in service.requests if r.path == "/v1/chat/stream"]
        assert sent == ["Hello", "Continue where you left off."]


def _choose_model(person: Person, name: str) -> None:
    """Choose a model as a person does: the chip, the switch, the row."""
    picker = child(person.window, AgentPicker)
    picker.setFocus()
    picker.open()
    click(button_named(picker, "Model"))
    shown = child(child(picker, ModelList), QListView)
    row = next(n for n in range(shown.model().rowCount()) if _name_in(shown, n) == name)
    shown.setCurrentIndex(shown.model().index(row, 0))
    press(shown, Qt.Key.Key_Return)
    # What is typed next is the message.
    assert person.window.focusWidget() is child(person.window, MessageEdit)


def _name_in(shown: QListView, row: int) -> str:
    option: ModelOption = shown.model().index(row, 0).data(ROW_ROLE)
    return option.display_name if option.model is not None else ""


def _has_chosen_keyed(folder: Path, added: str) -> KeyringInMemory:
    """Leaves settings in which a model that needs a key answers, and another one was added."""
    paths = has_chosen_offline(folder)
    SettingsFile(paths.settings_file).save(
        Settings(
            connection=ConnectionSettings(kind="local", model="openai:small"),
            models=ModelSettings(added=(added,), keyed=("openai",)),
            agents=AgentSettings(instructions="Call me Ada."),
        )
    )
    keyring = KeyringInMemory()
    keyring.set_password("parley", "provider:openai", KEY)
    return keyring


def _is_kept(words: str, folder: Path) -> bool:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return any(words.encode() in path.read_bytes() for path in files)
