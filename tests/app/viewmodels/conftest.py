"""Coroutines here run on the Qt loop, as the view models do."""

import pytest

from tests.support.plugins import LoopBackend


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop
