"""Versions of a chat: nothing that was said is overwritten, and one row stands for all of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.api.errors import ConnectionLost
from app.chat.items import CallState, ReplyPart, SendState, UserMessage
from app.chat.session import MESSAGE_LIMIT_CHARS
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.import_export.loading import ConversationLoader, ExportedConversation, TextPart
from app.store.store import Store
from tests.support.chat_fixtures import PROFILE, Chat, ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.images import png
from tests.support.service import RunningService, running_service

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("versions")) as running:
        yield running


@pytest.fixture
async def kit(tmp_path: Path, service: RunningService) -> AsyncIterator[ChatKit]:
    async with chat_kit(tmp_path, address=(service.base_url, service.key)) as made:
        await made.dependencies.client.list_agents()
        yield made


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    return Workspace(
        dependencies.client,
        dependencies.store,
        kit.conversations,
        kit.sessions,
        dependencies.ledger,
    )


async def _begun(kit: ChatKit, *questions: str) -> Chat:
    """Begin a chat in which these questions were answered."""
    chat = await kit.open(await kit.conversations.create())
    for question in questions:
        await chat.said(question)
    return chat


def _asked(chat: Chat) -> list[str]:
    return [message.text for message in chat.user_messages]


def _sent(chat: Chat) -> list[UserMessage]:
    return [message for message in chat.user_messages if message.state is SendState.SENT]


def _key(chat: Chat, text: str) -> str:
    return next(message.key for message in chat.user_messages if message.text == text)


def _marks(chat: Chat) -> dict[str, tuple[int, int]]:
    """Return which version of how many begins at each message, where there are several."""
    return {m.text: (m.version, m.version_count) for m in chat.user_messages if m.version_count}


async def _revise(kit: ChatKit, chat: Chat, text: str, by: str) -> Chat:
    """Edit a message, and open the new version once it was answered."""
    source_id = chat.session.conversation_id
    new_id = await _workspace(kit).revise(source_id, _key(chat, text), by, None)
    new = await kit.open(new_id)
    await new.is_idle()
    await new.session.load()
    return new


def _files_named(folder: Path, name: str) -> list[Path]:
    return list(folder.rglob(name))


def _listed(kit: ChatKit) -> list[str]:
    return [row.conversation_id for row in kit.conversations.rows]


async def test_edited_message_begins_a_version_that_keeps_what_came_before(kit: ChatKit) -> None:
    chat = await _begun(kit, "One", "Two", "Three")
    before = chat.items
    new = await _revise(kit, chat, "Two", "Another two")
    assert _asked(new) == ["One", "Another two"]
    assert _marks(new) == {"Another two": (2, 2)}
    assert len([item for item in new.items if isinstance(item, ReplyPart)]) == 2
    await chat.session.load()
    assert [getattr(item, "text", "") for item in chat.items] == [
        getattr(item, "text", "") for item in before
    ]
    assert _marks(chat) == {"Two": (1, 2)}


async def test_versions_of_versions_part_where_they_differ(kit: ChatKit) -> None:
    chat = await _begun(kit, "One", "Two")
    second = await _revise(kit, chat, "Two", "Two b")
    third = await _revise(kit, second, "Two b", "Two c")
    other = await _revise(kit, third, "One", "Uno")
    await chat.session.load()
    assert _marks(chat) == {"One": (1, 2), "Two": (1, 3)}
    assert _marks(third) == {"One": (1, 2), "Two c": (3, 3)}
    assert _marks(other) == {"Uno": (2, 2)}
    assert third.session.version_beside(_key(third, "Two c"), -1) == second.session.conversation_id
    assert third.session.version_beside(_key(third, "Two c"), 1) is None
    beside = other.session.version_beside(_key(other, "Uno"), -1)
    assert beside == third.session.conversation_id


async def test_all_versions_are_one_row_the_one_that_is_shown(kit: ChatKit) -> None:
    chat = await _begun(kit, "One")
    new = await _revise(kit, chat, "One", "Uno")
    assert new.session.conversation_id in _listed(kit)
    assert chat.session.conversation_id not in _listed(kit)
    await kit.conversations.refresh()
    assert chat.session.conversation_id not in _listed(kit)
    await _workspace(kit).show_version(chat.session.conversation_id)
    await kit.conversations.refresh()
    assert chat.session.conversation_id in _listed(kit)
    assert new.session.conversation_id not in _listed(kit)


async def test_versions_are_known_after_a_restart(tmp_path: Path, service: RunningService) -> None:
    async with chat_kit(tmp_path, address=(service.base_url, service.key)) as kit:
        await kit.dependencies.client.list_agents()
        chat = await _begun(kit, "One")
        new = await _revise(kit, chat, "One", "Uno")
        ids = chat.session.conversation_id, new.session.conversation_id
    async with chat_kit(tmp_path, address=(service.base_url, service.key)) as kit:
        await kit.conversations.load_kept()
        await kit.conversations.refresh()
        assert [id_ in _listed(kit) for id_ in ids] == [False, True]
        assert _marks(await kit.open(ids[0])) == {"One": (1, 2)}


async def test_deleting_a_chat_deletes_all_its_versions(kit: ChatKit) -> None:
    chat = await _begun(kit, "One")
    new = await _revise(kit, chat, "One", "Uno")
    ids = chat.session.conversation_id, new.session.conversation_id
    await kit.conversations.delete(new.session.conversation_id)
    there = await kit.dependencies.client.list_conversations(100)
    assert not {row.id for row in there.data} & set(ids)
    assert not set(await kit.store.conversations.ids()) & set(ids)
    assert await kit.store.versions.all() == ()
    assert await kit.store.deletions.all() == {}


async def test_image_is_in_both_versions_and_goes_with_them(tmp_path: Path, kit: ChatKit) -> None:
    chat = await kit.open(await kit.conversations.create())
    image = await kit.attachments.add_content(chat.session.conversation_id, "a.png", png())
    await chat.session.send("One", None, attachments=(image,))
    await chat.is_idle()
    await chat.said("Two")
    new = await _revise(kit, chat, "Two", "Another two")
    for version in (chat, new):
        assert [item.sha256 for item in version.user_messages[0].attachments] == [image.sha256]
        place = version.session.conversation_id
        assert await kit.store.attachments.content(place, image.sha256)
    assert _files_named(tmp_path, image.sha256)
    await kit.conversations.delete(new.session.conversation_id)
    assert _files_named(tmp_path, image.sha256) == []


async def test_search_finds_what_versions_share_once_and_what_only_one_says(
    tmp_path: Path, kit: ChatKit
) -> None:
    chat = await _begun(kit, "Zanzibar", "Two")
    new = await _revise(kit, chat, "Two", "Quagga")
    source_id, new_id = chat.session.conversation_id, new.session.conversation_id
    store = Store(tmp_path / "store.db")
    await store.open()
    shared = await store.search.find("Zanzibar", [PROFILE])
    own = await store.search.find("Quagga", [PROFILE])
    await store.close()
    in_questions = [hit.conversation_id for hit in shared.texts if hit.role == "user"]
    assert in_questions == [source_id]
    assert [hit.conversation_id for hit in shared.titles] == [new_id]
    assert {hit.conversation_id for hit in own.texts} == {new_id}


async def test_name_and_pin_are_of_all_versions(kit: ChatKit) -> None:
    chat = await _begun(kit, "One")
    new = await _revise(kit, chat, "One", "Uno")
    await kit.conversations.rename(new.session.conversation_id, "Numbers")
    await kit.conversations.pin(new.session.conversation_id, is_pinned=True)
    known = await kit.store.conversations.get(chat.session.conversation_id)
    assert (known.title, known.is_pinned) == ("Numbers", True)


async def test_branch_is_a_chat_of_its_own(kit: ChatKit) -> None:
    chat = await _begun(kit, "One", "Two")
    reply = next(item for item in chat.items if isinstance(item, ReplyPart))
    branch = await kit.open(await _workspace(kit).branch(chat.session.conversation_id, reply.key))
    assert _asked(branch) == ["One"]
    assert _marks(branch) == {}
    assert {chat.session.conversation_id, branch.session.conversation_id} <= set(_listed(kit))
    assert await kit.store.versions.all() == ()
    last = next(item for item in reversed(branch.items) if isinstance(item, ReplyPart))
    again = await _workspace(kit).branch(branch.session.conversation_id, last.key)
    titles = {row.conversation_id: row.title for row in kit.conversations.rows}
    assert titles[branch.session.conversation_id] == "One (2)"
    assert titles[again] == "One (3)"
    await branch.said("Then")
    assert _asked(chat) == ["One", "Two"]


async def test_two_windows_that_edit_the_same_message_make_two_versions(kit: ChatKit) -> None:
    chat = await _begun(kit, "One")
    workspace, key = _workspace(kit), _key(chat, "One")
    source_id = chat.session.conversation_id
    made = await asyncio.gather(*(workspace.revise(source_id, key, t, None) for t in ("A", "B")))
    assert len(set(made)) == 2
    await chat.session.load()
    assert _marks(chat) == {"One": (1, 3)}
    for conversation_id, text in zip(made, ("A", "B"), strict=True):
        new = await kit.open(conversation_id)
        await new.is_idle()
        assert _asked(new) == [text]


async def test_twenty_versions_of_one_message_are_one_row_and_all_there(kit: ChatKit) -> None:
    chat = await _begun(kit, "One", "Two")
    for number in range(19):
        chat = await _revise(kit, chat, _asked(chat)[-1], f"Two {number}")
    assert _marks(chat) == {"Two 18": (20, 20)}
    assert len(kit.sessions.versions.members(chat.session.conversation_id)) == 20
    assert (
        len(set(_listed(kit)) & set(kit.sessions.versions.members(chat.session.conversation_id)))
        == 1
    )


async def test_chat_with_a_reply_on_its_way_is_not_copied(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat = await kit.open("c1")
        service.says("Slowly")
        go_on = service.pauses_after(1)
        await chat.send("Two")
        with pytest.raises(UserFacingError) as caught:
            await _workspace(kit).revise("c1", _key(chat, "One"), "Uno", None)
        go_on.set()
        await chat.is_idle()
        assert caught.value.reason == ErrorCode.EDIT_LATER
        assert service.forks == {}


async def test_lost_answer_is_asked_for_with_the_same_id_until_it_comes(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat = await kit.open("c1")
        for _ in range(3):
            service.cuts("POST")
        with pytest.raises(ConnectionLost):
            await _workspace(kit).revise("c1", _key(chat, "One"), "Uno", None)
        service.says("Si")
        new = await kit.open(await _workspace(kit).revise("c1", _key(chat, "One"), "Uno", None))
        await new.is_idle()
        forks = [request.json for request in service.requests if request.method == "POST"]
        asked = [body["fork_id"] for body in forks if "fork_id" in body]
        assert len(asked) == 4
        assert len(set(asked)) == 1
        assert len(service.conversations) == 2


async def test_copy_that_was_cut_off_is_removed_at_the_next_start(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            chat = await kit.open("c1")
            await chat.session.copy_before(_key(chat, "One"))
            assert len(service.conversations) == 2
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert _listed(kit) == ["c1"]
            assert set(service.conversations) == {"c1"}
            assert await kit.store.versions.all() == ()


async def test_lost_branch_that_was_gone_on_with_is_not_removed(tmp_path: Path) -> None:
    async with FakeService() as service:
        forks = service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            chat = await kit.open("c1")
            for _ in range(3):
                service.cuts("POST")
            with pytest.raises(ConnectionLost):
                await _workspace(kit).branch("c1", _key(chat, "One"))
            # The service had made it all the same, and its client lists it like any chat.
            forks[service.requests[-1].json["fork_id"]] = "lost"
            service.holds("lost", ("user", "One"), ("user", "More"))
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert set(service.conversations) == {"c1", "lost"}
            assert "lost" in _listed(kit)
            assert await kit.store.versions.all() == ()


async def test_refused_edit_leaves_its_files_with_the_draft(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat, workspace = await kit.open("c1"), _workspace(kit)
        file = await kit.attachments.add_content("c1", "notes.md", b"# Notes")
        too_long = "a" * MESSAGE_LIMIT_CHARS
        with pytest.raises(UserFacingError):
            await workspace.revise("c1", _key(chat, "One"), too_long, None, [file])
        assert [item.name for item in await kit.attachments.of_draft("c1")] == ["notes.md"]
        service.says("Si")
        new_id = await workspace.revise("c1", _key(chat, "One"), "Uno", None, [file])
        new = await kit.open(new_id)
        await new.is_idle()
        assert [m.text for m in new.user_messages] == ["Uno\n\nnotes.md:\n```md\n# Notes\n```"]
        assert await kit.store.attachments.content(new_id, file.sha256) == b"# Notes"


async def test_message_is_kept_together_with_its_version(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            chat = await kit.open("c1")
            version = await chat.session.copy_before(_key(chat, "One"))
            # As a kill leaves it that comes as soon as the message is kept.
            new_id = version.conversation_id or ""
            await kit.store.turns.add(new_id, "Uno", None, fork_id=version.fork_id)
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert set(service.conversations) == {"c1", new_id}
            assert [m.text for m in (await kit.open(new_id)).user_messages] == ["Uno"]


async def _two_versions(service: FakeService, kit: ChatKit) -> str:
    """Make a second version of the chat c1, and return its conversation."""
    service.forks = {}
    service.holds("c1", ("user", "One"), ("assistant", "Yes"))
    await kit.dependencies.client.list_agents()
    chat = await kit.open("c1")
    service.says("Si")
    new_id = await _workspace(kit).revise("c1", _key(chat, "One"), "Uno", None)
    await (await kit.open(new_id)).is_idle()
    return new_id


async def test_deletion_that_the_service_refuses_leaves_all_versions(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        new_id = await _two_versions(service, kit)
        service.fails_with(400, method="DELETE")
        with pytest.raises(UserFacingError):
            await kit.conversations.delete(new_id)
        assert {"c1", new_id} <= set(service.conversations)
        assert await kit.store.deletions.all() == {}
        assert len(await kit.store.versions.all()) == 1


async def test_deletion_that_ends_between_two_versions_goes_on_later(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            new_id = await _two_versions(service, kit)
            service.answers(204, method="DELETE")
            service.fails_with(500, method="DELETE")
            await kit.conversations.delete(new_id)
            del service.conversations[new_id]
            assert "c1" in service.conversations
            assert "c1" not in _listed(kit)
        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert service.conversations == {}
            assert await kit.store.deletions.all() == {}


async def test_tool_calls_of_the_copied_part_are_shown_as_they_were(
    tmp_path: Path, kit: ChatKit
) -> None:
    (tmp_path / "notes.txt").write_text("The boat is called Osprey.", encoding="utf-8")
    chat = await kit.open(await kit.conversations.create())
    await chat.session.set_folder(tmp_path)
    await chat.send("read notes.txt")
    await chat.allow()
    await chat.is_idle()
    await chat.said("Thanks")
    new = await _revise(kit, chat, "Thanks", "Thank you")
    (before,), (after,) = chat.tool_rows, new.tool_rows
    assert after.state is CallState.DONE
    assert (after.title, after.target) == (before.title, before.target)
    assert (after.input_text, after.output_text) == (before.input_text, before.output_text)
    assert new.session.settings.folder == tmp_path


async def test_service_without_forks_says_so(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat = await kit.open("c1")
        with pytest.raises(UserFacingError) as caught:
            await _workspace(kit).branch("c1", _key(chat, "One"))
        assert caught.value.reason == ErrorCode.FORK_UNSUPPORTED


async def test_chat_that_was_deleted_elsewhere_is_not_gone_on_with(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat = await kit.open("c1")
        key = _key(chat, "One")
        del service.conversations["c1"]
        for work in (
            _workspace(kit).revise("c1", key, "Uno", None),
            _workspace(kit).branch("c1", key),
        ):
            with pytest.raises(UserFacingError) as caught:
                await work
            assert caught.value.reason == ErrorCode.CONVERSATION_GONE
        assert service.conversations == {}
        assert await kit.store.versions.all() == ()


async def test_version_that_still_streams_is_exported_as_far_as_it_has_come(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        await kit.dependencies.client.list_agents()
        chat = await kit.open("c1")
        service.says("So", " far")
        go_on = service.pauses_after(2)
        workspace = _workspace(kit)
        new = await kit.open(await workspace.revise("c1", _key(chat, "One"), "Uno", None))
        await new.shows("So")
        loader = ConversationLoader(workspace)
        streaming = await loader.gather(new.session.conversation_id)
        before = await loader.gather("c1")
        go_on.set()
        await new.is_idle()
        # What came is written down a moment later.
        asked, *replied = _texts_of(streaming)
        assert (asked, "".join(replied)) in (("Uno", ""), ("Uno", "So"))
        assert _texts_of(before) == ["One", "Yes"]


def _texts_of(told: ExportedConversation) -> list[str]:
    parts = [part for message in told.messages for part in message.parts]
    return [part.text for part in parts if isinstance(part, TextPart)]
