"""Two services on one database and one Redis: whichever is asked, the answer is the same."""

import asyncio
import signal
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from tests.support.deployment import (
    Deployment,
    Service,
    chat,
    create,
    ended,
    messages,
    ready,
)
from tests.support.event_streams import Event, first_of, read_whole_stream, text_of, types_of
from tests.support.own_service import read_until
from tests.support.postgres import RunningPostgres
from tests.support.redis import RunningRedis

pytestmark = pytest.mark.anyio

_ENDS_IN_S = 20


@dataclass(frozen=True)
class Pair:
    """Two services, the first of which takes a quarter of a minute, and what they share."""

    shared: Deployment
    slow: Service
    quick: Service


@pytest.fixture(scope="module")
def shared(
    postgres_server: RunningPostgres,
    redis_server: RunningRedis,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("shared")
    with postgres_server.fresh_database() as database:
        yield Deployment(database, redis_server, folder)


@pytest.fixture(scope="module")
def pair(shared: Deployment) -> Iterator[Pair]:
    # At the same moment, on an empty database: only one of them may migrate.
    first, second = shared.start("--pace-ms", "100"), shared.start("--pace-ms", "0")
    with ended(first, second):
        yield Pair(shared, ready(first), ready(second))


async def test_services_that_start_at_once_on_an_empty_database_make_it_once(pair: Pair) -> None:
    assert pair.shared.database.run("SELECT count(*) FROM schema_version") == "1"


async def test_conversation_made_in_one_service_is_everywhere(pair: Pair) -> None:
    made = await pair.shared.make_key("everywhere")
    async with pair.slow.client(made.key) as here, pair.quick.client(made.key) as there:
        conversation_id = await create(there)
        await chat(there, conversation_id, "/tool")
        listed = (await here.get("/v1/conversations")).json()
        said = await messages(here, conversation_id)
        gone = await here.delete(f"/v1/conversations/{conversation_id}")
        after = (await there.get("/v1/conversations")).json()
    assert [row["id"] for row in listed["data"]] == [conversation_id]
    assert listed["data"][0]["message_count"] == len(said) == 2
    assert (gone.status_code, after["meta"]["total"]) == (204, 0)


async def _chat_when_free(
    client: httpx.AsyncClient, conversation_id: str, message: str
) -> list[Event]:
    """Send again, where a client has left whose service may still store what it wrote."""
    body = {"conversation_id": conversation_id, "message": message}
    async with asyncio.timeout(_ENDS_IN_S):
        while (answer := await client.post("/v1/chat/stream", json=body)).status_code == 409:
            pass
    assert answer.status_code == 200, answer.text
    return read_whole_stream(answer.content)


@pytest.mark.spec("8-exceeded", "8-enterprise")
async def test_limit_of_a_key_holds_over_all_services_exactly(pair: Pair) -> None:
    made = await pair.shared.make_key("limited", per_minute=25)
    async with pair.slow.client(made.key) as here, pair.quick.client(made.key) as there:
        asked = [client.get("/v1/skills") for client in (here, there) for _ in range(20)]
        statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
        refused = await here.get("/v1/skills")
    assert (statuses.count(200), statuses.count(429)) == (25, 15)
    assert refused.json()["error"]["code"] == "rate_limited"
    assert 1 <= int(refused.headers["retry-after"]) <= 60


async def test_conversation_in_which_one_service_writes_is_busy_in_the_other(pair: Pair) -> None:
    made = await pair.shared.make_key("busy")
    async with pair.slow.client(made.key) as here, pair.quick.client(made.key) as there:
        conversation_id = await create(here)
        body = {"conversation_id": conversation_id, "message": "Hello"}
        async with here.stream("POST", "/v1/chat/stream", json=body) as answer:
            lines = answer.aiter_lines()
            await read_until(lines, "text_delta")
            refused = await there.post("/v1/chat/stream", json=body)
        events = await _chat_when_free(there, conversation_id, "Hello again")
        said = await messages(here, conversation_id)
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "conversation_busy"
    assert types_of(events)[-1] == "message_stop"
    assert [said[0], said[2]] == ["Hello", "Hello again"]
    assert len(said) == 4


async def test_tool_call_of_one_service_is_answered_by_the_other(pair: Pair) -> None:
    made = await pair.shared.make_key("tools")
    async with pair.quick.client(made.key) as here, pair.slow.client(made.key) as there:
        conversation_id = await create(here)
        asked = await chat(here, conversation_id, '/tool read_file {"path": "notes.md"}')
        call = first_of(asked, "tool_use")
        result = {"conversation_id": conversation_id, "tool_call_id": call["id"]}
        told = {**result, "result": "Buy milk."}
        both = await asyncio.gather(
            *(client.post("/v1/tool-result", json=told) for client in (here, there))
        )
        again = await here.post("/v1/tool-result", json=told)
        other = await there.post("/v1/tool-result", json={**result, "result": "Buy bread."})
        said = await messages(there, conversation_id)
    assert sorted(answer.status_code for answer in both) in ([200, 200], [200, 409])
    assert (again.status_code, other.status_code) == (200, 409)
    assert other.json()["error"]["code"] == "tool_result_conflict"
    assert len(said) == 2


async def test_revoked_key_is_refused_by_all_services(pair: Pair) -> None:
    made = await pair.shared.make_key("revoked")
    async with pair.slow.client(made.key) as here, pair.quick.client(made.key) as there:
        before = [(await client.get("/v1/agents")).status_code for client in (here, there)]
        await pair.shared.revoke(made)
        after = [(await client.get("/v1/agents")).status_code for client in (here, there)]
    assert (before, after) == ([200, 200], [401, 401])


@pytest.mark.spec("5-live-and-test")
async def test_live_and_test_data_are_apart_in_all_services(pair: Pair) -> None:
    live = await pair.shared.make_key("apart", "live")
    test = await pair.shared.make_key("apart", "test")
    async with pair.slow.client(live.key) as here, pair.quick.client(test.key) as there:
        conversation_id = await create(here)
        read = await there.get(f"/v1/conversations/{conversation_id}")
        listed = (await there.get("/v1/conversations")).json()
    assert (read.status_code, listed["meta"]["total"]) == (404, 0)


async def _until_two_are_saved(client: httpx.AsyncClient, conversation_id: str) -> None:
    async with asyncio.timeout(20):
        while len(await messages(client, conversation_id)) < 2:
            pass


async def test_killed_service_leaves_what_it_saved_and_frees_the_conversation(pair: Pair) -> None:
    made = await pair.shared.make_key("killed")
    with pair.shared.service("--pace-ms", "100") as dying:
        async with dying.client(made.key) as here, pair.quick.client(made.key) as there:
            conversation_id = await create(here)
            body = {"conversation_id": conversation_id, "message": "Hello"}
            async with here.stream("POST", "/v1/chat/stream", json=body) as answer:
                lines = answer.aiter_lines()
                await read_until(lines, "text_delta")
                await _until_two_are_saved(there, conversation_id)
                dying.process.kill()
                with pytest.raises(httpx.HTTPError):
                    await read_until(lines, "never")
            left_s = pair.shared.redis.seconds_left("parley:turn:*")
            pair.shared.redis.let_keys_last("parley:turn:*")
            busy = await there.post("/v1/chat/stream", json=body)
            pair.shared.redis.let_time_pass_for("parley:turn:*")
            saved = await messages(there, conversation_id)
            events = await chat(there, conversation_id, "Hello again")
            said = await messages(there, conversation_id)
    assert busy.status_code == 409
    assert len(left_s) == 1
    assert 0 <= left_s[0] <= 6
    assert saved[0] == "Hello"
    assert saved[1].startswith("Hello! ")
    assert types_of(events)[-1] == "message_stop"
    assert said[:2] == saved
    assert len(said) == 4


async def test_service_that_is_asked_to_end_finishes_its_streams_first(pair: Pair) -> None:
    made = await pair.shared.make_key("ending")
    with pair.shared.service("--pace-ms", "10") as ending:
        async with ending.client(made.key) as here, pair.quick.client(made.key) as there:
            conversation_id = await create(here)
            body = {"conversation_id": conversation_id, "message": "Hello"}
            async with here.stream("POST", "/v1/chat/stream", json=body) as answer:
                lines = answer.aiter_lines()
                await read_until(lines, "text_delta")
                ending.process.send_signal(signal.SIGTERM)
                await read_until(lines, "message_stop")
            events = await chat(there, conversation_id, "Hello again")
            said = await messages(there, conversation_id)
        assert await asyncio.to_thread(ending.process.wait, _ENDS_IN_S) == 0
    assert types_of(events)[-1] == "message_stop"
    assert text_of(events) == said[3]
    assert len(said) == 4


async def test_lost_redis_is_explained_and_forgotten_when_it_is_back(pair: Pair) -> None:
    made = await pair.shared.make_key("redis")
    async with pair.quick.client(made.key) as client:
        conversation_id = await create(client)
        pair.shared.redis.lose()
        try:
            refused = await client.get("/v1/agents")
            ready_now, alive = await client.get("/readyz"), await client.get("/healthz")
        finally:
            pair.shared.redis.bring_back()
        events = await chat(client, conversation_id, "Hello")
        ready_again = await client.get("/readyz")
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "unavailable"
    assert refused.headers["retry-after"]
    assert (ready_now.status_code, alive.status_code, ready_again.status_code) == (503, 200, 200)
    assert types_of(events)[-1] == "message_stop"


async def test_lost_database_is_reported_with_a_sentence_until_it_is_back(pair: Pair) -> None:
    made = await pair.shared.make_key("database")
    async with pair.slow.client(made.key) as client:
        conversation_id = await create(client)
        body = {"conversation_id": conversation_id, "message": "Hello"}
        async with client.stream("POST", "/v1/chat/stream", json=body) as answer:
            lines = answer.aiter_lines()
            await read_until(lines, "text_delta")
            pair.shared.database.lose()
            try:
                refused = await client.get("/v1/agents")
                ready_now = await client.get("/readyz")
                told = await read_until(lines, "event: error")
            finally:
                pair.shared.database.bring_back()
        events = await chat(client, conversation_id, "Thanks")
        said = await messages(client, conversation_id)
    assert (refused.status_code, ready_now.status_code) == (503, 503)
    assert refused.json()["error"]["message"].endswith(".")
    assert told
    assert types_of(events)[-1] == "message_stop"
    assert [said[0], said[-2]] == ["Hello", "Thanks"]
