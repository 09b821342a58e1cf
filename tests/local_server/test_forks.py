"""The extension `fork`: a copy of a conversation, or one that begins with a text, made once."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from local_server.store.opening import StoreAddress
from tests.support.event_streams import first_of, text_of
from tests.support.fake_models import FakeOpenAi, models_of
from tests.support.own_service import READ_FILE, OwnService, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("postgres_server")]

_ASK = '/tool read_file {"path": "a.txt"}'
_NOON = "2026-01-31T12:00:00Z"


@pytest.fixture
async def service(tmp_path: Path, store_address: StoreAddress) -> AsyncIterator[OwnService]:
    async with own_service(tmp_path, where=store_address) as running:
        yield running


async def _ask_to_make(service: OwnService, **body: Any) -> httpx.Response:
    return await service.client.post("/v1/conversations", json=body)


async def _fork(service: OwnService, source: str, through: str | None, fork_id: str = "f") -> str:
    answer = await _ask_to_make(service, **{"fork_id": fork_id, "from": source, "through": through})
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["data"]["id"]
    return made


def _words(messages: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(row["role"], row["content"], row["created_at"]) for row in messages]


def _given(*contents: str, role: str = "user") -> list[dict[str, str]]:
    return [{"role": role, "content": content, "created_at": _NOON} for content in contents]


def _code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_fork_is_announced(service: OwnService) -> None:
    agents = await service.client.get("/v1/agents")
    assert agents.headers["Parley-Extensions"] == "usage, thinking, fork, attachments"


async def test_copy_ends_with_the_message_and_shares_no_id_with_the_original(
    service: OwnService,
) -> None:
    chat = await service.create()
    for question in ("One", "Two"):
        await service.chat(chat, question)
    before = await service.messages(chat)

    fork = await _fork(service, chat, before[2]["id"])
    copied = await service.messages(fork)

    assert _words(copied) == _words(before[:3])
    assert not {row["id"] for row in copied} & {row["id"] for row in before}
    assert await service.messages(chat) == before
    page = (await service.client.get("/v1/conversations")).json()
    assert page["meta"]["total"] == 2
    assert {row["id"]: row["message_count"] for row in page["data"]} == {chat: 4, fork: 3}


async def test_fork_without_messages_is_empty_and_independent(service: OwnService) -> None:
    chat = await service.create()
    await service.chat(chat, "One")

    fork = await _fork(service, chat, None)
    assert await service.messages(fork) == []
    await service.chat(fork, "Another one")

    assert (await service.messages(chat))[0]["content"] == "One"
    assert (await service.client.delete(f"/v1/conversations/{chat}")).status_code == 204
    assert (await service.messages(fork))[0]["content"] == "Another one"


async def test_same_fork_id_gives_the_same_conversation_again_even_without_its_origin(
    service: OwnService,
) -> None:
    chat = await service.create()
    await service.chat(chat, "One")
    [question, _] = await service.messages(chat)

    at_once = await asyncio.gather(*(_fork(service, chat, question["id"]) for _ in range(8)))
    other = await _fork(service, chat, question["id"], "g")
    await service.client.delete(f"/v1/conversations/{chat}")
    again = await _fork(service, chat, question["id"])

    assert {*at_once, again} == {at_once[0]}
    assert other != again
    assert len(await service.messages(again)) == 1


async def test_text_is_taken_once_however_often_it_is_sent(service: OwnService) -> None:
    body = {"fork_id": "text", "messages": _given("Hello", "\0 💬")}
    answers = await asyncio.gather(*(_ask_to_make(service, **body) for _ in range(4)))
    made = {answer.json()["data"]["id"] for answer in answers}
    assert len(made) == 1
    messages = await service.messages(made.pop())
    assert _words(messages) == [("user", "Hello", _NOON), ("user", "\0 💬", _NOON)]


@pytest.mark.parametrize(("project", "mode"), [("other", "live"), ("tests", "test")])
async def test_conversations_of_others_are_not_there(
    service: OwnService, project: str, mode: Any
) -> None:
    chat = await service.create()
    await _fork(service, chat, None)
    await service.add_key("pk_of_another", project, mode)
    async with new_client(service.base_url, "pk_of_another") as another:
        body = {"fork_id": "f", "from": chat, "through": None}
        answer = await another.post("/v1/conversations", json=body)
        taken = await another.post("/v1/conversations", json={"fork_id": "f", "messages": []})
    assert _code(answer) == (404, "conversation_not_found")
    assert taken.status_code == 201
    assert taken.json()["data"]["id"] != await _fork(service, chat, None)


async def test_message_of_another_conversation_is_not_found(service: OwnService) -> None:
    chat, other = await service.create(), await service.create()
    await service.chat(other, "One")
    through = (await service.messages(other))[0]["id"]
    answer = await _ask_to_make(service, **{"fork_id": "f", "from": chat, "through": through})
    assert _code(answer) == (404, "message_not_found")
    page = (await service.client.get("/v1/conversations")).json()
    assert page["meta"]["total"] == 2


async def test_conversation_in_which_a_reply_is_written_is_busy(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("One ", pause, "two."))
    async with own_service(tmp_path, assistant=assistant, release_wait_s=0.05) as service:
        chat = await service.create()
        reply = asyncio.create_task(service.chat(chat, "Hi"))
        await pause.is_reached.wait()
        body = {"fork_id": "f", "from": chat, "through": None}
        busy = await _ask_to_make(service, **body)
        pause.is_over.set()
        await reply
        free = await _ask_to_make(service, **body)
    assert _code(busy) == (409, "conversation_busy")
    assert free.status_code == 201


@asynccontextmanager
async def _with_model(tmp_path: Path) -> AsyncIterator[tuple[OwnService, FakeOpenAi]]:
    async with (
        FakeOpenAi() as openai,
        models_of(f"openai:small@{openai.base_url}/v1", window=32_000) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service, openai


async def test_copy_knows_what_tools_returned_and_which_calls_nobody_answered(
    tmp_path: Path,
) -> None:
    tools: dict[str, Any] = {"agent_name": "assistant", "client_tools": [READ_FILE]}
    async with _with_model(tmp_path) as (service, openai):
        chat = await service.create()
        openai.calls(("read_file", '{"path": "a.txt"}'))
        openai.says("Read it.")
        first = await service.chat(chat, "Read a.txt", **tools)
        await service.give_result(chat, first_of(first, "tool_use")["id"], "forty-two")
        openai.calls(("read_file", '{"path": "b.txt"}'))
        second = await service.chat(chat, "Read b.txt", **tools)
        through = (await service.messages(chat))[-1]["id"]

        fork = await _fork(service, chat, through)
        openai.says("In the copy.")
        await service.chat(fork, "And now?", **tools)
        asked_there = openai.asked[-1]["messages"]
        openai.says("In the original.")
        call_id = first_of(second, "tool_use")["id"]
        foreign = await service.post_result(fork, call_id, "late")
        ended = await service.give_result(chat, call_id, "forty-three")

    results = [row["content"] for row in asked_there if row["role"] == "tool"]
    assert results[0] == "forty-two"
    assert len(results) == 2
    assert "forty-three" not in json.dumps(asked_there)
    assert _code(foreign) == (404, "tool_call_not_found")
    assert text_of(ended) == "In the original."


async def test_ten_thousand_messages_begin_a_conversation_and_one_more_does_not(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        many = _given(*("words" for _ in range(10_000)))
        made = await _ask_to_make(service, fork_id="many", messages=many)
        page = (await service.client.get("/v1/conversations")).json()
        one_more = await _ask_to_make(service, fork_id="more", messages=[*many, *_given("x")])
        huge = await _ask_to_make(service, fork_id="huge", messages=_given("x" * 2**23))
    assert made.status_code == 201
    assert page["data"][0]["message_count"] == 10_000
    assert _code(one_more) == (400, "invalid_request")
    assert _code(huge) == (413, "body_too_large")


@pytest.mark.parametrize(
    "body",
    [
        {"fork_id": "f"},
        {"from": "conv_1", "through": None},
        {"messages": []},
        {"fork_id": "f", "from": "conv_1"},
        {"fork_id": "f", "from": "conv_1", "through": None, "messages": []},
        {"fork_id": "", "messages": []},
        {"fork_id": "x" * 65, "messages": []},
        {"fork_id": "a b", "messages": []},
        {"fork_id": 7, "messages": []},
        {"fork_id": "f", "from": "conv_1", "through": 7},
        {"fork_id": "f", "messages": [{"role": "user", "content": "no time"}]},
        {"fork_id": "f", "messages": [{"role": "tool", "content": "", "created_at": _NOON}]},
        {"fork_id": "f", "messages": [{"role": "user", "content": "", "created_at": 0}]},
        {"fork_id": "f", "messages": [{"role": "user", "content": "", "created_at": "noon"}]},
        {
            "fork_id": "f",
            "messages": [{"role": "user", "content": "", "created_at": "2026-01-31T12:00:00"}],
        },
        {
            "fork_id": "f",
            "messages": [{"role": "user", "content": "", "created_at": "0001-01-01T00:00+05:00"}],
        },
        [],
    ],
)
async def test_undescribed_fields_of_a_fork_are_refused_and_nothing_is_created(
    tmp_path: Path, body: Any
) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.post("/v1/conversations", json=body)
        page = (await service.client.get("/v1/conversations")).json()
    assert _code(answer) == (400, "invalid_request")
    assert page["meta"]["total"] == 0


async def test_request_without_a_fork_id_makes_an_empty_conversation_as_before(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        answers = [
            await service.client.post("/v1/conversations"),
            await service.client.post("/v1/conversations", json={}),
            await service.client.post("/v1/conversations", json={"title": "nobody knows it"}),
        ]
        made = {answer.json()["data"]["id"] for answer in answers}
    assert [answer.status_code for answer in answers] == [201] * 3
    assert len(made) == 3
