"""The desktop as allowed tools see it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication

from app.ui.desktop.qt_desktop import QtDesktop


@pytest.mark.usefixtures("qapp")
def test_the_clipboard_is_the_system_s() -> None:
    QGuiApplication.clipboard().setText("copied elsewhere")
    screen = QtDesktop()
    assert screen.clipboard_text() == "copied elsewhere"
    screen.set_clipboard_text("<b>as it is</b>\n")
    assert QGuiApplication.clipboard().text() == "<b>as it is</b>\n"


@pytest.mark.parametrize("can_open", [True, False])
def test_a_path_is_opened_as_a_local_file_whatever_its_name(can_open: bool) -> None:
    opened: list[QUrl] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url)
        return can_open

    path = Path("/home/ada/a#b?c%41 http:x")
    assert QtDesktop(open_url).open_path(path) is can_open
    assert [(url.scheme(), url.toLocalFile()) for url in opened] == [("file", str(path))]
    assert not opened[0].hasFragment()
    assert not opened[0].hasQuery()
