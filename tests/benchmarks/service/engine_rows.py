"""What the service adds to the engine of model files: asked through it, and asked directly.

The model is the tiny one of the tests, so that next to nothing of what is measured is its own. Both
are asked with the same prompt, which the service wrote. At a pace, a bare proxy shows what the
libraries alone cost.
"""

import asyncio
import contextlib
import json
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import psutil

from tests.benchmarks.rows import Goal, figures
from tests.benchmarks.service.bench import Bench
from tests.benchmarks.service.orders import TOKENS_PER_S, Order
from tests.benchmarks.service.parties import BARE_PROXY, SERVICE, Party, bare_proxy
from tests.benchmarks.service.rows import Row
from tests.support.connections import serving
from tests.support.engine import NAME, Engine, running_engine
from tests.support.fake_http import Received, read_request
from tests.support.tiny_model import write_model

ENGINE: Final = "engine alone"
_OVER: Final = "service over engine"
_WINDOW: Final = 32_768
_LIMIT_S: Final = 120
_READ_BYTES: Final = 65_536
_LINE_END: Final = b"\r\n"
_HEAD_END: Final = b"\r\n\r\n"
_END: Final = b"0\r\n\r\n"
# The first text of an answer: of the service, and of the engine.
_DELTA: Final = b'"text_delta"'
_CONTENT: Final = b'"content":"'
_ORDER: Final = Order("fast", 1)
Json = dict[str, Any]


def measure(bench: Bench) -> list[Row]:
    """Ask a model file through the service and directly, warm, cold, and at a pace."""
    folder = bench.new_folder()
    model, endless = folder / "tiny.gguf", folder / "endless.gguf"
    write_model(model)
    write_model(endless, ends=False)
    with _pinned(bench), running_engine(model, window=_WINDOW) as engine:
        body = bench.run(_body_for(bench, engine))
        warm = _warm(bench, engine, model, body)
    return [
        Row(
            "first delta over the engine",
            "ms",
            figures(warm),
            subject=_OVER,
            base=ENGINE,
        ),
        Row(
            "added by the service to it",
            "ms",
            figures({SERVICE: [a - b for a, b in zip(warm[_OVER], warm[ENGINE], strict=True)]}),
            Goal(5, of="figure"),
        ),
        Row(
            "engine's start to first delta",
            "s",
            figures(_cold(bench, model, body)),
            Goal(1.3),
            subject=_OVER,
            base=ENGINE,
        ),
        Row(
            f"share of a core at {TOKENS_PER_S} tokens/s",
            "%",
            figures(_shares(bench, endless)),
            Goal(2, of="figure"),
            base=BARE_PROXY,
        ),
    ]


def _warm(bench: Bench, engine: Engine, model: Path, body: Json) -> dict[str, list[float]]:
    """Return the median times of each round, in ms."""
    found: dict[str, list[float]] = {_OVER: [], ENGINE: []}
    with bench.service(None, f"file:{model}") as service:
        bench.run(_median_ms(service.port, bench.run(service.requests(_ORDER, 5)), _DELTA))
        for _ in range(bench.size(7, 1)):
            count = bench.size(40, 3)
            asked = bench.run(service.requests(_ORDER, count))
            found[_OVER].append(bench.run(_median_ms(service.port, asked, _DELTA)))
            direct = [_question(body)] * count
            found[ENGINE].append(bench.run(_median_ms(engine.port, direct, _CONTENT)))
    return found


def _cold(bench: Bench, model: Path, body: Json) -> dict[str, list[float]]:
    """Return how long a first answer takes where no engine runs, in s."""
    found: dict[str, list[float]] = {_OVER: [], ENGINE: []}
    for _ in range(bench.size(7, 1)):
        with bench.service(None, f"file:{model}") as service:
            [asked] = bench.run(service.requests(_ORDER, 1))
            found[_OVER].append(bench.run(_first_s(service.port, asked, _DELTA)))
        begun_s = time.monotonic()
        with _pinned(bench), running_engine(model, window=_WINDOW) as engine:
            bench.run(_first_s(engine.port, _question(body), _CONTENT))
            found[ENGINE].append(time.monotonic() - begun_s)
    return found


def _shares(bench: Bench, model: Path) -> dict[str, list[float]]:
    """Return which part of a core each takes while one answer comes at the pace, in %."""
    found: dict[str, list[float]] = {SERVICE: [], BARE_PROXY: []}
    for _ in range(bench.size(5, 1)):
        service, proxy = bench.run(_share(bench, model))
        found[SERVICE].append(service)
        found[BARE_PROXY].append(proxy)
    return found


