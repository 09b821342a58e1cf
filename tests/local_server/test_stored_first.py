"""What the service tells is stored before it is told."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from local_server.assistant.reply import RequestedToolCall
from local_server.store.records import Owner
from tests.support.event_streams import first_of, read_whole_stream, types_of
from tests.support.own_service import READ_FILE, own_service
from tests.support.scripted_assistant import Pause, ScriptedAssistant

pytestmark = pytest.mark.anyio

_WISH = RequestedToolCall("read_file", {"path": "a"})
# Notes what is stored of a reply at the moment when one of its calls is stored or finished.
_WITNESS = """
CREATE TABLE witnessed (happened TEXT, content TEXT);
CREATE TRIGGER is_asked AFTER INSERT ON tool_calls BEGIN
    INSERT INTO witnessed SELECT 'asked', content FROM messages WHERE id = NEW.message_id;
END;
CREATE TRIGGER is_finished AFTER UPDATE OF is_finished ON tool_calls BEGIN
    INSERT INTO witnessed SELECT 'finished', content FROM messages WHERE id = NEW.message_id;
END;
"""


async def test_a_tool_is_not_asked_for_when_that_cannot_be_stored(tmp_path: Path) -> None:
    pause = Pause()
    assistant = ScriptedAssistant(("One moment. ", pause, _WISH))
    async with own_service(tmp_path, assistant=assistant) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "Go", "client_tools": [READ_FILE]}
        answering = asyncio.create_task(service.client.post("/v1/chat/stream", json=body))
        await pause.is_reached.wait()
        await service.store.conversations.delete(Owner("tests", "live"), conversation_id)
        pause.is_over.set()
        events = read_whole_stream((await answering).content)

    assert "tool_use" not in types_of(events)
    assert events[-1]["message"] == "This conversation was deleted."


async def test_the_words_before_a_call_and_after_its_result_are_stored_with_it(
    tmp_path: Path,
) -> None:
    assistant = ScriptedAssistant(("One moment. ", _WISH), ("Done.",))
    async with own_service(tmp_path, assistant=assistant) as service:
        with closing(sqlite3.connect(tmp_path / "data" / "parley-server.sqlite3")) as witness:
            witness.executescript(_WITNESS)
            conversation_id = await service.create()
            events = await service.chat(conversation_id, "Go", client_tools=[READ_FILE])
            call_id = first_of(events, "tool_use")["id"]
            await service.give_result(conversation_id, call_id, "A")

            found = witness.execute("SELECT happened, content FROM witnessed").fetchall()

    assert found == [("asked", "One moment. "), ("finished", "One moment. \n\nDone.")]
