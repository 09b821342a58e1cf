"""Whatever a tool server does, the program stays usable and nothing is left running (row 49)."""

import asyncio
import json
import threading
import time
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import psutil
import pytest

from local_tools.context import Progress
from local_tools.errors import ToolError
from local_tools.mcp.client_session import NOTICES_PER_S, Allowance
from local_tools.mcp.config import RemoteAddress, ServerConfig
from local_tools.mcp.remote_tool import TOOLS_LIMIT
from local_tools.mcp.server import ToolServer
from tests.support.mcp_server_fixtures import (
    Watched,
    around,
    bubblewrapped,
    chaos,
    needs_bubblewrap,
    program,
    serving,
)
from tests.support.plugins import LoopBackend
from tests.support.tool_calls import is_gone

pytestmark = [pytest.mark.anyio, pytest.mark.security(49)]


@pytest.fixture(params=["asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str | LoopBackend:
    if request.param == "asyncio":
        return "asyncio"
    backend: LoopBackend = request.getfixturevalue("qt_loop")
    return backend


under_both_loops = pytest.mark.parametrize("anyio_backend", ["asyncio", "qt"], indirect=True)


def _nothing() -> None:
    """Take as long as a thread takes."""


def ignore(_progress: Progress) -> None:
    pass


@under_both_loops
async def test_a_server_that_behaves_is_asked() -> None:
    async with serving(chaos("good")) as watched:
        server = watched.server
        assert [tool.name for tool in server.offered] == ["echo"]
        assert (await server.call("echo", {"text": "hello"}, ignore)).text == "hello"
    assert server.life == "off"


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("silent", "It did not answer within 0.1 s."),
        ("dies_at_start", "It ended (exit code 7)."),
        ("wrong_greeting", "What it says cannot be understood (ValidationError)."),
    ],
)
async def test_a_server_that_does_not_greet_is_started_three_more_times_and_then_off(
    mode: str, reason: str
) -> None:
    limit_s = 0.1 if mode == "silent" else 20.0
    async with serving(chaos(mode), around(limit_s=limit_s)) as watched:
        server = watched.server
        assert (server.life, server.reason) == ("failed", reason)
        assert server.tail.lines.count(reason) == 4


async def test_output_that_is_not_a_message_is_logged_and_ignored() -> None:
    async with serving(chaos("junk")) as watched:
        assert (
            await watched.server.call("echo", {"text": "all the same"}, ignore)
        ).text == "all the same"
        assert "(no message) Welcome!" in watched.server.tail.lines


async def test_a_line_that_nobody_could_read_ends_the_connection() -> None:
    async with serving(chaos("long_line")) as watched:
        await watched.until_life("failed")
        assert watched.server.reason == "It sent a line of more than 4 MiB."


async def test_floods_leave_the_loop_free() -> None:
    modes = ("floods_notices", "storms", "floods_log")
    # All at once, since each takes its time to be ended.
    await asyncio.gather(*(_stay_free(serving(chaos(mode, name=mode))) for mode in modes))


async def _stay_free(flooding: AbstractAsyncContextManager[Watched]) -> None:
    async with flooding as watched:
        longest = 0.0
        for _ in range(20):
            # Of our own, since other programs may take the processor for as long as they like.
            began_at = time.thread_time()
            await asyncio.sleep(0.005)
            longest = max(longest, time.thread_time() - began_at)
        assert watched.server.life == "ready"
        assert longest < 1.0


async def test_a_server_that_is_told_twice_to_end_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goes_on, children = threading.Event(), psutil.Process.children

    def look_long(process: psutil.Process, *, recursive: bool = False) -> list[psutil.Process]:
        if threading.current_thread() is not threading.main_thread():
            goes_on.wait(20)
        return children(process, recursive=recursive)

    monkeypatch.setattr(psutil.Process, "children", look_long)
    open_before = psutil.Process().num_fds()
    watched = Watched(chaos("floods_log"), around())
    serving_ = asyncio.create_task(watched.server.serve())
    await watched.until_life("ready")

    # Its end looks for what it started, in a thread, and then waits for up to a second.
    for _ in range(2):
        serving_.cancel()
        for _ in range(20):
            await asyncio.to_thread(_nothing)
    assert not serving_.done()
    goes_on.set()
    with suppress(asyncio.CancelledError):
        await serving_

    assert psutil.Process().num_fds() == open_before


def test_no_more_than_ten_notices_a_second_are_taken() -> None:
    now = [0.0]
    allowance = Allowance(NOTICES_PER_S, lambda: now[0])
    assert sum(allowance.take() for _ in range(1000)) == 10
    assert allowance.dropped == 990
    now[0] = 1.0
    assert sum(allowance.take() for _ in range(1000)) == 10


@under_both_loops
async def test_a_call_that_hangs_can_be_stopped_and_others_go_on() -> None:
    async with serving(chaos("hangs_in_call")) as watched:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await watched.server.call("echo", {}, ignore)
        assert watched.server.life == "ready"


