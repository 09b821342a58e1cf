"""Replies that grow are saved together, and each hears what became of it."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from local_server.assistant.writer import Autosave, ReplyWriter
from local_server.errors import StreamFailureError
from local_server.settings import utc_now
from local_server.store.database import StoreUnavailableError
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Owner
from local_server.store.replies import Draft, Replies

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("postgres_server")]

_OWNER = Owner("tests", "live")
_NOW = datetime(2025, 1, 2, tzinfo=UTC)


class _FullReplies(Replies):
    """A store whose disk is full, as the writer sees it."""

    def __init__(self) -> None:
        """Hold nothing."""

    async def save(self, draft: Draft, finished_call_id: str | None = None) -> None:
        del draft, finished_call_id
        raise StoreUnavailableError("There is no room left for the database.")

    async def save_all(self, drafts: Sequence[Draft]) -> frozenset[str]:
        del drafts
        raise StoreUnavailableError("There is no room left for the database.")


def _writer(
    replies: Replies, autosave: Autosave, conversation_id: str, failures: list[Exception]
) -> ReplyWriter:
    draft = Draft(conversation_id, f"msg_{conversation_id}", "", _NOW)
    return ReplyWriter(replies, autosave, draft, None, failures.append)


async def test_many_replies_are_saved_at_once_and_a_deleted_one_hears_of_it(
    store_address: StoreAddress,
) -> None:
    store = await ServiceStore.open(store_address, utc_now)
    autosave = Autosave(store.replies)
    made = [await store.conversations.create(_OWNER) for _ in range(20)]
    failures: dict[str, list[Exception]] = {conversation.id: [] for conversation in made}
    writers = [_writer(store.replies, autosave, id_, heard) for id_, heard in failures.items()]
    for text in ("First. ", "Second."):
        for writer in writers:
            writer.add(text)
        await asyncio.gather(*(writer.save() for writer in writers), return_exceptions=True)
        await store.conversations.delete(_OWNER, made[0].id)
    kept = [await store.conversations.get(_OWNER, conversation.id) for conversation in made]
    page = await store.conversations.page(_OWNER, 100, 0, "asc")
    await autosave.aclose()
    await store.aclose()
    assert kept[0] is None
    contents = [[m.content for m in found.messages] for found in kept[1:] if found is not None]
    assert contents == [["First. Second."]] * 19
    assert {row.message_count for row in page.rows} == {1}
    assert [str(failure) for failure in failures[made[0].id]] == ["This conversation was deleted."]
    assert not any(failures[conversation.id] for conversation in made[1:])


async def test_conversation_keeps_its_place_in_the_list_while_its_reply_grows(
    store_address: StoreAddress,
) -> None:
    store = await ServiceStore.open(store_address, utc_now)
    autosave = Autosave(store.replies)
    growing, other = [await store.conversations.create(_OWNER) for _ in range(2)]
    writers = [_writer(store.replies, autosave, c.id, []) for c in (growing, other)]
    for writer in (*writers, writers[0]):
        writer.add("Words. ")
        await writer.save()
    page = await store.conversations.page(_OWNER, 100, 0, "desc")
    await writers[0].finish()
    page_after = await store.conversations.page(_OWNER, 100, 0, "desc")
    await autosave.aclose()
    await store.aclose()
    assert [row.id for row in page.rows] == [other.id, growing.id]
    assert [row.id for row in page_after.rows] == [growing.id, other.id]


@pytest.mark.expects_log("a reply cannot be saved, reference")
async def test_full_disk_is_explained_with_a_reference_and_nothing_more_is_tried(
    caplog: pytest.LogCaptureFixture,
) -> None:
    replies = _FullReplies()
    autosave = Autosave(replies)
    failures: list[Exception] = []
    writer = _writer(replies, autosave, "conv", failures)
    writer.add("Words")
    with pytest.raises(StreamFailureError):
        await writer.save()
    writer.add("more")
    await writer.save_rest()
    await autosave.aclose()
    [failure] = failures
    reference = str(failure).partition("(reference ")[2].partition(")")[0]
    assert reference in caplog.text
    assert "There is no room left for the database." in str(failure)


@pytest.mark.expects_log("the end of an interrupted reply is not saved")
async def test_end_of_a_stopped_reply_that_cannot_be_saved_is_logged() -> None:
    replies = _FullReplies()
    autosave = Autosave(replies)
    writer = _writer(replies, autosave, "conv", [])
    writer.add("Words")
    await writer.save_rest()
    await autosave.aclose()


async def test_writer_that_gave_up_stores_nothing_and_says_why(
    store_address: StoreAddress,
) -> None:
    store = await ServiceStore.open(store_address, utc_now)
    autosave = Autosave(store.replies)
    conversation = await store.conversations.create(_OWNER)
    writer = _writer(store.replies, autosave, conversation.id, [])
    writer.add("Words")
    writer.give_up(StreamFailureError("It is somebody else's."))
    for ending in (writer.finish(), writer.suspend(())):
        with pytest.raises(StreamFailureError, match="somebody else"):
            await ending
    await writer.save_rest()
    found = await store.conversations.get(_OWNER, conversation.id)
    await autosave.aclose()
    await store.aclose()
    assert found is not None
    assert found.messages == ()


async def test_writer_that_gave_up_is_left_out_of_the_rounds_of_others(
    store_address: StoreAddress,
) -> None:
    """Its conversation may be somebody else's by now, who writes on in the same message."""
    store = await ServiceStore.open(store_address, utc_now)
    autosave = Autosave(store.replies)
    lost, kept = [await store.conversations.create(_OWNER) for _ in range(2)]
    loser, keeper = (_writer(store.replies, autosave, c.id, []) for c in (lost, kept))
    loser.add("Mine. ")
    loser.give_up(StreamFailureError("It is somebody else's."))
    loser.add("Still mine.")
    keeper.add("Kept.")
    with pytest.raises(StreamFailureError, match="somebody else"):
        await loser.save()
    await keeper.save()
    found = [await store.conversations.get(_OWNER, c.id) for c in (lost, kept)]
    await autosave.aclose()
    await store.aclose()
    assert [[m.content for m in c.messages] for c in found if c is not None] == [[], ["Kept."]]


async def test_halves_of_characters_are_replaced_and_all_else_is_kept_our_choice(
    store_address: StoreAddress,
) -> None:
    store = await ServiceStore.open(store_address, utc_now)
    autosave = Autosave(store.replies)
    conversation = await store.conversations.create(_OWNER)
    writer = _writer(store.replies, autosave, conversation.id, [])
    told = writer.add("a\0b\ud83dc\u8a9e")
    await writer.finish()
    found = await store.conversations.get(_OWNER, conversation.id)
    await autosave.aclose()
    await store.aclose()
    assert told == "a\0b\ufffdc\u8a9e"
    assert found is not None
    assert found.messages[0].content == told
