"""What a test may leave behind: nothing. Each leftover is named."""

import asyncio
import gc
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import psutil

# Long enough on a busy machine, so what is still there has leaked.
_GRACE_S = 20.0
# Automatic collection is off, so the objects of a test are still in young generations; a full
# collection takes far longer.
_GENERATIONS = (1, 2)
_FOREIGN_THREADS = ("pytest_timeout", "Dummy-")


@dataclass(frozen=True)
class Snapshot:
    """The threads, child processes and windows that are there before a test."""

    threads: frozenset[int]
    children: frozenset[psutil.Process]
    widgets: frozenset[int]

    @classmethod
    def take(cls) -> "Snapshot":
        return cls(
            frozenset(thread.ident or 0 for thread in threading.enumerate()),
            frozenset(_children()),
            frozenset(id(widget) for widget in _windows()),
        )

    def leftovers(self) -> list[str]:
        """Name what is there now and was not before, after a moment to go away."""
        return [*self._threads_left(), *self._children_left(), *self._widgets_left()]

    def _threads_left(self) -> list[str]:
        new = [t for t in threading.enumerate() if t.ident not in self.threads]
        own = [t for t in new if not t.name.startswith(_FOREIGN_THREADS)]
        for thread in own:
            thread.join(_GRACE_S)
        return [f"thread {thread.name}" for thread in own if thread.is_alive()]

    def _children_left(self) -> list[str]:
        new = [child for child in _children() if child not in self.children]
        # What a server of the whole module starts is its own to end.
        new = [c for c in new if not self._is_of_earlier(c)]
        _, alive = psutil.wait_procs(new, timeout=_GRACE_S)
        names = [f"process {_command(child)}" for child in alive]
        for child in alive:
            child.kill()
        return names

    def _is_of_earlier(self, child: psutil.Process) -> bool:
        try:
            return not self.children.isdisjoint(child.parents())
        except psutil.NoSuchProcess:
            return False

    def _widgets_left(self) -> list[str]:
        left = self._new_windows()
        for generation in _GENERATIONS:
            if left:
                left.clear()
                _let_widgets_go(generation)
                left = self._new_windows()
        names = [f"window {type(w).__name__} {w.objectName()!r}" for w in left]
        for widget in left:
            widget.deleteLater()
        return names

    def _new_windows(self) -> list[Any]:
        return [widget for widget in _windows() if id(widget) not in self.widgets]


def watch_tasks(
    function: Callable[..., Awaitable[Any]],
) -> Callable[..., Awaitable[Any]]:
    """Wrap a coroutine test so that it fails, by name, on each task it leaves running."""

    @wraps(function)
    async def watched(**arguments: Any) -> None:
        before = asyncio.all_tasks()
        await function(**arguments)
        left = await _tasks_since(before)
        if left:
            raise AssertionError(f"tasks left running: {[str(task) for task in left]}")

    return watched


async def _tasks_since(before: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    """Return what still runs after a moment, in which ended connections clear up."""
    ends_at = time.monotonic() + _GRACE_S
    while left := asyncio.all_tasks() - before:
        rest_s = ends_at - time.monotonic()
        if rest_s < 0:
            break
        await asyncio.wait(left, timeout=rest_s, return_when=asyncio.FIRST_COMPLETED)
    return left


def _children() -> list[psutil.Process]:
    """Return all children of this process, and theirs."""
    if not Path("/proc/thread-self/children").exists():
        # Without the kernel's lists, psutil looks at every process of the system.
        return [child for child in psutil.Process().children(recursive=True) if child.is_running()]
    children = []
    for process_id in _ids_below("self"):
        with suppress(psutil.NoSuchProcess):
            children.append(psutil.Process(process_id))
    return children


def _ids_below(process_id: str) -> Iterator[int]:
    """Yield what the kernel lists of a process, and of its children; one may end meanwhile."""
    for file in (Path("/proc") / process_id / "task").glob("*/children"):
        try:
            ids = file.read_text(encoding="ascii").split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for one in ids:
            yield int(one)
            yield from _ids_below(one)


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline()) or str(process.pid)
    except psutil.Error:
        return str(process.pid)


def _windows() -> list[Any]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    return [w for w in widgets.QApplication.topLevelWidgets() if w.parent() is None]


def _let_widgets_go(generation: int) -> None:
    """Collect what only cycles hold, and carry out deletions that were asked for."""
    gc.collect(generation)
    core = sys.modules["PySide6.QtCore"]
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
