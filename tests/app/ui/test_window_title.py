"""The title of a window, which the list of windows shows."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.window_contents import WindowTitle
from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.states import OpenChats
from local_tools.registry import ToolRegistry


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Tidy the notes", "Tidy the notes — Parley"),
        ("a\u202eb\nc", "a‹U+202E›b c — Parley"),
        ("Notes [*]", "Notes [*][*] — Parley"),
    ],
)
def test_window_is_named_after_its_chat_with_nothing_hidden(
    tmp_path: Path, qtbot: QtBot, title: str, shown: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    chat = ChatViewModel(ToolRegistry(), tmp_path, OpenChats())
    WindowTitle(chat, window)
    assert window.windowTitle() == "Parley"

    chat.state_changed.emit(replace(chat.state, is_open=True, title=title))

    assert window.windowTitle() == shown


def test_long_title_is_cut(tmp_path: Path, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    chat = ChatViewModel(ToolRegistry(), tmp_path, OpenChats())
    WindowTitle(chat, window)

    chat.state_changed.emit(replace(chat.state, is_open=True, title="long " * 500))

    assert len(window.windowTitle()) < 80
