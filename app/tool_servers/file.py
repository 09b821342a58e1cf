"""The file of tool servers: `mcpServers`, as other programs have it, with a part of our own.

What a server is told in secret is not in it: of such variables and of all headers only the names
are, and `app.key_store` has the values.
"""

import codecs
import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.own_files import write_whole
from app.tool_servers.kept import KeptServer, Pin, is_secret
from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerBounds, ServerConfig
from local_tools.recovery.files import PutAside, is_no_file, put_aside

SERVERS_LIMIT: Final = 100
_FILE_LIMIT_BYTES: Final = 32 * 1024 * 1024

_Text = Annotated[str, Field(max_length=8192)]


class _Bounds(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    folder: _Text = ""
    may_write: bool = Field(default=False, alias="mayWrite")
    may_connect: bool = Field(default=False, alias="mayConnect")
    legacy: bool = False
    approved: _Text = ""
    tools_off: list[_Text] = Field(default_factory=list, alias="toolsOff")
    pins: dict[str, tuple[str, str]] | None = None


class _Entry(BaseModel):
    """One server as it is written; unknown keys are of others."""

    model_config = ConfigDict(extra="ignore")

    command: _Text = ""
    args: list[_Text] = Field(default_factory=list)
    env: dict[str, _Text] = Field(default_factory=dict)
    url: _Text = ""
    headers: dict[str, _Text] = Field(default_factory=dict)
    parley: _Bounds = _Bounds()


class ServersFile:
    """The file, and what it was last. Blocks: call it in a thread, one call at a time.

    What a person writes into it by hand counts, and what is in it that we do not understand stays.
    A file that cannot be read at all is kept under another name.

    Attributes:
        put_aside: The file, if it could not be read and a new one took its place.
    """

    def __init__(self, path: Path) -> None:
        self.put_aside: PutAside | None = None
        self._path = path
        self._seen: tuple[int, ...] = ()
        self._document: dict[str, Any] = {}
        # Of the servers, those that are none as far as we can tell.
        self._strange: dict[str, Any] = {}

    @property
    def has_changed(self) -> bool:
        """Whether somebody else wrote it since it was last read or written here."""
        return self._state() != self._seen

    def read(self) -> tuple[KeptServer, ...]:
        """The servers, in the order of the file."""
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
        found: list[KeptServer] = []
        for name, said in entries.items():
            try:
                found.append(_kept(name, said))
            except (ToolError, ValidationError):
                self._strange[name] = said
        kept, left = found[:SERVERS_LIMIT], found[SERVERS_LIMIT:]
        self._strange |= {item.config.name: entries[item.config.name] for item in left}
        return tuple(kept)

    def write(self, servers: tuple[KeptServer, ...]) -> None:
        """Write the file whole or not at all, for its owner only.

        Raises:
            OSError: It cannot be written.
        """
        entries = {kept.config.name: _written(kept) for kept in servers}
        document = {**self._document, "mcpServers": {**self._strange, **entries}}
        write_whole(self._path, json.dumps(document, ensure_ascii=False, indent=2))
        self._seen = self._state()

    def doubt(self) -> None:
        """Let it count as changed until it is read again."""
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
        text = content.decode("utf-8-sig", "replace")
        if text.encode() not in (content, content.removeprefix(codecs.BOM_UTF8)):
            self.put_aside = PutAside(put_aside(self._path), is_salvaged=True)
            write_whole(self._path, text)
            self._seen = self._state()
        return text

    def _keep_aside(self) -> None:
        with contextlib.suppress(OSError):
            self.put_aside = PutAside(put_aside(self._path))
            self._seen = ()


def _kept(name: str, said: Mapping[str, Any]) -> KeptServer:
    entry = _Entry.model_validate(said)
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
        None if own.pins is None else {tool: Pin(*pin) for tool, pin in own.pins.items()},
        {key: value for key, value in said.items() if key not in _Entry.model_fields},
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


def _written_pins(pins: Mapping[str, Pin] | None) -> dict[str, tuple[str, str]] | None:
    return None if pins is None else {name: (pin.digest, pin.said) for name, pin in pins.items()}
