"""Start other programs; `Failed` is the error that dev.py prints as a sentence."""

import math
import os
import re
import subprocess
import sys
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, NoReturn

_TAIL_LINES: Final = 8
# What takes longest, freezing, takes minutes.
_LIMIT_S: Final = 3600.0
# How long a program may take to end when it is told to.
END_LIMIT_S: Final = 5.0
# How often a program that is silent is said to be still under way.
NOTE_S: Final = 60.0
# How pip, uv and apt say that they reached nobody.
_UNREACHABLE: Final = re.compile(
    r"failed to establish|connection (refused|reset|aborted|timed out)|error sending request|"
    r"(could not|unable to) connect|could not resolve '|name resolution|dns error|"
    r"name or service not known|unreachable|timed out|ProxyError",
    re.IGNORECASE,
)


class Failed(Exception):
    """A command of dev.py failed; the message is a sentence for the user."""


def say(words: str) -> None:
    """Print a message at once; on stderr, since stdout belongs to the program that is run."""
    print(f"dev.py: {words}", file=sys.stderr, flush=True)


def run(
    argv: Sequence[str | Path],
    *,
    doing: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    text: str = "",
    may_be_stopped: bool = True,
    asks_network: bool = False,
    good_codes: Container[int] = (0,),
    limit_s: float = _LIMIT_S,
) -> str:
    """Run a program to its end without showing what it says; once a minute, print that it runs.

    Args:
        argv: The program and its arguments.
        doing: What is under way, to begin a sentence with ("Fetching uv").
        env: All of its variables; ours by default.
        cwd: Its folder; ours by default.
        text: What it reads from its stdin.
        may_be_stopped: It is ended when dev.py is; otherwise dev.py waits for it, however long
            that takes.
        asks_network: It is pip, uv or apt, whose messages show when the network failed.
        good_codes: The exit codes of success.
        limit_s: How long it may take.

    Returns:
        What it wrote to stdout.

    Raises:
        Failed: It cannot be started, did not succeed, or did not end.
    """
    with _started(argv, env, cwd, doing) as process:
        try:
            limit = limit_s if may_be_stopped else math.inf
            output, errors = _wait_for_end(process, text, doing, limit)
        except subprocess.TimeoutExpired as exc:
            raise Failed(f"{doing} was given up after {limit_s:g} s.") from exc
        finally:
            if process.poll() is None and may_be_stopped:
                _end(process)
            elif process.poll() is None:
                say(f"{doing} must not be cut off; waiting for its end.")
    if process.returncode not in good_codes:
        raise Failed(_explain(doing, output, errors, asks_network=asks_network))
    return output


@contextmanager
def alongside(
    argv: Sequence[str | Path],
    *,
    doing: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    asks_network: bool = False,
    limit_s: float = _LIMIT_S,
) -> Iterator[None]:
    """Run a program while the block runs, and wait for its end after the block.

    A block that fails, or is told to end, ends the program. The arguments are those of `run`;
    `limit_s` is how long it may take after the block.

    Raises:
        Failed: It cannot be started, did not succeed, or did not end.
    """
    # Files, since nobody reads a pipe meanwhile, and a full one holds the program.
    with (
        TemporaryFile("w+", encoding="utf-8", errors="replace") as output,
        TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        _started(argv, env, cwd, doing, (output, errors)) as process,
    ):
        _end_input(process)
        try:
            yield
            process.wait(limit_s)
        except subprocess.TimeoutExpired as exc:
            raise Failed(f"{doing} was given up after {limit_s:g} s.") from exc
        finally:
            if process.poll() is None:
                _end(process)
        if process.returncode != 0:
            for file in (output, errors):
                file.seek(0)
            raise Failed(_explain(doing, output.read(), errors.read(), asks_network=asks_network))


def succeeds(
    argv: Sequence[str | Path], *, cwd: Path, variables: Mapping[str, str] | None = None
) -> bool:
    """Run a program that prints to the terminal itself, and return whether all was well."""
    say(" ".join([Path(argv[0]).stem, *map(str, argv[1:])]))
    env = {**os.environ, **(variables or {})}
    return subprocess.run(argv, cwd=cwd, check=False, env=env).returncode == 0


def become(argv: Sequence[str | Path], variables: Mapping[str, str]) -> NoReturn:
    """Replace this process with another program, so that none of ours stays above it."""
    env = {**os.environ, **variables}
    if sys.platform == "win32":
        sys.exit(subprocess.run(argv, env=env, check=False).returncode)
    try:
        # The rule wants a shell; ours are argv lists, as everywhere.
        os.execve(argv[0], [str(part) for part in argv], env)  # noqa: S606
    except OSError as exc:
        raise Failed(f"{argv[0]} cannot be started: {exc.strerror}.") from exc


def _started(
    argv: Sequence[str | Path],
    env: Mapping[str, str] | None,
    cwd: Path | None,
    doing: str,
    said: tuple[int | IO[str], int | IO[str]] = (subprocess.PIPE, subprocess.PIPE),
) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            argv,
            env=env,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=said[0],
            stderr=said[1],
            encoding="utf-8",
            errors="replace",
            # The lock of the set-up is inheritable: it must hold as long as somebody works
            # under it, also when this process is killed and its child lives on.
            close_fds=False,
        )
    except OSError as exc:
        raise Failed(f"{doing} failed: {argv[0]} cannot be started ({exc.strerror}).") from exc


def _wait_for_end(
    process: subprocess.Popen[str], text: str, doing: str, limit_s: float
) -> tuple[str, str]:
    """Return what a process wrote to stdout and stderr.

    Raises:
        subprocess.TimeoutExpired: It has not ended after `limit_s`.
    """
    begin = time.monotonic()
    while True:
        passed_s = time.monotonic() - begin
        try:
            return process.communicate(text or None, min(NOTE_S, max(0, limit_s - passed_s)))
        except subprocess.TimeoutExpired:
            if (passed_s := time.monotonic() - begin) >= limit_s:
                raise
            # What is in brackets is advice for a failure.
            say(f"{doing.partition(' (')[0]}: still running after {passed_s:.0f} s.")
            text = ""


def _end_input(process: subprocess.Popen[str]) -> None:
    """Close the stdin of a process, so that it does not wait for an answer."""
    if process.stdin is not None:
        process.stdin.close()


def _end(process: subprocess.Popen[str]) -> None:
    """Terminate a process, and kill it if it does not end."""
    process.terminate()
    try:
        process.wait(END_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _explain(doing: str, output: str, errors: str, *, asks_network: bool) -> str:
    if asks_network and _UNREACHABLE.search(f"{output}\n{errors}"):
        return (
            f"{doing} failed, since the network did not answer. Check the connection and the "
            "index and proxy settings of pip, then start again; it goes on where it stopped."
        )
    # Both: programs differ in which of the two has the reason.
    tail = "\n  ".join([*_tail(output), *_tail(errors)])
    return f"{doing} failed. The last that was said:\n  {tail}"


def _tail(said: str) -> list[str]:
    return [line for line in said.splitlines() if line.strip()][-_TAIL_LINES:]
