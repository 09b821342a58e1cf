"""Start one process of the bundled service, verify it, and stop it with all its children.

`ServiceChild` is the process; `verify_service` checks, before the key is sent, that the program on
its port is this process. `LaunchLine` is what it gets on stdin: its socket, its key, and the secret
for that proof.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from app.api.errors import ApiError
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.config.settings import Provider
from app.tasks import TaskOwner
from local_tools.aio import wait_bounded
from local_tools.log_tail import LogTail
from local_tools.recovery.files import PutAside

_PATH = "/proof"
_NONCE_BYTES = 32


async def verify_service(base_url: str, proof_secret: SecretStr) -> bool:
    """Return whether the program at `base_url` knows the secret; no key is sent.

    Another program that took the port first does not know it.
    """
    from app.api.transport import HttpTransport  # noqa: PLC0415 - the start imports no httpx

    nonce = secrets.token_hex(_NONCE_BYTES)
    transport = HttpTransport(base_url, None, ssl_context=None, user_agent="parley")
    try:
        answer = await transport.ask("GET", _PATH, params={"nonce": nonce})
    except ApiError:
        return False
    finally:
        await transport.aclose()
    key = proof_secret.get_secret_value().encode()
    expected = hmac.new(key, nonce.encode("ascii"), hashlib.sha256).hexdigest()
    # As bytes: of texts `compare_digest` takes ASCII only, and anybody may have answered.
    return answer.status == 200 and hmac.compare_digest(_read_proof(answer.body), expected.encode())


def _read_proof(body: bytes) -> bytes:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return b""
    proof = fields.get("proof") if isinstance(fields, dict) else None
    return proof.encode("utf-8", "replace") if isinstance(proof, str) else b""


_SECRET_BYTES = 32
_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """The base URL of the service, and its key."""

    base_url: str
    api_key: SecretStr


@dataclass(frozen=True, slots=True)
class ModelKeys:
    """The keys of models: by provider, and by the address of another model server."""

    providers: Mapping[Provider, SecretStr] = field(default_factory=dict)
    addresses: Mapping[str, SecretStr] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """How model files are run: by another llama-server, with so many tokens; 0 is what fits."""

    program: str = ""
    window: int = 0


class LaunchLine:
    """Binds the socket and makes up the key; both stay the same however often the child restarts.

    The socket belongs to this process, so nobody can take the port while the child is away; what
    connects meanwhile waits. Made and closed by `ServiceProcess`.
    """

    def __init__(
        self,
        model: str | None,
        models: Sequence[str],
        keys: ModelKeys,
        instructions: str = "",
        engine: EngineChoice | None = None,
    ) -> None:
        self._past_secrets: set[str] = set()
        self.change(model, models, keys, instructions, engine)
        self._socket = _listen()
        self.proof_secret = SecretStr(secrets.token_hex(_SECRET_BYTES))
        host, port = self._socket.getsockname()
        key = SecretStr(f"pk_live_{secrets.token_urlsafe(_SECRET_BYTES)}")
        self.address = ServiceAddress(f"http://{host}:{port}", key)

    @property
    def inherited_fd(self) -> int | None:
        """The descriptor that the child inherits; Windows gets the socket with the line."""
        return None if sys.platform == "win32" else self._socket.fileno()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never stand in a log."""
        kept = (self.address.api_key, self.proof_secret)
        return (*(secret.get_secret_value() for secret in kept), *self._past_secrets)

    def change(
        self,
        model: str | None,
        models: Sequence[str],
        keys: ModelKeys,
        instructions: str = "",
        engine: EngineChoice | None = None,
    ) -> None:
        """Take other models, keys and instructions, for this run of the child and later ones."""
        self._instructions = instructions
        self._engine = engine or EngineChoice()
        self._model = model
        self._models = tuple(models)
        self._keys = keys
        # What was a key once stays out of the log.
        values = (*keys.providers.values(), *keys.addresses.values())
        self._past_secrets.update(key.get_secret_value() for key in values)

    def line_for(self, pid: int) -> bytes:
        """Return the one line that the child `pid` reads from its standard input."""
        told = {
            "launch_key": self.address.api_key.get_secret_value(),
            "proof_secret": self.proof_secret.get_secret_value(),
            "socket": self._shared_with(pid),
            **self._told_of_models(),
        }
        return json.dumps(told).encode() + b"\n"

    def models_line(self) -> bytes:
        """Return the line that changes the models and keys of a child that runs."""
        return json.dumps(self._told_of_models()).encode() + b"\n"

    def _told_of_models(self) -> dict[str, object]:
        return {
            "model": self._model,
            "models": self._models,
            "provider_keys": _plain(self._keys.providers),
            "address_keys": _plain(self._keys.addresses),
            "instructions": self._instructions,
            "engine": {"program": self._engine.program, "window": self._engine.window},
        }

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()

    def _shared_with(self, pid: int) -> str | None:
        if sys.platform == "win32":
            return base64.b64encode(self._socket.share(pid)).decode("ascii")
        return None


def load_line(model: str) -> bytes:
    """Return the line that has a child load a model."""
    return json.dumps({"load": model}).encode() + b"\n"


def _plain(keys: Mapping[Provider, SecretStr] | Mapping[str, SecretStr]) -> dict[str, str]:
    return {name: key.get_secret_value() for name, key in keys.items()}


