"""Assemble the seccomp filter that refuses system calls which no program in a sandbox needs.

The BPF program is assembled from tables, for the two architectures of Parley's Linux packages. The
filter comes in addition to namespaces: if one of them leaks, there is still no socket to use.

Sources: seccomp(2), the kernel's `include/uapi/linux/{filter,seccomp,audit}.h` and its tables of
system calls.
"""

import errno
import platform
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

# Operations: load a word, compare, compare bits, return, and.
_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06
_AND: Final = 0x54

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_REFUSE: Final = 0x00050000

# Offsets in `struct seccomp_data`; of an argument, that of its lower half.
_NUMBER_AT: Final = 0
_ARCHITECTURE_AT: Final = 4
_FIRST_ARGUMENT_AT: Final = 16
_ARGUMENT_BYTES: Final = 8

# Marks the x32 calls of x86-64: hardly anybody uses them, and they would bypass the filter.
_X32_BIT: Final = 0x40000000
# CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}; `clone` cannot request a time namespace.
_CLONE_NEW: Final = 0x7E020000
# TIOCSTI and TIOCLINUX put words into the terminal of whoever started the program.
_TERMINAL_REQUESTS: Final = (0x5412, 0x541C)

_AF_UNIX: Final = 1
_SOCK_STREAM: Final = 1
_SOCK_TYPE_BITS: Final = 0xF
# AF_INET, AF_INET6, and AF_NETLINK, by which programs ask which addresses there are.
_NETWORK_FAMILIES: Final = (2, 10, 16)


@dataclass(frozen=True, slots=True)
class _Machine:
    """One architecture: its audit constant, its special system calls, and its call numbers."""

    mark: int
    has_x32: bool
    numbers: Mapping[str, int]


# Calls since 5.0 have one number everywhere.
_EVERYWHERE: Final[Mapping[str, int]] = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "open_tree_attr": 467,
}
_X86_64: Final = _Machine(
    0xC000003E,
    has_x32=True,
    numbers={
        "ioctl": 16,
        "socket": 41,
        "connect": 42,
        "bind": 49,
        "listen": 50,
        "socketpair": 53,
        "clone": 56,
        "ptrace": 101,
        "syslog": 103,
        "uselib": 134,
        "modify_ldt": 154,
        "pivot_root": 155,
        "chroot": 161,
        "acct": 163,
        "settimeofday": 164,
        "mount": 165,
        "umount2": 166,
        "swapon": 167,
        "swapoff": 168,
        "reboot": 169,
        "iopl": 172,
        "ioperm": 173,
        "init_module": 175,
        "delete_module": 176,
        "quotactl": 179,
        "clock_settime": 227,
        "kexec_load": 246,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "unshare": 272,
        "perf_event_open": 298,
        "fanotify_init": 300,
        "name_to_handle_at": 303,
        "open_by_handle_at": 304,
        "setns": 308,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "kcmp": 312,
        "finit_module": 313,
        "kexec_file_load": 320,
        "bpf": 321,
        "userfaultfd": 323,
        **_EVERYWHERE,
    },
)
_AARCH64: Final = _Machine(
    0xC00000B7,
    has_x32=False,
    numbers={
        "ioctl": 29,
        "umount2": 39,
        "mount": 40,
        "pivot_root": 41,
        "chroot": 51,
        "quotactl": 60,
        "acct": 89,
        "unshare": 97,
        "kexec_load": 104,
        "init_module": 105,
        "delete_module": 106,
        "clock_settime": 112,
        "syslog": 116,
        "ptrace": 117,
        "reboot": 142,
        "settimeofday": 170,
        "socket": 198,
        "socketpair": 199,
        "bind": 200,
        "listen": 201,
        "connect": 203,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "clone": 220,
        "swapon": 224,
        "swapoff": 225,
        "perf_event_open": 241,
        "fanotify_init": 262,
        "name_to_handle_at": 264,
        "open_by_handle_at": 265,
        "setns": 268,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "kcmp": 272,
        "finit_module": 273,
        "bpf": 280,
        "userfaultfd": 282,
        "kexec_file_load": 294,
        **_EVERYWHERE,
    },
)
_MACHINES: Final[Mapping[str, _Machine]] = {
    "x86_64": _X86_64,
    "amd64": _X86_64,
    "aarch64": _AARCH64,
    "arm64": _AARCH64,
}
# Looked at more closely than by their number.
_WEIGHED: Final = frozenset({"clone", "clone3", "ioctl", "socket", "socketpair"})
_ONLY_FOR_NETWORK: Final = frozenset({"bind", "connect", "listen"})


