"""Start the engine, tell it what to run, and end it with nothing left.

`EngineProcess` is the process of `engine_child.py`, confined where that is possible.
"""

import asyncio
import contextlib
import json
import logging
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from local_server.engine.confinement import can_confine, confined
from local_server.engine.memory import EngineError, EnginePlan
from local_server.engine.model_files import ModelFile

log = logging.getLogger(__name__)

# Enough to load a large model from a slow disk.
_READY_TIMEOUT_S: Final = 300
_END_TIMEOUT_S: Final = 2
_READ_BYTES: Final = 65_536
_LAST_LINES: Final = 40
_LONGEST_LINE: Final = 500
_KEY_BYTES: Final = 32
_CHILD: Final = Path(__file__).with_name("engine_child.py")
_UNIX: Final = "unix://"
_LOOPBACK: Final = re.compile(r"http://127\.0\.0\.1:\d{1,5}\Z")
_LARGEST_WINDOW: Final = 1 << 31
_UNREADABLE: Final = "The engine did not start: its output cannot be read."
# As llama.cpp writes a fault: when, "E" for error, which part, and what.
_FAULT: Final = re.compile(r"\A[\d.]+ E (?:\w+ +)?(?:[\w()]+: +)?(?:error loading model: )?(.+)")
# The only environment variables that the engine gets: none of Parley, no keys and no proxies.
_PASSED_ON: Final = (
    "HOME",
    "LANG",
    "PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
)


@dataclass(frozen=True)
class RunningEngine:
    """The address of a running engine, and what its model supports.

    Attributes:
        address: The base URL of its chat completions, without a slash at the end.
        socket_path: The Unix socket to connect to instead of the address; None for loopback.
        key: The API key that it requires.
        window: How many tokens one question and its answer may have.
        has_tools: Its template supports tools.
        sees: It accepts images.
    """

    address: str
    socket_path: str | None
    key: SecretStr
    window: int
    has_tools: bool
    sees: bool


class EngineProcess:
    """A run of the engine. Whoever started it calls `stop`, also after it ended by itself."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._reading = asyncio.create_task(self._read_errors(), name="engine errors")

    @classmethod
    async def start(
        cls, model: ModelFile, plan: EnginePlan, bubblewrap: str, program: Path | None = None
    ) -> tuple["EngineProcess", RunningEngine]:
        """Start the engine with a model, and wait until it answers.

        Args:
            model: The model to load.
            plan: How to run it.
            bubblewrap: The path of bubblewrap, which confines it; empty for no confinement.
            program: Another llama-server to run instead.

        Raises:
            EngineError: When it does not start, with its reason.
        """
        # Only its owner can read the folder.
        folder = Path(tempfile.mkdtemp(prefix="parley-engine-", dir=_runtime_folder()))
        try:
            # Another program may need devices, libraries and files of which we know nothing.
            started = await _spawn(model, folder, "" if program else bubblewrap)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        process, is_confined = started
        run = cls(process, folder)
        key = secrets.token_urlsafe(_KEY_BYTES)
        socket_path = str(folder / "engine.sock") if is_confined else None
        wanted = {
            "model": str(model.path),
            "projector": str(model.projector) if model.projector else None,
            "window": plan.window,
            "slots": plan.slots,
            "threads": plan.threads,
            "most_bytes": plan.most_bytes,
            "key": key,
            "socket": socket_path,
            "program": str(program) if program else None,
            "key_file": str(folder / "key"),
        }
        try:
            return run, await run._become_ready(wanted)
        except BaseException:
            await run.stop()
            raise

    @property
    def has_ended(self) -> bool:
        """Whether the engine does not run any more."""
        return self._process.returncode is not None

    @property
    def pid(self) -> int:
        """The id of its process, or of bubblewrap if that confines it."""
        return self._process.pid

    @property
    def reason(self) -> str:
        """The first error that it logged, else its last line of output; empty if there is none."""
        faults = (_FAULT.match(line) for line in self._lines)
        said = [line for line in self._lines if line.strip()]
        return next((fault[1] for fault in faults if fault), said[-1] if said else "")

    async def stop(self) -> None:
        """Close the engine's input, which ends it, or kill it; it is gone when this returns."""
        try:
            if self._process.stdin is not None:
                self._process.stdin.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_END_TIMEOUT_S):
                    await self._process.wait()
        finally:
            if self._process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
            self._reading.cancel()
            await asyncio.wait([self._reading])
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _become_ready(self, wanted: Mapping[str, Any]) -> RunningEngine:
        try:
            async with asyncio.timeout(_READY_TIMEOUT_S):
                line = await self._first_line(json.dumps(wanted).encode() + b"\n")
        except TimeoutError as exc:
            raise EngineError("The engine took too long to load the model.") from exc
        except ValueError as exc:
            # A line longer than any that it writes.
            raise EngineError(_UNREADABLE) from exc
        if not line:
            await self._process.wait()
            await asyncio.wait([self._reading], timeout=_END_TIMEOUT_S)
            words = self.reason or f"It ended with {self._process.returncode}."
            raise EngineError(f"The engine did not start. It says: {words}")
        try:
            return _ready_engine(json.loads(line), wanted)
        except (ValueError, LookupError, TypeError, RecursionError, OverflowError) as exc:
            raise EngineError(_UNREADABLE) from exc

    async def _first_line(self, wanted: bytes) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the engine was started without pipes")
        # If it has ended already, the missing answer shows that below.
        with contextlib.suppress(ConnectionError):
            stdin.write(wanted)
            await stdin.drain()
        return await stdout.readline()

    async def _read_errors(self) -> None:
        """Read its stderr to the end, so that it never blocks; keep the last lines."""
        stderr = self._process.stderr
        rest = b""
        while stderr is not None and (chunk := await stderr.read(_READ_BYTES)):
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[-_LONGEST_LINE:]
            self._lines += [line[:_LONGEST_LINE].decode(errors="replace") for line in lines]
        self._lines.append(rest.decode(errors="replace"))


