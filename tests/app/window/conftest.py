"""Coroutines here run on the Qt loop, since a real window is under them."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QDesktopServices

from tests.support.plugins import LoopBackend
from tests.support.window import Browser


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop


@pytest.fixture
def browser() -> Iterator[Browser]:
    """Return what is opened instead of the system's browser."""
    browser = Browser()
    # PySide takes a str here, whatever its stub says.
    QDesktopServices.setUrlHandler("file", browser, "opens")  # type: ignore[arg-type]
    yield browser
    QDesktopServices.unsetUrlHandler("file")
