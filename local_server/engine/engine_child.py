"""Run llama.cpp's server with one model file, as a program that ends when its stdin closes.

In the same process as a client, the engine can hang when it is closed. One line of JSON on stdin
says what to run; one line on stdout says where the server listens and what its model supports. What
goes wrong before that is written to stderr.

It imports nothing of Parley, so that a sandbox has to show it only this folder and the
interpreter.
"""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final, NoReturn

if sys.platform != "win32":
    import resource

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2
_READ_BYTES: Final = 65_536
_LONGEST_LINE_BYTES: Final = 1024 * 1024
_PR_SET_PDEATHSIG: Final = 1
_UNIX: Final = "unix://"
_ASK_TIMEOUT_S: Final = 10
_LOOK_AGAIN_S: Final = 0.1
_CACHE_MIB: Final = 512
# A log level of llama.cpp: 1 is errors only, 3 is each step of each answer.
_WARNINGS: Final = 2
# In HTTP/1.0 the answer ends with the connection, so nothing else has to be parsed.
_PROPS: Final = "GET /props HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n"
_OK: Final = b" 200 "
_END_S: Final = 2
_LOG_S: Final = 0.5
_NOT_HERE: Final = (
    "The engine cannot be loaded: {error}. On Linux it needs the packages libgomp1 and libstdc++6."
)

Json = dict[str, Any]


def main() -> None:
    """Serve until the end of the input.

    The line holds `model` and `projector` (paths), `window` (tokens of one answer), `slots`,
    `threads`, `most_bytes` (of memory), `key`, `socket` (a path, or null for loopback), `program`
    (another llama-server's path, or null) and `key_file` (where that one is to read its key;
    nothing is there yet).
    """
    _end_with_parent()
    _volunteer_when_memory_ends()
    wanted = json.loads(_read_line())
    if wanted["program"]:
        _serve_by_program(wanted)
    else:
        _limit_memory(wanted["most_bytes"])
        _serve(wanted)


def _serve(wanted: Json) -> None:
    try:
        import xllamacpp  # noqa: PLC0415 - what is missing is told in words
    except ImportError as exc:
        _fail(_NOT_HERE.format(error=exc))
    parameters = xllamacpp.CommonParams()
    parameters.model.path = wanted["model"]
    if wanted["projector"]:
        parameters.mmproj.path = wanted["projector"]
    parameters.hostnames = [wanted["socket"] or "127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = wanted["slots"]
    # It is divided among the slots.
    parameters.n_ctx = wanted["window"] * wanted["slots"]
    parameters.api_keys = [wanted["key"]]
    # By default the engine's server answers web pages of any origin, even with a key.
    parameters.cors_origins = ""
    # By default it keeps up to 8 GiB of earlier prompts.
    parameters.cache_ram_mib = _CACHE_MIB
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.endpoint_props = False
    parameters.use_jinja = True
    parameters.fit_params = False
    parameters.offline = True
    # The parent wakes up for each line, even in the middle of an answer.
    parameters.verbosity = _WARNINGS
    parameters.cpuparams.n_threads = wanted["threads"]
    parameters.cpuparams_batch.n_threads = wanted["threads"]
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as exc:
        # A thread of the engine writes the reason to the log.
        time.sleep(_LOG_S)
        _fail(str(exc))
    _announce(server.listening_address, _props(server.listening_address, wanted["key"]))
    _wait_for_end()
    # Without clean-up, which could wait for clients.
    os._exit(0)


def _serve_by_program(wanted: Json) -> None:
    """Run another llama-server, which has the same API; it listens on loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    # Every user of this computer can read command lines.
    key_file = os.open(wanted["key_file"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(key_file, wanted["key"].encode())
    os.close(key_file)
    process = _start_program(wanted, port)
    try:
        props = _props_when_ready(process, address, wanted["key"])
        _announce(address, props)
        _wait_for_end()
    finally:
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start_program(wanted: Json, port: int) -> "subprocess.Popen[bytes]":
    projector = ("--mmproj", wanted["projector"]) if wanted["projector"] else ()
    command = (
        wanted["program"],
        *("--model", wanted["model"], *projector),
        *("--host", "127.0.0.1", "--port", str(port), "--api-key-file", wanted["key_file"]),
        *("--ctx-size", str(wanted["window"] * wanted["slots"])),
        *("--parallel", str(wanted["slots"]), "--threads", str(wanted["threads"])),
        "--jinja",
    )
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=_STDERR,
            # There is no other thread yet.
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
        )
    except OSError as exc:
        _fail(f"{wanted['program']} cannot be started: {exc.strerror}.")


def _props_when_ready(process: "subprocess.Popen[bytes]", address: str, key: str) -> Json:
    """Poll until it has loaded its model; the parent limits how long that may take."""
    while process.poll() is None:
        try:
            return _props(address, key)
        except (OSError, ValueError):
            time.sleep(_LOOK_AGAIN_S)
    return _fail(f"The program ended with {process.returncode} before it was ready.")


def _props(address: str, key: str) -> Json:
    """Get the properties of the engine, with a request by hand: an HTTP library costs 30 ms."""
    if address.startswith(_UNIX):
        asking = socket.socket(socket.AF_UNIX)
        where: str | tuple[str, int] = address.removeprefix(_UNIX)
    else:
        asking = socket.socket()
        host, _, port = address.removeprefix("http://").rpartition(":")
        where = (host, int(port))
    with asking:
        asking.settimeout(_ASK_TIMEOUT_S)
        asking.connect(where)
        asking.sendall(_PROPS.format(key=key).encode())
        answer = b""
        while chunk := asking.recv(_READ_BYTES):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    if _OK not in head.partition(b"\r\n")[0]:
        raise ValueError(head)
    props: Json = json.loads(body)
    return props


def _announce(address: str, props: Json) -> None:
    can = props.get("chat_template_caps") or {}
    ready = {
        "event": "ready",
        "address": address,
        "window": props["default_generation_settings"]["n_ctx"],
        "has_tools": bool(can.get("supports_tools", True)),
        "sees": bool((props.get("modalities") or {}).get("vision")),
    }
    os.write(_STDOUT, json.dumps(ready).encode() + b"\n")


def _end_with_parent() -> None:
    """End with the process that started this one, also while a model is loaded (Linux).

    Loading holds the interpreter, so that no thread of ours could see the end of the input.
    """
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


def _volunteer_when_memory_ends() -> None:
    """Be the first that the system ends when memory does (Linux): a template can fill all of it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _limit_memory(most_bytes: int) -> None:
    """Allocate no more than this (Linux): a template can ask for any amount.

    A mapped model file does not count. Another llama-server has no limit: a graphics card may need
    address space by the terabyte.
    """
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _read_line() -> bytes:
    line = b""
    while b"\n" not in line:
        chunk = os.read(_STDIN, _READ_BYTES)
        line += chunk
        if not chunk or len(line) > _LONGEST_LINE_BYTES:
            sys.exit(1)
    return line


def _wait_for_end() -> None:
    while os.read(_STDIN, _READ_BYTES):
        pass


def _fail(words: str) -> NoReturn:
    os.write(_STDERR, f"{words}\n".encode())
    os._exit(1)


if __name__ == "__main__":
    main()
