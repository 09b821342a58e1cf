"""`dev.py bench`: what is installed to measure against, and what is started."""

import json

import pytest

from tests.support.fake_checkout import FakeCheckout


def benchmark(checkout: FakeCheckout) -> list[str]:
    """Return the arguments with which the benchmark itself was started."""
    (command,) = [command for command in checkout.commands("python") if "-m" in command.split()]
    return command.split()


def test_bench_installs_the_peer_by_its_lock_and_starts_the_benchmark_with_it(
    ready_checkout: FakeCheckout,
) -> None:
    assert ready_checkout.run("bench", "service", "--quick").returncode == 0
    folder = ready_checkout.root / ".setup" / "bench"
    venv, sync = ready_checkout.commands("uv")
    assert venv.endswith(str(folder))
    assert "--require-hashes --only-binary :all:" in sync
    assert sync.endswith("requirements-bench.txt")
    peer = str(folder / "bin" / "litellm")
    module = ["-P", "-m", "tests.benchmarks.service"]
    assert benchmark(ready_checkout) == [*module, "--peer", peer, "--quick"]


def test_a_second_bench_installs_nothing(ready_checkout: FakeCheckout) -> None:
    ready_checkout.run("bench", "service")
    ready_checkout.forget_calls()
    ready_checkout.run("bench", "service")
    assert ready_checkout.commands("uv") == []
    assert "--peer" in benchmark(ready_checkout)


def test_a_changed_lock_installs_the_peer_anew(ready_checkout: FakeCheckout) -> None:
    ready_checkout.run("bench", "service")
    ready_checkout.forget_calls()
    lock = ready_checkout.root / "packaging" / "requirements-bench.txt"
    lock.write_text("anyio==2\n", encoding="utf-8")
    ready_checkout.run("bench", "service")
    assert [command.split(" -")[0] for command in ready_checkout.commands("uv")] == [
        "venv",
        "pip sync",
    ]


@pytest.mark.parametrize("step", ["uv venv", "uv pip sync"])
def test_without_the_peer_the_rest_is_measured_all_the_same(
    ready_checkout: FakeCheckout, step: str
) -> None:
    ready_checkout.variables["FAKE_FAILURES"] = json.dumps({step: "dns error"})
    result = ready_checkout.run("bench", "service")
    assert result.returncode == 0
    assert "Going on without LiteLLM's proxy." in result.stderr
    assert benchmark(ready_checkout) == ["-P", "-m", "tests.benchmarks.service"]


def test_an_explanation_of_the_benchmark_installs_no_peer(ready_checkout: FakeCheckout) -> None:
    ready_checkout.run("bench", "service", "--", "--help")
    assert ready_checkout.commands("uv") == []
    assert benchmark(ready_checkout)[-1] == "--help"


def test_the_window_is_measured_without_a_peer(ready_checkout: FakeCheckout) -> None:
    assert ready_checkout.run("bench", "gui", "--quick").returncode == 0
    assert ready_checkout.commands("uv") == []
    assert benchmark(ready_checkout) == ["-P", "-m", "tests.benchmarks.gui", "--quick"]
