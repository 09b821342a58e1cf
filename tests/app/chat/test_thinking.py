"""What a model thinks, and what a reply used: shown beside the reply, kept, never sent back."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.api.events import Usage, read_event
from app.chat.items import Item, ReplyPart, Thought, ToolCall, UserMessage
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.import_export.formats.parley import json_of, read_own
from app.import_export.loading import ConversationLoader, Labels, ThoughtPart
from app.import_export.markdown_format import markdown_of
from app.paths import resources
from app.store.records import TurnState
from app.ui.import_export.web_page import web_page_writer
from tests.support.chat_fixtures import START, STOP, ChatKit, chat_kit
from tests.support.fake_service import FakeService, delta, sse, thinking

pytestmark = pytest.mark.anyio


def _kinds(items: list[Item]) -> list[type[Item]]:
    return [type(item) for item in items]


def _thoughts(items: list[Item]) -> list[Thought]:
    return [item for item in items if isinstance(item, Thought)]


def _used(**numbers: Any) -> bytes:
    return sse("usage", **numbers)


async def _announced(service: FakeService, kit: ChatKit, *extensions: str) -> None:
    service.extensions = extensions
    await kit.dependencies.client.list_agents()


async def test_thought_stands_above_the_reply_with_its_time_and_is_kept(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _announced(service, kit, "thinking", "usage")
        service.holds("c1")
        service.sends(START, thinking("Let me "), thinking("see."), delta("Four."), STOP)
        go_on = service.pauses_after(3)
        chat = await kit.open()
        await chat.send("2 + 2?")
        await chat.until(lambda: any(t.text == "Let me see." for t in _thoughts([*chat.items])))
        (live,) = _thoughts([*chat.items])
        assert live.since == kit.clock.now()

        kit.clock.advance(12)
        go_on.set()
        await chat.is_idle()

        message, thought, reply = chat.items
        assert isinstance(message, UserMessage)
        assert isinstance(thought, Thought)
        assert isinstance(reply, ReplyPart)
        assert (thought.text, thought.seconds, thought.since) == ("Let me see.", 12, None)
        assert (thought.shows_agent, reply.shows_agent, reply.text) == (True, False, "Four.")
        assert service.requests[-1].header("Parley-Accept") == "usage, thinking"
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "2 + 2?"), ("assistant", "Four."))
        for row, name in zip(service.conversations["c1"], ("u1", "m1"), strict=True):
            row["id"] = name

        chat = await kit.open()

        assert [*chat.items][1:2] == [thought]
        assert _kinds([*chat.items]) == [UserMessage, Thought, ReplyPart]


async def test_service_that_announced_nothing_is_asked_for_nothing(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _announced(service, kit)
        service.holds("c1")
        service.says("Hello")
        chat = await kit.open()

        await chat.said("Hi")

        assert service.requests[-1].header("Parley-Accept") is None
        (turn,) = await kit.turns()
        assert turn.usage is None


async def test_stop_in_the_middle_of_a_thought_keeps_what_was_thought(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, thinking("Endless"), delta("never"))
        service.hangs_after(2)
        chat = await kit.open()
        await chat.send("Go")
        await chat.until(lambda: any(thought.text for thought in _thoughts([*chat.items])))

        chat.session.stop()
        await chat.is_idle()

        (thought,) = _thoughts([*chat.items])
        assert (thought.text, thought.since) == ("Endless", None)
        assert chat.says(ErrorCode.STOPPED)


async def test_thought_that_was_cut_off_is_there_after_a_restart(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            service.holds("c1")
            service.sends(START, thinking("Half a th"))
            service.hangs_after(2)
            chat = await kit.open()
            await chat.send("Go")
            await chat.until(lambda: any(thought.text for thought in _thoughts([*chat.items])))
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            (thought,) = _thoughts([*chat.items])
            assert (thought.text, thought.since) == ("Half a th", None)
            (turn,) = await kit.turns()
            assert turn.state is not TurnState.STREAMING


async def test_thinking_alone_is_no_reply_and_no_part_of_an_export(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, thinking("Nothing to say."), STOP)
        chat = await kit.open()

        await chat.said("Hi")
        service.holds("c1", ("user", "Hi"))
        parts = (kit.conversations, kit.sessions, kit.dependencies.ledger)
        workspace = Workspace(kit.dependencies.client, kit.store, *parts)
        exported = await ConversationLoader(workspace).gather("c1")

        assert _kinds([*chat.items]) == [UserMessage, Thought]
        assert [message.text for message in exported.messages] == ["Hi"]
        wanted = await ConversationLoader(workspace, has_thoughts=True).gather("c1")
        assert [m.parts for m in wanted.messages[1:]] == [(ThoughtPart("Nothing to say."),)]


async def test_thoughts_are_in_an_export_where_they_are_wanted(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, thinking("First\n<b>this</b>."), delta("It is done."), STOP)
        chat = await kit.open()
        await chat.said("Hi")
        service.holds("c1", ("user", "Hi"))
        parts = (kit.conversations, kit.sessions, kit.dependencies.ledger)
        workspace = Workspace(kit.dependencies.client, kit.store, *parts)
        loader = ConversationLoader(workspace, has_thoughts=True)
        chat_with = await loader.gather("c1")
        without = await ConversationLoader(workspace).gather("c1")

    assert len(chat_with.messages) == 2
    now, labels = datetime(2026, 1, 1, tzinfo=UTC), Labels()
    markdown = "".join(markdown_of(chat_with, labels, now))
    assert "> *Thought*\n>\n> First\n> <b>this</b>.\n\nIt is done." in markdown
    page = "".join(web_page_writer(resources() / "themes")(chat_with, labels, now))
    assert "<summary>Thought</summary>" in page
    assert "&lt;b&gt;this&lt;/b&gt;" in page
    told = "".join(json_of(chat_with, is_first=True))
    assert '"type": "thought"' in told
    read = read_own(json.loads(told))
    assert [message.text for message in read.messages] == ["Hi", "It is done."]
    assert "Thought" not in "".join(markdown_of(without, labels, now))


async def test_each_thought_around_a_tool_has_its_row_and_the_reply_its_sum(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        use = sse("tool_use", id="t1", name="no_such_tool", input={})
        first = _used(
            input_tokens=10,
            output_tokens=5,
            cached_tokens=None,
            context_tokens=15,
            context_window=100,
            cost_usd=0.25,
            model="openai:first",
        )
        second = _used(
            input_tokens=20,
            output_tokens=7,
            cached_tokens=4,
            context_tokens=31,
            context_window=100,
            cost_usd=0.5,
            model="openai:second@http://127.0.0.1:9/v1",
            is_window_assumed=True,
        )
        service.sends(START, thinking("A sum."), use, first, STOP)
        service.sends(START, thinking("So four."), delta("Four."), second, STOP)
        chat = await kit.open()

        await chat.said("2 + 2?")

        assert _kinds([*chat.items]) == [UserMessage, Thought, ToolCall, Thought, ReplyPart]
        (turn,) = await kit.turns()
        model = "openai:second@http://127.0.0.1:9/v1"
        assert turn.usage == Usage(30, 12, None, 31, 100, 0.75, model, is_window_assumed=True)
        assert turn.model == "second"
        assert chat.session.state.usage == turn.usage
        parts = [item for item in chat.items if isinstance(item, ReplyPart)]
        ends = [(part.usage, part.model) for part in parts if part.ends_reply]
        assert ends == [(turn.usage, "second")]


@pytest.mark.parametrize("odd", ["-1", "true", '"7"', "1e308", "[7]", "null", str(10**40)])
def test_odd_numbers_of_tokens_are_not_known(odd: str) -> None:
    names = ("input_tokens", "output_tokens", "cached_tokens", "context_tokens", "context_window")
    numbers = ", ".join(f'"{name}": {odd}' for name in (*names, "cost_usd"))

    assert read_event("usage", f'{{"type": "usage", {numbers}}}') == Usage()


async def test_first_moment_says_that_an_agent_is_chosen_then_who_thinks(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        start = sse("agent_start", agent_name="writer", agent_display_name="Writer")
        service.sends(START, start, thinking("Hm."), delta("Yes."), STOP)
        go_on = service.pauses_after(1)
        chat = await kit.open()
        await chat.send("Go")
        await chat.until(lambda: bool(_thoughts([*chat.items])))
        (first,) = _thoughts([*chat.items])
        assert (first.is_choosing, first.text, first.shows_agent) == (True, "", True)
        kit.clock.advance(3)

        go_on.set()
        await chat.is_idle()

        _, thought, reply = chat.mirror
        assert isinstance(thought, Thought)
        assert (thought.key, thought.text, thought.seconds) == (first.key, "Hm.", 3)
        assert (thought.is_choosing, thought.agent_display_name) == (False, "Writer")
        assert isinstance(reply, ReplyPart)


async def test_row_that_waits_is_gone_when_nothing_comes(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START)
        service.hangs_after(0)
        chat = await kit.open()
        await chat.send("Go", "writer")
        await chat.until(lambda: chat.session.state.turn is TurnState.STREAMING)
        assert not _thoughts([*chat.items])[0].is_choosing

        chat.session.stop()
        await chat.is_idle()
        assert not _thoughts(chat.mirror)
        assert chat.mirror == [*chat.items]


async def test_waiting_row_is_shown_after_a_tool_call_too(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("no_such_tool", {}, after=["I look."])
        service.sends(START, delta("Nothing."), STOP)
        go_on = service.pauses_after(0)
        chat = await kit.open()
        await chat.send("Go")
        await chat.until(lambda: len(chat.items) > 3)

        assert _kinds(chat.mirror) == [UserMessage, ReplyPart, ToolCall, Thought]
        go_on.set()
        await chat.is_idle()
        assert _kinds(chat.mirror) == [UserMessage, ReplyPart, ToolCall, ReplyPart]


async def test_model_that_was_chosen_stands_under_the_reply_also_after_a_restart(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.models = [{"id": "m", "display_name": "Small", "is_default": True}]
        service.holds("c1")
        service.sends(START, delta("Yes."), STOP)
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            await kit.dependencies.client.list_models()
            chat = await kit.open()
            chat.session.settings.choose_model("m")
            await chat.said("Go")
            reply = chat.items[-1]
            assert isinstance(reply, ReplyPart)
            assert (reply.model, reply.ends_reply) == ("Small", True)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            assert [i.model for i in chat.items if isinstance(i, ReplyPart)] == ["Small"]
