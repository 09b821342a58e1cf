"""`ShortcutsSection` is the settings section that lists all keyboard shortcuts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.store.search_terms import parse_terms
from app.ui.commands import Command, CommandGroup, Commands, context_keys, part_words
from app.ui.settings.section import GAP_PX, SettingsSection
from app.ui.theme import Theme
from app.ui.widgets.fields import SearchLineEdit
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.menus import key_text
from app.ui.widgets.surfaces import hairline, set_card


@dataclass(frozen=True, slots=True)
class _Line:
    """What keys do, and the group it stands in."""

    group: str
    text: str
    keys: tuple[QKeySequence, ...]

    @property
    def keys_text(self) -> str:
        """The keys as they are spelled here; a dash where there are none."""
        return ", ".join(map(key_text, self.keys)) or "—"


class ShortcutsSection(SettingsSection):
    """Every command of the window with its keys, and the keys of its parts; searched by words.

    Made by `SettingsSections`; the lines are made anew when the settings open, since commands are
    added and removed.
    """

    def __init__(self, theme: Theme, commands: Commands) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Shortcuts"), "keyboard")
        self._commands = commands
        self._made: tuple[_Line, ...] = ()
        self._field = SearchLineEdit(theme, self.tr("Search shortcuts"))
        self._field.textChanged.connect(self._show)
        self._none = plain_label(
            self.tr("No matching shortcuts"), theme, size="secondary", ink="ink-2"
        )
        self._shown = QWidget()
        self.column.addWidget(self._field)
        self.column.addWidget(self._none)
        self.column.addWidget(self._shown)
        self._none.hide()

    def begin(self) -> None:
        """Show every command and key as they are now, searched for nothing."""
        self._field.clear()
        if tuple(self._all()) != self._made:
            self._show("")

    def _show(self, typed: str) -> None:
        words = parse_terms(typed)
        self._made = tuple(self._all())
        lines = [line for line in self._made if words.are_in(f"{line.text} {line.keys_text}")]
        self._none.setVisible(not lines)
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP_PX)
        for group, of_group in groupby(lines, key=lambda line: line.group):
            column.addSpacing(8)
            column.addWidget(plain_label(group, self._theme, weight=Weight.DemiBold, wraps=True))
            column.addWidget(self._card(tuple(of_group)))
        self.column.replaceWidget(self._shown, shown)
        self._shown.deleteLater()
        self._shown.hide()
        self._shown = shown
        shown.show()

    def _card(self, lines: tuple[_Line, ...]) -> QFrame:
        card = QFrame()
        set_card(card, "plain")
        column = QVBoxLayout(card)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        for number, line in enumerate(lines):
            if number:
                column.addWidget(hairline())
            column.addLayout(self._row(line))
        return card

    def _row(self, line: _Line) -> FlowLayout:
        row = FlowLayout(spacing_px=16)
        row.setContentsMargins(14, 8, 14, 8)
        row.add(plain_label(line.text, self._theme, wraps=True), grows=True)
        row.add(plain_label(line.keys_text, self._theme, size="secondary", ink="ink-2"))
        return row

    def _all(self) -> Iterator[_Line]:
        for group in CommandGroup:
            for command in self._commands.all:
                if command.group is group:
                    yield _Line(group_words(group), command.action.text(), _keys_of(command))
        for key in context_keys():
            keys = tuple(map(QKeySequence, key.keys))
            yield _Line(part_words(key.part), key.text, keys)


def group_words(group: CommandGroup) -> str:
    """Return the name of a group of commands."""
    translate = QCoreApplication.translate
    return {
        CommandGroup.CHAT: translate("Commands", "Chats"),
        CommandGroup.TRANSCRIPT: translate("Commands", "Messages"),
        CommandGroup.VIEW: translate("Commands", "View"),
        CommandGroup.PROGRAM: translate("Commands", "Parley"),
    }[group]


def _keys_of(command: Command) -> tuple[QKeySequence, ...]:
    """Return the keys of a command, but for those that only few keyboards have, such as Zoom In."""
    return tuple(keys for keys in command.action.shortcuts() if _is_common(keys.toString()))


def _is_common(keys: str) -> bool:
    return "+" in keys or keys.startswith("F")
