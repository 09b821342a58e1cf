"""Which web address a text means, and which machines may be asked: never one of our own network.

An address is read once, into ASCII; what is shown is what is fetched. Forms that two readers read
differently (numbers for hosts, backslashes, user names) are refused.
"""

import ipaddress
import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, TypeAlias
from urllib.parse import quote, urljoin, urlsplit

from local_tools.errors import ToolError, named

_LENGTH_LIMIT: Final = 2048
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
# A last part like this makes readers take the whole for a number.
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
    """An address as it is shown and fetched.

    Attributes:
        text: The whole of it in ASCII, without a fragment.
        host: A name in ASCII, or a number without brackets.
        target: Path and query.
    """

    scheme: str
    host: str
    port: int
    target: str

    @classmethod
    def parse(cls, text: str) -> "WebAddress":
        """Read an address.

        Raises:
            ToolError: When it is none that can be fetched; the sentence says why.
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
        """Scheme, name and port: what a site is, and what a rule about one is for."""
        return f"{self.scheme}://{self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """Host and port as they stand in an address and in a request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def joined(self, location: str) -> "WebAddress":
        """Where a redirect leads.

        Raises:
            ToolError: When that is no address that can be fetched.
        """
        try:
            text = urljoin(self.text, location)
        except ValueError:
            raise _refused(location) from None
        return WebAddress.parse(text)


def is_public(address: Address) -> bool:
    """Whether an address belongs to the open internet, whatever it is wrapped in."""
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
