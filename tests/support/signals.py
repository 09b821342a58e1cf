"""Waiting for Qt's signals in coroutines, without a nested event loop."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from PySide6.QtCore import SignalInstance


def emitted(signal: SignalInstance, timeout_s: float = 20.0) -> Awaitable[tuple[Any, ...]]:
    """Listen to `signal` from now on; awaiting the result gives the arguments of its emission.

    `await emitted(model.loaded)`, or, when the act comes between:
    `loaded = emitted(model.loaded)`, act, `await loaded`.
    """
    arrived: asyncio.Future[tuple[Any, ...]] = asyncio.get_running_loop().create_future()

    def on_emitted(*arguments: Any) -> None:
        if not arrived.done():
            arrived.set_result(arguments)

    async def wait() -> tuple[Any, ...]:
        try:
            async with asyncio.timeout(timeout_s):
                return await arrived
        finally:
            signal.disconnect(on_emitted)

    signal.connect(on_emitted)
    return wait()