def machine_is_known(machine: str | None = None) -> bool:
    """Return whether there are tables for this architecture."""
    return (machine or platform.machine()).lower() in _MACHINES


def filter_program(*, may_connect: bool, machine: str | None = None) -> bytes:
    """Return the filter, as an array of `struct sock_filter`.

    Args:
        may_connect: Allow internet sockets; local ones are always refused.
        machine: By default that of this computer.

    Raises:
        KeyError: There are no tables for the architecture.
    """
    found = _MACHINES[(machine or platform.machine()).lower()]
    rules = _Rules(found)
    refused = found.numbers.keys() - _WEIGHED - (_ONLY_FOR_NETWORK if may_connect else frozenset())
    for name in sorted(refused, key=lambda item: found.numbers[item]):
        rules.refuse(name, errno.EPERM)
    # Its arguments lie in memory, where the filter cannot look; C libraries then take `clone`.
    rules.refuse("clone3", errno.ENOSYS)
    rules.refuse_bits("clone", 0, _CLONE_NEW)
    rules.refuse_values("ioctl", 1, _TERMINAL_REQUESTS)
    # A connected stream pair reaches only itself; a datagram socket could send elsewhere.
    rules.refuse_unless("socketpair", 0, (_AF_UNIX,))
    rules.refuse_unless("socketpair", 1, (_SOCK_STREAM,), bits=_SOCK_TYPE_BITS)
    if may_connect:
        rules.refuse_unless("socket", 0, _NETWORK_FAMILIES)
    else:
        rules.refuse("socket", errno.EACCES)
    return rules.program()


class _Rules:
    """Puts a filter together. Each rule stands alone: it begins and ends with the number."""

    def __init__(self, machine: _Machine) -> None:
        self._numbers = machine.numbers
        self._code = [
            _operation(_LOAD, _ARCHITECTURE_AT),
            _operation(_EQUAL, machine.mark, then=1),
            _operation(_RETURN, _KILL),
            _operation(_LOAD, _NUMBER_AT),
        ]
        if machine.has_x32:
            self._code += [
                _operation(_AT_LEAST, _X32_BIT, otherwise=1),
                _operation(_RETURN, _KILL),
            ]

    def refuse(self, name: str, error: int) -> None:
        self._only_for(name, [_operation(_RETURN, _REFUSE | error)])

    def refuse_bits(self, name: str, argument: int, bits: int) -> None:
        self._weigh(name, argument, [_operation(_ANY_BIT, bits, otherwise=1), _refusal()])

    def refuse_values(self, name: str, argument: int, values: Sequence[int]) -> None:
        for value in values:
            self._weigh(name, argument, [_operation(_EQUAL, value, otherwise=1), _refusal()])

    def refuse_unless(
        self, name: str, argument: int, values: Sequence[int], bits: int = 0xFFFFFFFF
    ) -> None:
        last = len(values) - 1
        steps = [_operation(_AND, bits)]
        # Found: over the others and the refusal.
        steps += [
            _operation(_EQUAL, value, then=last - index + 1) for index, value in enumerate(values)
        ]
        self._weigh(name, argument, [*steps, _refusal()])

    def program(self) -> bytes:
        return b"".join([*self._code, _operation(_RETURN, _ALLOW)])

    def _weigh(self, name: str, argument: int, steps: Sequence[bytes]) -> None:
        at = _FIRST_ARGUMENT_AT + argument * _ARGUMENT_BYTES
        self._only_for(name, [_operation(_LOAD, at), *steps, _operation(_LOAD, _NUMBER_AT)])

    def _only_for(self, name: str, steps: Sequence[bytes]) -> None:
        self._code.append(_operation(_EQUAL, self._numbers[name], otherwise=len(steps)))
        self._code.extend(steps)


def _refusal() -> bytes:
    return _operation(_RETURN, _REFUSE | errno.EPERM)


def _operation(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)