def _listen() -> socket.socket:
    """Bind a free port of the loopback.

    Raises:
        UserFacingError: this computer has no loopback, or no port left.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            # On Windows another program could bind the same port with SO_REUSEADDR (threat 52).
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen(_BACKLOG)
    except OSError as exc:
        listener.close()
        raise UserFacingError(ErrorCode.SERVICE_FAILED, {"message": str(exc.strerror)}) from exc
    return listener


_READY_TIMEOUT_S = 20.0
_END_TIMEOUT_S = 2.0
_READ_BYTES = 64 * 1024


class ChildError(Exception):
    """The service could not be started; the message is for the log."""


class ServiceChild:
    """A child process; whoever started it calls `stop`, also after it died by itself.

    Attributes:
        put_aside: the damaged database that it found; known once it is ready.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, tail: LogTail, tasks: TaskOwner
    ) -> None:
        self._process = process
        self._tail = tail
        self._tasks = tasks
        self._has_launch = False
        self.put_aside: PutAside | None = None
        self._first_line: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        tasks.start(self._drain_output(), name="service output")
        tasks.start(self._drain_errors(), name="service log")

    @classmethod
    async def spawn(
        cls,
        command: Sequence[str],
        environment: Mapping[str, str],
        inherited_fd: int | None,
        tail: LogTail,
        tasks: TaskOwner,
    ) -> "ServiceChild":
        """Start the process; `tasks` read what it says until it ends.

        Raises:
            ChildError: there is no such program.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                **_manner(inherited_fd),
            )
        except OSError as exc:
            raise ChildError(f"{command[0]} cannot be started: {exc.strerror}") from exc
        return cls(process, tail, tasks)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    async def become_ready(self, launch: LaunchLine) -> None:
        """Hand over the launch line, wait for the answer, and see the proof.

        Raises:
            ChildError: it ended, said something else, took too long, or is not ours.
        """
        try:
            async with asyncio.timeout(_READY_TIMEOUT_S):
                await self._hand_over(launch)
                await self._see_ready_line()
                await self._see_proof(launch)
        except TimeoutError as exc:
            raise ChildError(f"the service was not ready within {_READY_TIMEOUT_S} s") from exc

    async def tell(self, line: bytes) -> None:
        """Write one more line; a child that has not got its first one gets all with that."""
        stdin = self._process.stdin
        if self._has_launch and stdin is not None:
            stdin.write(line)
            # A child that has ended gets the current values when it is started again.
            with suppress(ConnectionError):
                await stdin.drain()

    async def wait(self) -> int:
        """Wait until it ends; return its exit code."""
        return await self._process.wait()

    async def stop(self) -> None:
        """Close its standard input, which asks it to end; kill it if it does not.

        One that has said nothing yet looks at its standard input late, and has answered nobody.
        """
        stdin = self._process.stdin
        if stdin is not None:
            # The end of its input makes it leave, as when this program is killed (threat 58).
            stdin.close()
        if not self._first_line.done():
            self._end(self._process.terminate)
        try:
            await wait_bounded(_END_TIMEOUT_S, self._process.wait())
        finally:
            self._end(self._process.kill)
            await wait_bounded(_END_TIMEOUT_S, self._process.wait())

    def _end(self, ask: Callable[[], None]) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                ask()

    async def _hand_over(self, launch: LaunchLine) -> None:
        stdin = self._process.stdin
        if stdin is None:
            raise ChildError("the service has no standard input")
        stdin.write(launch.line_for(self.pid))
        self._has_launch = True
        # If the child has ended already, the missing ready line reports it.
        with suppress(ConnectionError):
            await stdin.drain()

    async def _see_ready_line(self) -> None:
        # Shielded: a timeout would cancel the future, which `_drain_output` sets later.
        line = await asyncio.shield(self._first_line)
        if not line:
            raise ChildError("the service ended before it was ready")
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict) or told.get("event") != "ready":
            raise ChildError("the service said something else than that it is ready")
        self.put_aside = _put_aside_in(told)

    async def _see_proof(self, launch: LaunchLine) -> None:
        """Ask for the proof, unless the child ends first: the socket, being ours, stays silent."""
        asked = verify_service(launch.address.base_url, launch.proof_secret)
        proof = self._tasks.start(asked, name="service proof")
        end = self._tasks.start(self.wait(), name="service end")
        try:
            await asyncio.wait({proof, end}, return_when=asyncio.FIRST_COMPLETED)
            if not proof.done():
                raise ChildError("the service ended before it had proven itself")
            if not proof.result():
                raise ChildError("what answers at the service's address is not the service")
        finally:
            proof.cancel()
            end.cancel()

    async def _drain_output(self) -> None:
        """Read standard output to its end, so that it never blocks; its first line counts."""
        said = b""
        while chunk := await self._pipe(self._process.stdout).read(_READ_BYTES):
            if not self._first_line.done():
                said += chunk
                # A line without an end must not grow for ever; no ready line is that long.
                if b"\n" in said or len(said) > _READ_BYTES:
                    self._first_line.set_result(said.partition(b"\n")[0])
        if not self._first_line.done():
            self._first_line.set_result(b"")

    async def _drain_errors(self) -> None:
        """Keep the tail of standard error, to its end."""
        while chunk := await self._pipe(self._process.stderr).read(_READ_BYTES):
            self._tail.feed(chunk)
        self._tail.end()

    @staticmethod
    def _pipe(stream: asyncio.StreamReader | None) -> asyncio.StreamReader:
        if stream is None:
            raise ChildError("the service has no output")
        return stream


def _put_aside_in(told: dict[str, Any]) -> PutAside | None:
    match told.get("put_aside"):
        case {"path": str(path), "is_salvaged": bool(is_salvaged)}:
            return PutAside(Path(path), is_salvaged)
    return None


def _manner(inherited_fd: int | None) -> dict[str, Any]:
    """Return how the system starts it: alone in its group, so that Ctrl+C reaches us first."""
    if sys.platform == "win32":
        alone = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": alone}
    passed = () if inherited_fd is None else (inherited_fd,)
    return {"pass_fds": passed, "start_new_session": True}
