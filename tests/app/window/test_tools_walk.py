"""Tools as people meet them, in one walk: the real window, service, workers, server and record."""

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from app.chat.items import CallState, ToolCall
from app.config.settings import ConnectionSettings, ModelSettings, Settings, SettingsFile
from app.paths import paths_under
from app.self_test.ui_driver import answer, click, find, type_into
from app.ui.approval.dock import ApprovalDock
from app.ui.approval.revealed_text import RevealedText
from app.ui.chat_page import ChatPage
from app.ui.panel.activity_page import ActivityPage
from app.ui.transcript.view import TranscriptView
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.states import Dot
from local_tools.ledger.steps import Decider
from tests.support.confined import needs_bubblewrap
from tests.support.fake_models import FakeOpenAi
from tests.support.processes import still_running
from tests.support.widgets import child, label_texts
from tests.support.window import Person, has_chosen_offline, running_program

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

_GONE_WITHIN_S = 20.0
_SERVER = Path(__file__).parents[2] / "support" / "small_mcp_server.py"
_NOTE = "milk\nbread\n"
_LISTED = [
    "Run command: allowed by you · interrupted",
    "count_words (words): allowed by you",
    "Run shell command: denied by you",
    "Write file: allowed by you · undone",
    "Read file: allowed · folder rule",
]
_WHEN = re.compile(r" · ([\d.]+ m?s · )?\d\d:\d\d$")


@pytest.mark.security(8)
async def test_five_calls_are_decided_run_recorded_and_proved(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "list.md").write_text(_NOTE)
    async with FakeOpenAi("A chat") as model:
        _choose(tmp_path / "data", model)
        async with _walk(tmp_path / "data", model) as walk:
            await walk.lets_be_read(folder)
            await walk.reads_unasked()
            await walk.writes_what_the_card_showed(folder)
            await walk.undoes_it_at_its_row(folder)
            await walk.denies_a_shell_command(folder)
            await walk.runs_a_tool_of_a_server()
            await walk.stops_a_long_one()
            assert await walk.sees_all_in_activity() == _LISTED
            assert await walk.checks_the_record() == "The record is intact: 5 calls."

        record = paths_under(tmp_path / "data").ledger_file
        assert _verify(record) == (0, "All 30 entries are as they were written.\n")
        _flip_one_byte(record, b"bread")
        code, said = _verify(record)
        assert code == 1
        assert "is not what was written" in said

        async with _walk(tmp_path / "data", model) as walk:
            await walk.comes_back_to_the_chat()
            assert await walk.sees_all_in_activity() == _LISTED
            assert "damaged" in await walk.checks_the_record()


