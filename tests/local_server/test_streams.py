"""The way of events to the client: in order, joined, never faster than they are read."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.types import Message

from local_server.schemas import AgentStart, ContentBlockDelta, MessageStart, TextDelta
from local_server.sse import EventBuffer, EventStream, ShutdownEvent, encode, encode_text
from tests.support.event_streams import read_events, read_whole_stream, text_of, types_of

pytestmark = pytest.mark.anyio

_AGENT = AgentStart(agent_name="a", agent_display_name="A")
_START = MessageStart(message_id="m", conversation_id="c")
_ALL_SIGNS = st.text(st.characters(exclude_categories=["Cs"]))


class _Source:
    """Writes as many fragments as it is told, without ever waiting by itself."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.written = 0
        self.is_closed = False

    async def write(self, out: EventBuffer) -> None:
        await out.event(_START)
        for _ in range(self._count):
            await out.text("word ")
            self.written += 1

    async def aclose(self) -> None:
        self.is_closed = True


class _Client:
    """Takes what is sent; `reads` decides how long each part takes."""

    def __init__(self, reads: Callable[[bytes], Awaitable[None]]) -> None:
        self._reads = reads
        self.has_left = asyncio.Event()
        self.bodies: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.body":
            self.bodies.append(message["body"])
            await self._reads(message["body"])

    async def receive(self) -> Message:
        await self.has_left.wait()
        return {"type": "http.disconnect"}


async def _at_once(_body: bytes) -> None:
    return


async def _never(_body: bytes) -> None:
    await asyncio.Event().wait()


async def _stream(source: _Source, client: _Client, silence_s: float = 10) -> None:
    async with asyncio.timeout(20):
        await EventStream(source, silence_s, ShutdownEvent()).send_to(client.receive, client.send)


async def _let_everything_run() -> None:
    for _ in range(1000):
        await asyncio.sleep(0)


async def test_fragments_that_come_together_leave_together_and_in_order() -> None:
    client = _Client(_at_once)
    await _stream(_Source(10_000), client)
    events = read_whole_stream(b"".join(client.bodies))
    assert text_of(events) == "word " * 10_000
    assert len(client.bodies) < 300


async def test_first_words_leave_before_their_source_goes_on() -> None:
    client = _Client(_at_once)
    left: list[bytes] = []

    class Noting(_Source):
        async def write(self, out: EventBuffer) -> None:
            await out.text("word ")
            left.extend(client.bodies)

    await _stream(Noting(0), client)
    assert b"word" in b"".join(left)


async def test_source_that_never_waits_leaves_the_loop_to_others_again_and_again() -> None:
    source = _Source(10_000)
    seen: list[int] = []

    async def look() -> None:
        while not source.is_closed:
            seen.append(source.written)
            await asyncio.sleep(0)

    looking = asyncio.create_task(look())
    await _stream(source, _Client(_at_once))
    await looking
    steps = [after - before for before, after in itertools.pairwise(seen)]
    assert max(steps) <= 64


async def test_client_that_does_not_read_holds_up_its_own_source_alone() -> None:
    source = _Source(1_000_000)
    streaming = asyncio.create_task(_stream(source, _Client(_never)))
    await _let_everything_run()
    assert source.written < 200
    streaming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await streaming
    assert source.is_closed


async def test_service_that_stops_waits_only_a_moment_for_a_client_that_does_not_read() -> None:
    source = _Source(1_000_000)
    stopping = ShutdownEvent()
    client = _Client(_never)
    stream = EventStream(source, 10, stopping)
    streaming = asyncio.create_task(stream.send_to(client.receive, client.send))
    await _let_everything_run()
    stopping.set()
    async with asyncio.timeout(20):
        await streaming
    assert source.is_closed


