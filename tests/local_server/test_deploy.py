"""What is shipped for running many services: it says what it promises, as far as files can.

No container engine is needed for these tests, and none has run them: what was tried by hand, and
what was not, stands in packaging/deploy/README.md.
"""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import Distribution, requires
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.deployment import Deployment, ended, ready
from tests.support.event_streams import text_of
from tests.support.fake_models import FakeOpenAi, at, models_of
from tests.support.own_service import new_client, own_service
from tests.support.postgres import RunningPostgres
from tests.support.redis import RunningRedis

_CHUNK_BYTES: Final = 65536


@asynccontextmanager
async def balanced(addresses: Sequence[str]) -> AsyncIterator[str]:
    """Pass connections on to these servers by turns, skipping those that accept none."""
    turns = count()
    open_pipes: set[asyncio.Task[None]] = set()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turn = next(turns)
        places = [urlsplit(addresses[(turn + n) % len(addresses)]) for n in range(len(addresses))]
        for place in places:
            with contextlib.suppress(ConnectionError):
                there = await asyncio.open_connection(place.hostname, place.port)
                await asyncio.gather(_pipe(reader, there[1]), _pipe(there[0], writer))
                return
        writer.close()

    def on_connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(pass_on(reader, writer))
        open_pipes.add(task)
        task.add_done_callback(open_pipes.discard)

    server = await asyncio.start_server(on_connected, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tuple(open_pipes):
            task.cancel()
        await asyncio.gather(*open_pipes, return_exceptions=True)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
    finally:
        writer.close()


_ROOT: Final = Path(__file__).parents[2]
_DEPLOY: Final = _ROOT / "packaging" / "deploy"
_LOCK: Final = _ROOT / "packaging" / "requirements.txt"
_DEV_LOCK: Final = _ROOT / "packaging" / "requirements-dev.txt"
_HOST: Final = "chat.example.org"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((_DEPLOY / "compose.yaml").read_text("utf-8"))
    return parsed


def test_only_the_balancer_is_reached_from_outside(compose: dict[str, Any]) -> None:
    services, networks = compose["services"], compose["networks"]
    published = [name for name, service in services.items() if service.get("ports")]
    inner = {name for name, network in networks.items() if network.get("internal")}
    assert published == ["balancer"]
    assert inner == {"middle", "back"}
    for name in ("database", "redis"):
        assert services[name]["networks"] == ["back"], name
    assert "back" not in services["balancer"]["networks"]


def test_every_container_is_confined_and_bounded(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service, name
        assert not any("docker.sock" in str(volume) for volume in service.get("volumes", [])), name
        if "admin" not in service.get("profiles", []):
            limits = service["deploy"]["resources"]["limits"]
            assert set(limits) == {"cpus", "memory", "pids"}, name
    for name in ("parley", "balancer", "redis", "admin"):
        assert compose["services"][name]["read_only"] is True, name


def test_every_server_says_whether_it_is_well(compose: dict[str, Any]) -> None:
    for name in ("parley", "database", "redis"):
        assert compose["services"][name]["healthcheck"]["test"][0] == "CMD", name
    assert "/readyz" in compose["services"]["parley"]["healthcheck"]["test"][-1]
    waits = compose["services"]["parley"]["depends_on"]
    assert waits == {name: {"condition": "service_healthy"} for name in ("database", "redis")}
    # Longer than the ten seconds that streams are given.
    assert compose["services"]["parley"]["stop_grace_period"] == "20s"


def test_services_share_data_and_read_secrets_from_files(compose: dict[str, Any]) -> None:
    service = compose["services"]["parley"]
    secrets = {f"/run/secrets/{name}" for name in service["secrets"]}
    files = {value for name, value in service["environment"].items() if name.endswith("_FILE")}
    assert files == secrets == {"/run/secrets/database_url", "/run/secrets/redis_url"}
    assert service["volumes"] == ["catalog:/data:ro"]
    assert "--data-dir=/data" in service["command"]
    assert "--allowed-host=${PARLEY_HOST}" in service["command"]
    for secret in compose["secrets"].values():
        assert secret["file"].startswith("./secrets/")


def test_images_are_named_without_a_registry(compose: dict[str, Any]) -> None:
    images = [service["image"] for service in compose["services"].values()]
    dockerfile = (_DEPLOY / "Dockerfile").read_text("utf-8")
    images += re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    assert len(images) >= 6
    for image in images:
        assert re.fullmatch(r"[a-z-]+:[\w.${}:-]+", image), image
        assert not image.endswith(":latest"), image


def test_image_of_the_service_is_built_from_the_lock_and_runs_without_rights() -> None:
    dockerfile = (_DEPLOY / "Dockerfile").read_text("utf-8")
    last = dockerfile.rpartition("\nFROM ")[2]
    installs = re.findall(r"pip install ([^\n&]*)", dockerfile)
    assert re.search(r"^USER 10001:10001$", last, re.MULTILINE)
    assert "/readyz" in last
    assert installs
    for install in installs:
        assert "--require-hashes" in install or "--no-index" in install, install
    for text in (dockerfile, (_DEPLOY / "compose.yaml").read_text("utf-8")):
        assert "index-url" not in text
        assert not re.search(r"https?://(?!127\.0\.0\.1)", text)


def test_image_leaves_out_only_what_the_service_never_loads() -> None:
    chosen = _run("select_locked.py", "service", str(_LOCK))
    everything = set(re.findall(r"^([\w.-]+)==", _LOCK.read_text("utf-8"), re.MULTILINE))
    kept = set(re.findall(r"^([\w.-]+)==", chosen, re.MULTILINE))
    left_out = everything - kept
    sources = [path.read_text("utf-8") for path in (_ROOT / "local_server").rglob("*.py")]
    imports = re.findall(r"^\s*(?:import|from) (\w+)", "\n".join(sources), re.MULTILINE)
    assert left_out == {"pyside6-essentials", "shiboken6", "qasync"}
    assert {"PySide6", "shiboken6", "qasync"}.isdisjoint(imports)
    assert {"fastapi", "redis", "sqlalchemy"} <= set(imports)
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\S)", chosen.strip()))


def test_image_has_what_the_extra_needs_and_the_lock_of_the_desktop_does_not() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extra = [Requirement(line) for line in project["optional-dependencies"]["cluster"]]
    shipped = _locked_names(_LOCK.read_text("utf-8"))
    added = _locked_names(_run("select_locked.py", "cluster", str(_DEV_LOCK)))
    # For the oldest Python that runs the service.
    needed = {name for requirement in extra for name in _with_needs(requirement, "3.11.2")}
    assert added == needed - shipped
    assert {"asyncpg", "greenlet", "prometheus-client", "redis"}.isdisjoint(shipped)


def _locked_names(lock: str) -> set[str]:
    return set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))


