"""Connections that do not come about, or lead elsewhere: each with its cause, the key kept."""

import asyncio
import gc
import logging
import ssl
import traceback
import warnings
from pathlib import Path

import anyio.lowlevel
import pytest
from pydantic import SecretStr

from app.api.client import ApiClient, encode_path_part
from app.api.errors import (
    AnswerFault,
    ApiError,
    ConnectCause,
    ConnectFailed,
    ConnectionLost,
    IdRefused,
    NotFound,
    RequestTimeout,
    UnexpectedAnswer,
)
from app.api.http_exchange import TransportLimits
from app.api.network import make_ssl_context
from app.api.refusals import Retry
from app.api.transport import HttpTransport
from tests.support.certificates import untrusted_context
from tests.support.chaos_service import Act, ChaosService, Step
from tests.support.connections import refused_port
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio

_KEY = "pk_live_canary0123456789"
_ONCE = Retry(attempts=1)


def client_of(address: str, context: ssl.SSLContext | None = None) -> ApiClient:
    return ApiClient(address, SecretStr(_KEY), ssl_context=context, retry=_ONCE)


async def cause_at(address: str, context: ssl.SSLContext | None = None) -> ConnectCause:
    async with client_of(address, context) as client:
        with pytest.raises(ConnectFailed) as caught:
            await client.list_agents()
    assert not caught.value.was_maybe_delivered
    return caught.value.cause


async def test_a_name_that_does_not_exist_is_distinguished() -> None:
    context = make_ssl_context()
    assert await cause_at("https://no-such-host.invalid", context) is ConnectCause.DNS


async def test_a_port_where_nobody_listens_is_distinguished() -> None:
    with refused_port() as port:
        assert await cause_at(f"http://127.0.0.1:{port}") is ConnectCause.REFUSED


@pytest.mark.security(61)
async def test_a_certificate_that_nobody_trusts_is_distinguished(tmp_path: Path) -> None:
    tls = untrusted_context(tmp_path)
    server = await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", 0, ssl=tls)
    async with server:
        port = server.sockets[0].getsockname()[1]
        address = f"https://127.0.0.1:{port}"
        assert await cause_at(address, make_ssl_context()) is ConnectCause.TLS_UNKNOWN


