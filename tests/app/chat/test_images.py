"""Images in a chat: sent as shown, refused in words, and those of tools beside the text."""

import hashlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from app.chat.items import Action, CallState
from app.chat.message_attachments import IMAGES_LIMIT
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import StoredAttachment
from tests.support.attached_files import pdf
from tests.support.chat_fixtures import Chat, ChatKit, chat_kit, results
from tests.support.fake_service import FakeService
from tests.support.images import png

pytestmark = pytest.mark.anyio


async def _open(service: FakeService, kit: ChatKit, *extensions: str) -> Chat:
    service.extensions = extensions or ("attachments",)
    await kit.dependencies.client.list_agents()
    service.holds("c1")
    return await kit.open()


async def _attach(kit: ChatKit, name: str = "a.png", data: bytes | None = None) -> StoredAttachment:
    return await kit.attachments.add_content("c1", name, png() if data is None else data)


async def _send(chat: Chat, words: str, *attached: StoredAttachment) -> None:
    await chat.session.send(words, None, attachments=attached)
    await chat.is_idle()


def _sent(service: FakeService) -> list[dict[str, Any]]:
    """Return the requests for replies, in order."""
    paths = ("/v1/chat/stream", "/v1/tool-result")
    return [request.json for request in service.requests if request.path in paths]


def _files_named(folder: Path, name: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name == name]


async def test_image_leaves_as_it_is_kept_and_is_named_in_the_message(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _open(service, kit)
        service.says("A square.")
        kept = await _attach(kit, data=png(3000, 20))
        assert (kept.width, kept.height, kept.kind) == (1568, 10, "image")
        await _send(chat, "What is this?", kept)

        (sent,) = _sent(service)
        (image,) = sent["attachments"]
        data = b64decode(image["data"])
        assert sent["message"] == "What is this?\n\n[image: a.png]"
        assert (image["name"], image["media_type"]) == ("a.png", "image/png")
        assert hashlib.sha256(data).hexdigest() == kept.sha256
        assert len(data) == kept.size_bytes
        (row,) = chat.user_messages
        assert [item.sha256 for item in row.attachments] == [kept.sha256]


async def test_a_service_without_the_extension_is_said_to_take_none_before_anything_is_sent(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _open(service, kit, "usage")
        with pytest.raises(UserFacingError) as caught:
            await _attach(kit)
        assert caught.value.reason == ErrorCode.IMAGES_NOT_TAKEN
        assert await kit.attachments.of_draft("c1") == ()


async def test_a_service_that_takes_none_any_more_is_sent_nothing(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _open(service, kit)
        kept = await _attach(kit)
        service.extensions = ()
        await kit.dependencies.client.list_agents()
        await _send(chat, "Look", kept)
        assert chat.says(ErrorCode.IMAGES_NOT_TAKEN, name="a.png")
        assert _sent(service) == []
        # It can be tried again, once the service does.
        service.extensions = ("attachments",)
        await kit.dependencies.client.list_agents()
        service.says("Seen.")
        await chat.session.act(chat.notice.key, Action.TRY_AGAIN)
        await chat.is_idle()
        assert [image["name"] for image in _sent(service)[0]["attachments"]] == ["a.png"]


async def test_a_service_that_was_not_asked_yet_is_asked_before_images_leave(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.extensions = ("attachments",)
        service.holds("c1")
        service.says("Seen.")
        chat = await kit.open()
        await _send(chat, "Look", await _attach(kit))
        assert "attachments" in _sent(service)[0]


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        (413, "body_too_large", ErrorCode.TOO_LARGE_TO_SEND),
        (400, "images_full", ErrorCode.IMAGES_FULL),
    ],
)
async def test_a_service_that_refuses_images_is_quoted_and_the_message_kept(
    tmp_path: Path, status: int, code: str, reason: ErrorCode
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _open(service, kit)
        service.fails_with(status, code)
        await _send(chat, "Look", await _attach(kit))
        assert chat.says(reason)
        assert [row.words for row in chat.user_messages] == ["Look"]


async def test_ninth_image_is_left_out_with_words(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _open(service, kit)
        for number in range(IMAGES_LIMIT):
            await _attach(kit, f"{number}.png", png(number + 1))
        with pytest.raises(UserFacingError) as caught:
            await _attach(kit, "last.png")
        assert caught.value.reason == ErrorCode.IMAGES_TOO_MANY
        # Documents still go with it.
        await kit.attachments.add_content("c1", "offer.pdf", pdf("One"))


async def test_rendered_pages_are_sent_with_the_result(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _open(service, kit)
        service.asks_tool("read_attachment", {"name": "offer.pdf", "pages": "2", "draw": True})
        service.says("It shows a fee.")
        offer = await _attach(kit, "offer.pdf", pdf("One", "The fee is 180 pounds"))
        await _send(chat, "What is the fee?", offer)

        _, posted = _sent(service)
        (image,) = posted["attachments"]
        assert image["name"] == "page-2.png"
        assert posted["result"].endswith("[image: page-2.png]")
        (row,) = chat.tool_rows
        assert row.state is CallState.DONE
        assert [shown.name for shown in row.images] == ["page-2.png"]
        assert hashlib.sha256(b64decode(image["data"])).hexdigest() == row.images[0].sha256
        # What a tool returned is nothing that a person attached.
        assert [item.name for item in chat.session.settings.attachments] == ["offer.pdf"]
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "What is the fee?"), ("assistant", "It shows a fee."))
        chat = await kit.open()
        assert [[shown.name for shown in row.images] for row in chat.tool_rows] == [["page-2.png"]]


async def test_images_of_a_tool_stay_here_where_the_service_takes_none(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _open(service, kit, "usage")
        service.asks_tool("read_attachment", {"name": "offer.pdf", "draw": True})
        service.says("Fine.")
        await _send(chat, "Look", await _attach(kit, "offer.pdf", pdf("One")))
        assert "attachments" not in _sent(service)[-1]
        ((_, result),) = results(service)
        assert "[image: page-1.png]" in result
        assert "base64" not in result
        assert [shown.name for shown in chat.tool_rows[0].images] == ["page-1.png"]


async def test_deleting_the_chat_removes_its_images_from_the_disk(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _open(service, kit)
        service.says("Seen.")
        kept = await _attach(kit)
        await _send(chat, "Look", kept)
        assert _files_named(tmp_path, kept.sha256)
        await kit.conversations.delete("c1")
        assert not _files_named(tmp_path, kept.sha256)
