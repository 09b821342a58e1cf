"""`ChatActions` has the commands on chats of the sidebar, which are also its context menu."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup

from app.chat.conversation_rows import ConversationRow
from app.config.settings import ChatOrder
from app.ui.commands import CommandGroup, Commands
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.theme import Theme
from app.ui.widgets.menus import make_menu

_NEXT_KEYS: Final = "Ctrl+PgDown"
_PREVIOUS_KEYS: Final = "Ctrl+PgUp"


class ChatActions(QObject):
    """Acts on the list's `targets`, or on the chats of its context menu.

    Made by the sidebar; ends with it.
    """

    opened = Signal(str)
    """A chat should open; argument: its id."""
    window_asked = Signal(str)
    """A chat should open in a window of its own; argument: its id."""
    pin_asked = Signal(object, bool)
    """Chats should be pinned or unpinned; arguments: their ids, whether to pin."""
    export_asked = Signal(object)
    """Chats should be exported; argument: their ids."""
    delete_asked = Signal(object)
    """Somebody wants to delete chats; argument: their `ConversationRow`s."""
    view_asked = Signal()
    """The list must be visible for what was chosen."""
    order_asked = Signal(str)
    """The list should be in another order; argument: a `ChatOrder`."""

    def __init__(self, chats: ConversationList, theme: Theme) -> None:
        super().__init__(chats)
        self._list = chats
        self._theme = theme
        self._order: ChatOrder = "newest"
        self._is_archive = False
        self._menu = make_menu(chats, self.tr("Chat"), theme)
        self._orders = QActionGroup(self._menu)
        self._orders.triggered.connect(self._on_orders_triggered)
        self._offered: Sequence[ConversationRow] = ()
        chats.menu_asked.connect(self._on_list_menu_asked)
        chats.delete_asked.connect(self._delete)
        chats.chosen.connect(self.opened)

    def show_order(self, order: ChatOrder) -> None:
        """Show which order the list is in."""
        self._order = order

    def show_archive(self, *, is_archive: bool) -> None:
        """Show whether these are imported chats, which stay in this window."""
        self._is_archive = is_archive

    def add_to(self, commands: Commands) -> None:
        """Add everything that can be done by a command of the window."""
        add, chat = commands.add, CommandGroup.CHAT
        add("next-chat", self.tr("Next chat"), self.open_next, group=chat, keys=_NEXT_KEYS)
        add(
            "previous-chat",
            self.tr("Previous chat"),
            self.open_previous,
            group=chat,
            keys=_PREVIOUS_KEYS,
        )
        add("rename-chat", self.tr("Rename chat"), self.rename, group=chat, keys="F2")
        add("pin-chat", self.tr("Pin or unpin chat"), self.pin, group=chat, icon="pin")
        add(
            "delete-chat",
            self.tr("Delete chat…"),
            self.delete,
            group=chat,
            keys="Ctrl+Shift+Backspace",
            icon="trash-2",
        )
        add(
            "order-chats",
            self.tr("Reverse chat order"),
            self.turn_order,
            group=CommandGroup.VIEW,
        )

    def open_next(self) -> None:
        """Open the chat below the open one."""
        self._open_neighbour(1)

    def open_previous(self) -> None:
        """Open the chat above the open one."""
        self._open_neighbour(-1)

    def rename(self) -> None:
        """Open the field for the name of the chat that is meant."""
        self._rename(self._list.targets())

    def pin(self) -> None:
        """Pin the chats that are meant, or unpin them when all are pinned."""
        self._pin(self._list.targets())

    def delete(self) -> None:
        """Ask whether the chats that are meant should be deleted."""
        self._delete(self._list.targets())

    def turn_order(self) -> None:
        """Request the reverse order."""
        self.order_asked.emit("oldest" if self._order == "newest" else "newest")

    def _open_neighbour(self, step: int) -> None:
        if conversation_id := self._list.neighbour(step):
            self.opened.emit(conversation_id)

    def _rename(self, rows: Sequence[ConversationRow]) -> None:
        if rows:
            self.view_asked.emit()
            self._list.rename(rows[0].conversation_id)

    def _pin(self, rows: Sequence[ConversationRow]) -> None:
        if rows:
            self.pin_asked.emit(_ids(rows), not all(row.is_pinned for row in rows))

    def _delete(self, rows: Sequence[ConversationRow]) -> None:
        if rows:
            self.view_asked.emit()
            self.delete_asked.emit(tuple(rows))

    def _on_list_menu_asked(self, at: QPoint, rows: Sequence[ConversationRow]) -> None:
        self._offered = rows
        self._menu.clear()
        if len(rows) == 1:
            self._offer_one(rows[0])
        elif rows:
            self._offer_several(len(rows), is_pinned=all(row.is_pinned for row in rows))
        self._offer_order()
        if rows:
            several = self.tr("Delete %n chats…", "", len(rows))
            words = several if len(rows) > 1 else self.tr("Delete…")
            self._menu.addSeparator()
            self._menu.addAction(words, self._on_delete_triggered)
        self._menu.popup(at)

    def _offer_one(self, row: ConversationRow) -> None:
        menu = self._menu
        menu.addAction(self.tr("Open"), self._on_open_triggered)
        if not self._is_archive:
            menu.addAction(self.tr("Open in a new window"), self._on_window_triggered)
        menu.addAction(self.tr("Rename"), self._on_rename_triggered)
        words = self.tr("Unpin") if row.is_pinned else self.tr("Pin")
        menu.addAction(words, self._on_pin_triggered)
        menu.addAction(self.tr("Export…"), self._on_export_triggered)
        menu.addSeparator()

    def _offer_several(self, count: int, *, is_pinned: bool) -> None:
        menu = self._menu
        pin, unpin = self.tr("Pin %n chats", "", count), self.tr("Unpin %n chats", "", count)
        menu.addAction(unpin if is_pinned else pin, self._on_pin_triggered)
        menu.addAction(self.tr("Export %n chats…", "", count), self._on_export_triggered)
        menu.addSeparator()

    def _offer_order(self) -> None:
        menu = self._menu
        orders = (self.tr("Newest first"), "newest"), (self.tr("Oldest first"), "oldest")
        for words, order in orders:
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(order == self._order)
            action.setData(order)
            self._orders.addAction(action)
        menu.addSeparator()
        menu.addAction(self.tr("Select all"), self._list.selectAll)

    def _on_open_triggered(self) -> None:
        self.opened.emit(self._offered[0].conversation_id)

    def _on_window_triggered(self) -> None:
        self.window_asked.emit(self._offered[0].conversation_id)

    def _on_rename_triggered(self) -> None:
        self._rename(self._offered)

    def _on_pin_triggered(self) -> None:
        self._pin(self._offered)

    def _on_export_triggered(self) -> None:
        self.export_asked.emit(_ids(self._offered))

    def _on_delete_triggered(self) -> None:
        self._delete(self._offered)

    def _on_orders_triggered(self, action: QAction) -> None:
        self.order_asked.emit(action.data())


def _ids(rows: Sequence[ConversationRow]) -> tuple[str, ...]:
    return tuple(row.conversation_id for row in rows)
