"""A service that runs model files by the real engine, for tests."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psutil

from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.models.providers import ProviderAccess
from local_server.discovery import DiscoveryReport
from local_server.engine.keeper import EngineKeeper, EngineOptions
from local_server.engine.library import ModelLibrary
from local_server.model_catalog import ModelCatalog
from tests.support.event_streams import Event, text_of, types_of
from tests.support.own_service import OwnService, own_service

WINDOW: Final = 4096
_LIMIT_S: Final = 20


@dataclass(frozen=True)
class ServedModels:
    """A service that runs model files; made by `serving_models`."""

    service: OwnService
    keeper: EngineKeeper

    async def chat(self, message: str, chat: str | None = None, **fields: Any) -> list[Event]:
        named = {"agent_name": "assistant", **fields}
        return await self.service.chat(chat or await self.service.create(), message, **named)

    async def models(self) -> dict[str, dict[str, Any]]:
        answer = await self.service.client.get("/v1/models")
        return {row["id"]: row for row in answer.json()["data"]}

    async def until_rested(self) -> None:
        if self.keeper.pid is not None:
            assert await asyncio.to_thread(is_gone, self.keeper.pid)


def is_gone(pid: int) -> bool:
    """Wait until a process is gone, without taking its end away from the loop."""
    ends_at = time.monotonic() + _LIMIT_S
    while psutil.pid_exists(pid) and time.monotonic() < ends_at:
        pass
    return not psutil.pid_exists(pid)


def is_asleep(process: psutil.Process) -> None:
    """Wait until a process stands still."""
    while process.status() != psutil.STATUS_STOPPED:
        pass


async def _nothing_else(_access: ProviderAccess) -> DiscoveryReport:
    return DiscoveryReport()


async def no_pause(_seconds: float) -> None:
    """Wait for nothing: the pauses have a test of their own."""


@asynccontextmanager
async def serving_models(
    tmp_path: Path, model: Path, **options: Any
) -> AsyncIterator[ServedModels]:
    """Serve a model file until the end of the block; `options` are the keeper’s."""
    keeper = EngineKeeper(replace(EngineOptions(WINDOW, sleep=no_pause), **options))
    selection = ModelSelection(f"file:{model}")
    access = ProviderAccess({}, {})
    chosen = choose_assistants(selection, access, 0, keeper)
    library = ModelLibrary(tmp_path / "data", tmp_path / "home", {})
    catalog = ModelCatalog(selection, access, library=library, engine=keeper, find=_nothing_else)
    try:
        async with own_service(
            tmp_path, assistant=chosen.assistants.live, models=catalog
        ) as service:
            yield ServedModels(service, keeper)
    finally:
        await chosen.assistants.aclose()
        await keeper.aclose()


def ended_well(events: list[Event]) -> bool:
    """Return whether a reply came whole, and said something."""
    return types_of(events)[-1] == "message_stop" and bool(text_of(events))


def engine_of(keeper: EngineKeeper) -> psutil.Process:
    """Find the engine itself, inside what confines it."""
    assert keeper.pid is not None
    outer = psutil.Process(keeper.pid)
    return (outer.children(recursive=True) or [outer])[-1]
