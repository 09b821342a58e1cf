"""A model file through the whole service: the engine runs it, and what can go wrong is said."""

import asyncio
import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest

from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.models.providers import ProviderAccess
from local_server.engine.confinement import find_bubblewrap
from local_server.engine.keeper import EngineKeeper, EngineOptions
from tests.support.engine import TinyModels
from tests.support.fake_models import agent
from tests.support.model_file_service import (
    WINDOW,
    ended_well,
    engine_of,
    is_asleep,
    no_pause,
    serving_models,
)
from tests.support.own_service import READ_FILE, read_until
from tests.support.processes import still_running
from tests.support.tiny_model import ALTERNATING_TEMPLATE, PLAIN_TEMPLATE

pytestmark = pytest.mark.anyio

_LIMIT_S: Final = 20


@pytest.fixture
def model(tiny_models: TinyModels) -> Path:
    return tiny_models.file("plain", PLAIN_TEMPLATE)


@pytest.fixture
def endless(tiny_models: TinyModels) -> Path:
    return tiny_models.file("endless", PLAIN_TEMPLATE, ends=False)


def _namespace(pid: int) -> Path:
    return Path(f"/proc/{pid}/ns/net").readlink()


def _score_in(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii"))


def _most_memory_of(pid: int) -> int:
    limit, _ = psutil.Process(pid).rlimit(psutil.RLIMIT_DATA)
    return limit


def _names_in(pid: int, folder: Path) -> set[str]:
    """List what a process sees in a folder."""
    seen = Path(f"/proc/{pid}/root") / folder.relative_to("/")
    return {path.name for path in seen.iterdir()} if seen.exists() else set()


async def test_model_file_is_not_asked_to_choose_the_agent(model: Path) -> None:
    keeper = EngineKeeper(EngineOptions(WINDOW, sleep=no_pause))
    selection = ModelSelection(f"file:{model}")
    chosen = choose_assistants(selection, ProviderAccess({}, {}), 0, keeper)
    choice = await chosen.assistants.live.choose_agent("Hm", (agent("alpha"), agent("beta")))
    started = keeper.pid
    await chosen.assistants.aclose()
    await keeper.aclose()
    assert (choice.agent.name, choice.used, started) == ("alpha", (), None)


async def test_model_file_answers_and_is_listed_by_its_name(tmp_path: Path, model: Path) -> None:
    async with serving_models(tmp_path, model) as served:
        before = (await served.models())[f"file:{model}"]
        events = await served.chat("Hello")
        after = (await served.models())[f"file:{model}"]
    assert ended_well(events), events[-1]
    assert (before["display_name"], before["state"]) == ("Tiny llama", "loadable")
    assert before["is_default"]
    assert before["price"]["input"] == 0
    assert after["state"] == "ready"


async def test_template_without_a_system_role_answers_beside_tools(
    tmp_path: Path, tiny_models: TinyModels
) -> None:
    model = tiny_models.file("alternating", ALTERNATING_TEMPLATE)
    async with serving_models(tmp_path, model) as served:
        chat = await served.service.create()
        replies = [await served.chat(f"{n}", chat, client_tools=[READ_FILE]) for n in range(2)]
    assert all(map(ended_well, replies)), replies[-1][-1]


@pytest.mark.security(130)
async def test_engine_is_reached_by_its_socket_alone(tmp_path: Path, model: Path) -> None:
    if not find_bubblewrap():
        pytest.skip("bubblewrap is not installed")
    async with serving_models(tmp_path, model) as served:
        await served.chat("Hello")
        engine = engine_of(served.keeper)
        is_apart = _namespace(engine.pid) != _namespace(os.getpid())
        beside = _names_in(engine.pid, model.parent)
        at_home = _names_in(engine.pid, Path.home())
        # A template that asks for all memory ends the engine, not what else runs.
        ends_first, most_bytes = _score_in(engine.pid), _most_memory_of(engine.pid)
    assert is_apart
    assert beside == {model.name}
    # The interpreter may lie there, and nothing else does.
    assert at_home <= {".pyenv", ".local", ".venv"}
    assert ends_first == 1000
    assert 0 < most_bytes <= psutil.virtual_memory().total


@pytest.mark.security(130)
async def test_without_a_sandbox_the_engine_answers_only_who_has_its_key(
    tmp_path: Path, model: Path
) -> None:
    async with serving_models(tmp_path, model, bubblewrap="") as served:
        events = await served.chat("Hello")
        [place] = [
            found.laddr
            for found in engine_of(served.keeper).net_connections("tcp")
            if found.status == psutil.CONN_LISTEN
        ]
        async with httpx.AsyncClient(trust_env=False) as stranger:
            answers = [
                await stranger.get(
                    f"http://127.0.0.1:{place.port}{path}", headers={"Origin": "http://evil.test"}
                )
                for path in ("/props", "/v1/models", "/slots", "/")
            ]
    assert ended_well(events)
    assert place.ip == "127.0.0.1"
    assert all(answer.status_code in {401, 404} for answer in answers)
    # An empty one allows nobody.
    assert {answer.headers.get("access-control-allow-origin", "") for answer in answers} == {""}


async def test_another_llama_server_runs_the_file(tmp_path: Path, model: Path) -> None:
    program = tmp_path / "llama-server"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tests.support.llama_server "$@"\n')
    program.chmod(0o700)
    async with serving_models(tmp_path, model, program=program) as served:
        events = await served.chat("Hello")
        command = " ".join(engine_of(served.keeper).cmdline())
    assert ended_well(events), events[-1]
    assert "tests.support.llama_server" in command
    assert "--api-key-file" in command


async def test_other_window_and_program_count_from_the_next_message_on(
    tmp_path: Path, model: Path
) -> None:
    program = tmp_path / "llama-server"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tests.support.llama_server "$@"\n')
    program.chmod(0o700)
    async with serving_models(tmp_path, model) as served:
        windows, commands = [], []
        for window, other in ((None, None), (2048, None), (2048, program), (None, None)):
            served.keeper.change(window, other)
            assert ended_well(await served.chat("Hello"))
            borrowed = await served.keeper.borrow(model)
            borrowed.give_back()
            windows.append(borrowed.engine.window)
            commands.append("llama_server" in " ".join(engine_of(served.keeper).cmdline()))
    assert windows == [WINDOW, 2048, 2048, WINDOW]
    assert commands == [False, False, True, False]


async def test_program_that_is_none_is_named_as_the_reason(tmp_path: Path, model: Path) -> None:
    async with serving_models(tmp_path, model, program=tmp_path / "nothing-here") as served:
        events = await served.chat("Hello")
    assert "nothing-here cannot be started" in events[-1]["message"]


async def test_engine_rests_after_a_while_and_comes_back(tmp_path: Path, model: Path) -> None:
    async with serving_models(tmp_path, model, idle_s=0.05) as served:
        first = await served.chat("Hello")
        await served.until_rested()
        rested = (await served.models())[f"file:{model}"]["state"]
        second = await served.chat("Are you there?")
    assert ended_well(first)
    assert rested == "loadable"
    assert ended_well(second)


async def test_engine_rests_after_a_sleep_though_its_timers_stood_still(
    tmp_path: Path, model: Path
) -> None:
    seconds = 0.0
    async with serving_models(
        tmp_path, model, idle_s=600, look_s=0.02, clock=lambda: seconds
    ) as served:
        assert ended_well(await served.chat("Hello"))
        awake = served.keeper.loaded
        # The lid is closed, and opened in the morning.
        seconds = 30_000.0
        await served.until_rested()
        again = await served.chat("Good morning")
    assert awake == model
    assert ended_well(again)


async def test_reply_goes_on_after_a_sleep(tmp_path: Path, endless: Path) -> None:
    async with serving_models(tmp_path, endless, window=2048) as served:
        body = {
            "conversation_id": await served.service.create(),
            "message": "Continue",
            "agent_name": "assistant",
        }
        client = served.service.client
        async with client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            await read_until(lines, "text_delta")
            engine = engine_of(served.keeper)
            engine.suspend()
            await asyncio.to_thread(is_asleep, engine)
            engine.resume()
            seen = [line async for line in lines]
    assert any("text_delta" in line for line in seen)
    # It spoke on, to the end of its window.
    assert "limit for an answer is reached" in seen[-2]


async def test_engine_that_is_killed_at_rest_comes_back_with_the_next_message(
    tmp_path: Path, model: Path
) -> None:
    async with serving_models(tmp_path, model) as served:
        assert ended_well(await served.chat("Hello"))
        engine_of(served.keeper).kill()
        await served.until_rested()
        assert ended_well(await served.chat("Are you there?"))
        # At the close there is nothing left to end.
        engine_of(served.keeper).kill()


async def test_lost_disk_during_a_reply_ends_it_with_a_sentence(
    tmp_path: Path, endless: Path, model: Path
) -> None:
    own = tmp_path / "own.gguf"
    shutil.copy(endless, own)
    async with serving_models(tmp_path, own) as served:
        chat = await served.service.create()
        body = {"conversation_id": chat, "message": "Continue", "agent_name": "assistant"}
        client = served.service.client
        async with client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            seen = list(await read_until(lines, "text_delta"))
            # What is mapped is not there any more.
            os.truncate(own, 0)
            seen += [line async for line in lines]
        gone = await served.chat("And now?", chat)
        shutil.copy(model, own)
        again = await served.chat("And now?", chat)
    assert any("Tiny llama stopped in the middle of its answer" in line for line in seen)
    assert gone[-1]["type"] == "error"
    assert ended_well(again), again[-1]


async def test_stopped_reply_gives_the_engine_back(tmp_path: Path, endless: Path) -> None:
    async with serving_models(tmp_path, endless, idle_s=0.05) as served:
        chat = await served.service.create()
        body = {"conversation_id": chat, "message": "Continue", "agent_name": "assistant"}
        client = served.service.client
        async with client.stream("POST", "/v1/chat/stream", json=body) as response:
            await read_until(response.aiter_lines(), "text_delta")
            was_running = served.keeper.pid is not None
        await served.until_rested()
        [_, kept] = await served.service.messages(chat)
    assert was_running
    assert kept["content"]


async def test_killed_engine_breaks_the_reply_off_and_comes_back(
    tmp_path: Path, endless: Path, model: Path
) -> None:
    own = tmp_path / "own.gguf"
    shutil.copy(endless, own)
    async with serving_models(tmp_path, own) as served:
        chat = await served.service.create()
        body = {"conversation_id": chat, "message": "Continue", "agent_name": "assistant"}
        client = served.service.client
        async with client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            seen = list(await read_until(lines, "text_delta"))
            engine_of(served.keeper).kill()
            seen += [line async for line in lines]
        shutil.copy(model, own)
        again = await served.chat("And now?", chat)
        [_, broken, *_] = await served.service.messages(chat)
    assert any("Tiny llama stopped in the middle of its answer" in line for line in seen)
    assert broken["content"]
    assert ended_well(again), again[-1]


async def test_engine_that_is_killed_while_it_loads_is_a_reason_not_a_wait(
    tmp_path: Path, model: Path
) -> None:
    program = tmp_path / "llama-server"
    program.write_text("#!/bin/sh\necho 0.1 E srv load_model: no room left >&2\nexec sleep 600\n")
    program.chmod(0o700)
    async with serving_models(tmp_path, model, program=program) as served:
        chat = await served.service.create()
        asked = asyncio.create_task(served.chat("Hello", chat))
        inner = await asyncio.to_thread(_loading)
        inner.kill()
        events = await asked
        program.unlink()
    assert "no room left" in events[-1]["message"]


def _loading() -> psutil.Process:
    """Wait for the other program, which is the child of our child."""
    ends_at = time.monotonic() + _LIMIT_S
    while time.monotonic() < ends_at:
        for one in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if one.name() == "sleep":
                    return one
    raise AssertionError("nothing is loading")


async def test_stop_while_it_loads_leaves_no_process(tmp_path: Path, model: Path) -> None:
    program = tmp_path / "llama-server"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o700)
    async with serving_models(tmp_path, model, program=program) as served:
        asked = asyncio.create_task(served.chat("Hello"))
        inner = await asyncio.to_thread(_loading)
        asked.cancel()
        await asyncio.wait([asked])
        gone, alive = await asyncio.to_thread(psutil.wait_procs, [inner], _LIMIT_S)
    assert (len(gone), alive) == (1, [])


