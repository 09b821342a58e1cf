"""A second start brings the window of the first forward, also under Wayland."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.activation import activation_token
from tests.support.desktops import WAYLAND_PROGRAMS, Sway, missing_of, sway_desktop
from tests.support.window import has_chosen_offline

_ROOT: Final = Path(__file__).parents[3]
_TIMEOUT_S: Final = 40
_LOOKS_AGAIN_S: Final = 0.05
# Another program, which has the keyboard when it is shown.
_OTHER: Final = """
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication(["other"])
application.setDesktopFileName("other")
window = QLabel("Something else")
window.show()
application.exec()
"""

pytestmark = pytest.mark.skipif(
    bool(missing_of(WAYLAND_PROGRAMS)), reason=f"no {', '.join(missing_of(WAYLAND_PROGRAMS))}"
)


@contextmanager
def _running(*arguments: str, log: Path, variables: Mapping[str, str]) -> Iterator[None]:
    environment = {**os.environ, **variables, "WAYLAND_DEBUG": "client"}
    argv = [sys.executable, *arguments]
    with (
        log.open("wb") as told,
        subprocess.Popen(argv, cwd=_ROOT, env=environment, stderr=told) as process,
    ):
        try:
            yield
        finally:
            process.terminate()
            process.wait(_TIMEOUT_S)


def _wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Look again and again: other programs tell nobody."""
    end = time.monotonic() + _TIMEOUT_S
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(_LOOKS_AGAIN_S)


def _wait_for_front(sway: Sway, name: str) -> None:
    """Wait until a window of this program has the keyboard."""

    def is_in_front() -> bool:
        return name in [window["app_id"] for window in sway.windows() if window["focused"]]

    _wait_until(is_in_front, f"{name} is in front")


def test_second_start_brings_the_window_forward_under_wayland(tmp_path: Path) -> None:
    paths = has_chosen_offline(tmp_path)
    program = ("-m", "app.main", "--data", str(tmp_path))
    with sway_desktop(1366, 768) as sway:
        plain = {**sway.variables, "XDG_ACTIVATION_TOKEN": ""}
        log = tmp_path / "first.log"
        with _running(*program, log=log, variables=plain):
            _wait_for_front(sway, "parley")
            # It is opened when the program hears other starts.
            _wait_until(paths.store_file.exists, "it listens")
            with _running("-c", _OTHER, log=tmp_path / "other.log", variables=plain):
                _wait_for_front(sway, "other")
                token = activation_token(sway.variables)

                second = subprocess.run(
                    [sys.executable, *program],
                    cwd=_ROOT,
                    env={**os.environ, **sway.variables, "XDG_ACTIVATION_TOKEN": token},
                    timeout=_TIMEOUT_S,
                    check=False,
                )

                assert second.returncode == 0
                _wait_for_front(sway, "parley")
        # Other compositors let nobody come forward without the token of the second start.
        assert f'activate("{token}", ' in log.read_text(encoding="utf-8")
