"""Our client and our service, which share no code, agree on every line of the interface."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.errors import (
    ApiError,
    InvalidKey,
    InvalidRequest,
    NotFound,
    RateLimited,
    Refused,
    StreamBroken,
)
from app.api.events import (
    AgentEnd,
    AgentStart,
    Event,
    MessageStart,
    MessageStop,
    TextDelta,
    ToolUse,
    UnknownEvent,
)
from app.api.models import Role, ToolDefinition
from app.api.sse import ReplyStream
from app.common.error_messages import ErrorCode
from tests.support.service import RunningService, running_service

pytestmark = pytest.mark.anyio

_READ_FILE = ToolDefinition(
    name="read_file",
    description="Reads a file",
    input_schema={"type": "object", "properties": {"path": {"type": "string"}}},
)
# Long enough between two words to do something else in between.
_SLOW_S = 0.2
_ASK = '/tool read_file {"path": "a.txt"}'


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("contract")) as running:
        yield running


@pytest.fixture(scope="module")
def slow_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("slow"), pace_s=_SLOW_S) as running:
        yield running


@pytest.fixture
async def slow_client(slow_service: RunningService) -> AsyncIterator[ApiClient]:
    async with ApiClient(slow_service.base_url, SecretStr(slow_service.key)) as client:
        yield client


@pytest.fixture
async def client(service: RunningService) -> AsyncIterator[ApiClient]:
    async with ApiClient(service.base_url, SecretStr(service.key)) as client:
        yield client


async def read_all(reply: ReplyStream) -> list[Event]:
    return [event async for event in reply]


async def chat(
    client: ApiClient,
    conversation_id: str,
    message: str,
    tools: tuple[ToolDefinition, ...] = (),
    agent_name: str | None = None,
) -> list[Event]:
    async with client.chat_stream(conversation_id, message, tools, agent_name) as reply:
        events = await read_all(reply)
        assert reply.is_complete
        assert reply.ignored_count == 0
        return events


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def call_in(events: list[Event]) -> ToolUse:
    (call,) = [event for event in events if isinstance(event, ToolUse)]
    return call


async def error_of(client: ApiClient, conversation_id: str, message: str) -> ApiError:
    with pytest.raises(ApiError) as caught:
        await chat(client, conversation_id, message)
    return caught.value


@pytest.mark.spec("7.1-201")
async def test_a_conversation_is_created_read_listed_and_deleted_our_choice(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    assert created.messages == ()
    assert created.created_at is not None
    read = await client.get_conversation(created.id)
    assert read == created
    page = await client.list_conversations()
    assert created.id in {row.id for row in page.data}
    await client.delete_conversation(created.id)
    with pytest.raises(NotFound) as caught:
        await client.get_conversation(created.id)
    assert caught.value.code == "conversation_not_found"
    assert caught.value.reason == ErrorCode.CONVERSATION_GONE


@pytest.mark.spec("3-delete-is-final", "4.3-delete", "4.3-404", "4.2-404")
async def test_a_deleted_conversation_takes_no_message_and_no_second_delete(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    await chat(client, created.id, "Hello")
    await client.delete_conversation(created.id)
    with pytest.raises(NotFound):
        await client.delete_conversation(created.id)
    assert isinstance(await error_of(client, created.id, "Hello"), NotFound)


@pytest.mark.spec(
    "4.1-list", "4.1-limit", "4.1-offset", "4.1-order", "4.1-paging", "2.1-summary", "2.4-meta"
)
async def test_pages_are_contiguous_in_both_orders(client: ApiClient) -> None:
    made = [(await client.create_conversation()).id for _ in range(5)]
    first = await client.list_conversations(limit=2)
    second = await client.list_conversations(limit=2, offset=2)
    assert [row.id for row in (*first.data, *second.data)] == made[:0:-1]
    assert (second.meta.limit, second.meta.offset) == (2, 2)
    total = first.meta.total
    oldest = await client.list_conversations(limit=100, order="asc")
    assert oldest.meta.total == total == len(oldest.data)
    assert [row.id for row in oldest.data][-5:] == made
    assert all(row.message_count == 0 and row.updated_at for row in first.data)


@pytest.mark.spec("8-page", "4.1-limit", "7.1-400")
@pytest.mark.parametrize("limit", [0, 101, -1])
async def test_a_page_outside_one_to_a_hundred_is_a_bad_request_our_choice(
    client: ApiClient, limit: int
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        await client.list_conversations(limit=limit)
    assert caught.value.code == "invalid_request"


@pytest.mark.spec("4.4-chat", "1-sse-reply", "6-framing", "6-message-start", "6-message-stop")
async def test_a_message_is_answered_by_a_stream_and_both_are_kept(client: ApiClient) -> None:
    created = await client.create_conversation()
    events = await chat(client, created.id, "Hello there")
    start = events[0]
    assert isinstance(start, MessageStart)
    assert start.conversation_id == created.id
    assert isinstance(events[-1], MessageStop)
    assert not any(isinstance(event, UnknownEvent) for event in events)
    kept = (await client.get_conversation(created.id)).messages
    assert [message.role for message in kept] == [Role.USER, Role.ASSISTANT]
    assert kept[0].content == "Hello there"
    assert kept[1].content == text_of(events)
    assert kept[1].id == start.message_id
    row = next(r for r in (await client.list_conversations()).data if r.id == created.id)
    assert row.message_count == 2


@pytest.mark.spec("4.4-client-tools", "6-tool-use", "2.8-tool-call", "1-client-tool-round")
async def test_a_declared_tool_is_asked_for_and_its_result_continues_the_reply(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    asked = await chat(client, created.id, _ASK, (_READ_FILE,))
    call = call_in(asked)
    assert (call.name, call.input) == ("read_file", {"path": "a.txt"})
    async with client.tool_result(created.id, call.id, "The file says hello") as reply:
        continued = await read_all(reply)
        assert reply.is_complete
    first, second = asked[0], continued[0]
    assert isinstance(first, MessageStart)
    assert isinstance(second, MessageStart)
    assert first.message_id == second.message_id
    assert "The file says hello" in text_of(continued)
    kept = (await client.get_conversation(created.id)).messages
    assert [message.role for message in kept] == [Role.USER, Role.ASSISTANT]
    assert kept[1].content == text_of(asked) + text_of(continued)


@pytest.mark.spec("4.5-failed-run", "4.5-new-stream", "4.5-tool-result")
async def test_a_failed_tool_is_told_as_text_and_the_reply_goes_on(client: ApiClient) -> None:
    created = await client.create_conversation()
    call = call_in(await chat(client, created.id, _ASK, (_READ_FILE,)))
    async with client.tool_result(created.id, call.id, "Error: no such file") as reply:
        assert text_of(await read_all(reply))
        assert reply.is_complete


async def test_an_equal_result_twice_is_answered_alike_and_another_is_refused_our_choice(
    client: ApiClient,
) -> None:
    created = await client.create_conversation()
    call = call_in(await chat(client, created.id, _ASK, (_READ_FILE,)))
    texts = []
    for _ in range(2):
        async with client.tool_result(created.id, call.id, "hello") as reply:
            texts.append(text_of(await read_all(reply)))
    assert texts[0] == texts[1]
    with pytest.raises(Refused) as caught:
        async with client.tool_result(created.id, call.id, "something else"):
            pass
    assert (caught.value.status, caught.value.code) == (409, "tool_result_conflict")
    assert not caught.value.was_maybe_delivered
    assert len((await client.get_conversation(created.id)).messages) == 2


async def test_a_result_for_no_call_is_not_found_our_choice(client: ApiClient) -> None:
    created = await client.create_conversation()
    with pytest.raises(NotFound) as caught:
        async with client.tool_result(created.id, "no-such-call", "hello"):
            pass
    assert caught.value.code == "tool_call_not_found"


@pytest.mark.spec("4.6-agents", "2.5-agent", "1-routing", "4.4-agent-name", "6-agent-start")
async def test_a_named_agent_answers_itself(client: ApiClient) -> None:
    agents = await client.list_agents()
    assert agents
    for agent in agents:
        assert agent.is_enabled
        assert agent.display_name
        assert agent.description
        created = await client.create_conversation()
        events = await chat(client, created.id, "Hello", agent_name=agent.name)
        start = events[0]
        assert isinstance(start, MessageStart)
        assert (start.agent_name, start.agent_display_name) == (agent.name, agent.display_name)
        begun = [e.agent_name for e in events if isinstance(e, AgentStart)]
        ended = [e.agent_name for e in events if isinstance(e, AgentEnd)]
        assert set(begun) <= {agent.name}
        assert begun == ended


@pytest.mark.spec("7.1-400")
async def test_an_unknown_agent_is_a_bad_request_our_choice(client: ApiClient) -> None:
    created = await client.create_conversation()
    with pytest.raises(InvalidRequest) as caught:
        await chat(client, created.id, "Hello", agent_name="nobody")
    assert caught.value.reason == ErrorCode.UNKNOWN_AGENT


@pytest.mark.spec("4.7-skills", "2.6-skill", "1-skills-metadata", "9-skill-version")
async def test_skills_are_told_by_their_metadata(client: ApiClient) -> None:
    skills = await client.list_skills()
    assert skills
    for skill in skills:
        assert skill.name
        assert skill.display_name
        assert skill.description
        assert skill.version


@pytest.mark.spec("7.1-400", "7.2-body")
async def test_an_empty_message_is_a_bad_request_our_choice(client: ApiClient) -> None:
    created = await client.create_conversation()
    error = await error_of(client, created.id, "")
    assert isinstance(error, InvalidRequest)
    assert error.code == "invalid_request"
    assert (await client.get_conversation(created.id)).messages == ()


@pytest.mark.spec("5-header", "5-invalid", "4-key-everywhere", "7.2-invalid-api-key")
async def test_a_wrong_key_is_refused_by_every_operation(service: RunningService) -> None:
    key = SecretStr("pk_live_somebody_elses")
    async with ApiClient(service.base_url, key) as stranger:
        for asked in (
            stranger.list_conversations(),
            stranger.get_conversation("c"),
            stranger.create_conversation(),
            stranger.delete_conversation("c"),
            stranger.list_agents(),
            stranger.list_skills(),
        ):
            with pytest.raises(InvalidKey) as caught:
                await asked
            assert caught.value.code == "invalid_api_key"
        with pytest.raises(InvalidKey):
            await chat(stranger, "c", "Hello")
        with pytest.raises(InvalidKey):
            async with stranger.tool_result("c", "t", "r"):
                pass


async def test_a_second_message_while_a_reply_streams_is_distinguished_our_choice(
    slow_client: ApiClient,
) -> None:
    created = await slow_client.create_conversation()
    async with slow_client.chat_stream(created.id, "Tell me a long story") as reply:
        await anext(reply)
        second = await error_of(slow_client, created.id, "And another")
    assert second.reason == ErrorCode.CONVERSATION_BUSY
    assert not second.was_maybe_delivered


@pytest.mark.security(70)
@pytest.mark.parametrize("odd", ["../agents", "a/b", "%2e%2e", "a?b#c", "\u202e", "' OR 1=1 --"])
async def test_an_odd_id_is_simply_not_found(client: ApiClient, odd: str) -> None:
    before = (await client.list_conversations(limit=1)).meta.total
    for ask in (client.get_conversation, client.delete_conversation):
        with pytest.raises(NotFound) as caught:
            await ask(odd)
        assert caught.value.code in {"conversation_not_found", "not_found"}
    assert (await client.list_conversations(limit=1)).meta.total == before


async def test_odd_text_comes_back_as_it_went(client: ApiClient) -> None:
    odd = 'a\u2028b\u0085c\r\nd\te 😀 \u202eright 中文 "quoted" \\back'
    created = await client.create_conversation()
    await chat(client, created.id, odd)
    assert (await client.get_conversation(created.id)).messages[0].content == odd


async def test_stopping_a_reply_keeps_what_was_written_and_frees_the_conversation_our_choice(
    slow_client: ApiClient,
) -> None:
    created = await slow_client.create_conversation()
    async with slow_client.chat_stream(created.id, "Tell me a long story") as reply:
        text = ""
        while not text:
            event = await anext(reply)
            text = event.text if isinstance(event, TextDelta) else ""
    async with asyncio.timeout(20):
        while await is_busy(slow_client, created.id):
            pass
    kept = (await slow_client.get_conversation(created.id)).messages
    assert kept[0].content == "Tell me a long story"
    assert kept[1].content.startswith(text)


async def is_busy(client: ApiClient, conversation_id: str) -> bool:
    """Try to send again: the service may still be ending the reply that was stopped."""
    try:
        async with client.chat_stream(conversation_id, "Once more") as reply:
            await anext(reply)
    except Refused as exc:
        if exc.reason != ErrorCode.CONVERSATION_BUSY:
            raise
        return True
    return False


@pytest.mark.spec("8-free", "8-exceeded", "7.1-429")
async def test_past_the_plan_it_is_a_429_with_a_time(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    async with AsyncExitStack() as stack:
        folder = tmp_path_factory.mktemp("limited")
        limited = stack.enter_context(running_service(folder, plan="enterprise", per_minute=3))
        client = ApiClient(limited.base_url, SecretStr(limited.key))
        await stack.enter_async_context(client)
        for _ in range(3):
            await client.list_agents()
        with pytest.raises(RateLimited) as caught:
            await client.list_agents()
        assert caught.value.is_from_service
        assert caught.value.retry_after_s is not None
        with pytest.raises(RateLimited):
            await chat(client, "c", "Hello")


async def test_a_service_killed_in_mid_reply_breaks_the_stream(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    async with AsyncExitStack() as stack:
        folder = tmp_path_factory.mktemp("killed")
        killed = stack.enter_context(running_service(folder, pace_s=_SLOW_S))
        client = ApiClient(killed.base_url, SecretStr(killed.key))
        await stack.enter_async_context(client)
        created = await client.create_conversation()
        reply = await stack.enter_async_context(client.chat_stream(created.id, "A long story"))
        await anext(reply)
        killed.process.kill()
        with pytest.raises(StreamBroken):
            await read_all(reply)
