"""What goes wrong while a chat is edited, copied, put back or shown: the window says so."""

import json
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMenu

from app.chat.items import Action, Item, ReplyPart, SendState, UserMessage
from app.self_test.ui_driver import answer, click, find, press_enter
from app.ui.approval.dock import ApprovalDock
from app.ui.composer.composer_note import ComposerNote
from app.ui.transcript.hit_targets import Choose, PreviewCode
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.toggles import CheckBox
from tests.support.widgets import child
from tests.support.window import Browser, Person, opened_chat

pytestmark = pytest.mark.anyio

_LATER = "A reply is in progress. Stop it or wait until it ends, then try again."


_SAID = (("user", "One"), ("assistant", "Yes"))


def _rows(person: Person) -> list[Item]:
    """Return what a window shows of its chat."""
    shown = person.program.windows._open[person.window]
    return list(shown.models.chat.transcript.rows)


def _questions(person: Person) -> list[UserMessage]:
    return [row for row in _rows(person) if isinstance(row, UserMessage)]


def _texts(person: Person) -> list[str]:
    said = (row for row in _rows(person) if isinstance(row, UserMessage | ReplyPart))
    return [row.text for row in said]


def _note(person: Person) -> str:
    """Return the words of the note above the box; empty while it is hidden."""
    note = child(person.window, ComposerNote)
    return note.accessibleName() if note.isVisible() else ""


async def _edits(person: Person, text: str, place: int = 0) -> None:
    """Click on Edit under a question, and write another text."""
    question = _questions(person)[place]
    await person.chooses(question.key, Action.EDIT)
    await person.sees(lambda: person.box.toPlainText() == question.words, "the text in the box")
    await person.sees(lambda: "starts a new version" in _note(person), "a note about the version")
    person.box.selectAll()
    person.write(text)


async def _says(person: Person, words: str) -> None:
    await person.sees(lambda: words in _note(person), f"“{words}” instead of “{_note(person)}”")


async def _shows(person: Person, *texts: str) -> None:
    await person.sees(lambda: _texts(person) == list(texts), f"the chat shows {texts}")


async def _has_ended(person: Person, *texts: str) -> None:
    """Wait for these texts, and the end of the last reply: before it no version is changed."""
    await _shows(person, *texts)
    await person.sees(lambda: not person.program.chat.state.is_busy, "the reply has ended")


