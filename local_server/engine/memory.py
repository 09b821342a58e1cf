"""Decide whether a model fits this computer's memory, and how it is run there.

`plan` says how the engine is started with a file: the window, how many answers at once, the
threads.
"""

import contextlib
import ctypes
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from local_server.engine.model_files import ModelFile

# On most computers, a prompt of this size takes a bearable time; a larger window must be chosen.
USUAL_WINDOW: Final = 32_768
# A smaller window has no room for instructions and a question.
_LEAST_WINDOW: Final = 4096
_SLOTS: Final = 2
# The engine itself, and what it computes with.
_OWN_BYTES: Final = 256 * 1024 * 1024
# What is left for everything else.
_SPARE_BYTES: Final = 512 * 1024 * 1024
# What it may compute with at most: answers of a large vocabulary, images, earlier prompts, and for
# each token of the window the attention of a model without flash attention.
_MOST_OWN_BYTES: Final = 3 * 1024 * 1024 * 1024
_MOST_TOKEN_BYTES: Final = 128 * 1024
_STEP: Final = 1024
_GB: Final = 1_000_000_000
_CPU_INFO: Final = Path("/proc/cpuinfo")
_WINDOWS_AVX2: Final = 40


class EngineError(Exception):
    """The engine cannot answer; the message is a sentence for the user."""


@dataclass(frozen=True)
class EnginePlan:
    """How the engine is started.

    Attributes:
        window: How many tokens one question and its answer may have.
        slots: How many answers it gives at once.
        threads: How many threads compute.
        most_bytes: How much memory it may allocate, its model's file not counted.
    """

    window: int
    slots: int
    threads: int
    most_bytes: int


def plan(model: ModelFile, wanted_window: int | None, free_bytes: int | None = None) -> EnginePlan:
    """Choose how to start the engine with a model.

    Args:
        model: The file.
        wanted_window: The window that a person chose, in tokens; None leaves it to what fits.
        free_bytes: How much memory programs can have; None asks the system.

    Raises:
        EngineError: When the model does not fit, or the processor cannot run it.
    """
    if not has_needed_instructions():
        raise EngineError("The processor of this computer lacks AVX2, which the engine needs.")
    if not model.has_template:
        raise EngineError(
            "This model has no chat template, so it cannot be used for chats. Choose one that "
            "is made for chats, often with “Instruct” in its name."
        )
    free = psutil.virtual_memory().available if free_bytes is None else free_bytes
    most = min(model.window, wanted_window or USUAL_WINDOW)
    least = min(most, _LEAST_WINDOW)
    room = (free - _SPARE_BYTES - needed_bytes(model, 0)) // max(1, model.token_bytes)
    # The engine allocates a whole window at once, so it gets half of the free memory, unless that
    # is too little for a conversation.
    ample = room if wanted_window is not None else room // 2
    if ample >= most * _SLOTS:
        return EnginePlan(most, _SLOTS, _threads(), _most_bytes(model, most * _SLOTS, free))
    for window in (min(most, ample), min(most, room, _LEAST_WINDOW)):
        if window >= least:
            chosen = window if window == most else _rounded(window)
            return EnginePlan(chosen, 1, _threads(), _most_bytes(model, chosen, free))
    needed = needed_bytes(model, min(most, _LEAST_WINDOW)) + _SPARE_BYTES
    raise EngineError(
        f"{model.name} needs {_gb(needed)} of memory, but only {_gb(free)} is free. Close other "
        "programs, or choose a smaller model."
    )


def needed_bytes(model: ModelFile, window: int) -> int:
    """Return how much memory a model takes with a window of so many tokens."""
    return model.size_bytes + _OWN_BYTES + model.token_bytes * window


def _most_bytes(model: ModelFile, tokens: int, free_bytes: int) -> int:
    # It may rewrite the weights for this processor, into memory of its own.
    needed = needed_bytes(model, tokens) + _MOST_OWN_BYTES + _MOST_TOKEN_BYTES * tokens
    return min(needed, free_bytes)


def fits(size_bytes: int, total_bytes: int | None = None) -> bool:
    """Return whether a model file of this size can be run here, when little else is open."""
    total = psutil.virtual_memory().total if total_bytes is None else total_bytes
    # A window takes about a tenth of a model's size.
    return size_bytes + size_bytes // 10 + _OWN_BYTES + 2 * _SPARE_BYTES <= total


def has_needed_instructions() -> bool:
    """Return whether the processor has the instructions that the engine needs: on x86-64, AVX2."""
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return True
    has_them = True
    if sys.platform == "win32":
        has_them = bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(_WINDOWS_AVX2))
    elif sys.platform == "linux":
        # If that cannot be read, the start of the engine itself shows it.
        with contextlib.suppress(OSError):
            has_them = "avx2" in _CPU_INFO.read_text(encoding="utf-8", errors="replace").split()
    return has_them


def _rounded(window: int) -> int:
    return window // _STEP * _STEP


def _threads() -> int:
    """Leave one core to everything else."""
    return max(1, (psutil.cpu_count(logical=False) or 2) - 1)


def _gb(count: int) -> str:
    return f"{max(0, count) / _GB:.1f} GB"
