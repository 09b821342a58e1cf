"""What tests of widgets share: one theme for the run, applied as the program applies it."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.paths import resources
from app.ui.theme import Theme


@pytest.fixture(scope="session")
def _loaded_theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme(resources(), qapp.styleHints(), "light")
    theme.apply(qapp)
    yield theme
    qapp.setStyleSheet("")


@pytest.fixture
def theme(_loaded_theme: Theme) -> Iterator[Theme]:
    """The theme, light again after each test."""
    yield _loaded_theme
    _loaded_theme.choose("light")
