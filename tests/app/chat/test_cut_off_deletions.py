"""A deletion that is cut off at any step is finished at the next start."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.api.errors import ConnectionLost, Refused
from app.api.refusals import Retry
from app.chat.conversations import Conversations
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.store.conversations import ConversationTable, DeletionTable
from app.store.errors import StoreError
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import LedgerError
from local_tools.undo.undo import UndoStore
from tests.support.chat_fixtures import ChatKit, chat_kit, stored
from tests.support.deleting_child import STEPS, VERSION_STEPS
from tests.support.fake_service import FakeService

pytestmark = [pytest.mark.anyio, pytest.mark.security(82, 104)]

_ROOT = Path(__file__).parents[3]
_PHRASE = "the words that nobody should find again"
_LIMIT_S = 60


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which a chat left words, a result, a copy and an output."""
    made = tmp_path_factory.mktemp("filled")
    asyncio.run(_fill(made))
    return made


@pytest.fixture(autouse=True)
def _copy_to_delete_from(filled: Path, tmp_path: Path) -> None:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)


async def _fill(data: Path) -> None:
    work = data / "work"
    work.mkdir()
    (work / "a.txt").write_text(f"{_PHRASE}\n", encoding="utf-8")
    async with FakeService() as service, chat_kit(data, service) as kit:
        service.holds("c1")
        service.asks_tool("write_file", {"path": "a.txt", "content": "new\n"}, call_id="a")
        much = {"command": f"yes '{_PHRASE}' | head -c 400000"}
        service.asks_tool("run_shell", much, call_id="b")
        service.says(_PHRASE)
        chat = await kit.open()
        await chat.session.set_folder(work)
        await chat.send(_PHRASE)
        await chat.allow()
        await chat.allow()
        await chat.is_idle()
        await kit.conversations.drafts.keep("c1", _PHRASE)


@asynccontextmanager
async def _chatted(data: Path) -> AsyncIterator[FakeService]:
    """Yield a service that holds the chat, which left its words in the folder, too."""
    async with FakeService() as service:
        service.conversations["c1"] = stored(("u1", "user", _PHRASE), ("m3", "assistant", _PHRASE))
        assert len(_places_of_the_phrase(data)) == 5
        yield service


def _places_of_the_phrase(data: Path) -> list[str]:
    """Where the words still are, by the names of the files."""
    found = [path for path in data.rglob("*") if path.is_file()]
    return sorted(path.name for path in found if _PHRASE.encode() in path.read_bytes())


async def _start_and_check(data: Path, service: FakeService) -> None:
    """Check that the next start leaves nothing of the chat, here or there."""
    async with chat_kit(data, service) as kit:
        await kit.conversations.load_kept()
        assert not kit.conversations.rows
        await kit.conversations.refresh()
        assert not kit.conversations.rows
        assert "c1" not in service.conversations
        assert await kit.store.deletions.all() == {}
        assert all(call.input_text is None for call in await kit.calls())
    assert _places_of_the_phrase(data) == []


