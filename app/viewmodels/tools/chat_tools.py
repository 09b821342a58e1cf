"""The tools of the open chat: listed with their rules, switched on and off.

`ChatTools` lists and switches them. `ToolChoice` and `ToolRule` are what the composer's chip and
the Tools page show; `ToolFilter` filters the rows by typed words.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QSortFilterProxyModel, Qt, Signal

from app.approvals.rules import Rule
from app.chat.items import Replaced
from app.chat.session import ConversationSession
from app.chat.workspace import RulePermissions
from app.common.errors import ErrorRoute
from app.store.search_terms import parse_terms
from app.tasks import TaskOwner
from app.viewmodels.approval.call_texts import source_words
from app.viewmodels.approval.rule_texts import about_words, use_words
from app.viewmodels.i18n import name_key, translate_marked
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel
from local_tools.registry import ToolRegistry
from local_tools.tool import BUILT_IN, TOOL_ICON, ToolDefinition


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the assistant may ask for."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class ToolRule:
    """A rule that covers a tool: what it is about, and how it is used."""

    rule_id: str
    about: str
    words: str
    denies: bool


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """A tool in the right panel. `rules` hold in the open chat.

    `reads_attachments`: what the person attached is read without a question.
    """

    name: str
    title: str
    description: str
    source: str
    effects: str
    access: str
    is_on: bool
    rules: tuple[ToolRule, ...]
    reads_attachments: bool = False


class ToolRows(RowsModel[ToolChoice]):
    """The tools as rows that can be ticked: a tick is asked for, and comes when it is kept."""

    switched = Signal(str, bool)
    """Somebody wants a tool on or off; arguments: its name, and whether on."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return that a row can be ticked."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.isValid() else flags

    def data(  # type: ignore[override]  # one more kind of data than other rows have
        self, index: Index, role: int = Qt.ItemDataRole.DisplayRole
    ) -> ToolChoice | Qt.CheckState | str | None:
        """Return the row, its text, or whether it is ticked."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return super().data(index, role)
        row = super().data(index, ROW_ROLE)
        if not isinstance(row, ToolChoice):
            return None
        return Qt.CheckState.Checked if row.is_on else Qt.CheckState.Unchecked

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for a tool to be on or off."""
        row = super().data(index, ROW_ROLE)
        if role != Qt.ItemDataRole.CheckStateRole or not isinstance(row, ToolChoice):
            return False
        self.switched.emit(row.name, Qt.CheckState(value) is Qt.CheckState.Checked)
        return True


