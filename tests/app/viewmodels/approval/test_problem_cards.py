"""A card for a call that cannot run says why, and what an answer does."""

from pathlib import Path
from typing import Any

import pytest

from app.viewmodels.approval.approval import ApprovalViewModel
from tests.support.chat_fixtures import chat_kit
from tests.support.fake_service import FakeService

pytestmark = [pytest.mark.anyio, pytest.mark.security(87)]


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("edit_file", {"path": "a.txt", "old_text": "no", "new_text": "x"}, "does not contain"),
        ("read_file", {"path": "none/a.txt"}, "There is no folder"),
        ("move_file", {"path": "a.txt", "new_path": "/usr/b"}, "must lie in one folder"),
        ("move_file", {"path": "no", "new_path": "b"}, "There is nothing at"),
        ("delete_file", {"path": "no"}, "There is nothing at"),
        ("open_file", {"path": "no"}, "There is nothing at"),
        ("run_command", {"argv": ["no-such-program", "-x"]}, "There is no program"),
        ("run_command", {"argv": ["./a.txt"]}, "is not a program"),
        ("write_file", {"path": "a.txt", "content": "x\n" * 5_000}, "too large to show"),
    ],
)
async def test_card_of_a_call_that_cannot_run_shows_the_reason(
    tmp_path: Path, name: str, given: dict[str, Any], problem: str
) -> None:
    (tmp_path / "a.txt").write_text("text", encoding="utf-8")
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        model = ApprovalViewModel(kit.approvals)
        model.show("c1")
        service.asks_tool(name, given)
        service.says("Well.")
        await chat.send("Do it")
        await chat.asks()

        (card,) = model.cards
        facts = dict(card.facts)
        assert problem in facts["Not possible"]
        assert facts["If allowed"] == "nothing is done, and the assistant is told why"
        assert card.preview_kind == "none"
        shown = " ".join(value for _, value in card.facts)
        for value in given.values():
            text = " ".join(value) if isinstance(value, list) else value
            assert text in shown or Path(text).name in shown

        assert model.deny(card.request_id, card.generation, "")
        await chat.is_idle()
        await model.aclose()
