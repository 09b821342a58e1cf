"""Looking for chats: what is shown is what was typed last."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.common.error_messages import ErrorMessage
from app.store.search import FIRST_HITS
from app.store.store import Store
from app.viewmodels.sidebar.search import Results, SearchViewModel
from tests.support.signals import emitted
from tests.support.store_fixtures import keep, opened_store

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened_store(tmp_path) as made:
        yield made


@pytest.fixture
async def view_model(store: Store) -> AsyncIterator[SearchViewModel]:
    made = SearchViewModel(store.search)
    made.show(["home", "archive"])
    yield made
    await made.aclose()


async def _found(view_model: SearchViewModel, query: str) -> Results:
    changed = emitted(view_model.results_changed)
    view_model.search(query)
    (results,) = await changed
    assert isinstance(results, Results)
    return results


async def test_only_what_was_typed_last_is_looked_for(
    store: Store, view_model: SearchViewModel
) -> None:
    await keep(store, "release", "relax")
    seen: list[Results] = []
    view_model.results_changed.connect(seen.append)

    for typed in ("r", "re", "rel"):
        view_model.search(typed)
    results = await _found(view_model, "rele")

    assert [hit.excerpt.text for hit in results.found.texts] == ["release"]
    assert [result.query for result in seen] == ["rele"]


async def test_empty_search_shows_nothing_at_once(
    store: Store, view_model: SearchViewModel
) -> None:
    await keep(store, "release")
    await _found(view_model, "rel")

    view_model.search("  ")

    assert view_model.results == Results()


async def test_answer_that_comes_too_late_is_dropped(
    store: Store, view_model: SearchViewModel
) -> None:
    await keep(store, "release", "other")
    await _found(view_model, "release")
    seen: list[Results] = []
    view_model.results_changed.connect(seen.append)

    view_model.refresh()
    results = await _found(view_model, "other")

    assert results.query == "other"
    assert [result.query for result in seen] == ["other"]


async def test_more_hits_come_when_they_are_asked_for(
    store: Store, view_model: SearchViewModel
) -> None:
    await keep(store, *(f"word {number}" for number in range(FIRST_HITS + 10)))
    first = await _found(view_model, "word")
    assert (first.count, first.found.has_more) == (FIRST_HITS, True)

    changed = emitted(view_model.results_changed)
    view_model.find_more()
    (results,) = await changed

    assert (results.count, results.found.has_more) == (FIRST_HITS + 10, False)


async def test_hits_go_with_their_profile(store: Store, view_model: SearchViewModel) -> None:
    await keep(store, "release")
    await _found(view_model, "release")

    view_model.show(["work"])

    assert view_model.results == Results()
    await view_model.aclose()


async def test_text_hit_opens_its_chat_at_the_message(
    store: Store, view_model: SearchViewModel
) -> None:
    await keep(store, "nothing", "the release")
    await store.profile("home").conversations.set_title("c1", "Release")
    results = await _found(view_model, "rel")
    opened: list[tuple[str, str, str]] = []
    view_model.hit_opened.connect(lambda *given: opened.append(given))

    view_model.choose(results.found.texts[0])
    view_model.choose(results.found.titles[0])

    assert opened == [("c1", "c1-1", "rel"), ("c1", "", "")]


async def test_imported_chat_is_opened_as_one(store: Store, view_model: SearchViewModel) -> None:
    await keep(store, "release", profile="archive")
    results = await _found(view_model, "rel")
    opened = emitted(view_model.archived_opened)

    view_model.choose(results.found.texts[0])

    assert await opened == ("c1", "c1-0", "rel")


async def test_failed_search_is_explained(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.db")
    view_model = SearchViewModel(store.search)
    view_model.show(["home"])
    failed = emitted(view_model.failed)

    view_model.search("release")

    (words,) = await failed
    assert isinstance(words, ErrorMessage)
    assert "data folder" in words.text
    assert view_model.results.query == ""
    await view_model.aclose()
    await store.close()
