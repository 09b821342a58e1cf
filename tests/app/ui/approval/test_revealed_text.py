"""What a person reads before allowing: literal, visible, complete."""

import sys
import unicodedata

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from app.approvals.visible_text import escape_invisible
from app.config.settings import AppearanceSettings
from app.paths import resources
from app.ui.approval.revealed_text import DiffView, RevealedText, Setting
from app.ui.theme import Theme
from app.viewmodels.i18n import SpokenLanguage
from local_tools.diff import change_text
from tests.support.cards import DIFF
from tests.support.markup import MARKUP

_DRAWN_AS_NOTHING = (
    *(0x3164, 0x115F, 0x1160, 0xFFA0, 0x2800, 0x034F, 0x17B4, 0x17B5, 0x1D159),
    *range(0xFE00, 0xFE10),
)
_NARROW_PX = 130


@pytest.fixture
def text(theme: Theme, qtbot: QtBot) -> RevealedText:
    made = RevealedText(theme, "Exact input")
    qtbot.addWidget(made)
    return made


def _shown(text: QTextEdit) -> str:
    return text.document().toRawText().replace("\u2029", "\n")


@pytest.mark.security(5)
@pytest.mark.parametrize("markup", MARKUP)
def test_markup_is_shown_as_the_letters_it_is_made_of(markup: str, text: RevealedText) -> None:
    text.show_text(markup)

    assert _shown(text) == escape_invisible(markup)


@pytest.mark.security(6)
def test_every_hidden_character_takes_room(text: RevealedText) -> None:
    every = range(sys.maxunicode + 1)
    hidden = (code for code in every if unicodedata.category(chr(code)) in {"Cf", "Cc"})
    text.show()
    for character in map(chr, (*hidden, *_DRAWN_AS_NOTHING)):
        text.show_text(character)
        line = text.document().firstBlock().layout().lineAt(0)
        assert line.naturalTextWidth() > text.fontMetrics().averageCharWidth() / 2, hex(
            ord(character)
        )


@pytest.mark.security(6)
def test_right_to_left_words_do_not_turn_the_line_around(text: RevealedText) -> None:
    text.show_text("\u05d0\u05d1 /etc/passwd")

    assert text.document().firstBlock().textDirection() is Qt.LayoutDirection.LeftToRight


@pytest.mark.security(4)
def test_a_word_without_a_break_is_wrapped_and_never_cut(text: RevealedText) -> None:
    text.resize(_NARROW_PX, 400)
    text.show()
    text.show_text("x" * 300)
    layout = text.document().firstBlock().layout()
    lines = [layout.lineAt(number) for number in range(layout.lineCount())]

    assert sum(line.textLength() for line in lines) == 300
    assert max(line.naturalTextWidth() for line in lines) <= _NARROW_PX
    assert text.heightForWidth(_NARROW_PX) >= len(lines) * text.fontMetrics().height()


def test_prose_is_wrapped_between_its_words_and_a_long_one_anywhere(
    theme: Theme, qtbot: QtBot
) -> None:
    prose = RevealedText(theme, "What it says", Setting.PROSE)
    qtbot.addWidget(prose)
    prose.resize(_NARROW_PX, 400)
    prose.show()
    prose.show_text("list every folder " * 6 + "x" * 60)
    block = prose.document().firstBlock()
    lines = [block.layout().lineAt(number) for number in range(block.layout().lineCount())]
    ends = [line.textStart() + line.textLength() for line in lines]
    before_the_long_one = [end for end in ends if end <= len("list every folder " * 6)]

    assert {block.text()[end - 1] for end in before_the_long_one} == {" "}
    assert max(line.naturalTextWidth() for line in lines) <= _NARROW_PX
    assert ends[-1] == len(block.text())


def test_a_quarter_of_a_megabyte_in_one_line_is_laid_out_at_once(text: RevealedText) -> None:
    text.show_text("x" * 262_144)

    assert text.heightForWidth(600) > 10_000


@pytest.mark.security(79)
def test_copying_gives_what_is_shown(text: RevealedText) -> None:
    text.show_text("ls \u202e; rm")
    text.selectAll()
    QTest.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert QApplication.clipboard().text() == "ls ‹U+202E›; rm"


def _blocks(document: QTextDocument) -> list[QTextBlock]:
    return [document.findBlockByNumber(number) for number in range(document.blockCount())]


def test_a_diff_colours_its_lines_and_shows_each(theme: Theme, qtbot: QtBot) -> None:
    diff = DiffView(theme, "What would change", Setting.BOXED)
    qtbot.addWidget(diff)
    diff.show_diff(DIFF)
    diff.resize(400, diff.heightForWidth(400))
    diff.show()
    picture = diff.grab().toImage()
    layout = diff.document().documentLayout()
    ratio = picture.devicePixelRatio()
    grounds = [
        picture.pixelColor(
            round(395 * ratio), round(layout.blockBoundingRect(block).center().y() * ratio)
        )
        for block in _blocks(diff.document())
    ]

    assert [block.text() for block in _blocks(diff.document())] == DIFF.splitlines()
    assert grounds[2:] == [theme.color("removed"), theme.color("added")]
    assert theme.color("removed") not in grounds[:2]


@pytest.mark.security(4)
def test_a_carriage_return_in_a_diff_does_not_make_a_line_of_its_own(
    theme: Theme, qtbot: QtBot
) -> None:
    diff = DiffView(theme, "What would change")
    qtbot.addWidget(diff)
    diff.show_diff("@@ line 1 @@\n+ok\r-rm\u2028+x\n")

    shown = [block.text() for block in _blocks(diff.document())]
    assert shown == ["@@ line 1 @@", "+ok‹CR›-rm‹U+2028›+x"]


def test_notes_of_a_diff_are_in_the_language_of_the_window_and_files_as_they_are(
    theme: Theme, qtbot: QtBot
) -> None:
    view = DiffView(theme, "What would change")
    qtbot.addWidget(view)
    german = SpokenLanguage(resources() / "translations", "de")
    try:
        for old, new, rows in (
            ("", "a\n", ["@@ Zeile 1 @@", "+a"]),
            ("a\n", "", ["@@ nach Zeile 0 @@", "-a"]),
            (
                "@@ line 1 @@\n\\ no line end\n",
                "@@ line 1 @@\n\\ no line end",
                [
                    "@@ Zeilen 1–2 @@",
                    " @@ line 1 @@",
                    "-\\ no line end",
                    "+\\ no line end",
                    "\\ kein Zeilenumbruch am Dateiende",
                ],
            ),
        ):
            view.show_diff(change_text(old, new))
            assert [block.text() for block in _blocks(view.document())] == rows
    finally:
        german.close()


def test_a_removed_line_that_looks_like_a_head_is_still_removed(theme: Theme, qtbot: QtBot) -> None:
    diff = DiffView(theme, "What would change")
    qtbot.addWidget(diff)
    diff.show_diff("--- a\n+++ b\n@@ line 1 @@\n--- x\n")

    heads, removed = _blocks(diff.document())[:3], _blocks(diff.document())[3]
    grey = theme.color("ink-3")
    assert {_ink(block) for block in heads} == {grey.name()}
    assert _ink(removed) == theme.color("ink").name()


def _ink(block: QTextBlock) -> str:
    return block.begin().fragment().charFormat().foreground().color().name()


def test_the_text_follows_the_theme(text: RevealedText, theme: Theme) -> None:
    text.show_text("a\u202eb")
    theme.wear(AppearanceSettings(theme="dark"))

    assert _ink(text.document().firstBlock()) == theme.color("ink").name()
