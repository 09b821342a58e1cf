"""What is said of an import when it has ended."""

from pathlib import Path

import pytest

from app.store.store import Store
from app.viewmodels.import_export import ImportViewModel, WorkView
from tests.support.import_export_fixtures import chatgpt_chat, chatgpt_node, write_json
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


async def test_branches_that_were_left_out_are_reported(tmp_path: Path) -> None:
    chat = chatgpt_chat()
    chat["mapping"]["other"] = chatgpt_node("other", "n0", "assistant", "Good morning")
    store = Store(tmp_path / "store.db")
    await store.open()
    importing = ImportViewModel(store.archive)
    said: list[WorkView] = []
    importing.work_changed.connect(said.append)
    finished = emitted(importing.finished)
    importing.import_files([write_json(tmp_path / "a.json", [chat])])
    await finished
    await importing.aclose()
    await store.close()

    assert said[-1] == WorkView(
        "1 chats imported. Only the latest branch of each chat was imported; "
        "1 other branches were left out.",
        has_imported=True,
    )
