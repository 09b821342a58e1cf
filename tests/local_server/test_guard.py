"""Who is not even asked for a key: strangers to our name, and web pages."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from tests.support.event_streams import read_whole_stream, text_of
from tests.support.own_service import KEY, new_client, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio


async def _ask(port: int, *headers: str) -> tuple[int, str]:
    """Send a request of exactly these header lines; get the status and the body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = ("GET /v1/agents HTTP/1.1", *headers, "Connection: close", "", "")
    writer.write("\r\n".join(lines).encode("latin-1"))
    async with asyncio.timeout(5):
        answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return int(answer.split()[1]), answer.partition("\r\n\r\n")[2]


@pytest.mark.security(51)
async def test_only_our_own_name_is_answered(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        port = int(service.base_url.rpartition(":")[2])
        key = f"X-API-Key: {KEY}"
        for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
            status, _ = await _ask(port, f"Host: {host}", key)
            assert status == 200, host
        foreign = [
            "",
            "127.0.0.1",
            "localhost",
            f"127.0.0.1:{port + 1}",
            f"LOCALHOST:{port}",
            f"localhost.:{port}",
            f"localhost.evil.example:{port}",
            f"parley.local:{port}",
            f"192.168.0.2:{port}",
            f"[::1]:{port}",
            f"2130706433:{port}",
            f"user@localhost:{port}",
            f"localhost:{port}, localhost:{port}",
        ]
        requests: list[tuple[str, ...]] = [(f"Host: {host}", key) for host in foreign]
        requests.append((f"Host: localhost:{port}", f"Host: localhost:{port}", key))
        requests.append((key,))
        for lines in requests:
            status, body = await _ask(port, *lines)
            assert status == 400, lines
            assert '"bad_host"' in body


@pytest.mark.security(51)
async def test_web_pages_are_refused_whatever_their_origin_and_key(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        port = int(service.base_url.rpartition(":")[2])
        host = f"Host: localhost:{port}"
        for origin in ("https://evil.example", "null", "", f"http://localhost:{port}", "file://"):
            for key in (f"X-API-Key: {KEY}", "X-API-Key: wrong"):
                status, body = await _ask(port, host, f"Origin: {origin}", key)
                assert status == 403, origin
                assert '"origin_refused"' in body
        answer = await service.client.options("/v1/agents")
    assert not [name for name in answer.headers if name.startswith("access-control")]


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
            async with asyncio.timeout(5):
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
