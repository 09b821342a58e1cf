"""Qt's loop as asyncio's: streams left half read are cleaned up, children can be started."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import QObject, Signal

from tests.support.plugins import LoopBackend
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    return qt_loop


class Sender(QObject):
    said = Signal(str, int)


async def test_a_generator_left_half_read_is_closed_by_the_loop() -> None:
    closed = asyncio.Event()

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)
            closed.set()

    async for _ in numbers():
        break
    async with asyncio.timeout(20):
        await closed.wait()


async def test_a_signal_is_awaited_with_its_arguments() -> None:
    sender = Sender()
    said = emitted(sender.said)
    sender.said.emit("hello", 3)
    assert await said == ("hello", 3)


async def test_a_signal_that_never_comes_ends_the_wait() -> None:
    sender = Sender()
    with pytest.raises(TimeoutError):
        await emitted(sender.said, timeout_s=0.01)


async def test_a_child_process_is_started_and_read() -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "print('hello')", stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(20):
        output, _ = await child.communicate()
    assert output.strip() == b"hello"
    assert child.returncode == 0
