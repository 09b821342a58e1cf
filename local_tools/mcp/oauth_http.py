"""The HTTP client of sign-ins: restricts the addresses that a server may send it to."""

import asyncio
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth

from local_tools.errors import ToolError, named
from local_tools.mcp.config import RemoteAddress, check_url, is_loopback
from local_tools.translation_marks import QT_TRANSLATE_NOOP
from local_tools.web.fetching import Address, Resolve, is_public

_ANSWER_LIMIT_S: Final = 20.0
_PAGE_CHARS: Final = 8192
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_NO_PAGE: Final = QT_TRANSLATE_NOOP(
    "ToolServers", "Its sign-in page does not use https, so it was not opened."
)


class OAuthHttpClient:
    """Sends the requests of one server's sign-in. Holds no connection between requests.

    Any host other than the server itself must use https. If the server is on the public internet,
    hosts of private networks are refused, also if a public name resolves to them.
    """

    def __init__(
        self,
        server_url: str,
        client_for: Callable[[RemoteAddress], Awaitable[Any]],
        resolve: Callable[[str], Awaitable[Resolve | None]],
    ) -> None:
        """Make a client for the sign-in to one server.

        Args:
            server_url: The address of the server, as the user wrote it.
            client_for: Makes a client for an address; `ask` closes it.
            resolve: Finds machines for an address; None where a proxy does that.
        """
        self._server_url = server_url
        self._client_for = client_for
        self._resolve = resolve

    @property
    def _is_here(self) -> bool:
        return is_loopback(urlsplit(self._server_url).hostname or "")

    async def ask(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; return the answer, read and closed. Redirects are not followed.

        Raises:
            ToolError: The address is not allowed, or the answer took too long.
            httpx2.HTTPError: The host does not answer.
        """
        place = RemoteAddress(str(request.url))
        try:
            async with asyncio.timeout(_ANSWER_LIMIT_S):
                machines = await self._machines(place)
                client = await self._client_for(place)
                async with client:
                    return await _answer(client, request, machines)
        except TimeoutError as exc:
            raise ToolError(f"{place.host} did not answer in time.") from exc

    def without_foreign_metadata(self, response: httpx2.Response) -> httpx2.Response:
        """Return the server's answer without a header that names metadata on another host."""
        named_url = extract_field_from_www_auth(response, "resource_metadata")
        if named_url and _origin(urlsplit(named_url)) != _origin(urlsplit(self._server_url)):
            del response.headers["www-authenticate"]
        return response

    def check_page(self, url: str) -> str:
        """Return the host of a URL that the browser may open.

        Raises:
            ToolError: The URL is not allowed.
        """
        if len(url) > _PAGE_CHARS:
            raise ToolError(_NO_PAGE)
        try:
            check_url(url)
        except ToolError as exc:
            raise ToolError(_NO_PAGE) from exc
        parts = urlsplit(url)
        host = parts.hostname or ""
        # A remote server must not send requests to programs on this computer.
        if (parts.scheme != "https" or is_loopback(host)) and not self._is_here:
            raise ToolError(_NO_PAGE)
        return host

    async def _machines(self, place: RemoteAddress) -> tuple[Address, ...]:
        """Find the machines that may be asked for an address; none when there is no choice."""
        if _origin(urlsplit(place.url)) == _origin(urlsplit(self._server_url)) or self._is_here:
            return ()
        if is_loopback(place.host):
            raise _refused(place)
        if not await self._is_open(RemoteAddress(self._server_url)):
            return ()
        machines = await self._found(place)
        if not all(map(is_public, machines)):
            raise _refused(place)
        return machines

    async def _is_open(self, place: RemoteAddress) -> bool:
        """Return whether an address belongs to the open internet."""
        return all(map(is_public, await self._found(place)))

    async def _found(self, place: RemoteAddress) -> tuple[Address, ...]:
        try:
            return (ip_address(place.host),)
        except ValueError:
            resolve = await self._resolve(place.url)
            port = urlsplit(place.url).port or _DEFAULT_PORTS["https"]
            return () if resolve is None else await resolve(place.host, port)


async def _answer(
    client: Any, request: httpx2.Request, machines: tuple[Address, ...]
) -> httpx2.Response:
    sent = _to_machine(request, machines[0]) if machines else request
    response = await client.send(sent, stream=True, follow_redirects=False)
    try:
        kind = response.headers.get("content-type", "")
        # A stream of events may never end, and is no answer in a sign-in.
        body = b"" if kind.startswith("text/event-stream") else await response.aread()
    finally:
        await response.aclose()
    return httpx2.Response(
        response.status_code, headers=response.headers, content=body, request=request
    )


def _to_machine(request: httpx2.Request, machine: Address) -> httpx2.Request:
    """Return the request to the one address that was checked, still in the name of its host."""
    host, headers = request.url.host, request.headers.copy()
    headers["Host"] = request.url.netloc.decode("ascii")
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=str(machine)),
        headers=headers,
        content=request.content,
        extensions={**request.extensions, "sni_hostname": host},
    )


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    try:
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        port = None
    return parts.scheme, parts.hostname or "", port


def _refused(place: RemoteAddress) -> ToolError:
    return ToolError(
        f"Its sign-in leads to “{named(place.host)}”, in a private network or on this computer, "
        "so it was given up."
    )
