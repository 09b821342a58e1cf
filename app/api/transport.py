"""Send requests over HTTP: connections, limits, and the translation of transport errors.

This is the one place that knows the HTTP library, and is imported for the first request: the start
sends none. `HttpTransport` sends and reads within `TransportLimits`; `ProxyConnectTimeout` limits
how long a proxy may take to open a connection.

The key is added last, in the transport, so that no request object that an error, a log or a
traceback may show ever holds it.
"""

import asyncio
import errno
import http.cookiejar
import ssl
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from socket import gaierror
from types import MappingProxyType
from typing import Final, Protocol

import httpx
from httpx_sse import EventSource
from pydantic import JsonValue, SecretStr

from app.api.errors import (
    AnswerFault,
    ApiError,
    ConnectCause,
    ConnectFailed,
    ConnectionLost,
    RequestTimeout,
    StreamBroken,
    StreamFault,
    UnexpectedAnswer,
)
from app.api.http_exchange import (
    CONNECT_S,
    EVENT_STREAM,
    AnswerStream,
    HttpResponse,
    TransportLimits,
)


class _Asked(Protocol):
    @property
    def method(self) -> bytes:
        """The verb of a request."""


class ProxyConnectTimeout:
    """Shortens the time limit of a request while a proxy opens the connection.

    The library has one limit for every answer, and that of a reply is far too long for this.
    Call it as the library's `trace`.
    """

    def __init__(self, limit: asyncio.Timeout, limit_s: float = CONNECT_S) -> None:
        self._limit = limit
        self._limit_s = limit_s
        self._usual: float | None = None
        self.is_asking = False
        self._is_ended = False

    def end(self) -> None:
        """End the request now, whichever step comes next."""
        self._is_ended = True
        if not self._limit.expired():
            # Zero lies in the past of the loop's clock, so it is due at once.
            self._limit.reschedule(0)

    async def __call__(self, event: str, info: Mapping[str, _Asked]) -> None:
        """Follow a step of the library."""
        step, _, state = event.rpartition(".")
        request = info.get("request")
        if self._is_ended or step != "http11.receive_response_headers":
            return
        if state == "started" and request and request.method == b"CONNECT":
            self.is_asking = True
            self._usual = self._limit.when()
            self._limit.reschedule(asyncio.get_running_loop().time() + self._limit_s)
        elif state == "complete" and self.is_asking:
            self.is_asking = False
            self._limit.reschedule(self._usual)


_WRITE_S: Final = 30.0
_READ_S: Final = 120.0
_POOL_S: Final = 10.0
_CLOSE_S: Final = 2.0
# Many servers hang up after five seconds: a POST must not meet a connection that is closing.
_KEEP_ALIVE_S: Final = 3.0
_BODY_LIMIT_BYTES: Final = 32 * 1024 * 1024
_TARGET_LIMIT_CHARS: Final = 200

# What goes wrong outside; the library's other errors are mistakes of ours.
_OUTSIDE: Final = (
    httpx.TimeoutException,
    httpx.NetworkError,
    httpx.ProxyError,
    httpx.RemoteProtocolError,
)
# What OpenSSL says of a certificate: its dates, its name, or who vouches for it.
_CERTIFICATE_CAUSES: Final = {
    **dict.fromkeys((9, 10), ConnectCause.TLS_DATE),
    **dict.fromkeys((62, 64), ConnectCause.TLS_NAME),
    **dict.fromkeys((18, 19, 20, 21), ConnectCause.TLS_UNKNOWN),
}
# httpx has no class of its own for a connection that ended: only these texts tell it from a
# server that does not speak HTTP.
_HUNG_UP: Final = ("Server disconnected", "peer closed connection")


def decode_events(batch: str) -> Iterator[tuple[str, str]]:
    """Decode whole events, as `SseFramer` passes them on, into (name, data)."""
    headers = {"content-type": f"{EVENT_STREAM}; charset=utf-8"}
    source = EventSource(httpx.Response(200, headers=headers, content=batch.encode()))
    return ((event.event, event.data) for event in source.iter_sse())


