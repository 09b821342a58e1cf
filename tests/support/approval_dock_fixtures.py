"""A window with the approval dock and a composer, driven by real keys and clicks."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.ui.approval.answer_button import ARM_AFTER_S
from app.ui.approval.dock import ApprovalDock
from app.ui.composer.composer import Composer
from app.ui.theme import Theme
from app.viewmodels.approval.call_texts import CardView
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.chat.chat import ChatViewState
from app.viewmodels.chat.model_choice import ModelOption
from tests.support.cards import StillClock

CHAT = ChatViewState(
    is_open=True,
    title="Tidy the notes",
    is_busy=False,
    is_asking=False,
    can_send=True,
    placeholder="Write a reply",
    agent=AgentRow(None, "Auto", "The service chooses"),
    model=ModelOption(None, "", ""),
    folder="",
    tools=(),
)


_MOST_STEPS = 400


class ApprovalDockFixture:
    """Shows cards as the main window does, and keeps every answer that was given."""

    def __init__(self, theme: Theme) -> None:
        self.clock = StillClock()
        self.answers: list[tuple[object, ...]] = []
        self.window = QWidget()
        self.window.resize(760, 860)
        self.composer = Composer(theme, QWidget())
        self.dock = ApprovalDock(theme, self.clock)
        column = QVBoxLayout(self.window)
        column.addStretch(1)
        column.addWidget(self.dock)
        column.addWidget(self.composer)
        self.composer.show_state(CHAT)
        # In the program this is a command of the window.
        QShortcut(QKeySequence(Qt.Key.Key_F6), self.window, self.dock.take_focus)
        self.composer.submitted.connect(self.composer.accepted)
        self.dock.allowed.connect(self._on_dock_allowed)
        self.dock.denied.connect(self._on_dock_denied)
        self.dock.answered_instead.connect(self._on_dock_answered_instead)
        self.dock.edited.connect(self._on_dock_edited)
        self.dock.forbidden.connect(self._on_dock_forbidden)
        self.dock.rule_requested.connect(self._on_dock_rule_requested)
        self.dock.resumed.connect(self._on_dock_resumed)
        self.dock.rule_saved.connect(self._on_rule_saved)

    def show(self, *cards: CardView) -> None:
        """Show these cards, laid out."""
        self.dock.show_cards(cards)
        self.settle()

    def settle(self) -> None:
        """Let everything that is due be laid out; one layout may ask for another."""
        for _ in range(5):
            QApplication.sendPostedEvents()

    def arm(self) -> None:
        """Let just as much time pass as the answers need, whatever sums of it round to."""
        self.clock.advance(ARM_AFTER_S + 1e-6)

    def answer(self, name: str) -> QPushButton:
        """Return the answer of this name that is on screen."""
        buttons = self.dock.findChildren(QPushButton)
        return next(b for b in buttons if b.accessibleName() == name and b.isVisible())

    def scroll_by_key(self, name: str) -> QWidget | None:
        """Press Space on this button until it goes, then once more; return where that led."""
        further = self.answer(name)
        further.setFocus()
        while further.isVisible():
            self.key(Qt.Key.Key_Space)
            self.settle()
        reached = QApplication.focusWidget()
        self.arm()
        self.key(Qt.Key.Key_Space)
        return reached

    def point(self, widget: QWidget) -> QPoint:
        """Return the middle of `widget` in the window."""
        return widget.mapTo(self.window, widget.rect().center())

    def press(self, at: QPoint) -> None:
        QTest.mousePress(self._handle(), Qt.MouseButton.LeftButton, pos=at)

    def release(self, at: QPoint) -> None:
        QTest.mouseRelease(self._handle(), Qt.MouseButton.LeftButton, pos=at)

    def click(self, at: QPoint) -> None:
        self.press(at)
        self.release(at)

    def keys(self, keys: Sequence[tuple[Qt.Key, Qt.KeyboardModifier]]) -> None:
        """Type into the window: whatever has the keyboard gets it, after the short cuts."""
        for key, modifier in keys:
            QTest.keyClick(self._handle(), key, modifier)

    def key(self, key: Qt.Key) -> None:
        self.keys([(key, Qt.KeyboardModifier.NoModifier)])

    def tab_to(self, name: str) -> list[str]:
        """Press Tab until the answer of this name has the keyboard; return what had it before."""
        passed: list[str] = []
        for _ in range(_MOST_STEPS):
            self.key(Qt.Key.Key_Tab)
            focus = QApplication.focusWidget()
            assert focus is not None
            if focus.accessibleName() == name:
                return passed
            passed.append(focus.accessibleName())
        raise AssertionError(f"not reached: {name}; but {passed}")

    def _handle(self) -> QWindow:
        return self.window.windowHandle()

    def _on_dock_allowed(self, request_id: str, generation: int) -> None:
        self.answers.append(("allowed", request_id, generation))

    def _on_dock_denied(self, request_id: str, generation: int, reason: str) -> None:
        self.answers.append(("denied", request_id, generation, reason))

    def _on_dock_answered_instead(self, request_id: str, generation: int, text: str) -> None:
        self.answers.append(("answered", request_id, generation, text))

    def _on_dock_forbidden(self, request_id: str, generation: int, reason: str) -> None:
        self.answers.append(("forbidden", request_id, generation, reason))

    def _on_dock_edited(self, request_id: str, generation: int, input_text: str) -> None:
        self.answers.append(("edited", request_id, generation, input_text))

    def _on_dock_rule_requested(self, request_id: str, generation: int, number: int) -> None:
        self.answers.append(("rule", request_id, generation, number))

    def _on_dock_resumed(self, request_id: str, generation: int) -> None:
        self.answers.append(("resumed", request_id, generation))

    def _on_rule_saved(self) -> None:
        self.answers.append(("saved",))
