"""Attaching in the real window: chips, what is refused, what a restart keeps, what is read."""

import os
import shutil
import threading
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QColor, QDesktopServices, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.chat.items import CallState, ToolCall
from app.paths import paths_under
from app.self_test.ui_driver import find, press_enter, until
from app.ui.chat_page import ChatPage
from app.ui.composer.composer import Composer
from app.ui.composer.screen_grab import ScreenGrab, png_of
from app.ui.transcript.hit_targets import OpenImage
from app.ui.transcript.view import TranscriptView
from app.viewmodels.states import Dot
from tests.support.attached_files import pdf, workbook
from tests.support.engine import TinyModels
from tests.support.fake_service import FakeService
from tests.support.images import png
from tests.support.widgets import label_texts
from tests.support.window import Person, has_chosen_hosted, hosted_program, running_program

pytestmark = pytest.mark.anyio


def chips(person: Person) -> list[str]:
    return [chip.name for chip in person.program.chat.attachments.chips]


async def attached(person: Person, count: int) -> None:
    attachments = person.program.chat.attachments
    await person.sees(
        lambda: len(attachments.items) == count and not attachments.is_busy,
        "the files are attached",
        attachments.changed,
    )


async def test_a_document_is_attached_read_and_shown_with_its_message(tmp_path: Path) -> None:
    (tmp_path / "offer.pdf").write_bytes(pdf("One", "The fee is 180"))
    (tmp_path / "costs.xlsx").write_bytes(workbook(Costs=[["Tubs", 40]]))
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        chat = person.program.chat
        service.asks_tool("read_attachment", {"name": "offer.pdf", "search": "fee"})
        service.says("It is 180.")
        chat.attach([tmp_path / "offer.pdf", tmp_path / "costs.xlsx"])
        await attached(person, 2)
        assert any("2 pages" in text for text in label_texts(person.window))
        assert any("1 sheet " in text for text in label_texts(person.window))

        person.write("What is the fee?")
        press_enter(person.box)
        await person.sees(lambda: person.reply == "It is 180.", "the reply “It is 180.” is shown")

        (call,) = [row for row in chat.transcript.rows if isinstance(row, ToolCall)]
        assert call.state is CallState.DONE
        assert "page 2: The fee is 180" in call.output_text
        assert chips(person) == []
        assert person.box.toPlainText() == ""


async def test_unsent_attachments_are_restored_after_a_restart(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Hello")
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path / "data", service)
        async with running_program(tmp_path / "data", keyring) as person:
            await person.sees(lambda: person.program.chat.state.can_send, "the service answers")
            person.program.chat.attach([tmp_path / "notes.txt"])
            await attached(person, 1)
        (tmp_path / "notes.txt").unlink()

        async with running_program(tmp_path / "data", keyring) as person:
            await attached(person, 1)
            assert chips(person) == ["notes.txt"]
            remove = next(
                button
                for button in person.window.findChildren(QAbstractButton)
                if button.accessibleName() == "Remove notes.txt"
            )
            remove.click()
            await attached(person, 0)
        assert list((tmp_path / "data").rglob("attachments/*")) == []


async def test_files_beyond_the_limit_of_a_message_are_named_as_left_out(
    tmp_path: Path,
) -> None:
    paths = [tmp_path / f"{number:03}.txt" for number in range(200)]
    for path in paths:
        path.write_text(path.name)
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        shown: list[int] = []
        attachments = person.program.chat.attachments
        attachments.changed.connect(lambda chips: shown.append(len(chips)))
        person.program.chat.attach(paths)
        await attached(person, 20)

        # Two hundred chips would hold up the window at each file.
        assert max(shown) == 20
        assert chips(person) == [path.name for path in paths[:20]]
        words = "A message can have at most 20 files. Left out: 180."
        assert words in label_texts(person.window)


