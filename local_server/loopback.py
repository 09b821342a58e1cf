"""HTTP clients for other servers, above all those on this computer.

`new_client` makes a client for one server and `ask_for_object` gets a JSON object by it.
`is_loopback` tells from an address alone, without asking it, whether it stays on this computer.
"""

import asyncio
import logging
import ssl
from collections.abc import Collection, Mapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore2
import httpx2

from local_server.plain_streams import PlainNetwork
from local_server.schemas import JsonTextError, parse_json

log = logging.getLogger(__name__)

_LARGEST_ANSWER_BYTES: Final = 4 * 1024 * 1024
# Lists of models hold some 70 values a row, and may have thousands of rows.
_MOST_VALUES: Final = 500_000
# Limits idle connections only: the number of streams is limited where requests come in.
_IDLE: Final = 100
_CONNECT_S: Final = 10
_SILENCE_S: Final = 120
# A server on this computer may have to load a model before its first word.
_LOADING_S: Final = 300


def is_loopback(address: str) -> bool:
    """Return whether a URL stays on this computer."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class ServerClient(httpx2.AsyncClient):
    """Sends a request once more if a reused connection turns out to be dead.

    Many servers close a connection after a stream, or after a while, and the close may not have
    arrived when the next request is sent. Browsers then retry any request, and so does this client:
    no part of an answer is lost, and a model can be asked twice. On a fresh connection nothing is
    repeated. Whoever makes it closes it.
    """

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request.

        Raises:
            httpx2.HTTPError: When that is not possible.
        """
        while True:
            course = _Course()
            request.extensions["trace"] = course
            try:
                return await super().send(request, **options)
            except (httpx2.NetworkError, httpx2.RemoteProtocolError):
                # Each closed connection leaves the pool, so the retries end with a new one.
                if course.is_fresh or course.has_answer:
                    raise
                log.debug("a reused connection was closed; sending the request once more")


class AnswerRefusedError(Exception):
    """The status of an answer counts as a refusal, as of a key."""


class _Course:
    """Follows a request by the trace events of httpcore. Made for one try.

    Attributes:
        is_fresh: The connection was made for this request.
        has_answer: The head of an answer came.
    """

    def __init__(self) -> None:
        self.is_fresh = False
        self.has_answer = False

    async def __call__(self, event: str, details: Mapping[str, Any]) -> None:
        """Take an event, such as `http11.receive_response_headers.complete`."""
        del details
        _, doing, state = event.split(".")
        if doing.startswith("connect_"):
            self.is_fresh = True
        elif (doing, state) == ("receive_response_headers", "complete"):
            self.has_answer = True


def connection_options(address: str) -> dict[str, Any]:
    """Choose an HTTP client's options for a server: never a redirect, and its time-outs.

    On this computer there are no proxies, whatever the environment says, and no certificates:
    loading those would take a tenth of a second for nothing.
    """
    options = {
        # No compression: a small compressed answer could expand beyond all memory.
        "headers": {"Accept-Encoding": "identity"},
        "timeout": httpx2.Timeout(_SILENCE_S, connect=_CONNECT_S),
        "limits": httpx2.Limits(max_connections=None, max_keepalive_connections=_IDLE),
        "follow_redirects": False,
        "trust_env": not is_loopback(address),
    }
    if is_loopback(address) and urlsplit(address).scheme == "http":
        options["timeout"] = httpx2.Timeout(_LOADING_S, connect=_CONNECT_S)
        options["verify"] = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return options


def new_client(address: str, socket_path: str | None = None) -> ServerClient:
    """Make a client for one server; for all on this computer, any of their addresses will do.

    Given the path of a socket, what listens there is asked instead.
    """
    options = connection_options(address)
    if socket_path is not None or "verify" in options:
        options.pop("verify", None)
        options["transport"] = _PlainTransport(options.pop("limits"), socket_path)
    return ServerClient(**options)


class _PlainTransport(httpx2.AsyncHTTPTransport):
    """An HTTP transport on our network backend (`PlainNetwork`). Made for one client."""

    def __init__(self, limits: httpx2.Limits, socket_path: str | None) -> None:
        # It takes no network by itself.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            uds=socket_path,
            network_backend=PlainNetwork(),
        )


async def ask_for_object(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    timeout_s: float,
    refusals: Collection[int] = (),
) -> dict[str, Any]:
    """Get a JSON object; return an empty one if the answer is anything else, too long, or missing.

    Raises:
        AnswerRefusedError: The status of the answer is one of `refusals`.
    """
    try:
        async with asyncio.timeout(timeout_s):
            response = await client.send(request, stream=True)
            try:
                body = await _limited(response, refusals)
            finally:
                await response.aclose()
        answer = parse_json(body, _MOST_VALUES)
    except (httpx2.HTTPError, TimeoutError, JsonTextError):
        return {}
    return answer if isinstance(answer, dict) else {}


async def _limited(response: httpx2.Response, refusals: Collection[int]) -> bytes:
    body = b""
    if response.status_code in refusals:
        raise AnswerRefusedError
    if response.status_code != httpx2.codes.OK:
        return body
    # Raw: compression was not requested, and decompression would have no limit.
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > _LARGEST_ANSWER_BYTES:
            return b""
    return body
