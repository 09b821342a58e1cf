"""Where the service answers, and by which names it may be asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.own_service import refusal_of_serve
from tests.support.service import (
    RunningService,
    get,
    listening_addresses,
    run_command,
    running_service,
)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("alone"), plan="pro") as service:
        yield service


@pytest.mark.security(55)
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.2"])
def test_service_serves_no_other_computer_unless_it_is_told_its_names(
    tmp_path: Path, host: str
) -> None:
    assert refusal_of_serve(tmp_path, host) == (
        f"On {host} other computers could reach the service, which speaks plain HTTP: put a "
        "proxy with TLS in front of it, and give the names by which clients ask it, with "
        "--allowed-host NAME[:PORT] for each."
    )


@pytest.mark.parametrize(
    ("host", "names", "sentence"),
    [
        ("here", (), "“here” is no address of this computer."),
        ("203.0.113.7", ("parley.example",), "203.0.113.7 is no address of this computer."),
        ("127.0.0.1", ("http://parley.example",), "“http://parley.example” is no value"),
        ("127.0.0.1", ("*.example",), "“*.example” is no value of a Host header"),
        ("127.0.0.1", ("parley.example:99999999",), "is no value of a Host header"),
    ],
)
def test_address_or_name_that_is_none_is_explained_in_one_sentence(
    tmp_path: Path, host: str, names: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refusal_of_serve(tmp_path, host, *names)
    assert not any(tmp_path.iterdir())


def test_refused_address_ends_the_command_with_one_sentence(tmp_path: Path) -> None:
    options = ("--host", "0.0.0.0", "--allowed-host", "*.example")
    code, out, error = run_command("serve", *options, "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert error.startswith("“*.example” is no value of a Host header")
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
def test_service_that_runs_alone_listens_on_one_socket_and_that_is_loopback(
    alone: RunningService,
) -> None:
    assert listening_addresses(alone.process.pid) == [alone.base_url]


@pytest.mark.security(52)
def test_proof_is_no_operation_of_a_service_that_runs_alone(alone: RunningService) -> None:
    url = f"{alone.base_url}/proof?nonce={'ab' * 16}"
    assert (get(url, alone.key).status_code, get(url).status_code) == (404, 401)
