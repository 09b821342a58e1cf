"""Our client and our service agree on replies with several agents and several tools."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.errors import NotFound, Refused
from app.api.events import AgentEnd, AgentStart, Event, MessageStart, TextDelta, ToolUse
from app.api.models import ConversationDetail, Message, Role, ToolDefinition
from app.api.sse import ReplyStream
from app.common.error_messages import ErrorCode
from tests.support.service import RunningService, running_service

pytestmark = pytest.mark.anyio

_TOOLS = tuple(
    ToolDefinition(
        name=name,
        description="Looks at what is there.",
        input_schema={"type": "object", "properties": {"path": {"type": "string"}}},
    )
    for name in ("read_file", "list_folder")
)
_TWO_FILES = '/tool read_file {"path": "a.txt"}\n/tool read_file {"path": "b.txt"}'
_FOR_THE_WRITER = "/agent writer list ~/Documents"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("longer")) as running:
        yield running


@pytest.fixture
async def client(service: RunningService) -> AsyncIterator[ApiClient]:
    async with ApiClient(service.base_url, SecretStr(service.key)) as client:
        yield client


async def _read(reply: AbstractAsyncContextManager[ReplyStream]) -> list[Event]:
    async with reply as opened:
        events = [event async for event in opened]
        assert opened.is_complete
        assert opened.ignored_count == 0
        return events


def _call_in(events: list[Event]) -> ToolUse:
    (call,) = [event for event in events if isinstance(event, ToolUse)]
    return call


def _text(*streams: list[Event]) -> str:
    return "".join(event.text for s in streams for event in s if isinstance(event, TextDelta))


def _start(events: list[Event]) -> MessageStart:
    start = events[0]
    assert isinstance(start, MessageStart)
    return start


@pytest.mark.spec("6-agent-start", "6-agent-end", "1-routing", "4.5-new-stream")
async def test_a_reply_goes_from_one_agent_to_another_and_on_after_its_tool(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    asked = await _read(client.chat_stream(created.id, _FOR_THE_WRITER, _TOOLS, None))
    call = _call_in(asked)
    told = await _read(client.tool_result(created.id, call.id, "letter.txt"))
    kept = (await client.get_conversation(created.id)).messages
    begun = [event.agent_name for event in asked if isinstance(event, AgentStart)]
    ended = [event.agent_name for event in asked if isinstance(event, AgentEnd)]
    assert begun == ended == ["files", "writer"]
    assert _start(asked).agent_name is None
    assert (call.name, call.input) == ("list_folder", {"path": "~/Documents"})
    assert _start(told).agent_name == "writer"
    assert _start(told).message_id == _start(asked).message_id == kept[1].id
    assert kept[1].content == _text(asked, told)


@pytest.mark.spec("1-client-tool-round", "6-tool-use", "4.5-tool-result")
async def test_tools_asked_for_together_come_one_by_one_and_are_answered_together(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    first = await _read(client.chat_stream(created.id, _TWO_FILES, _TOOLS, None))
    second = await _read(client.tool_result(created.id, _call_in(first).id, "the first words"))
    last = await _read(client.tool_result(created.id, _call_in(second).id, "the second words"))
    kept = (await client.get_conversation(created.id)).messages
    assert [_call_in(events).input for events in (first, second)] == [
        {"path": "a.txt"},
        {"path": "b.txt"},
    ]
    assert "the first words" in _text(last)
    assert "the second words" in _text(last)
    assert len({_start(events).message_id for events in (first, second, last)}) == 1
    assert len(kept) == 2
    assert kept[1].content == _text(first, second, last)


async def test_a_result_of_a_round_given_twice_asks_for_the_same_tool_again_our_choice(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    call = _call_in(await _read(client.chat_stream(created.id, _TWO_FILES, _TOOLS, None)))
    once = await _read(client.tool_result(created.id, call.id, "words"))
    again = await _read(client.tool_result(created.id, call.id, "words"))
    assert once == again
    with pytest.raises(Refused) as caught:
        await _read(client.tool_result(created.id, call.id, "other words"))
    assert caught.value.code == "tool_result_conflict"


async def test_a_new_message_closes_a_round_and_the_next_reply_is_whole_our_choice(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    call = _call_in(await _read(client.chat_stream(created.id, _TWO_FILES, _TOOLS, None)))
    after = await _read(client.chat_stream(created.id, "Never mind", (), None))
    with pytest.raises(Refused) as caught:
        await _read(client.tool_result(created.id, call.id, "words"))
    with pytest.raises(NotFound):
        await _read(client.tool_result(created.id, "call_of_nobody", "words"))
    assert _text(after)
    assert caught.value.code == "tool_result_conflict"


async def test_a_conversation_is_copied_up_to_a_message_once_for_each_id(
    client: ApiClient,
) -> None:
    await client.list_agents()
    created = await client.create_conversation()
    for words in ("One", "Two"):
        await _read(client.chat_stream(created.id, words, (), None))
    before = await client.get_conversation(created.id)

    copy = await client.fork_conversation("copy-1", created.id, before.messages[2].id)
    again = await client.fork_conversation("copy-1", created.id, before.messages[2].id)
    empty = await client.fork_conversation("copy-2", created.id, None)

    assert client.offers_forks
    assert again == copy == await client.get_conversation(copy.id)
    assert _said(copy) == _said(before)[:3]
    assert not {m.id for m in copy.messages} & {m.id for m in before.messages}
    assert empty.messages == ()
    assert await client.get_conversation(created.id) == before
    with pytest.raises(NotFound) as caught:
        await client.fork_conversation("copy-3", created.id, "msg_of_nobody")
    assert caught.value.reason == ErrorCode.MESSAGE_GONE


async def test_a_conversation_begins_with_what_was_said_elsewhere(client: ApiClient) -> None:
    moment = datetime(2026, 1, 31, 12, tzinfo=UTC)
    text = (Message(id="1", role=Role.USER, content="Hello", created_at=moment),)
    answer = Message(id="2", role=Role.ASSISTANT, content="Hi", created_at=None)
    made = await client.begin_conversation("text-1", (*text, answer))
    again = await client.begin_conversation("text-1", (*text, answer))
    reply = await _read(client.chat_stream(made.id, "Continue", (), None))
    assert again == made
    assert [m.content for m in made.messages] == ["Hello", "Hi"]
    assert made.messages[0].created_at == moment
    assert made.messages[1].created_at is not None
    assert _text(reply)


def _said(detail: ConversationDetail) -> list[tuple[Role, str, datetime | None]]:
    return [(m.role, m.content, m.created_at) for m in detail.messages]
