"""`PaletteController` fills the palette from the window's state and runs the chosen entry."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.chat.conversation_rows import ConversationRow
from app.store.search import TextHit, TitleHit
from app.ui.commands import Command, Commands
from app.ui.palette.entries import PaletteEntries, PaletteEntry, PaletteOffer
from app.ui.palette.palette import Palette
from app.viewmodels.chat.catalog import AgentRow, SkillRow
from app.viewmodels.sidebar.search import Results
from app.viewmodels.window import WindowViewModels

_PALETTE = "palette"


class PaletteController(QObject):
    """Fills the palette while somebody types. Made by the window; ends with it.

    `now` gives the time in the user's time zone.
    """

    chat_chosen = Signal(str)
    """A chat should open; argument: its id."""
    skill_chosen = Signal(str)
    """A skill should be shown; argument: its name."""
    agent_chosen = Signal(object)
    """An agent should answer next; argument: the `AgentRow`."""
    window_requested = Signal(str)
    """A chat should open in a window of its own; argument: its id."""
    behind_needed = Signal()
    """What was chosen appears in the workbench: a page that covers it should close."""

    def __init__(
        self,
        palette: Palette,
        models: WindowViewModels,
        commands: Commands,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(palette)
        self._palette = palette
        self._models = models
        self._commands = commands
        self._entries = PaletteEntries(now)
        self._typed = ""
        palette.typed.connect(self._on_palette_typed)
        palette.chosen.connect(self._on_palette_chosen)
        models.palette_search.results_changed.connect(self._show)
        models.palette_search.failed.connect(palette.show_failure)

    def _show(self, _results: Results | None = None) -> None:
        if self._palette.isVisible() or not self._typed:
            found = self._entries.of(self._typed, self._offer())
            self._palette.show_entries(found, has_new_window=any(map(self._chat_of, found)))

    def _offer(self) -> PaletteOffer:
        models = self._models
        return PaletteOffer(
            models.conversations.rows,
            models.palette_search.results,
            models.catalog.skills.rows,
            models.catalog.agents.rows,
            tuple(filter(_is_offered, self._commands.all)),
        )

    def _chat_of(self, entry: PaletteEntry) -> str:
        """Return the chat that can open in a window of its own; empty when there is none."""
        match entry.target:
            case TitleHit(is_archived=True) | TextHit(is_archived=True):
                return ""
            case TitleHit() | TextHit() as hit:
                return hit.conversation_id
            case ConversationRow() as row if not self._models.archive.is_open:
                return row.conversation_id
        return ""

    def _open(self, entry: PaletteEntry) -> None:
        match entry.target:
            case ConversationRow(conversation_id=conversation_id):
                self.chat_chosen.emit(conversation_id)
            case TitleHit() | TextHit() as hit:
                self._models.palette_search.choose(hit)
            case SkillRow(name=name):
                self.skill_chosen.emit(name)
            case AgentRow() as agent:
                self.agent_chosen.emit(agent)
            case Command(action=action):
                action.trigger()

    def _on_palette_typed(self, typed: str) -> None:
        self._typed = typed
        self._models.palette_search.search(typed)
        self._show()

    def _on_palette_chosen(self, entry: PaletteEntry, in_new_window: bool) -> None:
        self._entries.note_use(entry)
        if in_new_window and (conversation_id := self._chat_of(entry)):
            self.window_requested.emit(conversation_id)
            return
        if not isinstance(entry.target, Command):
            self.behind_needed.emit()
        self._open(entry)


def _is_offered(command: Command) -> bool:
    is_usable = command.action.isEnabled() and command.action.isVisible()
    return is_usable and command.name != _PALETTE
