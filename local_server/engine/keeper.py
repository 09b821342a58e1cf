"""Start the engine when it is needed, with one model at a time, and stop it when it is idle.

The engine is borrowed for the duration of an answer. Another model is loaded only after all such
answers have ended, so that changing the model of a chat cuts off no reply.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from local_server.engine.confinement import find_bubblewrap
from local_server.engine.engine_process import EngineProcess, RunningEngine
from local_server.engine.memory import EngineError, plan
from local_server.engine.model_files import ModelFile, ModelFileError, read_model_file
from local_server.engine.sleep_signal import follow_sleep

log = logging.getLogger(__name__)

_IDLE_S: Final = 600
_LOOK_S: Final = 30
# The pause before a start, by how often the engine has crashed within the last minute. After more
# crashes than pauses it is not started until the oldest is a minute ago.
_PAUSES_S: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
_MINUTE_S: Final = 60.0
_AGAIN_AND_AGAIN: Final = "The engine stopped repeatedly. Try again in a minute."


_boot_time: Final[Callable[[], float] | None] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if sys.platform == "linux" else None
)


def seconds_asleep_too() -> float:
    """Return a monotonic time that goes on during sleep; on Linux `time.monotonic` stops then."""
    return _boot_time() if _boot_time else time.monotonic()


@dataclass(frozen=True)
class EngineOptions:
    """The choices of a run.

    Attributes:
        window: How many tokens a question and its answer may have; None leaves it to what fits.
        program: Another llama-server, which runs the models instead of the bundled engine.
        bubblewrap: What confines the bundled engine; empty for nothing, then it listens on
            loopback.
        read: Reads the description of a model file.
        idle_s: The engine is stopped after this long without a question, to free its memory.
        look_s: The interval of checks for that: a single long timer would not advance during sleep.
        pauses_s: The pauses before a start, by the number of crashes within the last minute.
        clock: A monotonic clock, in seconds, that goes on while the computer sleeps.
        sleep: Waits.
        follow_sleep: Calls back before each sleep of the computer, until it is cancelled.
    """

    window: int | None = None
    program: Path | None = None
    bubblewrap: str = field(default_factory=find_bubblewrap)
    read: Callable[[Path], ModelFile] = read_model_file
    idle_s: float = _IDLE_S
    look_s: float = _LOOK_S
    pauses_s: Sequence[float] = _PAUSES_S
    clock: Callable[[], float] = seconds_asleep_too
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    follow_sleep: Callable[[Callable[[], None]], Coroutine[Any, Any, None]] = follow_sleep


# The identity of a file when it was loaded: another file of the same name is another model.
_FileMark = tuple[int, int, int]


@dataclass(frozen=True)
class _Asked:
    """The model that is wanted, and how to run it; the engine is restarted if anything differs."""

    path: Path
    mark: _FileMark
    window: int | None
    program: Path | None


class _Loaded:
    """A loaded model, and the number of answers under way."""

    def __init__(self, asked: "_Asked", process: EngineProcess, engine: RunningEngine) -> None:
        self.asked = asked
        self.process = process
        self.engine = engine
        self.answers = 0
        self.is_unused = asyncio.Event()
        self.is_unused.set()


class BorrowedEngine:
    """The engine for the duration of one answer; the borrower gives it back."""

    def __init__(self, engine: RunningEngine, give_back: Callable[[], None]) -> None:
        self.engine = engine
        self._give_back: Callable[[], None] | None = give_back

    def give_back(self) -> None:
        """Give the engine back at the end of the answer; further calls do nothing."""
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back()


class EngineKeeper:
    """Starts and stops the engine. One for the life of the service; whoever made it closes it."""

    def __init__(self, options: EngineOptions | None = None) -> None:
        """Make one; nothing is started before somebody borrows it."""
        self._options = self._first_options = options or EngineOptions()
        # Fair: waiters get the lock in order, so no model waits for ever behind another one.
        self._lock = asyncio.Lock()
        self._loaded: _Loaded | None = None
        self._failures: dict[Path, str] = {}
        self._ends: deque[float] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._rests_at = 0.0
        self._resting: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None

    @property
    def loaded(self) -> Path | None:
        """The file of the loaded model."""
        loaded = self._loaded
        return loaded.asked.path if loaded is not None and not loaded.process.has_ended else None

    @property
    def pid(self) -> int | None:
        """The engine's process, while there is one."""
        return self._loaded.process.pid if self._loaded is not None else None

    def failure_of(self, path: Path) -> str | None:
        """Return why the last start of the model failed; None if it did not."""
        return self._failures.get(path)

    def change(self, window: int | None, program: Path | None) -> None:
        """Change how models are run; a loaded one is reloaded at its next question.

        Args:
            window: How many tokens a question and its answer may have; None for the value at start.
            program: Another llama-server; None for the value at start.
        """
        first = self._first_options
        self._options = replace(
            self._options, window=window or first.window, program=program or first.program
        )

    async def borrow(self, path: Path) -> BorrowedEngine:
        """Start the engine with a model, unless it runs, and keep it until it is given back.

        Raises:
            EngineError: When the model cannot be run, with a sentence for the user.
        """
        async with self._lock:
            loaded = await self._start_or_find(path)
            loaded.answers += 1
            loaded.is_unused.clear()
        return BorrowedEngine(loaded.engine, lambda: self._on_given_back(loaded))

    async def start(self, path: Path) -> RunningEngine:
        """Start the engine with a model, unless it runs; for an answer, `borrow` it.

        Raises:
            EngineError: As `borrow` does.
        """
        async with self._lock:
            return (await self._start_or_find(path)).engine

    async def window_of(self, path: Path) -> int:
        """Return how many tokens a question and its answer may have; loads the model.

        If it is loaded, nobody looks whether its file is another one since: `borrow` does.

        Raises:
            EngineError: As `borrow` does.
        """
        loaded = self._loaded
        if loaded is not None and not loaded.process.has_ended:
            asked, options = loaded.asked, self._options
            if (asked.path, asked.window, asked.program) == (path, options.window, options.program):
                return loaded.engine.window
        return (await self.start(path)).window

    def load(self, path: Path) -> None:
        """Begin to load a model that is likely to be asked soon, unless another one is answering.

        A failure is reported only when it is asked.
        """
        is_busy = self._loaded is not None and self._loaded.answers > 0
        if not is_busy and (self._loading is None or self._loading.done()):
            self._loading = asyncio.create_task(self._load_early(path), name="engine loads")

    def rest(self) -> None:
        """Unload the model now, unless it is answering."""
        if self._loaded is not None and (self._resting is None or self._resting.done()):
            self._resting = asyncio.create_task(self._rest(self._loaded), name="engine rests")

    async def aclose(self) -> None:
        """Stop the engine, whatever it is doing."""
        self._stop_timer()
        for early in filter(None, (self._loading, self._following)):
            early.cancel()
            await asyncio.wait([early])
        if self._resting is not None:
            await asyncio.wait([self._resting])
        async with self._lock:
            # A load that was cut off has begun the rest of the engine that it found.
            self._stop_timer()
            await self._stop()

    async def _load_early(self, path: Path) -> None:
        with contextlib.suppress(EngineError):
            await self.start(path)

    async def _start_or_find(self, path: Path) -> _Loaded:
        self._stop_timer()
        try:
            return await self._load(path)
        finally:
            self._begin_rest()

    async def _load(self, path: Path) -> _Loaded:
        loaded = self._loaded
        try:
            mark = await asyncio.to_thread(_mark_of, path)
            asked = _Asked(path, mark, self._options.window, self._options.program)
            if loaded is not None and not loaded.process.has_ended:
                if loaded.asked == asked:
                    return loaded
                await loaded.is_unused.wait()
            if loaded is not None and loaded.process.has_ended:
                log.info("the engine exited: %s", loaded.process.reason)
                self._ends.append(self._options.clock())
            await self._stop()
            self._loaded = await self._start(asked)
        except EngineError as exc:
            log.info("the engine cannot run %s: %s", path.name, exc)
            self._failures[path] = str(exc)
            raise
        self._failures.pop(path, None)
        return self._loaded

    async def _start(self, asked: _Asked) -> _Loaded:
        options, path = self._options, asked.path
        try:
            model = await asyncio.to_thread(options.read, path)
        except ModelFileError as exc:
            raise EngineError(str(exc)) from exc
        chosen = await asyncio.to_thread(plan, model, asked.window)
        await options.sleep(self._pause_s(path))
        began_at = time.monotonic()
        try:
            process, engine = await EngineProcess.start(
                model, chosen, options.bubblewrap, asked.program
            )
        except EngineError:
            self._ends.append(options.clock())
            raise
        took_s = time.monotonic() - began_at
        log.info("the engine runs %s, %d tokens, after %.1f s", path.name, engine.window, took_s)
        return _Loaded(asked, process, engine)

    def _pause_s(self, path: Path) -> float:
        """Return how long to wait before a start."""
        pauses_s, now = self._options.pauses_s, self._options.clock()
        while self._ends and self._ends[0] <= now - _MINUTE_S:
            self._ends.popleft()
        if len(self._ends) < len(pauses_s):
            return pauses_s[len(self._ends)]
        raise EngineError(
            f"{_AGAIN_AND_AGAIN} {self._failures.get(path, '').removeprefix(_AGAIN_AND_AGAIN)}"
        )

    def _on_given_back(self, loaded: _Loaded) -> None:
        loaded.answers -= 1
        if loaded.answers:
            return
        loaded.is_unused.set()
        self._begin_rest()
        self._begin_to_follow_sleep()

    def _begin_to_follow_sleep(self) -> None:
        """Begin to watch for sleep, once; never before an answer, which it would delay."""
        if self._following is None:
            following = self._options.follow_sleep(self.rest)
            self._following = asyncio.create_task(following, name="sleeps")

    def _begin_rest(self) -> None:
        """Stop the engine after a while, unless somebody borrows it before."""
        self._stop_timer()
        loaded = self._loaded
        if loaded is not None and not loaded.answers:
            self._rests_at = self._options.clock() + self._options.idle_s
            self._look_later(loaded)

    def _look_later(self, loaded: _Loaded) -> None:
        options = self._options
        wait_s = min(options.look_s, max(0.0, self._rests_at - options.clock()))
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._on_look, loaded)

    def _on_look(self, loaded: _Loaded) -> None:
        self._begin_to_follow_sleep()
        if self._options.clock() < self._rests_at:
            self._look_later(loaded)
            return
        self.rest()

    async def _rest(self, loaded: _Loaded) -> None:
        async with self._lock:
            if loaded is self._loaded and not loaded.answers:
                log.info("the engine is unloaded")
                await self._stop()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _stop(self) -> None:
        loaded, self._loaded = self._loaded, None
        if loaded is not None:
            await loaded.process.stop()


def _mark_of(path: Path) -> _FileMark:
    try:
        seen = path.stat()
    except FileNotFoundError as exc:
        raise EngineError(f"The model’s file is no longer available: {path}") from exc
    except OSError as exc:
        raise EngineError(f"The model’s file cannot be read: {exc.strerror}.") from exc
    return seen.st_ino, seen.st_size, seen.st_mtime_ns
