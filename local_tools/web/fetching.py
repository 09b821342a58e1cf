"""Fetch a page from the public internet only, never from a private network (SSRF).

`WebAddress` parses the address, `is_public` tells which hosts are allowed, `Fetcher` fetches.

An address is parsed once, into ASCII, so that the address on the card is the one that is fetched.
Forms that parsers read differently (numeric hosts, backslashes, user names) are refused.

Every host is resolved once, here; all its addresses must be public, and the connection goes to one
of them, so that a name cannot change its address in between (DNS rebinding). No user data is sent:
no cookies, no proxy from the environment, no extra headers.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Final, TypeAlias
from urllib.parse import quote, urljoin, urlsplit

from local_tools.errors import ToolError, named

_LENGTH_LIMIT: Final = 2048
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
# A last label like this makes parsers read the whole host as an IPv4 address (WHATWG URL).
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_KEPT: Final = "%!$&'()*+,;=:@/~-._"
_EMBEDS_IPV4: Final = (
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),  # mapped
    (ipaddress.IPv6Network("2002::/16"), 80),  # 6to4
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),  # NAT64
)
_NEVER: Final = (
    ipaddress.IPv6Network("::/96"),  # IPv4-compatible, long withdrawn
    ipaddress.IPv6Network("64:ff9b:1::/48"),  # NAT64 of a network's own
    ipaddress.IPv6Network("2001::/32"),  # Teredo hides where it leads
    ipaddress.IPv6Network("fec0::/10"),  # site-local, long withdrawn
)
_ISATAP: Final = frozenset({0x5EFE, 0x0200_5EFE})

Address: TypeAlias = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A parsed address, as it is shown and fetched.

    Attributes:
        text: The whole address in ASCII, without a fragment.
        host: A name in ASCII, or an IP address without brackets.
        target: Path and query.
    """

    scheme: str
    host: str
    port: int
    target: str

    @classmethod
    def parse(cls, text: str) -> "WebAddress":
        """Parse an address.

        Raises:
            ToolError: When it cannot be fetched; the message says why.
        """
        if not text or len(text) > _LENGTH_LIMIT:
            raise ToolError(f"An address has 1 to {_LENGTH_LIMIT:,} characters.")
        if not text.isprintable() or any(item.isspace() or item in '\\"<>^`{|}' for item in text):
            raise ToolError("The address contains characters that no address has.")
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise _refused(text) from None
        if parts.scheme not in _DEFAULT_PORTS:
            raise ToolError("Only addresses that begin with https:// or http:// can be fetched.")
        if parts.username is not None or parts.password is not None or "@" in parts.netloc:
            raise ToolError("Addresses with a user name in them are refused.")
        if not parts.hostname or port == 0:
            raise _refused(text)
        target = quote(parts.path or "/", safe=_KEPT)
        if parts.query:
            target += "?" + quote(parts.query, safe=f"{_KEPT}?")
        host = _checked_host(parts.hostname, is_number="[" in parts.netloc)
        return cls(parts.scheme, host, port or _DEFAULT_PORTS[parts.scheme], target)

    @property
    def text(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: the site, for which rules are made."""
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """Host and port as in a URL and in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def joined(self, location: str) -> "WebAddress":
        """Return the address of a redirect to `location`.

        Raises:
            ToolError: When that address cannot be fetched.
        """
        try:
            text = urljoin(self.text, location)
        except ValueError:
            raise _refused(location) from None
        return WebAddress.parse(text)


def is_public(address: Address) -> bool:
    """Return whether an IP address is public; also looks into IPv4 embedded in IPv6."""
    if isinstance(address, IPv6Address):
        if any(address in network for network in _NEVER):
            return False
        number = int(address)
        for network, shift in _EMBEDS_IPV4:
            if address in network:
                return is_public(IPv4Address((number >> shift) & 0xFFFF_FFFF))
        if (number >> 32) & 0xFFFF_FFFF in _ISATAP:
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified
    )


