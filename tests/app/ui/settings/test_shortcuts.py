"""The page of shortcuts, and the menu bar of macOS: both show every command."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.ui.commands import CommandGroup, Commands, KeyContext, context_keys, part_words
from app.ui.settings.shortcuts import ShortcutsSection
from app.ui.theme import Theme
from app.ui.window_contents import menu_bar_for
from tests.support.widgets import child, enter_text, label_texts


@pytest.fixture
def commands(qtbot: QtBot) -> Commands:
    window = QWidget()
    qtbot.addWidget(window)
    made = Commands(window)
    made.add("new-chat", "New chat", lambda: None, group=CommandGroup.CHAT, keys="Ctrl+N")
    made.add("plain", "Without keys", lambda: None, group=CommandGroup.VIEW)
    made.add("quit", "Quit", lambda: None, group=CommandGroup.PROGRAM, keys="Ctrl+Q")
    made.add("zoom", "Zoom", lambda: None, group=CommandGroup.PROGRAM, keys="Zoom In")
    return made


@pytest.fixture
def section(commands: Commands, theme: Theme, qtbot: QtBot) -> Iterator[ShortcutsSection]:
    made = ShortcutsSection(theme, commands)
    qtbot.addWidget(made)
    made.resize(720, 600)
    made.begin()
    made.show()
    yield made
    made.close()


def test_every_command_and_every_key_of_a_part_is_there(section: ShortcutsSection) -> None:
    shown = label_texts(section)

    assert {"Chats", "New chat", "Ctrl N", "View", "Without keys", "—", "Parley"} <= shown
    assert {key.text for key in context_keys()} <= shown
    assert {part_words(part) for part in KeyContext} <= shown
    assert "Zoom In" not in shown
    # One word for one key, as below the message box.
    assert {"Enter", "Shift Enter, Up"} <= shown
    assert not any("Return" in text for text in shown)


def test_command_that_came_later_is_there_when_the_settings_open_again(
    section: ShortcutsSection, commands: Commands
) -> None:
    commands.add("later", "Later", lambda: None, group=CommandGroup.VIEW)

    section.begin()

    assert "Later" in label_texts(section)


@pytest.mark.parametrize("typed", ["new ch", "ctrl n"])
def test_words_and_keys_are_searched(section: ShortcutsSection, typed: str) -> None:
    enter_text(child(section, QLineEdit), typed)

    assert "New chat" in label_texts(section)
    assert "Quit" not in label_texts(section)


def test_nothing_found_is_said_and_opening_the_settings_shows_all(
    section: ShortcutsSection,
) -> None:
    enter_text(child(section, QLineEdit), "zzz")
    assert "No matching shortcuts" in label_texts(section)

    section.begin()

    assert "New chat" in label_texts(section)
    assert "No matching shortcuts" not in label_texts(section)


def test_keys_of_parts_can_be_read_as_keys_and_none_is_there_twice() -> None:
    seen = [(key.part, keys) for key in context_keys() for keys in key.keys]

    assert len(seen) == len(set(seen))
    assert not any(QKeySequence(keys).isEmpty() for _, keys in seen)


def test_menu_bar_of_macos_holds_every_command_not_run_here(commands: Commands) -> None:
    bar = menu_bar_for(commands, "darwin")

    assert bar is not None
    shown = [action for menu in bar.findChildren(QMenu) for action in menu.actions()]
    assert shown == [command.action for command in commands.all]
    bar.deleteLater()


def test_elsewhere_there_is_no_menu_bar(commands: Commands) -> None:
    assert menu_bar_for(commands, "linux") is None
