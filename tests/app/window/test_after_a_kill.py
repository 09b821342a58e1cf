"""After a kill in the middle of something: no process, nothing lost, nothing done by half."""

import asyncio
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from app.chat.items import UserMessage
from tests.support.fake_http import Answer, Received
from tests.support.fake_service import FakeService
from tests.support.processes import still_running
from tests.support.window import has_chosen_offline, hosted_program, running_program

_ROOT = Path(__file__).parents[3]
_GONE_WITHIN_S = 20.0
_LIMIT_S = 60.0
_MESSAGE = "Show me some markdown"
# Prints the conversation's id when a reply has begun to stream in and something that is being typed
# without a pause is on the disk, and goes on.
_TALKING = """
import asyncio, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from app.event_loop import AppEventLoop
from tests.support.processes import still_running
from tests.support.window import running_program

async def main():
    async with running_program(Path(sys.argv[1])) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot.value == "good", "the service is ready")
        person.say(sys.argv[2])
        await person.sees(lambda: len(person.reply) > 40, "the reply streams in")
        chat, workspace = person.program.chat, connection.workspace
        while len(await workspace.draft(chat.conversation_id)) < 2:
            # Nobody pauses here for as long as a draft may be old.
            person.write("x")
            await asyncio.sleep(0.02)
        print(chat.conversation_id, flush=True)
        await asyncio.Event().wait()

application = QApplication([])
with AppEventLoop(application) as loop:
    loop.run_until_complete(main())
"""


def _kill_in_the_middle_of_a_reply(folder: Path) -> str:
    """Return the id of the conversation that was cut off."""
    command = [sys.executable, "-c", _TALKING, str(folder), _MESSAGE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as program:
        assert program.stdout is not None
        conversation_id = program.stdout.readline().strip()
        family = psutil.Process(program.pid).children(recursive=True)
        assert conversation_id
        assert family

        program.kill()

        assert not still_running(family, _GONE_WITHIN_S)
    return conversation_id


@pytest.mark.anyio
@pytest.mark.security(58)
async def test_a_killed_program_leaves_no_process_and_opens_with_what_arrived(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    conversation_id = _kill_in_the_middle_of_a_reply(tmp_path)

    async with running_program(tmp_path) as person:
        person.program.chat.open(conversation_id)
        await person.sees(
            lambda: person.reply.startswith("Here is"), "the reply with “Here is” is shown"
        )
        await person.sees(lambda: not person.program.chat.state.is_busy, "the reply has ended")
        await person.sees(
            lambda: set(person.box.toPlainText()) == {"x"}, "the composer holds what was typed"
        )

        rows = person.program.chat.transcript.rows
        assert [row.text for row in rows if isinstance(row, UserMessage)] == [_MESSAGE]


# Edits a question, and deletes the chat with both its versions, by clicks and keys.
_DELETING = """
import asyncio, sys
from pathlib import Path
from types import SimpleNamespace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pydantic import SecretStr
from app.chat.items import Action, UserMessage
from app.event_loop import AppEventLoop
from app.self_test.ui_driver import press_enter
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.sidebar.delete_bar import DeleteBar
from tests.support.widgets import button_named, child, click
from tests.support.window import hosted_program

async def main():
    service = SimpleNamespace(base_url=sys.argv[2], api_key=SecretStr(sys.argv[3]))
    async with hosted_program(Path(sys.argv[1]), service) as person:
        chats, chat = child(person.window, ConversationList), person.program.chat
        await person.sees(lambda: chats.model().rowCount() > 0, "the chat is in the list")
        spot = chats.visualRect(chats.model().index(0, 0)).center()
        QTest.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        await person.sees(lambda: person.reply == "Yes", "the chat")
        asked = [row for row in chat.transcript.rows if isinstance(row, UserMessage)]
        await person.chooses(asked[0].key, Action.EDIT)
        await person.sees(lambda: chat.revisions.edit is not None, "the question in the box")
        person.write("Uno")
        press_enter(person.box)
        await person.sees(lambda: person.reply == "Si" and not chat.state.is_busy, "a version")
        chats.setFocus()
        QTest.keyClick(chats, Qt.Key.Key_Delete)
        click(button_named(child(person.window, DeleteBar), "Delete permanently"))
        await asyncio.Event().wait()

application = QApplication([])
with AppEventLoop(application) as loop:
    loop.run_until_complete(main())
"""


class _StopsBetween(FakeService):
    """Deletes one version of a chat, and never answers where the other should be deleted."""

    def __init__(self) -> None:
        super().__init__()
        self.forks = {}
        self.holds("c1", ("user", "One"), ("assistant", "Yes"))
        self.is_between = asyncio.Event()

    def choose(self, request: Received) -> Answer:
        if request.method == "DELETE" and len(self.conversations) == 1:
            if not self.is_between.is_set():
                self.hangs("DELETE")
            self.is_between.set()
        return super().choose(request)


@pytest.mark.anyio
async def test_deletion_killed_between_two_versions_leaves_no_half_of_the_chat(
    tmp_path: Path,
) -> None:
    async with _StopsBetween() as service:
        service.says("Si")
        command = (sys.executable, "-c", _DELETING, str(tmp_path), *service.address)
        program = await asyncio.create_subprocess_exec(*command, cwd=_ROOT)
        try:
            async with asyncio.timeout(_LIMIT_S):
                await service.is_between.wait()
        finally:
            program.kill()
            await program.wait()
        assert len(service.conversations) == 1

        async with hosted_program(tmp_path, service) as person:
            rows, shown = person.program.conversations, list[int]()
            rows.rowsInserted.connect(lambda _parent, first, _last: shown.append(first))
            await person.sees(lambda: not service.conversations, "the other version is deleted")
            assert (rows.rowCount(), shown) == (0, [])
