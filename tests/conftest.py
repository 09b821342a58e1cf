"""What every test gets: offscreen Qt, no network but loopback, and checks that nothing is left."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

import pytest

pytest_plugins = [
    "tests.support.plugins",
    "tests.support.figures",
    "tests.support.engine",
    "tests.support.postgres",
    "tests.support.redis",
    "pytester",
]


@pytest.fixture
def anyio_backend() -> str:
    """Coroutine tests run on asyncio; those that need Qt ask for `qt_loop` instead."""
    return "asyncio"
