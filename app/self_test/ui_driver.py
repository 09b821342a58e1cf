"""Drive real widgets: find them, click and type as Qt delivers it, and wait for signals."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QWidget

from app.self_test.report import CheckFailed
from app.ui.approval.answer_button import InteractionDelay
from app.ui.approval.call_card import ApprovalCard, CardBody
from local_tools.aio import wait_bounded

translate = QCoreApplication.translate

STEP_TIMEOUT_S: Final = 20.0
_LOOK_AGAIN_S: Final = 0.2

_Widget = TypeVar("_Widget", bound=QWidget)


def find(root: QWidget, kind: type[_Widget], name: str) -> _Widget:
    """Find the visible widget with this accessible name.

    Raises:
        CheckFailed: there is none.
    """
    if widget := look_for(root, kind, name):
        return widget
    raise CheckFailed(translate("SelfTest", "“{name}” is not visible").format(name=name))


def look_for(root: QWidget, kind: type[_Widget], name: str) -> _Widget | None:
    """Find the visible widget with this accessible name, if there is one."""
    widgets: list[_Widget] = root.findChildren(kind)
    return next((one for one in widgets if one.accessibleName() == name and one.isVisible()), None)


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Press and release the left button on the widget's middle, or at a place of it.

    Raises:
        CheckFailed: a person could not click it now.
    """
    if not (widget.isVisible() and widget.isEnabled()):
        words = translate("SelfTest", "“{name}” cannot be clicked")
        raise CheckFailed(words.format(name=widget.accessibleName()))
    place = QPointF(at or widget.rect().center())
    for kind, buttons in (
        (QEvent.Type.MouseButtonPress, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton),
    ):
        event = QMouseEvent(
            kind,
            place,
            QPointF(widget.mapToGlobal(place)),
            Qt.MouseButton.LeftButton,
            buttons,
            Qt.KeyboardModifier.NoModifier,
        )
        # Sent, not posted: what the click does at once is done when this returns.
        QApplication.sendEvent(widget, event)


def arming_of(window: QWidget) -> InteractionDelay:
    """Return the delay of the answers of the card that is asked about in `window`."""
    [card] = window.findChildren(ApprovalCard)
    return card.findChildren(InteractionDelay)[0]


async def answer(window: QWidget, name: str) -> None:
    """Read the card in `window` to its end, and click this answer as soon as it counts.

    Raises:
        CheckFailed: it did not in time.
    """
    arming = arming_of(window)
    bodies = window.findChildren(CardBody)

    def counts() -> bool:
        for body in bodies:
            body.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderPageStepAdd)
        answers = window.findChildren(QAbstractButton)
        return arming.is_armed and any(
            one.accessibleName() == name and one.isVisible() and one.isEnabled() for one in answers
        )

    words = translate("SelfTest", "“{name}” can be clicked").format(name=name)
    # What an armed card says is laid out a turn later, and read after that.
    told = [signal for body in bodies for signal in (body.looked, body.laid_out)]
    await until(counts, [arming.changed, *told], words)
    click(find(window, QAbstractButton, name))


def type_into(widget: QWidget, text: str) -> None:
    """Type the text, key by key; a line break is Shift+Enter."""
    for character in text:
        if character == "\n":
            _press(widget, Qt.Key.Key_Return, character, Qt.KeyboardModifier.ShiftModifier)
        else:
            _press(widget, Qt.Key.Key_unknown, character)


def press_enter(widget: QWidget) -> None:
    """Press the Enter key."""
    _press(widget, Qt.Key.Key_Return, "\r")


def press_delete(widget: QWidget) -> None:
    """Press the Delete key."""
    _press(widget, Qt.Key.Key_Delete, "\x7f")


def press_escape(widget: QWidget) -> None:
    """Press the Esc key."""
    _press(widget, Qt.Key.Key_Escape, "\x1b")


def _press(
    widget: QWidget,
    key: Qt.Key,
    text: str,
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, modifier, text))


async def until(
    is_so: Callable[[], bool],
    signals: Sequence[SignalInstance],
    what: str,
    timeout_s: float = STEP_TIMEOUT_S,
) -> None:
    """Wait until `is_so()` is true; check after each of these signals, and periodically.

    The periodic check is for changes without a signal, such as layout and elapsed time.

    Raises:
        CheckFailed: the time is over; the message begins with `what`, the awaited state.
    """
    changed = asyncio.Event()

    def on_change(*_arguments: object) -> None:
        changed.set()

    async def look_again() -> None:
        while not is_so():
            await wait_bounded(_LOOK_AGAIN_S, changed.wait())
            changed.clear()

    with ExitStack() as connections:
        for signal in signals:
            connections.callback(signal.disconnect, signal.connect(on_change))
        if not await wait_bounded(timeout_s, look_again()):
            words = translate("SelfTest", "{what}: not within {seconds} s")
            raise CheckFailed(words.format(what=what, seconds=f"{timeout_s:g}"))
