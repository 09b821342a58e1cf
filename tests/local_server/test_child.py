"""The service as a child of the app: what it is given, what it shows, and how it ends."""

import hashlib
import hmac
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from local_server.child_mode import LaunchError, ParentPipe
from tests.support.service import (
    RunningService,
    end,
    get,
    http_client,
    launch_line,
    listening_addresses,
    listening_socket,
    read_line,
    running_child,
    running_service,
    write_line,
)

# Starts the service as the app does, passes its ready line on, and waits to be killed.
_PARENT = """
import subprocess, sys
fd, line, *command = sys.argv[1:]
pipe = subprocess.PIPE
child = subprocess.Popen(command, stdin=pipe, stdout=pipe, pass_fds=(int(fd),))
child.stdin.write(line.encode())
child.stdin.flush()
print(child.stdout.readline().decode(), end="", flush=True)
sys.stdin.read()
"""
_SERVE_CHILD = (sys.executable, "-m", "local_server.cli", "serve", "--child")
_GONE_TIMEOUT_S = 20


def _get(service: RunningService, path: str, key: str | None = None) -> httpx.Response:
    return get(service.base_url + path, key)


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("child")) as service:
        yield service


def test_child_answers_to_its_launch_key_alone(child: RunningService) -> None:
    statuses = [_get(child, "/v1/agents", key).status_code for key in (child.key, "x", None)]
    assert statuses == [200, 401, 401]


@pytest.mark.security(52)
def test_child_proves_that_it_knows_the_secret_before_it_gets_the_key(
    child: RunningService,
) -> None:
    nonce = secrets.token_hex(16)
    proof = _get(child, f"/proof?nonce={nonce}").json()
    wrong = [_get(child, f"/proof?nonce={bad}") for bad in ("", "xyz", "ab", "a" * 200)]
    missing = _get(child, "/proof")
    expected = hmac.new(child.proof_secret.encode(), nonce.encode(), hashlib.sha256).hexdigest()
    assert proof == {"proof": expected}
    assert {answer.status_code for answer in (*wrong, missing)} == {400}
    assert {answer.json()["error"]["code"] for answer in wrong} == {"invalid_request"}


@pytest.mark.security(55)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into what keeps its secrets")
def test_child_listens_on_one_socket_and_that_is_loopback(child: RunningService) -> None:
    assert listening_addresses(child.process.pid) == [child.base_url]


def test_ready_line_is_the_only_one_and_names_the_process(tmp_path: Path) -> None:
    bound = listening_socket()
    fd = str(bound.fileno())
    command = (*_SERVE_CHILD, "--data-dir", str(tmp_path), "--fd", fd)
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, pass_fds=(bound.fileno(),))
    write_line(process, launch_line("pk_live_" + "k" * 40, "s" * 40))
    ready = json.loads(read_line(process, lambda _line: True))
    rest, _ = process.communicate(timeout=_GONE_TIMEOUT_S)
    bound.close()
    assert set(ready) == {"event", "base_url", "version", "pid"}
    assert (ready["event"], ready["pid"]) == ("ready", process.pid)
    assert rest == b""
    assert process.returncode == 0


def test_address_and_key_outlive_the_child_however_it_ends(tmp_path: Path) -> None:
    bound = listening_socket()
    key = "pk_live_" + "k" * 40
    made, found, addresses = "", [], set()
    for ends in ("killed", "asked to end", "last"):
        with running_child(tmp_path, bound=bound, key=key) as service:
            addresses.add(service.base_url)
            with http_client(service.base_url, key) as client:
                if made:
                    found.append(client.get(f"/v1/conversations/{made}").status_code)
                made = client.post("/v1/conversations").json()["data"]["id"]
            if ends == "killed":
                service.process.kill()
                service.process.wait(_GONE_TIMEOUT_S)
    bound.close()
    assert len(addresses) == 1
    assert found == [200, 200]


@contextmanager
def _standard_input(text: str) -> Iterator[None]:
    """Let this process read a text, and then the end, from its standard input."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    before = os.dup(0)
    os.dup2(reading, 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(reading)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Standard input ended before the parent’s line came."),
        ("{\n", "The line on standard input cannot be read"),
        ("{}\n", "launch_key: Field required"),
        (launch_line("short", "s" * 40), "launch_key: "),
    ],
)
def test_line_of_a_parent_that_says_too_little_is_refused_with_a_reason(
    line: str, sentence: str
) -> None:
    with _standard_input(line), pytest.raises(LaunchError) as raised:
        ParentPipe().read_launch()
    assert sentence in str(raised.value)
    assert "short" not in str(raised.value)


def test_child_that_is_told_too_little_says_what_and_ends(tmp_path: Path) -> None:
    command = (*_SERVE_CHILD, "--data-dir", str(tmp_path), "--fd", "0")
    line = launch_line("short", "s" * 40)
    done = subprocess.run(
        command, input=line, capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode == 1
    assert "launch_key: " in done.stderr
    assert "short" not in done.stderr
    assert "Traceback" not in done.stderr


def test_child_refuses_a_model_that_it_does_not_have(tmp_path: Path) -> None:
    bound = listening_socket()
    launch = json.loads(launch_line("pk_live_" + "k" * 40, "s" * 40)) | {"model": "oracle:7"}
    command = (*_SERVE_CHILD, "--data-dir", str(tmp_path), "--fd", str(bound.fileno()))
    done = subprocess.run(
        command,
        input=json.dumps(launch) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        pass_fds=(bound.fileno(),),
    )
    bound.close()
    assert done.returncode == 1
    assert "There is no model “oracle:7” here" in done.stderr


@pytest.mark.security(58)
@pytest.mark.skipif(os.name == "nt", reason="not run here: Windows has no SIGKILL")
def test_child_is_gone_soon_after_its_parent_was_killed(tmp_path: Path) -> None:
    bound = listening_socket()
    fd = str(bound.fileno())
    line = launch_line("pk_live_" + "k" * 40, "s" * 40)
    command = (*_SERVE_CHILD, "--data-dir", str(tmp_path / "service"), "--fd", fd)
    parent = subprocess.Popen(
        (sys.executable, "-c", _PARENT, fd, line, *command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(bound.fileno(),),
    )
    child = psutil.Process(json.loads(read_line(parent, lambda _line: True))["pid"])
    bound.close()
    parent.kill()
    parent.wait(_GONE_TIMEOUT_S)
    _, left = psutil.wait_procs([child], timeout=_GONE_TIMEOUT_S)
    # An orphan that has ended may wait for init to take note of it.
    alive = [process for process in left if process.status() != psutil.STATUS_ZOMBIE]
    for process in alive:
        process.kill()
    end(parent)
    assert alive == []


@pytest.mark.security(58)
def test_end_of_input_ends_the_child_in_the_middle_of_a_reply(tmp_path: Path) -> None:
    with running_child(tmp_path, pace_s=0.2) as service:
        with http_client(service.base_url, service.key) as client:
            made = client.post("/v1/conversations").json()["data"]["id"]
            body = {"conversation_id": made, "message": "Hello"}
            with client.stream("POST", "/v1/chat/stream", json=body) as answer:
                lines = answer.iter_lines()
                assert any("Hello! " in line for line in lines)
                assert service.process.stdin is not None
                service.process.stdin.close()
                assert service.process.wait(_GONE_TIMEOUT_S) == 0
                assert any("The service is stopping." in line for line in lines)
        with running_child(tmp_path) as again:
            detail = _get(again, f"/v1/conversations/{made}", again.key).json()["data"]
    assert detail["messages"][1]["content"].startswith("Hello! ")
