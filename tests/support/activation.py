"""A token by which a window may come forward under Wayland, as a launcher gets it.

Speaks the protocol itself: xdg-activation, version 1.
"""

import socket
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

_TIMEOUT_S = 10
_DISPLAY, _REGISTRY, _ACTIVATION, _TOKEN = 1, 2, 3, 4


def activation_token(variables: Mapping[str, str]) -> str:
    """Asks the compositor of these variables for a token."""
    place = Path(variables["XDG_RUNTIME_DIR"], variables["WAYLAND_DISPLAY"])
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_TIMEOUT_S)
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
