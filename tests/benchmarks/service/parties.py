"""What is measured: the service, LiteLLM's proxy, a bare one, and the bare upstream; processes."""

import contextlib
import http.client
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any, Final, NoReturn

import psutil

from tests.benchmarks.service.cores import Cores, pin
from tests.benchmarks.service.exchange import connected
from tests.benchmarks.service.orders import Order

SERVICE: Final = "service"
PEER: Final = "LiteLLM"
UPSTREAM: Final = "upstream"
BARE_PROXY: Final = "bare proxy"

_ROOT: Final = Path(__file__).resolve().parents[3]
_SERVER: Final = Path(sys.executable).with_name("parley-server")
# These say on their output where they are; the other one only talks.
_OURS: Final = (sys.executable, _SERVER)
_LOG_BYTES: Final = 2000
_START_LIMIT_S: Final = 120
_END_LIMIT_S: Final = 15
_LOOK_S: Final = 0.002
_PEER_KEY: Final = "sk-bench"

Json = dict[str, Any]


class StartError(Exception):
    """A program that is to be measured does not start."""


@dataclass(frozen=True)
class Party:
    """One process that answers chats, and how to ask it.

    Attributes:
        start_s: From the start of the process to its first answer with 200.
        agent: The agent that every chat names, so that no choice comes first; the service's only.
    """

    name: str
    process: psutil.Process
    port: int
    key: str
    start_s: float
    agent: str | None = None

    async def requests(self, order: Order, count: int) -> list[bytes]:
        """Prepare chats; each of the service's has a conversation of its own."""
        if self.agent is None:
            messages = [{"role": "user", "content": order.text}]
            body = {"model": "fake", "stream": True, "messages": messages}
            return [self._post("/v1/chat/completions", body)] * count
        chats = []
        async with connected(self.port) as exchange:
            for _ in range(count):
                made = json.loads(await exchange.ask(self._post("/v1/conversations", None)))
                body = {"conversation_id": made["data"]["id"], "message": order.text}
                chats.append(self._post("/v1/chat/stream", {**body, "agent_name": self.agent}))
        return chats

    def get(self, path: str) -> bytes:
        """Prepare a request that reads."""
        return self._head("GET", path) + b"\r\n"

    def _post(self, path: str, body: object) -> bytes:
        data = b"" if body is None else json.dumps(body).encode()
        fields = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        return self._head("POST", path) + fields.encode() + data

    def _head(self, method: str, path: str) -> bytes:
        keys = f"X-API-Key: {self.key}\r\nAuthorization: Bearer {self.key}\r\n"
        if self.agent is not None:
            keys = f"X-API-Key: {self.key}\r\n"
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{keys}".encode()


def allow_many_connections() -> None:
    """Let this process and those it starts have as many open files as the system permits."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def upstream(cores: Cores) -> Iterator[Party]:
    """Run the fake model server."""
    argv = [sys.executable, "-P", "-m", "tests.benchmarks.service.upstream"]
    with _running(argv, cores.upstream, {"PYTHONPATH": str(_ROOT)}) as program:
        port = int(program.line())
        yield Party(UPSTREAM, program.process, port, "none", program.age_s)


@contextlib.contextmanager
def bare_proxy(cores: Cores, model_port: int) -> Iterator[Party]:
    """Run what passes on the answers of a model's server, and does nothing else."""
    module = "tests.benchmarks.service.bare_proxy"
    argv = [sys.executable, "-P", "-m", module, str(model_port)]
    with _running(argv, cores.measured, {"PYTHONPATH": str(_ROOT)}) as program:
        port = int(program.line())
        yield Party(BARE_PROXY, program.process, port, "none", program.age_s)


@contextlib.contextmanager
def service(
    cores: Cores, data: Path, key: str, model_port: int | None, model: str | None = None
) -> Iterator[Party]:
    """Run the service as a user would.

    Args:
        cores: Where it runs.
        data: Its data folder.
        key: A key that `make_key` made there.
        model_port: The fake model server's; without one the offline assistant answers.
        model: The id of another model, which answers instead.
    """
    chosen = model or ("openai:fake" if model_port else "offline")
    variables = {"OPENAI_BASE_URL": f"http://127.0.0.1:{model_port}/v1", "OPENAI_API_KEY": "none"}
    argv: list[str | Path] = [_SERVER, "serve", "--port", "0", "--data-dir", data]
    argv += ["--model", chosen]
    with _running(argv, cores.measured, variables) as program:
        port = int(json.loads(program.line())["base_url"].rpartition(":")[2])
        agents = json.loads(program.first_answer(port, "/v1/agents", key))
        start_s = program.age_s
        yield Party(SERVICE, program.process, port, key, start_s, agents[0]["name"])