class ChatTools(QObject):
    """Lists every tool there is, and switches them on and off for the open chat.

    The list is empty until `follow` says which chat is open: making it takes a while at the start.
    The choice made for a new chat becomes the chat's own with its first message. Made by the
    view model of the chat; `aclose` ends what is under way.
    """

    changed = Signal()
    """Other tools are on, or other rules cover them."""

    def __init__(
        self,
        registry: ToolRegistry,
        home: Path,
        on_error: ErrorRoute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows = ToolRows(lambda row: row.title, self, spoken_of=_spoken)
        self.rows.switched.connect(self.switch)
        self._registry = registry
        self._home = home
        self._tasks = TaskOwner(on_error)
        self._session: ConversationSession | None = None
        self._permissions: RulePermissions | None = None
        self._new_chat_off: frozenset[str] = frozenset()
        self._shown_off: frozenset[str] = frozenset()
        self._ends: list[Callable[[], None]] = [registry.subscribe(self._show)]
        self._end_rules: Callable[[], None] | None = None

    @property
    def on(self) -> tuple[OfferedTool, ...]:
        """The tools that are switched on in this chat."""
        rows = [row for row in self.rows.rows if row.is_on]
        return tuple(OfferedTool(row.name, row.title, row.description) for row in rows)

    @property
    def off_in_new_chat(self) -> frozenset[str]:
        """The names of the tools that are switched off for the next new chat."""
        return self._new_chat_off

    def icon_of(self, name: str) -> str:
        """Return the icon of a tool; of one that is not there any more, that of any tool."""
        tool = self._registry.get(name)
        return tool.definition.icon if tool else TOOL_ICON

    def show_permissions(self, permissions: RulePermissions | None) -> None:
        """Show the rules of this profile; a new chat there begins with every tool."""
        if self._end_rules:
            self._end_rules()
            self._end_rules = None
        self._permissions = permissions
        self._new_chat_off = frozenset()
        if permissions:
            self._end_rules = permissions.rules.subscribe(self._show)

    def follow(self, session: ConversationSession | None) -> None:
        """Show the tools of this chat; None for a new one."""
        self._session = session
        self._show()

    def look(self) -> None:
        """Update the rows if other tools are switched off in the chat than are shown."""
        if self._off != self._shown_off:
            self._show()

    def switch(self, name: str, is_on: bool) -> None:
        """Switch a tool on or off in the open chat."""
        off = self._off - {name} if is_on else self._off | {name}
        if self._session:
            self._tasks.start(self._session.set_disabled_tools(off), name="switch tool")
        else:
            self._new_chat_off = off
            self._show()

    def revoke(self, rule_id: str) -> None:
        """Revoke a rule."""
        if self._permissions:
            self._tasks.start(self._permissions.rules.revoke(rule_id), name="revoke rule")

    def switch_off_for_new(self, names: frozenset[str]) -> None:
        """Switch these tools off, and no others, for the next new chat."""
        self._new_chat_off = names
        self._show()

    async def give_to(self, session: ConversationSession) -> None:
        """Switch off, in a chat that has begun, the tools that were chosen before it had.

        Raises:
            StoreError: it could not be kept.
        """
        if self._new_chat_off:
            await session.set_disabled_tools(self._new_chat_off)
            self._new_chat_off = frozenset()

    async def aclose(self) -> None:
        """End what is under way."""
        for end in self._ends:
            end()
        self._ends.clear()
        self.show_permissions(None)
        await self._tasks.aclose()

    @property
    def _off(self) -> frozenset[str]:
        return self._session.settings.disabled_tools if self._session else self._new_chat_off

    def _show(self) -> None:
        rows = [self._choice(definition) for definition in self._registry.definitions()]
        # By title: names are English, and some begin with another word.
        rows.sort(key=lambda row: name_key(row.title))
        before, self._shown_off = self.rows.rows, self._off
        if [row.name for row in before] != [row.name for row in rows]:
            self.rows.replace_all(rows)
        else:
            for number, row in enumerate(rows):
                if row != before[number]:
                    self.rows.mirror(Replaced(number), rows)
        if list(before) != rows:
            self.changed.emit()

    def _choice(self, definition: ToolDefinition) -> ToolChoice:
        return ToolChoice(
            name=definition.name,
            title=translate_marked("Tools", definition.title),
            description=translate_marked("Tools", definition.description),
            source=source_words(definition),
            effects=_effect_words(definition),
            access=_access_words(definition),
            is_on=definition.name not in self._off,
            rules=tuple(self._rules_for(definition)),
            reads_attachments=definition.reads_attachments and definition.source == BUILT_IN,
        )

    def _rules_for(self, definition: ToolDefinition) -> list[ToolRule]:
        rules = self._permissions.rules.rules if self._permissions else ()
        return [
            ToolRule(
                rule.rule_id, about_words(rule.scope, self._home), use_words(rule), rule.denies
            )
            for rule in rules
            if self._covers(rule, definition)
        ]

    def _covers(self, rule: Rule, definition: ToolDefinition) -> bool:
        chat = rule.span.conversation_id
        is_here = not chat or (self._session and self._session.conversation_id == chat)
        is_about = (definition.name, definition.digest) in {(t.name, t.digest) for t in rule.tools}
        return bool(is_here) and is_about and rule.ended is None


def _effect_words(definition: ToolDefinition) -> str:
    translate, effects = QCoreApplication.translate, definition.effects
    if effects.read_only and definition.needs_network:
        return translate("Toolbox", "only reads, from the internet")
    if effects.read_only:
        return translate("Toolbox", "only reads")
    if definition.is_undoable:
        return translate("Toolbox", "makes changes that can be undone")
    if effects.destructive:
        return translate("Toolbox", "can change or remove things permanently")
    return translate("Toolbox", "acts on this computer, removes nothing")


def _access_words(definition: ToolDefinition) -> str:
    translate = QCoreApplication.translate
    if definition.needs_network:
        return translate("Toolbox", "It uses the internet; each card shows the address.")
    if definition.runs_in == "program":
        return translate("Toolbox", "It acts on your desktop: files, trash, clipboard or programs.")
    if definition.effects.open_world:
        return translate("Toolbox", "It can reach whatever the programs it starts can reach.")
    return translate("Toolbox", "It stays on this computer and does not use the network.")


def _spoken(row: ToolChoice) -> str:
    translate = QCoreApplication.translate
    state = translate("Toolbox", "on") if row.is_on else translate("Toolbox", "off")
    return f"{row.title}, {state}, {row.source}, {row.effects}"


class ToolFilter(QSortFilterProxyModel):
    """Shows the rows in which every word stands, in the order that they have.

    Looked at are the name, the title, the description, where a tool comes from, and what it may
    do. Made by the page of the tools; ends with it.
    """

    def __init__(self, rows: ToolRows, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._words = parse_terms("")
        self.setSourceModel(rows)

    def look_for(self, text: str) -> None:
        """Show what has these words; everything for none."""
        self._words = parse_terms(text)
        self.invalidate()

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        """Return whether a tool has the words."""
        tool = self._rows.rows[row]
        said = (tool.name, tool.title, tool.description, tool.source, tool.effects)
        return self._words.are_in("\n".join(said))
