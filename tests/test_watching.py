"""The watch over the tests: each kind of leftover fails the test that left it, by name."""

import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parent.parent

# What is left here never goes away by itself.
_CONFTEST = """
from tests.support import leaks

leaks._GRACE_S = 0.05
pytest_plugins = ["tests.support.plugins"]
"""
_INNER = """
import asyncio, logging, socket, subprocess, sys, threading
import pytest
from PySide6.QtWidgets import QWidget

@pytest.fixture
def anyio_backend():
    return "asyncio"

hold = []
gate = threading.Event()

@pytest.mark.anyio
async def test_leaves_task():
    hold.append(asyncio.create_task(asyncio.Event().wait(), name="forgotten"))

def test_leaves_thread():
    threading.Thread(target=gate.wait, name="stray-thread", daemon=True).start()

def test_leaves_process():
    hold.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)  # stray"]))

def test_leaves_window(qapp):
    hold.append(QWidget(objectName="stray-window"))

def test_leaves_machine():
    with socket.socket() as s, pytest.raises(OSError):
        s.connect(("192.0.2.1", 80))

def test_logs_warning():
    logging.getLogger("x").warning("stray warning")

@pytest.mark.expects_log("never said")
def test_expected_warning_is_missing():
    pass

@pytest.mark.expects_log("announced")
def test_announced_warning_passes():
    logging.getLogger("x").warning("announced warning")

def test_loopback_passes():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_skips():
    pytest.skip("no such tool")

@pytest.mark.long
def test_long():
    pass
"""


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(_ROOT))
    monkeypatch.delenv("CI", raising=False)
    pytester.makeconftest(_CONFTEST)
    # Only the plug-ins that the watch works with: each of the others takes long to load.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytestqt.plugin,anyio.pytest_plugin")
    pytester.makeini(
        "[pytest]\nmarkers =\n    long: full form\nfilterwarnings =\n"
        "    ignore:subprocess .* is still running:ResourceWarning\n"
    )
    pytester.makepyfile(_INNER)
    return pytester


def test_every_leftover_fails_its_test_by_name(inner: pytest.Pytester) -> None:
    result = inner.run(sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=8, failed=1, errors=6, skipped=1, deselected=1)
    seen = result.stdout.str()
    for name in (
        "forgotten",
        "thread stray-thread",
        "time.sleep(60)  # stray",
        "window QWidget 'stray-window'",
        "192.0.2.1",
        "stray warning",
        "never said",
    ):
        assert name in seen, name


def test_ci_does_not_allow_skips_and_long_runs_long_tests(
    inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    args = ("-p", "no:cacheprovider", "--long", "-k", "test_skips or test_long")
    result = inner.run(sys.executable, "-m", "pytest", *args)
    result.assert_outcomes(passed=1, failed=1, deselected=9)
    result.stdout.fnmatch_lines(["*skipped, which CI does not allow*"])