@pytest.mark.security(123)
async def test_one_file_that_cannot_be_attached_keeps_no_other_away(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("Hello")
    os.mkfifo(tmp_path / "pipe")
    paths = [tmp_path / "gone.txt", tmp_path / "pipe", tmp_path / "good.txt"]
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        person.write("My words")
        person.program.chat.attach(paths)
        await attached(person, 1)

        assert chips(person) == ["good.txt"]
        words = "gone.txt could not be read.\npipe is not a file, so it was not attached."
        assert words in label_texts(person.window)

        # Of a dropped folder with thousands, the window would wait for each.
        person.program.chat.attach([tmp_path / f"{number}.txt" for number in range(10_000)])
        words = "A message can have at most 20 files. Left out: 9961.\n0.txt could not be read."
        await until(
            lambda: any(text.startswith(words) for text in label_texts(person.window)),
            [person.program.chat.attachments.refused],
            "some files are left out",
            timeout_s=60,
        )
        # They are told of while the last one is still taken off.
        await attached(person, 1)
        assert chips(person) == ["good.txt"]

        (tmp_path / "next.txt").write_text("Hello")
        person.program.chat.attach([tmp_path / "next.txt"])
        await attached(person, 2)
        assert words not in label_texts(person.window)
        assert person.box.toPlainText() == "My words"


async def test_a_dropped_folder_becomes_the_folder_of_the_chat(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        chat, offer = person.program.chat, person.program.approval.folder_offer
        chat.attach([folder])
        words = f"Tools ask before they list, read or search files in {folder}."
        await person.sees(
            lambda: words in label_texts(person.window), "the question", offer.changed
        )

        assert chat.state.folder == str(folder)
        assert chips(person) == []


async def test_a_file_dropped_anywhere_on_the_chat_is_attached(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Hello")
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        dropped = QMimeData()
        dropped.setUrls([QUrl.fromLocalFile(str(tmp_path / "notes.txt"))])
        action, left, keys = (
            Qt.DropAction.CopyAction,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        page = person.window.findChild(ChatPage)
        assert page is not None
        middle = page.rect().center()
        QApplication.sendEvent(page, QDragEnterEvent(middle, action, dropped, left, keys))
        assert "Drop to add" in label_texts(page)
        QApplication.sendEvent(page, QDropEvent(middle, action, dropped, left, keys))
        await attached(person, 1)
        assert "Drop to add" not in label_texts(page)


async def test_attachments_stay_with_the_draft_of_their_chat(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Hello")
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        service.says("Hi.")
        chat = person.program.chat
        await person.asks("Hello")
        first = chat.conversation_id
        chat.attach([tmp_path / "notes.txt"])
        await attached(person, 1)

        chat.open("")
        assert chips(person) == []
        chat.open(first)
        await attached(person, 1)


async def test_a_second_view_says_where_files_are_attached(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Hello")
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        chat = person.program.chat
        chat.attachments.follow(person.program.connection.workspace, "", is_second_view=True)
        chat.attach([tmp_path / "notes.txt"])
        words = "Files can be attached only in the window where you first opened this chat."
        await person.sees(
            lambda: words in label_texts(person.window), "the message with the reason is shown"
        )
        assert chips(person) == []


async def test_a_message_waits_for_a_file_that_is_still_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow.txt").write_text("Hello")
    async with FakeService() as service, hosted_program(tmp_path / "data", service) as person:
        service.says("Read.")
        go_on = threading.Event()
        opened = os.open

        def open_slowly(path: Any, *more: Any, **options: Any) -> int:
            if str(path).endswith("slow.txt"):
                go_on.wait(20)
            return opened(path, *more, **options)

        with monkeypatch.context() as patched:
            patched.setattr(os, "open", open_slowly)
            person.program.chat.attach([tmp_path / "slow.txt"])
            attachments = person.program.chat.attachments
            await person.sees(
                lambda: attachments.is_busy, "the attachment is being read", attachments.changed
            )
            person.say("Look")
            assert not person.program.chat.state.is_busy
            go_on.set()
            await attached(person, 1)
        press_enter(person.box)
        await person.sees(lambda: person.reply == "Read.", "the reply “Read.” is shown")
        sent = next(r for r in service.requests if r.path == "/v1/chat/stream").json["message"]
        assert sent == "Look\n\nslow.txt:\n```txt\nHello\n```"


class _Viewer(QObject):
    """Stands for the program of the system that shows images."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[bytes] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.shown.append(Path(url.toLocalFile()).read_bytes())


@pytest.fixture
def viewer() -> Iterator[_Viewer]:
    made = _Viewer()
    # PySide6's stub wants bytes, its call a str.
    QDesktopServices.setUrlHandler("file", made, "show")  # type: ignore[arg-type]
    yield made
    QDesktopServices.unsetUrlHandler("file")


async def test_an_image_is_drawn_in_its_chip_and_message_and_opened_on_a_click(
    tmp_path: Path, viewer: _Viewer
) -> None:
    (tmp_path / "square.png").write_bytes(png(400, 200, (10, 200, 30)))
    service = FakeService()
    service.extensions = ("attachments",)
    async with service, hosted_program(tmp_path / "data", service) as person:
        chat = person.program.chat
        service.says("Green.")
        chat.attach([tmp_path / "square.png"])
        await attached(person, 1)
        await person.sees(
            lambda: chat.attachments.chips[0].thumbnail is not None,
            "the thumbnail",
            chat.attachments.changed,
        )
        assert any("400 × 200" in text for text in label_texts(person.window))

        person.write("Which colour?")
        press_enter(person.box)
        await person.sees(lambda: person.reply == "Green.", "the reply “Green.” is shown")
        view = person.window.findChild(TranscriptView)
        assert view is not None
        area = view.viewport()
        area.repaint()
        await person.sees(lambda: chat.images.is_idle, "the image is drawn", chat.images.drawn)

        rows = view.accessible_rows
        (target,) = [t for t in rows.targets(0) if isinstance(t.action, OpenImage)]
        assert target.name == "Open square.png"
        middle = area.mapFromGlobal(rows.box(0, target).center())
        assert area.grab().toImage().pixelColor(middle) == QColor(10, 200, 30)
        rows.press(0, target)
        await person.sees(lambda: bool(viewer.shown), "the image is opened", chat.images.opened)
        (request,) = [r.json for r in service.requests if r.path == "/v1/chat/stream"]
        (sent,) = request["attachments"]
        assert viewer.shown == [b64decode(sent["data"])]


# That a model is blind, and what is said of it, has tests of the service and of the composer.
@pytest.mark.parametrize(
    "sees", [True, pytest.param(False, marks=pytest.mark.long)], ids=["sees", "blind"]
)
async def test_model_in_the_box_is_shown_an_image_or_known_to_be_blind_before(
    tmp_path: Path, tiny_models: TinyModels, sees: bool
) -> None:
    from tests.support.tiny_model import PLAIN_TEMPLATE, write_projector  # noqa: PLC0415 - heavy

    models = paths_under(tmp_path / "data").service_data / "models"
    models.mkdir(parents=True)
    shutil.copy(tiny_models.file("plain", PLAIN_TEMPLATE), models / "tiny.gguf")
    if sees:
        write_projector(models / "mmproj-tiny-f16.gguf")
    (tmp_path / "square.png").write_bytes(png(400, 200))
    async with running_program(tmp_path / "data") as person:
        program, setup = person.program, person.program.setup
        await person.sees(
            lambda: not setup.first_run.is_looking,
            "the search for models has ended",
            setup.first_run_changed,
        )
        find(person.window, QAbstractButton, "Use: Tiny llama").click()
        await person.sees(
            lambda: program.connection.status.dot is Dot.GOOD, "the service is connected"
        )
        program.chat.attach([tmp_path / "square.png"])
        await attached(person, 1)
        composer = person.window.findChild(Composer)
        assert composer is not None
        blind = "Tiny llama can’t see images. It receives only their names."
        assert (blind in label_texts(composer)) is not sees

        await person.asks("What is this?")
        notice = "*This model cannot see images, so it has their names alone.*"
        assert person.reply.startswith(notice) is not sees
        assert person.reply.removeprefix(notice).strip()
        assert chips(person) == []


async def test_screen_is_made_a_file_beside_the_window_and_attached(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.extensions = ("attachments",)
        async with hosted_program(tmp_path, service) as person:
            screen = QImage(64, 32, QImage.Format.Format_RGB32)
            screen.fill(QColor("red"))

            person.window.findChildren(ScreenGrab)[0].grabbed.emit(screen)
            await attached(person, 1)
            assert chips(person) == ["Screenshot.png"]

            made_on = list[threading.Thread]()

            def make() -> bytes:
                made_on.append(threading.current_thread())
                return png_of(screen)

            person.program.chat.attachments.add_made("Second.png", make)
            await attached(person, 2)
            assert made_on != [threading.main_thread()]

            # An image from the clipboard takes the same way, and minutes if it is not made small.
            huge = QImage(40_000, 20, QImage.Format.Format_Mono)
            assert QImage.fromData(png_of(huge)).width() == 3136
            QApplication.clipboard().setImage(screen)
            person.box.paste()
            await attached(person, 3)
            assert chips(person) == ["Screenshot.png", "Second.png", "Image.png"]
