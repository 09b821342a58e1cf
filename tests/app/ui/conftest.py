"""What tests of widgets share: one theme for the run, applied as the program applies it; stages."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.paths import resources
from app.ui.composer.composer import Composer
from app.ui.theme import Theme
from tests.support.approval_dock_fixtures import CHAT, ApprovalDockFixture
from tests.support.composer_fixtures import Given


@pytest.fixture(scope="session")
def _loaded_theme(qapp: QApplication) -> Theme:
    theme = Theme(resources(), qapp.styleHints(), "light")
    theme.apply(qapp)
    return theme


@pytest.fixture(scope="module")
def _worn_theme(_loaded_theme: Theme, qapp: QApplication) -> Iterator[Theme]:
    """Yield what a test shows is a window of its own; other modules dress theirs."""
    _loaded_theme.dress(qapp)
    yield _loaded_theme
    _loaded_theme.sheet_changed.disconnect(qapp.setStyleSheet)
    qapp.setStyleSheet("")


@pytest.fixture
def theme(_worn_theme: Theme) -> Iterator[Theme]:
    """Yield the theme, light and without motion again after each test."""
    yield _worn_theme
    _worn_theme.system_has_motion = False
    _worn_theme.wear(AppearanceSettings(theme="light"))


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> Iterator[ApprovalDockFixture]:
    """Yield a window with dock and composer, in front, with the keyboard in the composer."""
    made = ApprovalDockFixture(theme)
    qtbot.addWidget(made.window)
    with qtbot.waitActive(made.window, timeout=20_000):
        made.window.show()
        made.window.activateWindow()
    made.composer.take_focus()
    yield made
    made.window.close()


@pytest.fixture
def composer(theme: Theme, qtbot: QtBot) -> Iterator[Composer]:
    """Yield a composer in an idle chat, in front, with the keyboard in it."""
    made = Composer(theme, QWidget())
    qtbot.addWidget(made)
    made.show_state(CHAT)
    made.resize(720, made.sizeHint().height())
    with qtbot.waitActive(made, timeout=20_000):
        made.show()
        made.activateWindow()
    made.take_focus()
    yield made
    made.close()


@pytest.fixture
def given(composer: Composer) -> Given:
    """Return what the composer gives away from now on."""
    return Given(composer)


@pytest.fixture(autouse=True)
def _empty_clipboard() -> Iterator[None]:
    """Empty the clipboard: what a test left there is freed twice at the end of the process."""
    yield
    if QApplication.instance() is not None:
        QApplication.clipboard().clear()
