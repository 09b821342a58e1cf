"""Replies that break: each is told as what it is, what came before is kept, nothing is left."""

import asyncio
import gc
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.errors import (
    ConnectionLost,
    RequestTimeout,
    StreamBroken,
    StreamFault,
    UnexpectedAnswer,
)
from app.api.events import Event, MessageStop, StreamError, TextDelta, UnknownEvent
from app.api.refusals import Retry
from app.api.sse import ReplyStream, StreamLimits
from tests.support.chaos_service import OK_STREAM, Act, ChaosService, Step
from tests.support.fake_service import FakeService, delta, sse
from tests.support.recorded_streams import STREAMS

pytestmark = pytest.mark.anyio

_KEY = SecretStr("pk_test_chaos")
_CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)
_START = sse("message_start", message_id="m1", conversation_id="c1")
_STOP = sse("message_stop")


class Collected:
    """What came of one reply."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.is_complete = False
        self.ignored = 0


async def collect(client: ApiClient) -> Collected:
    collected = Collected()
    async with client.chat_stream("c1", "Hi") as reply:
        try:
            async for event in reply:
                collected.events.append(event)
        finally:
            collected.is_complete = reply.is_complete
            collected.ignored = reply.ignored_count
    return collected


def client_of(chaos: ChaosService, limits: StreamLimits | None = None) -> ApiClient:
    retry = Retry(first_pause_s=0.0)
    return ApiClient(chaos.base_url, _KEY, retry=retry, limits=limits)


def boundaries(stream: bytes) -> list[int]:
    """Every place at which one of the stream's events ends, the last one left out."""
    ends = [at + 2 for at in range(len(stream)) if stream[at : at + 2] == b"\n\n"]
    return [0, *ends[:-1]]


@pytest.mark.parametrize("act", [Act.FINISH, Act.RESET])
@pytest.mark.parametrize("head", [OK_STREAM, _CHUNKED], ids=["until_close", "chunked"])
async def test_a_reply_cut_at_any_event_is_incomplete_and_sent_once(act: Act, head: bytes) -> None:
    stream = STREAMS["with_agent"]
    cuts = boundaries(stream)
    bodies = [stream[:at] for at in cuts]
    if head is _CHUNKED:
        bodies = [b"%x\r\n%s\r\n" % (len(body), body) if body else b"" for body in bodies]
    async with ChaosService([[Step(head + body, then=act)] for body in bodies]) as chaos:
        async with client_of(chaos) as client:
            for _ in cuts:
                with pytest.raises((StreamBroken, ConnectionLost)) as caught:
                    await collect(client)
                assert caught.value.was_maybe_delivered
        assert len(chaos.requests) == len(cuts)


@pytest.mark.parametrize(
    ("head", "act", "fault"),
    [
        (OK_STREAM, Act.FINISH, StreamFault.ENDED),
        (OK_STREAM, Act.RESET, StreamFault.CUT),
        (_CHUNKED, Act.FINISH, StreamFault.CUT),
        (_CHUNKED, Act.RESET, StreamFault.CUT),
    ],
)
async def test_a_lost_connection_is_told_from_an_end_in_order(
    head: bytes, act: Act, fault: StreamFault
) -> None:
    body = head if head is _CHUNKED else head + _START
    has_begun = asyncio.Event()
    steps = [Step(body), Step(wait_for=has_begun, then=act)]
    async with ChaosService([steps]) as chaos, client_of(chaos) as client:
        async with client.chat_stream("c1", "Hi") as reply:
            if head is OK_STREAM:
                await anext(reply)
            has_begun.set()
            with pytest.raises(StreamBroken) as caught:
                await anext(reply)
        assert caught.value.fault is fault


async def test_a_reply_cut_inside_any_event_is_incomplete() -> None:
    stream = STREAMS["plain"]
    cuts = range(1, len(stream))
    scenarios = [[Step(OK_STREAM + stream[:at], then=Act.FINISH)] for at in cuts]
    async with ChaosService(scenarios) as chaos, client_of(chaos) as client:
        for at in cuts:
            with pytest.raises(StreamBroken) as caught:
                await collect(client)
            assert caught.value.fault is StreamFault.ENDED, at


async def test_events_before_a_broken_connection_are_kept() -> None:
    async with FakeService() as service, ApiClient(service.base_url, service.api_key) as client:
        service.says("Hel", "lo")
        service.cuts_after(2)
        async with client.chat_stream("c1", "Hi") as reply:
            assert [await anext(reply), await anext(reply)][1] == TextDelta("Hel")
            with pytest.raises(StreamBroken):
                await anext(reply)


