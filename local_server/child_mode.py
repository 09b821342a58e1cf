"""`serve --child`: run the service as a child process of another program.

The parent passes a listening socket and one line of JSON on standard input, gets one line of
JSON on standard output when the service answers, and ends it by closing standard input. So the
service cannot outlive its parent, however that process dies.
"""

import base64
import ctypes
import logging
import os
import signal
import socket
import sys
import threading
from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from local_server.errors import explain
from local_server.json_text import JsonTextError, parse_json

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

STDIN: Final = 0
_HARD_EXIT_AFTER_S: Final = 1.2
_READ_BYTES: Final = 65536
_LONGEST_LINE_BYTES: Final = 1024 * 1024
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4


class LaunchError(Exception):
    """The parent did not say what the service needs; the message says what."""


class LaunchMessage(BaseModel):
    """The line on standard input.

    Attributes:
        launch_key: The only key that will be valid.
        proof_secret: What `/proof` shows the knowledge of.
        socket: On Windows the listening socket, as `socket.share()` wrote it, in Base64.
        model: Which assistant answers; None where only what a chat or an agent names does.
        models: The ids of further models that a chat may choose.
        provider_keys: The keys of model providers, by provider.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    launch_key: SecretStr = Field(min_length=16)
    proof_secret: SecretStr = Field(min_length=16)
    socket: str | None = None
    model: str | None = "offline"
    models: tuple[str, ...] = ()
    provider_keys: dict[str, SecretStr] = {}


class Stoppable(Protocol):
    """What can be asked to end by setting a flag, from any thread."""

    should_exit: bool


def read_launch() -> LaunchMessage:
    """Read the parent's line from standard input.

    Raises:
        LaunchError: When it is missing or does not fit.
    """
    try:
        return LaunchMessage.model_validate(parse_json(_read_line()))
    except JsonTextError as exc:
        raise LaunchError(f"The line on standard input cannot be read: {exc}.") from exc
    except ValidationError as exc:
        errors = exc.errors(include_input=False)
        raise LaunchError(f"The line on standard input does not fit: {explain(errors)}.") from None


def _read_line() -> bytes:
    """Read the parent's line from standard input, with plain reads.

    A thread that is blocked in `sys.stdin.buffer` would abort the interpreter at its exit.

    Raises:
        LaunchError: When it does not come, or is too long.
    """
    line = b""
    while b"\n" not in line:
        chunk = os.read(STDIN, _READ_BYTES)
        line += chunk
        if not chunk:
            raise LaunchError("Standard input ended before the parent’s line came.")
        if len(line) > _LONGEST_LINE_BYTES:
            raise LaunchError("The line on standard input is too long.")
    return line.partition(b"\n")[0]


def inherited_socket(launch: LaunchMessage, fd: int | None) -> socket.socket:
    """Return the parent's listening socket.

    Raises:
        LaunchError: When there is none.
    """
    try:
        if sys.platform == "win32" and launch.socket is not None:
            return socket.fromshare(base64.b64decode(launch.socket))
        if fd is not None:
            return socket.socket(fileno=fd)
    except (OSError, ValueError) as exc:
        raise LaunchError(f"The socket cannot be taken over: {exc}.") from exc
    raise LaunchError("The parent passed no socket.")


def harden() -> None:
    """Keep other processes out of this one's memory, and end with the parent (both Linux).

    A crash writes none of that memory to the disk. The end of standard input does the same as the
    end of the parent everywhere, unless somebody else holds the other end of the pipe too.
    """
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))
    if sys.platform != "linux":
        return
    parent = os.getppid()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def end_with_parent(service: Stoppable) -> None:
    """Stop the service at the end of standard input, and soon after by force."""
    # A daemon: it may still wait when the service ends for another reason.
    threading.Thread(target=_wait_for_parent, args=(service,), name="parent", daemon=True).start()


def _wait_for_parent(service: Stoppable) -> None:
    while os.read(STDIN, _READ_BYTES):
        pass
    log.info("the parent closed standard input; stopping")
    service.should_exit = True
    threading.Event().wait(_HARD_EXIT_AFTER_S)
    os._exit(0)
