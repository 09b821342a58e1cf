"""Attached files: with the draft, in the message, read by the assistant, and gone with the chat."""

from collections.abc import Awaitable
from pathlib import Path

import pytest

from app.chat.items import CallState
from app.chat.message_attachments import ATTACHMENTS_LIMIT
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import NewAttachment, StoredAttachment
from local_tools.attached_file import ATTACHMENT_LIMIT_BYTES
from local_tools.ledger.steps import Decider, Decision, Step
from tests.support.attached_files import OLE, pdf, word
from tests.support.chat_fixtures import Chat, ChatKit, chat_kit, results
from tests.support.fake_service import FakeService
from tests.support.images import png

pytestmark = pytest.mark.anyio

_KEY = "AKIAIOSFODNN7EXAMPLE"


def attach(kit: ChatKit, path: Path, data: bytes, chat: str = "c1") -> Awaitable[StoredAttachment]:
    path.write_bytes(data)
    return kit.attachments.add_file(chat, path)


async def send(chat: Chat, words: str, *attached: StoredAttachment) -> None:
    await chat.session.send(words, None, attachments=attached)
    await chat.is_idle()


async def test_a_small_text_stands_in_the_message_and_is_folded_in_its_row(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Read.")
        chat = await kit.open()
        notes = await attach(kit, tmp_path / "notes.md", b"# Notes\n```\ncode\n```\n")
        await send(chat, "What is this?", notes)

        sent = service.requests[-1].json
        assert sent["message"] == (
            "What is this?\n\nnotes.md:\n````md\n# Notes\n```\ncode\n```\n````"
        )
        (row,) = chat.user_messages
        assert (row.words, row.text) == ("What is this?", sent["message"])
        assert [item.name for item in row.attachments] == ["notes.md"]
        assert await kit.attachments.of_draft("c1") == ()


@pytest.mark.parametrize(
    ("words", "title"), [("What does it build?", "What does it build?"), ("", "Makefile (2)")]
)
async def test_a_title_has_the_words_alone_or_else_the_names_of_files(
    tmp_path: Path, words: str, title: str
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Read.")
        chat = await kit.open()
        await send(chat, words, await attach(kit, tmp_path / "Makefile (2)", b"all:\n\tsecret\n"))
        assert chat.session.state.title == title

        for name in ("Mine", ""):
            await kit.conversations.rename("c1", name)
        assert (await kit.store.conversations.get("c1")).title == title


async def test_a_file_that_changes_or_goes_after_attaching_is_read_as_it_was(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        changed = await attach(kit, tmp_path / "changed.pdf", pdf("The fee is 180"))
        gone = await attach(kit, tmp_path / "gone.pdf", pdf("The fee is 150"))
        (tmp_path / "changed.pdf").write_bytes(pdf("The fee is 999"))
        (tmp_path / "gone.pdf").unlink()
        for number, name in enumerate(("changed.pdf", "gone.pdf")):
            service.asks_tool("read_attachment", {"name": name}, call_id=f"call-{number}")
            service.says("Read.")
        await send(chat, "What is the fee?", changed, gone)
        await send(chat, "And before?")
        told = [text for _, text in results(service)]
    assert [text.splitlines()[-1] for text in told] == ["The fee is 180", "The fee is 150"]


async def test_a_document_is_named_in_the_message_and_read_without_a_question(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("read_attachment", {"name": "offer.pdf", "pages": "2"})
        service.says("It asks for 180.")
        chat = await kit.open()
        offer = await attach(kit, tmp_path / "offer.pdf", pdf("One", "The fee is 180 pounds"))
        # What becomes of the file does not count.
        (tmp_path / "offer.pdf").unlink()
        await send(chat, "What is the fee?", offer)

        first, size = service.requests[-2].json, f"{offer.size_bytes:,} bytes"
        named = f"[attachment: offer.pdf (PDF, 2 pages, {size})]"
        assert first["message"] == f"What is the fee?\n\n{named}"
        assert "read_attachment" in {tool["name"] for tool in first["client_tools"]}
        ((_, result),) = results(service)
        assert "The fee is 180 pounds" in result
        assert "One" not in result
        (row,) = chat.tool_rows
        assert (row.state, row.decider, row.target) == (
            CallState.DONE,
            Decider.ATTACHING,
            "offer.pdf, 2",
        )
        (record,) = await kit.calls()
        assert record.step is Step.ACKNOWLEDGED
        assert record.details.decision is Decision.ALLOWED


async def test_read_part_of_an_attachment_is_named_after_a_restart(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            service.asks_tool("read_attachment", {"name": "offer.pdf", "search": "fee"})
            service.says("None.")
            chat = await kit.open()
            await send(chat, "Fee?", await attach(kit, tmp_path / "offer.pdf", pdf("One")))
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            assert [row.target for row in chat.tool_rows] == ["offer.pdf, fee"]
            assert [item.name for item in chat.user_messages[0].attachments] == ["offer.pdf"]
            assert chat.user_messages[0].words == "Fee?"


async def test_the_tool_is_declared_only_where_something_is_attached(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Hello.")
        service.says("Thanks.")
        service.says("Yes.")
        chat = await kit.open()
        await send(chat, "Hello")
        offer = await attach(kit, tmp_path / "offer.pdf", pdf("One"))
        await send(chat, "Here", offer)
        await send(chat, "And now?")

        declared = [
            "read_attachment" in {tool["name"] for tool in request.json["client_tools"]}
            for request in service.requests
            if request.path == "/v1/chat/stream"
        ]
        assert declared == [False, True, True]


@pytest.mark.security(121)
async def test_attaching_allows_this_file_in_this_chat_and_nothing_else(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("canary")
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        for chat_id in ("c1", "c2"):
            service.holds(chat_id)
        service.says("Thanks.")
        chat = await kit.open()
        await send(chat, "", await attach(kit, tmp_path / "offer.pdf", pdf("One")))

        other = await kit.open("c2")
        mine = await attach(kit, tmp_path / "mine.docx", word("Mine"), "c2")
        service.asks_tool("read_attachment", {"name": "offer.pdf"}, call_id="a")
        service.asks_tool("read_attachment", {"name": str(secret)}, call_id="b")
        service.asks_tool("read_attachment", {"name": "mine.docx"}, call_id="c")
        service.says("Done.")
        await send(other, "Read", mine)

        told = dict(results(service))
        assert told["a"].startswith("Error: No file “offer.pdf” is attached to this chat.")
        assert told["b"].startswith("Error: No file “")
        assert "Mine" in told["c"]
        assert all("canary" not in text for text in told.values())


@pytest.mark.security(30)
async def test_secrets_of_an_attached_file_pass_the_gate_and_not_the_message(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("read_attachment", {"name": "settings.txt"})
        chat = await kit.open()
        held = await attach(kit, tmp_path / "settings.txt", f"key = {_KEY}\n".encode())
        await chat.session.send("Look", None, attachments=(held,))

        card = await chat.holds()
        assert _KEY in card.result.text
        assert _KEY not in service.requests[-1].body.decode()


@pytest.mark.security(122)
async def test_link_to_a_file_with_secrets_has_the_name_of_that_file(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        (tmp_path / "netrc").write_text("machine example.org login me password hunter2\n")
        for name, target in (("notes.txt", "netrc"), ("plan.txt", "plan-2.txt")):
            (tmp_path / "plan-2.txt").write_text("Plan")
            (tmp_path / name).symlink_to(tmp_path / target)
        secret = await kit.attachments.add_file("c1", tmp_path / "notes.txt")
        plain = await kit.attachments.add_file("c1", tmp_path / "plan.txt")

        assert (secret.name, secret.is_inline) == ("netrc", False)
        assert (plain.name, plain.is_inline) == ("plan.txt", True)


@pytest.mark.security(120)
async def test_contents_of_the_clipboard_have_the_limit_of_a_file(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        with pytest.raises(UserFacingError) as caught:
            await kit.attachments.add_content("c1", "a.txt", bytes(ATTACHMENT_LIMIT_BYTES + 1))
        assert caught.value.reason == ErrorCode.ATTACHMENT_TOO_LARGE


async def test_names_that_a_chat_has_already_are_numbered(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("One.")
        service.says("Two.")
        chat = await kit.open()
        for folder, text in (("a", "first"), ("b", "second")):
            (tmp_path / folder).mkdir()
            offer = await attach(kit, tmp_path / folder / "offer.pdf", pdf(text))
            await send(chat, "Here", offer)

        names = [item.name for row in chat.user_messages for item in row.attachments]
        assert names == ["offer.pdf", "offer (2).pdf"]
        assert [item.name for item in chat.session.settings.attached_files] == names


async def test_a_chip_has_the_name_under_which_its_file_leaves(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Seen.")
        service.extensions = ("attachments",)
        await kit.dependencies.client.list_agents()
        chat = await kit.open()
        added = [
            await kit.attachments.add_content("c1", "Screenshot.png", png(width))
            for width in (1, 2)
        ]
        chips = [item.name for item in await kit.attachments.of_draft("c1")]
        await send(chat, "Look", *added)
        third = await kit.attachments.add_content("c1", "Screenshot.png", png(3))

        sent = [item.name for row in chat.user_messages for item in row.attachments]
        assert sent == chips == ["Screenshot.png", "Screenshot (2).png"]
        assert third.name == "Screenshot (3).png"


async def test_attachments_of_a_draft_are_kept_after_a_restart(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            await attach(kit, tmp_path / "offer.pdf", pdf("One"), "")
            await attach(kit, tmp_path / "notes.txt", b"Hello", "c1")
        async with chat_kit(tmp_path, service) as kit:
            assert [item.name for item in await kit.attachments.of_draft("")] == ["offer.pdf"]
            (kept,) = await kit.attachments.of_draft("c1")
            await kit.attachments.remove(kept.attachment_id)
            assert await kit.attachments.of_draft("c1") == ()
        assert len(list((tmp_path / "attachments").iterdir())) == 1


async def test_a_withdrawn_message_gives_its_files_back_to_the_draft(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Wait.")
        service.pauses_after(1)
        chat = await kit.open()
        await chat.send("First")
        offer = await attach(kit, tmp_path / "offer.pdf", pdf("One"))
        await chat.session.send("Second", None, attachments=(offer,))
        waiting = chat.user_messages[-1]

        assert await chat.session.withdraw(waiting.key) == "Second"
        assert [item.name for item in await kit.attachments.of_draft("c1")] == ["offer.pdf"]
        assert chat.session.settings.attached_files == ()


@pytest.mark.security(82)
async def test_a_deleted_chat_leaves_nothing_of_its_files(tmp_path: Path) -> None:
    phrase = b"the words that nobody should find again"
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Read.")
        chat = await kit.open()
        notes = await attach(kit, tmp_path / "notes.txt", phrase)
        draft = await attach(kit, tmp_path / "more.txt", phrase + b" either")
        await send(chat, "Look", notes)
        (tmp_path / "notes.txt").unlink()
        (tmp_path / "more.txt").unlink()
        assert draft.turn_id is None

        await kit.conversations.delete("c1")

    assert _files_with(tmp_path, phrase) == []


def _files_with(folder: Path, words: bytes) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if words in path.read_bytes()]


async def test_two_chats_with_one_file_lose_it_one_by_one(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        for chat in ("c1", "c2"):
            service.holds(chat)
            await attach(kit, tmp_path / "offer.pdf", pdf("One"), chat)
        await kit.conversations.delete("c1")
        (kept,) = await kit.attachments.of_draft("c2")
        assert await kit.store.attachments.content("c2", kept.sha256) == pdf("One")
        assert await kit.store.attachments.content("c1", kept.sha256) is None

        await kit.conversations.delete("c2")
        assert _files_with(tmp_path / "attachments", b"") == []


async def test_files_stay_beside_a_store_that_was_put_aside(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await attach(kit, tmp_path / "offer.pdf", pdf("One"))
    (tmp_path / "store.db").write_bytes(b"no database")
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        assert await kit.attachments.of_draft("c1") == ()
    assert len(_files_with(tmp_path / "attachments", b"One")) == 1


async def test_files_of_no_message_are_removed_at_the_next_start(tmp_path: Path) -> None:
    (tmp_path / "attachments").mkdir()
    (tmp_path / "attachments" / ("0" * 64)).write_bytes(b"left behind")
    async with FakeService() as service, chat_kit(tmp_path, service):
        pass
    assert list((tmp_path / "attachments").iterdir()) == []


@pytest.mark.security(120)
@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.bin", bytes(range(256)), ErrorCode.ATTACHMENT_UNKNOWN),
        ("a.docx", OLE + b"\0" * 99 + "EncryptedPackage".encode("utf-16-le"), "attachment_locked"),
        ("a.pdf", b"%PDF-1.4 and no more", ErrorCode.ATTACHMENT_BROKEN),
        ("a.txt", b"", ErrorCode.ATTACHMENT_EMPTY),
        ("a.jpg", b"\0\0\0\x18ftypheic" + bytes(99), ErrorCode.IMAGE_HEIC),
        ("a.avif", b"\0\0\0\x18ftypavif" + bytes(99), ErrorCode.IMAGE_HEIC),
    ],
)
async def test_refused_attachment_leaves_no_file(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        with pytest.raises(UserFacingError) as caught:
            await attach(kit, tmp_path / name, data)
        assert caught.value.reason == reason
        assert caught.value.values["name"] == name
        assert await kit.attachments.of_draft("c1") == ()
        assert not (tmp_path / "attachments").exists()


async def test_so_many_files_go_with_one_message(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        for number in range(ATTACHMENTS_LIMIT):
            await kit.store.attachments.add("c1", new(f"{number}.txt"))
        with pytest.raises(UserFacingError) as caught:
            await attach(kit, tmp_path / "more.txt", b"more")
        assert caught.value.reason == ErrorCode.ATTACHMENTS_TOO_MANY


def new(name: str) -> NewAttachment:
    return NewAttachment(name, "text", name.encode())
