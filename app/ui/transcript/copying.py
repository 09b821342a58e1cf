"""`Clipboard` copies from the transcript: exactly what is shown, or the Markdown it was made from.

`shown_parts` and `markdown_parts` yield that text, from one row or from many.
"""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from app.chat.items import Item, ReplyPart, Thought, UserMessage
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import OpenLink
from app.ui.transcript.pointer import Hit
from app.ui.transcript.rows.row import Row
from app.ui.transcript.rows.row_cache import RowCache
from app.ui.transcript.scheduling import IncrementalWorker
from app.ui.transcript.selection import Anchor, SelectedSpan, Selection, TextPosition
from app.ui.widgets.labels import short_name
from app.ui.widgets.menus import make_menu
from app.viewmodels.i18n import catalog_text


def shown_parts(rows: RowCache, span: SelectedSpan) -> Iterator[str]:
    """Yield the selected text of each row, as it is shown."""
    for index in range(max(0, span.first.row), min(span.last.row + 1, rows.count)):
        row = rows.read(index)
        if selected := row.part_of(span, index):
            yield row.text(selected)


def markdown_parts(rows: RowCache, span: SelectedSpan) -> Iterator[str]:
    """Yield the Markdown of each row; of one selected in part, that part as it is shown.

    With several messages, the name of its speaker stands above each.
    """
    is_one = span.first.row == span.last.row
    unsaid = ""
    for index in range(max(0, span.first.row), min(span.last.row + 1, rows.count)):
        row, item = rows.read(index), rows.item(index)
        text = _marked_source(row, index, span)
        name = "" if is_one else spoken_name(item) or unsaid
        # The name stands above a thought that is left out, and belongs to what follows then.
        unsaid = name if isinstance(item, Thought) and not text else ""
        if not text:
            continue
        yield f"**{name}**\n\n{text}" if name else text


def spoken_name(item: Item, *, is_repeated: bool = False) -> str:
    """Return the name of an item's speaker; of a later part of a reply only if `is_repeated`."""
    match item:
        case UserMessage():
            return QCoreApplication.translate("Transcript", "You")
        case ReplyPart() | Thought() if item.shows_agent or is_repeated:
            given = catalog_text(item.agent_display_name or item.agent_name or "")
            return short_name(given or QCoreApplication.translate("Transcript", "Assistant"))
    return ""


def _marked_source(row: Row, index: int, span: SelectedSpan) -> str:
    selected = row.part_of(span, index)
    if selected and selected == row.all_selected():
        return row.source_text
    is_inside = span.first.row < index < span.last.row
    return row.text(selected) if selected else (row.source_text if is_inside else "")


_BETWEEN_ROWS: Final = "\n\n"


