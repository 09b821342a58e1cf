"""After a kill in the middle of a reply: no process, nothing lost, nothing run twice."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from app.chat.items import UserMessage
from tests.support.processes import still_running
from tests.support.window import has_chosen_offline, running_program

_ROOT = Path(__file__).parents[3]
_GONE_WITHIN_S = 20.0
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
