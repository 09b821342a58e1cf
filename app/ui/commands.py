"""`Commands` lists everything that can be done in a window, for menus, shortcuts and the palette.

A command works everywhere in its window. `context_keys` lists the keys that work only while the
keyboard is in one part of it; together these are all keys of the program, from which the page of
shortcuts is made. `Regions` moves the keyboard from one region of the window to the next.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

Keys = str | QKeySequence.StandardKey


class CommandGroup(Enum):
    """The group that a command is listed in; on macOS also its menu."""

    CHAT = "chat"
    TRANSCRIPT = "transcript"
    VIEW = "view"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done: `action` has its words, its keys, and whether it can be done now.

    `icon` names one of `resources/icons`, or is empty.
    """

    name: str
    group: CommandGroup
    action: QAction
    icon: str = ""


class Commands(QObject):
    """The commands of one window, in the order in which they were added.

    Their keys work wherever the focus is in the window. Made by the window; ends with it.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._commands: dict[str, Command] = {}

    @property
    def all(self) -> tuple[Command, ...]:
        """Every command, whether it can be done now or not."""
        return tuple(self._commands.values())

    def __getitem__(self, name: str) -> Command:
        return self._commands[name]

    def add(
        self,
        name: str,
        text: str,
        run: Callable[[], object],
        *,
        group: CommandGroup,
        keys: Keys = "",
        icon: str = "",
    ) -> QAction:
        """Add a command; `text` is what people read, `run` what happens.

        Raises:
            ValueError: another command has this name or these keys.
        """
        sequences = (
            [QKeySequence(keys)] if isinstance(keys, str) else QKeySequence.keyBindings(keys)
        )
        self._check(name, sequences)
        action = QAction(text, self)
        action.setObjectName(name)
        action.setShortcuts([sequence for sequence in sequences if not sequence.isEmpty()])
        action.triggered.connect(run)
        self._window.addAction(action)
        self._commands[name] = Command(name, group, action, icon)
        return action

    def withdraw(self) -> None:
        """Take every command away, with what was made for it: others are to come."""
        for command in self._commands.values():
            self._window.removeAction(command.action)
        self._commands.clear()
        self.deleteLater()

    def _check(self, name: str, sequences: list[QKeySequence]) -> None:
        if name in self._commands:
            raise ValueError(f"There are two commands of the name {name}.")
        for command in self._commands.values():
            # A command without keys has an empty sequence.
            if set(command.action.shortcuts()) & set(sequences) - {QKeySequence()}:
                raise ValueError(f"{name} has the keys of {command.name}.")


class KeyContext(Enum):
    """A part of the window that has keys of its own."""

    COMPOSER = "composer"
    TRANSCRIPT = "transcript"
    CHATS = "chats"
    SEARCH = "search"
    FINDING = "finding"
    PALETTE = "palette"
    CARD = "card"
    SETTINGS = "settings"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class ContextKey:
    """What keys do in a part; each is spelled as `QKeySequence` reads it."""

    part: KeyContext
    keys: tuple[str, ...]
    text: str


def context_keys() -> tuple[ContextKey, ...]:
    """Return every key of a part, in the language of the window."""
    translate = QCoreApplication.translate
    return (
        ContextKey(KeyContext.COMPOSER, ("Return",), translate("Keys", "Send the message")),
        ContextKey(KeyContext.COMPOSER, ("Shift+Return",), translate("Keys", "New line")),
        ContextKey(
            KeyContext.COMPOSER,
            ("Up",),
            translate("Keys", "Recall your last message (when the message box is empty)"),
        ),
        ContextKey(KeyContext.COMPOSER, ("Esc",), translate("Keys", "Stop the reply")),
        ContextKey(
            KeyContext.TRANSCRIPT, ("J", "K"), translate("Keys", "Next or previous message")
        ),
        ContextKey(
            KeyContext.TRANSCRIPT, ("Tab", "Shift+Tab"), translate("Keys", "Next or previous link")
        ),
        ContextKey(
            KeyContext.TRANSCRIPT, ("Return", "Space"), translate("Keys", "Open the link or row")
        ),
        ContextKey(KeyContext.TRANSCRIPT, ("PgUp", "PgDown"), translate("Keys", "Scroll one page")),
        ContextKey(
            KeyContext.TRANSCRIPT,
            ("Home", "End"),
            translate("Keys", "Go to the beginning or the end"),
        ),
        ContextKey(
            KeyContext.TRANSCRIPT,
            ("Shift+Left", "Shift+Right"),
            translate("Keys", "Select by character"),
        ),
        ContextKey(KeyContext.TRANSCRIPT, ("Ctrl+C",), translate("Keys", "Copy selection")),
        ContextKey(KeyContext.TRANSCRIPT, ("Ctrl+A",), translate("Keys", "Select the message")),
        ContextKey(KeyContext.CHATS, ("Up", "Down"), translate("Keys", "Move through the chats")),
        ContextKey(KeyContext.CHATS, ("Return",), translate("Keys", "Open the chat")),
        ContextKey(
            KeyContext.CHATS, ("Shift+Up", "Shift+Down"), translate("Keys", "Select several chats")
        ),
        ContextKey(KeyContext.CHATS, ("Del",), translate("Keys", "Delete (asks first)")),
        ContextKey(
            KeyContext.SEARCH, ("Up", "Down"), translate("Keys", "Move through search results")
        ),
        ContextKey(KeyContext.SEARCH, ("Return",), translate("Keys", "Open the result")),
        ContextKey(
            KeyContext.SEARCH, ("Esc",), translate("Keys", "Clear the field, then leave it")
        ),
        ContextKey(KeyContext.PALETTE, ("Up", "Down"), translate("Keys", "Move through results")),
        ContextKey(KeyContext.PALETTE, ("Return",), translate("Keys", "Open or run")),
        ContextKey(KeyContext.PALETTE, ("Esc",), translate("Keys", "Close the palette")),
        ContextKey(KeyContext.FINDING, ("Return", "Down"), translate("Keys", "Next match")),
        ContextKey(KeyContext.FINDING, ("Shift+Return", "Up"), translate("Keys", "Previous match")),
        ContextKey(KeyContext.FINDING, ("Esc",), translate("Keys", "Close the find bar")),
        ContextKey(
            KeyContext.CARD, ("PgUp", "PgDown"), translate("Keys", "Scroll through what would run")
        ),
        ContextKey(KeyContext.CARD, ("Tab",), translate("Keys", "Go to the buttons")),
        *_page_keys(),
    )


def _page_keys() -> tuple[ContextKey, ...]:
    translate = QCoreApplication.translate
    return (
        ContextKey(
            KeyContext.SETTINGS,
            ("Return", "Down"),
            translate("Keys", "Go to the matching setting"),
        ),
        ContextKey(KeyContext.SETTINGS, ("Esc",), translate("Keys", "Back to the chat")),
        ContextKey(
            KeyContext.MANUAL, ("Up", "Down"), translate("Keys", "Move through pages or results")
        ),
        ContextKey(KeyContext.MANUAL, ("Return",), translate("Keys", "Go to the text")),
        ContextKey(
            KeyContext.MANUAL, ("Esc",), translate("Keys", "Clear the search, then go back")
        ),
    )


def part_words(part: KeyContext) -> str:
    """Return what the part is called."""
    translate = QCoreApplication.translate
    return {
        KeyContext.COMPOSER: translate("Keys", "Writing a message"),
        KeyContext.TRANSCRIPT: translate("Keys", "Reading a chat"),
        KeyContext.CHATS: translate("Keys", "Chat list"),
        KeyContext.SEARCH: translate("Keys", "Searching"),
        KeyContext.FINDING: translate("Keys", "Finding in a chat"),
        KeyContext.PALETTE: translate("Keys", "Command palette"),
        KeyContext.CARD: translate("Keys", "When a decision is waiting"),
        KeyContext.SETTINGS: translate("Keys", "Settings"),
        KeyContext.MANUAL: translate("Keys", "Manual"),
    }[part]


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the window that the keyboard can go to.

    `enter`, if there is one, brings the keyboard into it; else it goes to where it was there last,
    or to the first control. `is_urgent` says whether every way leads there first.
    """

    widget: QWidget
    enter: Callable[[], object] | None = None
    is_urgent: Callable[[], bool] | None = None