def peer_model(name: str, base_url: str, **params: Any) -> Json:
    """Describe to LiteLLM's proxy a model behind a server that speaks like OpenAI's."""
    where = {"model": "openai/fake", "api_base": base_url, "api_key": "sk-none"}
    return {"model_name": name, "litellm_params": where | params}


def peer_models(upstream: Party) -> list[Json]:
    """Return the models that LiteLLM's proxy has in the benchmark: the upstream's only one."""
    return [peer_model("fake", f"http://127.0.0.1:{upstream.port}/v1")]


@contextlib.contextmanager
def peer(cores: Cores, folder: Path, program: Path, models: Sequence[Json]) -> Iterator[Party]:
    """Run LiteLLM's proxy with one worker, without a word to anybody outside."""
    # It imports whatever modules lie two folders above the one it is started in.
    place = folder / "empty" / "empty"
    place.mkdir(parents=True)
    config = folder / "proxy.yaml"
    settings = {
        "model_list": models,
        "general_settings": {"master_key": _PEER_KEY},
        "litellm_settings": {"telemetry": False},
        # A model that failed once is asked again.
        "router_settings": {"disable_cooldowns": True},
    }
    # JSON is YAML, too.
    config.write_text(json.dumps(settings), encoding="utf-8")
    port = _free_port()
    variables = {
        "HOME": str(folder),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_TELEMETRY": "False",
        "LITELLM_LOG": "ERROR",
    }
    argv: list[str | Path] = [program, "--config", config, "--host", "127.0.0.1"]
    argv += ["--port", str(port), "--num_workers", "1", "--telemetry", "False"]
    with _running(argv, cores.measured, variables, place) as running:
        running.first_answer(port, "/v1/models", _PEER_KEY)
        yield Party(PEER, running.process, port, _PEER_KEY, running.age_s)


def make_key(data: Path) -> str:
    """Make a key whose limit is out of reach.

    Raises:
        StartError: When the service refuses.
    """
    plan = ("--plan", "enterprise", "--requests-per-minute", "1000000")
    made = subprocess.run(
        [_SERVER, "keys", "create", "--project", "bench", *plan, "--data-dir", data],
        env=_environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if made.returncode:
        raise StartError(f"No key could be made.\n{made.stderr}")
    return made.stdout.strip()


def _environment() -> dict[str, str]:
    # Nothing else of the person's: neither keys nor settings change what is measured, and a
    # stranger's program learns none.
    return {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}


@dataclass(frozen=True)
class _Program:
    """A program that runs.

    Attributes:
        log: What it says besides its output, for when it fails.
    """

    name: str
    child: subprocess.Popen[bytes]
    begun_s: float
    log: IO[bytes]

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self.child.pid)

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.begun_s

    def line(self) -> bytes:
        """Read a line of its output."""
        assert self.child.stdout is not None
        return self.child.stdout.readline() or self.fail()

    def first_answer(self, port: int, path: str, key: str) -> bytes:
        """Ask until the answer is 200."""
        fields = {"X-API-Key": key, "Authorization": f"Bearer {key}"}
        while self.age_s < _START_LIMIT_S and self.child.poll() is None:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
                try:
                    connection.request("GET", path, headers=fields)
                    answer = connection.getresponse()
                    if answer.status == HTTPStatus.OK:
                        return answer.read()
                except OSError:
                    time.sleep(_LOOK_S)
        return self.fail()

    def fail(self) -> NoReturn:
        """Give up."""
        raise StartError(f"{self.name} does not answer.")

    def last_words(self) -> str:
        """Return the last that it said, to be read beside an error."""
        self.log.seek(0)
        words = self.log.read()[-_LOG_BYTES:].decode(errors="replace").strip()
        return f"The last words of {self.name}:\n{words}"


@contextlib.contextmanager
def _running(
    argv: Sequence[str | Path],
    cores: tuple[int, ...],
    variables: dict[str, str],
    place: Path | None = None,
) -> Iterator[_Program]:
    """Run a program until the end of the block, in a folder of its own if one is given."""
    with tempfile.TemporaryFile() as log:
        begun_s = time.monotonic()
        child = subprocess.Popen(
            [str(part) for part in argv],
            env={**_environment(), **variables},
            cwd=place,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if argv[0] in _OURS else log,
            stderr=log,
        )
        program = _Program(Path(argv[0]).name, child, begun_s, log)
        try:
            pin(program.process, cores)
            yield program
        except Exception as exc:
            exc.add_note(program.last_words())
            raise
        finally:
            _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        family = psutil.Process(child.pid).children(recursive=True)
        child.terminate()
        with child, contextlib.suppress(subprocess.TimeoutExpired):
            # The upstream ends with its input, which the block closes only after this.
            child.wait(_END_LIMIT_S)
        _, left = psutil.wait_procs(family, timeout=0)
        for process in left:
            process.kill()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
