"""`TranscriptView` shows a transcript, whose rows are laid out and painted only when seen.

`Countdown` updates the times in notices while a counting notice is visible. `show_hint` shows the
target of a link or the tooltip of an icon.
"""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QToolTip, QWidget

from app.chat.items import Action
from app.ui.theme import Theme
from app.ui.transcript.accessibility import (
    AccessibleArea,
    AccessibleRows,
    Announcer,
    install_accessible_rows,
)
from app.ui.transcript.blocks.code_piece import HighlightScheduler
from app.ui.transcript.blocks.formula_piece import FormulaDrawer
from app.ui.transcript.canvas import Canvas, blit_scroll, common_shift, places_of
from app.ui.transcript.copying import Clipboard
from app.ui.transcript.finding import TranscriptFinder
from app.ui.transcript.hit_targets import (
    Choose,
    ClickFeedback,
    CopyMessage,
    CopyText,
    FromNote,
    OpenImage,
    OpenLink,
    OpenPage,
    PreviewCode,
    SaveCode,
    ShowRest,
    TargetAction,
    Toggle,
    ToNote,
    Withdraw,
    Wrap,
)
from app.ui.transcript.keyboard import HorizontalScrollHandler, Keyboard
from app.ui.transcript.layout import ScrollPlace, TranscriptLayout
from app.ui.transcript.navigation import (
    CurrentMessage,
    Hover,
    InteractionState,
    NoteNavigation,
    PlaceKeeper,
    TargetFocus,
)
from app.ui.transcript.painting import TranscriptStyle
from app.ui.transcript.pointer import Hit, Pointer
from app.ui.transcript.rows.row import ImageSource, RowContext
from app.ui.transcript.rows.row_cache import RowCache
from app.ui.transcript.scheduling import FrameScheduler
from app.ui.transcript.scrolling import VerticalScroll
from app.ui.transcript.selection import Selection
from app.ui.widgets.focus_ring import has_ring
from app.ui.widgets.labels import show_plain_tooltip
from app.ui.widgets.marks import Mark, mark_of
from app.ui.widgets.motion import cross_fade

# Twice a second, so that each second is shown for about as long as it lasts.
_INTERVAL_MS: Final = 500


