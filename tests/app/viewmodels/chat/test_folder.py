"""The choice of a chat's folder begins where the chat works now."""

from pathlib import Path

import pytest

from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.states import OpenChats
from local_tools.registry import ToolRegistry

pytestmark = pytest.mark.anyio


async def test_choice_of_a_folder_begins_at_the_chats_folder_or_at_home(tmp_path: Path) -> None:
    chat = ChatViewModel(ToolRegistry(), tmp_path, OpenChats())
    without = chat.nearest_folder

    chat.chosen.choose_folder(tmp_path / "notes")

    assert (without, chat.nearest_folder) == (tmp_path, tmp_path / "notes")
    await chat.aclose()
