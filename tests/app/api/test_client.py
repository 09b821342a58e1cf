"""The client's operations, against a scripted service."""

import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.errors import (
    ConnectionLost,
    InvalidKey,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    RateLimited,
    Refused,
    ServerFailed,
    UnexpectedAnswer,
)
from app.api.events import MessageStart, MessageStop, TextDelta, ToolUse
from app.api.models import Agent, Role, Skill, ToolDefinition
from app.api.refusals import Retry
from app.common.error_messages import ErrorCode
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio

_AT_ONCE = Retry(first_pause_s=0.0)


def client_of(service: FakeService, key: str | None = None) -> ApiClient:
    api_key = service.api_key if key is None else SecretStr(key)
    return ApiClient(service.base_url, api_key, retry=_AT_ONCE)


@pytest.mark.spec("4-key-everywhere", "5-header", "1-project-key", "9-path", "4.4-chat")
async def test_every_request_carries_the_key_and_lies_under_v1() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.holds("c1", ("user", "Hi"))
        service.says("Hello")
        service.says("Hello again")
        await client.list_conversations()
        await client.get_conversation("c1")
        await client.create_conversation()
        await client.list_agents()
        await client.list_skills()
        async with client.chat_stream("c1", "Hi") as reply:
            _ = [event async for event in reply]
        async with client.tool_result("c1", "call-1", "done") as reply:
            _ = [event async for event in reply]
        await client.delete_conversation("c1")
        assert len(service.requests) == 8
        assert {r.header("X-API-Key") for r in service.requests} == {"pk_test_fake"}
        assert all(r.target.startswith("/v1/") for r in service.requests)


@pytest.mark.spec("4.1-list", "4.1-limit", "4.1-offset", "4.1-order", "2.1-summary", "2.4-meta")
async def test_listing_asks_for_a_page_and_reads_rows_and_meta() -> None:
    async with FakeService() as service, client_of(service) as client:
        for number in range(18):
            service.holds(f"c{number}", ("user", "Hi"))
        page = await client.list_conversations(limit=5, offset=10, order="asc")
        assert service.requests[0].target == "/v1/conversations?limit=5&offset=10&order=asc"
        assert [row.id for row in page.data] == ["c10", "c11", "c12", "c13", "c14"]
        assert [row.message_count for row in page.data] == [1] * 5
        assert page.data[0].updated_at is not None
        assert (page.meta.total, page.meta.limit, page.meta.offset) == (18, 5, 10)


@pytest.mark.spec("4.2-get", "2.2-detail", "2.3-message")
async def test_a_conversation_is_read_with_its_messages_in_order() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.holds("c1", ("user", "Hi"), ("assistant", "Hello"))
        detail = await client.get_conversation("c1")
        assert [(m.role, m.content) for m in detail.messages] == [
            (Role.USER, "Hi"),
            (Role.ASSISTANT, "Hello"),
        ]


@pytest.mark.spec("4.3-delete", "4.3-404", "3-delete-is-final")
async def test_a_deleted_conversation_is_gone() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.holds("c1")
        await client.delete_conversation("c1")
        with pytest.raises(NotFound) as caught:
            await client.delete_conversation("c1")
        assert caught.value.reason == ErrorCode.CONVERSATION_GONE


async def test_a_404_after_a_lost_delete_counts_as_deleted() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.cuts("DELETE")
        await client.delete_conversation("c1")
        assert len(service.requests) == 2


@pytest.mark.spec("4.6-agents", "2.5-agent")
async def test_agents_come_as_a_bare_array() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.agents = [
            {
                "name": "files",
                "display_name": "Files",
                "description": "Reads",
                "is_default": True,
                "is_enabled": True,
                "colour": "a later field",
            }
        ]
        assert await client.list_agents() == (
            Agent(name="files", display_name="Files", description="Reads", is_default=True),
        )


@pytest.mark.spec("4.7-skills", "2.6-skill", "9-skill-version")
async def test_skills_come_as_a_bare_array_and_may_lack_an_author() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.skills = [
            {
                "name": "sum",
                "display_name": "Sum",
                "description": "Adds",
                "version": "1.10",
                "author": None,
            }
        ]
        assert await client.list_skills() == (
            Skill(name="sum", display_name="Sum", description="Adds", version="1.10"),
        )


@pytest.mark.spec("4.4-client-tools", "4.4-agent-name", "2.7-tool-definition", "1-wire")
async def test_a_chat_request_declares_tools_and_names_the_agent_only_when_given() -> None:
    tool = ToolDefinition(
        name="read_file",
        description="Reads",
        input_schema={"type": "object", "properties": {"path": {"type": "string"}}},
    )
    async with FakeService() as service, client_of(service) as client:
        service.says("One")
        service.says("Two")
        async with client.chat_stream("c1", "Hi", [tool], "files") as reply:
            _ = [event async for event in reply]
        async with client.chat_stream("c1", "Hi") as reply:
            _ = [event async for event in reply]
        full, bare = service.requests
        assert full.header("Content-Type") == "application/json"
        assert full.json == {
            "conversation_id": "c1",
            "message": "Hi",
            "client_tools": [tool.model_dump()],
            "agent_name": "files",
        }
        assert bare.json == {"conversation_id": "c1", "message": "Hi"}


