"""What tests of the transcript share: views on real list models, shown and settled."""

from collections.abc import Callable, Sequence

import pytest
from pytestqt.qtbot import QtBot

from app.chat.items import Item
from app.ui.theme import Theme
from tests.support.transcript_fixtures import Shown

Show = Callable[..., Shown]


@pytest.fixture
def show(theme: Theme, qtbot: QtBot) -> Show:
    """Show items in a view of a size, and wait until they are laid out."""

    def make(items: Sequence[Item], width: int = 788, height: int = 600) -> Shown:
        shown = Shown(items, theme, qtbot)
        shown.view.resize(width, height)
        shown.view.show()
        shown.settle()
        return shown

    return make