async def test_eight_chats_share_two_slots(tmp_path: Path, model: Path) -> None:
    async with serving_models(tmp_path, model) as served:
        replies = await asyncio.gather(*(served.chat(f"This is chat {n}.") for n in range(8)))
    assert all(map(ended_well, replies))


async def test_another_model_waits_until_no_reply_is_cut(
    tmp_path: Path, endless: Path, model: Path
) -> None:
    models = tmp_path / "data" / "models"
    models.mkdir(parents=True)
    shutil.copy(model, models / "other.gguf")
    async with serving_models(tmp_path, endless) as served:
        body = {
            "conversation_id": await served.service.create(),
            "message": "Continue",
            "agent_name": "assistant",
        }
        other = f"file:{models / 'other.gguf'}"
        client = served.service.client
        async with client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            await read_until(lines, "text_delta")
            asked = asyncio.create_task(served.chat("Hello", model=other))
            for _ in range(20):
                await read_until(lines, "text_delta")
            is_waiting = not asked.done() and served.keeper.loaded == endless
        events = await asked
        loaded = served.keeper.loaded
    assert is_waiting
    assert ended_well(events), events[-1]
    assert loaded == models / "other.gguf"


async def test_engine_that_always_ends_is_not_started_for_ever(tmp_path: Path, model: Path) -> None:
    program = tmp_path / "llama-server"
    program.write_text("#!/bin/sh\necho 0.1 E srv init: out of sorts >&2\nexit 3\n")
    program.chmod(0o700)
    pauses: list[float] = []

    async def note(seconds: float) -> None:
        pauses.append(seconds)

    async with serving_models(tmp_path, model, program=program, sleep=note) as served:
        replies = [await served.chat(f"Try {number}") for number in range(8)]
    assert pauses == [0.0, 0.5, 1.0, 2.0, 4.0, 8.0]
    assert all("out of sorts" in events[-1]["message"] for events in replies)
    assert "stopped repeatedly" in replies[-1][-1]["message"]