@asynccontextmanager
async def _deleting(
    data: Path, service: FakeService, step: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    arguments = (str(data), service.base_url, service.api_key.get_secret_value(), step)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.deleting_child", *arguments), cwd=_ROOT
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("step", STEPS)
async def test_killed_at_any_step_on_this_computer_the_next_start_goes_on(
    tmp_path: Path, step: str
) -> None:
    async with _chatted(tmp_path) as service:
        async with _deleting(tmp_path, service, step) as child, asyncio.timeout(_LIMIT_S):
            assert await child.wait() == -9
        assert "c1" not in service.conversations

        await _start_and_check(tmp_path, service)


@pytest.mark.parametrize("step", VERSION_STEPS)
async def test_deletion_of_versions_killed_halfway_is_finished_at_the_next_start(
    tmp_path: Path, step: str
) -> None:
    async with FakeService() as service:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            chat, parts = await kit.open("c1"), kit.dependencies
            spaces = (kit.conversations, kit.sessions, parts.ledger)
            workspace = Workspace(parts.client, kit.store, *spaces)
            service.says("Si")
            key = chat.user_messages[0].key
            await (await kit.open(await workspace.revise("c1", key, "Uno", None))).is_idle()
        assert len(service.conversations) == 2
        async with _deleting(tmp_path, service, step) as child, asyncio.timeout(_LIMIT_S):
            assert await child.wait() == -9
        assert len(service.conversations) == 1

        async with chat_kit(tmp_path, service) as kit:
            await kit.dependencies.client.list_agents()
            await kit.conversations.load_kept()
            assert not kit.conversations.rows
            await kit.conversations.refresh()
            assert service.conversations == {}
            assert not kit.conversations.rows
            assert await kit.store.deletions.all() == {}
            assert await kit.store.conversations.ids() == ()


async def test_killed_while_the_service_is_asked_the_next_start_asks_again(tmp_path: Path) -> None:
    async with _chatted(tmp_path) as service:
        service.hangs("DELETE")
        before = len(service.requests)
        async with _deleting(tmp_path, service, "none") as child:
            await service.received(before + 1)
            child.kill()
            await child.wait()
        assert "c1" in service.conversations

        await _start_and_check(tmp_path, service)


class _FullWords(ConversationTable):
    def __init__(self) -> None:
        """Hold nothing."""

    async def forget(self, conversation_id: str) -> None:
        del conversation_id
        raise StoreError(ErrorCode.STORE_FULL)


class _FullLedger(Ledger):
    def __init__(self) -> None:
        """Hold nothing."""

    async def erase(self, profile: str, conversation_id: str) -> int:
        del profile, conversation_id
        raise LedgerError("There is no room left.")


class _FullCopies(UndoStore):
    def __init__(self) -> None:
        """Hold nothing."""

    def erase(self, profile: str, conversation_id: str) -> None:
        raise OSError(28, f"No space left on device: {profile} {conversation_id}")


class _FullDeletions(DeletionTable):
    def __init__(self) -> None:
        """Hold nothing."""

    async def add(self, conversation_id: str) -> None:
        del conversation_id
        raise StoreError(ErrorCode.STORE_FULL)


@pytest.mark.parametrize("step", ["words", "record", "copies"])
async def test_with_a_full_disk_in_between_it_is_reported_and_the_next_start_goes_on(
    tmp_path: Path, step: str
) -> None:
    async with _chatted(tmp_path) as service:
        async with chat_kit(tmp_path, service) as kit:
            whole = kit.dependencies
            failing = {
                "words": replace(whole, store=replace(whole.store, conversations=_FullWords())),
                "record": replace(whole, ledger=_FullLedger()),
                "copies": replace(whole, undo=_FullCopies()),
            }
            conversations = Conversations(failing[step], kit.sessions)
            with pytest.raises(StoreError):
                await conversations.delete("c1")
            conversations.close()
            assert _places_of_the_phrase(tmp_path)

        await _start_and_check(tmp_path, service)


async def test_deletion_that_cannot_be_recorded_does_not_begin(tmp_path: Path) -> None:
    async with _chatted(tmp_path) as service:
        before = _places_of_the_phrase(tmp_path)
        async with chat_kit(tmp_path, service) as kit:
            store = replace(kit.dependencies.store, deletions=_FullDeletions())
            conversations = Conversations(replace(kit.dependencies, store=store), kit.sessions)
            with pytest.raises(StoreError):
                await conversations.delete("c1")
            conversations.close()
        assert "c1" in service.conversations
        assert _places_of_the_phrase(tmp_path) == before


async def test_refused_deletion_is_not_retried(tmp_path: Path) -> None:
    async with _chatted(tmp_path) as service:
        service.fails_with(403, "forbidden", method="DELETE")
        async with chat_kit(tmp_path, service) as kit:
            with pytest.raises(Refused):
                await kit.conversations.delete("c1")

        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert [row.conversation_id for row in kit.conversations.rows] == ["c1"]
            assert await kit.store.conversations.draft("c1") == _PHRASE


async def _cut_off(data: Path, service: FakeService) -> None:
    """Leave behind a deletion that the service has not heard of."""
    async with chat_kit(data, service) as kit:
        await kit.store.deletions.add("c1")


async def test_until_the_service_can_be_asked_the_words_are_gone_and_the_chat_stays_hidden(
    tmp_path: Path,
) -> None:
    async with _chatted(tmp_path) as service:
        await _cut_off(tmp_path, service)
        service.fails_with(401, "invalid_api_key", method="DELETE")
        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            assert _places_of_the_phrase(tmp_path) == []
            await kit.conversations.refresh()
            assert "c1" in service.conversations
            assert not kit.conversations.rows

            await kit.conversations.refresh()
            assert "c1" not in service.conversations
            assert await kit.store.deletions.all() == {}


async def test_a_chat_whose_deletion_is_refused_at_the_next_start_is_listed_again(
    tmp_path: Path,
) -> None:
    async with _chatted(tmp_path) as service:
        await _cut_off(tmp_path, service)
        service.fails_with(405, "method_not_allowed", method="DELETE")
        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert [row.conversation_id for row in kit.conversations.rows] == ["c1"]
            assert await kit.store.deletions.all() == {}


@pytest.mark.parametrize("is_restarted", [False, True], ids=["same run", "next start"])
async def test_a_deletion_without_an_answer_is_found_to_have_happened(
    tmp_path: Path, is_restarted: bool
) -> None:
    async with _chatted(tmp_path) as service:
        async with chat_kit(tmp_path, service) as kit:
            await _deleted_without_an_answer(service, kit)
            del service.conversations["c1"]
            if not is_restarted:
                await kit.conversations.refresh()
                assert await kit.store.deletions.all() == {}

        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert not kit.conversations.rows
        await _start_and_check(tmp_path, service)


async def test_a_chat_that_is_still_there_after_a_failed_deletion_is_not_deleted_later(
    tmp_path: Path,
) -> None:
    async with _chatted(tmp_path) as service:
        async with chat_kit(tmp_path, service) as kit:
            await _deleted_without_an_answer(service, kit)

        async with chat_kit(tmp_path, service) as kit:
            await kit.conversations.load_kept()
            await kit.conversations.refresh()
            assert [row.conversation_id for row in kit.conversations.rows] == ["c1"]
            assert await kit.store.conversations.draft("c1") == _PHRASE
            assert await kit.store.deletions.all() == {}


async def _deleted_without_an_answer(service: FakeService, kit: ChatKit) -> None:
    """Try to delete the chat while every connection is cut."""
    for _ in range(Retry().attempts):
        service.cuts("DELETE")
    with pytest.raises(ConnectionLost):
        await kit.conversations.delete("c1")