async def test_https_at_a_service_that_speaks_plainly_is_distinguished() -> None:
    async def on_connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(on_connected, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert await cause_at(f"https://127.0.0.1:{port}", make_ssl_context()) is ConnectCause.TLS


async def test_a_post_is_tried_again_while_no_connection_comes_about() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    with refused_port() as port:
        address, retry = f"http://127.0.0.1:{port}", Retry(pause=pause)
        async with ApiClient(address, SecretStr(_KEY), retry=retry) as client:
            with pytest.raises(ConnectFailed):
                async with client.chat_stream("c1", "Hi"):
                    pass

    # One between each of three tries.
    assert len(pauses) == 2


async def test_request_of_a_closed_client_raises_api_error_and_is_sent_once() -> None:
    async def never_pause(seconds: float) -> None:
        pytest.fail(f"tried again after {seconds} s")

    async with FakeService(_KEY) as service:
        retry = Retry(pause=never_pause)
        client = ApiClient(service.base_url, SecretStr(_KEY), retry=retry)
        await client.aclose()
        with pytest.raises(ConnectionLost) as reading:
            await client.list_agents()
        with pytest.raises(ConnectionLost) as sending:
            async with client.chat_stream("c1", "Hi"):
                pass
        assert service.connection_count == 0
    for caught in (reading, sending):
        assert not caught.value.was_maybe_delivered


def test_an_https_address_needs_a_context() -> None:
    with pytest.raises(ValueError, match="ssl_context"):
        client_of("https://example.com")


@pytest.mark.security(59)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("where", ["host", "port", "scheme", "same"])
async def test_a_redirect_is_not_followed_and_names_its_target(status: int, where: str) -> None:
    async with FakeService() as elsewhere, FakeService(_KEY) as service:
        target = {
            "host": elsewhere.base_url.replace("127.0.0.1", "127.0.0.2"),
            "port": elsewhere.base_url,
            "scheme": service.base_url.replace("http", "https"),
            "same": f"{service.base_url}/v1/skills",
        }[where]
        for method in ("GET", "STREAM", "DELETE"):
            service.answers(status, headers={"Location": target}, method=method)
        async with client_of(service.base_url) as client:
            for error in [
                await error_of_listing(client),
                await error_of_chat(client),
                await error_of_deleting(client),
            ]:
                assert error.fault is AnswerFault.REDIRECT
                assert error.target == target
        assert len(service.requests) == 3
        assert elsewhere.requests == []
        assert elsewhere.connection_count == 0


async def error_of_listing(client: ApiClient) -> UnexpectedAnswer:
    with pytest.raises(UnexpectedAnswer) as caught:
        await client.list_agents()
    return caught.value


async def error_of_chat(client: ApiClient) -> UnexpectedAnswer:
    with pytest.raises(UnexpectedAnswer) as caught:
        async with client.chat_stream("c1", "A secret message"):
            pass
    return caught.value


async def error_of_deleting(client: ApiClient) -> UnexpectedAnswer:
    with pytest.raises(UnexpectedAnswer) as caught:
        await client.delete_conversation("c1")
    return caught.value


_IDS = {
    "c1": "c1",
    "a b": "a%20b",
    "a/b": "a%2Fb",
    "../agents": "..%2Fagents",
    "..\\agents": "..%5Cagents",
    "c1/../../agents": "c1%2F..%2F..%2Fagents",
    "/etc/passwd": "%2Fetc%2Fpasswd",
    "//evil.example": "%2F%2Fevil.example",
    "http://evil.example": "http%3A%2F%2Fevil.example",
    "c1?limit=1": "c1%3Flimit%3D1",
    "c1#top": "c1%23top",
    "c1;x=1": "c1%3Bx%3D1",
    "c1&x=1": "c1%26x%3D1",
    "%2f": "%252f",
    "%2e%2e": "%252e%252e",
    "..%2f": "..%252f",
    "%00": "%2500",
    "%": "%25",
    "...": "...",
    ".a": ".a",
    "a.": "a.",
    "~root": "~root",
    "a:b": "a%3Ab",
    "user@host": "user%40host",
    "[::1]": "%5B%3A%3A1%5D",
    '"quoted"': "%22quoted%22",
    "<b>": "%3Cb%3E",
    "ü": "%C3%BC",
    "会話": "%E4%BC%9A%E8%A9%B1",
    "😀": "%F0%9F%98%80",
    "a\u202eb": "a%E2%80%AEb",
    "a\u00a0b": "a%C2%A0b",
    "+": "%2B",
    "*": "%2A",
}
_REFUSED_IDS = (
    "",
    ".",
    "..",
    "a\r\nX-Evil: 1",
    "a\nb",
    "a\tb",
    "a\x00b",
    "a\x7fb",
    "a\x85b",
    "\ud800",
)


@pytest.mark.security(70)
def test_forty_ids_and_more_are_tried() -> None:
    assert len(_IDS) + len(_REFUSED_IDS) >= 40


@pytest.mark.security(70)
async def test_an_id_stays_one_part_of_the_path_whatever_it_holds() -> None:
    async with FakeService(_KEY) as service, client_of(service.base_url) as client:
        for conversation_id, encoded in _IDS.items():
            for ask in (client.get_conversation, client.delete_conversation):
                with pytest.raises(NotFound):
                    await ask(conversation_id)
            got, deleted = service.requests[-2:]
            line = f" /v1/conversations/{encoded} HTTP/1.1\r\n".encode()
            assert got.raw.startswith(b"GET" + line)
            assert deleted.raw.startswith(b"DELETE" + line)


@pytest.mark.security(70)
async def test_an_id_in_a_body_reaches_the_service_as_it_is() -> None:
    async with FakeService(_KEY) as service, client_of(service.base_url) as client:
        for conversation_id in _IDS:
            service.fails_with(404, "conversation_not_found")
            with pytest.raises(NotFound):
                async with client.chat_stream(conversation_id, "Hi"):
                    pass
            assert service.requests[-1].raw.startswith(b"POST /v1/chat/stream HTTP/1.1\r\n")
            assert service.requests[-1].json["conversation_id"] == conversation_id


@pytest.mark.security(70)
@pytest.mark.parametrize("conversation_id", _REFUSED_IDS)
async def test_an_id_that_would_change_the_address_is_refused_unsent(conversation_id: str) -> None:
    async with FakeService(_KEY) as service, client_of(service.base_url) as client:
        with pytest.raises(IdRefused):
            await client.get_conversation(conversation_id)
        with pytest.raises(IdRefused):
            await client.delete_conversation(conversation_id)
        assert service.requests == []
    with pytest.raises(IdRefused):
        encode_path_part(conversation_id)


@pytest.mark.security(64)
async def test_the_key_shows_in_no_log_error_or_description(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    shown: list[str] = []
    async with FakeService(_KEY) as service, client_of(service.base_url) as client:
        service.fails_with(500, method="GET")
        service.fails_with(401, method="GET")
        service.cuts("GET")
        service.answers(302, headers={"Location": "https://elsewhere.example"})
        service.answers(200, b"{")
        for _ in range(5):
            shown += await everything_about_the_error(client)
        service.says("Hel")
        service.cuts_after(1)
        async with client.chat_stream("c1", "Hi") as reply:
            shown += [repr(reply), repr(client), str(vars(client)), str(vars(reply))]
            with pytest.raises(ApiError) as caught:
                _ = [event async for event in reply]
        shown.append("".join(traceback.format_exception(caught.value)))
        assert all(request.header("X-API-Key") == _KEY for request in service.requests)
    logged = [record.getMessage() + str(record.__dict__) for record in caplog.records]
    assert logged
    assert not [text for text in [*shown, *logged] if "canary" in text]


async def everything_about_the_error(client: ApiClient) -> list[str]:
    """Traceback with every frame's variables, and what each error in the chain holds."""
    with pytest.raises(ApiError) as caught:
        await client.list_agents()
    told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    shown = ["".join(told.format())]
    error: BaseException | None = caught.value
    while error is not None:
        request = getattr(error, "_request", None)
        shown += [repr(error), str(vars(error)), str(request and request.headers.raw)]
        error = error.__cause__ or error.__context__
    return shown


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        (b"HTTP/1.1 200 OK\r\nX-Slow: ", TransportLimits(head_s=0.05)),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[", TransportLimits(body_s=0.05)),
    ],
    ids=["head", "body"],
)
async def test_an_answer_that_never_becomes_whole_is_given_up(
    sent: bytes, limits: TransportLimits
) -> None:
    async with ChaosService([[Step(sent, then=Act.HANG)]]) as chaos:
        wire = HttpTransport(
            chaos.base_url,
            None,
            ssl_context=None,
            user_agent="parley",
            limits=limits,
        )
        try:
            with pytest.raises(RequestTimeout) as caught:
                await wire.ask("GET", "/v1/agents")
        finally:
            await wire.aclose()
    assert caught.value.was_maybe_delivered


@pytest.mark.parametrize("turns", range(1, 13))
async def test_no_connection_is_left_where_a_client_closes_while_it_is_made(turns: int) -> None:
    async with FakeService() as service:
        client = ApiClient(service.base_url, SecretStr(_KEY), retry=_ONCE)
        asked = asyncio.create_task(client.list_agents())
        for _ in range(turns):
            await anyio.lowlevel.checkpoint()
        await client.aclose()
        (outcome,) = await asyncio.gather(asked, return_exceptions=True)
        with warnings.catch_warnings(record=True) as left:
            warnings.simplefilter("always")
            gc.collect()
        assert not left
        assert isinstance(outcome, ConnectionLost | tuple)
