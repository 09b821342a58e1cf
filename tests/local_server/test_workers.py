"""Several workers at one address: all of them answer, one that dies is replaced, none is left."""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import psutil
import pytest

from local_server.serving import BindError
from local_server.workers.port import SharedPort
from local_server.workers.process import Worker, WorkerStart, start_worker
from local_server.workers.supervisor import Supervisor, WorkerFailedError
from tests.support.deployment import Deployment, Service, create, ended, ready
from tests.support.own_service import read_until
from tests.support.postgres import PASSWORD as POSTGRES_PASSWORD
from tests.support.postgres import RunningPostgres
from tests.support.processes import still_running
from tests.support.redis import PASSWORD as REDIS_PASSWORD
from tests.support.redis import RunningRedis

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(os.name == "nt", reason="not run here: Windows passes on no descriptors"),
]

_STARTS_IN_S = 30
_ENDS_IN_S = 20
_IS_READY = "print('ready', flush=True)"
# In /proc/net/tcp.
_LISTENS = "0A"
_IGNORE = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
_STUBBORN = f"{_IGNORE}; {_IS_READY}; input(); input()"


@pytest.fixture(scope="module")
def shared(
    postgres_server: RunningPostgres,
    redis_server: RunningRedis,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("workers")
    with postgres_server.fresh_database() as database:
        yield Deployment(database, redis_server, folder)


def _listening_at(service: Service) -> int:
    """How many sockets listen at the address of a service."""
    # Not by their processes, into which only root may look, since they keep secrets.
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    place = f":{httpx.URL(service.base_url).port:04X}"
    return sum(1 for row in rows if row[1].endswith(place) and row[3] == _LISTENS)


async def _ask_anew(service: Service, key: str, times: int) -> None:
    """Ask so often, over a new connection each time."""
    for _ in range(times):
        async with service.client(key) as client:
            assert (await client.get("/v1/agents")).status_code == 200


def _shown(process: psutil.Process) -> str:
    """What everybody on the machine sees of a process, and its owner."""
    try:
        return f"{process.cmdline()} {process.environ()}"
    except psutil.AccessDenied:
        return str(process.cmdline())


async def test_worker_that_dies_is_replaced_and_all_end_together(
    shared: Deployment, tmp_path: Path
) -> None:
    made = await shared.make_key("workers")
    log = tmp_path / "log"
    with log.open("wb") as file, ended(shared.start("--workers", "2", log=file.fileno())) as parent:
        service = ready(parent)
        workers = psutil.Process(parent.pid).children()
        shown = [_shown(worker) for worker in workers]
        at_first = _listening_at(service)
        workers[0].kill()
        # Until it is gone, it still gets its share of what comes.
        await asyncio.to_thread(workers[0].wait, _ENDS_IN_S)
        await _ask_anew(service, made.key, 5)
        async with asyncio.timeout(_STARTS_IN_S):
            while _listening_at(service) < at_first:
                await _ask_anew(service, made.key, 1)
        others = psutil.Process(parent.pid).children()
        parent.terminate()
        assert await asyncio.to_thread(parent.wait, _ENDS_IN_S) == 0
    said = log.read_text(encoding="utf-8")
    assert (at_first, len(workers), len(others)) == (2, 2, 2)
    assert still_running([*workers, *others], 0) == []
    assert f"worker {workers[0].pid} ended by SIGKILL; another one is started" in said
    for secret in (POSTGRES_PASSWORD, REDIS_PASSWORD):
        assert secret not in f"{shown} {said}"


async def test_workers_are_gone_soon_after_their_parent_was_killed(shared: Deployment) -> None:
    made = await shared.make_key("orphans")
    with ended(shared.start("--workers", "2", "--pace-ms", "50")) as parent:
        service = ready(parent)
        workers = psutil.Process(parent.pid).children()
        async with service.client(made.key) as client:
            conversation_id = await create(client)
            body = {"conversation_id": conversation_id, "message": "Hello"}
            async with client.stream("POST", "/v1/chat/stream", json=body) as answer:
                lines = answer.aiter_lines()
                await read_until(lines, "text_delta")
                parent.kill()
                left = await asyncio.to_thread(still_running, workers, _ENDS_IN_S)
    for worker in left:
        worker.kill()
    assert len(workers) == 2
    assert left == []


@pytest.mark.long
async def test_worker_that_cannot_start_ends_the_parent_with_words(
    shared: Deployment, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    (tmp_path / "url").write_text(shared.redis.url.replace(REDIS_PASSWORD, "guess"))
    with log.open("wb") as file:
        environment = {"PARLEY_REDIS_URL": "", "PARLEY_REDIS_URL_FILE": str(tmp_path / "url")}
        parent = shared.start("--workers", "2", log=file.fileno(), environment=environment)
        with ended(parent):
            assert await asyncio.to_thread(parent.wait, _STARTS_IN_S) == 1
    said = log.read_text(encoding="utf-8")
    assert "Redis refuses the name or the password in its address." in said
    assert "A worker could not start; what it said stands above." in said
    assert "Traceback" not in said
    assert "guess" not in said


@pytest.mark.skipif(sys.platform != "linux", reason="not run here: only Linux spreads connections")
async def test_new_connections_are_spread_evenly_over_the_workers() -> None:
    port = SharedPort.bind("127.0.0.1", 0)
    sockets = [port.new_socket(), port.new_socket()]
    for listening in sockets:
        listening.listen(256)
        listening.setblocking(False)
    clients = [socket.create_connection(port.held.getsockname()) for _ in range(200)]
    shares = [_accepted(listening) for listening in sockets]
    for opened in (*clients, *sockets):
        opened.close()
    port.close()
    assert sum(shares) == 200
    # Fewer than 50 of 200 fair coins: less than one in a million million.
    assert min(shares) >= 50


async def test_address_of_workers_is_refused_to_a_second_service() -> None:
    port = SharedPort.bind("127.0.0.1", 0)
    with port.new_socket() as listening:
        listening.listen()
        with pytest.raises(BindError, match="Address already in use"):
            SharedPort.bind(*port.held.getsockname())
    port.close()


def _accepted(listening: socket.socket) -> int:
    count = 0
    try:
        while True:
            listening.accept()[0].close()
            count += 1
    except BlockingIOError:
        return count


class _Scripts:
    """Starts small scripts instead of services, one after the other."""

    def __init__(self, *scripts: str) -> None:
        self._scripts = list(scripts)
        self.started: list[Worker] = []
        self.all_started = asyncio.Event()

    async def __call__(self) -> Worker:
        script = self._scripts.pop(0)
        start = WorkerStart(lambda _fd: _python(script), b"a line\n")
        worker = await start_worker(start, socket.socket())
        self.started.append(worker)
        if not self._scripts:
            self.all_started.set()
        return worker


def _python(script: str) -> Sequence[str]:
    return (sys.executable, "-I", "-S", "-c", script)


async def test_workers_that_do_not_start_are_an_error_and_the_others_are_ended() -> None:
    scripts = _Scripts(f"{_IS_READY}; input(); input()", "raise SystemExit(3)")
    supervisor = Supervisor(scripts, 2, grace_s=20)
    with pytest.raises(WorkerFailedError):
        await supervisor.run(lambda: pytest.fail("not all of them are ready"))
    ends = [await worker.wait() for worker in scripts.started]
    assert ends == ["by SIGTERM", "with code 3"]


@pytest.mark.expects_log("ended with code 5; another one is started")
async def test_worker_that_ends_by_itself_is_followed_by_another() -> None:
    scripts = _Scripts(f"{_IS_READY}; raise SystemExit(5)", f"{_IS_READY}; input(); input()")
    supervisor = Supervisor(scripts, 1, grace_s=20)
    running = asyncio.create_task(supervisor.run(lambda: None))
    async with asyncio.timeout(20):
        await scripts.all_started.wait()
    supervisor.stop()
    await running
    assert await scripts.started[1].wait() == "by SIGTERM"


@pytest.mark.expects_log("1 workers did not end in time; they are killed")
async def test_worker_that_does_not_end_in_time_is_killed() -> None:
    scripts = _Scripts(_STUBBORN)
    running, supervisor = await _run(scripts, grace_s=-3)
    supervisor.stop()
    async with asyncio.timeout(_ENDS_IN_S):
        await running
    assert await scripts.started[0].wait() == "by SIGKILL"


async def test_workers_are_killed_at_once_when_the_end_is_asked_for_twice() -> None:
    scripts = _Scripts(_STUBBORN)
    running, supervisor = await _run(scripts, grace_s=60)
    supervisor.stop()
    supervisor.stop()
    async with asyncio.timeout(_ENDS_IN_S):
        await running
    assert await scripts.started[0].wait() == "by SIGKILL"


async def _run(scripts: _Scripts, grace_s: float) -> tuple[asyncio.Task[None], Supervisor]:
    """Run one worker, until it is ready."""
    is_ready = asyncio.Event()
    supervisor = Supervisor(scripts, 1, grace_s)
    running = asyncio.create_task(supervisor.run(is_ready.set))
    async with asyncio.timeout(_ENDS_IN_S):
        await is_ready.wait()
    return running, supervisor


async def test_stop_that_comes_together_with_a_ready_line_is_not_lost() -> None:
    process = await asyncio.create_subprocess_exec("cat", stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    asking = asyncio.create_task(Worker(process).is_ready(_STARTS_IN_S))
    for _ in range(2):
        await asyncio.sleep(0)

    process.stdout.feed_data(b"ready\n")
    asking.cancel()

    await asyncio.wait({asking})
    await process.communicate(b"")
    assert asking.cancelled()
