"""Of its variables the window keeps what a desktop program needs, and no more."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from app.environment import GivenVariables, is_kept, remove_foreign
from app.service.server_command import service_environment
from local_tools.processes import ENVIRONMENT_NAMES

_ROOT: Final = Path(__file__).parents[2]
_CANARY: Final = "canary-5b0e7a"
_SECRETS: Final = (
    *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "PGPASSWORD"),
    *("DATABASE_URL", "SLACK_WEBHOOK", "SSH_AUTH_SOCK", "VAULT_ADDR", "LD_SDK_KEY", "NIX_CONFIG"),
    *("SNAP_COOKIE", "PARLEY_DATABASE_URL", "A_SERVICE_KEY", "KEYCHAIN_PATH", "PASSWORD"),
)
_ASTRAY: Final = (
    *("SSLKEYLOGFILE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF", "REQUESTS_CA_BUNDLE"),
    *("CURL_CA_BUNDLE", "HTTPS_PROXY", "http_proxy", "ALL_PROXY", "NO_PROXY", "LD_PRELOAD"),
    *("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "Qml_Import_Path", "QML2_IMPORT_PATH"),
    "QT_QUICK_CONTROLS_STYLE",
)
_NEEDED: Final = (
    *("HOME", "PATH", "LANG", "LC_TIME", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"),
    *("XDG_RUNTIME_DIR", "XDG_ACTIVATION_TOKEN", "QT_SCALE_FACTOR", "XMODIFIERS", "GTK_IM_MODULE"),
    *("Path", "SystemRoot", "USERPROFILE", "ProgramFiles(x86)", "PROCESSOR_ARCHITECTURE"),
    *("__CF_USER_TEXT_ENCODING", "TMPDIR", "PYTHONPATH"),
)
# A folder that is none: the program says so where nobody has to click, and ends.
_PROGRAM: Final = """
import ctypes, os, subprocess, sys
from PySide6.QtCore import QProcessEnvironment
from app.main import main
from app.environment import given_variables

main(["--data", sys.argv[1]])
name = sys.argv[2]
started = subprocess.run([sys.executable, "-c", "import os; print(dict(os.environ))"],
                         capture_output=True, text=True, check=True).stdout
# Qt and libraries in C ask the system's own function.
print(name in os.environ, bool(ctypes.CDLL(None).getenv(name.encode())),
      QProcessEnvironment.systemEnvironment().contains(name), name in started)
print(given_variables()[name])
print(repr(given_variables()))
"""


def _run(folder: Path, variables: Mapping[str, str]) -> list[str]:
    folder.write_text("no folder", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(folder), "A_SERVICE_KEY"],
        check=True,
        capture_output=True,
        text=True,
        cwd=_ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **variables},
        timeout=60,
    )
    return done.stdout.splitlines()


@pytest.mark.security(95, 38)
@pytest.mark.skipif(sys.platform == "win32", reason="not run here: getenv lies in a library there")
def test_foreign_variable_is_neither_in_the_process_nor_in_what_it_starts(tmp_path: Path) -> None:
    where, given, shown = _run(tmp_path / "file", {"A_SERVICE_KEY": _CANARY})
    assert where == "False False False False"
    assert given == _CANARY
    assert _CANARY not in shown


@pytest.mark.security(95, 62, 84)
def test_secret_and_misleading_variables_are_removed_and_others_stay() -> None:
    environ = dict.fromkeys((*_SECRETS, *_ASTRAY, *_NEEDED), "x")
    remove_foreign(environ)
    assert set(environ) == set(_NEEDED)


def test_variables_for_tools_and_service_stay() -> None:
    names = {name.upper() for name in (*ENVIRONMENT_NAMES, *os.environ)}
    passed_on = service_environment(dict.fromkeys(names, "x")).keys() - {"PYTHONUTF8"}
    assert [name for name in (*ENVIRONMENT_NAMES, *passed_on) if not is_kept(name)] == []


def test_variables_of_windows_are_found_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert GivenVariables({"API_TOKEN": "x"}).get("Api_Token") == "x"
