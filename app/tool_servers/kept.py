"""The file of tool servers: `mcpServers`, as other programs have it, with a part of our own.

What a server is told in secret is not in it: of such variables and of all headers only the names
are, and `app.key_store` has the values.
"""

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerBounds, ServerConfig

SERVERS_LIMIT: Final = 100
_FILE_LIMIT_BYTES: Final = 32 * 1024 * 1024
_SOUNDS_SECRET: Final = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|cookie", re.IGNORECASE
)

_Text = Annotated[str, Field(max_length=8192)]


@dataclass(frozen=True, slots=True)
class Pin:
    """A tool as it was when the user last looked at it."""

    digest: str
    said: str


@dataclass(frozen=True, slots=True)
class KeptServer:
    """One server and what was decided about it.

    Attributes:
        approved: What it was when it was switched on (`fingerprint`); empty while it is off.
        tools_off: Those of its tools that are not offered, by its own names.
        pins: Its tools as they were seen last.
    """

    config: ServerConfig
    approved: str = ""
    tools_off: frozenset[str] = frozenset()
    pins: Mapping[str, Pin] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        """Whether it may run: it was switched on, and is still what it was then."""
        return self.approved == fingerprint(self.config)


def fingerprint(config: ServerConfig) -> str:
    """What a server is, as far as switching it on is concerned; no secret is in it."""
    place, bounds = config.place, config.bounds
    if isinstance(place, LocalProgram):
        what = [place.command, list(place.arguments), sorted(place.environment)]
    else:
        what = [place.url, sorted(place.headers)]
    reach = [bounds.folder, bounds.may_write, bounds.may_connect]
    return hashlib.sha256(json.dumps([config.name, what, reach]).encode()).hexdigest()


def secrets_of(config: ServerConfig) -> dict[str, str]:
    """What of a server belongs into the keyring."""
    place = config.place
    if isinstance(place, RemoteAddress):
        return dict(place.headers)
    return {name: value for name, value in place.environment.items() if _is_secret(name)}


def with_secrets(config: ServerConfig, values: Mapping[str, str]) -> ServerConfig:
    """The server with what the keyring has for it."""
    place = config.place
    if isinstance(place, RemoteAddress):
        headers = {name: values.get(name, value) for name, value in place.headers.items()}
        return replace(config, place=replace(place, headers=headers))
    environment = {name: values.get(name, value) for name, value in place.environment.items()}
    return replace(config, place=replace(place, environment=environment))


def missing_secrets(config: ServerConfig) -> tuple[str, ...]:
    """The names of what the keyring should have had, and has not."""
    return tuple(name for name, value in secrets_of(config).items() if not value)


class _Bounds(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    folder: _Text = ""
    may_write: bool = Field(default=False, alias="mayWrite")
    may_connect: bool = Field(default=False, alias="mayConnect")
    legacy: bool = False
    approved: _Text = ""
    tools_off: list[_Text] = Field(default_factory=list, alias="toolsOff")
    pins: dict[str, tuple[str, str]] = Field(default_factory=dict)


class _Entry(BaseModel):
    """One server as it is written; unknown keys are of others."""

    model_config = ConfigDict(extra="ignore")

    command: _Text = ""
    args: list[_Text] = Field(default_factory=list)
    env: dict[str, _Text] = Field(default_factory=dict)
    url: _Text = ""
    headers: dict[str, _Text] = Field(default_factory=dict)
    parley: _Bounds = _Bounds()


def read_kept(path: Path) -> tuple[KeptServer, ...]:
    """The servers of the file; what cannot be understood is left out.

    Raises:
        OSError: The file is there and cannot be read.
        ValueError: It is no such file at all.
    """
    try:
        if path.stat().st_size > _FILE_LIMIT_BYTES:
            raise ValueError("too large")
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return ()
    except RecursionError as exc:
        raise ValueError("nested too deeply") from exc
    entries = document.get("mcpServers", {}) if isinstance(document, dict) else None
    if not isinstance(entries, dict):
        raise ValueError("no servers in it")  # noqa: TRY004 - the file is wrong, not a call
    found: list[KeptServer] = []
    for name, entry in list(entries.items())[:SERVERS_LIMIT]:
        with contextlib.suppress(ToolError, ValidationError):
            found.append(_kept(name, _Entry.model_validate(entry)))
    return tuple(found)


def write_kept(path: Path, servers: tuple[KeptServer, ...]) -> None:
    """Write the file whole or not at all, for its owner only.

    Raises:
        OSError: It cannot be written.
    """
    document = {"mcpServers": {kept.config.name: _written(kept) for kept in servers}}
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=2)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _kept(name: str, entry: _Entry) -> KeptServer:
    own = entry.parley
    place: LocalProgram | RemoteAddress = (
        RemoteAddress(entry.url, entry.headers)
        if entry.url
        else LocalProgram(entry.command, tuple(entry.args), entry.env)
    )
    bounds = ServerBounds(own.folder, own.may_write, own.may_connect)
    return KeptServer(
        ServerConfig(name, place, bounds, own.legacy),
        own.approved,
        frozenset(own.tools_off),
        {tool: Pin(digest, said) for tool, (digest, said) in own.pins.items()},
    )


def _written(kept: KeptServer) -> dict[str, Any]:
    config, bounds = kept.config, kept.config.bounds
    own = _Bounds(
        folder=bounds.folder,
        may_write=bounds.may_write,
        may_connect=bounds.may_connect,
        legacy=config.speaks_legacy,
        approved=kept.approved,
        tools_off=sorted(kept.tools_off),
        pins={name: (pin.digest, pin.said) for name, pin in kept.pins.items()},
    ).model_dump(by_alias=True)
    place = config.place
    if isinstance(place, RemoteAddress):
        return {"url": place.url, "headers": dict.fromkeys(place.headers, ""), "parley": own}
    environment = {n: "" if _is_secret(n) else v for n, v in place.environment.items()}
    return {
        "command": place.command,
        "args": list(place.arguments),
        "env": environment,
        "parley": own,
    }


def _is_secret(name: str) -> bool:
    return bool(_SOUNDS_SECRET.search(name))