@pytest.mark.spec("1-sse-reply", "6-message-start", "6-delta", "6-message-stop")
async def test_a_reply_streams_typed_events_until_it_is_complete() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.says("Hel", "lo", agent="files")
        async with client.chat_stream("c1", "Hi") as reply:
            events = [event async for event in reply]
            assert events == [
                MessageStart("message-1", "c1", "files", "Files"),
                TextDelta("Hel"),
                TextDelta("lo"),
                MessageStop(),
            ]
            assert reply.is_complete


@pytest.mark.spec("4.5-tool-result", "4.5-new-stream", "6-tool-use", "2.8-tool-call", "6-emitters")
async def test_a_tool_call_is_answered_and_the_reply_goes_on_in_a_new_stream() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.asks_tool("read_file", {"path": "a.txt"})
        service.says("It says: hello")
        async with client.chat_stream("c1", "Read a.txt") as reply:
            calls = [event async for event in reply if isinstance(event, ToolUse)]
        assert calls == [ToolUse("call-1", "read_file", {"path": "a.txt"})]
        async with client.tool_result("c1", "call-1", "hello") as reply:
            texts = [event.text async for event in reply if isinstance(event, TextDelta)]
        assert texts == ["It says: hello"]
        assert service.requests[1].target == "/v1/tool-result"
        assert service.requests[1].json == {
            "conversation_id": "c1",
            "tool_call_id": "call-1",
            "result": "hello",
        }


@pytest.mark.spec("5-invalid", "7.1-401", "7.2-invalid-api-key", "4.2-401", "4.3-401")
async def test_a_wrong_key_is_distinguished_on_plain_and_streamed_requests() -> None:
    async with FakeService() as service, client_of(service, "pk_test_other") as client:
        with pytest.raises(InvalidKey) as caught:
            await client.get_conversation("c1")
        assert caught.value.code == "invalid_api_key"
        with pytest.raises(InvalidKey):
            await client.delete_conversation("c1")
        with pytest.raises(InvalidKey):
            async with client.chat_stream("c1", "Hi"):
                pass


@pytest.mark.spec("7.2-body", "7.1-400", "7.1-404", "7.1-500", "7.2-conversation-not-found")
@pytest.mark.parametrize(
    ("status", "kind", "delivered"),
    [
        (400, InvalidRequest, False),
        (401, InvalidKey, False),
        (404, NotFound, False),
        (405, MethodNotAllowed, False),
        (500, ServerFailed, True),
        (503, ServerFailed, True),
    ],
)
async def test_an_error_status_becomes_its_error_and_a_post_is_not_sent_again(
    status: int, kind: type[Refused], delivered: bool
) -> None:
    async with FakeService() as service, client_of(service) as client:
        service.fails_with(status, "some_code", "Some words")
        with pytest.raises(kind) as caught:
            async with client.chat_stream("c1", "Hi"):
                pass
        assert (caught.value.status, caught.value.code) == (status, "some_code")
        assert caught.value.message == "Some words"
        assert caught.value.was_maybe_delivered is delivered
        assert len(service.requests) == 1


@pytest.mark.spec("7.1-429", "8-exceeded")
@pytest.mark.parametrize(
    ("told", "read"),
    [
        (None, None),
        ("7", 7),
        ("0", 1),
        ("3600", 120),
        ("9" * 5000, 120),
        ("soon", None),
        ("-3", None),
    ],
)
async def test_a_429_is_left_to_the_caller_with_the_time_it_names(
    told: str | None, read: float | None
) -> None:
    async with FakeService() as service, client_of(service) as client:
        service.fails_with(429, "rate_limited", retry_after=told)
        with pytest.raises(RateLimited) as caught:
            async with client.chat_stream("c1", "Hi"):
                pass
        assert caught.value.retry_after_s == read
        assert not caught.value.was_maybe_delivered


async def test_limit_of_a_day_is_told_at_once() -> None:
    sentence = "This project has used what it may use in a day."
    async with FakeService() as service, client_of(service) as client:
        service.fails_with(429, "ceiling_reached", sentence, retry_after=25_610)
        with pytest.raises(Refused) as caught:
            async with client.chat_stream("c1", "Hi"):
                pass
        assert not isinstance(caught.value, RateLimited)
        assert caught.value.message == sentence
        assert not caught.value.was_maybe_delivered
        # Everything else goes on.
        await client.list_agents()


async def test_fork_whose_answer_was_lost_is_asked_for_again_with_the_same_id() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        service.cuts("POST")
        fork = await client.fork_conversation("f1", "c1", "c1-0")
        asked = [request.json for request in service.requests]
        assert asked == [{"fork_id": "f1", "from": "c1", "through": "c1-0"}] * 2
        assert [message.content for message in fork.messages] == ["One"]


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_get_is_tried_three_times_when_a_gateway_fails(status: int) -> None:
    async with FakeService() as service, client_of(service) as client:
        service.fails_with(status, method="GET")
        service.fails_with(status, method="GET")
        assert await client.list_agents() == ()
        for _ in range(3):
            service.fails_with(status, method="GET")
        with pytest.raises(ServerFailed):
            await client.list_agents()


