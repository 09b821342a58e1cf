"""Chats of a profile on their way into files."""

import asyncio
import errno
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from app.api.errors import NotFound
from app.chat.items import CallState, ToolCall
from app.chat.workspace import Workspace
from app.import_export.chat_export import (
    AlreadyThere,
    ChatExport,
    Exported,
    ExportFormat,
    NotWritten,
    Writers,
)
from app.import_export.formats.parley import json_of
from app.import_export.loading import (
    ConversationLoader,
    ExportedConversation,
    ExportedImage,
    Labels,
    TextPart,
)
from app.import_export.markdown_format import markdown_of
from app.paths import resources
from app.ui.import_export.web_page import web_page_writer
from local_tools.ledger.steps import Decider
from tests.support.attached_files import pdf
from tests.support.chat_fixtures import ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.images import png

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def _profile(folder: Path) -> AsyncIterator[tuple[FakeService, ChatKit]]:
    async with FakeService() as service, chat_kit(folder / "data", service) as kit:
        yield service, kit


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    parts = (kit.conversations, kit.sessions, dependencies.ledger)
    return Workspace(dependencies.client, dependencies.store, *parts)


def _pages(chat: ExportedConversation, _labels: Labels, _now: datetime) -> Iterator[str]:
    yield chat.title


def _sheets(
    chat: ExportedConversation, _labels: Labels, _now: datetime, path: Path, _stopped: Event
) -> None:
    path.write_text(chat.title)


async def _export(kit: ChatKit, ids: list[str], kind: ExportFormat, target: Path) -> Exported:
    export = ChatExport(ConversationLoader(_workspace(kit)), Writers(_pages, _sheets), Labels())
    return await _run(export, ids, kind, target)


async def _run(export: ChatExport, ids: list[str], kind: ExportFormat, target: Path) -> Exported:
    return await export.run(ids, kind, target, may_replace=False, on_progress=lambda _done: None)


async def test_a_chat_that_was_never_opened_is_fetched_whole(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "Hello"), ("assistant", "Hi"))

        exported = await _export(kit, ["c1"], ExportFormat.MARKDOWN, tmp_path / "a.md")

        assert exported == Exported(tmp_path / "a.md", 1, 0)
        text = (tmp_path / "a.md").read_text(encoding="utf-8")
        assert text.startswith("# Hello\n")
        assert text.endswith("\n\nHi\n")


async def test_a_tool_call_is_exported_with_its_decision(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c1")
        service.asks_tool("write_file", {"path": "a.txt", "content": "no"}, after=["Let me. "])
        service.says("As you like.")
        chat = await kit.open()
        await chat.session.set_folder(kit.home)
        await chat.send("Write it")
        await chat.deny("not now")
        await chat.is_idle()

        whole = await ConversationLoader(_workspace(kit)).gather("c1")

        parts = [part for message in whole.messages for part in message.parts]
        (call,) = [part for part in parts if isinstance(part, ToolCall)]
        assert (call.tool, call.state, call.decider) == (
            "write_file",
            CallState.DENIED,
            Decider.USER,
        )
        assert "not now" in call.output_text
        said = [part.text for part in parts if isinstance(part, TextPart)]
        assert said == ["Write it", "Let me. ", "As you like."]


async def test_export_says_what_the_service_did_not_provide(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "Hello"), ("assistant", "Hi"))
        await kit.open("c1")
        service.holds("c2", ("user", "Never opened"))
        for _ in range(3):
            service.fails_with(503, method="GET")

        target = tmp_path / "a.json"
        exported = await _export(kit, ["c2", "c1"], ExportFormat.JSON, target)

        # What is kept here of the second is all that was known of it: nothing is missing there.
        assert exported.incomplete == 1
        told = json.loads(target.read_text(encoding="utf-8"))["chats"]
        assert [(chat["is_complete"], len(chat["messages"])) for chat in told] == [
            (False, 0),
            (True, 2),
        ]


