"""A tool server as it is kept: what it is, what was decided about it, and what of it is secret."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerConfig

_SOUNDS_SECRET: Final = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|cookie|dsn|private|connection|(^|_)pat($|_)",
    re.IGNORECASE,
)
# A password within an address.
_LOOKS_SECRET: Final = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


@dataclass(frozen=True, slots=True)
class Pin:
    """A tool as it was when the user last looked at it.

    Attributes:
        digest: Which tool it was; empty if it was refused, or if it is another one by what the
            user lets its server reach since then.
        said: What the server said of it.
    """

    digest: str
    said: str

    def fits(self, now: "Pin") -> bool:
        """Whether nothing changed of it that the user did not change."""
        return self.digest == now.digest or (not self.digest and self.said == now.said)


@dataclass(frozen=True, slots=True)
class KeptServer:
    """One server and what was decided about it.

    Attributes:
        approved: What it was when it was switched on (`fingerprint`); empty while it is off.
        tools_off: Those of its tools that are not offered, by its own names.
        pins: Its tools as they were seen last; None before anybody saw any.
        others: What else the file says of it, which belongs to other programs.
    """

    config: ServerConfig
    approved: str = ""
    tools_off: frozenset[str] = frozenset()
    pins: Mapping[str, Pin] | None = None
    others: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def is_on(self) -> bool:
        """Whether it may run: it was switched on, and is still what it was then."""
        return self.approved == fingerprint(self.config)


def fingerprint(config: ServerConfig) -> str:
    """What a server is, as far as switching it on is concerned; no secret is in it."""
    place, bounds = config.place, config.bounds
    if isinstance(place, LocalProgram):
        plain = {n: "" if is_secret(n, v) else v for n, v in place.environment.items()}
        what = [place.command, list(place.arguments), sorted(plain.items())]
    else:
        what = [place.url, sorted(place.headers)]
    reach = [bounds.folder, bounds.may_write, bounds.may_connect]
    return hashlib.sha256(json.dumps([config.name, what, reach]).encode()).hexdigest()


def secrets_of(config: ServerConfig) -> dict[str, str]:
    """What of a server belongs into the keyring."""
    place = config.place
    if isinstance(place, RemoteAddress):
        return dict(place.headers)
    return {name: value for name, value in place.environment.items() if is_secret(name, value)}


def has_secrets(config: ServerConfig) -> bool:
    """Whether there is anything in it that belongs there."""
    return any(secrets_of(config).values())


def with_secrets(config: ServerConfig, values: Mapping[str, str]) -> ServerConfig:
    """The server with what the keyring has for it."""
    place = config.place
    if isinstance(place, RemoteAddress):
        headers = {name: values.get(name, value) for name, value in place.headers.items()}
        return replace(config, place=replace(place, headers=headers))
    environment = {name: values.get(name, value) for name, value in place.environment.items()}
    return replace(config, place=replace(place, environment=environment))


def is_without_secrets(config: ServerConfig) -> bool:
    """Whether the keyring may have more of it: where there was a secret, the file has nothing."""
    place = config.place
    values = place.headers if isinstance(place, RemoteAddress) else place.environment
    return not all(values.values())


def missing_secrets(config: ServerConfig) -> tuple[str, ...]:
    """The names of what the keyring should have had, and has not."""
    return tuple(name for name, value in secrets_of(config).items() if not value)


def is_secret(name: str, value: str) -> bool:
    """Whether a variable is one that nobody else should read."""
    return bool(_SOUNDS_SECRET.search(name) or _LOOKS_SECRET.search(value))
