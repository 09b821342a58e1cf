"""Keeps the engine: started when it is needed, one model at a time, stopped when it rests.

Whoever asks a model borrows the engine for the time of an answer. Another model waits until all of
those answers have ended, so that changing the model of a chat cuts no reply.
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
# Before a start, by how often the engine ended by itself within a minute; after that it is not
# started before the minute is over.
_PAUSES_S: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
_MINUTE_S: Final = 60.0
_AGAIN_AND_AGAIN: Final = "The engine ended again and again. Try again in a minute."


_boot_time: Final[Callable[[], float] | None] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if sys.platform == "linux" else None
)


def seconds_asleep_too() -> float:
    """Return seconds that go on in a sleep: on Linux `time.monotonic` stands still then."""
    return _boot_time() if _boot_time else time.monotonic()


@dataclass(frozen=True)
class EngineOptions:
    """The choices of a run.

    Attributes:
        window: How many tokens a question and its answer may have; None leaves it to what fits.
        program: Another llama-server, which runs the models instead of the bundled engine.
        bubblewrap: What confines the bundled engine; empty for nothing, then it listens on
            loopback.
        read: Says what a model file is.
        idle_s: After so long without a question the engine is stopped, and its memory is free.
        look_s: How often it is looked whether that is over; timers stand still in a sleep.
        pauses_s: What lies before a start, by how often it ended by itself within a minute.
        clock: Seconds that never go back, and go on while the computer sleeps.
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


# Which file it was when it was loaded: another one of the same name is another model.
_FileMark = tuple[int, int, int]


@dataclass(frozen=True)
class _Asked:
    """Which model is wanted, and how it is to be run: anything else is loaded anew."""

    path: Path
    mark: _FileMark
    window: int | None
    program: Path | None


class _Loaded:
    """A model that is loaded, and how many answers are being given with it."""

    def __init__(self, asked: "_Asked", process: EngineProcess, engine: RunningEngine) -> None:
        self.asked = asked
        self.process = process
        self.engine = engine
        self.answers = 0
        self.is_unused = asyncio.Event()
        self.is_unused.set()


class BorrowedEngine:
    """The engine for the time of one answer; whoever borrowed it gives it back once."""

    def __init__(self, engine: RunningEngine, give_back: Callable[[], None]) -> None:
        self.engine = engine
        self._give_back: Callable[[], None] | None = give_back

    def give_back(self) -> None:
        """Say that the answer has ended; further calls do nothing."""
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back()


class EngineKeeper:
    """Starts and stops the engine. One for the life of the service; whoever made it closes it."""

    def __init__(self, options: EngineOptions | None = None) -> None:
        """Make one; nothing is started before somebody borrows it."""
        self._options = self._first_options = options or EngineOptions()
        # Whoever waits for it is served in order: no model waits forever behind another one.
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
        """The file whose model could answer at once."""
        loaded = self._loaded
        return loaded.asked.path if loaded is not None and not loaded.process.has_ended else None

    @property
    def pid(self) -> int | None:
        """The engine's process, while there is one."""
        return self._loaded.process.pid if self._loaded is not None else None

    def failure_of(self, path: Path) -> str | None:
        """Return why the model did not start when it was last wanted; None if it did."""
        return self._failures.get(path)

    def change(self, window: int | None, program: Path | None) -> None:
        """Run models so from now on; one that runs otherwise is loaded anew when it is next asked.

        Args:
            window: How many tokens a question and its answer may have; None is as at the start.
            program: Another llama-server; None is as at the start.
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

    def load(self, path: Path) -> None:
        """Begin to load a model that will soon be asked, if no other one is at work.

        Whether that is possible shows when it is asked.
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
        """Begin, unless that is done; not before an answer, which it would hold up."""
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
