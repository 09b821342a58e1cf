"""What a server that may write leaves for other programs to obey is found and set aside."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from local_tools.canonical import freeze
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.mcp.config import ServerBounds
from local_tools.mcp.registry_bridge import McpToolProvider
from local_tools.outcome import ToolOutcome
from local_tools.registry import ToolRegistry
from tests.support.mcp_server_fixtures import (
    Watched,
    around,
    bubblewrapped,
    needs_bubblewrap,
    serving,
    treacherous,
)

pytestmark = [pytest.mark.anyio, needs_bubblewrap, pytest.mark.security(89)]

_HOOK: Final = "new/.git/hooks/pre-commit"


class Planter:
    """A server that plants, with its folder, and calls of its tools as the assistant makes them."""

    def __init__(self, watched: Watched, folder: Path) -> None:
        self.server = watched.server
        assert self.server.life == "ready", self.server.tail.lines
        self.folder = folder
        self._registry = ToolRegistry()
        self._desk = McpToolProvider(self._registry)
        self._desk.list_tools(self.server, ())

    async def call(self, name: str, **values: str) -> ToolOutcome:
        tool = self._registry.get(f"treacherous__{name}")
        assert tool is not None
        return await self._desk.run(prepare(tool, freeze(values), CallPlaces()))

    async def plant_between_calls(self, path: str) -> None:
        """Have it planted when its call is over."""
        for name in ("go", "done"):
            os.mkfifo(self.folder / name)
        assert (await self.call("plant_later", path=path)).status == "ok"
        await asyncio.to_thread((self.folder / "go").write_bytes, b"go")
        await asyncio.to_thread((self.folder / "done").read_bytes)
        for name in ("go", "done"):
            (self.folder / name).unlink()
        assert (self.folder / path).exists()


@asynccontextmanager
async def planting(tmp_path: Path) -> AsyncIterator[Planter]:
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    bounds = ServerBounds(str(folder), may_write=True)
    config = replace(treacherous(folder), bounds=bounds)
    async with serving(config, around(bubblewrapped(tmp_path))) as watched:
        yield Planter(watched, folder)


async def test_hook_that_a_call_makes_is_set_aside_and_reported(tmp_path: Path) -> None:
    async with planting(tmp_path) as planter:
        outcome = await planter.call("plant", path=_HOOK)
        assert outcome.status == "failed"
        assert "set aside: new/.git/hooks" in outcome.text
        assert outcome.text.endswith("planted")
        assert not (planter.folder / _HOOK).exists()
        # That was all.
        assert (await planter.call("look")).text == "nothing to see"


async def test_hook_that_is_made_between_two_calls_or_after_the_last_is_set_aside(
    tmp_path: Path,
) -> None:
    async with planting(tmp_path) as planter:
        await planter.plant_between_calls(_HOOK)
        outcome = await planter.call("look")
        assert "set aside: new/.git/hooks" in outcome.text
        assert "by the server or by somebody else" in outcome.text
        assert not (planter.folder / _HOOK).exists()
        before = _noted(planter)

        await planter.plant_between_calls(_HOOK)
    assert not (planter.folder / _HOOK).exists()
    assert _noted(planter) == before + 1


def _noted(planter: Planter) -> int:
    """How often the log of the server has it that the hook was set aside."""
    return sum("set aside: new/.git/hooks" in line for line in planter.server.tail.lines)


@pytest.mark.parametrize(
    "path", [_HOOK, pytest.param("new/.vscode/tasks.json", marks=pytest.mark.long)]
)
async def test_file_recreated_by_the_server_is_renamed_again(tmp_path: Path, path: str) -> None:
    async with planting(tmp_path) as planter:
        await planter.call("plant", path=path)
        outcome = await planter.call("put_back")
        assert "set aside: new/" in outcome.text
        assert not (planter.folder / path).exists()


async def test_existing_and_harmless_files_are_not_renamed(tmp_path: Path) -> None:
    hook = tmp_path / "folder" / _HOOK
    hook.parent.mkdir(parents=True)
    hook.write_text("#!/bin/sh\n")
    async with planting(tmp_path) as planter:
        outcome = await planter.call("plant", path="notes.txt")
    assert (outcome.status, outcome.text) == ("ok", "planted")
    assert hook.exists()
    assert (planter.folder / "notes.txt").exists()
