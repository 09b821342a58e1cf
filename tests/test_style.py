"""The stops of our style hold in every file."""

from pathlib import Path

import pytest

from tests.support.style import faults_of, product_files, size_faults_of

_ROOT = Path(__file__).parent.parent
_OTHER_FOLDERS = ("tests", "packaging")


def test_no_file_of_the_product_goes_past_a_stop() -> None:
    faults: list[str] = []
    for path in product_files(_ROOT):
        faults += faults_of(path.relative_to(_ROOT).as_posix(), path.read_text(encoding="utf-8"))
    assert not faults, "\n".join(faults)


def test_no_test_and_no_tool_goes_past_a_stop_of_size() -> None:
    faults: list[str] = []
    for folder in _OTHER_FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*.py")):
            name = path.relative_to(_ROOT).as_posix()
            faults += size_faults_of(name, path.read_text(encoding="utf-8"))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("path", "source", "part"),
    [
        ("app/x.py", "x = 1\n" * 601, "601 lines"),
        ("app/x.py", "def f():\n" + "    x = 1\n" * 60, "f has 61 lines"),
        ("app/x.py", "class C:\n" + "    x = 1\n" * 400, "C has 401 lines"),
        (
            "app/x.py",
            "def f():\n if a:\n  for b in c:\n   with d:\n    while e:\n     pass\n",
            "nested 4 deep",
        ),
        ("app/x.py", "try:\n    f()\nexcept Exception:\n    pass\n", "catches Exception"),
        ("app/x.py", "try:\n    f()\nexcept:\n    pass\n", "catches everything"),
        ("app/x.py", "from typing import TYPE_CHECKING\n", "TYPE_CHECKING"),
        ("app/chat/x.py", "from PySide6.QtCore import QObject\n", "below the view models"),
        ("app/viewmodels/x.py", "from PySide6.QtWidgets import QLabel\n", "QtCore only"),
        ("app/viewmodels/x.py", "from PySide6 import QtGui\n", "QtCore only"),
        ("app/ui/x.py", "import asyncio\n", "no I/O"),
        ("app/ui/x.py", "from PySide6.QtWidgets import QMessageBox\n", "QMessageBox"),
        ("app/ui/x.py", "QtWidgets.QMessageBox.question()\n", "QMessageBox"),
    ],
)
def test_each_stop_is_noticed(path: str, source: str, part: str) -> None:
    assert any(part in fault for fault in faults_of(path, source))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("app/tasks.py", "try:\n    f()\nexcept Exception:\n    pass\n"),
        ("app/x.py", "try:\n    f()\nexcept BaseException:\n    g()\n    raise\n"),
        ("app/viewmodels/x.py", "from PySide6 import QtCore\n"),
        ("app/ui/x.py", "from PySide6.QtWidgets import QLabel\n"),
        (
            "app/x.py",
            "def f():\n if a:\n  pass\n elif b:\n  pass\n elif c:\n  pass\n elif d:\n  pass\n",
        ),
    ],
)
def test_what_is_allowed_is_no_fault(path: str, source: str) -> None:
    assert faults_of(path, source) == []


@pytest.mark.security(32)
@pytest.mark.parametrize(
    "source",
    [
        *("import pickle\n", "from marshal import loads\n", "import shelve\n"),
        *("eval('1')\n", "exec('1')\n", "yaml.load(x)\n", "yaml.load(x, Loader=yaml.Loader)\n"),
    ],
)
def test_what_was_read_never_becomes_code(source: str) -> None:
    (fault,) = faults_of("app/x.py", source)
    assert "which runs what it" in fault
    # The product itself is judged by the test of all stops.
    assert faults_of("app/x.py", "yaml.load(x, Loader=yaml.BaseLoader)\n") == []
