"""The head of the sidebar: the project at work, and the way to the others."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot

from app.ui.sidebar.sidebar import ProjectMenu
from app.ui.theme import Theme
from app.ui.widgets.marks import ProjectBadge
from app.viewmodels.settings.projects import ProjectRow
from tests.support.widgets import child, label_texts

_ROWS = (
    ProjectRow("local", "Home", "", "green"),
    ProjectRow("w", "R&D", "https://a.example", "violet", is_now=True, is_test=True),
)


def test_menu_offers_every_project_and_says_which_is_at_work(theme: Theme, qtbot: QtBot) -> None:
    head = ProjectMenu(theme)
    qtbot.addWidget(head)
    head.show_name("R&D")
    head.show_projects(_ROWS)

    actions = [action for action in child(head, QMenu).actions() if action.isCheckable()]

    assert [(action.text(), action.isChecked()) for action in actions] == [
        ("Home", False),
        ("R&&D (test)", True),
    ]
    assert {"R&D", "Test"} <= label_texts(head)
    with qtbot.waitSignal(head.chosen, timeout=20_000) as chosen:
        actions[0].trigger()
    assert chosen.args == ["local"]


def test_one_project_alone_is_not_named_and_has_no_switch(theme: Theme, qtbot: QtBot) -> None:
    head = ProjectMenu(theme)
    qtbot.addWidget(head)
    head.show_name("R&D")
    head.show()
    head.show_projects(_ROWS[1:])

    switch, badge = child(head, QToolButton), child(head, ProjectBadge)
    assert label_texts(head) == {"Parley", "Test"}
    assert not switch.isVisible()
    assert not badge.isVisible()
    qtbot.mouseClick(head, Qt.MouseButton.LeftButton)
    assert not child(head, QMenu).isVisible()
    head.show_name("Imported chats", is_archive=True)
    assert "Imported chats" in label_texts(head)
    head.show_name("R&D")
    head.show_projects(_ROWS)
    assert "R&D" in label_texts(head)
    assert switch.isVisible()
    assert badge.isVisible()


def test_a_reader_hears_whose_chats_these_are(theme: Theme, qtbot: QtBot) -> None:
    head = ProjectMenu(theme)
    qtbot.addWidget(head)

    head.show_name("R&D")

    assert child(head, QToolButton).accessibleDescription() == "R&D"
