"""The bundled service as a child: proven, watched, started again, and gone in the end."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.errors import ApiError
from app.common.errors import UserFacingError
from app.service.child import ServiceChild, verify_service
from app.service.process import RestartPolicy, ServiceProcess, ServiceState
from app.tasks import TaskOwner
from local_tools.log_tail import LogTail
from tests.support.fake_service import FakeService
from tests.support.plugins import LoopBackend

pytestmark = pytest.mark.anyio

_STAND_IN = Path(__file__).parents[2] / "support" / "fake_service_program.py"
_LIMIT_S = 20.0


class Watched:
    """A service, its states so far, and a way to wait for the next."""

    def __init__(self, service: ServiceProcess) -> None:
        self.service = service
        self.states: list[ServiceState] = []
        self._changed = asyncio.Event()
        service.subscribe(self._on_state)

    def _on_state(self, state: ServiceState) -> None:
        self.states.append(state)
        self._changed.set()

    async def reaches(self, state: ServiceState, times: int = 1) -> None:
        async with asyncio.timeout(_LIMIT_S):
            while self.states.count(state) < times:
                self._changed.clear()
                await self._changed.wait()


@pytest.fixture(params=[pytest.param("asyncio", marks=pytest.mark.long), "qt"])
def anyio_backend(
    request: pytest.FixtureRequest,
) -> str | LoopBackend:
    """Children must work on both loops: Qt's is the one of the program."""
    if request.param == "asyncio":
        return "asyncio"
    backend: LoopBackend = request.getfixturevalue("qt_loop")
    return backend


@asynccontextmanager
async def running(service: ServiceProcess) -> AsyncIterator[Watched]:
    watched = Watched(service)
    failures: list[BaseException] = []
    owner = TaskOwner(lambda _name, error: failures.append(error))
    owner.start(service.run(), name="service")
    try:
        yield watched
    finally:
        await service.aclose()
        await owner.aclose()
    assert not failures


def stand_in(way: str, data: Path, pauses_s: tuple[float, ...] = ()) -> ServiceProcess:
    return ServiceProcess(
        data,
        command=lambda fd: [sys.executable, str(_STAND_IN), way, str(fd)],
        restarts=RestartPolicy(pauses_s),
    )


async def test_the_real_service_becomes_ready_and_answers_to_its_key(tmp_path: Path) -> None:
    async with running(ServiceProcess(tmp_path)) as watched:
        await watched.reaches(ServiceState.READY)
        await watched.service.until_ready()
        address = watched.service.address
        async with ApiClient(address.base_url, address.api_key) as client:
            detail = await client.create_conversation()
            assert (await client.get_conversation(detail.id)).id == detail.id
    assert watched.states == [ServiceState.STARTING, ServiceState.READY, ServiceState.STOPPED]


async def test_a_killed_service_comes_back_at_the_same_address_with_its_data(
    tmp_path: Path,
) -> None:
    async with running(ServiceProcess(tmp_path)) as watched:
        await watched.reaches(ServiceState.READY)
        address = watched.service.address
        async with ApiClient(address.base_url, address.api_key) as client:
            detail = await client.create_conversation()
            first = watched.service.pid
            assert first is not None
            os.kill(first, signal.SIGKILL)
            await watched.reaches(ServiceState.READY, times=2)
            assert watched.service.pid != first
            assert watched.service.address == address
            assert (await client.get_conversation(detail.id)).id == detail.id


async def test_a_service_that_ends_before_the_proof_is_not_waited_for(tmp_path: Path) -> None:
    async with running(stand_in("fleeting", tmp_path, (60.0,))) as watched:
        await watched.reaches(ServiceState.RESTARTING)


@pytest.mark.security(52)
async def test_a_request_made_while_the_service_is_away_waits_for_it(tmp_path: Path) -> None:
    async with running(stand_in("good", tmp_path, (0.05,))) as watched:
        await watched.reaches(ServiceState.READY)
        assert watched.service.pid is not None
        os.kill(watched.service.pid, signal.SIGKILL)
        await watched.reaches(ServiceState.RESTARTING)
        address = watched.service.address
        async with ApiClient(address.base_url, address.api_key) as client:
            assert await client.list_agents() == ()


@pytest.mark.security(52)
@pytest.mark.expects_log("keeps exiting")
async def test_program_without_the_proof_is_never_ready(tmp_path: Path) -> None:
    async with running(stand_in("impostor", tmp_path)) as watched:
        await watched.reaches(ServiceState.FAILED)
        assert ServiceState.READY not in watched.states
        assert any("not the service" in line for line in watched.service.log_tail)
        with pytest.raises(UserFacingError):
            await watched.service.until_ready()


@pytest.mark.expects_log("keeps exiting")
async def test_a_service_that_keeps_ending_fails_with_the_end_of_its_log_and_no_secret(
    tmp_path: Path,
) -> None:
    async with running(stand_in("crash", tmp_path, (0.0, 0.0, 0.0, 0.0, 0.0))) as watched:
        await watched.reaches(ServiceState.FAILED)
        tail = "\n".join(watched.service.log_tail)
        assert tail.count("stand-in begins") == 6
        assert "cannot go on with •••" in tail
        assert "nor with •••" in tail
        assert watched.service.address.api_key.get_secret_value() not in tail
    assert watched.states == [
        ServiceState.STARTING,
        ServiceState.RESTARTING,
        ServiceState.FAILED,
        ServiceState.STOPPED,
    ]


