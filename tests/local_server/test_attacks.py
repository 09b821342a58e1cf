"""Clients that mean harm: each is ended, and others are served meanwhile (row 54)."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from local_server.settings import ConnectionTimeouts
from tests.support.own_service import KEY, OwnService, own_service
from tests.support.raw_http import RawConnection, raw_connection
from tests.support.scripted_assistant import ScriptedAssistant

pytestmark = [pytest.mark.anyio, pytest.mark.security(54)]

_LONG_S = 60
_PATIENT = ConnectionTimeouts(_LONG_S, _LONG_S, _LONG_S)
# Each of these is short for what it is about alone: nobody else is ever late.
_SHORT_HEAD = ConnectionTimeouts(0.3, _LONG_S, _LONG_S)
_SHORT_BODY = ConnectionTimeouts(_LONG_S, 0.8, _LONG_S)
# Long enough for somebody in earnest whom the machine holds up.
_FAIR_BODY = ConnectionTimeouts(_LONG_S, 2.0, _LONG_S)
_SHORT_READER = ConnectionTimeouts(_LONG_S, _LONG_S, 0.3)
_JSON = "Content-Type: application/json"
_ASK = "GET /v1/agents HTTP/1.1"
_MUCH = b"x" * 1024 * 1024


@dataclass(frozen=True)
class _Attacked:
    """A service, an attacker, and somebody else who asked before."""

    service: OwnService
    attacker: RawConnection
    other: RawConnection

    async def serves_others(self) -> None:
        self.other.write(self.other.head(_ASK))
        assert (await self.other.answer()).status == 200

    async def until_attacker_is_gone(self) -> None:
        """Serve others until no connection is left but theirs, and that of the service's client."""
        async with asyncio.timeout(20):
            while self.service.connections() > 2:
                await self.serves_others()


@asynccontextmanager
async def _attacked(
    tmp_path: Path,
    *begin: str,
    timeouts: ConnectionTimeouts = _PATIENT,
    assistant: ScriptedAssistant | None = None,
) -> AsyncIterator[_Attacked]:
    """Serve; the attacker has begun with the head of a request, where there are lines of one."""
    async with (
        own_service(tmp_path, assistant=assistant, timeouts=timeouts) as service,
        raw_connection(service.base_url, _ASK) as other,
        raw_connection(service.base_url, *begin) as attacker,
    ):
        assert (await other.answer()).status == 200
        attacked = _Attacked(service, attacker, other)
        yield attacked
        await attacked.serves_others()


async def _drip(attacked: _Attacked, data: bytes) -> bytes:
    """Send a byte after each request of somebody else, until the attacker is cut off."""
    ended = asyncio.create_task(attacked.attacker.rest())
    for place in range(100_000):
        if ended.done():
            break
        with contextlib.suppress(ConnectionError):
            attacked.attacker.write(data[place % len(data) :][:1])
        await attacked.serves_others()
    return await ended


def _error(answer: bytes) -> str:
    """Return the code of the one answer that there is, which has to be a 400."""
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
    assert len(re.findall(rb"HTTP/1\.1 \d{3} ", answer)) == 1
    code: str = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"]
    return code


async def test_head_that_comes_byte_by_byte_is_cut_off(tmp_path: Path) -> None:
    async with _attacked(tmp_path, timeouts=_SHORT_HEAD) as attacked:
        # One header without an end: many short ones are refused for their number on a fast machine.
        attacked.attacker.write(b"GET /v1/agents HTTP/1.1\r\na: ")
        assert await _drip(attacked, b"b") == b""


async def test_empty_lines_before_a_request_are_cut_off(tmp_path: Path) -> None:
    async with _attacked(tmp_path, _ASK, timeouts=_SHORT_HEAD) as attacked:
        assert (await attacked.attacker.answer()).status == 200
        assert await _drip(attacked, b"\r\n") == b""


async def test_body_that_comes_byte_by_byte_is_cut_off_though_it_has_a_key(tmp_path: Path) -> None:
    head = ("POST /v1/chat/stream HTTP/1.1", _JSON, "Content-Length: 8000000")
    async with _attacked(tmp_path, *head, timeouts=_SHORT_BODY) as attacked:
        assert _error(await _drip(attacked, b" ")) == "invalid_request"


