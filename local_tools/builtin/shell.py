"""Run a program without a shell, or a text in one."""

import os
import selectors
import subprocess
import time
from typing import Annotated, Final, TypeAlias

from local_tools.builtin.capture import Capture
from local_tools.phrases import QT_TRANSLATE_NOOP
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

_LONGEST_S: Final = 600
_POLL_S: Final = 0.05
_TELL_EVERY_S: Final = 0.2
_OUTPUT_LIMIT_BYTES: Final = 64 * 1024 * 1024


_TimeLimit: TypeAlias = Annotated[
    int, Input(ge=1, le=_LONGEST_S, title=QT_TRANSLATE_NOOP("Tools", "Time limit in seconds"))
]


@tool(timeout_s=_LONGEST_S + 15, title="Run command")
def run_command(argv: CommandLine, context: ToolContext, timeout_s: _TimeLimit = 60) -> Output:
    """Run a program in the chat's folder and return what it writes.

    There is no shell: no pipes, no wildcards, no variables.

    Args:
        argv: The program and its arguments, one item each, such as ["git", "status"].
        timeout_s: After this many seconds it is stopped.
        context: Told all that it writes.
    """
    return _run(argv, timeout_s, context)


@tool(timeout_s=_LONGEST_S + 15, is_grantable=False, title="Run shell command")
def run_shell(
    command: Annotated[CommandLine, AS_SHELL], context: ToolContext, timeout_s: _TimeLimit = 60
) -> Output:
    """Run a text in a POSIX shell (sh) in the chat's folder and return what it writes.

    Only for what needs pipes, redirections or variables; the user is asked about each one. For a
    single program, run the program itself.

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
        # One that was waited for has no children left, and its number may be another's by now.
        if process.returncode is None:
            # Takes a while to be there, and few have to be stopped.
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
    """Collect what the program writes until it ends or has to be stopped."""
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
