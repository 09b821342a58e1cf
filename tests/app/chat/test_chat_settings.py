"""What is chosen for a chat: its folder, who answers, and the tools that it goes without."""

from pathlib import Path

import pytest

from app.api.models import AnswerSettings
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from tests.support.chat_fixtures import chat_kit, results
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio

_OFF = frozenset({"current_time", "run_shell"})


async def test_the_folder_comes_back_with_the_chat(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.session.set_folder(tmp_path)

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            assert chat.session.settings.folder == tmp_path
            await chat.session.set_folder(None)
            assert chat.session.settings.folder is None


async def test_the_agent_comes_back_with_the_chat_unless_one_was_chosen_before_it_was_read(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            count = len(chat.states)
            chat.session.settings.choose_agent("writer")
            assert len(chat.states) == count + 1
            await chat.session.save_agent()

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            assert chat.session.settings.agent_name == "writer"

        async with chat_kit(tmp_path, service) as kit:
            session = kit.sessions.get("c1")
            session.settings.choose_agent(None)
            await session.load()
            assert session.settings.agent_name is None


async def test_nothing_is_chosen_for_a_chat_that_was_deleted(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        await kit.conversations.delete("c1")

        for choice in (
            chat.session.set_folder(tmp_path),
            chat.session.set_disabled_tools(_OFF),
            chat.session.save_agent(),
        ):
            with pytest.raises(UserFacingError) as caught:
                await choice
            assert caught.value.reason == ErrorCode.CONVERSATION_GONE

        assert await kit.store.conversations.ids() == ()


@pytest.mark.security(16)
async def test_a_tool_that_is_switched_off_is_not_declared_and_never_runs(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.session.set_disabled_tools(_OFF)

        # It is remembered with the chat.
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            service.asks_tool("current_time", {})
            service.says("Then not.")
            await chat.said("What is the time?")

            assert chat.session.settings.disabled_tools == _OFF
            sent = next(r.json for r in service.requests if r.path == "/v1/chat/stream")
            declared = {tool["name"] for tool in sent["client_tools"]}
            assert "read_file" in declared
            assert not declared & _OFF
            assert results(service) == [("call-1", "Error: unknown tool “current_time”.")]


@pytest.mark.security(16)
async def test_a_tool_that_is_switched_off_while_the_reply_runs_does_not_run_any_more(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.asks_tool("current_time", {}, call_id="call-2")
        service.says("I see.")
        chat = await kit.open()
        await chat.send("What is the time?")
        await chat.asks()
        await chat.session.set_disabled_tools(_OFF)
        await chat.allow()
        await chat.is_idle()

        told = dict(results(service))
        assert not told["call-1"].startswith("Error")
        assert told["call-2"] == "Error: unknown tool “current_time”."


async def test_instructions_are_sent_where_announced_and_kept_over_a_restart(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            chat.session.settings.choose_instructions("Answer in rhyme.\N{PARTY POPPER}\ud83c")
            await chat.session.save_instructions()
            service.says("One")
            await chat.said("Not announced")
            assert "instructions" not in service.requests[-1].json
        service.extensions = ("settings",)
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            chat = await kit.open()
            service.says("Two")
            await chat.said("Announced")
            sent = service.requests[-1].json["instructions"]
            assert sent == "Answer in rhyme.\N{PARTY POPPER}\N{REPLACEMENT CHARACTER}"
            assert "settings" not in service.requests[-1].json

            chat.session.settings.choose_instructions("")
            service.says("Three")
            await chat.said("Without")
            assert service.requests[-1].json["instructions"] is None


async def test_settings_are_sent_where_announced_and_kept_over_a_restart(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            chat.session.settings.choose_answers(AnswerSettings("short", 0.0, 500))
            await chat.session.save_answers()
            service.says("One")
            await chat.said("Not announced")
            assert "settings" not in service.requests[-1].json
        service.extensions = ("settings",)
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            chat = await kit.open()
            service.says("Two")
            await chat.said("Announced")
            assert service.requests[-1].json["settings"] == {
                "thinking": "short",
                "temperature": 0.0,
                "max_output_tokens": 500,
            }

            chat.session.settings.choose_answers(AnswerSettings())
            service.says("Three")
            await chat.said("Its own way again")
            assert service.requests[-1].json["settings"] is None
