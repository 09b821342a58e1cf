"""Engine, service and program killed in turn, at any moment, while a model of a file answers."""

import asyncio
import contextlib
import sys
from pathlib import Path
from random import Random
from typing import Final

import psutil
import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from tests.support.chat_fixtures import chat_kit
from tests.support.chat_processes import Child, chatting_with_engine
from tests.support.clocks import HurriedClock
from tests.support.engine import TinyModels
from tests.support.processes import services_of, still_running
from tests.support.scripted_chats import Promised, count
from tests.support.service import address_of, listening_socket, running_child
from tests.support.tiny_model import PLAIN_TEMPLATE

pytestmark = pytest.mark.anyio

_KEY: Final = "pk_live_of_the_killed"
_LONGEST_LIFE_LINES: Final = 60
_GONE_WITHIN_S: Final = 2.0
_ENGINE: Final = "engine_child"


@pytest.mark.parametrize(
    "kills",
    [
        3,
        pytest.param(102, marks=[pytest.mark.long, pytest.mark.timeout(2400)]),
    ],
    ids=["quick", "many"],
)
async def test_engine_service_and_program_killed_in_turn_leave_nothing_and_lose_nothing(
    tmp_path: Path, tiny_models: TinyModels, kills: int
) -> None:
    model = tiny_models.file("killed", PLAIN_TEMPLATE)
    chance, promised = Random(9), Promised()  # noqa: S311 - the same each time
    for life in range(kills // 3):
        async with chatting_with_engine(tmp_path, model, f"life{life}") as child:
            engine = await _engine_of(child, promised)
            await child.is_followed(promised.hear, chance.randrange(1, _LONGEST_LIFE_LINES))
            await _killed(engine[-1:], engine)
            again = await _engine_of(child, promised)
            await child.is_followed(promised.hear, chance.randrange(1, _LONGEST_LIFE_LINES))
            [service] = services_of(psutil.Process(child.pid))
            await _killed([service], [service, *again])
            last = await _engine_of(child, promised)
            await child.is_followed(promised.hear, chance.randrange(1, _LONGEST_LIFE_LINES))
            services = services_of(psutil.Process(child.pid))
            await child.is_killed()
            await _expect_gone([*services, *last])
            await child.is_followed(promised.hear)
        assert _holding(model) == []
    with contextlib.closing(listening_socket()) as bound:
        address = (address_of(bound), _KEY)
        with running_child(tmp_path / "service", bound=bound, key=_KEY):
            async with (
                chat_kit(tmp_path, address=address, clock=HurriedClock()) as kit,
                ApiClient(address[0], SecretStr(_KEY)) as client,
            ):
                counts = await count(kit, client, promised)
    assert counts.accepted > kills // 3
    assert not counts.faults, counts


async def _engine_of(child: Child, promised: Promised) -> list[psutil.Process]:
    """Hear the program until an engine runs; return it, after what confines it."""
    while True:
        await child.is_followed(promised.hear, 1)
        with contextlib.suppress(psutil.NoSuchProcess):
            for service in services_of(psutil.Process(child.pid)):
                found = [one for one in service.children(recursive=True) if _is_engine(one)]
                if found:
                    return found


def _is_engine(process: psutil.Process) -> bool:
    return any(_ENGINE in part for part in process.cmdline())


async def _killed(processes: list[psutil.Process], to_go: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    await _expect_gone(to_go)


async def _expect_gone(processes: list[psutil.Process]) -> None:
    left = await asyncio.to_thread(still_running, processes, _GONE_WITHIN_S)
    assert not left


def _holding(model: Path) -> list[int]:
    """List the processes that have the model in their memory."""
    holding = []
    for maps in Path("/proc").glob("[0-9]*/maps") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):
            if str(model) in maps.read_text(encoding="utf-8", errors="replace"):
                holding.append(int(maps.parent.name))
    return holding
