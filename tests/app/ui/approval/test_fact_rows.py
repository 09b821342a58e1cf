"""The facts of a card stand level, and each as far from the next as any other."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.ui.approval.card_contents import FactRows
from app.ui.approval.revealed_text import RevealedText
from app.ui.theme import Theme

# Letters that stand on the line, all of them.
_LETTERS = "HH"
_LONG = "HH " * 40
_TURNED_ROUND = {"text_family": "JetBrains Mono", "code_family": "Inter"}


@pytest.mark.parametrize(
    "look",
    [
        AppearanceSettings(theme="light"),
        AppearanceSettings(theme="dark", scale_percent=150),
        AppearanceSettings(theme="light", scale_percent=200),
        AppearanceSettings(theme="light", scale_percent=150, **_TURNED_ROUND),
    ],
    ids=["usual", "dark, larger", "largest", "other fonts"],
)
def test_lines_of_facts_are_level_and_equally_far_apart(
    look: AppearanceSettings, theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    rows = FactRows(theme, window.devicePixelRatio())
    column = QVBoxLayout(window)
    column.addLayout(rows)
    column.addStretch(1)
    for value in (_LETTERS, _LONG, _LETTERS):
        text = RevealedText(theme, _LETTERS)
        text.show_text(value)
        rows.add_exact(_LETTERS, text)
    for words in (_LETTERS, _LONG, _LETTERS):
        rows.add_words(_LETTERS, words)
    window.resize(900, 800)
    window.show()
    theme.wear(look)
    QApplication.sendPostedEvents()

    image = window.grab().toImage()
    cells = [(rows.cellRect(row, 0), rows.cellRect(row, 1)) for row in range(1, rows.rowCount())]
    names = [_ends_of_lines(image, name) for name, _ in cells]
    values = [_ends_of_lines(image, value) for _, value in cells]

    assert names == [lines[:1] for lines in values]
    assert [len(lines) > 1 for lines in values] == [False, True, False] * 2
    assert len({below[0] - above[-1] for above, below in pairwise(values)}) == 1


def _ends_of_lines(image: QImage, cell: QRect) -> list[int]:
    """Where the letters of each line end, from above."""
    ground = image.pixelColor(cell.topRight()).lightness()
    columns = range(cell.left(), cell.left() + 24)
    has_ink = [
        any(abs(image.pixelColor(x, y).lightness() - ground) > 60 for x in columns)
        for y in range(cell.top(), cell.bottom() + 1)
    ]
    steps = enumerate(pairwise(has_ink), cell.top())
    return [y for y, (is_letter, goes_on) in steps if is_letter and not goes_on]


def test_columns_of_facts_stand_apart_as_the_scale_has_it(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    rows = FactRows(theme, window.devicePixelRatio())
    column = QVBoxLayout(window)
    column.addLayout(rows)
    value = RevealedText(theme, _LETTERS)
    rows.add_exact(_LETTERS, value)
    window.resize(900, 200)
    window.show()
    before = value.x() - column.contentsMargins().left()

    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    theme.fit(window)
    QApplication.sendPostedEvents()

    assert value.x() - column.contentsMargins().left() == 2 * before