def _ready_engine(told: Any, wanted: Mapping[str, Any]) -> RunningEngine:
    """Read the ready line of an engine, which a hostile model file may control.

    So chats go only to its own socket or, without one, to a port on loopback.

    Raises:
        ValueError: When it names another address or a window that cannot be; `LookupError`,
            `TypeError` or `OverflowError` when the line is malformed.
    """
    address, socket_path = str(told["address"]), wanted["socket"]
    is_its_own = address == f"{_UNIX}{socket_path}" if socket_path else _LOOPBACK.match(address)
    if not is_its_own:
        raise ValueError("the engine says that it is elsewhere")
    window = int(told["window"])
    if not 0 < window <= _LARGEST_WINDOW:
        raise ValueError("the engine says a window that cannot be")
    return RunningEngine(
        address="http://localhost/v1" if socket_path else f"{address}/v1",
        socket_path=socket_path,
        key=SecretStr(str(wanted["key"])),
        window=window,
        has_tools=bool(told["has_tools"]),
        sees=bool(told["sees"]),
    )


async def _spawn(
    model: ModelFile, folder: Path, bubblewrap: str
) -> tuple[asyncio.subprocess.Process, bool]:
    """Start the process; also tell whether it is confined."""
    command = _command()
    is_confined = await can_confine(bubblewrap)
    if is_confined:
        projector = (model.projector,) if model.projector else ()
        readable = (*_own_parts(), *model.parts, *projector)
        command = confined(bubblewrap, command, readable, folder)
    manner: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        alone = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        manner = {"creationflags": alone}
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            **manner,
        )
    except OSError as exc:
        raise EngineError(f"The engine cannot be started: {exc.strerror}.") from exc
    return process, is_confined


def _command() -> list[str]:
    """Return the command of the engine: the frozen program itself, else `engine_child.py`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "engine"]
    return [sys.executable, "-I", str(_CHILD)]


def _own_parts() -> tuple[Path, ...]:
    """Return the folders with the code of the engine."""
    if getattr(sys, "frozen", False):
        return (Path(sys.executable).parent,)
    return (Path(sys.prefix), Path(sys.base_prefix), _CHILD.parent)


def _runtime_folder() -> str | None:
    """Return the folder for sockets: that of the session, which is deleted at its end."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return folder if folder and os.access(folder, os.W_OK) else None