@pytest.mark.parametrize("kind", [ExportFormat.MARKDOWN, ExportFormat.HTML, ExportFormat.PDF])
async def test_several_chats_get_a_file_each(tmp_path: Path, kind: ExportFormat) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "Same"))
        service.holds("c2", ("user", "same"))

        await _export(kit, ["c1", "c2"], kind, tmp_path / "chats")

        names = sorted(path.name for path in (tmp_path / "chats").iterdir())
        assert names == [f"Same.{kind.value}", f"same (2).{kind.value}"]


async def test_all_chats_are_found_page_by_page(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        for number in range(130):
            service.holds(f"c{number}", ("user", "x"))

        assert len(await ConversationLoader(_workspace(kit)).all_ids()) == 130


async def test_a_cancelled_export_leaves_nothing(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "One"))
        service.holds("c2", ("user", "Two"))
        service.hangs("GET")
        folder = tmp_path / "out"
        folder.mkdir()
        export = _export(kit, ["c1", "c2"], ExportFormat.MARKDOWN, folder / "chats")
        task = asyncio.ensure_future(export)
        await service.received(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert list(folder.iterdir()) == []


async def test_an_export_that_is_cancelled_twice_waits_for_its_thread(tmp_path: Path) -> None:
    released, begun = Event(), Event()

    def slow(_chat: ExportedConversation, _labels: Labels, _now: datetime) -> Iterator[str]:
        begun.set()
        assert released.wait(20)
        yield "late"

    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "One"))
        folder = tmp_path / "out"
        folder.mkdir()
        export = ChatExport(ConversationLoader(_workspace(kit)), Writers(slow, _sheets), Labels())
        task = asyncio.ensure_future(_run(export, ["c1"], ExportFormat.HTML, folder / "a.html"))
        assert await asyncio.to_thread(begun.wait, 20)
        for _ in range(2):
            task.cancel()
            await asyncio.wait({task}, timeout=0)
            await asyncio.sleep(0)
        is_waiting = not task.done()
        released.set()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert is_waiting
        assert list(folder.iterdir()) == []


async def test_cancelled_pdf_export_stops_its_writer(tmp_path: Path) -> None:
    begun, was_stopped = Event(), Event()

    def slow(
        _chat: ExportedConversation, _labels: Labels, _now: datetime, path: Path, stopped: Event
    ) -> None:
        path.write_text("half")
        begun.set()
        if stopped.wait(20):
            was_stopped.set()

    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "One"))
        folder = tmp_path / "out"
        folder.mkdir()
        export = ChatExport(ConversationLoader(_workspace(kit)), Writers(_pages, slow), Labels())
        task = asyncio.ensure_future(_run(export, ["c1"], ExportFormat.PDF, folder / "a.pdf"))
        assert await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert was_stopped.is_set()
        assert list(folder.iterdir()) == []


async def test_a_full_disk_is_explained_and_leaves_nothing(tmp_path: Path) -> None:
    def full(_chat: ExportedConversation, _labels: Labels, _now: datetime) -> Iterator[str]:
        yield "some"
        raise OSError(errno.ENOSPC, "No space left on device")

    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "One"))
        folder = tmp_path / "out"
        folder.mkdir()
        export = ChatExport(ConversationLoader(_workspace(kit)), Writers(full, _sheets), Labels())
        with pytest.raises(NotWritten):
            await _run(export, ["c1"], ExportFormat.HTML, folder / "a.html")

        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", [ExportFormat.MARKDOWN, ExportFormat.JSON])
async def test_a_chat_that_was_deleted_meanwhile_is_left_out(
    tmp_path: Path, kind: ExportFormat
) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c2", ("user", "Still here"))

        exported = await _export(kit, ["c1", "c2"], kind, tmp_path / "out")

        assert (exported.count, exported.incomplete) == (1, 0)
        if kind is ExportFormat.JSON:
            (told,) = json.loads((tmp_path / "out").read_text(encoding="utf-8"))["chats"]
            assert told["id"] == "c2"
        else:
            assert [path.name for path in (tmp_path / "out").iterdir()] == ["Still here.md"]


