"""The extension `title`: one for a conversation, asked for beside its first reply."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.models.providers import ProviderAccess
from local_server.assistant.reply import (
    AnswerUsage,
    RequestedToolCall,
    SuggestedTitle,
    TokenUsage,
)
from local_server.assistant.titles import clean_title
from local_server.errors import StreamFailureError
from local_server.model_catalog import ModelCatalog
from tests.support.event_streams import Event, first_of, text_of, types_of
from tests.support.fake_models import FakeOpenAi, delta, end
from tests.support.own_service import READ_FILE, OwnService, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio

_LIMIT_S: Final = 20


@asynccontextmanager
async def _titling(
    tmp_path: Path, script: ScriptedAssistant, accept: str = "title"
) -> AsyncIterator[OwnService]:
    models = ModelCatalog(ModelSelection("offline"), ProviderAccess({}, {}))
    async with own_service(tmp_path, assistant=script, models=models, accept=accept) as service:
        yield service


async def _say(service: OwnService, chat: str, text: str = "Hi", **fields: Any) -> list[Event]:
    return await service.chat(chat, text, agent_name="assistant", **fields)


async def _until_ready(pause: Pause) -> None:
    """Let a title be made, and wait until it is."""
    pause.is_over.set()
    making = [task for task in asyncio.all_tasks() if task.get_name() == "title"]
    if making:
        await asyncio.wait(making, timeout=_LIMIT_S)


class _AfterTitle(Pause):
    """A place in a reply that is passed once the title is there."""

    async def wait(self) -> None:
        await _until_ready(self)


class _Together(Pause):
    """A place that two leave in the same moment."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = 0

    async def wait(self) -> None:
        self._waiting += 1
        if self._waiting == 2:
            asyncio.get_running_loop().call_soon(self.is_over.set)
        await super().wait()


async def test_title_that_is_ready_comes_at_the_end_and_never_again(tmp_path: Path) -> None:
    used = AnswerUsage(TokenUsage(100, 10), 8000, 0.5)
    script = ScriptedAssistant(("Hello.", _AfterTitle(), " More.", used), ("Again.",))
    small = AnswerUsage(TokenUsage(20, 5), 8000, 0.25)
    script.titles = [(SuggestedTitle("A greeting", small),), ("Another",)]
    async with _titling(tmp_path, script, "title, usage") as service:
        chat = await service.create()
        first = await _say(service, chat, "Hi there")
        second = await _say(service, chat)
    assert types_of(first)[-4:] == ["agent_end", "usage", "title", "message_stop"]
    assert first[-2] == {"type": "title", "title": "A greeting"}
    assert "title" not in types_of(second)
    assert script.asked_titles == ["Hi there"]
    # What the title took is told with it; the window is filled by the chat alone.
    usage = first_of(first, "usage")
    assert (usage["input_tokens"], usage["cost_usd"]) == (120, 0.75)
    assert usage["context_tokens"] == 110


@pytest.mark.parametrize("failure", [StreamFailureError("No title."), RuntimeError("A fault.")])
async def test_title_that_fails_with_the_reply_changes_nothing_and_is_asked_for_again(
    tmp_path: Path, failure: Exception
) -> None:
    together = _Together()
    script = ScriptedAssistant(
        ("Hello.", together, StreamFailureError("It broke off.")), ("Again.", _AfterTitle())
    )
    script.titles = [(together, failure), ("A greeting",)]
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        first = await _say(service, chat)
        second = await _say(service, chat)
    assert first[-1] == {"type": "error", "message": "It broke off."}
    assert {"type": "title", "title": "A greeting"} in second


async def test_title_that_is_late_delays_no_end_and_comes_first_in_the_next_stream(
    tmp_path: Path,
) -> None:
    pause = Pause()
    script = ScriptedAssistant(("Hello.",), ("Again.",), ("And again.",))
    script.titles = [(pause, "A greeting")]
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        first = await _say(service, chat)
        assert pause.is_reached.is_set()
        await _until_ready(pause)
        second = await _say(service, chat)
        third = await _say(service, chat)
    assert "title" not in types_of(first)
    assert types_of(second)[:2] == ["title", "message_start"]
    assert "title" not in types_of(third)
    assert len(script.asked_titles) == 1


async def test_title_comes_with_the_continuation_after_a_tool_call(tmp_path: Path) -> None:
    pause = Pause()
    script = ScriptedAssistant((RequestedToolCall("read_file", {"path": "a"}),), ("Read.",))
    script.titles = [(pause, "Reading a file")]
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        asked = await _say(service, chat, client_tools=[READ_FILE])
        await _until_ready(pause)
        ended = await service.give_result(chat, first_of(asked, "tool_use")["id"], "x")
    assert types_of(ended)[0] == "title"


async def test_title_is_sent_once_over_a_restart(tmp_path: Path) -> None:
    script = ScriptedAssistant(("Hello.", _AfterTitle(), " More."))
    script.titles = [("A greeting",)]
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        assert "title" in types_of(await _say(service, chat))
    later = ScriptedAssistant(("Again.", _AfterTitle(), " More."))
    later.titles = [("Another",)]
    async with _titling(tmp_path, later) as service:
        assert "title" not in types_of(await _say(service, chat))
    assert later.asked_titles == []