async def test_body_that_comes_slowly_but_in_earnest_is_read(tmp_path: Path) -> None:
    body = json.dumps({"conversation_id": "c", "message": "word " * 800_000}).encode()
    head = ("POST /v1/chat/stream HTTP/1.1", _JSON, f"Content-Length: {len(body)}")
    async with _attacked(tmp_path, *head, timeouts=_FAIR_BODY) as attacked:
        now, sent = asyncio.get_running_loop().time, 0
        start, lasts_s = now(), 1.3 * _FAIR_BODY.body_s
        while (passed := (now() - start) / lasts_s) < 1:
            due = int(len(body) * passed / 2)
            attacked.attacker.write(body[sent:due])
            sent = due
            await attacked.serves_others()
        attacked.attacker.write(body[sent:])
        assert (await attacked.attacker.answer()).status == 404


@pytest.mark.parametrize(
    ("size", "count", "is_read"), [(15_000, 1, True), (16_500, 1, False), (90, 90, True)]
)
async def test_head_has_16_kib_and_no_more(
    tmp_path: Path, size: int, count: int, is_read: bool
) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        lines = [f"h{place}: {'x' * size}" for place in range(count)]
        attacker.write(attacker.head("GET /v1/agents HTTP/1.1", *lines))
        if is_read:
            assert (await attacker.answer()).status == 200
        else:
            assert _error(await attacker.rest()) == "invalid_request"


async def test_more_than_a_hundred_headers_are_refused(tmp_path: Path) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        attacker.write(attacker.head("GET /v1/agents HTTP/1.1", *["a: b"] * 101))
        assert _error(await attacker.rest()) == "invalid_request"


