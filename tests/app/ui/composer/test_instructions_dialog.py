"""The dialog for the instructions of one chat: what fits is saved, what is too long stays."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.composer.instructions_dialog import InstructionsDialog
from app.ui.theme import Theme
from tests.support.widgets import button_named, child, click, label_texts, press


@pytest.fixture
def dialog(theme: Theme, qtbot: QtBot) -> Iterator[InstructionsDialog]:
    widget = InstructionsDialog(theme)
    qtbot.addWidget(widget)
    yield widget
    widget.close()


def test_existing_instructions_are_edited_and_saved(
    dialog: InstructionsDialog, qtbot: QtBot
) -> None:
    dialog.ask("Answer in rhyme.")
    field = child(dialog, QPlainTextEdit)
    assert field.toPlainText() == "Answer in rhyme."
    field.insertPlainText(" Be brief.\n\n")
    with qtbot.waitSignal(dialog.saved) as saved:
        click(button_named(dialog, "Save"))
    assert saved.args == ["Answer in rhyme. Be brief."]
    assert not dialog.isVisible()


def test_own_instructions_are_seen_beside_those_of_the_chat(dialog: InstructionsDialog) -> None:
    dialog.ask("Answer in rhyme.", "Call me Ada.")
    assert "Your own instructions come first: Call me Ada." in label_texts(dialog)
    dialog.ask("Answer in rhyme.")
    assert not any("come first" in words for words in label_texts(dialog))


def test_esc_and_cancel_save_nothing(dialog: InstructionsDialog, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(dialog.saved):
        dialog.ask("Answer in rhyme.")
        press(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
        dialog.ask("Answer in rhyme.")
        click(button_named(dialog, "Cancel"))
    assert not dialog.isVisible()


def test_a_megabyte_stays_to_be_shortened_and_is_not_saved(dialog: InstructionsDialog) -> None:
    dialog.ask("")
    field = child(dialog, QPlainTextEdit)
    field.setPlainText("a word " * 150_000)
    assert "Shorten it to at most" in " ".join(label_texts(dialog))
    assert "Shorten it to at most" in field.accessibleDescription()
    assert not button_named(dialog, "Save").isEnabled()
    assert len(field.toPlainText()) == 1_050_000

    # To draw one word of a megabyte would stop the window for minutes.
    pasted = QMimeData()
    pasted.setText("first " + "x" * 1_000_000)
    field.clear()
    field.insertFromMimeData(pasted)
    assert field.toPlainText() == "first " + "x" * 20_000
    assert not button_named(dialog, "Save").isEnabled()

    field.setPlainText("\N{PARTY POPPER}" * 16_000)
    assert button_named(dialog, "Save").isEnabled()
    assert field.accessibleDescription() == ""
