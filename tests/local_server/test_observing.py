"""How a real service is watched: what it says when it starts, in its log, and on its ports."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import psutil
import pytest

from local_server.commands.options import CommandError, ObservabilityOptions, bind_metrics
from local_server.observability import LogFormat
from tests.support.deployment import ended
from tests.support.service import get, read_line, run_command

_SERVE = (sys.executable, "-m", "local_server.cli", "serve", "--port", "0")
_ENDS_IN_S = 20


def _metrics(url: str) -> str:
    answer = get(url)
    assert answer.status_code == 200
    return answer.text


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(_ENDS_IN_S) == 0


@pytest.mark.security(55)
@pytest.mark.skipif(os.name == "nt", reason="not run here: Windows has no SIGTERM")
def test_service_says_where_its_metrics_are_and_logs_nothing_but_objects(tmp_path: Path) -> None:
    options = ("--log-format", "json", "--metrics-port", "0", "--data-dir", str(tmp_path / "data"))
    log = tmp_path / "log"
    with log.open("wb") as file:
        process = subprocess.Popen((*_SERVE, *options), stdout=subprocess.PIPE, stderr=file)
    with ended(process):
        said = json.loads(read_line(process, lambda line: '"ready"' in line))
        answer = get(f"{said['base_url']}/v1/agents")
        assert 'route="none",status="401"' in _metrics(said["metrics_url"])
        _only_loopback(process.pid, said["base_url"], said["metrics_url"])
        _stop(process)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    (line,) = [line for line in lines if line["message"] == "request"]
    assert (line["status"], line["request_id"]) == (401, answer.headers["X-Request-Id"])


def _only_loopback(pid: int, *urls: str) -> None:
    listening = {
        (connection.laddr.ip, connection.laddr.port)
        for connection in psutil.Process(pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {("127.0.0.1", httpx.URL(url).port) for url in urls}


def test_without_the_option_there_are_no_metrics() -> None:
    assert bind_metrics(ObservabilityOptions(LogFormat.TEXT)) is None


def test_port_of_the_metrics_that_is_taken_is_refused_with_words() -> None:
    first = bind_metrics(ObservabilityOptions(LogFormat.TEXT, 0))
    assert first is not None
    port = first.getsockname()[1]
    with first, pytest.raises(CommandError, match="Choose another port with --metrics-port N"):
        bind_metrics(ObservabilityOptions(LogFormat.TEXT, port))


def test_port_that_is_none_is_misuse() -> None:
    assert run_command("serve", "--metrics-port", "70000")[0] == 2
