"""Which model servers are found: those that say who they are, and no others."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from local_server.discovery import Found, find_model_servers, report

pytestmark = pytest.mark.anyio

_NOBODY = "http://127.0.0.1:1"


@asynccontextmanager
async def _server(bodies: Mapping[str, object]) -> AsyncIterator[str]:
    """Answer GETs with JSON by path, and everything else with 404."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert "key" not in head.lower().replace("keep-alive", "")
        path = head.split()[1]
        body = json.dumps(bodies[path]).encode() if path in bodies else b""
        status = "200 OK" if path in bodies else "404 Not Found"
        lines = (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", "", "")
        writer.write("\r\n".join(lines).encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_servers_that_say_who_they_are_are_found_with_their_models() -> None:
    ollama = {
        "/api/version": {"version": "0.1"},
        "/api/tags": {"models": [{"name": "small:1b"}, {"name": "large:9b"}, {"x": 1}, 5]},
    }
    lm_studio = {"/api/v1/models": {"models": [{"key": "qwen"}]}}
    async with _server(ollama) as first, _server(lm_studio) as second:
        found = await find_model_servers(first, second)
    assert found == (Found("ollama", ("large:9b", "small:1b")), Found("lm-studio", ("qwen",)))


async def test_strangers_on_the_ports_and_nobody_are_not_found() -> None:
    odd = {"/api/version": ["0.1"], "/api/v1/models": {"data": []}}
    async with _server(odd) as stranger:
        assert await find_model_servers(stranger, stranger) == ()
    assert await find_model_servers(_NOBODY, _NOBODY) == ()


async def test_only_what_can_answer_can_be_chosen() -> None:
    assert report((Found("ollama", ("small:1b",)),)) == {
        "models": [{"id": "offline", "provider": "offline", "name": "Built-in assistant"}],
        "found": [{"provider": "ollama", "models": ["small:1b"], "usable": False}],
    }
