"""What tools changed since a message is put back, when the chat goes on from there otherwise."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.chat.items import ToolCall, UserMessage
from app.chat.rewind import Rewind
from app.chat.sessions import Sessions
from app.chat.workspace import Workspace
from app.common.errors import UserFacingError
from local_tools.undo.undo import RewindResult
from tests.support.chat_fixtures import PROFILE, Chat, ChatKit, chat_kit
from tests.support.service import RunningService, running_service

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("rewind")) as running:
        yield running


@pytest.fixture
async def kit(tmp_path: Path, service: RunningService) -> AsyncIterator[ChatKit]:
    async with chat_kit(tmp_path, address=(service.base_url, service.key)) as made:
        await made.dependencies.client.list_agents()
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "notes.txt").write_text("as it was")
    return folder


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    return Workspace(
        dependencies.client,
        dependencies.store,
        kit.conversations,
        kit.sessions,
        dependencies.ledger,
        rewind=Rewind(PROFILE, dependencies.ledger, dependencies.undo, kit.sessions.read_calls),
    )


async def _writes(chat: Chat, path: str, content: str) -> str:
    """Have the demo write a file, and allow it; return the key of the question."""
    call = json.dumps({"path": path, "content": content})
    await chat.send(f"/tool write_file {call}")
    await chat.allow()
    await chat.is_idle()
    return chat.user_messages[-1].key


async def _begun(kit: ChatKit, folder: Path) -> Chat:
    chat = await kit.open(await kit.conversations.create())
    await chat.session.set_folder(folder)
    return chat


async def _revised(
    kit: ChatKit, chat: Chat, key: str, *, puts_back: bool
) -> tuple[Chat, RewindResult]:
    """Edit a message; return the new version, once answered, and what was put back."""
    rewound = [RewindResult()]
    new_id = await _workspace(kit).revise(
        chat.session.conversation_id,
        key,
        "Hello",
        None,
        on_rewound=rewound.append if puts_back else None,
    )
    new = await kit.open(new_id)
    await new.is_idle()
    return new, rewound[-1]


async def test_files_are_as_before_the_message_in_a_version_that_puts_them_back(
    kit: ChatKit, folder: Path
) -> None:
    chat = await _begun(kit, folder)
    before = await _writes(chat, "kept.txt", "of the message before")
    first = await _writes(chat, "notes.txt", "one")
    await _writes(chat, "notes.txt", "two")
    await _writes(chat, "new.txt", "new")
    workspace, chat_id = _workspace(kit), chat.session.conversation_id
    changed = await workspace.changed_since(chat_id, first)
    assert set(changed) == {str(folder / "notes.txt"), str(folder / "new.txt")}
    assert len(await workspace.changed_since(chat_id, before)) == 3
    _, rewound = await _revised(kit, chat, first, puts_back=True)
    assert set(rewound.restored) == set(changed)
    assert (folder / "notes.txt").read_text() == "as it was"
    assert not (folder / "new.txt").exists()
    assert (folder / "kept.txt").read_text() == "of the message before"
    assert await workspace.changed_since(chat_id, first) == ()


async def test_rows_of_calls_that_were_undone_say_so_at_once_and_after_a_restart(
    kit: ChatKit, folder: Path
) -> None:
    chat = await _begun(kit, folder)
    await _writes(chat, "kept.txt", "of the message before")
    first = await _writes(chat, "notes.txt", "one")
    chat_id = chat.session.conversation_id

    await _workspace(kit).put_back(chat_id, first)

    assert [row.is_undone for row in chat.tool_rows] == [False, True]
    after_restart = Sessions(kit.dependencies).get(chat_id)
    await after_restart.load()
    rows = [item for item in after_restart.transcript.items if isinstance(item, ToolCall)]
    assert rows == chat.tool_rows


async def test_version_that_puts_nothing_back_leaves_the_files(kit: ChatKit, folder: Path) -> None:
    chat = await _begun(kit, folder)
    key = await _writes(chat, "notes.txt", "one")
    await _revised(kit, chat, key, puts_back=False)
    assert (folder / "notes.txt").read_text() == "one"


async def test_file_changed_by_the_user_meanwhile_is_kept_and_named(
    kit: ChatKit, folder: Path
) -> None:
    chat = await _begun(kit, folder)
    first = await _writes(chat, "notes.txt", "one")
    await _writes(chat, "new.txt", "new")
    (folder / "notes.txt").write_text("mine")
    _, rewound = await _revised(kit, chat, first, puts_back=True)
    assert rewound.restored == (str(folder / "new.txt"),)
    (left,) = rewound.left
    assert str(left) == (f"{folder / 'notes.txt'} has changed since then, so it was left as it is.")
    assert (folder / "notes.txt").read_text() == "mine"


async def test_calls_of_the_part_that_a_version_shares_are_put_back_from_it(
    kit: ChatKit, folder: Path
) -> None:
    chat = await _begun(kit, folder)
    await chat.said("Begin")
    key = await _writes(chat, "notes.txt", "one")
    await _writes(chat, "notes.txt", "two")
    # A version that shares the first writing with the chat, and goes on with one of its own.
    second, _ = await _revised(kit, chat, chat.user_messages[-1].key, puts_back=False)
    await _writes(second, "notes.txt", "three")
    shared = [item for item in second.items if isinstance(item, UserMessage)][1]
    assert shared.text == next(m.text for m in chat.user_messages if m.key == key)
    _, rewound = await _revised(kit, second, shared.key, puts_back=True)
    # The call that wrote "two" is of the other version, so that it stands between both.
    assert [str(one) for one in rewound.left] == [
        f"{folder / 'notes.txt'} has changed since then, so it was left as it is."
    ]
    assert (folder / "notes.txt").read_text() == "two"


async def test_nothing_is_put_back_while_a_card_waits(kit: ChatKit, folder: Path) -> None:
    chat = await _begun(kit, folder)
    key = await _writes(chat, "notes.txt", "one")
    await chat.send('/tool write_file {"path": "other.txt", "content": ""}')
    await chat.asks()
    with pytest.raises(UserFacingError):
        await _revised(kit, chat, key, puts_back=True)
    assert (folder / "notes.txt").read_text() == "one"
    await chat.deny()
    await chat.is_idle()


async def test_calls_that_changed_nothing_offer_nothing(kit: ChatKit, folder: Path) -> None:
    chat = await _begun(kit, folder)
    await chat.send('/tool read_file {"path": "notes.txt"}')
    await chat.allow()
    await chat.is_idle()
    key = chat.user_messages[-1].key
    assert await _workspace(kit).changed_since(chat.session.conversation_id, key) == ()
    _, rewound = await _revised(kit, chat, key, puts_back=True)
    assert rewound == RewindResult()