class Clipboard(QObject):
    """Puts the selection, whole messages, the chat and addresses on the clipboard.

    A copy of many messages is made in slices. One for a view.
    """

    changed = Signal()
    """Other text is selected now."""
    copied = Signal()
    """The clipboard holds what was asked for."""

    def __init__(self, rows: RowCache, selection: Selection, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._window = parent
        self._theme = theme
        self._rows = rows
        self._selection = selection
        self._parts: list[str] = []
        self._slices = IncrementalWorker(self)
        self._slices.ended.connect(self._on_slices_ended)

    @property
    def is_busy(self) -> bool:
        """Whether a copy is being made."""
        return self._slices.is_busy

    def put(self, text: str) -> None:
        """Put text on the clipboard; without the last line break, which would run a command."""
        if text:
            QGuiApplication.clipboard().setText(text.removesuffix("\n"))
            self.copied.emit()

    def copy_selection(self) -> None:
        """Copy the selection, as it is shown."""
        if span := self._selection.span:
            self._gather(shown_parts(self._rows, span))

    def copy_markdown(self) -> None:
        """Copy the selection as Markdown."""
        if span := self._selection.span:
            self._gather(markdown_parts(self._rows, span))

    def copy_message(self, index: int) -> None:
        """Copy a whole message, as it is shown."""
        if 0 <= index < self._rows.count:
            self.put(self._rows.read(index).shown_text)

    def copy_whole(self, index: int) -> None:
        """Copy a message as it is shown, of a reply the texts of all its parts."""
        whole = self._rows.reply_of(index) if 0 <= index < self._rows.count else ()
        parts = (n for n in whole if isinstance(self._rows.item(n), UserMessage | ReplyPart))
        self.put(_BETWEEN_ROWS.join(self._rows.read(n).shown_text for n in parts))

    def copy_source(self, index: int) -> None:
        """Copy a whole message as Markdown."""
        if 0 <= index < self._rows.count:
            self.put(self._rows.read(index).source_text)

    def copy_chat(self) -> None:
        """Copy the chat as Markdown."""
        last = self._rows.count - 1
        if last >= 0:
            # From before the first row to past the last, so that all of them count as whole.
            begin, end = Anchor(-1, TextPosition(0, 0)), Anchor(last + 1, TextPosition(0, 0))
            self._gather(markdown_parts(self._rows, SelectedSpan(begin, end)))

    def select_all(self, index: int) -> None:
        """Select a message; if it is selected already, select the whole chat."""
        whole = self._whole(index)
        if whole and self._selection.span not in (whole, self._chat()):
            self._selection.select(whole)
        elif chat := self._chat():
            self._selection.select(chat)
        self.changed.emit()

    def open_menu(self, hit: Hit | None, at: QPoint) -> None:
        """Open a menu of what can be copied here."""
        menu = make_menu(self._window, self.tr("Copy"), self._theme)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self.actions(hit, menu):
            menu.addAction(action)
        menu.popup(at)

    def actions(self, hit: Hit | None, parent: QObject) -> list[QAction]:
        """Return the actions of that menu."""
        selected = QAction(self.tr("Copy"), parent)
        selected.setEnabled(not self._selection.is_empty)
        selected.triggered.connect(self.copy_selection)
        actions = [selected]
        words = self.tr("Copy as Markdown")
        if not self._selection.is_empty:
            markdown = QAction(words, parent)
            markdown.triggered.connect(self.copy_markdown)
            actions.append(markdown)
        elif hit:
            actions.append(self._copy(words, hit.placed.row.source_text, parent))
        if hit:
            shown = hit.placed.row.shown_text
            actions.append(self._copy(self.tr("Copy message"), shown, parent))
        if hit and hit.target and isinstance(hit.target.action, OpenLink):
            address = hit.target.action.address
            actions.append(self._copy(self.tr("Copy link address"), address, parent))
        chat = QAction(self.tr("Copy chat as Markdown"), parent)
        chat.setEnabled(self._rows.count > 0)
        chat.triggered.connect(self.copy_chat)
        return [*actions, chat]

    def _copy(self, words: str, text: str, parent: QObject) -> QAction:
        action = QAction(words, parent)
        action.triggered.connect(lambda: self.put(text))
        return action

    def _whole(self, index: int) -> SelectedSpan | None:
        if not 0 <= index < self._rows.count:
            return None
        selected = self._rows.read(index).all_selected()
        return SelectedSpan.within(index, selected) if selected else None

    def _chat(self) -> SelectedSpan | None:
        """Return the span from the first text to the last."""
        count = self._rows.count
        wholes = (self._whole(index) for index in range(count))
        first = next((whole for whole in wholes if whole), None)
        from_end = (self._whole(index) for index in reversed(range(count)))
        last = next((whole for whole in from_end if whole), None)
        return SelectedSpan(first.first, last.last) if first and last else None

    def _gather(self, parts: Iterator[str]) -> None:
        self._parts = []
        self._slices.begin(self._collect(parts))

    def _collect(self, parts: Iterator[str]) -> Iterator[None]:
        for part in parts:
            self._parts.append(part)
            yield

    def _on_slices_ended(self) -> None:
        self.put(_BETWEEN_ROWS.join(part.removesuffix("\n") for part in self._parts))
        self._parts = []
