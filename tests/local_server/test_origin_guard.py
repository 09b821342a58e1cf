"""Who is not even asked for a key: strangers to our name, and web pages."""

import asyncio
import contextlib
from itertools import product
from pathlib import Path

import pytest

from tests.support.event_streams import read_whole_stream, text_of
from tests.support.own_service import KEY, new_client, own_service
from tests.support.raw_http import raw_connection
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio


# Each is right in the one cell that is: our own name, no origin, a key.
_ROUTES = (
    ("GET /v1/conversations", 200),
    ("POST /v1/conversations", 201),
    ("GET /v1/conversations/{id}", 200),
    ("GET /v1/agents", 200),
    ("GET /v1/skills", 200),
    ("GET /openapi.json", 200),
    ("DELETE /v1/conversations/{id}", 204),
)
_FOREIGN: tuple[tuple[str, ...], ...] = (
    (),
    ("",),
    ("127.0.0.1",),
    ("127.0.0.1:{wrong}",),
    ("LOCALHOST:{port}",),
    ("localhost.:{port}",),
    ("localhost.evil.example:{port}",),
    ("parley.local:{port}",),
    ("parley.internal:{port}",),
    ("192.168.0.2:{port}",),
    ("[::1]:{port}",),
    ("2130706433:{port}",),
    ("user@localhost:{port}",),
    ("localhost:{port}", "localhost:{port}"),
    ("localhost:{port}, localhost:{port}",),
)
_ORIGINS = (
    "https://evil.example",
    "http://localhost:{port}",
    "http://127.0.0.1:{port}",
    "null",
    "",
    "file://",
    "chrome-extension://abcdef",
)


def _expected(hosts: tuple[str, ...], origin: str | None, key: str | None, right: int) -> int:
    if hosts in _FOREIGN:
        return 400
    if origin is not None:
        return 403
    return right if key == KEY else 401


@pytest.mark.security(51)
async def test_only_our_own_name_no_origin_and_a_key_are_let_in(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service, raw_connection(service.base_url) as raw:
        port = int(service.base_url.rpartition(":")[2])
        conversation_id = await service.create()
        ours = (("localhost:{port}",), ("127.0.0.1:{port}",))
        cells = product((*_FOREIGN, *ours), (*_ORIGINS, None), (None, "wrong", KEY), _ROUTES)
        for hosts, origin, key, (operation, right) in cells:
            lines = [operation.format(id=conversation_id) + " HTTP/1.1"]
            lines += [f"Host: {host.format(port=port, wrong=port + 1)}" for host in hosts]
            lines += [f"Origin: {origin.format(port=port)}"] if origin is not None else []
            lines += [f"X-API-Key: {key}"] if key is not None else []
            raw.write("\r\n".join((*lines, "", "")).encode())
            answer = await raw.answer()
            assert answer.status == _expected(hosts, origin, key, right), lines
            assert not [name for name in answer.headers if name.startswith("access-control")]
            if operation.startswith("DELETE") and answer.status == 204:
                conversation_id = await service.create()


@pytest.mark.spec("7.2-body")
async def test_crowd_is_refused_in_the_shape_of_every_error_our_choice(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant((pause, "Done."), ("Again.",))
    async with own_service(tmp_path, assistant=assistant, max_connections=2) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as first:
            await pause.is_reached.wait()
            refused = await service.client.get("/v1/agents")
            stranger = await service.client.get("/v1/agents", headers={"X-API-Key": "wrong"})
            pause.is_over.set()
            await first.aread()
        after = await service.chat(conversation_id, "And?")
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "overloaded"
    assert refused.headers["retry-after"] == "1"
    assert stranger.status_code == 401
    assert text_of(after) == "Again."


@pytest.mark.security(54)
async def test_strangers_take_no_place_from_those_with_a_key(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("Begun. ", pause, "Done."))
    async with own_service(tmp_path, assistant=assistant, max_connections=20) as service:
        port = service.base_url.rpartition(":")[2]
        body = {"conversation_id": await service.create(), "message": "Go"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as stream:
            await pause.is_reached.wait()
            strangers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(150)]
            async with new_client(service.base_url) as newcomer:
                answers = [await newcomer.get("/v1/agents") for _ in range(2)]
            first_reader, _ = strangers[0]
            async with asyncio.timeout(20):
                with contextlib.suppress(ConnectionError):
                    assert await first_reader.read() == b""
            pause.is_over.set()
            events = read_whole_stream(await stream.aread())
        for _, writer in strangers:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
    assert [answer.status_code for answer in answers] == [200, 200]
    assert text_of(events) == "Begun. Done."


@pytest.mark.security(54)
async def test_those_who_left_before_their_key_was_looked_up_keep_no_place(tmp_path: Path) -> None:
    async with own_service(tmp_path, max_connections=8) as service:
        for _ in range(20):
            async with raw_connection(service.base_url) as leaving:
                leaving.write(leaving.head("GET /v1/agents HTTP/1.1"))
        async with asyncio.timeout(20):
            while service.connections() > 1:
                await service.client.get("/healthz")
        answers = [await service.client.get("/v1/agents") for _ in range(20)]
    assert {answer.status_code for answer in answers} == {200}