@pytest.mark.security(131)
async def test_client_cannot_name_a_file_that_is_not_listed(tmp_path: Path, model: Path) -> None:
    elsewhere = tmp_path / "elsewhere.gguf"
    shutil.copy(model, elsewhere)
    async with serving_models(tmp_path, model) as served:
        body = {
            "conversation_id": await served.service.create(),
            "message": "Hello",
            "model": f"file:{elsewhere}",
        }
        answer = await served.service.client.post("/v1/chat/stream", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unknown_model")


async def test_service_that_is_killed_while_a_model_loads_leaves_no_engine(
    tmp_path: Path, model: Path
) -> None:
    program = tmp_path / "llama-server"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o700)
    script = (
        "import asyncio, sys; from pathlib import Path\n"
        "from local_server.engine.keeper import EngineKeeper, EngineOptions\n"
        "keeper = EngineKeeper(EngineOptions(program=Path(sys.argv[2])))\n"
        "asyncio.run(keeper.borrow(Path(sys.argv[1])))\n"
    )
    service = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(model), str(program)
    )
    inner = await asyncio.to_thread(_loading)
    engines = psutil.Process(service.pid).children(recursive=True)
    service.kill()
    await service.wait()
    left = await asyncio.to_thread(still_running, engines, 5)
    assert inner in engines
    assert left == []


async def test_killed_service_leaves_no_engine(model: Path) -> None:
    script = (
        "import asyncio, sys; from pathlib import Path\n"
        "from local_server.engine.keeper import EngineKeeper\n"
        "async def main():\n"
        "    keeper = EngineKeeper()\n"
        "    await keeper.borrow(Path(sys.argv[1]))\n"
        "    print('up', flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    service = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(model), stdout=asyncio.subprocess.PIPE
    )
    assert service.stdout is not None
    async with asyncio.timeout(_LIMIT_S):
        assert await service.stdout.readline() == b"up\n"
    engines = psutil.Process(service.pid).children(recursive=True)
    os.kill(service.pid, signal.SIGKILL)
    await service.wait()
    gone, alive = await asyncio.to_thread(psutil.wait_procs, engines, 5)
    assert engines
    assert (len(gone), alive) == (len(engines), [])
