"""Thinking, usage and titles in the whole program: seen while a reply streams, there afterwards."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.api.events import Usage
from app.chat.items import ReplyPart, Thought
from app.ui.composer.agent_picker import AgentPicker
from app.ui.composer.context_ring import ContextRing
from app.ui.composer.instructions_dialog import InstructionsDialog
from tests.support.fake_service import FakeService, delta, sse, thinking
from tests.support.widgets import button_named, child, click
from tests.support.window import Person, hosted_program

pytestmark = pytest.mark.anyio

_QUESTION = "How old is the bridge, and who built it?"


def _thoughts(person: Person) -> list[Thought]:
    return [row for row in person.program.chat.transcript.rows if isinstance(row, Thought)]


def _has_ended(person: Person) -> bool:
    rows = person.program.chat.transcript.rows
    return not person.program.chat.state.is_busy and bool(rows) and isinstance(rows[-1], ReplyPart)


async def test_person_sees_thought_usage_and_title_and_finds_them_again(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.extensions = ("usage", "thinking", "title")
        start = sse(
            "message_start",
            message_id="m1",
            conversation_id="$conversation",
            agent_name="writer",
            agent_display_name="Writer",
        )
        used = sse(
            "usage",
            input_tokens=900,
            output_tokens=60,
            cached_tokens=0,
            context_tokens=960,
            context_window=4000,
            cost_usd=0.0021,
        )
        title = sse("title", title="The age of the bridge")
        service.sends(
            start,
            thinking("It was opened in *1894*."),
            delta("It opened in 1894."),
            used,
            title,
            sse("message_stop"),
        )
        go_on = service.pauses_after(2)
        async with hosted_program(tmp_path, service) as person:
            await person.sees(lambda: person.program.chat.state.can_send, "the project")
            await person.sees(lambda: bool(service.requests), "its agents")
            person.say(_QUESTION)
            await person.sees(lambda: bool(_thoughts(person)), "the thought")
            assert _thoughts(person)[0].since is not None
            assert child(person.window, ContextRing).isHidden()

            go_on.set()
            await person.sees(lambda: _has_ended(person), "the reply has ended")

            assert "(24 %)" in child(person.window, ContextRing).accessibleName()
            assert person.program.chat.state.title == "The age of the bridge"
            titles = [row.title for row in person.program.conversations.rows]
            assert titles == ["The age of the bridge"]
            opened = person.program.chat.conversation_id
        service.conversations[opened] = [
            {"id": "u1", "role": "user", "content": _QUESTION, "created_at": None},
            {"id": "m1", "role": "assistant", "content": "It opened in 1894.", "created_at": None},
        ]
        async with hosted_program(tmp_path, service) as person:
            await person.sees(lambda: bool(_thoughts(person)), "the thought")
            assert _thoughts(person)[0].text == "It was opened in *1894*."
            reply = person.program.chat.transcript.rows[-1]
            assert isinstance(reply, ReplyPart)
            assert reply.usage == Usage(900, 60, 0, 960, 4000, 0.0021)
            assert "(24 %)" in child(person.window, ContextRing).accessibleName()
            assert person.program.chat.state.title == "The age of the bridge"


async def test_thinking_chosen_before_a_chat_begins_goes_with_its_first_message(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.extensions = ("settings",)
        service.says("Yes.")
        async with hosted_program(tmp_path, service) as person:
            await person.sees(
                lambda: bool(person.program.chat.state.can_set_answers),
                "the reply settings can be chosen",
            )
            picker = child(person.window, AgentPicker)
            picker.open()
            click(button_named(picker, "Thinks at length before it answers"))
            QApplication.activePopupWidget().hide()  # type: ignore[union-attr]  # it is open

            person.say(_QUESTION)
            await person.sees(lambda: _has_ended(person), "the reply has ended")

            assert person.program.chat.state.answers.thinking == "long"
        (sent,) = [r.json for r in service.requests if r.path == "/v1/chat/stream"]
        assert sent["settings"] == {"thinking": "long"}


async def test_instructions_given_before_a_chat_begins_go_with_it_and_are_found_again(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.extensions = ("settings",)
        service.says("Yes.")
        async with hosted_program(tmp_path, service) as person:
            await person.sees(
                lambda: bool(person.program.chat.state.can_set_answers),
                "the reply settings can be chosen",
            )
            picker = child(person.window, AgentPicker)
            picker.open()
            click(button_named(picker, "Add instructions to this chat…"))
            dialog = child(person.window, InstructionsDialog)
            child(dialog, QPlainTextEdit).setPlainText("Answer in rhyme.")
            click(button_named(dialog, "Save"))

            person.say(_QUESTION)
            await person.sees(lambda: _has_ended(person), "the reply has ended")

            assert not button_named(picker, "Change the instructions of this chat…").isHidden()
        (sent,) = [r.json for r in service.requests if r.path == "/v1/chat/stream"]
        assert sent["instructions"] == "Answer in rhyme."
        async with hosted_program(tmp_path, service) as person:
            given = "Answer in rhyme."
            await person.sees(
                lambda: person.program.chat.state.instructions == given,
                "the chat's instructions are restored",
            )
