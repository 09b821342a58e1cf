"""Tool servers run only while they are switched on, as what they were when that was done."""

import asyncio
import errno
import json
import re
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NoReturn

import pytest

from app.common.errors import UserFacingError
from app.config.key_store import KeyStore
from app.mcp_servers.config_file import ServerRecord, ServersFile, ToolPin
from app.mcp_servers.servers import ServerEntry, ToolServers
from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress, ServerBounds, ServerConfig
from local_tools.mcp.registry_bridge import McpToolProvider
from local_tools.mcp.server import ServerEnvironment
from local_tools.registry import ToolRegistry
from tests.support.held_work import HeldWork
from tests.support.mcp_server_fixtures import (
    around,
    bubblewrapped,
    chaos,
    needs_bubblewrap,
    treacherous,
)
from tests.support.tool_calls import is_gone

pytestmark = pytest.mark.anyio

NOTHING = ServerBounds()


class Stage:
    """The servers of a run, in a folder that outlives it."""

    def __init__(
        self, folder: Path, keys: KeyStore, surroundings: ServerEnvironment | None = None
    ) -> None:
        self.file = folder / "tool-servers.json"
        self.registry = ToolRegistry()
        self.desk = McpToolProvider(self.registry)
        self.servers = ToolServers(self.file, keys, self.desk, surroundings or around())
        self._woken = asyncio.Event()
        self.servers.subscribe(self._woken.set)

    @property
    def names(self) -> list[str]:
        return [definition.name for definition in self.registry.definitions()]

    def entry(self, name: str = "chaos") -> ServerEntry:
        return next(e for e in self.servers.entries if e.kept.config.name == name)

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not holds():
                self._woken.clear()
                await self._woken.wait()

    async def until_life(self, life: str) -> None:
        await self.until(lambda: (server := self.entry().server) and server.life == life)


@pytest.fixture
def keys() -> KeyStore:
    return KeyStore(lambda: None)


@pytest.fixture
async def stage(tmp_path: Path, keys: KeyStore) -> AsyncIterator[Stage]:
    stage = Stage(tmp_path, keys)
    await stage.servers.load()
    yield stage
    await stage.servers.aclose()


async def test_a_server_is_kept_switched_off(stage: Stage) -> None:
    await stage.servers.add(chaos("good"))
    assert not stage.entry().kept.is_on
    assert stage.entry().server is None
    with pytest.raises(ToolError, match="already"):
        await stage.servers.add(chaos("good"))


@pytest.mark.security(96)
async def test_a_server_whose_name_looks_like_that_of_another_is_refused(stage: Stage) -> None:
    await stage.servers.add(chaos("good", name="files"))
    for alike in ("f\u0456les", "fi\u217ces", "fi1es", "\uff46iles"):
        with pytest.raises(ToolError, match=f"“{alike}” is easily taken for the server “files”"):
            await stage.servers.add(chaos("good", name=alike))
    with pytest.raises(ToolError, match="easily taken"):
        await stage.servers.add(chaos("good", name="m\u0430il"), chaos("good", name="mail"))
    assert [entry.kept.config.name for entry in stage.servers.entries] == ["files"]
    await stage.servers.add(chaos("good", name="filz"), chaos("good", name="Файлы"))


