"""A rule from the card to the settings, in the real window with a real sandbox."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QWidget

from app.chat.items import Action, CallState, ToolCall
from app.self_test.ui_driver import click, find, until
from app.ui.approval.answer_button import InteractionDelay
from app.ui.approval.dock import ApprovalDock
from app.ui.transcript.view import TranscriptView
from local_tools.ledger.steps import Decider
from tests.support.confined import needs_bubblewrap
from tests.support.fake_service import FakeService
from tests.support.widgets import child
from tests.support.window import hosted_program

pytestmark = [pytest.mark.anyio, needs_bubblewrap]


@pytest.mark.security(11)
async def test_a_rule_is_made_on_the_card_used_and_listed_in_the_settings(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        program, window = person.program, person.window
        chat, approval = program.chat, program.approval
        dock = window.findChildren(ApprovalDock)[0]
        _choose_for_a_call(window, folder)
        assert window.focusWidget() is person.box
        offer = "Allow reading here"
        await person.sees(
            lambda: _can_see(window, offer),
            "the button to allow it is visible",
            approval.folder_offer.changed,
        )
        click(find(window, QAbstractButton, offer))

        service.asks_tool("write_file", {"path": "a.md", "content": "one"})
        service.says("I wrote it.")
        person.say("Write a.md")
        await person.sees(lambda: bool(approval.cards), "the approval card is shown")
        card = approval.cards[0]
        approval.open_rule(card.request_id, card.generation, 0)
        arming = dock.rule.findChildren(InteractionDelay)[0]
        save = "Save rule and allow"
        await until(
            lambda: arming.is_armed and find(window, QAbstractButton, save).isEnabled(),
            [arming.changed, approval.rule_page.changed],
            "the page stands still",
        )
        click(find(window, QAbstractButton, save))
        await person.sees(lambda: not chat.state.is_busy, "the reply ends")
        service.asks_tool("write_file", {"path": "b.md", "content": "two"}, call_id="call-2")
        service.says("I wrote that, too.")
        person.say("Write b.md")
        await person.sees((folder / "b.md").exists, "the second file")
        await person.sees(lambda: not chat.state.is_busy, "the second reply ends")

        rows = [row for row in chat.transcript.rows if isinstance(row, ToolCall)]
        assert [(row.state, row.decider) for row in rows] == [
            (CallState.DONE, Decider.USER),
            (CallState.DONE, Decider.FOLDER_RULE),
        ]
        program.permissions.look()
        await until(
            lambda: program.permissions.view.sandbox_holds,
            [program.permissions.changed],
            "the sandbox",
        )
        names = [rule.names for rule in program.permissions.view.rules]
        assert names == ["List folder, Read file, Search files", "Write file"]


def _choose_for_a_call(window: QWidget, folder: Path) -> None:
    """Choose the folder where a call offers it, with the keyboard there."""
    transcript = child(window, TranscriptView)
    transcript.setFocus()
    transcript.action_chosen.emit("", Action.CHOOSE_FOLDER)
    (dialog,) = window.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(folder))
    dialog.close()


def _can_see(window: QWidget, name: str) -> bool:
    buttons = window.findChildren(QAbstractButton)
    return any(one.accessibleName() == name and one.isVisible() for one in buttons)
