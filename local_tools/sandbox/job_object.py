"""Windows job objects: all processes of a call end with it, and their memory is limited.

A job confines neither files nor network, and its `SandboxState` says so. Not tested on Windows by
this project.

Source: Microsoft's documentation of job objects (`SetInformationJobObject`).
"""

import ctypes
import sys
from contextlib import ExitStack
from typing import Final

from local_tools.sandbox.types import LaunchSpec, Program, SandboxKind, SandboxRequest
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_EXTENDED_LIMITS: Final = 9
_KILL_ON_CLOSE: Final = 0x2000
_PROCESS_MEMORY: Final = 0x0100
_ACTIVE_PROCESSES: Final = 0x0008
_NO_CRASH_DIALOG: Final = 0x0400
_PROCESS_LIMIT: Final = 1024
_MEMORY_LIMIT_BYTES: Final = 2 * 1024**3

_MISSING: Final = QT_TRANSLATE_NOOP("Tools", "Job objects exist on Windows only.")


class JobObject:
    """Starts programs unchanged: a worker enters its job by itself. Made once by the program."""

    kind: Final[SandboxKind] = "job-object"

    def missing(self) -> str:
        """Return why it cannot even be tried here, as a sentence; empty when it can."""
        return "" if sys.platform == "win32" else _MISSING

    def start(self, program: Program, terms: SandboxRequest, held: ExitStack) -> LaunchSpec:
        """Return the program itself; files and network are not confined."""
        del terms, held
        return LaunchSpec(program.argv)


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_time", ctypes.c_int64),
        ("per_job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def enter() -> None:
    """Put this process and its future children into a job that ends with this process.

    Raises:
        OSError: Windows refused.
    """
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        # Never closed by us: the system closes it with the process, and then ends the others.
        job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
        limits = _ExtendedLimits()
        limits.basic.flags = _KILL_ON_CLOSE | _PROCESS_MEMORY | _ACTIVE_PROCESSES | _NO_CRASH_DIALOG
        limits.basic.active_processes = _PROCESS_LIMIT
        limits.process_memory = _MEMORY_LIMIT_BYTES
        was_limited = kernel.SetInformationJobObject(
            job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        own = ctypes.c_void_p(kernel.GetCurrentProcess())
        if not was_limited or not kernel.AssignProcessToJobObject(job, own):
            raise ctypes.WinError(ctypes.get_last_error())
