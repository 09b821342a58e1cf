"""Finding what is kept: which words are found where, and that deleted ones are nowhere."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.api.events import PieceKind
from app.store.records import ReplyPiece, StoredMessage
from app.store.schema import STEPS, migrate
from app.store.search import SearchResults
from app.store.store import Store
from tests.support.store_fixtures import NOW, keep, opened_store

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened_store(tmp_path) as made:
        yield made


async def texts_found(store: Store, query: str, *profiles: str) -> list[str]:
    found = await store.search.find(query, profiles or ("home",))
    return [hit.excerpt.text for hit in found.texts]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("rel", "the last Release"),
        ("RELEASE last", "the last release"),
        ("cafe", "a Café au lait"),
        ("CAFÉ", "a cafe"),
        ("cafe", "a Cafe\u0301 apart"),
        ("don't", "They don’t know"),
        ("foo-ba", "the foo bar"),
        ("C++", "written in c++ then"),
        ("100%", "at 100% load"),
        ("100", "at 100% load"),
        ("配置", "我们的配置文件"),
        ("がな", "ひらがなです"),
        ("мой", "это мой дом"),
        ("İstanbul", "in İSTANBUL"),
        ("🚀", "lift off 🚀 now"),
        ("q", "the q key"),
        ("Привет", "скажи привет"),
        ('"quoted"', "it was quoted"),
    ],
)
async def test_words_are_found_and_marked(store: Store, query: str, text: str) -> None:
    await keep(store, text, "nothing of the kind")

    (hit,) = (await store.search.find(query, ["home"])).texts

    assert hit.excerpt.text == text
    assert hit.excerpt.marks


@pytest.mark.parametrize("query", ["barrel", "elease", "release never", "relaese"])
async def test_other_words_are_not_found(store: Store, query: str) -> None:
    await keep(store, "the release of it")

    assert await texts_found(store, query) == []


@pytest.mark.parametrize(
    "query",
    [
        *("", "  ", "\0", '"', "*", "a AND", "NOT x", "col:x", "(", "NEAR(a b)", "^a", "-", "+"),
        *(
            "%",
            "_",
            "\\",
            "{a b}",
            "\ud800",
            "'; DROP TABLE words; --",
            "x" * 9999,
            "a" + " b" * 500,
        ),
    ],
)
async def test_nothing_that_is_typed_is_a_command(store: Store, query: str) -> None:
    await keep(store, "plain words")

    assert await texts_found(store, query) == []


async def test_signs_of_patterns_are_themselves(store: Store) -> None:
    await keep(store, "10 percent", "a % sign", "under_score", "back\\slash")

    assert await texts_found(store, "%") == ["a % sign"]
    assert await texts_found(store, "_") == ["under_score"]
    assert await texts_found(store, "\\") == ["back\\slash"]


async def test_newest_message_comes_first_and_hits_are_bounded(store: Store) -> None:
    await keep(store, *(f"word {number}" for number in range(5)))

    found = await store.search.find("word", ["home"], limit=3)

    assert [hit.excerpt.text for hit in found.texts] == ["word 4", "word 3", "word 2"]
    assert found.has_more
    assert not (await store.search.find("word", ["home"], limit=5)).has_more


async def test_hit_says_where_it_is(store: Store) -> None:
    await keep(store, "first", "the release")
    await store.profile("home").conversations.set_title("c1", "Names")

    (hit,) = (await store.search.find("release", ["home"])).texts

    assert (hit.profile, hit.conversation_id, hit.message_id) == ("home", "c1", "c1-1")
    assert (hit.role, hit.title, hit.said_at) == ("user", "Names", NOW + timedelta(hours=1))


async def test_only_the_given_profiles_are_searched_and_the_archive_is_told(store: Store) -> None:
    await keep(store, "secret of home")
    await keep(store, "secret of work", profile="work")
    await keep(store, "secret of old", profile="archive")

    assert await texts_found(store, "secret", "work") == ["secret of work"]
    found = await store.search.find("secret", ["home", "archive"])
    assert {(hit.excerpt.text, hit.is_archived) for hit in found.texts} == {
        ("secret of home", False),
        ("secret of old", True),
    }
    assert await store.search.find("secret", []) == SearchResults()


async def test_excerpt_is_one_line_around_the_first_place(store: Store) -> None:
    await keep(store, "before " * 60 + "\n\n  the needle\tis here " + "after " * 60)

    (hit,) = (await store.search.find("needle", ["home"])).texts

    assert hit.excerpt.text.startswith("…before")
    assert "the needle is here after" in hit.excerpt.text
    assert hit.excerpt.text.endswith("…")
    assert [hit.excerpt.text[a:b] for a, b in hit.excerpt.marks] == ["needle"]
    assert len(hit.excerpt.text) < 170


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x " * 90 + "Run `parse` first.\n\n```python\nexport()\n```", "Run parse first. export()"),
        ("First parse it. " + "and so on " * 60 + "then export.", "and so on… …on then export.…"),
    ],
)
async def test_excerpt_shows_each_word_and_no_signs_of_code(
    text: str, shown: str, store: Store
) -> None:
    await keep(store, text)

    (hit,) = (await store.search.find("parse export", ["home"])).texts

    excerpt = hit.excerpt
    assert shown in excerpt.text
    assert [excerpt.text[a:b] for a, b in excerpt.marks] == ["parse", "export"]


async def test_titles_are_found_by_the_beginning_of_any_word(store: Store) -> None:
    table = store.profile("home").conversations
    await table.touch("c1", 2, NOW)
    await table.set_title("c1", "Tidy the Rélease notes")
    await table.touch("c2", 3, NOW + timedelta(days=1))
    await table.set_title("c2", "Release party")
    await table.set_title("c3", "Barrel")

    found = await store.search.find("rel", ["home"])

    assert [(hit.conversation_id, hit.marks) for hit in found.titles] == [
        ("c2", ((0, 3),)),
        ("c1", ((9, 12),)),
    ]
    assert [hit.message_count for hit in found.titles] == [3, 2]


async def test_search_finds_messages_that_are_not_sent_yet(store: Store) -> None:
    home = store.profile("home")
    turn = await home.turns.add("c1", "typed just now", None)
    reply = ReplyPiece(PieceKind.TEXT, "answered just now", "a1")
    call = ReplyPiece(PieceKind.CALL, "now", call_id="x")
    await home.turns.keep_pieces(turn.turn_id, {0: reply, 1: call})

    assert await texts_found(store, "just now") == ["typed just now", "answered just now"]

    await home.turns.replace(replace(turn, user_message_id="u1", pieces=(reply, call)))
    await home.messages.keep(
        "c1",
        [
            StoredMessage("u1", "user", "typed just now", NOW),
            StoredMessage("a1", "assistant", "answered just now", NOW + timedelta(seconds=1)),
        ],
    )
    assert await texts_found(store, "just now") == ["answered just now", "typed just now"]


async def test_index_follows_what_becomes_of_a_message(store: Store) -> None:
    await keep(store, "alpha", "beta")
    assert await texts_found(store, "alpha") == ["alpha"]

    await keep(store, "gamma")

    assert await texts_found(store, "alpha") == []
    assert await texts_found(store, "beta") == []
    assert await texts_found(store, "gamma") == ["gamma"]


async def test_more_messages_than_one_slice_are_indexed(store: Store) -> None:
    await keep(store, *(f"number{number}" for number in range(450)))

    assert await texts_found(store, "number449") == ["number449"]
    assert await texts_found(store, "number0") == ["number0"]


async def test_search_finds_messages_stored_by_earlier_versions(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, STEPS[:1])
        connection.execute(
            "INSERT INTO messages (profile, conversation_id, message_id, role, text, position)"
            " VALUES ('home', 'c1', 'm1', 'user', 'from long ago', 0)"
        )
    store = Store(path)
    await store.open()
    try:
        assert await texts_found(store, "long ago") == ["from long ago"]
    finally:
        await store.close()


@pytest.mark.security(82)
async def test_deleted_words_are_in_no_byte_of_any_file(tmp_path: Path) -> None:
    word = "zyxwvut"
    store = Store(tmp_path / "store.db", lambda: NOW)
    await store.open()
    await keep(store, f"{word} once", *(f"filler {number}" for number in range(50)))
    await keep(store, "stays", chat="c2")
    await texts_found(store, word)
    # Changed and gone at the service, the first of them known to the index, the second not.
    await keep(store, "other", f"again {word}2")
    assert files_with(word, tmp_path)

    await store.profile("home").conversations.forget("c1")

    assert files_with(word, tmp_path) == []
    assert await texts_found(store, "stays") == ["stays"]
    await store.close()
    assert files_with(word, tmp_path) == []
    with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as connection:
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
        connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, words, row)")
        terms = [row[0] for row in connection.execute("SELECT term FROM temp.terms")]
    assert terms == ["stays"]


@pytest.mark.security(82)
async def test_words_that_went_before_their_chat_go_with_it(store: Store, tmp_path: Path) -> None:
    await keep(store, "zyxwvut", *(f"filler {number}" for number in range(50)))
    await texts_found(store, "zyxwvut")
    await keep(store)
    await texts_found(store, "zyxwvut")
    await keep(store, "stays", chat="c2")

    await store.profile("home").conversations.forget("c1")

    assert files_with("zyxwvut", tmp_path) == []
    assert await texts_found(store, "stays") == ["stays"]


def files_with(word: str, folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if word.encode() in file.read_bytes()]
