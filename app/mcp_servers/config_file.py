"""The file of tool servers: `mcpServers` as in other programs, with fields of our own.

`ServersFile` reads and writes `ServerRecord`s. Of headers and of secret variables the file has the
names only; `ServerSecrets` keeps their values in the keyring, by the name of the server.

A secret is sent only to the address that it was entered for: whoever edits an address in the file,
and leaves the name, gets nothing.
"""

import codecs
import contextlib
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError

from app.config.key_store import KeyStore
from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerBounds, ServerConfig
from local_tools.recovery.files import PutAside, is_no_file, put_aside, write_atomically

_SOUNDS_SECRET: Final = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|cookie|dsn|private|connection|(^|_)pat($|_)",
    re.IGNORECASE,
)
# A password within an address.
_LOOKS_SECRET: Final = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


@dataclass(frozen=True, slots=True)
class ToolPin:
    """A tool as it was when the user last looked at it.

    Attributes:
        digest: Which tool it was; empty if it was refused, or if the user has changed since then
            what its server may reach, which changes every digest.
        said: What the server said of it.
    """

    digest: str
    said: str

    def fits(self, now: "ToolPin") -> bool:
        """Return whether nothing changed of it that the user did not change."""
        return self.digest == now.digest or (not self.digest and self.said == now.said)


@dataclass(frozen=True, slots=True)
class ServerRecord:
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
    pins: Mapping[str, ToolPin] | None = None
    others: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def is_on(self) -> bool:
        """Whether it may run: it was switched on, and is still what it was then."""
        return self.approved == fingerprint(self.config)


def fingerprint(config: ServerConfig) -> str:
    """Return what a server is, as far as switching it on is concerned; no secret is in it."""
    place, bounds = config.place, config.bounds
    if isinstance(place, LocalProgram):
        plain = {n: "" if is_secret(n, v) else v for n, v in place.environment.items()}
        what = [place.command, list(place.arguments), sorted(plain.items())]
    else:
        what = [place.url, sorted(place.headers)]
    reach = [bounds.folder, bounds.may_write, bounds.may_connect]
    return hashlib.sha256(json.dumps([config.name, what, reach]).encode()).hexdigest()


def secrets_of(config: ServerConfig) -> dict[str, str]:
    """Return what of a server belongs into the keyring."""
    place = config.place
    if isinstance(place, RemoteAddress):
        return dict(place.headers)
    return {name: value for name, value in place.environment.items() if is_secret(name, value)}


def has_secrets(config: ServerConfig) -> bool:
    """Return whether there is anything in it that belongs there."""
    return any(secrets_of(config).values())


def with_secrets(config: ServerConfig, values: Mapping[str, str]) -> ServerConfig:
    """Return the server with what the keyring has for it."""
    place = config.place
    if isinstance(place, RemoteAddress):
        headers = {name: values.get(name, value) for name, value in place.headers.items()}
        return replace(config, place=replace(place, headers=headers))
    environment = {name: values.get(name, value) for name, value in place.environment.items()}
    return replace(config, place=replace(place, environment=environment))


def is_without_secrets(config: ServerConfig) -> bool:
    """Return whether the file leaves out secrets, which the keyring may have."""
    place = config.place
    values = place.headers if isinstance(place, RemoteAddress) else place.environment
    return not all(values.values())


def missing_secrets(config: ServerConfig) -> tuple[str, ...]:
    """Return the names of what the keyring should have had, and has not."""
    return tuple(name for name, value in secrets_of(config).items() if not value)


def is_secret(name: str, value: str) -> bool:
    """Return whether a variable is one that nobody else should read."""
    return bool(_SOUNDS_SECRET.search(name) or _LOOKS_SECRET.search(value))


SERVERS_LIMIT: Final = 100
_FILE_LIMIT_BYTES: Final = 32 * 1024 * 1024

_Text = Annotated[str, Field(max_length=8192)]