class _Walk:
    """What a person does with tools, and looks at, one station after the other."""

    def __init__(self, person: Person, model: FakeOpenAi) -> None:
        self._person = person
        self._model = model
        self._program = person.program
        self._activity = person.program.windows.first_models.activity

    async def lets_be_read(self, folder: Path) -> None:
        program, window = self._program, self._person.window
        offer = program.approval.folder_offer
        # Else a model would be asked who answers, depending on the words of the message.
        program.chat.chosen.choose_agent(AgentRow("assistant", "Assistant", ""))
        program.chat.chosen.choose_folder(folder)
        offer.make(folder)
        name = "Allow reading here"
        await self._person.sees(
            lambda: _can_see(window, name), "the button to allow it is visible", offer.changed
        )
        click(find(window, QAbstractButton, name))

    async def reads_unasked(self) -> None:
        await self._asks_for("What is on my list?", "read_file", path="list.md")
        self._goes_on("Milk and bread.")
        await self._ends()
        assert self._call() == (CallState.DONE, Decider.FOLDER_RULE)
        assert self._told() == _NOTE

    async def writes_what_the_card_showed(self, folder: Path) -> None:
        new = _NOTE + "eggs\n"
        await self._asks_for("Add eggs.", "write_file", path="list.md", content=new)
        await self._card()
        assert self._lies_over_the_dock() == set()
        texts = self._person.window.findChildren(RevealedText)
        (change,) = (text for text in texts if text.accessibleName() == "What would change")
        shown = change.toPlainText()
        assert shown.splitlines()[1:] == [" milk", " bread", "+eggs"]
        assert (folder / "list.md").read_text() == _NOTE
        self._goes_on("Added.")
        await answer(self._person.window, "Allow once")
        await self._ends()
        assert (folder / "list.md").read_text() == new
        assert self._call() == (CallState.DONE, Decider.USER)

    async def undoes_it_at_its_row(self, folder: Path) -> None:
        model, page = self._program.chat.transcript, child(self._person.window, ChatPage)
        view = child(page, TranscriptView)
        reader = view.accessible_rows
        at = max(n for n, row in enumerate(model.rows) if isinstance(row, ToolCall))
        view.jump_to_latest()
        reader.press(at, reader.targets(at)[0])
        key = model.rows[at].key
        await self._person.sees(
            lambda: bool(getattr(model.item_of(key), "change", None)), "what the call changed"
        )
        view.jump_to_latest()
        assert "1 line added · allowed by you · " in reader.text(at)
        (button,) = (target for target in reader.targets(at) if target.name == "Undo")
        reader.press(at, button)
        words = f"Restored {folder / 'list.md'}."
        await self._person.sees(
            lambda: words in label_texts(page),
            "what was undone is said above the message box",
            self._program.chat.changes.reported,
        )
        assert (folder / "list.md").read_text() == _NOTE
        assert self._rows()[-1].is_undone

    async def denies_a_shell_command(self, folder: Path) -> None:
        window = self._person.window
        await self._asks_for("Clear it.", "run_shell", command="rm list.md | cat")
        await self._card()
        self._goes_on("I will leave it.")
        await answer(window, "Deny…")
        type_into(find(window, QLineEdit, "Reason for denying"), "I still need it")
        await answer(window, "Deny")
        await self._ends()
        assert (folder / "list.md").exists()
        assert self._call() == (CallState.DENIED, Decider.USER)
        told = "The user declined to run this tool. Reason: I still need it"
        assert self._told() == told

    async def runs_a_tool_of_a_server(self) -> None:
        servers = self._program.mcp_servers
        servers.add_program("words", f"{sys.executable} -I {_SERVER}", "")
        await self._person.sees(lambda: bool(servers.view.rows), "the server", servers.changed)
        servers.switch_on("words", "", may_write=False, may_connect=False)
        await self._person.sees(
            lambda: bool(servers.view.rows[0].tools), "its tools", servers.changed
        )
        await self._asks_for("How long?", "words__count_words", text="milk bread eggs")
        await self._card()
        (card,) = self._program.approval.cards
        facts = dict(card.facts)
        assert facts["Server"] == "words"
        assert facts["Program"] == f"{sys.executable} -I {_SERVER}"
        assert facts["Access"] == "cannot see your files"
        assert "without network access" in card.sandbox_words
        self._goes_on("Three words.")
        await answer(self._person.window, "Allow once")
        await self._ends()
        assert self._call() == (CallState.DONE, Decider.USER)
        assert self._told() == "3 words"
        declared = [tool["function"]["name"] for tool in self._model.asked[-1]["tools"]]
        assert "words__count_words" in declared

    async def stops_a_long_one(self) -> None:
        before = _processes()
        script = "echo begun; sleep 1000 & sleep 1000"
        await self._asks_for("Wait.", "run_command", argv=["sh", "-c", script])
        await self._card()
        await answer(self._person.window, "Allow once")
        await self._person.sees(
            lambda: "begun" in self._rows()[-1].output_text, "the tool call shows its first output"
        )
        started = _processes() - before
        assert started
        click(find(self._person.window, QAbstractButton, "Stop (Esc)"))
        await self._ends()
        assert not still_running(list(started), _GONE_WITHIN_S)
        assert self._call() == (CallState.INTERRUPTED, Decider.USER)

    async def sees_all_in_activity(self) -> list[str]:
        """Return what the panel says of each call, newest first, without when and how long."""
        self._person.window.commands["show-activity"].action.trigger()
        rows = self._activity.rows
        await self._person.sees(
            lambda: rows.rowCount() == 5, "five calls", rows.rowsInserted, rows.modelReset
        )
        return [_WHEN.sub("", f"{row.title}: {row.words}") for row in rows.rows]

    async def checks_the_record(self) -> str:
        page = child(self._person.window, ActivityPage)
        said: list[str] = []
        self._activity.reported.connect(lambda words, _is_bad: said.append(words))
        click(find(page, QAbstractButton, "Verify record"))
        await self._person.sees(
            lambda: bool(said), "the result of the verification is shown", self._activity.reported
        )
        assert said[0] in label_texts(page)
        return said[0]

    async def comes_back_to_the_chat(self) -> None:
        program = self._program
        await self._person.sees(
            lambda: program.conversations.rowCount() == 1, "the chat is in the list"
        )
        program.chat.open(program.conversations.rows[0].conversation_id)
        await self._person.sees(lambda: len(self._rows()) == 5, "its calls")

    async def _asks_for(self, words: str, tool: str, **given: object) -> None:
        self._model.calls((tool, json.dumps(given)))
        self._person.say(words)
        await self._person.sees(lambda: self._program.chat.state.is_busy, "a reply is under way")

    def _goes_on(self, words: str) -> None:
        self._model.says(words)

    async def _card(self) -> None:
        await self._person.sees(
            lambda: bool(self._program.approval.cards), "the approval card is shown"
        )

    async def _ends(self) -> None:
        await self._person.sees(lambda: not self._program.chat.state.is_busy, "the reply ends")

    def _lies_over_the_dock(self) -> set[QWidget | None]:
        """Return what a click into the dock would meet, other than the dock."""
        window, dock = self._person.window, child(self._person.window, ApprovalDock)
        places = product(range(2, dock.width() - 2, 9), range(2, dock.height() - 2, 9))
        met = {window.childAt(dock.mapTo(window, QPoint(*place))) for place in places}
        return met - {dock, *dock.findChildren(QWidget)}

    def _rows(self) -> list[ToolCall]:
        rows = self._program.chat.transcript.rows
        return [row for row in rows if isinstance(row, ToolCall)]

    def _call(self) -> tuple[CallState, Decider | None]:
        """How the last call ended, and who decided."""
        return self._rows()[-1].state, self._rows()[-1].decider

    def _told(self) -> str:
        """Return what the model was told of the last call."""
        told = [item for item in self._model.asked[-1]["messages"] if item["role"] == "tool"]
        return str(told[-1]["content"])


@asynccontextmanager
async def _walk(data: Path, model: FakeOpenAi) -> AsyncIterator[_Walk]:
    """Yield the program, its service ready, in a person's hands."""
    async with running_program(data) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")
        yield _Walk(person, model)


def _can_see(window: QWidget, name: str) -> bool:
    buttons = window.findChildren(QAbstractButton)
    return any(one.accessibleName() == name and one.isVisible() for one in buttons)


def _processes() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def _choose(data: Path, model: FakeOpenAi) -> None:
    """Leaves settings in which this model answers in the bundled service."""
    name = f"openai:small@{model.base_url}/v1"
    chosen = Settings(
        connection=ConnectionSettings(kind="local", model=name), models=ModelSettings(added=(name,))
    )
    SettingsFile(has_chosen_offline(data).settings_file).save(chosen)


def _verify(record: Path) -> tuple[int, str]:
    """Return what `parley-tools` says of a record."""
    program = (sys.executable, "-c", "from local_tools.cli import main; main()")
    command = (*program, "ledger", "verify", "--file", str(record))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout


def _flip_one_byte(file: Path, word: bytes) -> None:
    content = bytearray(file.read_bytes())
    content[content.index(word)] ^= 1
    file.write_bytes(content)
