"""Every command of the real window: it has words, its keys are its own, and they reach it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeySequence, QShortcut, QShortcutEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.ui.commands import Command, Commands
from app.ui.part_keys import part_keys
from app.viewmodels.states import Dot
from tests.support.window import Person, has_chosen_offline, running_program

pytestmark = pytest.mark.anyio


class _Catch(QObject):
    """Notes that the keys of a command arrived, and keeps them from doing anything."""

    def __init__(self, command: Command) -> None:
        super().__init__()
        self._action = command.action
        self._was_enabled = command.action.isEnabled()
        self.arrived: list[str] = []
        self._action.setEnabled(True)
        self._action.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QShortcutEvent):
            how = " ambiguous" if event.isAmbiguous() else ""
            self.arrived.append(event.key().toString() + how)
            return True
        return super().eventFilter(watched, event)

    def end(self) -> None:
        self._action.removeEventFilter(self)
        self._action.setEnabled(self._was_enabled)


def _press(person: Person, keys: QKeySequence) -> None:
    QTest.keySequence(person.window.focusWidget(), keys)


def _is_on_every_keyboard(keys: QKeySequence) -> bool:
    """Whether it is no key of its own for one thing, such as Zoom In, which cannot be pressed."""
    return "+" in keys.toString() or keys.toString().startswith("F")


def _check_words(commands: Commands) -> None:
    texts = [command.action.text() for command in commands.all]
    assert all(text.strip() for text in texts)
    assert len(texts) == len(set(texts)), "two commands read the same"


def _check_keys_are_single(person: Person) -> None:
    keys = [keys.toString() for c in person.window.commands.all for keys in c.action.shortcuts()]
    assert len(keys) == len(set(keys)), "keys of two commands"
    of_parts = {QKeySequence(keys).toString() for key in part_keys() for keys in key.keys}
    bare = {short.key().toString() for short in person.window.findChildren(QShortcut)}
    assert bare - of_parts == set(), "keys of the window that are no command and in no table"
    assert not set(keys) & {"Tab", "Return", "Space", "Up", "Down"}


async def test_every_key_reaches_its_command_and_f1_shows_them_all(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")
        person.window.activateWindow()
        person.box.setFocus()
        commands = person.window.commands
        _check_words(commands)
        _check_keys_are_single(person)

        for command in commands.all:
            for keys in filter(_is_on_every_keyboard, command.action.shortcuts()):
                caught = _Catch(command)
                _press(person, keys)
                caught.end()
                assert caught.arrived == [keys.toString()], command.name

        _press(person, QKeySequence("F1"))
        labels = person.window.findChildren(QLabel)
        shown = {label.text() for label in labels if label.isVisible()}
        assert {command.action.text() for command in commands.all} <= shown
