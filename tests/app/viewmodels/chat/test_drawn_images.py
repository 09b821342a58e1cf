"""Images of a chat are drawn by workers; what fails or ends asks for nothing more."""

from pathlib import Path

import pytest

from app.store.errors import StoreError
from app.viewmodels.chat.drawn_images import DrawnImages
from tests.support.chat_fixtures import ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.images import png
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio

_SIZE = (20, 20)


class _Errors(list[BaseException]):
    def __call__(self, _name: str, error: BaseException) -> None:
        self.append(error)


async def _open(service: FakeService, kit: ChatKit) -> None:
    service.extensions = ("attachments",)
    await kit.dependencies.client.list_agents()
    service.holds("c1")


async def test_images_that_wait_are_not_begun_once_their_window_closes(tmp_path: Path) -> None:
    errors = _Errors()
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _open(service, kit)
        colours = [(number, 0, 0) for number in range(4)]
        add = kit.attachments.add_content
        items = [await add("c1", "a.png", png(colour=colour)) for colour in colours]
        images = DrawnImages(errors)
        images.follow(kit.attachments, "c1")
        assert [images.pixels(item, _SIZE) for item in items] == [None] * 4
        # Two begin meanwhile, and the others wait for them.
        await kit.attachments.of_draft("c1")

        await images.aclose()

        assert images.pixels(items[0], _SIZE) is None
    assert errors == []


async def test_image_that_cannot_be_read_is_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = _Errors()
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _open(service, kit)
        images = DrawnImages(errors)
        images.follow(kit.attachments, "c1")
        item = await kit.attachments.add_content("c1", "a.png", png())

        def refuse(_path: Path) -> bytes:
            raise PermissionError

        monkeypatch.setattr(Path, "read_bytes", refuse)
        images.pixels(item, _SIZE)
        await emitted(images.drawn)

        assert images.has_failed(item, _SIZE)
        assert images.pixels(item, _SIZE) is None
        assert images.is_idle
        await images.aclose()
    assert [type(error) for error in errors] == [StoreError]


async def test_image_is_opened_whatever_its_name(tmp_path: Path) -> None:
    errors = _Errors()
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        await _open(service, kit)
        images = DrawnImages(errors)
        images.follow(kit.attachments, "c1")
        # As long as a name may be here, and one that Windows would take for a stream.
        for name in (f"{'長' * 83}.png", "what: a?.png"):
            item = await kit.attachments.add_content("c1", name, png())
            images.open(item)
            [path] = await emitted(images.opened)
            assert path.read_bytes() == await kit.attachments.content("c1", item)
            assert path.suffix == ".png"
            assert not set(":?") & set(path.name)
        await images.aclose()
    assert errors == []