async def test_edit_while_a_reply_runs_waits_in_the_box(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        service.says("Slowly")
        go_on = service.pauses_after(2)
        person.say("Two")
        await _shows(person, "One", "Yes", "Two", "Slowly")
        await _edits(person, "Uno")
        press_enter(person.box)
        await _says(person, _LATER)
        assert person.box.toPlainText() == "Uno"
        assert service.forks == {}

        said = [*_SAID, ("user", "Two"), ("assistant", "Slowly")]
        service.holds("c1", *said)
        go_on.set()
        await person.sees(lambda: not person.program.chat.state.is_busy, "the reply has ended")
        service.says("Si")
        press_enter(person.box)
        await _shows(person, "Uno", "Si")


async def test_edit_while_a_card_waits_denies_nothing(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        service.asks_tool("current_time", {})
        person.say("What time is it?")
        await person.sees(lambda: bool(person.program.approval.cards), "a card")
        await _edits(person, "Uno")
        press_enter(person.box)
        await _says(person, _LATER)
        assert child(person.window, ApprovalDock).isVisible()
        assert service.forks == {}

        service.says("Noon")
        await answer(person.window, "Allow once")
        await person.sees(lambda: "Noon" in _texts(person), "the reply")
        await person.sees(lambda: not person.program.chat.state.is_busy, "the reply has ended")
        assert person.box.toPlainText() == "Uno"


async def test_message_that_never_arrived_comes_back_as_one_like_any_other(tmp_path: Path) -> None:
    async with opened_chat(tmp_path) as (person, service):
        service.fails_with(400)
        person.say("One")
        await person.sees(
            lambda: [row.state for row in _questions(person)] == [SendState.FAILED],
            "a message that did not arrive",
        )
        assert not person.is_offered(Action.ASK_ANEW)
        assert not person.is_offered(Action.BRANCH)
        await person.chooses(_questions(person)[0].key, Action.EDIT)
        await person.sees(lambda: person.box.toPlainText() == "One", "the text in the box")
        assert _note(person) == ""
        service.says("Yes")
        press_enter(person.box)
        await person.sees(lambda: _texts(person)[-2:] == ["One", "Yes"], "the reply")
        assert service.forks == {}


async def test_branch_of_a_busy_chat_is_refused_with_a_reason(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        service.says("Slowly")
        go_on = service.pauses_after(2)
        person.say("Two")
        await _shows(person, "One", "Yes", "Two", "Slowly")
        await person.chooses(_questions(person)[0].key, Action.BRANCH)
        await _says(person, _LATER)
        go_on.set()
        await person.sees(lambda: not person.program.chat.state.is_busy, "the reply has ended")
        assert service.forks == {}
        assert person.program.conversations.rowCount() == 1


async def test_branch_of_a_chat_that_was_deleted_elsewhere_is_refused(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        del service.conversations["c1"]
        await person.chooses(_questions(person)[0].key, Action.BRANCH)
        await _says(person, "This chat no longer exists on the service.")
        assert _texts(person) == ["One", "Yes"]
        assert service.forks == {}


async def test_empty_chat_offers_no_copy_and_its_first_message_can_be_edited(
    tmp_path: Path,
) -> None:
    async with opened_chat(tmp_path) as (person, service):
        await person.sees(lambda: person.program.chat.conversation_id == "c1", "the empty chat")
        assert not any(map(person.is_offered, (Action.EDIT, Action.ASK_ANEW, Action.BRANCH)))
        service.says("Yes")
        await person.asks("One")
        service.holds("c1", *_SAID)
        await _edits(person, "Uno")
        service.says("Si")
        press_enter(person.box)
        await _shows(person, "Uno", "Si")
        # A copy of nothing, as nothing was said before.
        assert [service.conversations[new] for new in (service.forks or {}).values()] == [[]]


async def test_lost_answer_to_a_copy_is_reported_and_enter_asks_for_the_same_one(
    tmp_path: Path,
) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        await _edits(person, "Uno")
        for _ in range(3):
            service.cuts("POST")
        press_enter(person.box)
        await person.sees(
            lambda: _note(person) != "" and "version" not in _note(person), "what went wrong"
        )
        assert person.box.toPlainText() == "Uno"
        assert _texts(person) == ["One", "Yes"]
        service.says("Si")
        press_enter(person.box)
        await _shows(person, "Uno", "Si")
        asked = [request.json for request in service.requests if request.method == "POST"]
        assert len({body["fork_id"] for body in asked if "fork_id" in body}) == 1
        assert len(service.forks or {}) == 1


async def test_two_windows_that_edit_the_same_message_make_a_version_each(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (here, service):
        here.window.commands["open-in-new-window"].action.trigger()
        there = Person(here.program)
        [there.window] = [window for window in here.program.windows.all if window != here.window]
        await _shows(there, "One", "Yes")
        await _edits(here, "Uno")
        await _edits(there, "Eins")
        for person, reply in ((here, "Si"), (there, "Ja")):
            service.says(reply)
            press_enter(person.box)
            await person.sees(lambda: _texts(person)[1:] == [reply], f"the reply “{reply}”")  # noqa: B023
        assert (_texts(here), _texts(there)) == (["Uno", "Si"], ["Eins", "Ja"])
        assert _questions(there)[0].version_count == 3
        assert here.program.conversations.rowCount() == 1


async def test_many_versions_of_a_message_are_gone_through_in_one_row(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        chat, key = person.program.chat, _questions(person)[0].key
        workspace = chat._workspace
        assert workspace
        for number in range(2, 20):
            service.says("Yes")
            await workspace.revise("c1", key, f"One {number}", None)
        await person.sees(lambda: _questions(person)[0].version_count == 19, "19 versions")
        await _edits(person, "One 20")
        service.says("Yes")
        press_enter(person.box)
        await _has_ended(person, "One 20", "Yes")
        assert (_questions(person)[0].version, _questions(person)[0].version_count) == (20, 20)
        view, older = child(person.window, TranscriptView), Choose(Action.OLDER_VERSION)

        def is_at_arrow() -> bool:
            target = view._focus.target
            return target is not None and target.action == older

        view.setFocus()
        for _ in range(40):
            if is_at_arrow():
                break
            QTest.keyClick(view, Qt.Key.Key_Tab)
        for number in (19, 18):
            await person.sees(is_at_arrow, "the keyboard stays at the arrow")
            QTest.keyClick(view, Qt.Key.Key_Return)
            await _has_ended(person, f"One {number}", "Yes")
        await person.chooses(_questions(person)[0].key, Action.NEWER_VERSION)
        await _has_ended(person, "One 19", "Yes")
        assert person.program.conversations.rowCount() == 1


def _moves(file: Path) -> None:
    file.rename(file.with_name("moved.txt"))


def _grows(file: Path) -> None:
    with file.open("a") as grown:
        grown.write("mine")


def _becomes_a_link(file: Path) -> None:
    file.rename(file.with_name("real.txt"))
    file.symlink_to("real.txt")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(_moves, "left as it is", marks=pytest.mark.long),
        (_grows, "left as it is"),
        pytest.param(_becomes_a_link, "links are not followed", marks=pytest.mark.long),
    ],
)
async def test_file_that_changes_after_its_undo_was_chosen_is_left_and_named(
    tmp_path: Path, change: Callable[[Path], None], words: str
) -> None:
    folder = tmp_path / "of the chat"
    folder.mkdir()
    file = folder / "notes.txt"
    async with opened_chat(tmp_path / "data", *_SAID) as (person, service):
        program = person.program
        program.chat.chosen.choose_folder(folder)
        await person.sees(lambda: bool(program.chat.state.folder), "the chat has a folder")
        service.asks_tool("write_file", {"path": file.name, "content": "one"})
        service.says("Written.")
        person.say("Write it down")
        await person.sees(lambda: bool(program.approval.cards), "the card")
        await answer(person.window, "Allow once")
        await person.sees(lambda: file.exists() and not program.chat.state.is_busy, "the file")
        await _edits(person, "Hello")
        service.says("Hello.")
        box = child(person.window, CheckBox)
        assert box.text() == "Also undo what tools changed (1 file)"
        click(box)
        change(file)
        left = {one.name: (one.is_symlink(), one.read_text()) for one in folder.iterdir()}
        press_enter(person.box)
        await _says(person, words)
        assert str(file) in _note(person)
        await person.sees(lambda: not program.chat.state.is_busy, "the reply has ended")
        assert left == {one.name: (one.is_symlink(), one.read_text()) for one in folder.iterdir()}


async def test_chat_whose_version_streams_is_exported_as_far_as_it_has_come(
    tmp_path: Path,
) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        await _edits(person, "Uno")
        service.says("So", " far")
        go_on = service.pauses_after(2)
        press_enter(person.box)
        await _shows(person, "Uno", "So")
        click(find(person.window, QAbstractButton, "Export chat"))
        menus = [one for one in person.window.findChildren(QMenu) if one.isVisible()]
        (menu,) = [one for one in menus if one.accessibleName() == "Export as"]
        (json_action,) = [one for one in menu.actions() if one.text() == "JSON…"]
        spot = menu.actionGeometry(json_action).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=spot)
        (dialog,) = [d for d in person.window.findChildren(QFileDialog) if d.isVisible()]
        dialog.close()
        file, exporting = tmp_path / "out.json", person.program.exporting
        dialog.fileSelected.emit(str(file))
        await person.sees(file.exists, "the file", exporting.work_changed)
        (told,) = json.loads(file.read_text(encoding="utf-8"))["chats"]
        go_on.set()
        await _shows(person, "Uno", "So far")
        assert len(told["versions"]) == 2
        assert told["messages"][0]["role"] == "user"
        assert all(words in file.read_text(encoding="utf-8") for words in ("One", "Yes", "Uno"))


_HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("{0}/a")</script>
<image href="{0}/b.png"/></svg><img src="{0}/c.png" onerror="alert(1)">
<link rel="preconnect" href="{0}"><meta http-equiv="refresh" content="0;url={0}/d">"""


@pytest.mark.security(150)
@pytest.mark.parametrize("language", ["html", "svg", "mermaid"])
async def test_preview_of_scripts_and_remote_images_is_a_page_that_loads_nothing(
    tmp_path: Path, browser: Browser, language: str
) -> None:
    code = _HOSTILE.format("http://127.0.0.1:9")
    said = ("assistant", f"See:\n\n```{language}\n{code}\n```\n")
    async with opened_chat(tmp_path, ("user", "One"), said) as (person, _):
        await person.presses(
            lambda _, target: isinstance(target.action, PreviewCode), "the preview of the block"
        )
        files = person.program.windows.first_models.code_files
        await person.sees(lambda: bool(browser.opened), "the browser is opened", files.preview_made)
    page = browser.opened[0].read_text(encoding="utf-8")
    policy, outside = unescape(page.partition("<title>")[0]), page.partition(" srcdoc=")[0]
    assert """Content-Security-Policy" content="default-src 'none'; """ in policy
    assert "127.0.0.1:9" not in outside
    assert "<script" not in outside