@pytest.mark.expects_log("keeps exiting")
@pytest.mark.parametrize("way", ["junk", "flood"])
async def test_a_service_that_says_something_else_is_not_ready(way: str, tmp_path: Path) -> None:
    async with running(stand_in(way, tmp_path)) as watched:
        await watched.reaches(ServiceState.FAILED)
        assert any("something else" in line for line in watched.service.log_tail)


@pytest.mark.expects_log("keeps exiting")
async def test_a_service_that_cannot_start_says_why_in_its_own_words(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file" / "service"
    in_the_way.parent.write_text("a file", encoding="utf-8")
    async with running(ServiceProcess(in_the_way, restarts=RestartPolicy(()))) as watched:
        await watched.reaches(ServiceState.FAILED)
        assert str(in_the_way) in watched.service.last_words


@pytest.mark.expects_log("keeps exiting")
async def test_a_program_that_is_not_there_is_a_failure_with_words(tmp_path: Path) -> None:
    service = ServiceProcess(
        tmp_path, command=lambda _fd: [str(tmp_path / "nowhere")], restarts=RestartPolicy(())
    )
    async with running(service) as watched:
        await watched.reaches(ServiceState.FAILED)
        assert any("cannot be started" in line for line in watched.service.log_tail)


@pytest.mark.parametrize("way", ["good", "stubborn", "mute"])
async def test_closing_leaves_no_process_whatever_the_child_thinks_of_it(
    way: str, tmp_path: Path
) -> None:
    async with running(stand_in(way, tmp_path)) as watched:
        await watched.reaches(ServiceState.STARTING if way == "mute" else ServiceState.READY)
        pid = watched.service.pid
    assert pid is None or not psutil.pid_exists(pid)
    assert watched.states[-1] is ServiceState.STOPPED


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
async def test_silent_child_is_not_waited_for() -> None:
    tasks = TaskOwner(lambda _name, _error: None)
    deaf = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]
    child = await ServiceChild.spawn(deaf, os.environ, None, LogTail(), tasks)
    await child.stop()
    assert await child.wait() == -signal.SIGTERM
    await tasks.aclose()


async def test_cancelling_the_run_ends_the_child_too(tmp_path: Path) -> None:
    service = stand_in("good", tmp_path)
    watched = Watched(service)
    owner = TaskOwner(lambda _name, _error: None)
    owner.start(service.run(), name="service")
    await watched.reaches(ServiceState.READY)
    pid = service.pid
    assert pid is not None
    await owner.aclose()
    assert not psutil.pid_exists(pid)
    await service.aclose()


async def test_the_service_gets_no_secret_by_its_arguments(tmp_path: Path) -> None:
    async with running(ServiceProcess(tmp_path)) as watched:
        await watched.reaches(ServiceState.READY)
        assert watched.service.pid is not None
        seen = " ".join(psutil.Process(watched.service.pid).cmdline())
        assert "--child" in seen
        assert watched.service.address.api_key.get_secret_value() not in seen


async def test_the_service_gets_no_secret_by_its_surroundings(tmp_path: Path) -> None:
    # The stand-in, since the service lets nobody look into its memory and surroundings.
    async with running(stand_in("good", tmp_path)) as watched:
        await watched.reaches(ServiceState.READY)
        assert watched.service.pid is not None
        child = psutil.Process(watched.service.pid)
        seen = " ".join(child.environ().values())
        assert watched.service.address.api_key.get_secret_value() not in seen
        assert "OFFSCREEN" not in {name.upper() for name in child.environ()}
        assert not any(name.startswith(("QT_", "PYTHON_KEYRING")) for name in child.environ())


@pytest.mark.security(52)
async def test_nobody_can_take_the_port_while_the_service_is_away(tmp_path: Path) -> None:
    async with running(stand_in("good", tmp_path, (0.0,) * 5)) as watched:
        host, _, port = watched.service.address.base_url.removeprefix("http://").partition(":")
        for times in range(1, 4):
            await watched.reaches(ServiceState.READY, times)
            assert watched.service.pid is not None
            os.kill(watched.service.pid, signal.SIGKILL)
            await watched.reaches(ServiceState.RESTARTING, times)
            for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
                with socket.socket() as thief:
                    thief.setsockopt(socket.SOL_SOCKET, option, 1)
                    with pytest.raises(OSError, match="in use"):
                        thief.bind((host, int(port)))


@pytest.mark.security(52)
async def test_the_proof_is_asked_for_without_the_key() -> None:
    async with FakeService() as service:
        service.answers(200, b'{"proof": "00"}')
        service.api_key = SecretStr("")
        assert not await verify_service(service.base_url, SecretStr("secret"))
        assert service.requests[0].header("X-API-Key") is None
        assert service.requests[0].path == "/proof"


@pytest.mark.expects_log("keeps exiting")
async def test_waiters_are_released_when_the_service_is_given_up(tmp_path: Path) -> None:
    async with running(stand_in("crash", tmp_path, (0.0, 0.1))) as watched:
        address = watched.service.address
        async with ApiClient(address.base_url, address.api_key) as client:
            await watched.reaches(ServiceState.RESTARTING)

            async with asyncio.timeout(20):
                with pytest.raises(ApiError):
                    await client.list_agents()