async def test_nothing_is_written_of_a_chat_that_is_gone(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (_service, kit):
        folder = tmp_path / "out"
        folder.mkdir()
        with pytest.raises(NotFound):
            await _export(kit, ["c1"], ExportFormat.MARKDOWN, folder / "a.md")

        assert list(folder.iterdir()) == []


async def test_an_export_outlives_the_connection_it_began_with(tmp_path: Path) -> None:
    """Another project was chosen: what is kept here is written, and what is missing said."""
    async with _profile(tmp_path) as (service, kit):
        for chat_id in ("c1", "c2"):
            service.holds(chat_id, ("user", "Kept here"))
        await kit.open("c2")
        gatherer = ConversationLoader(_workspace(kit))
        await gatherer.gather("c1")
        await kit.dependencies.client.aclose()
        export = ChatExport(gatherer, Writers(_pages, _sheets), Labels())

        exported = await _run(export, ["c1", "c2"], ExportFormat.JSON, tmp_path / "a.json")

        assert (exported.count, exported.incomplete) == (2, 1)


async def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.holds("c1", ("user", "One"))
        (tmp_path / "a.md").write_text("mine")
        with pytest.raises(AlreadyThere):
            await _export(kit, ["c1"], ExportFormat.MARKDOWN, tmp_path / "a.md")

        assert (tmp_path / "a.md").read_text() == "mine"


async def test_images_are_exported_as_addresses_that_hold_them(tmp_path: Path) -> None:
    async with _profile(tmp_path) as (service, kit):
        service.extensions = ("attachments",)
        await kit.dependencies.client.list_agents()
        service.holds("c1")
        service.asks_tool("read_attachment", {"name": "offer.pdf", "draw": True})
        service.says("Seen.")
        chat = await kit.open()
        image = await kit.attachments.add_content("c1", "a.png", png())
        offer = await kit.attachments.add_content("c1", "offer.pdf", pdf("One"))
        await chat.session.send("Look", None, attachments=(image, offer))
        await chat.is_idle()
        service.holds("c1", ("user", chat.user_messages[0].text), ("assistant", "Seen."))
        loader = ConversationLoader(replace(_workspace(kit), attachments=kit.attachments))
        told = await loader.gather("c1")
        on_paper: list[ExportedConversation] = []

        def write(
            chat: ExportedConversation, _labels: Labels, _now: datetime, path: Path, _: Event
        ) -> None:
            on_paper.append(chat)
            path.touch()

        export = ChatExport(loader, Writers(_pages, write), Labels())
        await _run(export, ["c1"], ExportFormat.PDF, tmp_path / "chat.pdf")
        content = await kit.attachments.content("c1", image)
    assert content is not None
    address = f"data:image/png;base64,{b64encode(content).decode()}"
    asked, *replies = told.messages
    parts = [part for message in replies for part in message.parts]
    assert [part.address for part in asked.parts if isinstance(part, ExportedImage)] == [address]
    assert [part.name for part in parts if isinstance(part, ExportedImage)] == ["page-1.png"]
    written = "".join(markdown_of(told, Labels(), datetime.now(UTC)))
    assert f"![a.png]({address})" in written
    written = "".join(json_of(told, is_first=True))
    assert json.loads(written[written.index("{") :])["messages"][0]["parts"][1] == {
        "type": "image",
        "name": "a.png",
        "address": address,
    }
    page = "".join(web_page_writer(resources() / "themes")(told, Labels(), datetime.now(UTC)))
    assert f'<img alt="a.png" src="{address}">' in page
    assert "img-src data:" in page
    [paper] = on_paper
    drawn = [
        part.drawn
        for message in paper.messages
        for part in message.parts
        if isinstance(part, ExportedImage)
    ]
    assert [one.height if one else None for one in drawn] == [2, 900]
