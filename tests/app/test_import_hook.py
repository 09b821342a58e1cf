"""PySide's import hook is gone: the source of an imported module is not read."""

import py_compile
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_IMPORTING = """
import sys
from PySide6.QtCore import QObject
from app.event_loop import remove_feature_hook

remove_feature_hook()
opened = []
sys.addaudithook(lambda event, given: event == "open" and opened.append(str(given[0])))
sys.path.insert(0, sys.argv[1])
import imported
print(*(name.rpartition("imported")[2] for name in opened if "imported" in name))
print(QObject(objectName="Qt works").objectName())
"""


def test_the_source_of_an_imported_module_is_not_read(tmp_path: Path) -> None:
    module = tmp_path / "imported.py"
    module.write_text("VALUE = 1\n", encoding="utf-8")
    py_compile.compile(str(module))

    done = subprocess.run(
        [sys.executable, "-c", _IMPORTING, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=_ROOT,
    )

    assert done.returncode == 0, done.stderr
    read, qt = done.stdout.splitlines()
    assert read.endswith(".pyc")
    assert ".py " not in f"{read} "
    assert qt == "Qt works"
