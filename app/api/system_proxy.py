"""The proxy that the system names: its own setting, never a variable that a program has set."""

import ast
import ipaddress
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from app.api.address import AddressRefused, check_proxy_address

_TIMEOUT_S: Final = 2.0
_SCHEMA: Final = "org.gnome.system.proxy"
_COMMAND: Final = ("gsettings", "list-recursively", _SCHEMA)

Run = Callable[[Sequence[str]], str]
"""Runs a command; returns what it wrote, empty where it cannot be run."""


def system_proxy(host: str, platform: str = sys.platform) -> str | None:
    """Returns the address of the proxy that leads to `host`; None where there is none.

    On Linux that is what the desktop's settings say by hand; scripts that choose a proxy (PAC)
    are run nowhere. May take some seconds: call it in a thread.
    """
    if platform == "linux":
        return desktop_proxy(host, _run)
    # Their variables are forgotten since the start, so these look where the system keeps it.
    named = urllib.request.getproxies().get("https", "")
    return None if not named or urllib.request.proxy_bypass(host) else _checked(named)


def desktop_proxy(host: str, run: Run) -> str | None:
    """Returns the proxy for `host` that the desktop's settings name, as `run` tells them."""
    told = _read(run(_COMMAND))
    name, port = told.get(f"{_SCHEMA}.https host"), told.get(f"{_SCHEMA}.https port")
    if told.get(f"{_SCHEMA} mode") != "manual" or not name or not port:
        return None
    passed = told.get(f"{_SCHEMA} ignore-hosts")
    patterns = [str(one) for one in passed] if isinstance(passed, list) else []
    return None if any(_fits(host, one) for one in patterns) else _checked(f"{name}:{port}")


def _checked(address: str) -> str | None:
    try:
        return check_proxy_address(address)
    except AddressRefused:
        return None


def _read(output: str) -> Mapping[str, object]:
    told: dict[str, object] = {}
    for line in output.splitlines():
        schema, _, rest = line.partition(" ")
        key, _, value = rest.partition(" ")
        try:
            told[f"{schema} {key}"] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            # Such as `true` and `@as []`, none of which is asked for.
            continue
    return told


def _fits(host: str, pattern: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(pattern, strict=False)
    except ValueError:
        suffix = pattern.removeprefix("*").removeprefix(".").lower()
        host = host.lower()
        return bool(suffix) and (host == suffix or host.endswith(f".{suffix}"))


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout
