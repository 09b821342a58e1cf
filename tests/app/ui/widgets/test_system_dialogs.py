"""File dialogs begin in a folder that exists, and a click on a button of theirs counts."""

from pathlib import Path

from PySide6.QtCore import QDir, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.system_dialogs import make_file_dialog
from tests.support.widgets import child


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


def test_click_on_a_button_counts_while_names_are_offered(tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    (tmp_path / "notes").mkdir()
    dialog = make_file_dialog(parent, "Choose", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.open()

    edit = child(dialog, QLineEdit)
    edit.setText(str(tmp_path / "notes"))
    names = edit.completer().popup()
    assert names is not None
    names.show()
    (choose,) = [one for one in dialog.findChildren(QPushButton) if one.isDefault()]
    with qtbot.waitSignal(dialog.fileSelected) as chosen:
        place = names.mapFromGlobal(choose.mapToGlobal(choose.rect().center()))
        qtbot.mouseClick(names, Qt.MouseButton.LeftButton, pos=place)

    assert chosen.args == [str(tmp_path / "notes")]
