"""One damaged file among those of the program, whichever and however: it starts and says so."""

import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QAbstractButton

from app.config.settings import ConnectionSettings, Project, ProjectSettings, Settings, SettingsFile
from app.mcp_servers.config_file import ServersFile
from app.paths import Paths, paths_under
from app.self_test.ui_driver import answer, click, find
from app.store.schema import STEPS
from app.store.store import Store
from app.ui.notice_bar import NoticeBar
from app.viewmodels.states import Dot
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.ledger_report import verified
from local_tools.recovery.files import PutAside, is_no_folder, put_aside
from tests.support import damage
from tests.support.fake_service import FakeService
from tests.support.figures import Tell
from tests.support.window import (
    KeyringInMemory,
    Person,
    has_chosen_offline,
    running_program,
)

pytestmark = pytest.mark.anyio

_HEADER_BYTES: Final = 100
_QUESTION, _ANSWER = "Where are my notes?", "In the garden house."
_LOCAL_QUESTION: Final = "What can you do?"
_DRAFT: Final = "half a thought"
_SERVERS: Final = '{"mcpServers": {"clock": {"command": "clock-server", "args": ["--slow"]}}}'
_CALLS: Final = 3
_LIMIT_S: Final = 5.0


@dataclass(frozen=True)
class _Case:
    """A damage to one of the files.

    Attributes:
        is_told: The window says so; else SQLite or the system mends it, or nothing is lost.
        keeps: What was in the file could still be read.
        is_by_chance: Whether it does harm, and to what, differs.
    """

    name: str
    file: str
    damage: damage.Damage
    is_told: bool = True
    keeps: bool = True
    is_by_chance: bool = False

    @property
    def is_in_window(self) -> bool:
        """Whether the whole program meets it by default."""
        return self.name in _IN_WINDOW.get(self.file, ())


