"""`serve --child`: run the service as a child process of another program.

The parent passes a listening socket and one line of JSON on standard input, gets one line of
JSON on standard output when the service answers, and ends it by closing standard input. So the
service cannot outlive its parent, however that process dies.
"""

import asyncio
import base64
import ctypes
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from local_server.errors import explain
from local_server.schemas import JsonTextError, parse_json

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


class EngineMessage(BaseModel):
    """How model files are run.

    Attributes:
        program: The path of another llama-server; empty for the bundled one.
        window: How many tokens a question and its answer may have; 0 for what fits.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    program: str = ""
    window: int = Field(default=0, ge=0, le=10_000_000)


class ModelsMessage(BaseModel):
    """A line on standard input that changes the models while the service runs.

    Attributes:
        model: The default model; None if only models answer that a chat or an agent names.
        models: The ids of further models that a chat may choose.
        provider_keys: The keys of model providers, by provider.
        address_keys: The keys of other model servers, by the base URL that models are listed at.
            A key is shown to its exact origin alone.
        instructions: What the user tells every agent, before the agent's own instructions.
        engine: How model files are run.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str | None = "offline"
    models: tuple[str, ...] = ()
    provider_keys: dict[str, SecretStr] = {}
    address_keys: dict[str, SecretStr] = {}
    instructions: str = Field(default="", max_length=16_000)
    engine: EngineMessage = EngineMessage()


class LoadMessage(BaseModel):
    """A line on standard input to load a model that is likely to be asked soon.

    Attributes:
        load: The id of the model.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    load: str = Field(max_length=5000)


class LaunchMessage(ModelsMessage):
    """The first line on standard input.

    Attributes:
        launch_key: The only key that will be valid.
        proof_secret: What `/proof` shows the knowledge of.
        socket: On Windows the listening socket, as `socket.share()` wrote it, in Base64.
    """

    launch_key: SecretStr = Field(min_length=16)
    proof_secret: SecretStr = Field(min_length=16)
    socket: str | None = None


class Stoppable(Protocol):
    """What can be asked to end, from any thread."""

    def stop(self) -> None:
        """Begin to end."""


OnMessage = Callable[[ModelsMessage | LoadMessage], None]


class ParentPipe:
    """Standard input, on which the parent writes a line at a time. One for the life of a child.

    It is read by plain reads: a thread that is blocked in `sys.stdin.buffer` would abort the
    interpreter at its exit.
    """

    def __init__(self) -> None:
        self._unread = b""

    def read_launch(self) -> LaunchMessage:
        """Read the parent's first line.

        Raises:
            LaunchError: When it is missing or does not fit.
        """
        try:
            return LaunchMessage.model_validate(parse_json(self._first_line()))
        except JsonTextError as exc:
            raise LaunchError(f"The line on standard input cannot be read: {exc}.") from exc
        except ValidationError as exc:
            errors = exc.errors(include_input=False)
            raise LaunchError(
                f"The line on standard input does not fit: {explain(errors)}."
            ) from None

    def follow(self, service: Stoppable, on_message: OnMessage) -> None:
        """Pass on each further line; stop the service when the input ends, soon after by force.

        `on_message` is called in the loop that runs now. A line that does not fit changes nothing.
        """
        loop = asyncio.get_running_loop()

        def tell(message: ModelsMessage | LoadMessage) -> None:
            loop.call_soon_threadsafe(on_message, message)

        # A daemon: it may still wait when the service ends for another reason.
        wait = partial(self._wait_for_parent, service, tell)
        threading.Thread(target=wait, name="parent", daemon=True).start()

    def _first_line(self) -> bytes:
        while b"\n" not in self._unread:
            chunk = os.read(STDIN, _READ_BYTES)
            self._unread += chunk
            if not chunk:
                raise LaunchError("Standard input ended before the parent’s line came.")
            if len(self._unread) > _LONGEST_LINE_BYTES:
                raise LaunchError("The line on standard input is too long.")
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _wait_for_parent(self, service: Stoppable, tell: OnMessage) -> None:
        chunk = self._unread
        is_too_long = False
        while True:
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                if not is_too_long:
                    _tell_line(line, tell)
                is_too_long = False
            is_too_long = is_too_long or len(rest) > _LONGEST_LINE_BYTES
            read = os.read(STDIN, _READ_BYTES)
            if not read:
                break
            chunk = (b"" if is_too_long else rest) + read
        log.info("the parent closed standard input; stopping")
        service.stop()
        threading.Event().wait(_HARD_EXIT_AFTER_S)
        os._exit(0)


def _tell_line(line: bytes, tell: OnMessage) -> None:
    try:
        told = parse_json(line)
        is_load = isinstance(told, dict) and "load" in told
        kind: type[ModelsMessage | LoadMessage] = LoadMessage if is_load else ModelsMessage
        message = kind.model_validate(told)
    except (JsonTextError, ValidationError):
        # What the line says may be a key.
        log.warning("ignored a line on standard input that is not valid")
        return
    # The loop may have ended meanwhile.
    with suppress(RuntimeError):
        tell(message)


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