@pytest.mark.spec("6-message-stop")
async def test_only_message_stop_makes_a_reply_complete() -> None:
    body = OK_STREAM + _START + delta("All there is")
    async with ChaosService([[Step(body, then=Act.FINISH)]]) as chaos, client_of(chaos) as client:
        with pytest.raises(StreamBroken) as caught:
            await collect(client)
        assert caught.value.fault is StreamFault.ENDED


@pytest.mark.spec("7.3-stream-error", "6-error")
async def test_an_error_event_ends_the_reply_and_what_follows_is_dropped() -> None:
    body = OK_STREAM + _START + delta("Hel") + sse("error", message="Oh") + delta("lo") + _STOP
    async with ChaosService([[Step(body, then=Act.FINISH)]]) as chaos, client_of(chaos) as client:
        collected = await collect(client)
        assert collected.events[-1] == StreamError("Oh")
        assert not collected.is_complete
        assert collected.ignored == 2


async def test_events_after_message_stop_are_dropped_and_counted() -> None:
    stream = OK_STREAM + STREAMS["after_the_end"]
    async with ChaosService([[Step(stream, then=Act.FINISH)]]) as chaos, client_of(chaos) as client:
        collected = await collect(client)
        assert collected.events[-1] == MessageStop()
        assert collected.is_complete
        assert collected.ignored == 3


async def test_a_service_that_forgets_to_close_does_not_hold_up_the_end() -> None:
    limits = StreamLimits(ending_s=0.05)
    scenario = [Step(OK_STREAM + _START + _STOP, then=Act.HANG)]
    async with ChaosService([scenario]) as chaos, client_of(chaos, limits) as client:
        assert (await collect(client)).is_complete


@pytest.mark.security(68)
async def test_a_reply_for_another_conversation_is_refused() -> None:
    start = sse("message_start", message_id="m1", conversation_id="another")
    body = OK_STREAM + start + delta("x") + _STOP
    async with ChaosService([[Step(body, then=Act.FINISH)]]) as chaos, client_of(chaos) as client:
        with pytest.raises(StreamBroken) as caught:
            await collect(client)
        assert caught.value.fault is StreamFault.MISDIRECTED


@pytest.mark.security(67)
async def test_events_that_nobody_named_pass_as_unknown_and_are_counted() -> None:
    odd = b"".join(sse(f"odd_{n}", code="import os") for n in range(1000))
    body = OK_STREAM + _START + odd + delta("x") + _STOP
    async with ChaosService([[Step(body, then=Act.FINISH)]]) as chaos, client_of(chaos) as client:
        collected = await collect(client)
        assert collected.ignored == 1000
        known = [e for e in collected.events if not isinstance(e, UnknownEvent)]
        assert [type(event).__name__ for event in known] == [
            "MessageStart",
            "TextDelta",
            "MessageStop",
        ]


@pytest.mark.security(71)
async def test_silence_ends_a_reply_at_its_limit() -> None:
    body = OK_STREAM + _START + delta("x")
    limits = StreamLimits(silence_s=0.05)
    async with ChaosService([[Step(body, then=Act.HANG)]]) as chaos:
        async with client_of(chaos, limits) as client:
            with pytest.raises(StreamBroken) as caught:
                await collect(client)
        assert caught.value.fault is StreamFault.STALLED


@pytest.mark.security(71)
async def test_a_drip_of_comments_does_not_keep_a_silent_reply_alive() -> None:
    class Drip:
        """Brings a comment whenever it is asked."""

        async def read(self) -> bytes | None:
            await asyncio.sleep(0)
            return b": ping\n\n"

    limits = StreamLimits(silence_s=0.05, stream_bytes=1 << 40)
    async with asyncio.timeout(20):
        with pytest.raises(StreamBroken) as caught:
            await anext(ReplyStream(Drip(), "c1", limits))
    assert caught.value.fault is StreamFault.STALLED


@pytest.mark.security(71)
@pytest.mark.parametrize(
    "limits",
    [StreamLimits(events=50), StreamLimits(stream_bytes=5000), StreamLimits(event_bytes=30)],
    ids=["events", "stream", "event"],
)
async def test_a_reply_beyond_a_limit_is_cut(limits: StreamLimits) -> None:
    body = OK_STREAM + _START + delta("x") * 1000 + _STOP
    async with ChaosService([[Step(body, then=Act.FINISH)]]) as chaos:
        async with client_of(chaos, limits) as client:
            with pytest.raises(StreamBroken) as caught:
                await collect(client)
        assert caught.value.fault is StreamFault.TOO_LARGE