def _checked_host(host: str, *, is_number: bool) -> str:
    if is_number:
        try:
            return str(IPv6Address(host))
        except ValueError:
            raise _refused(host) from None
    if not host.isascii():
        host = _to_ascii(host)
    name = host.lower().removesuffix(".")
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        try:
            return str(IPv4Address(name))
        except ValueError:
            raise ToolError(
                f"“{named(host)}” is a number written in an odd way, which is refused."
            ) from None
    if len(name) > 253 or _NAME.fullmatch(name) is None:
        raise _refused(host)
    return name


def _to_ascii(host: str) -> str:
    import idna  # noqa: PLC0415 - its tables are large and seldom needed

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise _refused(host) from None


def _refused(text: str) -> ToolError:
    return ToolError(f"“{named(text)}” is not an address that can be fetched.")


PAGE_LIMIT_BYTES: Final = 2 * 1024 * 1024
_REDIRECTS_LIMIT: Final = 5
_CONNECT_LIMIT_S: Final = 5.0
# How many addresses of a host are tried.
_PLACES_LIMIT: Final = 4
_READ_LIMIT_S: Final = 15.0
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_READABLE: Final = frozenset({"application/json", "application/xml", "application/xhtml+xml"})
# Automatic detection of gzip and zlib.
_ANY_HEADER: Final = 47

Resolve: TypeAlias = Callable[[str, int], Awaitable[tuple[Address, ...]]]


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A fetched page.

    Attributes:
        address: The final address; `earlier` has the redirects to it.
        kind: The media type without parameters, such as `text/html`.
        charset: As the server declares it; empty if it does not.
        is_cut: The page is longer than `PAGE_LIMIT_BYTES`.
    """

    address: WebAddress
    earlier: tuple[WebAddress, ...]
    kind: str
    charset: str
    data: bytes
    is_cut: bool


async def resolve_by_system(host: str, port: int) -> tuple[Address, ...]:
    """Resolve a host with the system's resolver; return all its addresses.

    Raises:
        ToolError: When the host is unknown.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise ToolError(f"There is no host “{named(host)}”, or the network is down.") from None
    # A link-local one may carry a zone, which says nothing here.
    texts = dict.fromkeys(str(item[4][0]).partition("%")[0] for item in found)
    return tuple(ip_address(text) for text in texts)


class Fetcher:
    """Fetches pages; opens new connections for each and keeps none."""

    def __init__(
        self,
        resolve: Resolve = resolve_by_system,
        may_reach: Callable[[Address], bool] = is_public,
    ) -> None:
        self._resolve = resolve
        self._may_reach = may_reach

    async def fetch(self, text: str) -> FetchedPage:
        """Fetch a page, following at most five redirects within its site.

        A redirect to another site is refused, since only this site was allowed.

        Raises:
            ToolError: When it cannot be fetched or read; the message says why.
        """
        address, earlier = WebAddress.parse(text), list[WebAddress]()
        while True:
            answer = await self._ask(address)
            if isinstance(answer, _Answer):
                return FetchedPage(address, tuple(earlier), *answer.parts)
            if len(earlier) == _REDIRECTS_LIMIT:
                raise ToolError(f"It is sent on more than {_REDIRECTS_LIMIT} times.")
            if answer.origin != address.origin:
                raise ToolError(
                    f"{address.text} sends on to {answer.text}, which is another site, and nothing "
                    "was asked there. If it is meant, fetch that address."
                )
            earlier.append(address)
            address = answer

    async def _ask(self, address: WebAddress) -> "_Answer | WebAddress":
        """Return what one address answers: a page, or where it sends on to."""
        addresses = await self._resolve(address.host, address.port)
        if not addresses or not all(map(self._may_reach, addresses)):
            raise ToolError(
                f"“{named(address.host)}” lies in a private network or on this computer, "
                "and pages are only fetched from the internet."
            )
        for place in addresses[:_PLACES_LIMIT]:
            answer = await _ask_place(address, place)
            if answer is not None:
                return answer
        raise ToolError(f"{address.host} cannot be reached.")