class ByteStream:
    """The bytes of a reply as they come; closed by whoever opened it."""

    def __init__(self, response: httpx.Response, answer: HttpResponse) -> None:
        self.answer = answer
        self._response = response
        # Raw, so that nothing is unpacked, whatever the answer says of its encoding (threat 71).
        self._chunks = response.aiter_raw()

    async def read(self) -> bytes | None:
        """Wait for the next bytes; None when the service has ended the stream.

        Raises:
            StreamBroken: the connection was cut, or was silent for too long.
        """
        try:
            return await anext(self._chunks, None)
        except httpx.TimeoutException as exc:
            raise StreamBroken(StreamFault.STALLED, {"seconds": round(_READ_S)}) from exc
        except httpx.TransportError as exc:
            raise StreamBroken(StreamFault.CUT) from exc

    async def aclose(self) -> None:
        """Close the connection, unless it is at its end, and everything that read from it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_S):
                await self._response.aclose()
                await self._unwind()

    async def _unwind(self) -> None:
        """Bring the library's own nested generators to their end.

        WORKAROUND closing httpx's outer generator leaves the inner ones to the garbage collector;
        reading on from the closed connection ends all of them, from the inside out.
        """
        with suppress(httpx.HTTPError, httpx.StreamError):
            async for _ in self._chunks:
                pass


class HttpTransport:
    """Sends requests to one address with one key, or with none.

    Made by `ApiClient`, which closes it.
    """

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr | None,
        *,
        ssl_context: ssl.SSLContext | None,
        user_agent: str,
        proxy: str | None = None,
        limits: TransportLimits | None = None,
    ) -> None:
        url = httpx.URL(base_url)
        self._has_proxy = proxy is not None
        self.host = url.host if url.port is None else f"{url.host}:{url.port}"
        self._base_url = base_url
        self._limits = limits or TransportLimits()
        transport = _make_transport(url, ssl_context, proxy)
        self._client = httpx.AsyncClient(
            transport=_KeyedTransport(transport, api_key) if api_key else transport,
            timeout=httpx.Timeout(connect=CONNECT_S, write=_WRITE_S, read=_READ_S, pool=_POOL_S),
            headers={"User-Agent": user_agent, "Accept-Encoding": "identity"},
            # httpx would send back every cookie that a service sets; the interface has none.
            cookies=_no_cookies(),
            # A redirect would take the key elsewhere (threat 59), a proxy variable too (62).
            follow_redirects=False,
            trust_env=False,
        )
        self._is_closed = False
        self._asking: set[ProxyConnectTimeout] = set()
        self._asked_all = asyncio.Event()

    async def ask(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: JsonValue = None,
    ) -> HttpResponse:
        """Send a request and read the whole answer, whatever its status."""
        stream = await self.connect(method, path, params=params, body=body)
        try:
            return await self.read_body(stream)
        finally:
            await stream.aclose()

    async def connect(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: JsonValue = None,
        accept: str = "application/json",
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> ByteStream:
        """Send a request; return once the head of the answer is there. The caller closes it.

        Raises:
            ConnectFailed: no connection came about.
            ConnectionLost: it was cut, or this wire is closed and nothing was sent.
            RequestTimeout: no answer came in time.
            UnexpectedAnswer: what answers does not speak HTTP, or speaks it compressed.
        """
        if self._is_closed:
            raise ConnectionLost(was_maybe_delivered=False)
        request = self._client.build_request(
            method,
            self._base_url + path,
            params=params,
            json=body,
            headers={"Accept": accept, **headers},
        )
        limit = asyncio.timeout(self._limits.head_s)
        tunnel = ProxyConnectTimeout(limit, self._limits.proxy_s)
        if self._has_proxy:
            request.extensions["trace"] = tunnel
        self._asking.add(tunnel)
        try:
            async with limit:
                response = await self._client.send(request, stream=True)
        except TimeoutError as exc:
            if self._is_closed:
                raise ConnectionLost from exc
            if tunnel.is_asking:
                raise ConnectFailed(ConnectCause.PROXY, self.host) from exc
            raise RequestTimeout from exc
        except _OUTSIDE as exc:
            raise self._translated(exc) from exc
        finally:
            self._asking.discard(tunnel)
            if not self._asking:
                self._asked_all.set()
        stream = ByteStream(response, _head_of(response))
        if response.headers.get("content-encoding", "identity") != "identity":
            # We ask for none: a small compressed body may unpack to one that fills the memory.
            await stream.aclose()
            raise UnexpectedAnswer(AnswerFault.UNREADABLE, self.host, detail="compressed")
        return stream

    async def read_body(
        self, stream: AnswerStream, limit_bytes: int = _BODY_LIMIT_BYTES
    ) -> HttpResponse:
        """Read an answer to its end.

        Raises:
            UnexpectedAnswer: it is larger than `limit_bytes`.
            ConnectionLost: it was cut.
            RequestTimeout: it did not come to its end in time.
        """
        answer = await self.read_beginning(stream, limit_bytes + 1)
        if len(answer.body) > limit_bytes:
            raise UnexpectedAnswer(AnswerFault.TOO_LARGE, self.host)
        return answer

    async def read_beginning(self, stream: AnswerStream, size_bytes: int) -> HttpResponse:
        """Read at most so much of an answer.

        Raises:
            ConnectionLost: it was cut.
            RequestTimeout: it did not come in time.
        """
        try:
            async with asyncio.timeout(self._limits.body_s):
                body = await _beginning_of(stream, size_bytes)
        except TimeoutError as exc:
            raise RequestTimeout from exc
        except StreamBroken as exc:
            stalled = exc.fault is StreamFault.STALLED
            raise (RequestTimeout() if stalled else ConnectionLost()) from exc
        head = stream.answer
        return replace(head, body=body)

    async def aclose(self) -> None:
        """End what is being asked, with `ConnectionLost`, and close every connection."""
        self._is_closed = True
        # The library forgets a connection that is made while it closes, and leaves it open.
        for request in self._asking:
            request.end()
        if self._asking:
            self._asked_all.clear()
            await self._asked_all.wait()
        await self._client.aclose()

    def _translated(self, exc: httpx.TransportError) -> ApiError:
        match exc:
            case httpx.ConnectTimeout():
                error: ApiError = ConnectFailed(self._cause(ConnectCause.TIMEOUT), self.host)
            # A pool that is exhausted gave no connection, so nothing left.
            case httpx.TimeoutException():
                error = RequestTimeout(was_maybe_delivered=not isinstance(exc, httpx.PoolTimeout))
            case httpx.ProxyError():
                error = ConnectFailed(ConnectCause.PROXY, self.host)
            case httpx.ConnectError():
                error = ConnectFailed(self._cause(_connect_cause(exc)), self.host)
            case httpx.RemoteProtocolError() if not str(exc).startswith(_HUNG_UP):
                error = UnexpectedAnswer(AnswerFault.UNREADABLE, self.host, detail="not HTTP")
            case _:
                error = ConnectionLost()
        return error

    def _cause(self, cause: ConnectCause) -> ConnectCause:
        """Return why a connection failed; through a proxy, only a TLS error is the service's."""
        is_behind = cause.name.startswith("TLS")
        return ConnectCause.PROXY if self._has_proxy and not is_behind else cause


