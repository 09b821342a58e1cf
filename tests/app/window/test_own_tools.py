"""A tool of one's own, from its folder to the assistant, in the real window."""

from pathlib import Path

import pytest

from app.paths import paths_under
from tests.support.chat_fixtures import START, STOP, results
from tests.support.confined import needs_bubblewrap
from tests.support.fake_service import FakeService, sse
from tests.support.user_tool_fixtures import make_set, one_tool
from tests.support.window import hosted_program

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

_CODE = '''
def shout(words: str) -> str:
    """Say it loud."""
    return words.upper()

def show(words: str) -> str:
    return f"Would shout {len(words)} letters."
'''
_CALL = sse("tool_use", id="t1", name="texts__shout", input={"words": "hello"})


async def test_a_tool_of_ones_own_is_allowed_declared_shown_and_run(tmp_path: Path) -> None:
    manifest = one_tool(_CODE, rest='preview = "show"')
    make_set(paths_under(tmp_path).own_tools_folder / "texts", _CODE, manifest)
    async with FakeService() as service:
        service.holds("one")
        async with hosted_program(tmp_path, service) as person:
            program = person.program
            own, chat, approval = program.user_tools, program.chat, program.approval
            own.begin_showing()
            await person.sees(
                lambda: bool(own.view.rows), "the folder of tools is listed", own.changed
            )
            assert not own.view.rows[0].is_on
            own.allow("texts", own.view.rows[0].fingerprint)
            await person.sees(lambda: own.view.rows[0].is_on, "the tools are allowed", own.changed)
            chat.open("one")
            await person.sees(lambda: chat.state.can_send, "messages can be sent")

            service.sends(START, _CALL, STOP)
            service.says("Loud.")
            person.say("Shout hello.")
            await person.sees(lambda: bool(approval.cards), "the approval card is shown")
            card = approval.cards[0]
            assert approval.allow(card.request_id, card.generation)
            await person.sees(lambda: not chat.state.is_busy, "the reply ends")

        posted = next(r.json for r in service.requests if r.path == "/v1/chat/stream")
        assert results(service) == [("t1", "HELLO")]
    assert "texts__shout" in [tool["name"] for tool in posted["client_tools"]]
    assert card.source_words == "from your tools folder, texts"
    assert card.preview_text == "Would shout 5 letters."
    assert ("Preview", "the tool says what it would do") in card.facts
    assert "without network access" in card.sandbox_words
