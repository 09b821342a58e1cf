"""What is kept, read back as another run of the program finds it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from app.api.events import PieceKind
from app.store.records import (
    ReplyPiece,
    StoredConversation,
    StoredFailure,
    StoredMessage,
    TurnState,
)
from app.store.store import ProfileStore, Store

pytestmark = pytest.mark.anyio

NOW = datetime(2025, 3, 4, 5, 6, 7, tzinfo=UTC)
TEXT = ReplyPiece(PieceKind.TEXT, "Hel", "m1", "writer", "Writer")
CALL = ReplyPiece(
    PieceKind.CALL, "read_file", "m1", call_id="a", title="Read file", target="/notes"
)


@asynccontextmanager
async def opened(folder: Path, profile: str = "home") -> AsyncIterator[ProfileStore]:
    store = Store(folder / "store.db", lambda: NOW)
    await store.open()
    try:
        yield store.profile(profile)
    finally:
        await store.close()


async def test_a_turn_is_read_back_with_its_reply_and_its_failure(tmp_path: Path) -> None:
    failure = StoredFailure("reply_failed", {"message": "out of paper", "seconds": 3})
    async with opened(tmp_path) as store:
        turn = await store.turns.add("c1", "Hi \ud800 there", "writer")
        await store.turns.begin(turn.turn_id, 7, {"read_file": "digest"})
        await store.turns.keep_pieces(turn.turn_id, {0: TEXT, 1: CALL})
        await store.turns.keep_pieces(turn.turn_id, {0: ReplyPiece(PieceKind.TEXT, "Hello", "m1")})
        (read,) = await store.turns.of_conversation("c1")
        await store.turns.replace(replace(read, user_message_id="u1"))
        await store.turns.advance(turn.turn_id, TurnState.FAILED, failure)

    async with opened(tmp_path) as store:
        (kept,) = await store.turns.of_conversation("c1")

    assert (kept.text, kept.agent_name) == ("Hi \ufffd there", "writer")
    assert (kept.state, kept.failure) == (TurnState.FAILED, failure)
    assert (kept.known_upto, kept.user_message_id, kept.created_at) == (7, "u1", NOW)
    assert kept.pieces == (ReplyPiece(PieceKind.TEXT, "Hello", "m1"), CALL)
    assert kept.declared == {"read_file": "digest"}
    assert kept.reply_ids == ("m1",)


async def test_the_labels_of_a_call_are_those_of_its_own_profile(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        turn = await store.turns.add("c1", "Hi", None)
        await store.turns.keep_pieces(turn.turn_id, {0: CALL})
        assert await store.turns.labels(["a"]) == {("c1", "a"): ("Read file", "/notes")}

    async with opened(tmp_path, "work") as store:
        assert await store.turns.labels(["a"]) == {}


async def test_a_reply_to_what_was_deleted_meanwhile_is_nothing_to_keep(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        turn = await store.turns.add("c1", "Hi", None)
        await store.conversations.forget("c1")

        await store.turns.replace(replace(turn, pieces=(TEXT,)))

        assert await store.turns.of_conversation("c1") == ()


async def test_turns_keep_their_order_and_a_requeued_one_goes_last(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await store.turns.add("c1", "one", None)
        await store.turns.add("c2", "elsewhere", None)
        second = await store.turns.add("c1", "two", None)
        await store.turns.begin(first.turn_id, 7, {"read_file": "digest"})

        await store.turns.requeue(first.turn_id)

        kept = await store.turns.of_conversation("c1")
        assert [turn.turn_id for turn in kept] == [second.turn_id, first.turn_id]
        assert (kept[1].state, kept[1].known_upto) == (TurnState.QUEUED, 7)
        assert kept[1].declared == {}
        await store.turns.remove(second.turn_id)
        assert [turn.text for turn in await store.turns.of_conversation("c1")] == ["one"]


async def test_messages_become_what_the_service_told_last(tmp_path: Path) -> None:
    first = StoredMessage("u1", "user", "Hi", NOW)
    second = StoredMessage("a1", "assistant", "Hel", None)
    third = StoredMessage("u2", "user", "Bye", NOW)
    async with opened(tmp_path) as store:
        await store.messages.keep("c1", [first, second])
        mark = await store.messages.high_water("c1")

        longer = StoredMessage("a1", "assistant", "Hello", None)
        await store.messages.keep("c1", [longer, third])

        assert await store.messages.of_conversation("c1") == (longer, third)
        assert await store.messages.known_ids("c1", mark) == {"a1"}
        assert await store.messages.known_ids("c1", 0) == set()


async def test_no_profile_sees_the_rows_of_another(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.turns.add("c1", "private", None)
        await store.messages.keep("c1", [StoredMessage("u1", "user", "private", NOW)])
        await store.conversations.set_title("c1", "Private")
        await store.conversations.keep_draft("c1", "private")
        await store.conversations.keep_first_rows([StoredConversation("c1")])

    async with opened(tmp_path, "work") as store:
        assert await store.turns.of_conversation("c1") == ()
        assert await store.messages.of_conversation("c1") == ()
        assert await store.conversations.get("c1") == StoredConversation("c1")
        assert await store.conversations.draft("c1") == ""
        assert await store.conversations.first_rows() == ()
        assert await store.conversations.noted() == {}


async def test_first_rows_keep_their_order_titles_and_folders(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.conversations.set_title("c2", "Second")
        await store.conversations.set_folder("c2", Path("/notes"))
        await store.conversations.keep_first_rows(
            [StoredConversation("c1", "", 4, NOW), StoredConversation("c2", "", 2, NOW)]
        )
        await store.conversations.keep_first_rows([StoredConversation("c2", "", 3, NOW)])
        await store.conversations.touch("c1", 9, NOW)

        assert await store.conversations.first_rows() == (
            StoredConversation("c2", "Second", 3, NOW, Path("/notes")),
        )
        assert (await store.conversations.get("c1")).message_count == 9
        assert set(await store.conversations.noted()) == {"c2"}


async def test_a_draft_is_kept_and_forgotten_when_it_is_empty(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.conversations.keep_draft("c1", "half a thou")
        await store.conversations.keep_draft("c1", "half a thought")
    async with opened(tmp_path) as store:
        assert await store.conversations.draft("c1") == "half a thought"
        await store.conversations.keep_draft("c1", "")
        assert await store.conversations.draft("c1") == ""


@pytest.mark.security(82)
async def test_a_forgotten_conversation_leaves_no_word_in_any_file(tmp_path: Path) -> None:
    word = "xylophonist"
    async with opened(tmp_path) as store:
        turn = await store.turns.add("c1", word, None)
        await store.turns.keep_pieces(turn.turn_id, {0: ReplyPiece(PieceKind.TEXT, word)})
        await store.messages.keep("c1", [StoredMessage("u1", "user", word, NOW)])
        await store.conversations.set_title("c1", word)
        await store.conversations.keep_draft("c1", word)
        await store.turns.add("c2", "stays", None)

        await store.conversations.forget("c1")

        assert [t.text for t in await store.turns.of_conversation("c2")] == ["stays"]
        assert files_with(word, tmp_path) == []


def files_with(word: str, folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if word.encode() in file.read_bytes()]


async def test_chats_with_newer_messages_come_first(tmp_path: Path) -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    async with opened(tmp_path) as store:
        table = store.conversations
        await table.touch("long ago", 2, noon - timedelta(days=90))
        await table.keep_first_rows([StoredConversation("c1", "", 2, noon)])
        zone = timezone(timedelta(hours=-8))
        await table.touch("c2", 2, (noon + timedelta(minutes=5)).astimezone(zone))

        rows = await table.first_rows()

    assert [row.conversation_id for row in rows] == ["c2", "c1"]