class _KeyedTransport(httpx.AsyncBaseTransport):
    """Adds the key to a copy of each request, behind everything that could show it."""

    def __init__(self, inner: httpx.AsyncBaseTransport, api_key: SecretStr) -> None:
        self._inner = inner
        self._api_key = api_key

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        # Not one variable holds the key: a crash report may show what a frame holds.
        keyed = httpx.Request(
            request.method,
            request.url,
            headers=[
                *request.headers.raw,
                (b"X-API-Key", self._api_key.get_secret_value().encode("ascii")),
            ],
            stream=request.stream,
            extensions=request.extensions,
        )
        return await self._inner.handle_async_request(keyed)

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _beginning_of(stream: AnswerStream, size_bytes: int) -> bytes:
    body = bytearray()
    while len(body) < size_bytes and (chunk := await stream.read()) is not None:
        body += chunk
    return bytes(body[:size_bytes])


def ascii_host(url: str) -> str:
    """Return the host of `url` as it goes out on the network, in punycode.

    Raises:
        ValueError: there is no such host name.
    """
    try:
        return httpx.URL(url).raw_host.decode("ascii")
    except httpx.InvalidURL as exc:
        raise ValueError(str(exc)) from exc


def _make_transport(
    url: httpx.URL, context: ssl.SSLContext | None, proxy: str | None
) -> httpx.AsyncHTTPTransport:
    if context is None:
        if url.scheme == "https":
            raise ValueError("an https address needs an ssl_context")
        # Building the default context costs 90 ms and plain loopback never uses it. An empty one
        # trusts nobody, should it ever be asked.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    limits = httpx.Limits(keepalive_expiry=_KEEP_ALIVE_S)
    through = None
    if proxy:
        is_secure = proxy.startswith("https:")
        through = httpx.Proxy(proxy, ssl_context=context if is_secure else None)
    return httpx.AsyncHTTPTransport(verify=context, trust_env=False, limits=limits, proxy=through)


def _no_cookies() -> http.cookiejar.CookieJar:
    return http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=()))


def _head_of(response: httpx.Response) -> HttpResponse:
    return HttpResponse(
        response.status_code,
        response.headers.get("content-type", "").partition(";")[0].strip().lower(),
        response.headers.get("retry-after", ""),
        response.headers.get("location", "")[:_TARGET_LIMIT_CHARS],
        response.headers.get("parley-extensions", "")[:_TARGET_LIMIT_CHARS],
    )


def _connect_cause(exc: BaseException) -> ConnectCause:
    """Find the reason at the bottom of the chain; a cut handshake counts as TLS."""
    for error in _chain(exc):
        match error:
            case gaierror():
                return ConnectCause.DNS
            case ssl.SSLError():
                code = getattr(error, "verify_code", 0)
                return _CERTIFICATE_CAUSES.get(code, ConnectCause.TLS)
            case ConnectionRefusedError():
                return ConnectCause.REFUSED
            case TimeoutError():
                return ConnectCause.TIMEOUT
            case OSError(errno=number) if number in {errno.ENETUNREACH, errno.EHOSTUNREACH}:
                return ConnectCause.UNREACHABLE
    deepest = list(_chain(exc))[-1]
    return ConnectCause.UNREACHABLE if isinstance(deepest, OSError) else ConnectCause.TLS


def _chain(exc: BaseException) -> Iterator[BaseException]:
    yield exc
    # A host with several addresses fails with a group, one error for each address tried.
    if isinstance(exc, BaseExceptionGroup):
        for member in exc.exceptions:
            yield from _chain(member)
    below = exc.__cause__ or exc.__context__
    if below is not None:
        yield from _chain(below)