async def test_a_post_that_may_have_arrived_is_never_sent_again() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.cuts()
        with pytest.raises(ConnectionLost) as caught:
            async with client.chat_stream("c1", "Hi"):
                pass
        assert caught.value.was_maybe_delivered
        assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, {"Content-Type": "text/html"}, b"<html>hello</html>"),
        (200, {}, b'{"data": "no array"}'),
        (200, {}, b""),
        (204, {}, b""),
        (200, {}, b'[{"display_name": "no name"}]'),
        (200, {"Content-Encoding": "gzip"}, b"[]"),
    ],
)
async def test_an_answer_that_is_not_the_interface_is_an_unexpected_answer(
    status: int, headers: dict[str, str], body: bytes
) -> None:
    async with FakeService() as service, client_of(service) as client:
        service.answers(status, body, headers=headers)
        with pytest.raises(UnexpectedAnswer):
            await client.list_agents()


async def test_a_200_that_is_no_stream_is_an_unexpected_answer() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.answers(200, b'{"ok": true}', method="STREAM")
        with pytest.raises(UnexpectedAnswer):
            async with client.chat_stream("c1", "Hi"):
                pass


async def test_a_failure_with_a_long_page_is_still_that_failure() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.answers(500, b"<html>" + b"x" * 200_000, method="STREAM")
        with pytest.raises(ServerFailed):
            async with client.chat_stream("c1", "Hi"):
                pass


async def test_a_service_that_does_not_create_conversations_is_distinguished() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.fails_with(405, method="POST")
        with pytest.raises(MethodNotAllowed) as caught:
            await client.create_conversation()
        assert caught.value.reason == ErrorCode.CREATE_UNSUPPORTED


_LISTED = {
    "id": "openai:big",
    "display_name": "Big",
    "provider": "OpenAI",
    "is_default": True,
    "context_window": 128_000,
    "input": ["text", "image"],
    "has_tools": True,
    "has_thinking": False,
    "price": {"input": 0.15, "output": 0.6, "cached": None},
    "state": "unavailable",
    "reason": "Its server does not answer.",
    "more": "of a later version",
}


async def test_models_are_listed_and_one_is_sent_where_the_service_announced_them() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.models = [_LISTED]
        service.holds("c1")
        service.says("Hello")
        await client.list_agents()
        (model,) = await client.list_models()
        async with client.chat_stream("c1", "Hi", model=model.id) as reply:
            _ = [event async for event in reply]

        assert client.offers_models
        assert (model.display_name, model.context_window, model.is_default) == (
            "Big",
            128_000,
            True,
        )
        assert model.price is not None
        assert (model.price.input, model.price.output, model.price.cached) == (0.15, 0.6, None)
        assert (model.state, model.reason) == ("unavailable", "Its server does not answer.")
        assert service.requests[-1].json["model"] == "openai:big"
        service.says("Hello")
        async with client.chat_stream("c1", "Hi", model="") as reply:
            _ = [event async for event in reply]
        assert service.requests[-1].json["model"] is None


async def test_nothing_more_is_sent_to_a_service_that_announced_nothing() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.holds("c1")
        service.says("Hello")
        await client.list_agents()
        async with client.chat_stream("c1", "Hi", model="openai:big") as reply:
            _ = [event async for event in reply]

        assert not client.offers_models
        assert set(service.requests[-1].json) == {"conversation_id", "message"}


@pytest.mark.parametrize("odd", [-1, "many", None, True, 1e308, float("inf"), [1]])
async def test_odd_numbers_of_a_model_are_not_known(odd: object) -> None:
    async with FakeService() as service, client_of(service) as client:
        price = {"input": odd, "output": odd, "cached": odd}
        service.models = [{"id": "m", "context_window": odd, "price": price}]
        await client.list_agents()
        (model,) = await client.list_models()

    assert model.price is not None
    assert (model.price.input, model.price.output, model.price.cached) == (None, None, None)
    assert model.context_window is None or model.context_window > 0


async def test_no_more_models_are_read_than_a_list_can_show() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.models = [{"id": f"m{number}"} for number in range(6000)]
        await client.list_agents()
        assert len(await client.list_models()) == 5000


async def test_unknown_model_error_is_explained_with_a_sentence() -> None:
    async with FakeService() as service, client_of(service) as client:
        service.models = [_LISTED]
        service.holds("c1")
        service.fails_with(400, "unknown_model")
        await client.list_agents()
        with pytest.raises(InvalidRequest) as raised:
            async with client.chat_stream("c1", "Hi", model="gone"):
                pytest.fail("it was answered")

    assert raised.value.reason is ErrorCode.UNKNOWN_MODEL