async def _share(bench: Bench, model: Path) -> tuple[float, float]:
    with running_engine(model, window=_WINDOW) as engine:
        async with _paced(engine) as (port, asked):
            where, seconds = f"openai:{NAME}@http://127.0.0.1:{port}/v1", bench.size(10, 1)
            with bench.service(None, where) as service:
                [request] = await service.requests(_ORDER, 1)
                ours = await _share_of(service, request, _DELTA, seconds)
            with bare_proxy(bench.cores, port) as proxy:
                request = _question(asked[-1].json)
                return ours, await _share_of(proxy, request, _CONTENT, seconds)


async def _share_of(party: Party, asked: bytes, mark: bytes, seconds: int) -> float:
    reader, writer = await asyncio.open_connection("127.0.0.1", party.port)
    writer.write(asked)
    async with asyncio.timeout(_LIMIT_S):
        # The first hundred words are not yet as usual.
        await _marks(reader, mark, 100)
        begun_s, used_s = time.monotonic(), _own_cpu_s(party.process)
        await _marks(reader, mark, seconds * TOKENS_PER_S)
        used_s = _own_cpu_s(party.process) - used_s
    took_s = time.monotonic() - begun_s
    writer.close()
    return used_s / took_s * 100


async def _marks(reader: asyncio.StreamReader, mark: bytes, count: int) -> None:
    while count > 0:
        count -= (await reader.readline()).count(mark)


def _own_cpu_s(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:2])


async def _body_for(bench: Bench, engine: Engine) -> Json:
    """Have the service ask once, and return what it asked."""
    async with _paced(engine) as (port, asked):
        with bench.service(None, f"openai:{NAME}@http://127.0.0.1:{port}/v1") as service:
            [question] = await service.requests(_ORDER, 1)
            await _first_s(service.port, question, _DELTA)
    body: Json = asked[-1].json
    return body


@contextlib.asynccontextmanager
async def _paced(engine: Engine) -> AsyncIterator[tuple[int, list[Received]]]:
    """Run a proxy before the engine that passes its words on at the pace; yield its port."""
    asked: list[Received] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read_request(reader)
        there, back = await asyncio.open_connection("127.0.0.1", engine.port)
        back.write(_written(request.method, request.target, request.body))
        if not request.body:
            writer.write(await there.read())
        else:
            asked.append(request)
            writer.write(await there.readuntil(_HEAD_END))
            due_s = time.monotonic()
            while (chunk := await _next_chunk(there)) and not writer.is_closing():
                writer.write(chunk)
                if _CONTENT in chunk:
                    due_s += 1 / TOKENS_PER_S
                    await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        back.close()
        writer.close()

    async def on_connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await answer(reader, writer)

    async with serving(on_connected) as port:
        yield port, asked


async def _next_chunk(there: asyncio.StreamReader) -> bytes:
    """Read what the engine sent in one piece; empty at the end."""
    size = await there.readline()
    return size + await there.readexactly(int(size, 16) + len(_LINE_END)) if size else b""


def _question(body: Json) -> bytes:
    return _written("POST", "/v1/chat/completions", json.dumps(body).encode())


def _written(method: str, target: str, body: bytes) -> bytes:
    head = (
        f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _median_ms(port: int, requests: list[bytes], mark: bytes) -> float:
    return statistics.median([await _first_s(port, one, mark) for one in requests]) * 1e3


async def _first_s(port: int, request: bytes, mark: bytes) -> float:
    """Ask once; return how long the first text took, once the whole answer has come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begun_s, first_s = time.monotonic(), 0.0
    writer.write(request)
    seen = b""
    async with asyncio.timeout(_LIMIT_S):
        while not seen.endswith(_END) and (data := await reader.read(_READ_BYTES)):
            seen += data
            if not first_s and mark in seen:
                first_s = time.monotonic() - begun_s
    writer.close()
    if not first_s:
        raise TimeoutError(f"No text came: {seen[-300:].decode(errors='replace')}")
    return first_s


@contextlib.contextmanager
def _pinned(bench: Bench) -> Iterator[None]:
    """Start what is started in the block where the service runs."""
    if not bench.cores.measured or sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, bench.cores.measured)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
