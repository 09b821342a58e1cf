"""A tool of somebody else's server, from the settings to the assistant, in the real window."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.chat import START, STOP, results
from tests.support.confined import needs_bubblewrap
from tests.support.fake_service import FakeService, sse
from tests.support.window import hosted_program

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

_CALL = sse("tool_use", id="t1", name="time__get_current_time", input={"timezone": "Asia/Tokyo"})


async def test_a_tool_of_a_server_is_declared_asked_and_run(tmp_path: Path) -> None:
    command = str(Path(sys.executable).with_name("mcp-server-time"))
    async with FakeService() as service:
        service.holds("one")
        async with hosted_program(tmp_path, service) as person:
            program = person.program
            servers, chat, approval = program.tool_servers, program.chat, program.approval
            servers.add_program("time", command, "")
            await person.sees(lambda: bool(servers.view.rows), "the server", servers.changed)
            servers.switch_on("time", "", False, False)
            await person.sees(lambda: bool(servers.view.rows[0].tools), "tools", servers.changed)
            chat.open("one")
            await person.sees(lambda: chat.state.can_send, "the chat")

            service.sends(START, _CALL, STOP)
            service.says("It is late there.")
            person.say("What time is it in Tokyo?")
            await person.sees(lambda: bool(approval.cards), "the card")
            card = approval.cards[0]
            assert approval.allow(card.request_id, card.generation)
            await person.sees(lambda: not chat.state.is_busy, "the reply ends")

        posted = next(r.json for r in service.requests if r.path == "/v1/chat/stream")
        ((call_id, text),) = results(service)
    declared = [tool["name"] for tool in posted["client_tools"]]
    assert "time__get_current_time" in declared
    assert call_id == "t1"
    assert json.loads(text)["timezone"] == "Asia/Tokyo"
    facts = dict(card.facts)
    assert facts["Server"] == "time"
    assert facts["Program"] == command
    assert facts["Access"] == "sees none of your files"
    assert "sandbox" in card.sandbox_words
    assert "without network" in card.sandbox_words
