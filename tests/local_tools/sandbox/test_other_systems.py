"""The sandboxes of other systems, as far as they can be looked at on this one."""

import ctypes
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.sandbox import seccomp
from local_tools.sandbox.job_object import JobObject
from local_tools.sandbox.protected_paths import protected_paths
from local_tools.sandbox.seatbelt import Seatbelt, profile
from local_tools.sandbox.types import Program, SandboxRequest

HOME = Path("/Users/ada")
PROGRAM = Program(("/opt/parley/bin/tools",), (Path("/opt/parley"),))
NOTES = SandboxRequest(HOME / 'say "hi"', may_write=True)


def test_profile_of_macos_forbids_last_what_nothing_may_allow_not_run_here() -> None:
    places = protected_paths(HOME, (HOME / "Library/Application Support/parley",))
    rules = profile(PROGRAM, NOTES, places, Path("/tmp/t")).splitlines()
    assert rules[:2] == ["(version 1)", "(deny default)"]
    allowed = rules.index(r'(allow file-read* file-write* (subpath "/Users/ada/say \"hi\""))')
    for forbidden in (
        r'(deny file-write* (subpath "/Users/ada/say \"hi\"/.git"))',
        r'(deny file-write* (literal "/Users/ada/say \"hi\"/.mcp.json"))',
        '(deny file-read* file-write* (subpath "/Users/ada/.ssh"))',
        '(deny file-read* file-write* (subpath "/Users/ada/Library/Application Support/parley"))',
        '(deny file-write* (subpath "/opt/parley"))',
    ):
        assert rules.index(forbidden) > allowed
    assert not any("network" in rule for rule in rules)


def test_profile_of_macos_allows_the_network_only_when_the_terms_do_not_run_here() -> None:
    places = protected_paths(HOME)
    rules = profile(PROGRAM, SandboxRequest(may_connect=True), places, Path("/tmp/t"))
    assert "(allow network-outbound (remote ip))" in rules


def test_protected_folder_is_never_writable_on_macos_not_run_here() -> None:
    steering = SandboxRequest(HOME / ".config/autostart", may_write=True)
    with pytest.raises(ToolError, match="never made writable"):
        Seatbelt(protected_paths(HOME)).start(PROGRAM, steering, ExitStack())


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="one of them is this system")
def test_sandboxes_of_other_systems_report_themselves_as_missing() -> None:
    assert Seatbelt(protected_paths(HOME)).missing() == "This system has no sandbox-exec."
    assert JobObject().missing() == "Job objects exist on Windows only."


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("may_connect", [False, True])
def test_filter_of_each_machine_jumps_only_forward_and_ends_by_allowing(
    machine: str, *, may_connect: bool
) -> None:
    class Step(ctypes.Structure):
        _fields_ = (
            ("code", ctypes.c_uint16),
            ("then", ctypes.c_uint8),
            ("otherwise", ctypes.c_uint8),
            ("value", ctypes.c_uint32),
        )

    data = seccomp.filter_program(may_connect=may_connect, machine=machine)
    steps = [Step.from_buffer_copy(data, at) for at in range(0, len(data), 8)]
    assert steps[-1].code == 0x06
    assert steps[-1].value == 0x7FFF0000
    for at, step in enumerate(steps):
        if step.code & 0x07 == 0x05:
            assert at + 1 + max(step.then, step.otherwise) < len(steps)


def test_a_machine_without_tables_has_no_filter() -> None:
    assert not seccomp.machine_is_known("riscv64")
