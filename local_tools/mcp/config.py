"""The configuration of a tool server: a local program or an address, and what it may access."""

import hashlib
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from local_tools.errors import ToolError, named
from local_tools.translation_marks import QT_TRANSLATE_NOOP

Secrets: TypeAlias = Mapping[str, str]
"""Values of variables or headers, by name; never written into a log."""

NAME_LIMIT: Final = 40

_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9-]+")
_HASH_CHARS: Final = 6
_PREFIX_CHARS: Final = 24
_WIRE_NAME_CHARS: Final = 64
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")


@dataclass(frozen=True, slots=True)
class LocalProgram:
    """A server that is a program on this computer, connected over stdin and stdout.

    Attributes:
        command: As the user wrote it; resolved to a path at start.
        environment: Variables in addition to the few that every server gets.
    """

    command: str
    arguments: tuple[str, ...] = ()
    environment: Secrets = field(default_factory=dict, repr=False)
    kind: Literal["program"] = "program"

    def __post_init__(self) -> None:
        texts = (self.command, *self.arguments, *self.environment, *self.environment.values())
        if not self.command.strip():
            raise ToolError(
                QT_TRANSLATE_NOOP("ToolServers", "A server needs a command or an address.")
            )
        if any("\0" in text for text in texts):
            raise ToolError(
                QT_TRANSLATE_NOOP("ToolServers", "The command contains a NUL character.")
            )
        if any(not name or "=" in name for name in self.environment):
            raise ToolError(
                QT_TRANSLATE_NOOP("ToolServers", "The name of a variable is empty or contains “=”.")
            )


@dataclass(frozen=True, slots=True)
class RemoteAddress:
    """A server at an address (streamable HTTP)."""

    url: str
    headers: Secrets = field(default_factory=dict, repr=False)
    kind: Literal["address"] = "address"

    def __post_init__(self) -> None:
        check_url(self.url)
        for name, value in self.headers.items():
            if _HEADER_NAME.fullmatch(name) is None:
                raise ToolError(f"“{named(name)}” cannot be the name of a header.")
            if not value.isascii() or not value.isprintable():
                raise ToolError(f"The header “{name}” has a character that no header can carry.")

    @property
    def host(self) -> str:
        """The host of its address."""
        return urlsplit(self.url).hostname or ""

    @property
    def origin(self) -> str:
        """Scheme, host and port, normalized."""
        parts = urlsplit(self.url)
        port = parts.port or (443 if parts.scheme.lower() == "https" else 80)
        return f"{parts.scheme.lower()}://{self.host}:{port}"


@dataclass(frozen=True, slots=True)
class ServerBounds:
    """What a local server may access, chosen when it is switched on. By default nothing.

    Attributes:
        folder: The one user folder that it can see; empty for none.
    """

    folder: str = ""
    may_write: bool = False
    may_connect: bool = False


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The configuration of one tool server.

    Attributes:
        name: Unique among the servers; shown to the user.
        speaks_legacy: Use the initialization of protocol versions before 2026, without negotiation.
    """

    name: str
    place: LocalProgram | RemoteAddress
    bounds: ServerBounds = ServerBounds()
    speaks_legacy: bool = False

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > NAME_LIMIT or not self.name.isprintable():
            raise ToolError(f"A server's name has 1 to {NAME_LIMIT} visible characters.")

    @property
    def source(self) -> str:
        """The `source` of this server's tools in the registry."""
        return f"mcp:{self.name}"

    @property
    def prefix(self) -> str:
        """The prefix of its tools' names: unique for each server, no double underscore."""
        if _PLAIN_NAME.fullmatch(self.name) and len(self.name) <= _PREFIX_CHARS:
            return self.name
        plain = _UNFIT.sub("-", self.name).strip("-")[: _PREFIX_CHARS - _HASH_CHARS - 1]
        return f"{plain}-{_short_hash(self.name)}".lstrip("-")


def wire_name(config: ServerConfig, tool_name: str) -> str:
    """Return the unique name under which a tool is declared, in the allowed characters."""
    whole = f"{config.prefix}__{tool_name}"
    if re.fullmatch(r"[A-Za-z0-9_-]+", tool_name) and len(whole) <= _WIRE_NAME_CHARS:
        return whole
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", whole)[: _WIRE_NAME_CHARS - _HASH_CHARS - 1]
    return f"{plain}-{_short_hash(tool_name)}"


def check_url(url: str) -> None:
    """Refuse an address that is neither https nor on this computer.

    Raises:
        ToolError: When it is refused; the message says why.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as exc:
        raise ToolError(QT_TRANSLATE_NOOP("ToolServers", "This is not an address.")) from exc
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url or not host:
        raise ToolError(QT_TRANSLATE_NOOP("ToolServers", "This is not an address."))
    if parts.username is not None or parts.password is not None:
        raise ToolError(
            QT_TRANSLATE_NOOP(
                "ToolServers",
                "The address cannot contain a name or password. Use a header instead.",
            )
        )
    if parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)):
        return
    raise ToolError(
        QT_TRANSLATE_NOOP(
            "ToolServers", "The address must begin with https://, except on this computer."
        )
    )


def is_loopback(host: str) -> bool:
    """Return whether a host is this computer."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_CHARS]
