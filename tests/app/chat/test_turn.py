"""A turn from the message to its end, with and without tools, over real connections."""

from pathlib import Path

import pytest

from app.chat.items import CallState, ReplyPart, SendState, UserMessage
from app.store.rows import TurnState
from local_tools.ledger import Step
from tests.support.chat import chat_kit
from tests.support.fake_service import FakeService, sse

pytestmark = pytest.mark.anyio

START = sse("message_start", message_id="m1", conversation_id="$conversation")
STOP = sse("message_stop")


async def test_a_message_is_answered_and_both_are_kept(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Hel", "lo.")
        chat = await kit.open()

        await chat.said("Hi")

        message, reply = chat.items
        assert isinstance(message, UserMessage)
        assert (message.text, message.state) == ("Hi", SendState.SENT)
        assert isinstance(reply, ReplyPart)
        assert (reply.text, reply.is_streaming) == ("Hello.", False)
        assert chat.mirror == list(chat.items)
        (turn,) = await kit.turns()
        assert turn.state is TurnState.DONE
        assert "".join(piece.text for piece in turn.pieces) == "Hello."


async def test_an_allowed_tool_runs_and_its_result_goes_on(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("forty-two", encoding="utf-8")
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("read_file", {"path": "notes.txt"}, after=["Let me look. "])
        service.says("It says forty-two.")
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)

        await chat.send("What do my notes say?")
        await chat.allow()
        await chat.is_idle()

        assert chat.text == "Let me look. It says forty-two."
        (row,) = chat.tool_rows
        assert (row.state, row.tool_name, row.decided_by) == (CallState.DONE, "read_file", "you")
        assert "forty-two" in row.output_text
        assert row.target == str(tmp_path / "notes.txt")
        posted = service.requests[-1].json
        assert posted["tool_call_id"] == "call-1"
        assert "forty-two" in posted["result"]
        (call,) = await kit.calls()
        assert call.step is Step.ACKNOWLEDGED
        assert chat.mirror == list(chat.items)
