"""The versions of a chat, exported into one file and imported as one chat again."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest

from app.chat.conversations import Conversations
from app.chat.items import ReplyPart, UserMessage
from app.chat.session import ConversationSession
from app.chat.sessions import Sessions
from app.chat.workspace import Workspace
from app.import_export.archive_service import ArchiveService
from app.import_export.chat_export import ChatExport, ExportFormat, Writers
from app.import_export.chat_import import ChatImport, Imported
from app.import_export.formats.parley import read_own
from app.import_export.loading import ConversationLoader, Labels
from app.store.search import ARCHIVE_PROFILE
from app.store.store import Store
from tests.support.chat_fixtures import Chat, ChatKit, chat_kit
from tests.support.import_export_fixtures import write_json
from tests.support.service import RunningService, running_service

pytestmark = pytest.mark.anyio

_NO_WRITERS = Writers(lambda *_told: iter(()), lambda *_told: None)


@dataclass(frozen=True, slots=True)
class _Archive:
    """The imported chats, as the window shows them."""

    store: Store
    workspace: Workspace
    folder: Path

    async def takes(self, path: Path) -> Imported:
        """Import a file, and list what is here then."""
        outcome = await ChatImport(path, self.store.archive, Labels()).run(lambda *_told: None)
        await self.workspace.conversations.refresh()
        return outcome

    @property
    def rows(self) -> list[str]:
        return [row.conversation_id for row in self.workspace.conversations.rows]

    async def open(self, conversation_id: str) -> ConversationSession:
        session = self.workspace.sessions.get(conversation_id)
        await session.load()
        return session

    async def said_by_version(self) -> list[list[str]]:
        """Return what was said in each version of the only chat, oldest first."""
        (chat_id,) = self.rows
        members = self.workspace.sessions.versions.members(chat_id)
        return [_said(await self.open(id_)) for id_ in members]


def _said(session: ConversationSession) -> list[str]:
    said = (UserMessage, ReplyPart)
    return [item.text for item in session.transcript.items if isinstance(item, said)]


def _marks(session: ConversationSession) -> dict[str, tuple[int, int]]:
    """Return which version of how many begins at each message, where there are several."""
    asked = [item for item in session.transcript.items if isinstance(item, UserMessage)]
    return {m.text: (m.version, m.version_count) for m in asked if m.version_count}


def _workspace_of(kit: ChatKit) -> Workspace:
    known = kit.dependencies
    return Workspace(known.client, known.store, kit.conversations, kit.sessions, known.ledger)


@pytest.fixture
async def archive(kit: ChatKit, tmp_path: Path) -> AsyncIterator[_Archive]:
    store = Store(tmp_path / "imported.db")
    await store.open()
    profile = store.profile(ARCHIVE_PROFILE)
    client = ArchiveService(store.archive, profile)
    dependencies = replace(kit.dependencies, client=client, store=profile)
    sessions = Sessions(dependencies)
    conversations = Conversations(dependencies, sessions)
    workspace = Workspace(
        client, profile, conversations, sessions, dependencies.ledger, is_archive=True
    )
    try:
        yield _Archive(store, workspace, tmp_path)
    finally:
        conversations.close()
        await sessions.aclose()
        await store.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("exported")) as running:
        yield running


@pytest.fixture
async def kit(tmp_path: Path, service: RunningService) -> AsyncIterator[ChatKit]:
    address = (service.base_url, service.key)
    async with chat_kit(tmp_path / "data", address=address) as made:
        await made.conversations.load_kept()
        yield made


@pytest.fixture
async def chat(kit: ChatKit) -> Chat:
    """Begin a chat of two questions."""
    begun = await kit.open(await kit.conversations.create())
    await begun.said("One")
    await begun.said("Two")
    return begun


async def _revises(kit: ChatKit, chat: Chat, text: str, by: str) -> Chat:
    """Edit a message, and open the new version once it was answered."""
    key = next(message.key for message in chat.user_messages if message.text == text)
    source_id = chat.session.conversation_id
    new = await kit.open(await _workspace_of(kit).revise(source_id, key, by, None))
    await new.is_idle()
    await new.session.load()
    return new


async def _exported(workspace: Workspace, conversation_ids: list[str], path: Path) -> Path:
    export = ChatExport(ConversationLoader(workspace), _NO_WRITERS, Labels())
    await export.run(
        conversation_ids, ExportFormat.JSON, path, may_replace=True, on_progress=lambda _done: None
    )
    return path


def _told(path: Path) -> list[dict[str, Any]]:
    chats: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["chats"]
    return chats


async def test_versions_come_back_as_one_chat_with_the_one_that_was_shown(
    tmp_path: Path, kit: ChatKit, chat: Chat, archive: _Archive
) -> None:
    second = await _revises(kit, chat, "Two", "Two b")
    third = await _revises(kit, second, "Two b", "Two c")
    other = await _revises(kit, third, "One", "Uno")
    chats = (chat, second, third, other)
    for one in chats:
        await one.session.load()
    ours = _workspace_of(kit)
    await ours.show_version(second.session.conversation_id)
    path = await _exported(ours, [second.session.conversation_id], tmp_path / "a.json")
    (told,) = _told(path)
    count = len([m for version in told["versions"] for m in version.get("messages", ())])
    # What versions share is written once, and what is shown.
    assert count == 4 + 2 + 2

    assert await archive.takes(path) == Imported(new=1)
    (shown_id,) = archive.rows
    members = archive.workspace.sessions.versions.members(shown_id)
    assert members.index(shown_id) == 1
    assert await archive.said_by_version() == [_said(one.session) for one in chats]
    sessions = [await archive.open(id_) for id_ in members]
    assert [_marks(one) for one in sessions] == [_marks(one.session) for one in chats]
    asked = sessions[1].transcript.items
    key = next(item.key for item in asked if getattr(item, "text", "") == "Two b")
    assert sessions[1].version_beside(key, 1) == members[2]

    assert await archive.takes(path) == Imported(known=1)
    again = await _exported(archive.workspace, archive.rows, tmp_path / "b.json")
    assert [len(v["shared"]) for v in _told(again)[0]["versions"]] == [0, 2, 2, 0]


async def test_file_of_all_chats_has_each_chat_once_as_it_is_shown(
    tmp_path: Path, kit: ChatKit, chat: Chat
) -> None:
    other = await kit.open(await kit.conversations.create())
    await other.said("Else")
    other_id = other.session.conversation_id
    new = await _revises(kit, chat, "Two", "Two b")
    ids = await ConversationLoader(_workspace_of(kit)).all_ids()
    new_id = new.session.conversation_id
    assert {new_id, other_id} <= set(ids)
    assert chat.session.conversation_id not in ids
    told = _told(await _exported(_workspace_of(kit), list(ids), tmp_path / "all.json"))
    counts = {one["id"]: len(one.get("versions", ())) for one in told}
    assert (counts[new_id], counts[other_id]) == (2, 0)


async def test_later_file_adds_versions_and_an_earlier_one_takes_none_away(
    tmp_path: Path, kit: ChatKit, chat: Chat, archive: _Archive
) -> None:
    ours = _workspace_of(kit)
    plain = await _exported(ours, [chat.session.conversation_id], tmp_path / "plain.json")
    second = await _revises(kit, chat, "Two", "Two b")
    two = await _exported(ours, [second.session.conversation_id], tmp_path / "two.json")
    await second.said("And more?")
    third = await _revises(kit, second, "Two b", "Two c")
    three = await _exported(ours, [third.session.conversation_id], tmp_path / "three.json")

    assert await archive.takes(plain) == Imported(new=1)
    assert await archive.takes(two) == Imported(changed=1)
    assert await archive.takes(three) == Imported(changed=1)
    everything = [_said(one.session) for one in (chat, second, third)]
    for earlier in (plain, two, three):
        assert await archive.takes(earlier) == Imported(known=1)
        assert await archive.said_by_version() == everything
    (shown_id,) = archive.rows
    assert _said(await archive.open(shown_id)) == everything[-1]


async def test_deleting_an_imported_chat_deletes_all_its_versions(
    tmp_path: Path, kit: ChatKit, chat: Chat, archive: _Archive
) -> None:
    new = await _revises(kit, chat, "Two", "Two b")
    path = tmp_path / "a.json"
    await _exported(_workspace_of(kit), [new.session.conversation_id], path)
    await archive.takes(path)
    await archive.workspace.conversations.delete(archive.rows[0])
    await archive.workspace.conversations.refresh()
    assert archive.rows == []
    assert await archive.store.archive.page(9, 0, is_newest_first=True) == ((), 0)
    assert await archive.workspace.store.versions.all() == ()
    assert await archive.takes(path) == Imported(new=1)
    assert len(await archive.said_by_version()) == 2


async def test_call_of_the_copied_part_is_exported_as_it_went(
    tmp_path: Path, kit: ChatKit, chat: Chat
) -> None:
    (tmp_path / "notes.txt").write_text("The boat is called Osprey.", encoding="utf-8")
    await chat.session.set_folder(tmp_path)
    await chat.send("read notes.txt")
    await chat.allow()
    await chat.is_idle()
    await chat.said("Thanks")
    new = await _revises(kit, chat, "Thanks", "Thank you")
    loader = ConversationLoader(_workspace_of(kit))
    told = await loader.gather(new.session.conversation_id)
    before = await loader.gather(chat.session.conversation_id)
    shown = [m.parts for m in told.messages[:-2]]
    assert shown == [m.parts for m in before.messages[:-2]]


@pytest.fixture
async def three(tmp_path: Path, kit: ChatKit, chat: Chat) -> dict[str, Any]:
    """Export a chat of three versions, the last of which is shown."""
    second = await _revises(kit, chat, "Two", "Two b")
    third = await _revises(kit, second, "Two b", "Two c")
    shown_id = third.session.conversation_id
    path = await _exported(_workspace_of(kit), [shown_id], tmp_path / "three.json")
    whole: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return whole


_Damage = Callable[[dict[str, Any]], object]
_ALL = ("Two", "Two b", "Two c")
_BUT_SECOND = ("Two", "Two c")
_SHOWN = ("Two c",)


@pytest.mark.parametrize(
    ("damage", "left_count", "kept"),
    [
        (lambda chat: chat.update(versions="x"), 0, _SHOWN),
        (lambda chat: chat.update(versions=[7, None]), 2, _SHOWN),
        (lambda chat: chat["versions"].pop(0), 1, _SHOWN),
        (lambda chat: chat.update(id=None), 3, _SHOWN),
        (lambda chat: chat["versions"][1].update(parent="none"), 1, _BUT_SECOND),
        (lambda chat: chat["versions"][1].update(parent=["x"]), 1, _BUT_SECOND),
        (lambda chat: chat["versions"][1].update(id=chat["versions"][0]["id"]), 1, _BUT_SECOND),
        (lambda chat: chat["versions"][1].update(shared=["m"] * 99), 1, _BUT_SECOND),
        (lambda chat: chat["versions"].append(chat["versions"][1]), 1, _ALL),
        (lambda chat: chat["versions"][1].update(updated_at={}), 0, _ALL),
        (lambda chat: chat["versions"][2].update(shared=["m"] * 99), 0, _ALL),
        (lambda chat: chat["versions"][2].update(parent=chat["id"]), 0, _ALL),
        (lambda chat: chat["versions"].pop(2), 0, _ALL),
        (lambda chat: chat["versions"].extend([{}] * 3000), 3000, _ALL),
    ],
)
async def test_damaged_versions_are_counted_and_the_one_that_is_shown_is_always_read(
    archive: _Archive,
    three: dict[str, Any],
    damage: _Damage,
    left_count: int,
    kept: tuple[str, ...],
) -> None:
    damage(three["chats"][0])
    path = write_json(archive.folder / "damaged.json", three)
    assert await archive.takes(path) == Imported(new=1, left_versions=left_count)
    assert [said[::2] for said in await archive.said_by_version()] == [["One", by] for by in kept]
    (shown_id,) = archive.rows
    marks = _marks(await archive.open(shown_id))
    assert marks == ({"Two c": (len(kept), len(kept))} if len(kept) > 1 else {})


async def test_two_files_that_tell_each_of_the_other_end_in_no_circle(
    tmp_path: Path, kit: ChatKit, chat: Chat, archive: _Archive
) -> None:
    new = await _revises(kit, chat, "Two", "Two b")
    path = tmp_path / "a.json"
    await _exported(_workspace_of(kit), [new.session.conversation_id], path)
    await archive.takes(path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    (shown,) = whole["chats"]
    first, second = shown["versions"]
    shared, rest = first["messages"][:2], first["messages"][2:]
    own = {"id": shown["id"], "parent": None, "shared": [], "messages": shown["messages"]}
    other = {
        "id": chat.session.conversation_id,
        "parent": shown["id"],
        "shared": [m["id"] for m in shared],
    }
    turned = {
        **shown,
        "id": chat.session.conversation_id,
        "messages": [*shared, *rest],
        "versions": [own, other],
    }
    assert len(second["shared"]) == len(other["shared"])
    whole["chats"] = [turned]
    assert await archive.takes(write_json(tmp_path / "b.json", whole)) == Imported(known=1)
    assert await archive.said_by_version() == [_said(chat.session), _said(new.session)]


def test_versions_that_would_make_a_chat_larger_than_any_are_left_out() -> None:
    said = {"id": "m", "role": "user", "parts": [{"type": "text", "text": "x" * 2**20}]}
    root = {"id": "r", "parent": None, "shared": [], "messages": [said]}
    others = [{"id": str(at), "parent": "r", "shared": ["m"]} for at in range(200)]
    shown = {"id": "s", "parent": "r", "shared": ["m"]}
    chat: Any = {"id": "s", "messages": [said], "versions": [root, *others, shown]}
    read = read_own(chat)
    assert len(read.versions) == 65
    assert read.versions[-1].origin_id == "s"
    assert read.left_versions == 137


@pytest.mark.security(103)
@pytest.mark.parametrize(
    ("parts", "kept_count"),
    [
        ([{"type": "tool_call", "id": "t", "input": "x" * 2**19, "output": "x" * 2**19}], 64),
        ([{"type": "handover", "from": "x"}] * 10_000, 20),
    ],
)
def test_calls_and_parts_that_versions_share_count_for_each(
    parts: list[dict[str, str]], kept_count: int
) -> None:
    said = {"id": "m", "role": "assistant", "parts": parts}
    root = {"id": "r", "parent": None, "shared": [], "messages": [said]}
    others = [{"id": str(at), "parent": "r", "shared": ["m"]} for at in range(200)]
    shown = {"id": "s", "parent": "r", "shared": ["m"]}
    chat: Any = {"id": "s", "messages": [said], "versions": [root, *others, shown]}
    read = read_own(chat)
    assert len(read.versions) == kept_count + 1
    assert read.left_versions == 201 - kept_count


def _chain(chat_id: str, count: int, said_at: str) -> dict[str, Any]:
    """Return a chat of versions, each of which parts from the one before."""

    def message(id_: str) -> dict[str, Any]:
        parts = [{"type": "text", "text": id_}]
        return {"id": id_, "role": "user", "created_at": said_at, "parts": parts}

    ids = [f"{chat_id}-{at}" for at in range(count)]
    first = {"id": ids[0], "parent": None, "shared": [], "messages": [message("m")]}
    versions: list[dict[str, Any]] = [first]
    for parent_id, id_ in pairwise(ids):
        own = [message(f"m-{id_}")]
        versions.append({"id": id_, "parent": parent_id, "shared": ["m"], "messages": own})
    return {"id": ids[-1], "messages": [message("m")], "versions": versions}


def _written(path: Path, *chats: dict[str, Any]) -> Path:
    return write_json(path, {"format": "parley-chats", "version": 1, "chats": chats})


@pytest.mark.security(103)
async def test_long_chain_of_versions_is_read_while_the_store_stays_free(archive: _Archive) -> None:
    """Looking for circles must not take the cube of them."""
    path = _written(archive.folder / "chain.json", _chain("c", 1500, "2026-01-01T00:00:00Z"))
    with anyio.fail_after(10):
        assert await archive.takes(path) == Imported(new=1)
    (shown_id,) = archive.rows
    assert len(archive.workspace.sessions.versions.members(shown_id)) == 1500


async def test_pages_of_versions_that_are_not_shown_do_not_end_the_list(archive: _Archive) -> None:
    older = _chain("older", 1, "2026-01-01T00:00:00Z")
    newer = _chain("newer", 70, "2026-02-01T00:00:00Z")
    assert await archive.takes(_written(archive.folder / "two.json", older, newer)) == Imported(2)
    conversations = archive.workspace.conversations
    assert len(archive.rows) == 1
    await conversations.fetch_more()
    assert len(archive.rows) == 2
    assert not conversations.has_more
