"""What stands under a message, in the whole window: edit it, and ask it anew."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from app.chat.items import Action, ReplyPart, UserMessage
from app.ui.composer.composer import ComposerNote
from app.ui.transcript.hit_targets import Choose
from app.ui.transcript.view import TranscriptView
from tests.support.fake_service import FakeService
from tests.support.widgets import child
from tests.support.window import Person, hosted_program

pytestmark = pytest.mark.anyio


async def _clicks(person: Person, key: str, action: Action) -> None:
    """Click on what stands under a message."""
    view = child(person.window, TranscriptView)
    await person.sees(lambda: _place(view, key, action) is not None, "the button")
    place = _place(view, key, action)
    assert place
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.toPoint())


def _place(view: TranscriptView, key: str, action: Action) -> QPointF | None:
    for placed in view._layout.placed:
        for target in placed.row.targets():
            if placed.key == key and target.action == Choose(action):
                return target.box.center() + QPointF(view._layout.column_left, placed.top)
    return None


def _keys(person: Person) -> tuple[str, str]:
    """Return the keys of the last question and the last reply."""
    rows = person.program.chat.transcript.rows
    asked = [row.key for row in rows if isinstance(row, UserMessage)]
    replied = [row.key for row in rows if isinstance(row, ReplyPart)]
    return asked[-1], replied[-1]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("action", [Action.EDIT, Action.ASK_ANEW])
async def test_without_forks_the_text_goes_back_into_the_box_with_a_word_about_it(
    tmp_path: Path, action: Action, place: int
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says("Yes.")
        await person.asks("Is it so?")
        await _clicks(person, _keys(person)[place], action)
        note = child(person.window, ComposerNote)
        await person.sees(lambda: person.box.toPlainText() == "Is it so?", "the text in the box")
        assert note.isVisible()
        assert note.accessibleName() == "The service still knows the first version."
