"""Drafts: kept while somebody types, for the chat they were typed in, and not key by key."""

from typing import cast

import pytest

from app.chat.workspace import Workspace
from app.viewmodels.chat.drafts import Drafts, LeftDrafts
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


class _Kept:
    """Keeps drafts as a workspace does, and says when."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.writes: list[tuple[str, str]] = []

    async def draft(self, conversation_id: str) -> str:
        return self.texts.get(conversation_id, "")

    async def keep_draft(self, conversation_id: str, text: str) -> None:
        self.writes.append((conversation_id, text))
        self.texts[conversation_id] = text

    @property
    def workspace(self) -> Workspace:
        return cast("Workspace", self)


def _fail(name: str, error: BaseException) -> None:
    raise AssertionError(name) from error


def _drafts() -> Drafts:
    return Drafts(_fail)


async def test_many_keys_are_one_write() -> None:
    kept, drafts = _Kept(), _drafts()
    drafts.follow(kept.workspace, "c1", restore=False)
    for length in range(1, 101):
        drafts.note("x" * length)
    await drafts.aclose()

    assert kept.writes == [("c1", "x" * 100)]


async def test_restored_draft_is_not_written_again() -> None:
    kept, drafts = _Kept(), _drafts()
    kept.texts["c1"] = "half a thought"
    drafts.restored.connect(drafts.note)
    restored = emitted(drafts.restored)
    drafts.follow(kept.workspace, "c1", restore=True)
    assert await restored == ("half a thought",)
    await drafts.aclose()

    assert kept.writes == []


async def test_draft_is_saved_when_the_window_closes_right_after_typing() -> None:
    kept, drafts = _Kept(), _drafts()
    drafts.follow(kept.workspace, "c1", restore=False)
    drafts.note("a thought")
    drafts.follow(None, "", restore=True)
    await drafts.aclose()

    assert kept.texts == {"c1": "a thought"}


async def test_text_typed_before_the_composer_exists_joins_the_draft() -> None:
    kept, drafts = _Kept(), _drafts()
    kept.texts["c1"] = "before"
    drafts.note("typed while nobody was there")
    drafts.follow(kept.workspace, "", restore=True)
    drafts.restored.connect(drafts.note)
    restored = emitted(drafts.restored)
    drafts.follow(kept.workspace, "c1", restore=True)
    joined = "before\ntyped while nobody was there"
    assert await restored == (joined,)
    await drafts.aclose()

    assert kept.texts == {"c1": joined}


async def test_text_typed_after_sending_stays_in_the_draft() -> None:
    kept, drafts = _Kept(), _drafts()
    drafts.follow(kept.workspace, "c1", restore=False)
    place = drafts.place
    assert place is not None
    drafts.note("Hello")
    drafts.note(" and then")
    await drafts.forget(place)
    await drafts.aclose()

    assert kept.writes == [("c1", " and then")]


async def test_windows_with_the_same_chat_keep_what_is_typed_in_each() -> None:
    kept, windows = _Kept(), list[Drafts]()
    here, there = (Drafts(_fail, others=lambda: windows) for _ in range(2))
    for drafts in (here, there):
        drafts.follow(kept.workspace, "c1", restore=False)
    windows[:] = [there]
    here.note("a question")
    await here.aclose()
    windows[:] = [here]
    there.note("another")
    await there.forget((kept.workspace, "c1"))
    assert kept.texts == {"c1": "a question\nanother"}
    there.note("")
    await there.aclose()

    assert kept.texts == {"c1": "a question"}


async def test_draft_that_another_window_holds_is_not_restored() -> None:
    kept, here = _Kept(), _drafts()
    here.follow(kept.workspace, "", restore=False)
    here.note("a question")
    there = Drafts(_fail, others=lambda: [here])
    there.restored.connect(there.note)
    there.follow(kept.workspace, "", restore=True)
    there.note("another")
    for drafts in (there, here):
        await drafts.aclose()

    assert kept.writes[0] == ("", "a question\nanother")


class _Windows:
    """Two windows that show the same chat; in the first one is written."""

    def __init__(self) -> None:
        self.kept, left = _Kept(), LeftDrafts()
        self.here = Drafts(_fail, others=lambda: tuple(self._open - {self.here}), left=left)
        self.there = Drafts(_fail, others=lambda: tuple(self._open - {self.there}), left=left)
        self._open = {self.here, self.there}
        for drafts in self._open:
            drafts.follow(self.kept.workspace, "c1", restore=False)
        self.here.note("a question")

    async def close(self, *windows: Drafts) -> None:
        for drafts in windows:
            self._open.remove(drafts)
            await drafts.aclose()


@pytest.mark.parametrize("closes", [False, True])
async def test_draft_that_a_window_left_stays_when_another_one_writes_on(closes: bool) -> None:
    two = _Windows()
    kept, here, there = two.kept, two.here, two.there
    if closes:
        await two.close(here)
    else:
        here.follow(kept.workspace, "c2", restore=True)
    there.note("another")
    await there.forget((kept.workspace, "c1"))
    assert kept.texts["c1"] == "a question\nanother"
    there.note("")
    await two.close(there)
    assert kept.texts["c1"] == "a question"
    if not closes:
        await two.close(here)


async def test_draft_that_was_left_comes_back_to_the_window_that_returns() -> None:
    two = _Windows()
    kept, here, there = two.kept, two.here, two.there
    here.follow(kept.workspace, "c2", restore=True)
    there.note("another")
    restored: list[str] = []
    here.restored.connect(restored.append)
    here.restored.connect(here.note)
    here.follow(kept.workspace, "c1", restore=True)
    assert restored == ["a question"]
    here.note("a question, then")
    await two.close(here, there)
    assert kept.texts["c1"] == "a question, then\nanother"


async def test_message_that_is_under_way_when_its_window_leaves_is_no_draft() -> None:
    two = _Windows()
    kept, here, there = two.kept, two.here, two.there
    here.follow(kept.workspace, "c2", restore=True)
    await here.forget((kept.workspace, "c1"))
    there.note("another")
    await two.close(here, there)
    assert kept.texts["c1"] == "another"
