"""A program under strace: whom it tried to reach."""

import ipaddress
import os
import re
from pathlib import Path
from typing import Final

from tests.support.required_programs import needs, problem_with

_INET: Final = re.compile(r'inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"')
_WATCHED: Final = "trace=connect,sendto,sendmsg,sendmmsg"

# In a container it may be installed and lack the permission to trace.
STRACE_PROBLEM: Final = problem_with(("strace", "-f", "-qq", "-o", os.devnull, "true"))

needs_strace = needs(STRACE_PROBLEM)


def traced(command: tuple[str, ...], trace: Path) -> list[str]:
    """Return the command line that runs `command` and logs to `trace` what it connects to.

    Only those calls stop it, so that it hardly runs slower.
    """
    return ["strace", "-f", "-qq", "--seccomp-bpf", "-e", _WATCHED, "-o", str(trace), *command]


def reached(trace: Path) -> list[str]:
    """Return the calls that tried to reach an address beyond this computer."""
    lines = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if any(map(_is_elsewhere, _INET.findall(line)))]


def _is_elsewhere(address: str) -> bool:
    return not ipaddress.ip_address(address).is_loopback
