"""Run a program directly, or a script in a shell.

`run_command` and `run_shell` are the tools. A `Capture` collects the output of the
program: it keeps the beginning and the end, and counts the bytes in between.
"""

import os
import selectors
import subprocess
import time
from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from local_tools.limits import HEAD_BYTES, TAIL_BYTES, output_text
from local_tools.processes import clean_environment, signal_name
from local_tools.tool import (
    AS_SHELL,
    CommandLine,
    Input,
    Output,
    ToolContext,
    ToolError,
    ToolTimeoutError,
    tool,
)
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_LATEST_BYTES: Final = 2048
_CHUNK_BYTES: Final = 64 * 1024
_CHUNKS_AT_ONCE: Final = 64


class Capture:
    """The output of one program. Lives as long as the call; whoever made it closes it."""

    def __init__(self, keep: Callable[[bytes], None]) -> None:
        """Take a function that also gets every byte, including those that are cut."""
        self._keep = keep
        self.total_bytes = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._descriptor = -1

    @property
    def cut_bytes(self) -> int:
        """How many bytes were left out in the middle."""
        return self.total_bytes - len(self._head) - len(self._tail)

    def attach(self, process: "subprocess.Popen[bytes]", selector: selectors.BaseSelector) -> None:
        """Take over the pipe of a program and watch it."""
        if process.stdout is None:
            return
        self._descriptor = os.dup(process.stdout.fileno())
        process.stdout.close()
        os.set_blocking(self._descriptor, False)
        selector.register(self._descriptor, selectors.EVENT_READ)

    def read_available(self, selector: selectors.BaseSelector) -> bool:
        """Read what is available; return True when the pipe is empty or closed."""
        for _ in range(_CHUNKS_AT_ONCE):
            if self._descriptor < 0:
                return True
            try:
                chunk = os.read(self._descriptor, _CHUNK_BYTES)
            except BlockingIOError:
                return True
            if not chunk:
                selector.unregister(self._descriptor)
                self.close()
            self._add(chunk)
        return False

    def text(self) -> str:
        """Return the output as text; bytes that are not UTF-8 become U+FFFD."""
        return output_text(self._head, self._tail, self.cut_bytes)

    def latest(self) -> str:
        """Return the last few lines of output, to show while the program runs."""
        data = bytes((self._tail or self._head)[-_LATEST_BYTES:])
        return data.decode("utf-8", "replace")

    def close(self) -> None:
        """Close the pipe."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _add(self, chunk: bytes) -> None:
        self._keep(chunk)
        self.total_bytes += len(chunk)
        room = HEAD_BYTES - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        del self._tail[:-TAIL_BYTES]


_LONGEST_S: Final = 600
_POLL_S: Final = 0.05
_TELL_EVERY_S: Final = 0.2
_OUTPUT_LIMIT_BYTES: Final = 64 * 1024 * 1024


_TimeLimit: TypeAlias = Annotated[
    int, Input(ge=1, le=_LONGEST_S, title=QT_TRANSLATE_NOOP("Tools", "Time limit in seconds"))
]


@tool(
    timeout_s=_LONGEST_S + 15,
    title="Run command",
    question="Run a program on this computer?",
    icon="terminal",
)
def run_command(argv: CommandLine, context: ToolContext, timeout_s: _TimeLimit = 60) -> Output:
    """Run a program in the chat's folder and return its output.

    No shell is used, so there are no pipes, wildcards or variables.

    Args:
        argv: The program and its arguments, one item each, such as ["git", "status"].
        timeout_s: After this many seconds it is stopped.
        context: Told all that it writes.
    """
    return _run(argv, timeout_s, context)


@tool(
    timeout_s=_LONGEST_S + 15,
    is_grantable=False,
    title="Run shell command",
    question="Run this shell command on this computer?",
    icon="terminal",
)
def run_shell(
    command: Annotated[CommandLine, AS_SHELL], context: ToolContext, timeout_s: _TimeLimit = 60
) -> Output:
    """Run a command line in a POSIX shell (sh) in the chat's folder and return its output.

    Use it only for pipes, redirections or variables; the user is asked about each command line. To
    run a single program, run the program itself.

    Args:
        command: The whole text for the shell, such as "sort names.txt | uniq -c".
        timeout_s: After this many seconds it is stopped.
        context: Told all that it writes.
    """
    return _run(command, timeout_s, context)


def _run(line: CommandLine, timeout_s: int, context: ToolContext) -> Output:
    process = _start(line.argv)
    capture = Capture(context.keep_output)
    try:
        _follow(process, capture, timeout_s, context)
    finally:
        # Once it was waited for, its PID may belong to another process.
        if process.returncode is None:
            # Imported only now: slow, and few programs have to be stopped.
            from local_tools.descendants import end_descendants  # noqa: PLC0415

            end_descendants(process.pid)
            process.kill()
            process.wait()
        capture.close()
    return Output(_report(_ending(process.returncode), capture), capture.cut_bytes)


def _start(argv: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=clean_environment(os.environ),
        )
    except OSError as exc:
        raise ToolError(f"{argv[0]} cannot be started: {exc.strerror}.") from exc


def _follow(
    process: "subprocess.Popen[bytes]", capture: Capture, timeout_s: int, context: ToolContext
) -> None:
    """Collect the program's output until it ends or its time is over."""
    started_at = time.monotonic()
    ends_at, tell_at, told_bytes = started_at + timeout_s, started_at, 0
    with selectors.DefaultSelector() as selector:
        capture.attach(process, selector)
        while True:
            # Asked before reading, so that what was written last is still read.
            has_ended, is_over = process.poll() is not None, time.monotonic() > ends_at
            selector.select(0 if has_ended else _POLL_S)
            is_dry = capture.read_available(selector)
            if has_ended and is_dry:
                return
            if capture.total_bytes > told_bytes and time.monotonic() >= tell_at:
                told_bytes, tell_at = capture.total_bytes, time.monotonic() + _TELL_EVERY_S
                context.progress(told_bytes, text=capture.latest())
            if capture.total_bytes > _OUTPUT_LIMIT_BYTES:
                what = f"The command wrote more than {_OUTPUT_LIMIT_BYTES:,} bytes"
                raise ToolError(_report(f"{what} and was stopped.", capture))
            if is_over:
                what = f"The command did not end within {timeout_s} s"
                raise ToolTimeoutError(_report(f"{what} and was stopped.", capture))


def _ending(code: int) -> str:
    if code >= 0:
        return f"Exit code {code}."
    return f"Ended by {signal_name(-code)}."


def _report(headline: str, capture: Capture) -> str:
    text = capture.text()
    return f"{headline}\n\n{text}" if text else f"{headline} No output."
