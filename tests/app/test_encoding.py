"""Where the system names no encoding, text is UTF-8, and nothing is said of it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = Path(__file__).parents[2]
_PROGRAM: Final = """
import locale, os
from PySide6.QtCore import QCoreApplication, QLocale
from app.environment import ensure_utf8_locale
ensure_utf8_locale(os.environ)
application = QCoreApplication([])
kept = [os.environ.get(name, "") for name in ("LANG", "LC_ALL", "LC_CTYPE")]
print(locale.nl_langinfo(locale.CODESET), QLocale.system().name(), *kept, sep=",")
"""


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, "UTF-8,C,,,C.UTF-8"),
        ({"LC_ALL": "C", "LANG": "C"}, "UTF-8,C,C,C.UTF-8,"),
        ({"LC_ALL": "de_XX.UTF-8"}, "UTF-8,de_DE,,de_XX.UTF-8,"),
    ],
    ids=["none is set", "the one without an encoding", "one that is not here"],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only there does Qt complain")
def test_no_locale_means_utf8_without_a_complaint(variables: dict[str, str], told: str) -> None:
    # The libraries of Qt may lie beside the checkout, where only the environment says so.
    names = [name for name in os.environ if name not in {"LANG", "LANGUAGE", "PYTHONUTF8"}]
    around = {name: os.environ[name] for name in names if not name.startswith("LC_")}
    # As in a frozen program, Python settles nothing by itself.
    around |= {"PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(_ROOT), **variables}

    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=around, capture_output=True, text=True, check=True
    )

    assert done.stderr == ""
    assert done.stdout.strip() == told
