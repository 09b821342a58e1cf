"""The stops of our style hold in every file."""

from pathlib import Path

import pytest

from local_server.assistant.agents import our_tools
from local_tools.registry import ToolRegistry
from tests.support.style import faults_of, named_tools, product_files, size_faults_of

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


# The self-test types what a person would: the demo's `/tool NAME`.
_TYPES_A_NAME = "app/self_test/scenario.py"


def test_no_built_in_tool_is_known_by_its_name_outside_its_own_package() -> None:
    names = _built_in_names()
    # The service is another program: it knows no tool but those that a request declares, and its
    # demo and its map of names offer what they would use of them.
    others = [path for path in product_files(_ROOT) if _is_no_place_of_names(path)]
    faults = [
        f"{path.relative_to(_ROOT).as_posix()}:{line}: {name}"
        for path in others
        for line, name in named_tools(path.read_text(encoding="utf-8"), names)
    ]
    assert not faults, "\n".join(faults)


def test_a_name_of_a_tool_is_noticed_in_code_and_not_in_a_docstring() -> None:
    source = '''"""Such as read_file."""\nICONS = {"read_file": "x"}\nASK = "/tool read_file"\n'''
    assert sorted(named_tools(source, {"read_file"})) == [(2, "read_file"), (3, "read_file")]
    assert list(named_tools('WORDS = "We calculate it"\n', {"calculate"})) == []


def test_the_tools_that_the_service_means_by_other_names_exist() -> None:
    foreign = ("Read", "Write", "Edit", "MultiEdit", "LS", "Glob", "Grep", "Bash")
    assert set(our_tools(foreign) or ()) <= _built_in_names()


def _built_in_names() -> set[str]:
    return {item.name for item in ToolRegistry.built_in().definitions()}


def _is_no_place_of_names(path: Path) -> bool:
    name = path.relative_to(_ROOT).as_posix()
    return not name.startswith(("local_tools/builtin/", "local_server/")) and name != _TYPES_A_NAME


@pytest.mark.security(32)
@pytest.mark.parametrize(
    "source",
    [
        *("import pickle\n", "from marshal import loads\n", "import shelve\n"),
        *("eval('1')\n", "exec('1')\n", "yaml.load(x)\n", "yaml.load(x, Loader=yaml.Loader)\n"),
    ],
)
def test_code_that_executes_data_is_a_fault(source: str) -> None:
    (fault,) = faults_of("app/x.py", source)
    assert "which runs what it" in fault
    # The product itself is judged by the test of all stops.
    assert faults_of("app/x.py", "yaml.load(x, Loader=yaml.BaseLoader)\n") == []
