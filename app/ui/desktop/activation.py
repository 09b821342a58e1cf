"""Coming forward with the leave of whoever was clicked: another start, or a notice."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QGuiApplication

from app.platform.instance_channel import ACTIVATION_VARIABLE


@contextmanager
def activated_by(token: str) -> Iterator[None]:
    """Let windows that are brought forward in the block use this token; empty for none.

    Under Wayland no window comes forward without one; Qt looks for it in the environment.
    """
    is_wayland = QGuiApplication.platformName().startswith("wayland")
    if token and is_wayland:
        os.environ[ACTIVATION_VARIABLE] = token
    try:
        yield
    finally:
        if is_wayland:
            os.environ.pop(ACTIVATION_VARIABLE, None)
