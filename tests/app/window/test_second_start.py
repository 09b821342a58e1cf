"""A second start brings the window of the first forward, also under Wayland."""

import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.desktops import WAYLAND_PROGRAMS, Sway, missing_of, sway_desktop
from tests.support.window import has_chosen_offline

_ANSWER_TIMEOUT_S: Final = 10
_DISPLAY, _REGISTRY, _ACTIVATION, _TOKEN = 1, 2, 3, 4


def activation_token(variables: Mapping[str, str]) -> str:
    """Ask the compositor of these variables for a token, by xdg-activation, version 1."""
    place = Path(variables["XDG_RUNTIME_DIR"], variables["WAYLAND_DISPLAY"])
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_ANSWER_TIMEOUT_S)
        connection.connect(str(place))
        # wl_display.get_registry
        _send(connection, _DISPLAY, 1, struct.pack("=I", _REGISTRY))
        for sender, opcode, body in _events(connection):
            if (sender, opcode) == (_REGISTRY, 0):
                (name,) = struct.unpack_from("=I", body)
                if _text(body[4:]) == "xdg_activation_v1":
                    _ask(connection, name)
            elif (sender, opcode) == (_TOKEN, 0):
                return _text(body)
    raise AssertionError("the compositor gives no tokens")


def _ask(connection: socket.socket, name: int) -> None:
    interface = _packed("xdg_activation_v1")
    # wl_registry.bind, xdg_activation_v1.get_activation_token, xdg_activation_token_v1.commit
    bound = struct.pack("=I", name) + interface + struct.pack("=II", 1, _ACTIVATION)
    _send(connection, _REGISTRY, 0, bound)
    _send(connection, _ACTIVATION, 1, struct.pack("=I", _TOKEN))
    _send(connection, _TOKEN, 3, b"")


def _send(connection: socket.socket, target: int, opcode: int, body: bytes) -> None:
    connection.sendall(struct.pack("=II", target, (8 + len(body)) << 16 | opcode) + body)


def _events(connection: socket.socket) -> Iterator[tuple[int, int, bytes]]:
    held = b""
    while chunk := connection.recv(4096):
        held += chunk
        while len(held) >= 8:
            sender, head = struct.unpack_from("=II", held)
            if len(held) < head >> 16:
                break
            yield sender, head & 0xFFFF, held[8 : head >> 16]
            held = held[head >> 16 :]


def _text(body: bytes) -> str:
    (length,) = struct.unpack_from("=I", body)
    return body[4 : 3 + length].decode()


def _packed(text: str) -> bytes:
    data = text.encode() + b"\0"
    return struct.pack("=I", len(data)) + data + b"\0" * (-len(data) % 4)


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
