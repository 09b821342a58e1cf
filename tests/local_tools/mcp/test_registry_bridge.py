"""Calls of servers go the way of any other call, and a server that changes is asked for anew."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from local_tools.canonical import freeze
from local_tools.errors import ToolError
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.mcp.config import LocalProgram, ServerBounds
from local_tools.mcp.launch import plan
from local_tools.mcp.registry_bridge import McpToolProvider
from local_tools.registry import ToolRegistry
from tests.support.mcp_server_fixtures import CHAOS, around, chaos, program, serving

pytestmark = pytest.mark.anyio


def prepared(registry: ToolRegistry, name: str, **values: object) -> PreparedCall:
    tool = registry.get(name)
    assert tool is not None
    return prepare(tool, freeze(values), CallPlaces())


async def test_a_call_has_one_outcome() -> None:
    registry = ToolRegistry()
    desk = McpToolProvider(registry)
    async with serving(chaos("good")) as watched:
        (listed,) = desk.list_tools(watched.server, ())
        call = prepared(registry, "chaos__echo", text="hello")
        outcome = await desk.run(call)
        assert (outcome.status, outcome.text) == ("ok", "hello")
        assert listed.definition is call.definition
        desk.list_tools(watched.server, {"echo"})
        assert registry.definitions() == ()
        assert (await desk.run(call)).status == "failed"
        desk.list_tools(watched.server, ())
    gone = await desk.run(call)
    assert gone.text.startswith("Error: The tool server “chaos” is not ready.")


async def test_tools_of_a_server_whose_titles_look_the_same_are_shown_by_their_names() -> None:
    registry = ToolRegistry()
    async with serving(chaos("same_titles")) as watched:
        McpToolProvider(registry).list_tools(watched.server, ())
        titles = [definition.title for definition in registry.definitions()]
    assert titles == ["echo (chaos)", "other (chaos)", "Third thing (chaos)"]


async def test_timed_out_call_is_reported_to_the_assistant() -> None:
    registry = ToolRegistry()
    desk = McpToolProvider(registry)
    async with serving(chaos("hangs_in_call")) as watched:
        desk.list_tools(watched.server, ())
        call = prepared(registry, "chaos__echo")
        assert call.timeout_s == 60
        short = replace(call, order=replace(call.order, timeout_s=0.1))
        outcome = await desk.run(short)
    assert outcome.status == "timed_out"
    assert outcome.text == "Error: chaos__echo did not answer within 0.1 s."


async def test_a_result_is_cut_to_what_goes_on_to_the_assistant() -> None:
    registry = ToolRegistry()
    desk = McpToolProvider(registry)
    async with serving(chaos("large_result")) as watched:
        desk.list_tools(watched.server, ())
        outcome = await desk.run(prepared(registry, "chaos__echo"))
    assert outcome.cut_bytes > 700_000
    assert outcome.text.endswith("bytes are left out here]")


@pytest.mark.security(13)
@pytest.mark.parametrize("part", ["name", "description", "schema", "annotation", "version"])
async def test_a_tool_that_changes_after_three_calls_is_not_the_one_that_was_shown(
    part: str, tmp_path: Path
) -> None:
    registry = ToolRegistry()
    desk = McpToolProvider(registry)
    async with serving(chaos(f"flips_{part}", str(tmp_path / "version"))) as watched:
        desk.list_tools(watched.server, ())
        call = prepared(registry, "chaos__echo", text="hello")
        seen = watched.server.offered
        for _ in range(3):
            assert (await desk.run(call)).status == "ok"
        await watched.until(lambda server: server.life == "ready" and server.offered is not seen)
        desk.list_tools(watched.server, ())
        outcome = await desk.run(call)
    assert (
        outcome.text
        == "Error: The tool chaos__echo changed since it was shown, so nothing was done."
    )


@pytest.mark.security(14)
async def test_first_of_two_tools_with_one_name_is_registered() -> None:
    registry = ToolRegistry()
    desk = McpToolProvider(registry)
    async with serving(chaos("twins")) as watched:
        (listed,) = desk.list_tools(watched.server, ())
    assert listed.description == "Give back what it is given."
    assert listed.definition == registry.definitions()[0]


async def test_a_tool_stays_the_same_while_its_server_is_started_again() -> None:
    registry = ToolRegistry()
    desk = McpToolProvider(registry)
    asleep = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        asleep.set()
        await asyncio.Event().wait()

    async with serving(chaos("dies_in_call"), replace(around(), sleep=sleep)) as watched:
        (before,) = desk.list_tools(watched.server, ())
        await desk.run(prepared(registry, "chaos__echo"))
        await asleep.wait()
        desk.list_tools(watched.server, {"echo"})
        assert desk.list_tools(watched.server, ()) == (before,)


def test_a_changed_script_is_another_program(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text("pass")
    place = LocalProgram(sys.executable, ("-I", str(script), str(tmp_path)))
    before = plan(place, ServerBounds(), {})
    script.write_text("exit")
    assert plan(place, ServerBounds(), {}).identity != before.identity


@pytest.mark.security(50)
async def test_a_server_of_today_is_listened_to() -> None:
    script = str(CHAOS.with_name("modern_mcp_server.py"))
    async with serving(program("modern", sys.executable, "-I", script)) as watched:
        assert (await watched.server.call("grow", {}, lambda _: None)).text == "grown"
        # Nobody is asked in its name, and what it wants is not filled in.
        with pytest.raises(ToolError):
            await watched.server.call("ask", {}, lambda _: None)
        await watched.until(lambda server: len(server.offered) == 3)
        assert [tool.name for tool in watched.server.offered] == ["grow", "ask", "more"]
