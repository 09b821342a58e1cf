"""File dialogs begin in a folder that exists."""

from pathlib import Path

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.system_dialogs import make_file_dialog


def test_dialog_for_a_missing_folder_begins_at_home_with_an_empty_name(
    tmp_path: Path, qtbot: QtBot
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)

    dialog = make_file_dialog(parent, "Import", str(tmp_path / "Documents"))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)

    assert dialog.directory() == QDir(QDir.homePath())
    assert [field.text() for field in dialog.findChildren(QLineEdit)] == [""]


def test_dialog_for_a_folder_begins_there(tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)

    dialog = make_file_dialog(parent, "Import", str(tmp_path))

    assert dialog.directory() == QDir(str(tmp_path))
