"""Labels show text as it is: markup stays letters, and nothing in it is hidden."""

import ast
import unicodedata
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import (
    button_text,
    one_line,
    plain_label,
    plain_tooltip,
    set_plain_tooltip,
    short_name,
    title_line,
)
from app.ui.widgets.marked_text import shown_text
from tests.support.markup import MARKUP

_UI = Path(__file__).resolve().parents[4] / "app" / "ui"


@pytest.mark.security(5)
@pytest.mark.parametrize("text", MARKUP)
def test_label_draws_markup_as_the_letters_it_is_made_of(
    text: str, theme: Theme, qtbot: QtBot
) -> None:
    label = plain_label(text, theme)
    qtbot.addWidget(label)

    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.text() == text
    assert label.sizeHint().width() == label.fontMetrics().size(0, text).width()


@pytest.mark.security(5)
@pytest.mark.parametrize("text", MARKUP)
def test_tooltip_and_button_show_markup_as_letters(text: str, theme: Theme, qtbot: QtBot) -> None:
    button = push_button(text, "secondary", theme)
    qtbot.addWidget(button)
    set_plain_tooltip(button, text)

    assert button.text() == one_line(text).replace("&", "&&")
    assert plain_tooltip(button) == one_line(text)
    # Of its own a widget shows and reads out its tooltip with the markup.
    assert not button.toolTip()
    assert button.accessibleDescription() in ("", one_line(text))


@pytest.mark.security(5)
def test_labels_are_made_in_one_place_only() -> None:
    makers = {
        file.name
        for file in _UI.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("QLabel", "QMessageBox")
    }

    # The tray is no widget, and its tooltip has our own words only.
    assert makers <= {"labels.py", "tray_icon.py"}


@pytest.mark.security(5)
def test_tooltips_are_set_in_one_place_only() -> None:
    makers = {file.name for file in _UI.rglob("*.py") if ".setToolTip(" in file.read_text("utf-8")}

    # The tray is no widget, and its tooltip has our own words only.
    assert makers <= {"labels.py", "tray_icon.py"}


@pytest.mark.security(69)
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Writer", "Writer"),
        ("You\u202egnp.exe", "You‹U+202E›gnp.exe"),
        ("a\u200bb", "a‹U+200B›b"),
        ("two\nlines", "two lines"),
        ("\u3164", "‹U+3164›"),
        ("x" * 41, "x" * 39 + "…"),
        ("x" * 40, "x" * 40),
        ("x" * 38 + "\u202e" + "y", "x" * 38 + "…"),
        ("x" * 10_000, "x" * 39 + "…"),
        ("", ""),
    ],
)
def test_name_of_an_agent_is_escaped_and_cut(name: str, shown: str) -> None:
    assert short_name(name) == shown


@pytest.mark.security(69)
def test_invisible_characters_in_a_name_are_written_out() -> None:
    marks = "\u3164\u115f\uffa0\u2800\u034f\u17b4\U0001d159\ufe0f\U000e0041"
    formats = (chr(n) for n in range(0x20000) if unicodedata.category(chr(n)) == "Cf")
    for letter in (*marks, *formats):
        assert short_name(f"You{letter}!") == f"You‹U+{ord(letter):04X}›!"


@pytest.mark.security(69)
def test_cut_name_never_ends_in_half_an_escape() -> None:
    for before in range(45):
        shown = short_name("x" * before + "\u202e" * 20)
        assert len(shown) <= 40
        assert shown.count("‹") == shown.count("›") == shown.count("U+202E")


def test_ampersand_on_a_button_is_no_shortcut() -> None:
    assert button_text("R&D") == "R&&D"


def test_narrow_label_ends_in_an_ellipsis_and_keeps_its_text(theme: Theme, qtbot: QtBot) -> None:
    label = plain_label("A rather long title of a conversation", theme, elides=True)
    qtbot.addWidget(label)
    label.resize(90, 20)
    narrow = label.grab().toImage()
    label.setText("A rather lo")

    assert label.minimumSizeHint().width() < 40
    assert narrow != label.grab().toImage()


def test_colour_of_a_label_follows_the_theme(theme: Theme, qtbot: QtBot) -> None:
    label = plain_label("███", theme, ink="bad", elides=True)
    qtbot.addWidget(label)
    label.resize(label.sizeHint())
    colors = []
    for look in (AppearanceSettings(theme="light"), AppearanceSettings(theme="dark")):
        theme.wear(look)
        image = label.grab().toImage()
        colors.append((image.pixelColor(5, image.height() // 2), theme.color("bad")))

    assert all(drawn == wanted for drawn, wanted in colors)


@pytest.mark.parametrize(
    "emoji",
    [
        "\U0001f469\u200d\U0001f4bb",
        "\U0001f575\U0001f3fd\u200d\u2642\ufe0f",
        "\u2764\ufe0f\u200d\U0001f525",
        "1\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    ],
)
def test_emoji_of_several_parts_stays_whole_in_a_title(emoji: str) -> None:
    title = f"Plans {emoji} for May"

    assert title_line(title) == title
    assert shown_text(title, ((0, 5),)) == (title, ((0, 5),))
    # It is not cut in two either, and where somebody allows a thing, nothing is hidden.
    assert title_line(title, 8) == "Plans …"
    assert "‹U+" in one_line(title)


@pytest.mark.security(5)
@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("pay\u200dpal", "pay‹U+200D›pal"),
        ("A\ufe0f", "A‹U+FE0F›"),
        ("\U0001f469\u200d\u200d\U0001f4bb", "\U0001f469‹U+200D›‹U+200D›\U0001f4bb"),
        ("\U0001f469\u200dB", "\U0001f469‹U+200D›B"),
        ("a\u202eb", "a‹U+202E›b"),
    ],
)
def test_joiners_outside_emoji_are_shown_in_a_title(title: str, shown: str) -> None:
    assert title_line(title) == shown
