"""What comes, goes and folds moves for a moment, and not at all where motion is reduced."""

import pytest
from PySide6.QtCore import QAbstractAnimation, QVariantAnimation
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.ui.theme import Theme
from app.ui.widgets.motion import Motion, conceal, reveal
from app.ui.widgets.toggles import Switch


class _Shown(QWidget):
    """A window that parts can be put into."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)


@pytest.fixture
def shown(qtbot: QtBot) -> _Shown:
    whole = _Shown()
    qtbot.addWidget(whole)
    whole.resize(200, 200)
    whole.show()
    return whole


def _wear(theme: Theme, *, motion: str, system_has_motion: bool) -> None:
    theme.system_has_motion = system_has_motion
    theme.wear(AppearanceSettings.model_validate({"theme": "light", "motion": motion}))


def _end(animation: QVariantAnimation) -> None:
    """Go to its end, however long that takes."""
    animation.setCurrentTime(animation.totalDuration())


@pytest.mark.parametrize(
    ("motion", "system_has_motion", "expected"),
    [
        ("system", True, True),
        ("system", False, False),
        ("full", False, True),
        ("reduced", True, False),
    ],
)
def test_motion_follows_the_system_unless_it_is_chosen(
    theme: Theme, shown: _Shown, motion: str, system_has_motion: bool, expected: bool
) -> None:
    _wear(theme, motion=motion, system_has_motion=system_has_motion)
    shares = list[float]()
    moving = Motion(shown, theme, shares.append)

    moving.go(1)

    assert (moving.state() is QAbstractAnimation.State.Running) is expected
    _end(moving)
    assert shares[-1] == 1
    assert (len(shares) > 1) is expected
    assert 120 <= moving.totalDuration() <= 160 or not expected


def test_part_unfolds_and_is_hidden_only_once_it_is_folded(theme: Theme, shown: _Shown) -> None:
    _wear(theme, motion="full", system_has_motion=False)
    part, gone = QLabel("A line"), list[bool]()
    part.hide()
    shown.column.addWidget(part)

    reveal(part, theme)
    [fold] = part.findChildren(QVariantAnimation)
    assert part.isVisible()
    assert part.maximumHeight() == 0
    _end(fold)
    assert part.maximumHeight() > part.sizeHint().height()

    conceal(part, theme, lambda: gone.append(True))
    assert part.isVisible()
    assert not gone
    _end(fold)
    assert part.isHidden()
    assert gone


def test_part_that_comes_back_on_its_way_out_stays(theme: Theme, shown: _Shown) -> None:
    _wear(theme, motion="full", system_has_motion=False)
    part, gone = QLabel("A line"), list[bool]()
    shown.column.addWidget(part)
    part.show()

    conceal(part, theme, lambda: gone.append(True))
    reveal(part, theme)
    [fold] = part.findChildren(QVariantAnimation)
    _end(fold)

    assert part.isVisible()
    assert not gone


def test_switch_shows_what_holds_and_only_asks_for_another_state(
    theme: Theme, shown: _Shown
) -> None:
    _wear(theme, motion="reduced", system_has_motion=True)
    switch, asked = Switch(theme, "Tray icon"), list[bool]()
    shown.column.addWidget(switch)
    switch.switched.connect(asked.append)

    off = switch.grab().toImage()
    switch.click()
    assert asked == [True]
    assert not switch.isChecked()
    assert switch.grab().toImage() == off

    switch.show_on(True)
    switch.click()
    assert asked == [True, False]
    assert switch.grab().toImage() != off