@pytest.mark.security(71)
async def test_a_compressed_answer_is_refused_unread() -> None:
    head = OK_STREAM.replace(b"Connection", b"Content-Encoding: gzip\r\nConnection")
    async with ChaosService([[Step(head, then=Act.HANG)]]) as chaos, client_of(chaos) as client:
        with pytest.raises(UnexpectedAnswer):
            await collect(client)
        assert b"accept-encoding: identity" in chaos.requests[0].lower()


@pytest.mark.parametrize("answer", [b"220 mail ready\r\n\r\n", b"\x00\x01\x02\x03\r\n\r\n"])
async def test_something_that_is_no_web_service_is_distinguished(answer: bytes) -> None:
    async with ChaosService([[Step(answer, then=Act.FINISH)]]) as chaos, client_of(chaos) as client:
        with pytest.raises(UnexpectedAnswer):
            await collect(client)


async def test_the_read_limit_before_an_answer_is_a_timeout() -> None:
    async with FakeService() as service, ApiClient(service.base_url, service.api_key) as client:
        service.hangs()
        limit = asyncio.timeout(None)

        async def ask() -> None:
            async with limit, client.chat_stream("c1", "Hi"):
                pass

        asking = asyncio.create_task(ask())
        await service.received(1)
        limit.reschedule(0)
        with pytest.raises(TimeoutError):
            await asking
        await service.hung_up()
    assert RequestTimeout().was_maybe_delivered


@pytest.mark.parametrize("n_events", range(4))
async def test_stop_at_any_event_closes_the_connection(n_events: int) -> None:
    async with FakeService() as service, ApiClient(service.base_url, service.api_key) as client:
        service.says("Hel", "lo")
        service.hangs_after(n_events)
        seen = asyncio.Event()

        async def follow() -> None:
            async with client.chat_stream("c1", "Hi") as reply:
                seen.set() if n_events == 0 else None
                count = 0
                async for _ in reply:
                    count += 1
                    if count == n_events:
                        seen.set()

        task = asyncio.create_task(follow())
        async with asyncio.timeout(20):
            await seen.wait()
            task.cancel()
            await asyncio.wait([task])
        assert task.cancelled()
        await service.hung_up()


async def test_a_finished_reply_leaves_its_connection_for_the_next() -> None:
    async with FakeService() as service, ApiClient(service.base_url, service.api_key) as client:
        service.says("One")
        service.says("Two")
        await collect(client)
        await collect(client)
        assert service.connection_count == 1


@contextmanager
def watched_generators() -> Iterator[list[str]]:
    """Collect the names of async generators that are left to the garbage collector."""
    left: list[str] = []

    def on_finalize(generator: AsyncGenerator[Any, Any]) -> None:
        left.append(repr(generator))

    before = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(before.firstiter, on_finalize)
    try:
        yield left
    finally:
        gc.collect()
        sys.set_asyncgen_hooks(*before)


@pytest.mark.parametrize("n_events", [0, 1, 3])
@pytest.mark.parametrize("head", [OK_STREAM, _CHUNKED], ids=["until_close", "chunked"])
async def test_leaving_a_reply_half_read_leaves_no_generator_behind(
    n_events: int, head: bytes
) -> None:
    body = _START + delta("x") * 5000
    if head is _CHUNKED:
        body = b"".join(b"%x\r\n%s\r\n" % (len(body), body) for _ in range(3))
    async with ChaosService([[Step(head + body, then=Act.HANG)]]) as chaos:
        with watched_generators() as left:
            await read_some(client_of(chaos), n_events)
    assert left == []


async def read_some(client: ApiClient, n_events: int) -> None:
    async with client, client.chat_stream("c1", "Hi") as reply:
        for _ in range(n_events):
            await anext(reply)


async def test_a_flood_of_events_lets_others_have_their_turn() -> None:
    class Flood:
        """Brings a thousand events at once, and then the end."""

        def __init__(self) -> None:
            self.chunks = [_START + delta("x") * 1000 + _STOP, None]

        async def read(self) -> bytes | None:
            return self.chunks.pop(0)

    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counter = asyncio.create_task(count_turns())
    events = [event async for event in ReplyStream(Flood(), "c1")]
    counter.cancel()
    await asyncio.wait([counter])
    assert len(events) == 1002
    assert turns >= 15
