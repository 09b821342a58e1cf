"""`ComposerBox` lays out the composer: text above its chips, or one line where space is short.

`FolderChip` and `ToolsChip` show the chat's folder and tools. `SendRow` is the right end of the
lower row: a hint about Enter, and the buttons (`SquareButton`); `Sending` has their state.
`RemainingLengthLabel` shows the remaining characters when a message nears the limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QLocale, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chat.session import MESSAGE_LIMIT_CHARS
from app.ui.composer.context_ring import ContextRing
from app.ui.composer.message_edit import MessageEdit
from app.ui.composer.square_button import SquareButton
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.chips import Chip
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import plain_label, set_ink, short_name
from app.ui.widgets.menus import make_menu
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.chat.usage_texts import UsageView
from app.viewmodels.tools.chat_tools import OfferedTool

_MOST_WIDTH_PX: Final = 190


class FolderChip(QWidget):
    """Offers to choose a folder, or shows the chosen one with a menu to change or remove it.

    Made by the composer; ends with it.
    """

    folder_requested = Signal()
    """The person wants to choose a folder."""
    folder_cleared = Signal()
    """The person wants no folder."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = ""
        self._chip = Chip(theme, "", self.tr("Folder"), icon="folder")
        self._chip.stand_in_row("composer")
        self._menu = make_menu(self, self.tr("Folder"), theme)
        self._menu.addAction(self._action(self.tr("Change folder…"), self.folder_requested))
        self._menu.addAction(self._action(self.tr("Stop using this folder"), self.folder_cleared))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._chip)
        self._chip.clicked.connect(self._on_chip_clicked)
        self.show_folder("")

    def show_folder(self, folder: str) -> None:
        """Show this folder; an empty text shows the offer to choose one."""
        self._folder = folder
        # The end of a path says more than its middle.
        middle = Qt.TextElideMode.ElideMiddle
        words = self._chip.fontMetrics().elidedText(folder, middle, _MOST_WIDTH_PX)
        self._chip.show_choice(
            words or self.tr("Choose folder…"),
            folder or self.tr("Folder for tools"),
            lead=words,
        )

    def _action(self, words: str, signal: SignalInstance) -> QAction:
        action = QAction(words, self)
        action.triggered.connect(signal)
        return action

    def _on_chip_clicked(self) -> None:
        if not self._folder:
            self.folder_requested.emit()
            return
        above = QPoint(0, -self._menu.sizeHint().height())
        self._menu.popup(self._chip.mapToGlobal(above))


_NAMED: int = 12


class ToolsChip(QWidget):
    """Opens the list of tools, and tells their number. Made by the composer; ends with it."""

    opened = Signal()
    """The list of tools is wanted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chip = Chip(theme, "", self.tr("Tools"), icon="wrench")
        self._chip.stand_in_row("bare")
        self._chip.clicked.connect(self.opened)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._chip)
        self.hide()

    def show_tools(self, tools: Sequence[OfferedTool], *, is_shown: bool) -> None:
        """Show how many tools the chat has; nothing while there is none that it could have."""
        count = len(tools)
        words = self.tr("1 tool") if count == 1 else self.tr("{0} tools").format(count)
        names = ", ".join(short_name(tool.title) for tool in tools[:_NAMED])
        tooltip = f"{names}, …" if count > _NAMED else names
        if count:
            self._chip.show_choice(self.tr("Tools"), tooltip, spoken=words)
        else:
            self._chip.show_choice(self.tr("No tools"))
        self.setVisible(is_shown)


@dataclass(frozen=True, slots=True)
class Sending:
    """The state of the box as the buttons show it; `can_send`: its text can be sent now."""

    is_busy: bool = False
    is_asking: bool = False
    can_send: bool = False
    is_too_long: bool = False
    is_dropping: bool = False


class SendRow(QWidget):
    """A hint, the ring of the context, and one or two buttons.

    Made by the composer; ends with it.
    """

    send_requested = Signal()
    """The person wants to send what is in the box, or to queue it."""
    stop_requested = Signal()
    """The person wants the reply to end."""
    summary_requested = Signal()
    """The person wants to go on from a summary of the chat."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = plain_label("", theme, size="secondary", ink="ink-3")
        self._ring = ContextRing(theme)
        self._queue = SquareButton(
            "arrow-up", self.tr("Send after this reply"), theme, kind="secondary", ink="ink-2"
        )
        self._send = SquareButton("arrow-up", self.tr("Send"), theme)
        self._stop = SquareButton("square", self.tr("Stop (Esc)"), theme, icon_px=14)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        for widget in (self._hint, self._ring, self._queue, self._send, self._stop):
            row.addWidget(widget)
        for button in (self._queue, self._send):
            button.clicked.connect(self.send_requested)
        self._stop.clicked.connect(self.stop_requested)
        self._ring.summary_requested.connect(self.summary_requested)

    def show_sending(self, sending: Sending) -> None:
        """Offer what can be done now."""
        self._send.setVisible(not sending.is_busy)
        self._send.setEnabled(sending.can_send)
        self._queue.setVisible(sending.is_busy and sending.can_send)
        self._stop.setVisible(sending.is_busy)
        self._hint.setText(self._words(sending))

    def show_usage(self, usage: UsageView | None, *, can_summarise: bool) -> None:
        """Show what the chat used; nothing while that is not known."""
        self._ring.show_usage(usage, can_summarise=can_summarise)

    def width_wanted(self, *, with_hint: bool) -> int:
        """Return the width of the buttons, with or without the hint."""
        all_buttons: tuple[QWidget, ...] = (self._ring, self._queue, self._send, self._stop)
        buttons = [button for button in all_buttons if not button.isHidden()]
        parts = [*buttons, self._hint] if with_hint else buttons
        gaps = self._row.spacing() * max(0, len(parts) - 1)
        return sum(part.sizeHint().width() for part in parts) + gaps

    def show_hint(self, *, is_shown: bool) -> None:
        """Drop the hint where there is no room for it."""
        self._hint.setVisible(is_shown)

    def _words(self, sending: Sending) -> str:
        if sending.is_dropping:
            return self.tr("Drop to add")
        if sending.is_too_long or sending.is_asking:
            # Enter does nothing then, and why is said above; or it asks what becomes of the card.
            return ""
        return self.tr("Enter to queue") if sending.is_busy else self.tr("Enter to send")


