"""Garbage is collected where the objects of Qt live, whichever thread has made it."""

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.event_loop import AppEventLoop

_ENOUGH = 5 * gc.get_threshold()[0]


class Ring:
    """Holds itself, as a view model with a slot may, and tells where it was collected."""

    def __init__(self, threads: list[int], on_gone: Callable[[], object] | None = None) -> None:
        self._threads = threads
        self._on_gone = on_gone
        self._itself = self

    def __del__(self) -> None:
        self._threads.append(threading.get_ident())
        if self._on_gone:
            self._on_gone()


@pytest.fixture
def _as_started() -> Iterator[None]:
    """Python collects by itself, as it does before the program's loop runs."""
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    if not was_enabled:
        gc.disable()


def _allocate() -> list[list[int]]:
    return [[number] for number in range(_ENOUGH)]


@pytest.mark.usefixtures("_as_started")
def test_garbage_is_collected_on_the_thread_of_the_loop(qapp: QApplication) -> None:
    threads: list[int] = []

    async def work() -> None:
        loop, gone = asyncio.get_running_loop(), asyncio.Event()

        def make() -> list[list[int]]:
            Ring(threads, lambda: loop.call_soon_threadsafe(gone.set))
            return _allocate()

        kept = await asyncio.to_thread(make)
        async with asyncio.timeout(20):
            await gone.wait()
        assert kept

    with AppEventLoop(qapp) as loop:
        loop.run_until_complete(work())

    assert threads == [threading.get_ident()]
    assert gc.isenabled()


@pytest.mark.usefixtures("_as_started")
def test_cycles_in_the_oldest_generation_are_collected_too(qapp: QApplication) -> None:
    threads: list[int] = []

    async def work() -> None:
        ring = Ring(threads)
        gc.collect()  # Old now: only a search through everything meets it.
        del ring
        async with asyncio.timeout(20):
            kept = []
            while not threads:
                kept.append(_allocate())
                await asyncio.sleep(0.001)

    with AppEventLoop(qapp) as loop:
        loop.run_until_complete(work())

    assert threads == [threading.get_ident()]