@dataclass(frozen=True, slots=True)
class _Answer:
    kind: str
    charset: str
    data: bytes
    is_cut: bool

    @property
    def parts(self) -> tuple[str, str, bytes, bool]:
        return self.kind, self.charset, self.data, self.is_cut


async def _ask_place(address: WebAddress, place: Address) -> "_Answer | WebAddress | None":
    """Ask one machine, in the name of the host; None when nobody is reached there."""
    import httpx  # noqa: PLC0415 - only this tool needs it

    request = _request(httpx, address, place)
    async with httpx.AsyncHTTPTransport(verify=_trust(address), trust_env=False) as transport:
        try:
            response = await transport.handle_async_request(request)
            async with aclosing(response):
                return await _read(response, address)
        except httpx.ConnectTimeout:
            return None
        except httpx.ConnectError as exc:
            if _is_about_trust(exc):
                raise ToolError(
                    f"The connection to {address.host} is not secure, so nothing was asked."
                ) from exc
            return None
        except httpx.TimeoutException as exc:
            raise ToolError(f"{address.host} did not answer in time.") from exc
        except (httpx.HTTPError, httpx.StreamError) as exc:
            raise ToolError(f"{address.host} did not answer as a web server does.") from exc


def _trust(address: WebAddress) -> ssl.SSLContext:
    """Return the TLS context for https; for plain http one without any authority."""
    if address.scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    import truststore  # noqa: PLC0415 - only https needs it

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _request(httpx: Any, address: WebAddress, place: Address) -> Any:
    """Return a request to one machine, in the name of the host that was asked for."""
    number = f"[{place}]" if place.version == 6 else str(place)
    return httpx.Request(
        "GET",
        f"{address.scheme}://{number}:{address.port}{address.target}",
        headers={
            "Host": address.authority,
            "Accept": "text/html,text/plain,application/json;q=0.9,*/*;q=0.1",
            "Accept-Encoding": "identity",
            "User-Agent": "Parley",
        },
        extensions={
            "sni_hostname": address.host,
            "timeout": {
                "connect": _CONNECT_LIMIT_S,
                "read": _READ_LIMIT_S,
                "write": _READ_LIMIT_S,
                "pool": _CONNECT_LIMIT_S,
            },
        },
    )


async def _read(response: Any, address: WebAddress) -> "_Answer | WebAddress":
    status = response.status_code
    if status in _REDIRECTS and "location" in response.headers:
        return address.joined(response.headers["location"])
    if status != 200:
        raise ToolError(f"{address.host} answered with {status} ({response.reason_phrase}).")
    kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if not kind.startswith("text/") and kind not in _READABLE:
        raise ToolError(f"What is there is of the kind “{named(kind)}”, which is no text.")
    data, is_cut = await _body(response)
    return _Answer(kind, response.charset_encoding or "", data, is_cut)


async def _body(response: Any) -> tuple[bytes, bool]:
    """Return the first bytes of the page, and whether there are more."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "deflate"):
        raise ToolError(f"The page came packed as “{named(encoding)}”, though nobody asked for it.")
    unpack = zlib.decompressobj(_ANY_HEADER) if encoding in ("gzip", "deflate") else None
    data = bytearray()
    async for chunk in response.aiter_raw():
        try:
            # The limit holds for the decompressed page, too.
            room = PAGE_LIMIT_BYTES + 1 - len(data)
            data += unpack.decompress(chunk, room) if unpack else chunk
        except zlib.error:
            raise ToolError("The page came packed and could not be unpacked.") from None
        if len(data) > PAGE_LIMIT_BYTES:
            return bytes(data[:PAGE_LIMIT_BYTES]), True
    return bytes(data), False


def _is_about_trust(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