_TWO_WAYS = {
    "length and chunks": ("Content-Length: 5", "Transfer-Encoding: chunked"),
    "chunks and length": ("Transfer-Encoding: chunked", "Content-Length: 5"),
    "two lengths": ("Content-Length: 5", "Content-Length: 6"),
    "the same length twice": ("Content-Length: 5", "Content-Length: 5"),
    "a list of lengths": ("Content-Length: 5, 5",),
    "length with a sign": ("Content-Length: +5",),
    "length in base 16": ("Content-Length: 0x5",),
    "negative length": ("Content-Length: -5",),
    "length past all bounds": (f"Content-Length: {'9' * 30}",),
    "chunks last but not last": ("Transfer-Encoding: chunked, identity",),
    "chunks that are none": ("Transfer-Encoding: xchunked",),
    "chunks twice": ("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
    "space before the colon": ("Transfer-Encoding : chunked",),
    "folded line": ("X: a", " Transfer-Encoding: chunked"),
    "folded value": ("Content-Length:", " 5"),
    "bare line feed": ("X: a\nContent-Length: 5",),
    "bare carriage return": ("X: a\rContent-Length: 5",),
    "null": ("X: a\0b",),
    "no colon": ("Content-Length 5",),
    "no name": (": 5",),
}


@pytest.mark.parametrize("lines", _TWO_WAYS.values(), ids=_TWO_WAYS)
async def test_ambiguous_http_requests_are_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        head = attacker.head("POST /v1/conversations HTTP/1.1", *lines)
        attacker.write(head + b"0\r\n\r\n" + attacker.head("GET /v1/skills HTTP/1.1"))
        assert _error(await attacker.rest()) == "invalid_request"


@pytest.mark.parametrize(
    "target", ["http://evil.example/v1/agents", "evil.example:80", "*", "//evil/../v1", "v1/agents"]
)
@pytest.mark.parametrize("method", ["GET", "CONNECT", "OPTIONS"])
async def test_target_that_is_not_a_path_is_refused(
    tmp_path: Path, method: str, target: str
) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        attacker.write(attacker.head(f"{method} {target} HTTP/1.1", "Connection: close"))
        status = int((await attacker.rest()).split()[1])
    assert status in ({400} if target != "//evil/../v1" else {400, 404})


@pytest.mark.parametrize(
    "chunk",
    [b"1\r\nx\r\n", b"1;%s\r\nx\r\n" % (b"e" * 4000), b"1;a=b\r\nx\r\n"],
    ids=["tiny", "long extension", "short extension"],
)
async def test_chunks_that_are_mostly_framing_are_cut_off(tmp_path: Path, chunk: bytes) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        lines = (_JSON, "Transfer-Encoding: chunked")
        attacker.write(attacker.head("POST /v1/chat/stream HTTP/1.1", *lines))
        ended = asyncio.create_task(attacker.rest())
        flood = chunk * (64 * 1024 // len(chunk))
        while not ended.done():
            with contextlib.suppress(ConnectionError):
                attacker.write(flood)
            await attacked.serves_others()
        assert b"invalid_request" in await ended or not ended.result()


async def test_trailers_of_a_request_are_ignored(tmp_path: Path) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        lines = ("POST /v1/conversations HTTP/1.1", f"Host: {attacker.host}")
        head = "\r\n".join((*lines, "Transfer-Encoding: chunked", "", "")).encode()
        attacker.write(head + b"0\r\nX-API-Key: " + KEY.encode() + b"\r\n\r\n")
        assert (await attacker.answer()).status == 401


async def test_requests_without_waiting_for_answers_are_cut_off(tmp_path: Path) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        attacker.write(attacker.head("GET /v1/agents HTTP/1.1") * 2000)
        answers = await attacker.rest()
        assert answers.count(b"HTTP/1.1 ") < 20
        await attacked.serves_others()


async def test_few_requests_at_once_are_answered_in_order(tmp_path: Path) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        paths = ("agents", "skills", "conversations", "nix")
        for path in paths:
            attacker.write(attacker.head(f"GET /v1/{path} HTTP/1.1"))
        statuses = [(await attacker.answer()).status for _ in paths]
    assert statuses == [200, 200, 200, 404]


@pytest.mark.parametrize("upgrade", ["websocket", "h2c"])
async def test_upgrade_is_not_done(tmp_path: Path, upgrade: str) -> None:
    lines = ("Connection: Upgrade, HTTP2-Settings", f"Upgrade: {upgrade}", "HTTP2-Settings: AA")
    async with _attacked(tmp_path) as attacked:
        service, attacker = attacked.service, attacked.attacker
        attacker.write(attacker.head("GET /v1/agents HTTP/1.1", *lines) + _MUCH)
        answer = await attacker.rest()
        assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 400 "))
        async with raw_connection(service.base_url) as other:
            length = "Content-Length: 2"
            other.write(other.head("POST /v1/conversations HTTP/1.1", *lines, length) + b"{}")
            assert _error(await other.rest()) == "invalid_request"


async def test_answer_that_nobody_reads_is_given_up(tmp_path: Path) -> None:
    # More than the system itself takes off the service's hands, which is up to 4 MiB.
    message = "word " * 1_400_000
    assistant = ScriptedAssistant(("Short.",))
    async with _attacked(tmp_path, assistant=assistant, timeouts=_SHORT_READER) as attacked:
        service, attacker = attacked.service, attacked.attacker
        conversation_id = await service.create()
        await service.chat(conversation_id, message)
        attacker.write(attacker.head(f"GET /v1/conversations/{conversation_id} HTTP/1.1"))
        await attacked.until_attacker_is_gone()
        assert len(await attacker.rest()) < len(message)


async def test_stream_that_nobody_reads_is_given_up_and_what_was_said_is_kept(
    tmp_path: Path,
) -> None:
    much = ("word " * 150_000,) * 20
    assistant = ScriptedAssistant(much, ("Again.",))
    async with _attacked(tmp_path, assistant=assistant, timeouts=_SHORT_READER) as attacked:
        service, attacker = attacked.service, attacked.attacker
        conversation_id = await service.create()
        body = json.dumps({"conversation_id": conversation_id, "message": "Go"}).encode()
        lines = (_JSON, f"Content-Length: {len(body)}")
        attacker.write(attacker.head("POST /v1/chat/stream HTTP/1.1", *lines) + body)
        await attacked.until_attacker_is_gone()
        events = await service.chat(conversation_id, "And?")
        messages = await service.messages(conversation_id)
    assert events[-1] == {"type": "message_stop"}
    assert 0 < len(messages[1]["content"]) < len("".join(much))


@pytest.mark.parametrize("part", [b"[],", b"{},", b'"",', b'{"":1},', b"1,", b'"\\"",'])
async def test_body_of_millions_of_values_holds_up_nobody(tmp_path: Path, part: bytes) -> None:
    async with _attacked(tmp_path) as attacked:
        attacker = attacked.attacker
        body = b'{"a":[' + part * ((8 * 1024 * 1024 - 20) // len(part)) + b"0]}"
        lines = (_JSON, f"Content-Length: {len(body)}")
        attacker.write(attacker.head("POST /v1/chat/stream HTTP/1.1", *lines) + body)
        refused = asyncio.create_task(attacker.answer())
        await attacked.serves_others()
        answer = await refused
    assert answer.status == 400
    assert b"more than 20,000 values" in answer.body