_DATABASE: Final = (
    ("header", damage.overwritten(0, _HEADER_BYTES), True),
    ("magic", damage.overwritten(0, 8), True),
    ("first page", damage.page(0), True),
    ("page in the middle", damage.page(5), True),
    ("half", damage.cut(lambda size: size // 2), False),
    ("cut within a page", damage.cut(lambda size: size - 100), True),
    ("one page left", damage.cut(lambda _size: 4096), False),
    ("one byte left", damage.cut(lambda _size: 1), False),
    ("empty", damage.replaced(b""), False),
    ("text", damage.replaced(b"not a database at all\n" * 99), False),
    ("folder", damage.folder, False),
    ("dangling link", damage.dangling_link, False),
    ("other program", damage.other_database, False),
    ("other program, same names", damage.other_database_like_ours, False),
    ("log of garbage", damage.log_of_garbage, True),
    ("log without database", damage.log_without_database, True),
    ("wrong byte in the log", damage.log_with_wrong_byte, True),
    ("folder for a log", damage.companion_is_folder, True),
    ("absurd version", damage.numbered(2**24 + 2), True),
)
_MENDED: Final = (
    ("index of garbage", damage.index_of_garbage),
    ("read-only", damage.read_only),
    ("unreadable", damage.unreadable),
)
# By default the window opens with one damage of each kind; the other damages meet what reads the
# file, without a window. The service is the slowest to start, and has tests of its own.
_IN_WINDOW: Final = {
    "data/store.db": {"header", "read-only", "state that is none", "version too high"},
    "data/ledger.db": {"first page", "removed"},
    "data/service/parley-server.sqlite3": {"header", "other program"},
    "data/service/parley-server.lock": {"folder"},
    "config/settings.toml": {"wrong byte"},
    "config/tool-servers.json": {"folder"},
    "config/window.ini": {"garbage", "folder"},
    "data/undo": {"file for a folder"},
    "data/release.json": {"garbage"},
    "data/service/projects/local/catalog.toml": {"garbage"},
}
_BITS: Final = tuple((f"bits {seed}", damage.flipped(seed)) for seed in range(40))


def _of_databases() -> list[_Case]:
    cases = []
    for file in ("data/store.db", "data/ledger.db", "data/service/parley-server.sqlite3"):
        for name, how, keeps in _DATABASE:
            # The service keeps its version in a table.
            is_told = name != "absurd version" or "service" not in file
            cases.append(_Case(name, file, how, is_told, keeps))
        cases += [_Case(name, file, how, is_told=False) for name, how in _MENDED]
        by_chance = {"is_told": False, "keeps": False, "is_by_chance": True}
        cases += [_Case(name, file, how, **by_chance) for name, how in _BITS]
    return cases


_ONE_BY_ONE: Final = [
    _Case("version too low", "data/store.db", damage.numbered(len(STEPS) - 1)),
    _Case("version too high", "data/store.db", damage.numbered(len(STEPS) + 2)),
    _Case(
        "state that is none",
        "data/store.db",
        damage.said("UPDATE turns SET state = 'dancing'"),
    ),
    _Case(
        "time that is none",
        "data/store.db",
        damage.said("UPDATE conversations SET updated_at = 'some day'"),
    ),
    _Case("no JSON", "data/store.db", damage.said("UPDATE conversations SET tools_off = '['")),
    _Case("step that is none", "data/ledger.db", damage.said("UPDATE entries SET step = 'x'")),
    _Case("removed", "data/ledger.db", lambda path: path.unlink(), keeps=False),
    _Case("no note of the end", "data/ledger.db", damage.removed(".head"), is_told=False),
    _Case("wrong byte", "config/settings.toml", damage.wrong_byte(b"The office")),
    _Case("cut off", "config/settings.toml", damage.cut(lambda size: size - 5)),
    _Case("empty", "config/settings.toml", damage.replaced(b""), keeps=False),
    _Case("zeros", "config/settings.toml", damage.replaced(b"\0" * 900), keeps=False),
    _Case("folder", "config/settings.toml", damage.folder, keeps=False),
    _Case("dangling link", "config/settings.toml", damage.dangling_link, keeps=False),
    _Case("two bytes a letter", "config/settings.toml", damage.replaced("a=1".encode("utf-16"))),
    _Case("wrong byte", "config/tool-servers.json", damage.wrong_byte(b"--slow")),
    _Case("half", "config/tool-servers.json", damage.cut(lambda size: size // 2), keeps=False),
    _Case("empty", "config/tool-servers.json", damage.replaced(b""), keeps=False),
    _Case("folder", "config/tool-servers.json", damage.folder, keeps=False),
    _Case("dangling link", "config/tool-servers.json", damage.dangling_link, keeps=False),
    _Case("garbage", "config/window.ini", damage.replaced(b"\xff\x00\x9d" * 99), is_told=False),
    _Case("empty", "config/window.ini", damage.replaced(b""), is_told=False),
    _Case("folder", "config/window.ini", damage.folder, is_told=False),
    _Case(
        "garbage",
        "data/service/parley-server.lock",
        damage.replaced(b"\xff"),
        is_told=False,
    ),
    _Case("folder", "data/service/parley-server.lock", damage.folder, is_told=False),
    _Case("file for a folder", "data/undo", damage.replaced(b"no folder"), keeps=False),
    _Case("file for a folder", "data/tools", damage.replaced(b"no folder"), keeps=False),
    _Case("file for a folder", "data/tools-allowed", damage.replaced(b"no folder"), keeps=False),
    _Case("garbage", "data/release.json", damage.replaced(b"\xff{"), is_told=False),
    _Case(
        "garbage",
        "data/service/projects/local/catalog.toml",
        damage.replaced(b"\xff[["),
        is_told=False,
    ),
]
# Whoever is root reads everything.
_IS_ROOT: Final = os.name == "posix" and os.geteuid() == 0
_CASES: Final = [
    case
    for case in (*_of_databases(), *_ONE_BY_ONE)
    if not (_IS_ROOT and case.damage is damage.unreadable)
]
_IN_WINDOW_CASES: Final = [case for case in _CASES if case.is_in_window]
# Qt itself reads an empty file of the window.
_OUTSIDE_CASES: Final = [
    case
    for case in _CASES
    if not (case.is_in_window or case.is_by_chance or "service" in case.file)
    and case.file != "config/window.ini"
]


def _is_filled(folder: Path) -> bool:
    return any(folder.iterdir())


def _name(case: _Case) -> str:
    return f"{Path(case.file).name}, {case.name}"


def test_each_damage_that_was_chosen_for_the_window_is_there() -> None:
    known = {(file, name) for file, names in _IN_WINDOW.items() for name in names}
    assert {(case.file, case.name) for case in _IN_WINDOW_CASES} == known


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files lie that the program made in one go; filled by the first test."""
    return tmp_path_factory.mktemp("made")


@pytest.mark.security(33)
@pytest.mark.parametrize("case", _IN_WINDOW_CASES, ids=_name)
async def test_the_program_starts_and_says_what_was_damaged(
    case: _Case, made: Path, tmp_path: Path
) -> None:
    await _start_with(case, made, tmp_path)


@pytest.mark.security(33)
@pytest.mark.parametrize("case", _OUTSIDE_CASES, ids=_name)
async def test_reader_of_each_damaged_file_puts_it_aside_or_continues(
    case: _Case, made: Path, tmp_path: Path
) -> None:
    path, paths = await _copied(case, made, tmp_path), paths_under(tmp_path)
    case.damage(path)
    before = _content_of(path)

    aside = await _read(case.file, paths)

    assert (aside is not None) == case.is_told
    if aside:
        assert _content_of(aside.path) == before
    if case.file == "data/store.db" and case.keeps:
        assert (_DRAFT,) in _drafts(path)
    _see_the_other_files(case, paths)


@pytest.mark.long
@pytest.mark.parametrize("case", _CASES, ids=_name)
async def test_the_program_is_usable_soon_with_any_damage(
    case: _Case, made: Path, tmp_path: Path, tell: Tell
) -> None:
    usable_s = await _start_with(case, made, tmp_path)
    async with running_program(tmp_path):
        # What was mended once stays so: nothing more is put aside.
        assert len(_all_aside(tmp_path / case.file)) <= 1
    tell(f"usable after {usable_s:.1f} s (at most {_LIMIT_S} s): {_name(case)}")


async def _copied(case: _Case, made: Path, folder: Path) -> Path:
    """Copy what the program made, and return the file to be damaged."""
    if not _is_filled(made):
        await _make(made)
    shutil.copytree(made, folder, dirs_exist_ok=True, symlinks=True)
    path = folder / case.file
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    return path


async def _read(file: str, paths: Paths) -> PutAside | None:
    """Read a file as the program does at its start."""
    match file:
        case "data/store.db":
            store = Store(paths.store_file)
            try:
                return await store.open()
            finally:
                await store.close()
        case "data/ledger.db":
            ledger = Ledger(paths.ledger_file)
            try:
                return await ledger.open()
            finally:
                await ledger.close()
        case "config/settings.toml":
            return SettingsFile(paths.settings_file).put_aside
        case "config/tool-servers.json":
            servers = ServersFile(paths.tool_servers_file)
            servers.read()
            return servers.put_aside
        case _:
            (folder,) = filter(is_no_folder, paths.inner_folders)
            return PutAside(put_aside(folder))


def _drafts(path: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT text FROM drafts").fetchall()


async def _start_with(case: _Case, made: Path, folder: Path) -> float:
    """Start with the damage, and look at all that the case says; how long it took to start."""
    path = await _copied(case, made, folder)
    async with FakeService() as service:
        service.holds("one", ("user", _QUESTION), ("assistant", _ANSWER))
        _choose(paths_under(folder).settings_file, _connection_of(case), service)
        case.damage(path)
        before = _content_of(path)
        began_at = time.monotonic()
        async with _started(folder, service) as person:
            usable_s = time.monotonic() - began_at
            aside = _put_aside(path)
            if case.is_told:
                _see_told(person, aside)
                assert case.name == "removed" or _content_of(aside) == before
            await _see_the_chats(person, case)
    _see_the_other_files(case, paths_under(folder))
    return usable_s


@asynccontextmanager
async def _started(folder: Path, service: FakeService) -> AsyncIterator[Person]:
    """Run the program until it can be used."""
    keyring = _keyring(service.base_url, service)
    async with running_program(folder, keyring) as person:
        connection = person.program.connection
        if connection.workspace:
            await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is connected")
        yield person


async def _make(folder: Path) -> None:
    """Leave all that a person's first days leave: chats here and elsewhere, calls, a draft."""
    has_chosen_offline(folder)
    async with running_program(folder) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")
        await person.asks(_LOCAL_QUESTION)
    paths = paths_under(folder)
    paths.tool_servers_file.write_text(_SERVERS, encoding="utf-8")
    async with FakeService() as service:
        service.holds("one", ("user", _QUESTION), ("assistant", _ANSWER))
        _choose(paths.settings_file, ConnectionSettings(kind="hosted", project="office"), service)
        async with running_program(folder, _keyring(service.base_url, service)) as person:
            connection, chat = person.program.connection, person.program.chat
            await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is connected")
            chat.open("one")
            await person.sees(
                lambda: len(chat.transcript.rows) == 2, "the chat shows its two messages"
            )
            for number in range(_CALLS):
                await _deny_a_call(person, service, f"call-{number}")
            person.write(_DRAFT)
    shutil.rmtree(paths.logs)


async def _deny_a_call(person: Person, service: FakeService, call_id: str) -> None:
    program = person.program
    service.asks_tool("current_time", {}, call_id=call_id)
    service.says("Then not.")
    person.say("What time is it?")
    await person.sees(lambda: bool(program.approval.cards), "the approval card is shown")
    await answer(person.window, "Deny…")
    await answer(person.window, "Deny")
    await person.sees(lambda: not program.chat.state.is_busy, "the end of the reply")


def _connection_of(case: _Case) -> ConnectionSettings:
    """Choose the service that the damage is about."""
    if "service" in case.file:
        return ConnectionSettings(kind="local")
    return ConnectionSettings(kind="hosted", project="office")


def _choose(file: Path, connection: ConnectionSettings, service: FakeService) -> None:
    office = Project(id="office", name="The office", base_url=service.base_url)
    projects = ProjectSettings(hosted=(office,))
    SettingsFile(file).save(Settings(connection=connection, projects=projects))


def _keyring(base_url: str, service: FakeService) -> KeyringInMemory:
    keyring = KeyringInMemory()
    key = service.api_key.get_secret_value()
    keyring.set_password("parley", f"office {base_url}", key)
    return keyring


def _see_told(person: Person, aside: Path) -> None:
    bars = person.window.findChildren(NoticeBar)
    told = " ".join(bar.accessibleName() for bar in bars if bar.isVisible())
    assert str(aside) in told


async def _see_the_chats(person: Person, case: _Case) -> None:
    """See the chats that are not in the damaged file, and what could be read of those in it."""
    program, chat = person.program, person.program.chat
    if "service" in case.file:
        titles = [row.title for row in program.conversations.rows] if case.keeps else []
        assert case.keeps is False or titles
        return
    if program.connection.workspace is None:
        assert find(person.window, QAbstractButton, "Look around first").isVisible()
        return
    chat.open("one")
    await person.sees(
        lambda: any(_ANSWER in str(row) for row in chat.transcript.rows),
        "the chat shows the stored answer",
    )
    if case.keeps and case.file != "data/ledger.db":
        await person.sees(
            lambda: person.box.toPlainText() == _DRAFT, "the composer holds the draft"
        )


def _see_the_other_files(case: _Case, paths: Paths) -> None:
    if case.file != "data/ledger.db":
        assert verified(paths.ledger_file)[0].state == "ok"
    if case.file != "config/tool-servers.json" or case.keeps:
        assert "clock-server" in paths.tool_servers_file.read_text(encoding="utf-8")


def _put_aside(path: Path) -> Path:
    found = _all_aside(path)
    return found[0] if found else path


def _all_aside(path: Path) -> list[Path]:
    # What belongs to it is named after all of its name; that of a folder has no ending.
    begins = (f"{path.stem}.damaged-", f"{path.name}.damaged-")
    found = [p for p in path.parent.iterdir() if p.name.startswith(begins)]
    return [p for p in found if not p.name.endswith(("-wal", "-shm", "-journal"))]


def _content_of(path: Path) -> object:
    if path.is_symlink():
        return str(path.readlink())
    if path.is_dir():
        return sorted(p.name for p in path.iterdir())
    return path.read_bytes() if path.exists() else None


async def test_chats_of_a_newer_version_are_opened_by_a_button_once_that_is_mended(
    tmp_path: Path,
) -> None:
    paths = has_chosen_offline(tmp_path)
    newer, store = tmp_path / "newer.db", Store(paths.store_file)
    await store.open()
    await store.close()
    with closing(sqlite3.connect(paths.store_file)) as connection:
        connection.execute("CREATE TABLE later (word TEXT)")
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    async with running_program(tmp_path) as person:
        await person.program.try_sandbox()
        bar = next(bar for bar in person.window.findChildren(NoticeBar) if bar.isVisible())
        assert "newer version" in bar.accessibleName()

        paths.store_file.rename(newer)
        click(find(bar, QAbstractButton, "Try again"))

        connection_now = person.program.connection
        await person.sees(lambda: connection_now.status.dot is Dot.GOOD, "it is ready")
        await person.asks(_LOCAL_QUESTION)
        assert person.reply
        assert newer.exists()