class Regions(QObject):
    """Moves the focus round the visible regions, to an urgent one first.

    Made by the workbench; ends with it.
    """

    def __init__(self, parent: QObject, regions: tuple[Region, ...]) -> None:
        super().__init__(parent)
        self._regions = regions

    def add_to(self, commands: Commands) -> None:
        """Add the ways round to what can be done in the window."""
        group = CommandGroup.VIEW
        words = self.tr("Go to next part of the window")
        commands.add("next-region", words, self._go_on, group=group, keys="F6")
        words = self.tr("Go to previous part of the window")
        commands.add("previous-region", words, self._go_back, group=group, keys="Shift+F6")

    def _go_on(self) -> None:
        self._go(1)

    def _go_back(self) -> None:
        self._go(-1)

    def _go(self, by: int) -> None:
        here = [region for region in self._regions if _first_in(region.widget) is not None]
        focus = QApplication.focusWidget()
        at = next((n for n, region in enumerate(here) if _holds(region.widget, focus)), None)
        urgent = [n for n, region in enumerate(here) if region.is_urgent and region.is_urgent()]
        if urgent and urgent[0] != at:
            _enter(here[urgent[0]])
        elif here:
            # From nowhere it goes to the first region, and backwards to the last.
            before_first = -1 if by > 0 else 0
            _enter(here[((before_first if at is None else at) + by) % len(here)])


def _enter(region: Region) -> None:
    if region.enter is not None:
        region.enter()
        return
    last: QWidget | None = region.widget.focusWidget()
    goal = last if last is not None and _takes_keyboard(last) else _first_in(region.widget)
    if goal is not None:
        goal.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _holds(widget: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (widget is focus or widget.isAncestorOf(focus))


def _takes_keyboard(widget: QWidget) -> bool:
    policy = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(policy) and widget.isVisible() and widget.isEnabled()


def _first_in(widget: QWidget) -> QWidget | None:
    """Return the first control in a region, in the order of Tab."""
    if not widget.isVisible():
        return None
    if _takes_keyboard(widget):
        return widget
    step: QWidget | None = widget.nextInFocusChain()
    # The chain goes round the whole window.
    while step is not None and step is not widget:
        if widget.isAncestorOf(step) and _takes_keyboard(step):
            return step
        step = step.nextInFocusChain()
    return None
