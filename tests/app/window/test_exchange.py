"""Chats leave the window as files, and come back into it as an archive that is read only."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMenu, QPlainTextEdit

from app.chat.items import Action, ReplyPart, UserMessage
from app.self_test.ui_driver import click, find, press_enter, until
from app.ui.empty_chat import EmptyChat
from app.ui.import_export.import_export_controller import ArchiveNote, ProgressBar
from app.ui.widgets.toast import Toast
from app.viewmodels.import_export import WorkView
from app.viewmodels.states import Dot
from tests.support.fake_service import FakeService
from tests.support.import_export_fixtures import chatgpt_chat, write_json
from tests.support.signals import emitted
from tests.support.widgets import child, label_texts
from tests.support.window import (
    Person,
    has_chosen_offline,
    hosted_program,
    opened_chat,
    running_program,
)

pytestmark = pytest.mark.anyio

_LIMIT_S = 20.0


class _Work:
    """Remembers what was said of exports and imports."""

    def __init__(self, changed: SignalInstance) -> None:
        self.changed = changed
        self.last: WorkView | None = None
        changed.connect(self._on_changed)

    async def is_over(self) -> WorkView:
        await until(lambda: self._is_over, [self.changed], "it is over", _LIMIT_S)
        assert self.last
        view, self.last = self.last, None
        return view

    @property
    def _is_over(self) -> bool:
        return self.last is not None and not self.last.is_running

    def _on_changed(self, view: WorkView | None) -> None:
        self.last = view


def _export_menus(person: Person) -> list[QMenu]:
    return [m for m in person.window.findChildren(QMenu) if m.accessibleName() == "Export as"]


def _choose_format(person: Person, words: str) -> None:
    menus = _export_menus(person)
    (action,) = [
        a for menu in menus for a in menu.actions() if a.text() == words and menu.isVisible()
    ]
    for menu in menus:
        menu.hide()
    action.trigger()


def _answer_dialog(person: Person, path: Path) -> str:
    """Chooses this path in the dialog that is open; returns the name that it offered."""
    (dialog,) = [d for d in person.window.findChildren(QFileDialog) if d.isVisible()]
    (offered, *_) = dialog.selectedFiles()
    dialog.fileSelected.emit(str(path))
    dialog.filesSelected.emit([str(path)])
    dialog.hide()
    dialog.deleteLater()
    return Path(offered).name


def _open_privacy(person: Person) -> None:
    person.window.commands["settings"].action.trigger()
    buttons = person.window.findChildren(QAbstractButton)
    (section,) = [button for button in buttons if "Privacy" in button.text()]
    click(section)


async def _delete_copies(person: Person, own_id: str) -> None:
    rows, program = person.program.conversations, person.program
    _open_privacy(person)
    of_project = "local copies of this connection’s chats"
    click(find(person.window, QAbstractButton, f"Delete {of_project}…"))
    gone = emitted(rows.copies_forgotten)
    click(find(person.window, QAbstractButton, f"Delete {of_project} permanently"))
    await gone
    await person.sees(
        lambda: [row.conversation_id for row in rows.rows] == [own_id], "the service lists it"
    )
    assert program.chat.conversation_id == ""
    click(find(person.window, QAbstractButton, "Show imported chats"))
    await person.sees(
        lambda: [row.title for row in rows.rows] == ["About g1"],
        "the imported chat is listed",
        program.archive.opened,
    )


async def test_a_chat_is_exported_from_its_header_and_imported_again(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        program = person.program
        await person.sees(
            lambda: program.connection.status.dot is Dot.GOOD, "the service is connected"
        )
        exporting, importing = (
            _Work(program.exporting.work_changed),
            _Work(program.importing.work_changed),
        )
        export = person.window.commands["export-chat"].action
        assert not export.isEnabled()
        await person.asks("Say hello")
        assert export.isEnabled()
        reply, own_id = person.reply, program.chat.conversation_id

        click(find(person.window, QAbstractButton, "Export chat"))
        _choose_format(person, "JSON…")
        file = tmp_path / "out.json"
        assert _answer_dialog(person, file) == "Say hello.json"
        done = await exporting.is_over()
        assert (done.path, done.is_bad) == (str(file), False)
        (told,) = json.loads(file.read_text(encoding="utf-8"))["chats"]
        assert [message["role"] for message in told["messages"]] == ["user", "assistant"]

        program.importing.import_files([file, write_json(tmp_path / "g.json", [chatgpt_chat()])])
        assert (await importing.is_over()).is_bad is False
        click(find(person.window, QAbstractButton, "Show"))
        rows = program.conversations
        await person.sees(lambda: len(rows.rows) == 2, "two imported chats are listed")
        program.chat.open(next(r.conversation_id for r in rows.rows if r.title == "Say hello"))
        await person.sees(lambda: person.reply == reply, "the reply is there")

        (note,) = person.window.findChildren(ArchiveNote)
        assert note.accessibleName() == (
            "Imported from Parley. If you continue this chat, its text is sent to the service."
        )
        assert not any(
            box.isVisible() and box.accessibleName() == "Message"
            for box in person.window.findChildren(QPlainTextEdit)
        )
        (part,) = [row for row in program.chat.transcript.rows if isinstance(row, ReplyPart)]
        assert part.agent_display_name == told["messages"][1]["parts"][0]["agent"]["display_name"]

        rows.delete_all([program.chat.conversation_id])
        await person.sees(lambda: len(rows.rows) == 1, "one imported chat is listed")
        click(find(person.window, QAbstractButton, "Back to your chats"))
        await person.sees(
            lambda: [row.title for row in rows.rows] == ["Say hello"], "the project is back"
        )
        await person.sees(lambda: program.chat.conversation_id == own_id, "the chat is back")
        assert find(person.window, QPlainTextEdit, "Message").isEnabled()

        await _delete_copies(person, own_id)


async def _opens_imported(person: Person) -> None:
    """Open the first of the imported chats."""
    program = person.program
    person.window.commands["imported-chats"].action.trigger()
    await person.sees(lambda: bool(program.conversations.rows), "the chats are listed")
    imported_id = program.conversations.rows[0].conversation_id
    await person.sees(lambda: program.archive.is_open, "the imported chats")
    program.chat.open(imported_id)
    await person.sees(lambda: bool(program.chat.transcript.rows), "the chat shows its messages")


async def test_imported_chat_goes_on_at_the_service_and_is_the_same_when_continued_twice(
    tmp_path: Path,
) -> None:
    async with opened_chat(tmp_path) as (person, service):
        program = person.program
        importing = _Work(program.importing.work_changed)
        program.importing.import_files([write_json(tmp_path / "g.json", [chatgpt_chat()])])
        assert (await importing.is_over()).is_bad is False
        await _opens_imported(person)
        imported_id, said = program.chat.conversation_id, _said(person)
        assert said

        click(find(person.window, QAbstractButton, "Continue"))
        await person.sees(
            lambda: program.chat.conversation_id not in ("", imported_id),
            "the continued chat is open",
        )
        made_id = program.chat.conversation_id
        await person.sees(
            lambda: _said(person) == said, "the continued chat shows the earlier messages"
        )
        assert not program.archive.is_open
        assert program.chat.state.title == "About g1"
        assert _answerers(person) == ["ChatGPT"]
        service.says("I go on.")
        await person.asks("Go on")
        assert _answerers(person)[0] == "ChatGPT"
        assert _answerers(person)[1] != "ChatGPT"
        assert _said(person)[: len(said)] == said
        assert "Go on" in _said(person)

        await _opens_imported(person)
        assert _said(person) == said
        press_enter(find(person.window, QAbstractButton, "Continue"))
        await person.sees(lambda: program.chat.conversation_id == made_id, "the same chat")
        await person.sees(lambda: "Go on" in _said(person), "with what came after")
        assert len(program.conversations.rows) == 2


async def test_versions_of_a_chat_are_exported_and_imported_as_one_chat(tmp_path: Path) -> None:
    messages = ("user", "Hello"), ("assistant", "Hello to you.")
    async with opened_chat(tmp_path, *messages) as (person, service):
        program, file = person.program, tmp_path / "versions.json"
        exporting = _Work(program.exporting.work_changed)
        importing = _Work(program.importing.work_changed)
        await person.chooses(_key(person, "Hello"), Action.EDIT)
        await person.sees(lambda: person.box.toPlainText() == "Hello", "the text in the box")
        person.box.setPlainText("Good day")
        service.says("A good day.")
        press_enter(person.box)
        await person.sees(
            lambda: _marks(person) == [("Good day", 2, 2)], "the message shows version 2 of 2"
        )
        await person.sees(lambda: not program.chat.state.is_busy, "the reply has ended")
        shown = _said(person)
        click(find(person.window, QAbstractButton, "Export chat"))
        _choose_format(person, "JSON…")
        _answer_dialog(person, file)
        await exporting.is_over()

        person.window.commands["imported-chats"].action.trigger()
        await person.sees(
            lambda: program.archive.is_open, "the imported chats are shown", program.archive.opened
        )
        program.importing.import_files([file])
        assert (await importing.is_over()).words == "1 chat imported."
        rows = program.conversations
        await person.sees(lambda: len(rows.rows) == 1, "one imported chat is listed")
        program.chat.open(rows.rows[0].conversation_id)
        await person.sees(lambda: _said(person) == shown, "the chat shows the same messages again")
        await person.chooses(_key(person, "Good day"), Action.OLDER_VERSION)
        await person.sees(lambda: _marks(person) == [("Hello", 1, 2)], "the version before")
        await person.sees(lambda: len(rows.rows) == 1, "one imported chat is listed")
        await person.chooses(_key(person, "Hello"), Action.NEWER_VERSION)
        await person.sees(lambda: _said(person) == shown, "the later one again")

        damaged = json.loads(file.read_text(encoding="utf-8"))
        damaged["chats"][0]["versions"][0]["messages"] = "none"
        program.importing.import_files([write_json(tmp_path / "damaged.json", damaged)])
        said = (await importing.is_over()).words
        assert said == "0 chats imported. 1 already imported. 1 version could not be read."
        assert _said(person) == shown


def _key(person: Person, question: str) -> str:
    rows = person.program.chat.transcript.rows
    return next(row.key for row in rows if isinstance(row, UserMessage) and row.text == question)


def _marks(person: Person) -> list[tuple[str, int, int]]:
    rows = person.program.chat.transcript.rows
    asked = [row for row in rows if isinstance(row, UserMessage)]
    return [(row.text, row.version, row.version_count) for row in asked]


def _said(person: Person) -> list[str]:
    rows = person.program.chat.transcript.rows
    return [row.text for row in rows if isinstance(row, ReplyPart | UserMessage)]


def _answerers(person: Person) -> list[str | None]:
    """Return who answered, by the names above the replies."""
    rows = person.program.chat.transcript.rows
    return [row.agent_display_name for row in rows if isinstance(row, ReplyPart)]


async def test_imported_chat_is_not_continued_where_the_service_does_not_take_its_text(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        program = person.program
        importing = _Work(program.importing.work_changed)
        program.importing.import_files([write_json(tmp_path / "g.json", [chatgpt_chat()])])
        assert (await importing.is_over()).is_bad is False
        await _opens_imported(person)
        click(find(person.window, QAbstractButton, "Continue"))
        (note,) = person.window.findChildren(ArchiveNote)
        words = "This service cannot copy chats."
        await person.sees(
            lambda: note.accessibleName() == words,
            "the note says why it is refused",
            program.archive.not_continued,
        )
        assert program.archive.is_open


async def test_all_chats_of_the_project_are_exported_while_imported_ones_are_shown(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        program, file = person.program, tmp_path / "all.json"
        exporting = _Work(program.exporting.work_changed)
        importing = _Work(program.importing.work_changed)
        service.says("Hello.")
        await person.asks("Say hello")
        program.importing.import_files([write_json(tmp_path / "g.json", [chatgpt_chat()])])
        await importing.is_over()
        person.window.commands["imported-chats"].action.trigger()
        await person.sees(
            lambda: program.archive.is_open, "the imported chats are shown", program.archive.opened
        )

        person.window.commands["export-all-chats"].action.trigger()
        _answer_dialog(person, file)
        await exporting.is_over()

        told = json.loads(file.read_text(encoding="utf-8"))["chats"]
        assert [chat["title"] for chat in told] == ["Say hello"]


async def test_settings_show_the_progress_and_result_of_an_import(tmp_path: Path) -> None:
    async with running_program(tmp_path) as person:
        importing = _Work(person.program.importing.work_changed)
        _open_privacy(person)

        person.program.importing.import_files([write_json(tmp_path / "g.json", [chatgpt_chat()])])
        await importing.is_over()

        said = child(person.window, ProgressBar)
        assert said.isHidden()
        assert any(
            "imported" in " ".join(label_texts(toast)) and not toast.visibleRegion().isEmpty()
            for toast in person.window.findChildren(Toast)
        )
        assert find(person.window, QAbstractButton, "Show imported chats").isVisible()


async def test_thoughts_are_chosen_for_one_export_at_a_time(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        exporting = _Work(person.program.exporting.work_changed)
        service.says("Hello.")
        await person.asks("Say hello")
        for is_wanted in (True, False):
            click(find(person.window, QAbstractButton, "Export chat"))
            menu = next(m for m in _export_menus(person) if m.isVisible())
            thoughts = next(a for a in menu.actions() if a.text() == "Include the models’ thinking")
            assert thoughts.isCheckable()
            assert not thoughts.isChecked()
            if is_wanted:
                thoughts.trigger()
                assert menu.isVisible()
            _choose_format(person, "JSON…")
            _answer_dialog(person, tmp_path / f"{is_wanted}.json")
            assert (await exporting.is_over()).is_bad is False


async def test_all_imported_chats_are_deleted_after_asking(tmp_path: Path) -> None:
    async with running_program(tmp_path) as person:
        program, window = person.program, person.window
        importing = _Work(program.importing.work_changed)
        file = write_json(tmp_path / "g.json", [chatgpt_chat()])
        program.importing.import_files([file])
        await importing.is_over()
        _open_privacy(person)

        click(find(window, QAbstractButton, "Delete imported chats…"))
        click(find(window, QAbstractButton, "Keep imported chats"))
        click(find(window, QAbstractButton, "Show imported chats"))
        rows = program.conversations
        await person.sees(
            lambda: len(rows.rows) == 1, "one imported chat is listed", program.archive.opened
        )

        window.commands["settings"].action.trigger()
        click(find(window, QAbstractButton, "Delete imported chats…"))
        closed = emitted(program.archive.closed)
        click(find(window, QAbstractButton, "Delete imported chats permanently"))
        await closed
        click(find(window, QAbstractButton, "Show imported chats"))
        await person.sees(
            lambda: program.archive.is_open, "the imported chats are shown", program.archive.opened
        )
        assert program.chat.state.title == "Imported chats"
        child(window, EmptyChat).import_requested.emit()
        [dialog] = window.findChildren(QFileDialog)
        dialog.close()
        program.importing.import_files([file])
        assert "already" not in (await importing.is_over()).words
        await person.sees(lambda: len(rows.rows) == 1, "one imported chat is listed")


async def test_failed_import_shows_the_reason(tmp_path: Path) -> None:
    async with running_program(tmp_path) as person:
        importing = _Work(person.program.importing.work_changed)
        odd = write_json(tmp_path / "odd.json", {"no": "chats"})
        person.program.importing.import_files([odd])

        view = await importing.is_over()

        assert view.is_bad
        assert view.words.startswith("No chats were found in odd.json.")