_RADIUS: Final = 14
_HINT_FROM_WIDTH_PX: Final = 560
_MARGINS_PX: Final = (14, 13, 14, 10)
_FOLDED_MARGINS_PX: Final = (10, 6, 8, 6)
_SPACING_PX: Final = 14
_MOST_LINES: Final = 10


class ComposerBox(RoundedFrame):
    """Lays out the parts of the composer, and makes chips narrower one after the other.

    `attached` stands above the text, `plus` before the chips. `chips` are the widgets with a chip
    each; the last of them loses its words first, and what is no more than an icon says them in its
    tooltip. Made by the composer; ends with it.
    """

    def __init__(
        self,
        theme: Theme,
        edit: MessageEdit,
        row: SendRow,
        *,
        above: QWidget,
        attached: QWidget,
        plus: QWidget,
        chips: tuple[QWidget, ...],
    ) -> None:
        super().__init__(theme, _RADIUS, line="line-strong")
        self._edit = edit
        self._chips = chips
        self._plus = plus
        self._row = row
        self._lines = 0
        self._flow = FlowLayout()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(*_MARGINS_PX)
        self._column.setSpacing(_SPACING_PX)
        self._column.addWidget(attached)
        self._column.addWidget(edit)
        self._column.addWidget(above)
        self._column.addLayout(self._flow)
        self._flow.add(plus, *chips)
        self._flow.add(row, grows=True)
        self.setFocusProxy(edit)

    def fold(self, lines: int) -> None:
        """Put text and buttons side by side, with at most `lines` lines of text; 0 unfolds it."""
        if lines == self._lines:
            return
        was_folded, self._lines = bool(self._lines), lines
        self._edit.set_most_lines(lines or _MOST_LINES)
        if was_folded != bool(lines):
            self._arrange()
        self._fit_chips()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the chips to the width."""
        super().resizeEvent(event)
        self._fit_chips()

    def event(self, event: QEvent) -> bool:
        """Fit the chips when a chip or the font has changed."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit_chips()
        return super().event(event)

    def _arrange(self) -> None:
        while self._flow.takeAt(0):
            pass
        self._column.removeWidget(self._edit)
        self._flow.add(self._plus, *self._chips)
        if self._lines:
            self._flow.add(self._edit, grows=True)
            self._flow.add(self._row)
        else:
            self._column.insertWidget(1, self._edit)
            self._flow.add(self._row, grows=True)
        margins = _FOLDED_MARGINS_PX if self._lines else _MARGINS_PX
        self._theme.space(self._column, margins, 0 if self._lines else _SPACING_PX)

    def _fit_chips(self) -> None:
        parts = [part for part in self._chips if not part.isHidden()]
        chips = [chip for part in reversed(parts) for chip in part.findChildren(Chip)]
        if self._lines:
            self._row.show_hint(is_shown=False)
            for chip in chips:
                chip.cut_by(chip.whole_width)
            return
        inside = self._column.contentsRect().width() - self._flow.spacing() * (len(parts) + 1)
        inside -= self._plus.sizeHint().width()
        room = inside - sum(chip.whole_width for chip in chips)
        is_wide = self.width() >= self._theme.px(_HINT_FROM_WIDTH_PX)
        has_hint = is_wide and self._row.width_wanted(with_hint=True) <= room
        self._row.show_hint(is_shown=has_hint)
        lacking = self._row.width_wanted(with_hint=has_hint) - room
        for chip in chips:
            lacking -= chip.cut_by(lacking)


_SAID_FROM_CHARS: Final = MESSAGE_LIMIT_CHARS * 9 // 10


class RemainingLengthLabel(QWidget):
    """Hidden while there is plenty of room. Made by the composer; ends with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._is_over = False
        row = QVBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._words)
        self.hide()

    @property
    def words(self) -> str:
        """What is said; empty while nothing is."""
        return self._words.text() if not self.isHidden() else ""

    def show_length(self, length: int) -> bool:
        """Show how many characters are left after `length`; return False when it is too long."""
        over = length - MESSAGE_LIMIT_CHARS
        is_over = over > 0
        if length < _SAID_FROM_CHARS:
            self.hide()
        else:
            self._say(over, is_over=is_over, is_new=self.isHidden() or is_over != self._is_over)
        self._is_over = is_over
        return not is_over

    def _say(self, over: int, *, is_over: bool, is_new: bool) -> None:
        count = QLocale().toString
        if is_over:
            words = self.tr(
                "{over} characters over the limit of {limit}. Shorten the message to send it."
            ).format(over=count(over), limit=count(MESSAGE_LIMIT_CHARS))
        else:
            words = self.tr("{0} characters left").format(count(-over))
        self._words.setText(words)
        if is_new:
            set_ink(self._words, "bad" if is_over else "ink-2")
            self.show()
            announce(self, words)
