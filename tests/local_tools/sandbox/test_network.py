"""What reaches a listener from inside a sandbox: nothing, unless the call may use the network."""

import platform
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from local_tools.sandbox.probe import was_reached
from tests.support.confined import (
    ATTEMPT,
    Kind,
    changing,
    confined_runner,
    found,
    linux_sandboxes,
)
from tests.support.confined_tools import connects
from tests.support.tool_calls import prepared

pytestmark = pytest.mark.anyio


class Listeners:
    """Whoever could be reached on this computer: by stream, by datagram, by path, by name."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.path = str(folder / "socket")
        self.datagrams = str(folder / "datagrams")
        self.name = f"\0parley-{folder.name}-{id(self)}"
        streams = held.enter_context(socket.create_server(("127.0.0.1", 0)))
        datagrams = held.enter_context(socket.socket(type=socket.SOCK_DGRAM))
        datagrams.bind(("127.0.0.1", 0))
        self.port, self.datagram_port = (s.getsockname()[1] for s in (streams, datagrams))
        self._all = [streams, datagrams]
        for address in (self.path, self.name):
            listener = held.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
            self._all.append(listener)
        local = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        local.bind(self.datagrams)
        self._all.append(local)

    def reached(self) -> list[bool]:
        """Which of them somebody came to."""
        return [was_reached(item) for item in self._all]


@pytest.fixture
def listeners(tmp_path: Path) -> Iterator[Listeners]:
    with ExitStack() as held:
        yield Listeners(tmp_path, held)


# Nothing here fails unless it is refused.
TRIES = f"""{ATTEMPT}
import ctypes, os, socket, subprocess

def send_datagram(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", address)

def connect(family, address):
    with socket.socket(family) as connection:
        connection.settimeout(2)
        connection.connect(address)

def send_from_pair():
    first, second = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    first.sendto(b"x", DATAGRAMS)

def ask_for_name():
    try:
        return socket.getaddrinfo("localhost.example", PORT)
    except socket.gaierror as exc:
        raise OSError(exc.errno, str(exc))

def by_shell():
    done = subprocess.run(["bash", "-c", f"echo x >/dev/tcp/127.0.0.1/{{PORT}}"])
    if done.returncode:
        raise OSError(1, "refused")

def by_ring():
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(425, 8, ctypes.create_string_buffer(512)) < 0:
        raise OSError(ctypes.get_errno(), "refused")

found = [
    attempt(lambda: connect(socket.AF_INET, ("127.0.0.1", PORT))),
    attempt(lambda: connect(socket.AF_INET6, ("::ffff:127.0.0.1", PORT))),
    attempt(lambda: send_datagram(socket.AF_INET, ("127.0.0.1", DATAGRAM_PORT))),
    attempt(lambda: connect(socket.AF_UNIX, PATH)),
    attempt(lambda: connect(socket.AF_UNIX, NAME)),
    attempt(lambda: send_datagram(socket.AF_UNIX, DATAGRAMS)),
    attempt(send_from_pair),
    attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
    attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    attempt(ask_for_name),
    attempt(by_shell),
    attempt(by_ring),
]
"""


@pytest.mark.security(43)
@pytest.mark.parametrize("kind", linux_sandboxes)
async def test_no_way_out_reaches_a_listener(
    kind: Kind, tmp_path: Path, listeners: Listeners
) -> None:
    places = (
        f"PORT, PATH, DATAGRAMS = {listeners.port}, {listeners.path!r}, {listeners.datagrams!r}\n"
        f"NAME, DATAGRAM_PORT = {listeners.name!r}, {listeners.datagram_port}\n"
    )
    runner = confined_runner(kind, tmp_path / "home")
    seen = await changing(runner, tmp_path, places + TRIES)
    assert listeners.reached() == [False] * 5
    assert all(isinstance(item, str) for item in seen), seen


@pytest.mark.security(43)
@pytest.mark.parametrize("kind", linux_sandboxes)
async def test_a_call_that_may_use_the_network_reaches_it_and_no_program_of_the_desktop(
    kind: Kind, tmp_path: Path, listeners: Listeners
) -> None:
    script = f"""{ATTEMPT}
import socket
def connect(family, address):
    with socket.socket(family) as connection:
        connection.connect(address)
found = [
    attempt(lambda: connect(socket.AF_INET, ("127.0.0.1", {listeners.port}))),
    attempt(lambda: connect(socket.AF_UNIX, {listeners.name!r})),
    attempt(lambda: connect(socket.AF_UNIX, {listeners.path!r})),
]
"""
    runner = confined_runner(kind, tmp_path / "home")
    reached, *refused = await found(runner.run(prepared(connects, script=script)))
    assert reached is None
    assert refused == ["EPERM", "EPERM"]
    assert listeners.reached() == [True, False, False, False, False]


SYSTEM_CALLS = f"""{ATTEMPT}
import ctypes, os
library = ctypes.CDLL(None, use_errno=True)
def call(*numbers):
    if library.syscall(*map(ctypes.c_long, numbers)) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return "done"
own = os.getpid()
found = {{
    "ptrace": attempt(lambda: call(101, 16, os.getppid(), 0, 0)),
    "unshare": attempt(lambda: call(272, 0x10000000)),
    "clone": attempt(lambda: call(56, 0x10000000 | 17, 0, 0, 0, 0)),
    "clone3": attempt(lambda: call(435, 0, 0)),
    "setns": attempt(lambda: call(308, 0, 0)),
    "mount": attempt(lambda: call(165, 0, 0, 0, 0, 0)),
    "umount2": attempt(lambda: call(166, 0, 0)),
    "pivot_root": attempt(lambda: call(155, 0, 0)),
    "open_tree": attempt(lambda: call(428, 0, 0, 0)),
    "fsopen": attempt(lambda: call(430, 0, 0)),
    "process_vm_writev": attempt(lambda: call(311, own, 0, 0, 0, 0, 0)),
    "pidfd_getfd": attempt(lambda: call(438, 0, 0, 0)),
    "io_uring_setup": attempt(lambda: call(425, 0, 0)),
    "keyctl": attempt(lambda: call(250, 0, 0, 0, 0, 0)),
    "bpf": attempt(lambda: call(321, 0, 0, 0)),
    "perf_event_open": attempt(lambda: call(298, 0, 0, 0, 0, 0)),
    "userfaultfd": attempt(lambda: call(323, 0)),
    "open_by_handle_at": attempt(lambda: call(304, 0, 0, 0)),
    "TIOCSTI": attempt(lambda: call(16, 0, 0x5412, 0)),
    "TIOCSTI with high bits": attempt(lambda: call(16, 0, 0x5412 | 1 << 40, 0)),
}}
"""


@pytest.mark.security(43)
@pytest.mark.skipif(
    platform.machine() != "x86_64",
    reason="these are the numbers of x86-64",
)
@pytest.mark.parametrize("kind", linux_sandboxes)
async def test_system_calls_that_no_tool_needs_are_refused(kind: Kind, tmp_path: Path) -> None:
    seen = await changing(confined_runner(kind, tmp_path / "home"), tmp_path, SYSTEM_CALLS)
    expected = dict.fromkeys(seen, "EPERM") | {"clone3": "ENOSYS"}
    assert seen == expected
