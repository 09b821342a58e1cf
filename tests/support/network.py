"""Keeps every test on the loopback, whatever the code under it tries."""

import ipaddress
import socket
import sys
from typing import Any

_LOOPBACK_NAMES = frozenset({"", "localhost", "ip6-localhost"})
_INTERNET_FAMILIES = frozenset({socket.AF_INET, socket.AF_INET6})

refused: list[str] = []


class NetworkRefusedError(OSError):
    """A test tried to leave this machine."""


def stay_on_loopback() -> None:
    """Refuse connections and look-ups beyond the loopback; holds until the process ends."""
    sys.addaudithook(_on_audit)


def _on_audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.sendto"}:
        _check_address(*arguments)
    elif event == "socket.getaddrinfo":
        _check_name(arguments[0])


def _check_address(connection: socket.socket, address: Any) -> None:
    if connection.family in _INTERNET_FAMILIES and not _is_loopback(str(address[0])):
        refused.append(str(address))
        raise NetworkRefusedError(f"tests stay on the loopback: {address}")


def _check_name(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else str(host or "")
    if name in _LOOPBACK_NAMES or _is_address(name):
        return
    # What the resolver says of these is known, so it need not be asked.
    if not name.endswith(".invalid"):
        refused.append(name)
    raise socket.gaierror(socket.EAI_NONAME, "tests do not look up names")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_loopback(text: str) -> bool:
    if text in _LOOPBACK_NAMES:
        return True
    return _is_address(text) and ipaddress.ip_address(text.partition("%")[0]).is_loopback
