"""Processes that open stores: many at the same moment, or dying in the middle of a migration.

Run as a program of its own, which imports once and then forks, since a process that begins anew
for each try would take a second for it.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, Pool, event

from local_server.cluster.postgres import PostgresAddress
from local_server.settings import utc_now
from local_server.store.database import DatabaseError
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Owner
from tests.support.old_store import write_old_store

_FILE_EVENTS: Final = ("open", "os.chmod", "os.mkdir", "os.remove", "os.rename", "sqlite3.connect")
_RACERS: Final = 4
_TIMEOUT_S: Final = 50


def run_store_processes(verb: str, *arguments: Path | str) -> list[str]:
    """Run this module; return the lines that it prints.

    Verbs:
        race PLACE…: Open the store at each place by four processes at once, and make a
            conversation in it. A place is a folder or the address of a database. Says what failed.
        die FOLDER STRIDE: Migrate old stores in the folders `0`, `STRIDE`, `2 * STRIDE` … of this
            one, dying at the step of that number, until one gets through. Says the numbers of
            those that died.
    """
    done = subprocess.run(
        (sys.executable, "-m", "tests.support.store_processes", verb, *map(str, arguments)),
        check=True,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    return done.stdout.splitlines()


def _race(places: Sequence[StoreAddress]) -> None:
    barrier = get_context("fork").Barrier(_RACERS, timeout=_TIMEOUT_S)
    forked = [_fork(lambda: asyncio.run(_open_all(places, barrier))) for _ in range(_RACERS)]
    if any(os.waitpid(pid, 0)[1] for pid in forked):
        raise AssertionError("a racer broke down")


async def _open_all(places: Sequence[StoreAddress], barrier: Barrier) -> None:
    for place in places:
        # All that is needed is there after the first, and they are about equally fast.
        barrier.wait()
        try:
            store = await ServiceStore.open(place, utc_now)
        except DatabaseError as exc:
            _say(str(exc))
            continue
        await store.conversations.create(Owner("tests", "live"))
        await store.aclose()


def _die_at_steps(folder: Path, stride: int) -> None:
    step, has_died = 0, True
    while has_died:
        place = folder / str(step)
        write_old_store(place)

        def migrate(number: int = step, place: Path = place) -> None:
            _die_at(number)
            asyncio.run(_open_and_close(place))

        _, status = os.waitpid(_fork(migrate), 0)
        has_died = os.WIFSIGNALED(status)
        if has_died:
            _say(str(step))
        elif status:
            raise AssertionError(f"step {step} failed")
        step += stride


async def _open_and_close(place: Path) -> None:
    await (await ServiceStore.open(place, utc_now)).aclose()


def _die_at(step: int) -> None:
    """Kill this process at a step: before a statement, a commit, or a change of a file."""
    left = step

    def count() -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    event.listen(Engine, "before_cursor_execute", lambda *_: count())
    event.listen(Engine, "commit", lambda *_: count())
    event.listen(Pool, "checkin", lambda *_: count())
    sys.addaudithook(lambda name, _: count() if name in _FILE_EVENTS else None)


def _fork(act: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        act()
        code = 0
    finally:
        sys.stderr.flush()
        os._exit(code)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _address(text: str) -> StoreAddress:
    return PostgresAddress.parse(text) if "://" in text else Path(text)


def _main(verb: str, *arguments: str) -> None:
    if verb == "race":
        _race([_address(argument) for argument in arguments])
    elif verb == "die":
        _die_at_steps(Path(arguments[0]), int(arguments[1]))
    else:
        raise AssertionError(verb)


if __name__ == "__main__":
    _main(*sys.argv[1:])
