"""The real bundled service as a process of its own, over loopback.

It is started the way that a user or the app starts it. Nothing of `local_server` is imported but
to make a key for one that runs alone, so that a test of the app can use it too.
"""

import json
import os
import secrets
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Final

import httpx
import psutil

_COMMAND: Final = (sys.executable, "-m", "local_server.cli")
_START_TIMEOUT_S: Final = 60
_END_TIMEOUT_S: Final = 20
_ANSWER_TIMEOUT_S: Final = 20


@dataclass(frozen=True)
class RunningService:
    """A service that answers.

    Attributes:
        base_url: Its address, without a slash at the end.
        key: A key that is valid: project `local` in child mode, else `demo`.
        data: Its data folder.
        process: The process, to be killed where a test wants that.
        proof_secret: What `/proof` is made with, in child mode.
    """

    base_url: str
    key: str
    data: Path
    process: subprocess.Popen[bytes]
    proof_secret: str = ""


@contextmanager
def running_service(
    tmp_path: Path,
    *,
    plan: str | None = None,
    per_minute: int | None = None,
    pace_s: float = 0,
    options: Sequence[str] = (),
) -> Iterator[RunningService]:
    """Run a service until the end of the block, in `tmp_path / "service"`.

    Without a plan it runs as the app's child, where the key has no limit; with one, alone, with
    a key of that plan (`per_minute` for enterprise). `pace_s` is the rest before each word of
    the offline assistant; `options` are more options of a service that runs alone.
    """
    data = tmp_path / "service"
    if plan is None:
        with running_child(data, pace_s=pace_s) as service:
            yield service
    else:
        with _running_alone(data, plan, per_minute, pace_s, options) as service:
            yield service


@contextmanager
def running_child(
    data: Path, *, bound: socket.socket | None = None, key: str | None = None, pace_s: float = 0
) -> Iterator[RunningService]:
    """Run a service as the app does: it inherits a socket and gets one line on its input.

    Given a socket and a key of the caller, it can be started again at the same address.
    """
    own = bound or listening_socket()
    launch_key = key or f"pk_live_{secrets.token_urlsafe(32)}"
    secret = secrets.token_urlsafe(32)
    command = (
        *_COMMAND,
        "serve",
        "--child",
        "--data-dir",
        str(data),
        "--pace-ms",
        str(pace_s * 1000),
    )
    process = subprocess.Popen(
        (*command, "--fd", str(own.fileno())),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(own.fileno(),),
    )
    try:
        write_line(process, launch_line(launch_key, secret))
        read_line(process, _is_ready)
        yield RunningService(address_of(own), launch_key, data, process, secret)
    finally:
        end(process)
        if bound is None:
            own.close()


def http_client(base_url: str = "", key: str | None = None) -> httpx.Client:
    """Make a client that is patient, and that no proxy of this machine comes between."""
    headers = {"X-API-Key": key} if key is not None else {}
    # The certificates, which loopback does not need, take longer to read than most answers.
    unused = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.Client(
        base_url=base_url,
        headers=headers,
        trust_env=False,
        timeout=_ANSWER_TIMEOUT_S,
        verify=unused,
    )


def get(url: str, key: str | None = None, **headers: str) -> httpx.Response:
    """Ask once, over a connection of its own."""
    with http_client(key=key) as client:
        return client.get(url, headers=headers)


def run_command(*arguments: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run `parley-server` to its end: its exit code, output and error output."""
    done = subprocess.run(
        (*_COMMAND, *arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_START_TIMEOUT_S,
        check=False,
        env={**os.environ, **(env or {})},
    )
    return done.returncode, done.stdout, done.stderr


def listening_socket() -> socket.socket:
    """Bind a free port of loopback, as the app does for its child."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.bind(("127.0.0.1", 0))
    bound.listen(64)
    return bound


def address_of(bound: socket.socket) -> str:
    """Write the address of a socket."""
    host, port = bound.getsockname()
    return f"http://{host}:{port}"


def listening_addresses(pid: int) -> list[str]:
    """List the addresses on which a process listens for TCP connections."""
    connections = psutil.Process(pid).net_connections("tcp")
    places = [found.laddr for found in connections if found.status == psutil.CONN_LISTEN]
    return [f"http://{place.ip}:{place.port}" for place in places]


def launch_line(key: str, proof_secret: str) -> str:
    """Write the one line that a child gets."""
    launch = {"launch_key": key, "proof_secret": proof_secret, "socket": None}
    return json.dumps({**launch, "model": "offline", "provider_keys": {}}) + "\n"


def write_line(process: subprocess.Popen[bytes], line: str) -> None:
    """Write to a process's input, and leave it open."""
    stdin = _pipe(process.stdin)
    stdin.write(line.encode())
    stdin.flush()


def read_line(process: subprocess.Popen[bytes], is_wanted: Callable[[str], bool]) -> str:
    """Wait for a line of a process's output; its end, or too long a silence, is a failure."""
    lines: SimpleQueue[str] = SimpleQueue()
    stdout = _pipe(process.stdout)

    def pump() -> None:
        while line := stdout.readline().decode():
            lines.put(line)
            if is_wanted(line):
                return
        lines.put("")

    reader = threading.Thread(target=pump, name="service-output", daemon=True)
    reader.start()
    try:
        while line := lines.get(timeout=_START_TIMEOUT_S):
            if is_wanted(line):
                reader.join(_END_TIMEOUT_S)
                return line
    except Empty:
        raise AssertionError("the service said nothing in time") from None
    raise AssertionError(f"the service ended with {process.wait(_END_TIMEOUT_S)}")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process by closing its input, by signal, by force: the first that works."""
    if process.stdin is not None:
        process.stdin.close()
    else:
        process.terminate()
    try:
        process.wait(_END_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_END_TIMEOUT_S)
    if process.stdout is not None:
        process.stdout.close()


@contextmanager
def _running_alone(
    data: Path, plan: str, per_minute: int | None, pace_s: float, options: Sequence[str]
) -> Iterator[RunningService]:
    # The key is all that is wanted here: no process needs to be started for it.
    from tests.support.service_commands import run_here  # noqa: PLC0415

    limit = ("--requests-per-minute", str(per_minute)) if per_minute is not None else ()
    where = ("--data-dir", str(data))
    code, key, error = run_here(
        "keys", "create", "--project", "demo", "--plan", plan, *limit, *where
    )
    if code:
        raise AssertionError(error)
    command = (*_COMMAND, "serve", "--port", "0", "--pace-ms", str(pace_s * 1000), *where, *options)
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        ready = json.loads(read_line(process, _is_ready))
        yield RunningService(ready["base_url"], key.strip(), data, process)
    finally:
        end(process)


def _is_ready(line: str) -> bool:
    event: object = json.loads(line).get("event")
    return event == "ready"


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise AssertionError("the process was started without this pipe")
    return pipe