class _Bounds(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore", populate_by_name=True)

    folder: _Text = ""
    may_write: bool = Field(default=False, alias="mayWrite")
    may_connect: bool = Field(default=False, alias="mayConnect")
    legacy: bool = False
    approved: _Text = ""
    tools_off: list[_Text] = Field(default_factory=list, alias="toolsOff")
    pins: dict[str, tuple[str, str]] | None = None


class _Entry(BaseModel):
    """One server as it is written; unknown keys are of others."""

    model_config = ConfigDict(defer_build=True, extra="ignore")

    command: _Text = ""
    args: list[_Text] = Field(default_factory=list)
    env: dict[str, _Text] = Field(default_factory=dict)
    url: _Text = ""
    headers: dict[str, _Text] = Field(default_factory=dict)
    parley: _Bounds = _Bounds()


class ServersFile:
    """Reads and writes the file. Blocks: call it in a thread, one call at a time.

    Changes that a person makes to it by hand are taken over, and unknown keys stay. A file that
    cannot be read at all is kept under another name.

    Attributes:
        put_aside: The file, if it could not be read and a new one took its place.
    """

    def __init__(self, path: Path) -> None:
        self.put_aside: PutAside | None = None
        self._path = path
        self._seen: tuple[int, ...] = ()
        self._document: dict[str, Any] = {}
        # Entries that cannot be read as servers; they are written back as they came.
        self._strange: dict[str, Any] = {}

    @property
    def has_changed(self) -> bool:
        """Whether somebody else wrote it since it was last read or written here."""
        return self._state() != self._seen

    def read(self) -> tuple[ServerRecord, ...]:
        """Return the servers, in the order of the file."""
        self._seen = self._state()
        try:
            document, entries = self._parsed()
        except FileNotFoundError:
            if is_no_file(self._path):
                self._keep_aside()
            document, entries = {}, {}
        except (OSError, ValueError, RecursionError):
            self._keep_aside()
            document, entries = {}, {}
        self._document, self._strange = document, {}
        found: list[ServerRecord] = []
        for name, said in entries.items():
            try:
                found.append(_kept(name, said))
            except (ToolError, ValidationError):
                self._strange[name] = said
        kept, left = found[:SERVERS_LIMIT], found[SERVERS_LIMIT:]
        # Beyond the limit: not offered, but not lost from the file.
        self._strange |= {item.config.name: entries[item.config.name] for item in left}
        return tuple(kept)

    def write(self, servers: tuple[ServerRecord, ...]) -> None:
        """Write the file whole or not at all, for its owner only.

        Raises:
            OSError: It cannot be written.
        """
        entries = {kept.config.name: _written(kept) for kept in servers}
        document = {**self._document, "mcpServers": {**self._strange, **entries}}
        write_atomically(self._path, json.dumps(document, ensure_ascii=False, indent=2))
        self._seen = self._state()

    def doubt(self) -> None:
        """Treat the file as changed until it is read again."""
        self._seen = ()

    def _state(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _parsed(self) -> tuple[dict[str, Any], dict[str, Any]]:
        if self._path.stat().st_size > _FILE_LIMIT_BYTES:
            raise ValueError("too large")
        document = json.loads(self._text())
        entries = document.get("mcpServers", {}) if isinstance(document, dict) else None
        if not isinstance(entries, dict):
            raise ValueError("no servers in it")  # noqa: TRY004 - the file is wrong, not a call
        return document, entries

    def _text(self) -> str:
        """Read the file; where bytes are no text, a copy of it is kept aside before it goes on."""
        content = self._path.read_bytes()
        # Editors on Windows may begin a file with a byte order mark, which is no JSON.
        text = content.decode("utf-8-sig", "replace")
        if text.encode() not in (content, content.removeprefix(codecs.BOM_UTF8)):
            self.put_aside = PutAside(put_aside(self._path), is_salvaged=True)
            write_atomically(self._path, text)
            self._seen = self._state()
        return text

    def _keep_aside(self) -> None:
        with contextlib.suppress(OSError):
            self.put_aside = PutAside(put_aside(self._path))
            self._seen = ()


def _kept(name: str, said: Mapping[str, Any]) -> ServerRecord:
    entry = _Entry.model_validate(said)
    own = entry.parley
    place: LocalProgram | RemoteAddress = (
        RemoteAddress(entry.url, entry.headers)
        if entry.url
        else LocalProgram(entry.command, tuple(entry.args), entry.env)
    )
    bounds = ServerBounds(own.folder, own.may_write, own.may_connect)
    return ServerRecord(
        ServerConfig(name, place, bounds, own.legacy),
        own.approved,
        frozenset(own.tools_off),
        None if own.pins is None else {tool: ToolPin(*pin) for tool, pin in own.pins.items()},
        {key: value for key, value in said.items() if key not in _Entry.model_fields},
    )


def _written(kept: ServerRecord) -> dict[str, Any]:
    config, bounds = kept.config, kept.config.bounds
    own = _Bounds(
        folder=bounds.folder,
        may_write=bounds.may_write,
        may_connect=bounds.may_connect,
        legacy=config.speaks_legacy,
        approved=kept.approved,
        tools_off=sorted(kept.tools_off),
        pins=_written_pins(kept.pins),
    ).model_dump(by_alias=True)
    place = config.place
    if isinstance(place, RemoteAddress):
        headers = dict.fromkeys(place.headers, "")
        return {**kept.others, "url": place.url, "headers": headers, "parley": own}
    environment = {n: "" if is_secret(n, v) else v for n, v in place.environment.items()}
    return {
        **kept.others,
        "command": place.command,
        "args": list(place.arguments),
        "env": environment,
        "parley": own,
    }


def _written_pins(pins: Mapping[str, ToolPin] | None) -> dict[str, tuple[str, str]] | None:
    return None if pins is None else {name: (pin.digest, pin.said) for name, pin in pins.items()}


_VALUES: Final = TypeAdapter(dict[str, str], config=ConfigDict(defer_build=True))


class _OfAddress(BaseModel):
    """The values of headers, and to which scheme, host and port they may go."""

    model_config = ConfigDict(defer_build=True, extra="forbid", strict=True)

    origin: str
    headers: dict[str, str]


class ServerSecrets:
    """Keeps the values of variables and headers. Lives as long as the program."""

    def __init__(self, keys: KeyStore) -> None:
        self._keys = keys

    async def keep(self, config: ServerConfig) -> None:
        """Take what is secret of a server, if anything is."""
        if has_secrets(config):
            values = {name: value for name, value in secrets_of(config).items() if value}
            known = {**await self._known(config), **values}
            await self._keys.save(_name_of(config.name), SecretStr(_secrets_json(config, known)))

    async def filled(self, config: ServerConfig) -> ServerConfig:
        """Return the server with what is kept of it."""
        if not is_without_secrets(config):
            return config
        return with_secrets(config, await self._known(config))

    async def forget(self, name: str) -> None:
        """Forget all that a server was told."""
        await self._keys.forget(_name_of(name))

    async def _known(self, config: ServerConfig) -> dict[str, str]:
        found = await self._keys.load(_name_of(config.name))
        if found is None:
            return {}
        try:
            if not isinstance(config.place, RemoteAddress):
                return _VALUES.validate_json(found.get_secret_value())
            kept = _OfAddress.model_validate_json(found.get_secret_value())
        except ValidationError:
            return {}
        return kept.headers if kept.origin == config.place.origin else {}


def _secrets_json(config: ServerConfig, values: dict[str, str]) -> str:
    if isinstance(config.place, RemoteAddress):
        return _OfAddress(origin=config.place.origin, headers=values).model_dump_json()
    return json.dumps(values)


def _name_of(server: str) -> str:
    return f"tool-server:{server}"