async def test_service_that_stops_while_it_asks_asks_again_afterwards(tmp_path: Path) -> None:
    script = ScriptedAssistant(("Hello.",))
    script.titles = [(Pause(), "Never")]
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        await _say(service, chat, "First words")
    later = ScriptedAssistant(("Again.", _AfterTitle(), " More."))
    later.titles = [("A greeting",)]
    async with _titling(tmp_path, later) as service:
        assert "title" in types_of(await _say(service, chat, "Second words"))
    assert later.asked_titles == ["First words"]


async def test_failure_is_nobodys_business_and_is_not_repeated_for_ever(tmp_path: Path) -> None:
    script = ScriptedAssistant(*[("Hello.", _AfterTitle(), " More.")] * 6)
    script.titles = [(StreamFailureError("No."),)] * 6
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        for _ in range(6):
            assert types_of(await _say(service, chat))[-1] == "message_stop"
    assert len(script.asked_titles) == 3


async def test_failed_reply_still_tells_a_title(tmp_path: Path) -> None:
    script = ScriptedAssistant(("Half", _AfterTitle(), StreamFailureError("It broke off.")))
    script.titles = [("A greeting",)]
    async with _titling(tmp_path, script) as service:
        events = await _say(service, await service.create())
    assert types_of(events)[-3:] == ["agent_end", "title", "error"]


async def test_deleted_conversation_needs_no_title(tmp_path: Path) -> None:
    pause = Pause()
    script = ScriptedAssistant(("Hello.",))
    script.titles = [(pause, "A greeting")]
    async with _titling(tmp_path, script) as service:
        chat = await service.create()
        await _say(service, chat)
        assert (await service.client.delete(f"/v1/conversations/{chat}")).status_code == 204
        await _until_ready(pause)
        answer = await service.client.get(f"/v1/conversations/{chat}")
    assert answer.status_code == 404


@pytest.mark.parametrize("accept", ["", "usage, thinking"])
async def test_nothing_is_asked_for_who_wants_no_title(tmp_path: Path, accept: str) -> None:
    script = ScriptedAssistant(("Hello.",))
    script.titles = [("A greeting",)]
    async with _titling(tmp_path, script, accept) as service:
        events = await _say(service, await service.create())
    assert "title" not in types_of(events)
    assert script.asked_titles == []


async def test_nothing_is_asked_where_users_may_not_choose(tmp_path: Path) -> None:
    script = ScriptedAssistant(("Hello.",))
    script.titles = [("A greeting",)]
    async with own_service(tmp_path, assistant=script, accept="title") as service:
        agents = await service.client.get("/v1/agents")
        events = await _say(service, await service.create())
    assert "title" not in agents.headers["Parley-Extensions"]
    assert "title" not in types_of(events)
    assert script.asked_titles == []


async def test_model_of_the_chat_is_asked_and_the_demo_never_is(tmp_path: Path) -> None:
    async with FakeOpenAi() as server:
        server.says("Hello.")
        server.streams(delta("<think>A title…</think>**“About ducks.”**"), end("stop"), done=True)
        server.says("Again.")
        selection = ModelSelection(f"openai:small@{server.base_url}/v1")
        chosen = choose_assistants(selection, ProviderAccess({}, {}), 0)
        async with own_service(
            tmp_path,
            assistant=chosen.assistants.live,
            models=ModelCatalog(selection, ProviderAccess({}, {})),
            accept="title",
        ) as service:
            chat = await service.create()
            first = await _say(service, chat, "Tell me about ducks")
            await _until_ready(Pause())
            second = await _say(service, chat)
            demo = await _say(service, await service.create(), model="offline")
        await chosen.assistants.aclose()
    [title] = [event for event in (*first, *second) if event["type"] == "title"]
    assert title["title"] == "About ducks"
    assert text_of(first) == "Hello."
    assert "title" not in types_of(demo)
    asked = server.asked[1]
    assert asked["messages"][-1]["content"] == "Tell me about ducks"
    assert "tools" not in asked


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Ducks on a pond", "Ducks on a pond"),
        ("“Ducks on a pond.”", "Ducks on a pond"),
        ("Title: Ducks", "Ducks"),
        ("**Titel:** „Enten am Teich“", "Enten am Teich"),
        ("# Ducks\n\nDucks are birds.", "Ducks"),
        ("\n\n  - `Ducks`  and\tgeese ", "Ducks and geese"),
        ("1. Ducks", "Ducks"),
        ("[Ducks](https://evil.example/x)", "Ducks"),
        ("<b onclick=x>Ducks</b><script>", "Ducks"),
        ("Duc\u202eks\u200b \u2066and\x00 geese\x1b[31m", "Ducks and geese[31m"),
        ("Ducks\r\nand geese", "Ducks"),
        ("Ducks\u2028and geese", "Ducks"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 2"),
        ("", ""),
        ("***", ""),
        ("\u202e\u200b", ""),
    ],
)
def test_title_is_one_clean_line(text: str, title: str) -> None:
    assert clean_title(text) == title


@pytest.mark.parametrize("text", ["word " * 1000, "x" * 100_000, "<" * 100_000, "[" * 100_000])
def test_title_is_short(text: str) -> None:
    title = clean_title(text)
    assert len(title) <= 60
    assert "\n" not in title
