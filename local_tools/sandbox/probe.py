"""Test a sandbox by trying forbidden actions inside it."""

import json
import logging
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from local_tools.errors import ToolError
from local_tools.processes import clean_environment
from local_tools.programs import program_of
from local_tools.sandbox.probe_actions import ProbePlan, ProbeResult
from local_tools.sandbox.types import (
    Program,
    Sandbox,
    SandboxKind,
    SandboxRequest,
    SandboxState,
    nothing_holds,
)
from local_tools.translation_marks import QT_TRANSLATE_NOOP

log = logging.getLogger(__name__)

# Generous: a computer that has just started is slow, and the result holds until the program ends.
_TIMEOUT_S: Final = 30.0
_FINDINGS: Final = TypeAdapter(ProbeResult)

_DID_NOT_START: Final = QT_TRANSLATE_NOOP(
    "Tools", "The sandbox is installed but could not start a program."
)
_NO_PROC: Final = QT_TRANSLATE_NOOP(
    "Tools", "The sandbox cannot start in this container, which covers parts of /proc."
)
_NO_NAMESPACES: Final = QT_TRANSLATE_NOOP(
    "Tools", "The sandbox cannot start: this system does not let it create namespaces."
)
# Parts of bubblewrap's error messages (several versions), and ours for them.
_SAID: Final = {
    "can't mount proc": _NO_PROC,
    "no permissions to creat": _NO_NAMESPACES,
    "creating new namespace": _NO_NAMESPACES,
    "setting up uid map": _NO_NAMESPACES,
    # There is a network namespace, but without the right to set up its loopback device.
    "loopback:": _NO_NAMESPACES,
}
_FILES: Final = QT_TRANSLATE_NOOP("Tools", "The sandbox does not confine the tool to the folder.")
_PLACES: Final = QT_TRANSLATE_NOOP(
    "Tools", "The sandbox cannot protect the hooks of a repository in a writable folder."
)
_NETWORK: Final = QT_TRANSLATE_NOOP("Tools", "The sandbox does not block the network.")
_PROCESSES: Final = QT_TRANSLATE_NOOP(
    "Tools", "The sandbox does not hide other processes, or a process may outlive its call."
)


def probe(sandbox: Sandbox) -> SandboxState:
    """Try forbidden actions inside a sandbox. Starts a process: call it in a thread."""
    missing = sandbox.missing()
    if missing:
        return nothing_holds(sandbox.kind, missing)
    with ExitStack() as held:
        try:
            found, came_out = _try_inside(sandbox, held)
        except (OSError, ToolError, ValidationError, subprocess.SubprocessError) as exc:
            log.info("The sandbox %s does not work here: %s", sandbox.kind, exc)
            return nothing_holds(sandbox.kind, _why(str(exc).lower()))
    return _judged(sandbox.kind, found, came_out=came_out)


def _why(said: str) -> str:
    """Return why nothing was started, from the output of the sandbox's program in lower case."""
    return next((reason for part, reason in _SAID.items() if part in said), _DID_NOT_START)


def _try_inside(sandbox: Sandbox, held: ExitStack) -> tuple[ProbeResult, bool]:
    scene = Path(os.path.realpath(held.enter_context(tempfile.TemporaryDirectory())))
    inside, outside = scene / "inside", scene / "outside"
    inside.mkdir()
    outside.mkdir()
    secret = outside / "secret"
    secret.write_text("x")
    listener = held.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
    datagrams = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    # Another number: that of the streams may be somebody else's for datagrams.
    datagrams.bind(("127.0.0.1", 0))
    ports = (listener.getsockname()[1], datagrams.getsockname()[1])
    local = str(outside / "socket")
    listeners = [listener, datagrams, *_local_listener(local, held)]
    trial = ProbePlan(str(inside), str(outside), str(secret), *ports, local, os.getpid())
    findings = _run(sandbox, trial, inside, held)
    came_out = any(was_reached(item) for item in listeners)
    return findings, came_out or (outside / "forbidden").exists()


def _local_listener(path: str, held: ExitStack) -> tuple[socket.socket, ...]:
    if sys.platform == "win32":
        return ()
    listener = held.enter_context(socket.socket(socket.AF_UNIX))
    listener.bind(path)
    listener.listen()
    return (listener,)


def _run(sandbox: Sandbox, trial: ProbePlan, inside: Path, held: ExitStack) -> ProbeResult:
    program = program_of("probe")
    confined = Program((*program.argv, json.dumps(asdict(trial))), program.folders)
    start = sandbox.start(confined, SandboxRequest(inside, may_write=True), held)
    done = subprocess.run(
        start.argv,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=_TIMEOUT_S,
        env=clean_environment(os.environ),
        pass_fds=start.descriptors,
    )
    if done.returncode:
        raise OSError(done.returncode, done.stderr.decode("utf-8", "replace")[-500:])
    return _FINDINGS.validate_json(done.stdout)


def was_reached(listener: socket.socket) -> bool:
    """Return whether a listener got a connection or datagram."""
    listener.setblocking(False)
    with suppress(BlockingIOError):
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
        return True
    return False


def _judged(kind: SandboxKind, found: ProbeResult, *, came_out: bool) -> SandboxState:
    """Judge the findings. What was seen from outside counts before what was said inside."""
    if not found.wrote_inside:
        return nothing_holds(kind, _DID_NOT_START)
    files = not (found.wrote_outside or found.read_secret)
    network = not (found.connected or came_out)
    processes = not found.reached_process and _is_apart(found.process_namespace)
    doubts = (
        (files, _FILES),
        (not found.changed_kept, _PLACES),
        (network, _NETWORK),
        (processes, _PROCESSES),
    )
    reasons = tuple(sentence for holds, sentence in doubts if not holds)
    return SandboxState(kind, files, not found.changed_kept, network, processes, reasons)


def _is_apart(namespace: str) -> bool:
    """Return whether the processes inside have a PID namespace of their own; known on Linux."""
    own = Path("/proc/self/ns/pid")
    return own.is_symlink() and bool(namespace) and namespace != str(own.readlink())
