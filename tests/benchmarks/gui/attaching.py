"""A PDF of 200 pages attached in the whole program, and one page of it read and quoted."""

import asyncio
import random
import tempfile
import threading
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher
from PySide6.QtWidgets import QApplication

from app.event_loop import AppEventLoop
from tests.benchmarks.gui.bench import WINDOW, Bench, Found
from tests.benchmarks.rows import Figure, Goal, Row
from tests.support.attached_files import pdf
from tests.support.fake_service import FakeService
from tests.support.window import Person, has_chosen_hosted, running_program

_PAGES: Final = 200
_QUOTED: Final = 150
_PAGE: Final = "The council offers the pitch at Market Green for 180 pounds. " * 40
_ATTACHING, _QUOTING = "attaching", "quoting"
# What a start leaves to do is done until then.
_REST_S: Final = 2.0


def measure(bench: Bench) -> list[Row]:
    """Tell the longest turn of the loop in all rounds, while attaching and while quoting."""
    megabytes = bench.size(30, 2)
    found = bench.child("attach", bench.size(10, 2), megabytes)
    what = f"a PDF of {_PAGES} pages, {megabytes} MB,"
    return [
        _row(f"longest turn while {what} is attached", found[_ATTACHING]),
        _row(f"longest turn while its page {_QUOTED} is quoted", found[_QUOTING]),
    ]


def _row(name: str, turns: list[float]) -> Row:
    return Row(name, "ms", {WINDOW: Figure.of([max(turns)])}, Goal(16, of="figure"), WINDOW)


def act(rounds: int, megabytes: int) -> Found:
    """Attach and ask as often as there are rounds, once more before that."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    with (
        tempfile.TemporaryDirectory(prefix="parley-bench-") as name,
        AppEventLoop(application) as loop,
    ):
        found: Found = loop.run_until_complete(_measured(Path(name), rounds, megabytes))
    return found


async def _measured(folder: Path, rounds: int, megabytes: int) -> Found:
    path = folder / "minutes.pdf"
    unused = random.Random(1).randbytes(megabytes * 1_000_000)  # noqa: S311 - the same each time
    path.write_bytes(pdf(*(f"Page {n + 1}. {_PAGE}" for n in range(_PAGES)), unused=unused))
    service = FakeService()
    for number in range(rounds + 1):
        asked = {"name": path.name, "pages": str(_QUOTED)}
        service.asks_tool("read_attachment", asked, call_id=f"call-{number}")
        service.says(f"> Page {_QUOTED}. {_PAGE}\n\nThat is what it says.")
    found: Found = {_ATTACHING: [], _QUOTING: []}
    with _serving(service):
        keyring = has_chosen_hosted(folder / "data", service)
        async with running_program(folder / "data", keyring) as person:
            await person.sees(lambda: person.program.chat.state.can_send, "the service answers")
            for _ in range(rounds + 1):
                person.program.chat.open("")
                await asyncio.sleep(_REST_S)
                found[_ATTACHING].append(await _longest(_attach(person, path)))
                found[_QUOTING].append(await _longest(person.asks("What does page 150 say?")))
                assert f"Page {_QUOTED}." in person.reply
    return {name: turns[1:] for name, turns in found.items()}


async def _attach(person: Person, path: Path) -> None:
    attachments = person.program.chat.attachments
    person.program.chat.attach([path])
    await person.sees(
        lambda: len(attachments.items) == 1 and not attachments.is_busy,
        "the file is attached",
        attachments.changed,
    )


async def _longest(work: Awaitable[None]) -> float:
    """Return the longest turn of the loop while something is done, in ms of this thread's time."""
    turns: list[float] = []
    began = time.thread_time_ns()

    def note() -> None:
        nonlocal began
        now = time.thread_time_ns()
        turns.append((now - began) / 1e6)
        began = now

    dispatcher = QAbstractEventDispatcher.instance()
    dispatcher.aboutToBlock.connect(note)
    try:
        await work
        # What it leaves to be painted counts, too.
        await asyncio.sleep(_REST_S / 4)
    finally:
        dispatcher.aboutToBlock.disconnect(note)
    return max(turns)


@contextmanager
def _serving(service: FakeService) -> Iterator[None]:
    """Answer in a thread with a loop of its own: this one's is measured."""
    is_ready, loops = threading.Event(), []
    end = asyncio.Event()

    async def serve() -> None:
        async with service:
            loops.append(asyncio.get_running_loop())
            is_ready.set()
            await end.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), name="the service")
    thread.start()
    try:
        is_ready.wait()
        yield
    finally:
        loops[0].call_soon_threadsafe(end.set)
        thread.join()
