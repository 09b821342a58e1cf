"""The program that `probe` runs inside a sandbox: tries forbidden actions and reports.

Imports the standard library only, so that it starts fast.
"""

import errno
import json
import os
import socket
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

_TIMEOUT_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """The targets of the actions; passed as JSON.

    Attributes:
        inside: A folder that the program may write.
        outside: A folder that it must not write.
        secret: A file that it must not read.
        port: A TCP listener on loopback.
        datagram_port: A UDP listener on loopback.
        local_socket: The path of a Unix socket listener.
        process: The id of a process outside.
    """

    inside: str
    outside: str
    secret: str
    port: int
    datagram_port: int
    local_socket: str
    process: int


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """Which actions succeeded; `wrote_inside` must, the others must not.

    Attributes:
        process_namespace: The id of its PID namespace; empty if unknown.
    """

    wrote_inside: bool
    wrote_outside: bool
    read_secret: bool
    changed_kept: bool
    connected: bool
    reached_process: bool
    process_namespace: str


def try_all(arguments: list[str]) -> None:
    """Try every action and print the results as JSON."""
    trial = ProbePlan(**json.loads(arguments[0]))
    inside, outside = Path(trial.inside), Path(trial.outside)
    found = ProbeResult(
        wrote_inside=_works(lambda: (inside / "allowed").write_text("x")),
        wrote_outside=_works(lambda: (outside / "forbidden").write_text("x")),
        read_secret=_works(lambda: Path(trial.secret).read_text()),
        changed_kept=_works(lambda: _change_kept(inside)),
        connected=any(_works(act) for act in _connections(trial)),
        reached_process=any(_works(act) for act in _reaches(trial)),
        process_namespace=_process_namespace(),
    )
    print(json.dumps(asdict(found)))  # noqa: T201 - the answer of this program


def _works(act: Callable[[], object]) -> bool:
    try:
        act()
    except OSError:
        return False
    return True


def _change_kept(inside: Path) -> None:
    """Make a hook in a repository that is not there yet."""
    hooks = inside / ".git" / "hooks"
    hooks.mkdir(parents=True, exist_ok=True)
    (hooks / "post-checkout").write_text("x")


def _connections(trial: ProbePlan) -> tuple[Callable[[], object], ...]:
    return (
        lambda: socket.create_connection(("127.0.0.1", trial.port), _TIMEOUT_S).close(),
        lambda: _send_datagram(trial.datagram_port),
        lambda: _connect_locally(trial.local_socket),
    )


def _send_datagram(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", port))


def _connect_locally(path: str) -> None:
    if not hasattr(socket, "AF_UNIX"):
        raise OSError(errno.EAFNOSUPPORT, "no local sockets")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_TIMEOUT_S)
        connection.connect(path)


def _reaches(trial: ProbePlan) -> tuple[Callable[[], object], ...]:
    if os.name == "nt":
        # There, to ask whether a process is there would interrupt it.
        return (lambda: None,)
    if trial.process == os.getpid():
        # Both are the first process of their PID namespace, so the number names this process and
        # says nothing about reaching the other.
        return ()
    return (
        lambda: os.kill(trial.process, 0),
        lambda: Path(f"/proc/{trial.process}/environ").read_bytes(),
        lambda: Path(f"/proc/{trial.process}/cmdline").read_bytes(),
    )


def _process_namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
