"""What a call changed can be put back, until the chat is deleted with all its words."""

from pathlib import Path

import pytest

from local_tools.ledger.steps import CallKey
from tests.support.chat_fixtures import PROFILE, chat_kit, results
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio


async def test_calls_in_worker_and_program_are_undone_and_forgotten_with_the_chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "a.txt").write_text("one two", encoding="utf-8")
    (tmp_path / "b.txt").write_text("three", encoding="utf-8")
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        edit = {"path": "a.txt", "old_text": "one", "new_text": "1"}
        service.asks_tool("edit_file", edit)
        service.asks_tool("delete_file", {"path": "b.txt"}, call_id="call-2")
        service.says("Done.")
        service.holds("c1")
        chat = await kit.open()
        await chat.session.set_folder(kit.home)

        await chat.send("Tidy up")
        await chat.allow()
        await chat.allow()
        await chat.is_idle()

        keys = [CallKey(PROFILE, "c1", call_id) for call_id, _ in results(service)]
        assert [text for _, text in results(service)] == [
            f"Changed {tmp_path / 'a.txt'} in 1 place.",
            f"Put {tmp_path / 'b.txt'} into the trash.",
        ]
        undo = kit.dependencies.undo
        assert [undo.look(key).state for key in keys] == ["available"] * 2
        for key in keys:
            undo.undo(key)
        assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "one two"
        assert (tmp_path / "b.txt").read_text(encoding="utf-8") == "three"

        await kit.conversations.delete("c1")
        assert [undo.look(key).state for key in keys] == ["unavailable"] * 2