@pytest.mark.parametrize("reads", [_never, _at_once])
async def test_source_that_is_slow_to_put_away_what_it_has_is_waited_for(
    reads: Callable[[bytes], Awaitable[None]],
) -> None:
    class _Slow(_Source):
        has_put_away = False

        async def write(self, out: EventBuffer) -> None:
            put_away = asyncio.Event()
            try:
                await super().write(out)
            finally:
                # Longer than a client that does not read is waited for.
                asyncio.get_running_loop().call_later(0.7, put_away.set)
                await put_away.wait()
                self.has_put_away = True

    source = _Slow(1_000_000)
    stopping = ShutdownEvent()
    client = _Client(reads)
    streaming = asyncio.create_task(
        EventStream(source, 10, stopping).send_to(client.receive, client.send)
    )
    await _let_everything_run()
    stopping.set()
    async with asyncio.timeout(20):
        await streaming
    assert source.has_put_away
    # Who reads is told of the end, however late that is.
    is_told = b"The service is stopping." in b"".join(client.bodies)
    assert is_told == (reads is _at_once)


async def test_source_that_is_asked_to_end_again_puts_away_what_it_has_all_the_same() -> None:
    is_putting_away, may_end = asyncio.Event(), asyncio.Event()

    class _Careful(_Source):
        has_put_away = False

        async def write(self, out: EventBuffer) -> None:
            try:
                await super().write(out)
            finally:
                is_putting_away.set()
                await may_end.wait()
                self.has_put_away = True

    source, stopping, client = _Careful(1_000_000), ShutdownEvent(), _Client(_at_once)
    streaming = asyncio.create_task(
        EventStream(source, 10, stopping).send_to(client.receive, client.send)
    )
    await _let_everything_run()
    stopping.set()
    async with asyncio.timeout(20):
        await is_putting_away.wait()
        stopping.set()
        client.has_left.set()
        await _let_everything_run()
        may_end.set()
        await streaming
    assert source.has_put_away


async def test_stream_that_begins_while_the_service_stops_ends_at_once_in_words() -> None:
    client = _Client(_at_once)
    stopping = ShutdownEvent()
    stopping.set()
    source = _Source(1_000_000)
    async with asyncio.timeout(20):
        await EventStream(source, 10, stopping).send_to(client.receive, client.send)
    events = read_whole_stream(b"".join(client.bodies))
    assert events[-1] == {"type": "error", "message": "The service is stopping."}


@pytest.mark.spec("6-framing")
async def test_no_comment_follows_the_end_on_a_client_that_reads_slowly_our_choice() -> None:
    slow = asyncio.Event()

    async def read(body: bytes) -> None:
        if b"message_stop" in body:
            asyncio.get_running_loop().call_later(0.05, slow.set)
            await slow.wait()

    client = _Client(read)
    await _stream(_Source(3), client, silence_s=0.001)
    assert b": ping" not in b"".join(client.bodies).partition(b"message_stop")[2]
    assert client.bodies[-1] == b""


async def test_client_that_leaves_ends_the_source() -> None:
    source = _Source(1_000_000)
    client = _Client(_at_once)

    async def leave() -> None:
        await _let_everything_run()
        client.has_left.set()

    leaving = asyncio.create_task(leave())
    await _stream(source, client)
    await leaving
    assert source.is_closed
    assert source.written < 1_000_000


async def test_agent_that_began_is_ended_before_the_error() -> None:
    class _Failing(_Source):
        async def write(self, out: EventBuffer) -> None:
            await out.event(_START)
            await out.event(_AGENT)
            raise asyncio.CancelledError

    client = _Client(_at_once)
    await _stream(_Failing(0), client)
    events = read_whole_stream(b"".join(client.bodies))
    assert types_of(events) == ["message_start", "agent_start", "agent_end", "error"]


@given(_ALL_SIGNS)
@example("".join(map(chr, range(0x3000))))
@example('\u0085\u2028\u2029\x7f\ufeff\uffff\U0010ffff"\\/\b\f\n\r\t\0')
def test_fragment_is_written_as_its_model_is(text: str) -> None:
    written = encode_text(text)
    assert written == encode(ContentBlockDelta(delta=TextDelta(text=text)))
    [event] = read_events(written)
    assert event["delta"]["text"] == text
    assert len(written.decode().splitlines()) == 3
