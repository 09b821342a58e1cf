"""Chats of other programs, on their way into the archive."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.common.error_messages import ErrorCode
from app.import_export.chat_import import ChatImport, Imported, origin_of_chat
from app.import_export.formats.chatgpt import read_chatgpt
from app.import_export.formats.parley import json_head, json_of, json_tail
from app.import_export.loading import Labels
from app.import_export.sources import NotImported
from app.store.records import StoredMessage
from app.store.search import ARCHIVE_PROFILE
from app.store.store import Store
from tests.support.import_export_fixtures import (
    NOON,
    chatgpt_chat,
    chatgpt_node,
    claude_chat,
    full_chat,
    write_json,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(tmp_path / "store.db")
    await store.open()
    yield store
    await store.close()


async def _import(store: Store, path: Path) -> Imported:
    return await ChatImport(path, store.archive, Labels()).run(lambda _share, _outcome: None)


async def _texts(store: Store, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in await _messages(store, number)]


async def _messages(store: Store, number: int = 0) -> tuple[StoredMessage, ...]:
    rows, _ = await store.archive.page(100, 0, is_newest_first=True)
    chat_id = rows[number].conversation_id
    return await store.profile(ARCHIVE_PROFILE).messages.of_conversation(chat_id)


async def test_a_chat_of_chatgpt_is_read_from_its_tree(store: Store, tmp_path: Path) -> None:
    chat = chatgpt_chat("g1", "Hello", "Good \ue200cite\ue202turn0\ue201day")
    nodes = chat["mapping"]
    hidden = {"is_visually_hidden_from_conversation": True}
    nodes["s"] = chatgpt_node("s", "root", "system", "never shown", metadata=hidden)
    nodes["n0"]["parent"] = "s"
    nodes["other"] = chatgpt_node("other", "n0", "assistant", "another branch")
    code = {"content_type": "code", "language": "python", "text": "print(1)"}
    nodes["c"] = chatgpt_node("c", "n1", "assistant", "", content=code)
    seen = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}]}
    nodes["i"] = chatgpt_node("i", "c", "user", "", content=seen)
    chat["current_node"] = "i"

    outcome = await _import(store, write_json(tmp_path / "conversations.json", [chat]))

    assert outcome == Imported(new=1, left_branches=1)
    assert await _texts(store) == [
        ("user", "Hello"),
        ("assistant", "Good day"),
        ("assistant", "```python\nprint(1)\n```"),
        ("user", "[image]"),
    ]
    (row,), _ = await store.archive.page(1, 0, is_newest_first=True)
    assert (row.title, row.message_count) == ("About g1", 4)
    assert origin_of_chat(row.conversation_id) == "chatgpt"


def test_other_branches_are_counted_by_where_they_end() -> None:
    chat = chatgpt_chat("g1", "Hello", "Good day", "Thanks")
    nodes = chat["mapping"]
    assert read_chatgpt(chat).left_branches == 0
    for node_id, parent, role, text in (
        ("a", "n0", "assistant", "Good morning"),
        ("b", "a", "user", "Morning"),
        ("c", "a", "user", "Good night"),
        # Nobody has seen these.
        ("d", "n0", "system", "hidden"),
        ("e", "n2", "assistant", ""),
    ):
        nodes[node_id] = chatgpt_node(node_id, parent, role, text)
    assert read_chatgpt(chat).left_branches == 2
    nodes["a"]["parent"] = "b"
    assert read_chatgpt(chat).left_branches == 1


async def test_a_tree_that_runs_in_a_circle_ends(store: Store, tmp_path: Path) -> None:
    chat = chatgpt_chat()
    chat["mapping"]["n0"]["parent"] = "n1"

    await _import(store, write_json(tmp_path / "a.json", [chat]))

    assert await _texts(store) == [("user", "Hello"), ("assistant", "Good day")]


async def test_a_chat_of_claude_is_read_from_its_blocks(store: Store, tmp_path: Path) -> None:
    assert await _import(store, write_json(tmp_path / "a.json", [claude_chat()])) == Imported(1)

    (_, question), (role, reply) = await _texts(store)
    assert question == "Hi"
    assert role == "assistant"
    assert reply.startswith("Hello there")
    assert "[tool: search]" in reply
    assert "found" in reply
    assert "never shown" not in reply
    assert "old form" not in reply


async def test_import_keeps_the_agent_and_stores_no_text_twice(
    store: Store, tmp_path: Path
) -> None:
    await _import(store, write_json(tmp_path / "a.json", [chatgpt_chat()]))

    (row,), _ = await store.archive.page(1, 0, is_newest_first=True)
    (turn,) = await store.profile(ARCHIVE_PROFILE).turns.of_conversation(row.conversation_id)
    assert [(p.agent_display_name, p.text) for p in turn.pieces] == [("ChatGPT", "")]


async def test_our_own_export_comes_back(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    chunks = [json_head(NOON), *json_of(full_chat(), is_first=True), json_tail()]
    path.write_text("".join(chunks), encoding="utf-8")

    assert await _import(store, path) == Imported(new=1)

    texts = [text for _, text in await _texts(store)]
    assert texts[:2] == ["Tidy up", "Let me *see*."]
    assert texts[2].startswith("**Write file** ``~/notes/`a`.md``: allowed by you, done")
    assert texts[2].endswith("Done.")
    assert texts[3] == "And then?"


async def test_the_same_file_twice_makes_no_second_chat(store: Store, tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", [chatgpt_chat("g1"), claude_chat()])
    await _import(store, path)
    assert await _import(store, path) == Imported(known=2)

    longer = chatgpt_chat("g1", "Hello", "Good day", "And now?")
    later = write_json(tmp_path / "b.json", [longer])
    rows, _ = await store.archive.page(9, 0, is_newest_first=False)
    archive = store.profile(ARCHIVE_PROFILE)
    await archive.conversations.set_title(rows[0].conversation_id, "My name for it")
    assert await _import(store, later) == Imported(changed=1)
    assert await _import(store, path) == Imported(known=2)

    rows, total = await store.archive.page(9, 0, is_newest_first=False)
    assert total == 2
    assert (rows[0].title, rows[0].message_count) == ("My name for it", 3)


async def test_readable_chats_are_imported_and_the_others_counted(
    store: Store, tmp_path: Path
) -> None:
    broken = [{"mapping": 7}, {"chat_messages": "x"}, "words", {"mapping": {"a": None}}]
    path = write_json(tmp_path / "a.json", [chatgpt_chat("g1"), *broken, chatgpt_chat("g2")])

    assert await _import(store, path) == Imported(new=2, unreadable=3)


async def test_a_file_that_breaks_off_gives_what_was_whole(store: Store, tmp_path: Path) -> None:
    whole = json.dumps([chatgpt_chat(f"g{number}") for number in range(3)])
    path = tmp_path / "a.json"
    path.write_text(whole[: len(whole) - 40], encoding="utf-8")

    assert await _import(store, path) == Imported(new=2, is_cut=True)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x89PNG", b"{}", b"[]", b"[1, 2]", b"[" * 200_000, b'{"a": 1e99999}', b'["\xff"]'],
)
async def test_file_that_is_not_an_export_is_refused_with_a_sentence(
    store: Store, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    with pytest.raises(NotImported) as raised:
        await _import(store, path)

    assert raised.value.reason == ErrorCode.IMPORT_NOTHING_FOUND


async def test_a_file_of_a_later_version_is_left_alone(store: Store, tmp_path: Path) -> None:
    later = {"format": "parley-chats", "version": 2, "chats": [{"messages": []}]}
    with pytest.raises(NotImported) as raised:
        await _import(store, write_json(tmp_path / "a.json", later))

    assert raised.value.reason == ErrorCode.IMPORT_NEWER


async def test_a_missing_file_is_explained(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotImported) as raised:
        await _import(store, tmp_path / "none.json")

    assert raised.value.reason == ErrorCode.IMPORT_UNREADABLE


async def test_hostile_values_are_read_as_far_as_they_make_sense(
    store: Store, tmp_path: Path
) -> None:
    deep: object = "x"
    for _ in range(500):
        deep = [deep]
    odd = chatgpt_chat("g1", "a\x00b\ud800", update_time=1e300, title={"not": "text"})
    odd["mapping"]["n0"]["message"]["create_time"] = "never"
    nested = chatgpt_chat("g2", extra=deep)
    path = write_json(tmp_path / "a.json", [odd, nested, claude_chat(uuid=None, name=7)])

    assert await _import(store, path) == Imported(new=2, unreadable=1)
    texts = [await _texts(store, number) for number in range(2)]
    assert [("user", "a\x00b?")] in texts


async def test_parts_of_a_message_may_be_named_as_other_messages_are(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "ours.json"
    chat = full_chat()
    ids = ("a/1", "a", "")
    named = [replace(m, message_id=id_) for m, id_ in zip(chat.messages, ids, strict=True)]
    chunks = json_of(replace(chat, messages=tuple(named)), is_first=True)
    path.write_text("".join([json_head(NOON), *chunks, json_tail()]), encoding="utf-8")
    said = {"sender": "human", "text": "x", "created_at": "2026-01-02T03:04:05Z"}
    answered = {"sender": "assistant", "text": "y"}
    told = [{"uuid": "#2", **said}, answered, said, answered]
    numbered = write_json(tmp_path / "b.json", [claude_chat(chat_messages=told)])

    assert await _import(store, path) == Imported(new=1)
    assert await _import(store, numbered) == Imported(new=1)


async def test_another_chat_of_the_same_id_takes_nothing_away(store: Store, tmp_path: Path) -> None:
    twins = [chatgpt_chat("g1"), chatgpt_chat("g1", "Other words", "In another chat")]
    path = write_json(tmp_path / "a.json", twins)

    assert await _import(store, path) == Imported(new=2)
    assert await _import(store, path) == Imported(known=2)
    assert sorted((await _texts(store, 0)) + (await _texts(store, 1))) == [
        ("assistant", "Good day"),
        ("assistant", "In another chat"),
        ("user", "Hello"),
        ("user", "Other words"),
    ]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
async def test_a_time_that_no_calendar_holds_is_no_time(
    store: Store, tmp_path: Path, moment: str
) -> None:
    said = {"sender": "human", "text": "x", "created_at": moment}
    chat = claude_chat(updated_at=moment, chat_messages=[said])

    await _import(store, write_json(tmp_path / "a.json", [chat]))

    (row,), _ = await store.archive.page(1, 0, is_newest_first=True)
    (message,) = await _messages(store)
    assert (row.updated_at, message.created_at) == (None, None)


async def test_a_tree_without_an_end_is_read_from_its_newest_message(
    store: Store, tmp_path: Path
) -> None:
    chat = chatgpt_chat("g1", "Hello", "Good day", current_node=None)
    for node, child in (("root", "n0"), ("n0", "n1"), ("n1", "n0")):
        chat["mapping"][node]["children"] = [child]

    await _import(store, write_json(tmp_path / "a.json", [chat]))

    assert await _texts(store) == [("user", "Hello"), ("assistant", "Good day")]


async def test_a_cancelled_import_keeps_what_was_read_until_then(
    store: Store, tmp_path: Path
) -> None:
    path = write_json(tmp_path / "a.json", [chatgpt_chat(f"g{number}") for number in range(90)])
    begun = asyncio.Event()
    run = ChatImport(path, store.archive, Labels()).run(lambda _share, _outcome: begun.set())
    task = asyncio.ensure_future(run)
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    _, kept = await store.archive.page(1, 0, is_newest_first=True)
    assert 0 < kept < 90
    assert await _import(store, path) == Imported(new=90 - kept, known=kept)
