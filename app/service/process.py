"""Keep the bundled service running as a child process until the app ends.

`ServiceProcess` starts and watches it; `RestartPolicy` says how often it is restarted before we
give up.
"""

import asyncio
import enum
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.common.log_file import redacted
from app.service.child import (
    ChildError,
    EngineChoice,
    LaunchLine,
    ModelKeys,
    ServiceAddress,
    ServiceChild,
    load_line,
)
from app.service.server_command import service_command, service_environment
from app.tasks import TaskOwner
from local_tools.aio import wait_bounded
from local_tools.log_tail import LogTail
from local_tools.recovery.files import PutAside

_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
_WINDOW_S = 60.0


class RestartPolicy:
    """Allows as many restarts a minute as there are pauses, each pause longer than the last."""

    def __init__(
        self, pauses_s: Sequence[float] = _PAUSES_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pauses_s = tuple(pauses_s)
        self._clock = clock
        self._recent: deque[float] = deque()

    def next_pause_s(self) -> float | None:
        """Return how long to wait before the restart that is due now; None to give up."""
        now = self._clock()
        while self._recent and self._recent[0] <= now - _WINDOW_S:
            self._recent.popleft()
        if len(self._recent) >= len(self._pauses_s):
            return None
        self._recent.append(now)
        return self._pauses_s[len(self._recent) - 1]


log = logging.getLogger(__name__)

_END_TIMEOUT_S = 5.0

CommandLine = Callable[[int | None], Sequence[str]]


class ServiceState(enum.Enum):
    """The states of the service process."""

    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"
    STOPPED = "stopped"


class ServiceProcess:
    """Starts the service, watches it, starts it again, and leaves no process behind.

    Address and key stand from the beginning and stay the same over restarts: what connects while
    the child is away waits for it, until it has failed for good: then the port is given back, and
    whoever follows the state sends nothing there any more. Made when the bundled service is
    chosen; `run` is a task of its owner, who calls `aclose` in the end.

    Args:
        data: the service's own folder.
        model: which model answers where a chat has no other; None leaves it to the chats.
        models: the models that the person added, which a chat may choose.
        keys: the keys of models elsewhere; they go by standard input only.
        engine: how model files are run.
        command: makes the command line from the inherited descriptor; ours unless a test's.
        restarts: how often and after which pauses it is started again.

    Attributes:
        put_aside: the damaged database that it found and replaced, if it did in this run.
    """

    def __init__(
        self,
        data: Path,
        *,
        model: str | None = "offline",
        models: Sequence[str] = (),
        keys: ModelKeys | None = None,
        instructions: str = "",
        engine: EngineChoice | None = None,
        command: CommandLine | None = None,
        restarts: RestartPolicy | None = None,
    ) -> None:
        self._launch = LaunchLine(model, models, keys or ModelKeys(), instructions, engine)
        self._command = command or partial(service_command, data)
        self._restarts = restarts or RestartPolicy()
        self._tail = LogTail(lambda: self._launch.secrets, redact=redacted)
        self._tasks = TaskOwner(self._on_task_failed)
        self._listeners: list[Callable[[ServiceState], None]] = []
        self._child: ServiceChild | None = None
        self._state = ServiceState.STOPPED
        self._last_words = ""
        self.put_aside: PutAside | None = None
        self._is_decided = asyncio.Event()
        self._is_closing = asyncio.Event()
        self._has_ended = asyncio.Event()
        self._has_ended.set()

    @property
    def address(self) -> ServiceAddress:
        """Where it answers and to which key; keyed requests wait for READY."""
        return self._launch.address

    @property
    def state(self) -> ServiceState:
        """How it is with the service now."""
        return self._state

    @property
    def pid(self) -> int | None:
        """The child's process number, while there is one."""
        return self._child.pid if self._child else None

    @property
    def log_tail(self) -> tuple[str, ...]:
        """The last lines of its log, oldest first, with secrets hidden."""
        return self._tail.lines

    @property
    def last_words(self) -> str:
        """What the service, or the attempt to start it, said last; empty when nothing was said."""
        return self._last_words

    def subscribe(self, on_state: Callable[[ServiceState], None]) -> None:
        """Call `on_state` at each change of state, from the loop's thread."""
        self._listeners.append(on_state)

    async def until_ready(self) -> None:
        """Wait until it answers and has shown that it is ours.

        Raises:
            UserFacingError: it failed, or was closed.
        """
        await self._is_decided.wait()
        if self._state is not ServiceState.READY:
            raise UserFacingError(ErrorCode.SERVICE_FAILED, {"message": self.last_words})

    async def change_models(
        self,
        model: str | None,
        models: Sequence[str],
        keys: ModelKeys,
        instructions: str = "",
        engine: EngineChoice | None = None,
    ) -> None:
        """Change models, keys and instructions, from now on.

        Nothing restarts, and no reply is cut.
        """
        self._launch.change(model, models, keys, instructions, engine)
        if self._child:
            await self._child.tell(self._launch.models_line())

    async def load_model(self, model: str) -> None:
        """Have a model loaded that will soon be asked; one that needs no loading stays as it is."""
        if self._child:
            await self._child.tell(load_line(model))

    async def run(self) -> None:
        """Keep the service running until it is closed or has failed for good."""
        self._has_ended.clear()
        try:
            await self._run()
        finally:
            await self._stop_child()
            self._has_ended.set()

    async def aclose(self) -> None:
        """End the service, within two seconds or by force, and give the port back."""
        # First, so that a child which is just being started is stopped, too.
        self._is_closing.set()
        await self._stop_child()
        await wait_bounded(_END_TIMEOUT_S, self._has_ended.wait())
        await self._tasks.aclose()
        self._launch.close()
        self._enter(ServiceState.STOPPED)

    async def _run(self) -> None:
        state = ServiceState.STARTING
        while not self._is_closing.is_set():
            self._enter(state)
            await self._live_once()
            if self._is_closing.is_set():
                return
            pause_s = self._restarts.next_pause_s()
            if pause_s is None:
                log.warning("The service keeps exiting; not restarting it")
                # Before the port is given back, so that clients stop before another program has it.
                self._enter(ServiceState.FAILED)
                # Clients that connected meanwhile would wait in vain.
                self._launch.close()
                return
            state = ServiceState.RESTARTING
            self._enter(state)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._is_closing.wait()

    async def _live_once(self) -> None:
        """Start it, and watch it until it ends."""
        self._last_words = ""
        try:
            await self._start_child()
        except ChildError as exc:
            self._tail.add(str(exc))
            self._last_words = str(exc)
            log.info("The service did not start: %s", exc)
        else:
            self._enter(ServiceState.READY)
            code = await self._child.wait() if self._child else 0
            log.info("The service ended with exit code %s", code)
        await self._stop_child()
        # Its last line of output says more than its exit code.
        self._last_words = self._tail.last_fed or self._last_words

    async def _start_child(self) -> None:
        fd = self._launch.inherited_fd
        environment = service_environment(os.environ)
        child = await ServiceChild.spawn(
            self._command(fd), environment, fd, self._tail, self._tasks
        )
        self._child = child
        if self._is_closing.is_set():
            raise ChildError("the service is not needed any more")
        await child.become_ready(self._launch)
        self.put_aside = child.put_aside or self.put_aside

    async def _stop_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.stop()

    def _enter(self, state: ServiceState) -> None:
        if state is self._state:
            return
        self._state = state
        if state in {ServiceState.STARTING, ServiceState.RESTARTING}:
            self._is_decided.clear()
        else:
            self._is_decided.set()
        for listener in tuple(self._listeners):
            listener(state)

    def _on_task_failed(self, name: str, error: BaseException) -> None:
        log.error("%s failed", name, exc_info=error)
