"""Where the service answers, and by which names it may be asked."""

import os
import socket
from pathlib import Path

import psutil
import pytest

from tests.support.service import get, run_command, running_service


@pytest.mark.security(55)
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.2"])
def test_service_serves_no_other_computer_unless_it_is_told_its_names(
    tmp_path: Path, host: str
) -> None:
    code, out, error = run_command("serve", "--host", host, "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert error.strip() == (
        f"On {host} other computers could reach the service, which speaks plain HTTP: put a "
        "proxy with TLS in front of it, and give the names by which clients ask it, with "
        "--allowed-host NAME[:PORT] for each."
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--host", "here"), "“here” is no address of this computer."),
        (
            ("--host", "203.0.113.7", "--allowed-host", "parley.example"),
            "203.0.113.7 is no address of this computer.\n",
        ),
        (("--allowed-host", "http://parley.example"), "“http://parley.example” is no value"),
        (("--allowed-host", "*.example"), "“*.example” is no value of a Host header"),
        (("--allowed-host", "parley.example:99999999"), "is no value of a Host header"),
    ],
)
def test_address_or_name_that_is_none_is_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, error = run_command("serve", *arguments, "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert sentence in error
    assert "Traceback" not in error


@pytest.mark.security(55)
def test_beyond_loopback_only_the_names_that_were_given_are_answered(tmp_path: Path) -> None:
    names = ("parley.example", "parley.example:8443")
    options = ("--host", "0.0.0.0", *(part for name in names for part in ("--allowed-host", name)))
    with running_service(tmp_path, plan="pro", options=options) as service:
        port = service.base_url.rpartition(":")[2]
        url = f"http://127.0.0.1:{port}/v1/agents"
        foreign = (f"127.0.0.1:{port}", f"0.0.0.0:{port}", "PARLEY.example", "parley.example:80")
        statuses = {
            host: get(url, service.key, Host=host).status_code for host in (*names, *foreign)
        }
    assert statuses == dict.fromkeys(names, 200) | dict.fromkeys(foreign, 400)


@pytest.mark.security(55)
@pytest.mark.parametrize(
    "is_child",
    [
        pytest.param(
            True,
            marks=pytest.mark.skipif(
                os.geteuid() != 0, reason="only root may look into what keeps its secrets"
            ),
        ),
        False,
    ],
)
def test_running_service_listens_on_one_socket_and_that_is_loopback(
    tmp_path: Path, is_child: bool
) -> None:
    with running_service(tmp_path, plan=None if is_child else "pro") as service:
        get(service.base_url + "/v1/agents", service.key)
        process = psutil.Process(service.process.pid)
        open_ = [
            place for place in process.net_connections("inet") if place.status == psutil.CONN_LISTEN
        ]
    [place] = open_
    assert f"http://{place.laddr.ip}:{place.laddr.port}" == service.base_url
    assert place.laddr.ip == "127.0.0.1"
    assert place.type == socket.SOCK_STREAM
