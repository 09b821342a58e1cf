"""Which Pythons dev.py accepts, and what the others say."""

import ast
from pathlib import Path

import pytest

from tests.support.fake_checkout import FakeCheckout

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


@pytest.mark.parametrize("version", ["3.8", "3.10", "3.14"])
def test_an_unsuitable_python_is_refused_with_words(checkout: FakeCheckout, version: str) -> None:
    result = checkout.run(version=version)
    assert result.returncode == 1
    assert result.stderr.startswith(
        f"dev.py: Parley needs Python 3.11 to 3.13, not {version}. Install one of them"
    )
    assert checkout.calls == []


@pytest.mark.parametrize("version", ["3.11", "3.13"])
def test_a_suitable_python_is_accepted(checkout: FakeCheckout, version: str) -> None:
    assert checkout.run(version=version).returncode == 0


def test_the_refusal_names_a_suitable_python_that_is_here(checkout: FakeCheckout) -> None:
    checkout.add_program("python3.12")
    result = checkout.run("test", "-x", version="3.9")
    assert result.stderr.endswith(
        f"Start it as: python3.12 {checkout.root}/packaging/dev.py test -x\n"
    )


def test_the_refusal_does_not_name_a_python_that_does_not_start(checkout: FakeCheckout) -> None:
    checkout.add_program("python3.12")
    checkout.variables["FAKE_FAILURES"] = '{"python3.12": "no such version"}'
    assert "Start it as" not in checkout.run(version="3.9").stderr


@pytest.mark.parametrize("name", ["dev.py", "python_version.py"])
def test_an_old_python_understands_what_it_has_to_read(name: str) -> None:
    ast.parse((PACKAGING / name).read_text(encoding="utf-8"), feature_version=(3, 6))
