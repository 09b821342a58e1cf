"""The computer is about to sleep: a model at rest gives its memory back before."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import TinyModels
from tests.support.model_file_service import ended_well, serving_models
from tests.support.own_service import read_until
from tests.support.tiny_model import PLAIN_TEMPLATE

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="only logind tells of a sleep before"),
]

LOGIND = "org.freedesktop.login1"


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    from tests.support.notification_daemon import session_bus  # noqa: PLC0415 - Linux

    with session_bus(tmp_path, monkeypatch) as process:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", os.environ["DBUS_SESSION_BUS_ADDRESS"])
        yield process


class Program:
    """A program on the bus that says what logind says."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def tells(self, *, sleeps: bool) -> None:
        from jeepney import DBusAddress, new_signal  # noqa: PLC0415 - Linux

        manager = DBusAddress("/org/freedesktop/login1", LOGIND, f"{LOGIND}.Manager")
        await self._connection.send(new_signal(manager, "PrepareForSleep", "b", (sleeps,)))


@asynccontextmanager
async def on_the_bus(name: str) -> AsyncIterator[Program]:
    from jeepney.bus_messages import message_bus  # noqa: PLC0415 - Linux
    from jeepney.io.asyncio import open_dbus_connection  # noqa: PLC0415 - Linux

    connection = await open_dbus_connection("SYSTEM")
    await connection.send(message_bus.RequestName(name), serial=99)
    try:
        yield Program(connection)
    finally:
        await connection.close()


@pytest.mark.usefixtures("bus")
async def test_model_at_rest_is_unloaded_before_a_sleep(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    async with (
        serving_models(tmp_path, model) as served,
        on_the_bus(LOGIND) as logind,
        on_the_bus("org.example.Other") as other,
    ):
        assert ended_well(await served.chat("Hello"))
        # Somebody else has no say, and the end of a sleep is none.
        for _ in range(20):
            await other.tells(sleeps=True)
            await logind.tells(sleeps=False)
        assert served.keeper.loaded == model
        async with asyncio.timeout(20):
            # It may not listen yet.
            while served.keeper.pid is not None:
                await logind.tells(sleeps=True)
                # Others shall have their turn on the bus, too.
                await served.models()
        assert ended_well(await served.chat("Good morning"))


async def test_reply_is_not_cut_for_a_sleep(tmp_path: Path, tiny_models: TinyModels) -> None:
    endless = tiny_models.file("endless", PLAIN_TEMPLATE, ends=False)

    async def falls_asleep(on_sleep: Any) -> None:
        on_sleep()

    async with serving_models(tmp_path, endless, follow_sleep=falls_asleep) as served:
        body = {
            "conversation_id": await served.service.create(),
            "message": "Continue",
            "agent_name": "assistant",
        }
        async with served.service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            await read_until(lines, "text_delta")
            served.keeper.rest()
            for _ in range(20):
                await read_until(lines, "text_delta")
        assert served.keeper.loaded == endless


async def test_model_is_loaded_before_it_is_asked_unless_another_is_at_work(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    model = tiny_models.file("plain", PLAIN_TEMPLATE)
    other = tiny_models.file("endless", PLAIN_TEMPLATE, ends=False)
    followed = asyncio.Event()

    async def follows(_on_sleep: Any) -> None:
        followed.set()

    async with serving_models(tmp_path, model, follow_sleep=follows) as served:
        keeper = served.keeper
        keeper.load(tmp_path / "gone.gguf")
        keeper.load(model)
        async with asyncio.timeout(20):
            while keeper.loaded != model:
                keeper.load(model)
                await asyncio.sleep(0)
        borrowed = await keeper.borrow(model)
        keeper.load(other)
        assert (await keeper.borrow(model)).engine is borrowed.engine
        assert await keeper.start(model) is borrowed.engine
        await asyncio.sleep(0)
        # What tells of a sleep is not loaded where that would hold up the first answer.
        assert not followed.is_set()
    assert keeper.pid is None