def _with_needs(requirement: Requirement, python: str) -> Iterator[str]:
    """Give the name of a package, and of all that it needs, as the installed ones say."""
    yield canonicalize_name(requirement.name)
    # What only another Python needs is not installed here.
    needs = (
        requires(requirement.name) if any(Distribution.discover(name=requirement.name)) else None
    )
    for need in map(Requirement, needs or ()):
        for extra in requirement.extras or {""}:
            short = python.rpartition(".")[0]
            place = {"extra": extra, "python_full_version": python, "python_version": short}
            if need.marker is None or need.marker.evaluate(place):
                yield from _with_needs(need, python)


@pytest.fixture(scope="module")
def shared(
    postgres_server: RunningPostgres,
    redis_server: RunningRedis,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("units")
    with postgres_server.fresh_database() as database:
        yield Deployment(database, redis_server, folder)


@pytest.mark.anyio
async def test_services_started_as_the_unit_says_answer_at_one_address(
    shared: Deployment, tmp_path: Path
) -> None:
    made = await shared.make_key("units")
    one, two = (_start_as_the_unit(shared, tmp_path) for _ in range(2))
    with ended(one, two):
        addresses = [ready(process).base_url for process in (one, two)]
        async with (
            balanced(addresses) as address,
            new_client(address, made.key) as client,
        ):
            client.headers["Host"] = _HOST
            made_here = await client.post("/v1/conversations", headers={"Connection": "close"})
            listed = await client.get("/v1/conversations", headers={"Connection": "close"})
    assert made_here.status_code == 201
    assert listed.json()["meta"]["total"] == 1


def _start_as_the_unit(shared: Deployment, folder: Path) -> "subprocess.Popen[bytes]":
    """Start a service with the command line and the environment of the unit, on free ports."""
    unit = (_DEPLOY / "systemd" / "parley-server@.service").read_text("utf-8")
    for name in ("database_url", "redis_url"):
        (folder / name).write_text(shared.environment[f"PARLEY_{name.upper()}"], encoding="utf-8")
    values = {"%i": "0", "%d": str(folder), "${PARLEY_HOST}": _HOST}
    values["1%i"] = "0"
    values["/var/lib/parley-server"] = str(shared.data)
    for text in sorted(values, key=len, reverse=True):
        unit = unit.replace(text, values[text])
    [command] = re.findall(r"^ExecStart=/opt/parley/bin/parley-server (.*)$", unit, re.MULTILINE)
    environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", unit, re.MULTILINE))
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    return subprocess.Popen(
        (sys.executable, "-m", "local_server.cli", *command.split()),
        stdout=subprocess.PIPE,
        env={**ours, **environment},
    )


def test_unit_keeps_secrets_off_its_command_and_gives_streams_time() -> None:
    unit = (_DEPLOY / "systemd" / "parley-server@.service").read_text("utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
    services = (_DEPLOY / "systemd" / "services.cfg").read_text("utf-8")
    assert "://" not in settings["ExecStart"]
    assert settings["TimeoutStopSec"] == "20"
    assert settings["NoNewPrivileges"] == "yes"
    assert settings["ProtectSystem"] == "strict"
    assert settings["CapabilityBoundingSet"] == ""
    assert re.findall(r"^    server \S+ (\S+)$", services, re.MULTILINE) == [
        "127.0.0.1:8422",
        "127.0.0.1:8423",
    ]


def test_part_of_the_lock_that_is_not_there_any_more_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("a==1 \\\n    --hash=sha256:0\n", encoding="utf-8")
    done = subprocess.run(
        (sys.executable, _DEPLOY / "select_locked.py", "build", tmp_path / "lock"),
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.returncode != 0
    assert "not in the lock: hatchling" in done.stderr


def test_secrets_are_made_once_and_fit_together(tmp_path: Path) -> None:
    script = tmp_path / "make_secrets.py"
    script.write_bytes((_DEPLOY / "make_secrets.py").read_bytes())
    first = subprocess.check_output((sys.executable, script), text=True, timeout=20)
    made = {path.name: path.read_text("utf-8") for path in (tmp_path / "secrets").iterdir()}
    second = subprocess.check_output((sys.executable, script), text=True, timeout=20)
    again = {path.name: path.read_text("utf-8") for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == {"database_password", "database_url", "redis_settings", "redis_url"}
    assert f":{made['database_password']}@database:5432/parley" in made["database_url"]
    assert made["redis_url"].split(":")[2].split("@")[0] in made["redis_settings"]
    assert (again, second) == (made, "all secrets are there\n")
    assert all(value not in first for value in made.values())
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


def test_balancer_takes_one_name_and_streams_without_a_short_limit() -> None:
    balancer = (_DEPLOY / "balancer.cfg").read_text("utf-8")
    limits = dict(re.findall(r"timeout (\S+) (\d+)s", balancer))
    assert 'unless { req.hdr(host) -m str "$PARLEY_HOST" }' in balancer
    # A stream that has nothing to say sends a comment every ten seconds.
    assert int(limits["server"]) >= 60
    assert int(limits["client"]) >= 60
    assert "http-check expect status 200" in balancer
    assert "option httpchk GET /readyz" in balancer
    assert "retry-on conn-failure\n" in balancer
    assert "option http-no-delay\n" in balancer
    bodies = re.findall(r"string '(.*)'", balancer)
    assert len(bodies) == 6
    for body in bodies:
        assert set(json.loads(body)["error"]) == {"code", "message"}


def test_configurations_of_the_engines_are_whole() -> None:
    vllm = yaml.safe_load((_DEPLOY / "engine" / "vllm.yaml").read_text("utf-8"))
    ray = yaml.safe_load((_DEPLOY / "engine" / "ray_serve.yaml").read_text("utf-8"))
    [application] = ray["applications"]
    [model] = application["args"]["llm_configs"]
    assert application["import_path"] == "ray.serve.llm:build_openai_app"
    assert vllm["served-model-name"] == model["model_loading_config"]["model_id"] == "qwen"
    # The service offers tools: an engine has to be told that it may call them.
    assert vllm["enable-auto-tool-choice"] is True
    assert model["engine_kwargs"]["enable_auto_tool_choice"] is True


@pytest.mark.anyio
async def test_service_goes_on_with_the_other_engine_behind_one_address(tmp_path: Path) -> None:
    async with (
        FakeOpenAi() as one,
        FakeOpenAi() as two,
        balanced([one.base_url, two.base_url]) as address,
        models_of("openai:qwen", access=at("openai", f"{address}/v1")) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        one.says("The first ", "engine.")
        two.says("The second ", "engine.")
        conversation_id = await service.create()
        first = await service.chat(conversation_id, "Hello", agent_name="assistant")
        await one.stops()
        second = await service.chat(conversation_id, "And now?", agent_name="assistant")
    assert (text_of(first), text_of(second)) == ("The first engine.", "The second engine.")
    assert (one.asked[0]["model"], two.asked[0]["model"]) == ("qwen", "qwen")


def _run(script: str, *arguments: str) -> str:
    return subprocess.check_output(
        (sys.executable, _DEPLOY / script, *arguments), text=True, timeout=20
    )
