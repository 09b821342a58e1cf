"""The box at the foot of a chat, where messages are written."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.composer.box import ComposerBox
from app.ui.composer.drop_beside import DropBeside
from app.ui.composer.folder_chip import FolderChip
from app.ui.composer.message_edit import MessageEdit
from app.ui.composer.note import ComposerNote
from app.ui.composer.on_the_way import OnTheWay
from app.ui.composer.room_label import RoomLabel
from app.ui.composer.send_row import Sending, SendRow
from app.ui.composer.tools_chip import ToolsChip
from app.ui.theme import Theme
from app.viewmodels.chat.states import ChatViewState


class Composer(QWidget):
    """Takes what the person writes, and gives it away only when told that it was kept.

    Between `submitted` and the call of `accepted` or `refused` the words stay in the box; what is
    sent meanwhile is given away as soon as the message before it is kept. One for the window's
    life.
    """

    submitted = Signal(str)
    """The person sends this text, or queues it while a reply runs."""
    decline_confirmed = Signal(str)
    """The person sends this text although it declines the tool that waits."""
    stop_requested = Signal()
    """The person wants the reply to end."""
    recall_requested = Signal(int)
    """Another of the chat's own messages is wanted; argument: 1 for an older, -1 for a newer."""
    draft_changed = Signal(str)
    """What is in the box now; after every key."""
    files_dropped = Signal(object)
    """Local files to put in as text: tuple[Path, ...]."""
    tools_requested = Signal()
    """The person wants to see which tools this chat has."""
    folder_requested = Signal()
    """The person wants to choose a folder."""
    folder_cleared = Signal()
    """The person wants no folder."""

    def __init__(self, theme: Theme, agent_picker: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._on_the_way = OnTheWay()
        self._later: str | None = None
        self._recalled_at = 0
        self._sending = Sending()
        self._can_send = False
        self._fits = True
        self._note = ComposerNote(theme)
        self._edit = MessageEdit()
        self._drops = DropBeside(self, self._edit)
        self._tools = ToolsChip(theme)
        self._folder = FolderChip(theme)
        self._room = RoomLabel(theme)
        self._row = SendRow(theme)
        chips = (agent_picker, self._tools, self._folder)
        self.box = ComposerBox(theme, self._edit, self._room, chips, self._row)
        self._esc = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._edit.setFont(theme.font())
        self._edit.setAccessibleName(self.tr("Message"))
        self._lay_out()
        self._connect()
        self._show_row()

    @property
    def text(self) -> str:
        """What is in the box."""
        return self._edit.toPlainText()

    def show_state(self, state: ChatViewState) -> None:
        """Show what the chat allows and offers now."""
        self._can_send = state.can_send
        self._sending = Sending(state.is_busy, state.is_asking)
        self._edit.show_prompt(state.placeholder)
        self._tools.show_tools(state.tools, is_shown=state.has_tools)
        self._folder.show_folder(state.folder)
        if not state.is_asking and self._note.is_question:
            self._note.hide()
        self._show_row()

    def set_text(self, text: str) -> None:
        """Put this text into the box, whatever was there: the draft of another chat.

        While a message is being kept this waits for `accepted`: its words may still be needed.
        """
        if self._on_the_way.is_keeping:
            self._on_the_way.end_with_first()
            self._later = text
        else:
            self._edit.set_text(text)

    def take_back(self, text: str) -> None:
        """Put a queued message back, before what is in the box."""
        rest = self.text
        self._edit.set_text(f"{text}\n{rest}" if rest else text)
        self.take_focus()

    def offer_back(self, text: str) -> None:
        """Say that a queued message was removed, and offer to put it into the box."""
        self._note.show_removed(text)

    def insert_text(self, text: str) -> None:
        """Put the text of dropped files where the cursor is."""
        self._edit.insert_text(text)
        self.take_focus()

    def recall(self, messages: Sequence[str], step: int) -> None:
        """Put another of `messages`, oldest first, into the box: `step` 1 is older, -1 newer."""
        before = self._recalled_at if self.text else 0
        self._recalled_at = max(0, min(before + step, len(messages)))
        self._edit.show_recalled(messages[-self._recalled_at] if self._recalled_at else "")

    def propose(self, text: str) -> None:
        """Put an example into the box, unless somebody has begun to write."""
        if not self.text.strip():
            self._edit.set_text(text)
        self.take_focus()

    def accepted(self) -> None:
        """The message is kept: take its words out of the box, and nothing typed since."""
        before = self.text
        rest, following = self._on_the_way.end(before)
        later, self._later = self._later or "", None
        self._note.hide()
        if later == before.removesuffix(rest):
            # The draft that came back is this very message.
            later = ""
        if later + rest != before:
            self._edit.set_text(later + rest)
        self._show_row()
        if following:
            self._give(following, self.submitted)

    def tell(self, words: str) -> None:
        """Say why something else could not be done; a message that is being kept goes on."""
        self._note.show_refusal(words)

    def refused(self, words: str) -> None:
        """Say why the message could not be kept; the box keeps its text."""
        self._on_the_way.stay()
        self._later = None
        self._note.show_refusal(words)
        self._show_row()

    def ask_to_decline(self) -> None:
        """Ask before a message that would decline the tool that waits."""
        self._on_the_way.stay()
        self._note.show_question(
            self.tr("A tool waits for your decision. Sending this now denies it.")
        )
        self._show_row()

    def take_focus(self) -> None:
        """Bring the keyboard to the box."""
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self._note, self.box):
            column.addWidget(part)

    def _connect(self) -> None:
        self._edit.submitted.connect(self._on_edit_submitted)
        self._edit.textChanged.connect(self._on_edit_text_changed)
        self._edit.recall_requested.connect(self.recall_requested)
        self._edit.files_dropped.connect(self.files_dropped)
        self._edit.unusable_pasted.connect(self._on_edit_unusable_pasted)
        self._edit.focus_changed.connect(self._on_edit_focus_changed)
        for drops in (self._edit, self._drops):
            drops.hover_changed.connect(self._on_edit_hover_changed)
        self._row.send_requested.connect(self._on_edit_submitted)
        self._row.stop_requested.connect(self.stop_requested)
        # Held a little long where it gives something else up, it must not go on to stop the reply.
        self._esc.setAutoRepeat(False)
        self._esc.activated.connect(self.stop_requested)
        self._note.confirmed.connect(self._on_note_confirmed)
        self._note.wanted_back.connect(self.take_back)
        self._note.put_away.connect(self._on_note_put_away)
        self._tools.opened.connect(self.tools_requested)
        self._folder.folder_requested.connect(self.folder_requested)
        self._folder.folder_cleared.connect(self.folder_cleared)

    def _show_row(self, *, is_dropping: bool = False) -> None:
        can_give = (
            self._can_send
            and self._fits
            and not self._on_the_way.is_keeping
            and bool(self.text.strip())
        )
        self._esc.setEnabled(self._sending.is_busy)
        self._row.show_sending(
            replace(
                self._sending,
                can_give=can_give,
                is_too_long=not self._fits,
                is_dropping=is_dropping,
            )
        )

    def _give_all(self, signal: SignalInstance) -> None:
        text = self.text
        if self._on_the_way.is_keeping:
            self._on_the_way.add(text)
        elif text.strip():
            self._give(text, signal)

    def _give(self, text: str, signal: SignalInstance) -> None:
        if not self._can_send or not self._fits:
            self._note.show_refusal(self._room.words or self._edit.placeholderText())
            return
        self._on_the_way.begin(text)
        self._note.hide()
        self._show_row()
        signal.emit(text)

    def _on_edit_submitted(self) -> None:
        self._give_all(self.submitted)

    def _on_note_confirmed(self) -> None:
        self._give_all(self.decline_confirmed)

    def _on_note_put_away(self) -> None:
        self._note.hide()
        self.take_focus()

    def _on_edit_text_changed(self) -> None:
        text = self.text
        self._fits = self._room.show_length(len(text))
        self._show_row()
        self.draft_changed.emit(text)

    def _on_edit_unusable_pasted(self) -> None:
        self._note.show_refusal(
            self.tr("Pictures cannot be sent yet. Only text can be put in here.")
        )

    def _on_edit_focus_changed(self, has_focus: bool) -> None:
        self.box.set_line("ink-3" if has_focus else "line-strong")

    def _on_edit_hover_changed(self, is_over: bool) -> None:
        if is_over:
            self.box.set_line("accent")
        else:
            self._on_edit_focus_changed(self._edit.hasFocus())
        self._show_row(is_dropping=is_over)