class Countdown(QObject):
    """Calls `changed` when the time in a visible notice or thought has changed.

    One for a view.
    """

    def __init__(
        self, layout: TranscriptLayout, changed: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._changed = changed
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def update(self) -> None:
        """Start or stop, depending on what is visible."""
        if not any(placed.row.counts for placed in self._layout.placed):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        if [placed for placed in self._layout.placed if placed.row.tick()]:
            self._changed()


def show_hint(event: QHelpEvent, hit: Hit | None, window: QWidget) -> None:
    """Show the address of the link, or the name of the icon, under the pointer as plain text."""
    target = hit.target if hit else None
    if target is not None and isinstance(target.action, OpenLink):
        show_plain_tooltip(event.globalPos(), target.action.address, window)
    elif target is not None and target.tooltip:
        show_plain_tooltip(event.globalPos(), target.tooltip, window)
    elif hit is not None and (hint := hit.placed.row.hint_at(hit.point)):
        show_plain_tooltip(event.globalPos(), hint, window)
    else:
        QToolTip.hideText()


ITEM_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The role under which the model gives an `Item`."""


class TranscriptView(AccessibleArea):
    """Shows the items of a model, oldest first, and follows the end while it is at the end.

    The model gives an `Item` under `ITEM_ROLE`; items with the same key are states of one thing.
    `clock` counts seconds like `time.monotonic`, `tool_icon` names the icon of a tool by its name.
    With `pages` the items are a page of the manual: it is shown from its beginning, and its links
    may lead to pages with these names. Code of what `stays_here`, as of a page, is only copied.
    Made by the chat page, the manual or the try-out of an agent; ends with it.
    """

    link_activated = Signal(str, str)
    """The address (https, http or mailto) and the words of a link that was pressed; nothing was
    opened."""
    action_chosen = Signal(str, object)
    """The key of a notice, and the `Action` chosen there."""
    withdraw_chosen = Signal(str)
    """The key of a message that waits, and should come back into the composer."""
    save_requested = Signal(str, str)
    """A block of code should become a file; arguments: the code, its language."""
    preview_requested = Signal(str, str)
    """What a block of code draws should be seen; arguments: the code, its language."""
    image_opened = Signal(object)
    """An image was pressed; argument: StoredAttachment."""
    opened = Signal(str)
    """The key of a row that was opened."""
    page_activated = Signal(str)
    """The name of the page of the manual whose link was pressed."""

    def __init__(
        self,
        model: QAbstractItemModel,
        theme: Theme,
        *,
        tool_icon: Callable[[str], str],
        agent_mark: Callable[[str], Mark] = mark_of,
        clock: Callable[[], float] = time.monotonic,
        pages: frozenset[str] = frozenset(),
        stays_here: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        install_accessible_rows()
        super().__init__(parent)
        self._theme = theme
        self._is_page = bool(pages)
        self._highlighter = HighlightScheduler(self)
        self._formulas = FormulaDrawer(self)
        style = TranscriptStyle(theme)
        given = (style, self._highlighter, clock, self._formulas, tool_icon, agent_mark, pages)
        row_context = RowContext(*given, stays_here=stays_here or self._is_page)
        self._rows = RowCache(model, ITEM_ROLE, row_context)
        self._layout = TranscriptLayout(self._rows)
        self._selection = Selection()
        self._focus = TargetFocus(self._layout)
        self._current_message = CurrentMessage(self._layout)
        self.accessible_rows = AccessibleRows(
            self, self._rows, self._layout, self._current_message, self._focus
        )
        self._pointer = Pointer(self._layout, self._selection, self)
        self._refresh = FrameScheduler(self._arrange, self)
        self._announcer = Announcer(self._rows, self)
        self._notes = NoteNavigation(self._layout, self._focus, self._current_message)
        self._countdown = Countdown(self._layout, self._arrange, self)
        self._feedback = ClickFeedback(self)
        self._hover = Hover()
        self.clipboard = Clipboard(self._rows, self._selection, self, theme)
        self.finding = TranscriptFinder(self._rows, self._layout, self)
        interaction = InteractionState(
            self._selection,
            self._focus,
            self._feedback,
            self.finding,
            self._current_message,
            self._hover,
        )
        self.keyboard = Keyboard(
            self._layout, interaction, self.clipboard, self.verticalScrollBar()
        )
        self._horizontal_scroll = HorizontalScrollHandler(
            self._layout, self._pointer, interaction, self
        )
        self._canvas = Canvas(self._layout, theme, interaction)
        self._scroll = VerticalScroll(self._layout, theme, self, is_page=self._is_page)
        self.keeper = PlaceKeeper(self._layout, self._focus, self._refresh.request)
        self._prepare()
        self._connect(model)

    @property
    def laid_out_rows(self) -> int:
        """The number of rows that exist: those in the window and some that were in it lately."""
        return len(self._rows)

    @property
    def follows_end(self) -> bool:
        """Whether the view goes along when something is added at the end."""
        return self._layout.follows_end

    @property
    def is_settled(self) -> bool:
        """Whether everything in the window is laid out and coloured as the model has it."""
        is_done = not self._refresh.is_due and not self._layout.has_more
        return is_done and self._highlighter.is_idle and self._formulas.is_idle

    def catch_up(self) -> None:
        """Lay out at once what was added or changed since the last frame."""
        self._refresh.catch_up()

    def offer(self, actions: tuple[Action, ...]) -> None:
        """Offer these actions below messages, beside copying them; none for no foot at all."""
        if self._rows.offer(actions):
            self._rows.clear()
            self._arrange()

    def draw_from(self, images: ImageSource) -> None:
        """Draw what is attached from these pixels; without any only its names are shown."""
        self._rows.draw_from(images)

    @property
    def place(self) -> ScrollPlace | None:
        """Where it is scrolled to, for `go_to`; None at the end."""
        return self._layout.place

    def go_to(self, place: ScrollPlace | None) -> None:
        """Scroll to where another view of the same chat was, as soon as that is laid out."""
        self.keeper.want(place)
        self._arrange()

    def jump_to_latest(self) -> None:
        """Go to the end and follow it."""
        self._layout.follows_end = True
        self._arrange()

    def viewportEvent(self, event: QEvent) -> bool:
        """Handle mouse events and tooltips."""
        if isinstance(event, QHelpEvent):
            show_hint(event, self._pointer.hit(QPointF(event.pos())), self.viewport())
            return True
        if isinstance(event, QMouseEvent):
            self._pointer.handle(event)
            self._hover_at(event.position())
            self.viewport().setCursor(self._pointer.shape_at(event.position()))
            return True
        if event.type() is QEvent.Type.Leave and self._hover.move("", None):
            self.viewport().update()
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in the window."""
        painter = QPainter(self.viewport())
        self._canvas.paint(painter, event.region(), has_focus=has_ring(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out at another size."""
        super().resizeEvent(event)
        # The width with the bar: rows neither wrap anew nor move when the bar comes or goes.
        self._layout.resize(self.contentsRect().width(), self.viewport().height())
        if 0 < event.oldSize().height() < event.size().height() and self.isVisible():
            self._pointer.guard_presses()
        self._arrange()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        """Scroll the rows, moving what is painted already."""
        if self._scroll.is_showing:
            return
        # The person scrolls, so a place to restore from another view is out of date.
        self.keeper.want(None)
        before = places_of(self._layout.placed)
        self._layout.scroll_to(self.verticalScrollBar().value())
        distance = common_shift(before, places_of(self._layout.placed))
        self._scroll.show()
        # With a device pixel ratio such as 1.25, a shift by logical pixels is not one by whole
        # physical pixels, and moved pixels would blur: repaint everything then.
        if distance is not None and self.devicePixelRatioF().is_integer():
            blit_scroll(self.viewport(), distance, self._scroll.jump_button.geometry())
        else:
            self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll a wide block sideways, or stop following the end at any turn upwards."""
        if self._horizontal_scroll.handle_wheel(event):
            return
        if event.angleDelta().y() > 0 or event.pixelDelta().y() > 0:
            self._scroll.stop_following()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, copy, select, or press the current target."""
        if not self._horizontal_scroll.handle(event) and not self.keyboard.handle(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Note how the keyboard came."""
        self.keyboard.enter(event.reason())
        super().focusInEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's name.
        """Go through links and buttons before the focus leaves the view."""
        has_moved = self.keyboard.move_target(1 if next else -1)
        return has_moved or super().focusNextPrevChild(next)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu that copies what is under the pointer."""
        hit = self._pointer.hit(QPointF(event.pos()))
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            here = (
                row
                for row in self._layout.placed
                if row.index == self._current_message.current_or_first
            )
            hit = next((Hit(row, QPointF(), self._focus.target) for row in here), None)
        self.clipboard.open_menu(hit, event.globalPos())

    def _prepare(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # Wide tables and code scroll by themselves.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Transcript"))
        # The canvas paints every pixel; only of an opaque widget does Qt move pixels in `scroll`.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(True)

    def _connect(self, model: QAbstractItemModel) -> None:
        model.rowsInserted.connect(self._on_model_rows_inserted)
        model.rowsRemoved.connect(self._on_model_rows_removed)
        model.dataChanged.connect(self._on_model_data_changed)
        model.modelReset.connect(self._on_model_reset)
        self._theme.changed.connect(self._on_theme_changed)
        self._pointer.pressed.connect(self._on_pointer_pressed)
        self._pointer.dragged_out.connect(self._scroll.scroll_by)
        self._pointer.selected.connect(self._on_pointer_selected)
        self.keyboard.pressed.connect(self._on_pointer_pressed)
        self.accessible_rows.pressed.connect(self._on_pointer_pressed)
        self.accessible_rows.copied.connect(self.clipboard.copy_message)
        self.keyboard.scrolled.connect(self._scroll.scroll_by)
        self.keyboard.moved.connect(self._on_keyboard_moved)
        self._formulas.drawn.connect(self._arrange)
        self.finding.changed.connect(self._on_finding_changed)
        self._scroll.jump_button.clicked.connect(self.jump_to_latest)
        drawn = (self._pointer.selected, self._highlighter.highlighted, self.clipboard.changed)
        scrolled_sideways = (self._pointer.scrolled_sideways, self._horizontal_scroll.moved)
        for changed in (*drawn, *scrolled_sideways, self._feedback.changed):
            changed.connect(self.viewport().update)

    def _arrange(self) -> None:
        """Lay out the rows in the window, and do a part of the work that is left."""
        for placed in self._layout.placed:
            if placed.row.has_more:
                # One row a frame: more would hold up the frame, and the rest is asked for below.
                placed.row.advance()
                break
        self._layout.arrange()
        self.keeper.apply(is_visible=self.isVisible())
        self._scroll.show()
        self._countdown.update()
        self.viewport().update()
        if self._layout.has_more:
            self._refresh.request()

    def _hover_at(self, point: QPointF) -> None:
        hit = self._pointer.hit(point)
        key, target = (hit.placed.key, hit.target) if hit else ("", None)
        if self._hover.move(key, target.action if target else None):
            self.viewport().update()

    def _on_model_rows_inserted(self, _parent: object, first: int, last: int) -> None:
        count = last - first + 1
        for part in (self._layout, self._selection, self._current_message):
            part.insert(first, count)
        self.finding.rows_shifted(first, count)
        # Who sends a message wants to see it, wherever they had scrolled to.
        self._layout.follows_end |= self._rows.ends_with_own_words(last)
        self._announcer.rows_inserted(first, last)
        self.finding.rows_changed(first, last)
        self._refresh.request()

    def _on_model_rows_removed(self, _parent: object, first: int, last: int) -> None:
        count = last - first + 1
        for part in (self._layout, self._selection, self._current_message):
            part.remove(first, count)
        # `_arrange` at once: until the next frame, keys and clicks would meet rows that are gone.
        self.finding.rows_shifted(last + 1, -count)
        self._arrange()

    def _on_model_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._announcer.rows_changed(first.row(), last.row())
        self.finding.rows_changed(first.row(), last.row())
        self._refresh.request()

    def _on_model_reset(self) -> None:
        self._selection.clear()
        self._focus.clear()
        self._current_message.clear()
        self._announcer.clear()
        self._highlighter.clear()
        self._layout.reset()
        self._layout.follows_end = not self._is_page
        self.finding.restart()
        self._arrange()

    def _on_finding_changed(self) -> None:
        self._scroll.show()
        self.viewport().update()

    def _on_keyboard_moved(self) -> None:
        self.accessible_rows.notify_focus()
        self._on_finding_changed()

    def _on_theme_changed(self) -> None:
        # Colours are part of what was highlighted, and of what rows have drawn.
        self._highlighter.clear()
        self._rows.clear()
        self._arrange()

    def _on_pointer_selected(self) -> None:
        self._current_message.clear()
        if self._selection.extends_up:
            # What is being selected would move away from under the pointer.
            self._scroll.stop_following()

    def _on_pointer_pressed(self, key: str, action: TargetAction) -> None:
        match action:
            case OpenLink(address, words):
                self.link_activated.emit(address, words)
            case OpenPage(name):
                self.page_activated.emit(name)
            case ToNote() | FromNote():
                # The new keyboard target is announced by itself.
                self._announcer.announce(self._notes.follow(key, action))
                self._on_keyboard_moved()
            case Choose(choice):
                self.keeper.note()
                self.action_chosen.emit(key, choice)
            case Withdraw():
                self.withdraw_chosen.emit(key)
            case Toggle() | ShowRest() | Wrap():
                self._change_layout(key, action)
            case CopyText() | CopyMessage():
                self._copy(key, action)
            case SaveCode() | PreviewCode():
                self._take_out(key, action)
            case OpenImage(image):
                self.image_opened.emit(image)

    def _change_layout(self, key: str, action: Toggle | ShowRest | Wrap) -> None:
        """Open or close a row, or show a piece of it otherwise."""
        # The pressed button must stay under the pointer: follow the end only if nothing scrolls.
        self._layout.follows_end = self._layout.maximum == 0
        is_open = False
        if isinstance(action, Toggle):
            cross_fade(self.viewport(), self._theme)
            is_open = self._rows.toggle(key)
        else:
            self._rows.toggle_piece(key, action.piece)
        self.finding.restart()
        self._arrange()
        if is_open:
            self.opened.emit(key)
            self._layout.reveal_row(key)
            self._arrange()

    def _take_out(self, key: str, action: SaveCode | PreviewCode) -> None:
        text = action.text
        if action.is_cut:
            # The start shows no code, and what reads Markdown takes long to import.
            from app.ui.markdown.parser import whole_code  # noqa: PLC0415

            rows = (placed.row for placed in self._layout.placed if placed.key == key)
            # A long block shows its beginning only, but a file gets all of it.
            text = whole_code(next(rows).source_text, text)
        is_saving = isinstance(action, SaveCode)
        wanted = self.save_requested if is_saving else self.preview_requested
        wanted.emit(text, action.language)

    def _copy(self, key: str, action: CopyText | CopyMessage) -> None:
        if isinstance(action, CopyText):
            self.clipboard.put(action.text)
        else:
            index = next((row.index for row in self._layout.placed if row.key == key), -1)
            self.clipboard.copy_whole(index)
        self._feedback.show(key, action)
        self._announcer.announce(QCoreApplication.translate("Transcript", "Copied"))
