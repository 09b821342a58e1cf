"""The checkouts that the tests of dev.py share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fake_checkout import FakeCheckout


@pytest.fixture
def bare_checkout(tmp_path: Path) -> Iterator[FakeCheckout]:
    """Yield a checkout in which nothing has ever been started."""
    checkout = FakeCheckout(tmp_path)
    yield checkout
    checkout.close()


@pytest.fixture
def checkout(bare_checkout: FakeCheckout) -> FakeCheckout:
    """Return a checkout in which uv is already there."""
    bare_checkout.place_uv()
    return bare_checkout


@pytest.fixture(scope="session")
def _ready_checkout(tmp_path_factory: pytest.TempPathFactory) -> FakeCheckout:
    checkout = FakeCheckout(tmp_path_factory.mktemp("ready"))
    checkout.place_uv()
    assert checkout.run("setup").returncode == 0
    return checkout


@pytest.fixture
def ready_checkout(_ready_checkout: FakeCheckout) -> Iterator[FakeCheckout]:
    """Yield a checkout whose environment is there; one for all tests that leave that alone."""
    _ready_checkout.begin_again()
    yield _ready_checkout
    _ready_checkout.close()