@under_both_loops
async def test_a_server_that_dies_in_a_call_is_started_again_and_the_call_is_not() -> None:
    async with serving(chaos("dies_in_call")) as watched:
        with pytest.raises(ToolError, match="The server ended meanwhile"):
            await watched.server.call("echo", {}, ignore)
        await watched.until(lambda server: "It ended (exit code 3)." in server.tail.lines)
        await watched.until_life("ready")
        assert [tool.name for tool in watched.server.offered] == ["echo"]


async def test_an_answer_that_cannot_be_understood_is_an_error_of_the_call() -> None:
    async with serving(chaos("wrong_result")) as watched:
        with pytest.raises(ToolError, match="could not be understood"):
            await watched.server.call("echo", {}, ignore)
        assert watched.server.life == "ready"


@pytest.mark.parametrize("mode", ["many_tools", "endless_pages"])
async def test_more_tools_than_anybody_wants_are_not_taken(mode: str) -> None:
    async with serving(chaos(mode)) as watched:
        assert 1 < len(watched.server.offered) <= TOOLS_LIMIT


async def test_a_server_that_reads_nothing_holds_up_nobody() -> None:
    async with serving(chaos("deaf")) as watched:
        asking = asyncio.create_task(watched.server.call("echo", {"text": "x" * 250_000}, ignore))
        await asyncio.wait([asking], timeout=0.1)
        asking.cancel()
        # The SDK would wait for five seconds until it can say so.
        async with asyncio.timeout(4):
            await asyncio.wait([asking])
        assert watched.server.life == "ready"


@pytest.mark.security(19)
async def test_a_pattern_for_results_is_never_run() -> None:
    async with serving(chaos("result_pattern")) as watched, asyncio.timeout(5):
        assert (await watched.server.call("echo", {"text": "hello"}, ignore)).text == "hello"


async def test_a_fault_of_ours_leaves_no_server_that_seems_to_start() -> None:
    async def broken(_place: RemoteAddress) -> NoReturn:
        raise KeyError("ours")

    server = ToolServer(
        ServerConfig("far", RemoteAddress("http://127.0.0.1:9/mcp")),
        replace(around(), client_for=broken),
        lambda: None,
    )
    with pytest.raises(KeyError):
        await server.serve()
    assert (server.life, server.reason) == ("failed", "It stopped because of an error in Parley.")


@pytest.mark.security(50)
async def test_a_server_can_ask_neither_the_model_nor_the_person() -> None:
    async with serving(chaos("asks")) as watched:
        said = await watched.server.call("echo", {"text": "both:"}, ignore)
    assert said.text.count('"error"') == 2


@pytest.mark.security(50)
async def test_a_server_without_a_folder_is_told_of_none() -> None:
    async with serving(chaos("asks_roots")) as watched:
        said = await watched.server.call("echo", {}, ignore)
    assert '"roots":[]' in said.text.replace(" ", "")


@pytest.mark.security(37)
async def test_nothing_that_a_server_started_outlives_it() -> None:
    async with serving(chaos("leaves_processes")) as watched:
        pid = int((await watched.server.call("echo", {}, ignore)).text)
        assert psutil.pid_exists(pid)
    assert is_gone(pid)


@pytest.mark.security(38)
async def test_a_server_gets_six_variables_and_those_that_it_was_given() -> None:
    canaries = {"AWS_SECRET_ACCESS_KEY": "canary", "SSH_AUTH_SOCK": "/x", "LANG": "C"}
    environ = {**canaries, "HOME": "/", "USER": "me", "TERM": "dumb"}
    config = chaos("tells_environment", API_TOKEN="given")
    async with serving(config, around(environ=environ)) as watched:
        said = await watched.server.call("echo", {}, ignore)
    names, _, token = said.text.rpartition("]")
    assert token == "given"
    # Python itself adds LC_CTYPE where there is no language.
    ours = {"API_TOKEN", "HOME", "PATH", "TERM", "USER"}
    assert set(json.loads(names + "]")) - {"LC_CTYPE"} == ours


async def test_secrets_given_to_a_server_are_masked_in_its_log() -> None:
    async with serving(chaos("dies_at_start", KEY="sesame-0123")) as watched:
        said = "\n".join(watched.server.tail.lines)
    assert "no key was given: •••" in said
    assert "sesame" not in said


@needs_bubblewrap
@pytest.mark.security(41)
async def test_a_server_cannot_use_up_the_computer(tmp_path: Path) -> None:
    surroundings = around(bubblewrapped(tmp_path))
    async with serving(chaos("uses_much"), surroundings) as watched:
        said = json.loads((await watched.server.call("echo", {}, ignore)).text)
    assert said == {"processes": 1024, "memory": "refused", "file": "File too large"}


async def test_a_server_that_has_to_be_fetched_is_not_started_without_a_network(
    tmp_path: Path,
) -> None:
    fetched = program("fetched", "npx", "-y", "some-server")
    async with serving(fetched, around(bubblewrapped(tmp_path))) as watched:
        assert watched.server.reason.startswith("Its command downloads the server")
        assert watched.server.tail.lines == ()
