"""Agents in the settings and in the composer of the real window, with the real service."""

from pathlib import Path

import pytest

from app.chat.items import ReplyPart
from app.composition import Composition
from app.ui.composer.agent_picker import AgentPicker
from app.ui.composer.message_edit import MessageEdit
from app.ui.settings.agents import AgentsSection
from app.ui.settings.settings_page import SettingsPage
from tests.support.fake_service import FakeService
from tests.support.widgets import button_named, child, click
from tests.support.window import Person, has_chosen_offline, hosted_program, running_program

pytestmark = pytest.mark.anyio

_STREAM = "/v1/chat/stream"


async def test_agent_that_is_switched_off_is_not_offered_and_new_chats_begin_as_chosen(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        program = person.program
        agents, catalog, chat = program.agents, program.catalog, program.chat
        await person.sees(lambda: catalog.agents.rowCount() > 1, "agents", catalog.loaded)
        person.window.commands["settings"].action.trigger()
        section = child(person.window, AgentsSection)
        child(person.window, SettingsPage).show_section(section)
        await person.sees(lambda: bool(agents.view.skills), "the skills are listed", agents.changed)

        click(button_named(section, "Terminal"))
        agents.begin_new_chats_with("writer")
        await person.sees(
            lambda: not _offers(program, "terminal"),
            "the switched-off agent is not offered",
            catalog.loaded,
        )
        assert chat.state.agent.name == "writer"

        child(person.window, SettingsPage).closed.emit()
        await person.asks("Hello")
        parts = [row for row in chat.transcript.rows if isinstance(row, ReplyPart)]
        assert [part.agent_name for part in parts][:1] == ["writer"]
        chat.open("")
        assert chat.state.agent.name == "writer"


async def test_agent_chosen_for_a_chat_answers_there_after_a_restart_too(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.agents = [{"name": "writer", "display_name": "Writer"}]
        service.holds("c1", ("user", "Hello"), ("assistant", "Hello to you."))
        async with hosted_program(tmp_path, service) as person:
            chat, catalog = person.program.chat, person.program.catalog
            await person.sees(lambda: _offers(person.program, "writer"), "agents", catalog.loaded)
            chat.open("c1")
            await person.sees(lambda: len(chat.transcript.rows) == 2, "the chat is shown")
            _choose(person, "writer")
            chat.open("")
            in_new_chat = chat.state.agent.name
            chat.open("c1")
            assert (in_new_chat, chat.state.agent.name) == (None, "writer")
        async with hosted_program(tmp_path, service) as person:
            chat, catalog = person.program.chat, person.program.catalog
            await person.sees(lambda: chat.conversation_id == "c1", "the chat is open", chat.opened)
            await person.sees(lambda: _offers(person.program, "writer"), "agents", catalog.loaded)
            await person.sees(
                lambda: chat.state.agent.display_name == "Writer", "the agent Writer is chosen"
            )

            service.says("Hello again.", agent="writer")
            await person.asks("Hello again")

            asked = [request.json for request in service.requests if request.path == _STREAM]
            assert [body["agent_name"] for body in asked] == ["writer"]
            parts = [row for row in chat.transcript.rows if isinstance(row, ReplyPart)]
            assert parts[-1].agent_name == "writer"


def _choose(person: Person, name: str) -> None:
    [row] = [row for row in person.program.catalog.agents.rows if row.name == name]
    picker = child(person.window, AgentPicker)
    picker.setFocus()
    picker.agent_chosen.emit(row)
    # What is typed next is the message.
    assert person.window.focusWidget() is child(person.window, MessageEdit)


def _offers(program: Composition, name: str) -> bool:
    return any(row.name == name for row in program.catalog.agents.rows)