async def test_server_offers_its_tools_while_it_is_switched_on(stage: Stage) -> None:
    await stage.servers.add(chaos("good"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until_life("ready")
    assert stage.names == ["chaos__echo"]
    await stage.servers.offer("chaos", "echo", is_on=False)
    assert stage.names == []
    await stage.servers.offer("chaos", "echo", is_on=True)
    assert stage.names == ["chaos__echo"]
    await stage.servers.switch_off("chaos")
    assert stage.names == []
    assert stage.entry().server is None


async def test_only_servers_that_are_on_start_with_the_program(
    stage: Stage, tmp_path: Path, keys: KeyStore
) -> None:
    await stage.servers.add(chaos("good"), chaos("good", name="other"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until(lambda: stage.entry().kept.pins)
    again = Stage(tmp_path, keys)
    await again.servers.load()
    await again.until_life("ready")
    assert again.names == ["chaos__echo"]
    assert again.entry("other").server is None
    assert again.entry().changes == ()
    await again.servers.aclose()
    await stage.servers.aclose()


@pytest.mark.security(47)
async def test_a_command_that_is_not_the_one_that_was_switched_on_is_not_started(
    stage: Stage, tmp_path: Path, keys: KeyStore
) -> None:
    await stage.servers.add(chaos("good"))
    await stage.servers.switch_on("chaos", NOTHING)
    document = json.loads(stage.file.read_text())
    document["mcpServers"]["chaos"]["args"].append("--more")
    stage.file.write_text(json.dumps(document))
    again = Stage(tmp_path, keys)
    await again.servers.load()
    assert not again.entry().kept.is_on
    assert again.entry().server is None
    await again.servers.aclose()
    # Nor is it while the program runs, whatever is changed next.
    await stage.servers.add(chaos("good", name="other"))
    assert not stage.entry().kept.is_on
    assert stage.entry().server is None
    assert stage.names == []


@pytest.mark.security(47)
async def test_a_variable_that_is_not_the_one_that_was_switched_on_starts_nothing(
    stage: Stage,
) -> None:
    await stage.servers.add(chaos("good", NODE_OPTIONS="--trace-exit"))
    await stage.servers.switch_on("chaos", NOTHING)
    stage.file.write_text(stage.file.read_text().replace("--trace-exit", "--require=/x.js"))
    await stage.servers.offer("chaos", "echo", is_on=True)
    assert not stage.entry().kept.is_on
    await stage.servers.aclose()


async def test_hand_written_servers_are_read_and_unknown_keys_stay(
    stage: Stage, keys: KeyStore
) -> None:
    await stage.servers.add(chaos("good"), chaos("good", name="other"))
    document = json.loads(stage.file.read_text())
    entries = document["mcpServers"]
    del entries["other"]
    entries["chaos"]["autoApprove"] = ["echo"]
    entries["by hand"] = {"command": "tool", "env": {"API_TOKEN": "sesame-0123"}}
    entries["strange"] = {"command": 7}
    stage.file.write_text(json.dumps({**document, "theirs": 1}))
    await stage.servers.switch_on("chaos", NOTHING)
    assert [e.kept.config.name for e in stage.servers.entries] == ["chaos", "by hand"]
    written = json.loads(stage.file.read_text())
    assert written["theirs"] == 1
    assert written["mcpServers"]["strange"] == {"command": 7}
    assert written["mcpServers"]["chaos"]["autoApprove"] == ["echo"]
    assert written["mcpServers"]["by hand"]["env"] == {"API_TOKEN": ""}
    secret = await keys.load("tool-server:by hand")
    assert secret is not None
    assert json.loads(secret.get_secret_value()) == {"API_TOKEN": "sesame-0123"}
    assert not stage.entry("by hand").kept.is_on
    await stage.servers.aclose()


async def test_changes_at_the_same_time_are_all_kept(stage: Stage) -> None:
    servers = stage.servers
    names = ["chaos", "b", "c"]
    await asyncio.gather(*(servers.add(chaos("good", name=name)) for name in names))
    await asyncio.gather(*(servers.switch_on(name, NOTHING) for name in names))
    assert [item.is_on for item in ServersFile(stage.file).read()] == [True] * 3
    # Twice, as from two windows; the last word counts.
    await asyncio.gather(
        *(servers.switch_on("chaos", ServerBounds("/")), servers.switch_off("chaos")),
        *(servers.remove("b"), servers.remove("b"), servers.offer("b", "echo", is_on=False)),
        *(
            servers.switch_on("b", NOTHING),
            servers.switch_off("b"),
            servers.accept_changes("b", ()),
        ),
    )
    assert stage.entry().server is None
    assert [item.config.name for item in ServersFile(stage.file).read()] == ["chaos", "c"]
    assert not any(item.is_on for item in ServersFile(stage.file).read()[:1])
    await stage.until(lambda: stage.names == ["c__echo"])
    server = stage.entry("c").server
    await servers.switch_on("c", NOTHING)
    assert stage.entry("c").server is server
    await servers.aclose()


async def test_a_change_that_nobody_waits_for_any_more_is_not_written_over_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing = HeldWork()
    await stage.servers.add(chaos("good"))
    monkeypatch.setattr("tempfile.mkstemp", writing.before(tempfile.mkstemp))
    switching = asyncio.create_task(stage.servers.switch_on("chaos", NOTHING))
    adding = asyncio.create_task(stage.servers.add(chaos("good", name="other")))

    assert await writing.cancel(switching)
    await adding
    written = ServersFile(stage.file).read()
    assert {item.config.name: item.is_on for item in written} == {"chaos": True, "other": False}
    # What was written holds.
    await stage.until_life("ready")
    await stage.servers.aclose()


async def test_a_server_removed_in_a_call_ends_the_call(stage: Stage) -> None:
    await stage.servers.add(chaos("hangs_in_call"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until_life("ready")
    server = stage.entry().server
    assert server is not None
    calling = asyncio.create_task(server.call("echo", {}, lambda _: None))
    await asyncio.sleep(0)
    await stage.servers.remove("chaos")
    with pytest.raises(ToolError, match="The server ended meanwhile"):
        await calling
    await stage.servers.aclose()


@pytest.mark.security(47)
async def test_the_file_of_a_folder_starts_nothing(
    tmp_path: Path, keys: KeyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = {"command": "touch", "args": [str(tmp_path / "marker")]}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"evil": place}}))
    monkeypatch.chdir(tmp_path)
    stage = Stage(tmp_path, keys)
    await stage.servers.load()
    assert stage.servers.entries == ()


@pytest.mark.security(47)
def test_no_address_of_a_kind_of_our_own_leads_to_the_program() -> None:
    kinds = re.compile(rb"x-scheme-handler|CFBundleURLTypes|URL Protocol", re.IGNORECASE)
    files = [
        path for path in (Path(__file__).parents[3] / "packaging").rglob("*") if path.is_file()
    ]
    assert files
    assert [path for path in files if kinds.search(path.read_bytes())] == []


@pytest.mark.security(13)
async def test_a_tool_that_changes_is_shown_until_it_was_seen(stage: Stage) -> None:
    await stage.servers.add(chaos("flips_description"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until(lambda: stage.entry().kept.pins)
    before = stage.registry.definitions()
    server = stage.entry().server
    assert server is not None
    for _ in range(3):
        await server.call("echo", {}, lambda _: None)
    await stage.until(lambda: stage.entry().changes)
    (change,) = stage.entry().changes
    assert "is given." in change.before
    assert "is givem." in change.now
    # What nobody has seen is told to nobody.
    assert stage.registry.definitions() == ()
    # Not what was shown a moment ago.
    await stage.servers.accept_changes("chaos", ())
    assert stage.entry().changes == (change,)
    await stage.servers.accept_changes("chaos", (change,))
    assert stage.entry().changes == ()
    assert stage.registry.definitions()[0].digest != before[0].digest
    await stage.servers.aclose()


@needs_bubblewrap
@pytest.mark.security(13)
async def test_server_cannot_tell_in_its_definitions_what_it_has_read(
    tmp_path: Path, keys: KeyStore
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "secret.txt").write_text("sesame-0123")
    stage = Stage(tmp_path, keys, around(bubblewrapped(tmp_path)))
    await stage.servers.load()
    await stage.servers.add(treacherous(folder))
    await stage.servers.switch_on("treacherous", ServerBounds(str(folder)))
    await stage.until(lambda: stage.entry("treacherous").kept.pins)
    assert "treacherous__look" in stage.names
    server = stage.entry("treacherous").server
    assert server is not None

    assert (await server.call("tell", {}, lambda _: None)).text == "good day"
    await stage.until(lambda: stage.entry("treacherous").changes)

    assert "sesame-0123" not in repr(stage.registry.definitions())
    assert "treacherous__tell" in stage.names
    changes = stage.entry("treacherous").changes
    assert {change.name for change in changes} == {"look", "more", "far"}
    # Whoever accepts it can read all that will be told.
    assert all("sesame-0123" in change.now for change in changes)
    waiting = [item.name for item in stage.entry("treacherous").tools if item.problem]
    assert set(waiting) == {"look", "more", "far"}
    await stage.servers.accept_changes("treacherous", changes)
    assert {"treacherous__look", "treacherous__more"} <= set(stage.names)
    await stage.servers.aclose()


async def _is_seen_before_it_turns(stage: Stage, folder: Path) -> None:
    """Its tools were looked at; from its next start on it tells a secret in them."""
    (folder / "secret.txt").write_text("sesame-0123")
    await stage.servers.add(treacherous(folder))
    await stage.servers.switch_on("treacherous", NOTHING)
    await stage.until(lambda: stage.entry("treacherous").kept.pins)
    (folder / "armed").touch()


@pytest.mark.security(13)
async def test_tool_changed_during_a_restart_counts_as_unseen(
    stage: Stage, tmp_path: Path, keys: KeyStore
) -> None:
    await _is_seen_before_it_turns(stage, tmp_path)
    again = Stage(tmp_path, keys)
    await again.servers.load()
    await again.until(lambda: again.entry("treacherous").changes)
    assert "sesame-0123" not in repr(again.registry.definitions())
    assert "treacherous__tell" in again.names
    await again.servers.aclose()
    await stage.servers.aclose()


@pytest.mark.security(13)
async def test_tool_changed_with_the_server_access_counts_as_unseen(
    tmp_path: Path, stage: Stage
) -> None:
    await _is_seen_before_it_turns(stage, tmp_path)
    await stage.servers.switch_on("treacherous", ServerBounds(str(tmp_path)))
    await stage.until(lambda: stage.entry("treacherous").tools)
    (change,) = stage.entry("treacherous").changes
    assert "sesame-0123" in change.now
    assert "sesame-0123" not in repr(stage.registry.definitions())
    assert "treacherous__tell" in stage.names
    await stage.servers.aclose()


@pytest.mark.security(13)
async def test_first_tools_of_a_server_that_had_none_are_new(stage: Stage) -> None:
    await stage.servers.add(chaos("grows"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until(lambda: stage.entry().changes and stage.entry().kept.pins == {})
    assert stage.names == []
    await stage.servers.aclose()


async def test_secrets_of_servers_are_in_the_keyring_and_not_in_the_file(
    stage: Stage, tmp_path: Path, keys: KeyStore
) -> None:
    config = chaos("tells_environment", API_TOKEN="sesame-0123", LEVEL="debug")
    remote = RemoteAddress("https://tools.example.com/mcp", {"Authorization": "Bearer sesame-0123"})
    await stage.servers.add(config, ServerConfig("far", remote))
    assert "sesame" not in stage.file.read_text()
    assert stage.file.stat().st_mode & 0o077 == 0
    again = Stage(tmp_path, keys)
    await again.servers.load()
    await again.servers.switch_on("chaos", NOTHING)
    await again.until_life("ready")
    server = again.entry().server
    assert server is not None
    assert (await server.call("echo", {}, lambda _: None)).text.endswith("]sesame-0123")
    await again.servers.aclose()


@pytest.mark.security(97, 63)
@pytest.mark.parametrize(
    ("url", "is_given"),
    [
        ("https://tools.example.com/mcp", True),
        ("https://TOOLS.example.com:443/other", True),
        ("https://tools.example.com:8443/mcp", False),
        ("https://evil.example.com/mcp", False),
        ("https://tools.example.com.evil.example/mcp", False),
        ("http://localhost/mcp", False),
    ],
)
async def test_a_header_goes_to_the_address_for_which_it_was_given_and_to_no_other(
    stage: Stage, tmp_path: Path, keys: KeyStore, url: str, *, is_given: bool
) -> None:
    remote = RemoteAddress("https://tools.example.com/mcp", {"X-Key": "sesame-0123"})
    await stage.servers.add(ServerConfig("far", remote))
    document = json.loads(stage.file.read_text())
    document["mcpServers"]["far"]["url"] = url
    stage.file.write_text(json.dumps(document))
    again = Stage(tmp_path, keys)
    await again.servers.load()
    await again.servers.switch_on("far", NOTHING)
    entry = again.entry("far")
    assert (entry.server is not None) is is_given
    assert ("X-Key" in entry.problem) is not is_given
    await again.servers.aclose()


@pytest.mark.security(97)
async def test_a_variable_of_a_program_becomes_no_header_of_an_address(
    stage: Stage, tmp_path: Path, keys: KeyStore
) -> None:
    await stage.servers.add(chaos("good", API_TOKEN="sesame-0123"))
    document = json.loads(stage.file.read_text())
    document["mcpServers"]["chaos"] = {
        "url": "https://evil.example.com/mcp",
        "headers": {"API_TOKEN": ""},
    }
    stage.file.write_text(json.dumps(document))
    again = Stage(tmp_path, keys)
    await again.servers.load()
    await again.servers.switch_on("chaos", NOTHING)
    assert "API_TOKEN" in again.entry().problem
    assert again.entry().server is None
    await again.servers.aclose()


async def test_a_server_whose_secret_is_gone_says_so(stage: Stage, tmp_path: Path) -> None:
    await stage.servers.add(chaos("good", API_TOKEN="sesame"))
    again = Stage(tmp_path, KeyStore(lambda: None))
    await again.servers.load()
    await again.servers.switch_on("chaos", NOTHING)
    assert "API_TOKEN" in again.entry().problem
    assert again.entry().server is None
    await again.servers.aclose()


async def test_a_removed_server_is_forgotten(stage: Stage, keys: KeyStore) -> None:
    await stage.servers.add(chaos("good", API_TOKEN="sesame"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.servers.remove("chaos")
    assert stage.servers.entries == ()
    assert ServersFile(stage.file).read() == ()
    assert await keys.load("tool-server:chaos") is None


async def test_change_that_cannot_be_saved_has_no_effect(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_given: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left")

    await stage.servers.add(chaos("good"))
    monkeypatch.setattr("tempfile.mkstemp", full)
    with pytest.raises(UserFacingError):
        await stage.servers.switch_on("chaos", NOTHING)
    assert not stage.entry().kept.is_on


async def test_other_bounds_are_another_server_whose_tools_did_not_change(
    stage: Stage, tmp_path: Path
) -> None:
    await stage.servers.add(chaos("good"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until(lambda: stage.entry().kept.pins)
    before = stage.entry().kept.pins
    await stage.servers.switch_on("chaos", ServerBounds(str(tmp_path)))
    await stage.until(lambda: stage.names)
    assert stage.entry().changes == ()
    # From now on the file knows them as they are with these bounds.
    await stage.until(lambda: all(pin.digest for pin in (stage.entry().kept.pins or {}).values()))
    assert stage.entry().kept.pins != before
    await stage.servers.aclose()


@pytest.mark.parametrize("text", ["", "[", '{"mcpServers": 7}', "[" * 100_000])
async def test_a_file_that_is_none_counts_as_empty_and_is_kept_aside(
    tmp_path: Path, keys: KeyStore, text: str
) -> None:
    stage = Stage(tmp_path, keys)
    stage.file.write_text(text)
    await stage.servers.load()
    assert stage.servers.entries == ()
    await stage.servers.add(chaos("good"))
    await stage.servers.aclose()
    assert stage.servers.put_aside is not None
    assert stage.servers.put_aside.path.read_text() == text


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    place = LocalProgram("tool", ("--a", "b c"), {"LEVEL": "debug"})
    config = ServerConfig("a", place, ServerBounds("/x", may_write=True), speaks_legacy=True)
    kept = ServerRecord(config, "f", frozenset({"t"}), {"u": ToolPin("d", "said")}, {"timeout": 7})
    file = ServersFile(tmp_path / "file")
    file.write((kept,))
    assert not file.has_changed
    assert ServersFile(tmp_path / "file").read() == (kept,)


async def test_change_made_before_servers_have_started_is_used(
    stage: Stage, tmp_path: Path, keys: KeyStore
) -> None:
    names = ("a", "b", "c")
    await stage.servers.add(*(chaos("good", name=name) for name in names))
    for name in names:
        await stage.servers.switch_on(name, NOTHING)
    await stage.servers.aclose()
    again = Stage(tmp_path, keys)
    await asyncio.gather(
        again.servers.load(),
        *(again.servers.remove("a"), again.servers.switch_off("b")),
        again.servers.switch_on("c", ServerBounds(str(tmp_path))),
    )
    await again.until(lambda: again.names == ["c__echo"])
    assert [entry.server is None for entry in again.servers.entries] == [True, False]
    await again.servers.aclose()


async def test_queued_start_does_nothing_after_closing(
    stage: Stage,
) -> None:
    await stage.servers.add(chaos("good"))
    await stage.servers.switch_on("chaos", NOTHING)
    await stage.until_life("ready")
    await stage.servers.aclose()
    await stage.servers.start_again("chaos")
    assert stage.entry().server is None


async def test_the_program_ends_whatever_its_servers_are_doing(stage: Stage) -> None:
    servers = stage.servers
    await servers.add(
        chaos("silent", name="starting"),
        chaos("hangs_in_call", name="calling"),
        chaos("leaves_processes", name="ending"),
    )
    for name in ("starting", "calling", "ending"):
        await servers.switch_on(name, NOTHING)
    await stage.until(lambda: {"calling__echo", "ending__echo"} <= set(stage.names))
    calling, ending = stage.entry("calling").server, stage.entry("ending").server
    assert calling is not None
    assert ending is not None
    pid = int((await ending.call("echo", {}, lambda _: None)).text)
    call = asyncio.create_task(calling.call("echo", {}, lambda _: None))
    off = asyncio.create_task(servers.switch_off("ending"))
    await asyncio.wait([call, off], timeout=0.1)
    # What is being ended is told so once more.
    await servers.aclose()
    await off
    with pytest.raises(ToolError):
        await call
    assert is_gone(pid)
