"""`Composer` is the box below a chat in which the user writes messages.

`DropForwarder` forwards drops beside the text field to it. `PendingSubmissions` tracks submitted
messages, whose text stays in the box until they are on disk.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.composer.attachment_chips import AttachButton, AttachmentChips
from app.ui.composer.composer_box import (
    ComposerBox,
    FolderChip,
    RemainingLengthLabel,
    Sending,
    SendRow,
    ToolsChip,
)
from app.ui.composer.composer_note import ComposerNote
from app.ui.composer.message_edit import MessageEdit
from app.ui.composer.screen_grab import png_of
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce, hold_announcements
from app.ui.widgets.labels import one_line
from app.viewmodels.chat.attached_files import AttachmentChip
from app.viewmodels.chat.chat import ChatViewState


class DropForwarder(QObject):
    """Forwards drops on `area` to the `edit` in it. Made by the composer, its `area`."""

    hover_changed = Signal(bool)
    """Something that can be dropped came over the area or left it: whether it is here."""

    def __init__(self, area: QWidget, edit: MessageEdit) -> None:
        super().__init__(area)
        self._edit = edit
        area.setAcceptDrops(True)
        area.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle drags and drops over the area."""
        if isinstance(event, QDragEnterEvent):
            event.setAccepted(self._edit.canInsertFromMimeData(event.mimeData()))
            self.hover_changed.emit(event.isAccepted())
            return True
        if event.type() is QEvent.Type.DragLeave:
            self.hover_changed.emit(False)
        elif event.type() is QEvent.Type.Drop and isinstance(event, QDropEvent):
            # Never a move: the other program would delete its file.
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._edit.insertFromMimeData(event.mimeData())
            self.hover_changed.emit(False)
            return True
        return super().eventFilter(watched, event)


class PendingSubmissions:
    """The submitted messages in the box, divided by where Enter was pressed.

    The first is being stored, the others follow one by one; text after the last Enter is not
    submitted. Made by the composer; ends with it.
    """

    def __init__(self) -> None:
        self._submitted: str | None = None
        self._next: list[str] = []

    @property
    def is_keeping(self) -> bool:
        """Whether a submitted message is not on disk yet."""
        return self._submitted is not None

    def begin(self, text: str) -> None:
        """Set the submitted message, with which the text in the box begins."""
        self._submitted = text

    def add(self, text: str) -> None:
        """Queue what was typed since the last Enter, now that `text` is in the box."""
        before = "".join((self._submitted or "", *self._next))
        if text.startswith(before):
            rest = text[len(before) :]
        else:
            # The user has changed text that was being sent: send what is in the box instead.
            self._next.clear()
            rest = text
        if rest.strip():
            self._next.append(rest)

    def end(self, text: str) -> tuple[str, str]:
        """Report that the first message is kept, or that nothing was on its way.

        Returns what is left of `text` in the box, and with which message, if any, it now begins
        that is to be submitted in its turn.
        """
        submitted_text, self._submitted = self._submitted or "", None
        rest = text.removeprefix(submitted_text)
        if self._next and rest.startswith(self._next[0]):
            return rest, self._next.pop(0)
        self._next.clear()
        return rest, ""

    def cancel(self) -> None:
        """Drop all messages: their text stays in the box."""
        self._submitted = None
        self._next.clear()

    def drop_following(self) -> None:
        """Drop all messages but the first; the box is about to show something else."""
        self._next.clear()


class Composer(QWidget):
    """Edits a message; its text leaves the box only when the message was kept.

    Between `submitted` and the call of `accepted` or `refused` the words stay in the box; what is
    sent meanwhile is submitted as soon as the message before it is kept. One for the window's
    life.
    """

    submitted = Signal(str)
    """The person sends this text, or queues it while a reply runs."""
    decline_confirmed = Signal(str)
    """The person sends this text although it declines the tool that waits."""
    stop_requested = Signal()
    """The person wants the reply to end."""
    summary_requested = Signal()
    """The person wants to go on from a summary of the chat."""
    recall_requested = Signal(int)
    """Another of the chat's own messages is wanted; argument: 1 for an older, -1 for a newer."""
    draft_changed = Signal(str)
    """What is in the box now; after every key."""
    files_attached = Signal(object)
    """Files to attach that were dropped or pasted; argument: tuple[Path, ...]."""
    content_attached = Signal(str, bytes)
    """Something of the clipboard to attach; arguments: a name, the contents."""
    content_made = Signal(str, object)
    """Something to attach that takes time to make; arguments: a name, what returns the contents."""
    attachment_removed = Signal(str)
    """An attached file is not wanted any more; argument: its id."""
    files_requested = Signal()
    """The person wants to choose files to attach."""
    retried = Signal()
    """The person wants to ask a question anew, as the note offers."""
    rewind_chosen = Signal(bool)
    """What tools changed should be put back when the message is sent, or not."""
    note_dismissed = Signal()
    """The note above the box was closed, and what it was about is off."""
    tools_requested = Signal()
    """The person wants to see which tools this chat has."""
    folder_requested = Signal()
    """The person wants to choose a folder."""
    screenshot_requested = Signal()
    """The person wants to attach what is on the screen."""
    folder_cleared = Signal()
    """The person wants no folder."""

    def __init__(self, theme: Theme, agent_picker: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pending = PendingSubmissions()
        self._later: str | None = None
        # What was in the box before Edit, and with the message that is edited.
        self._before_edit = ("", "")
        self._recalled_at = 0
        self._sending = Sending()
        self._can_send = False
        self._fits = True
        self._note = ComposerNote(theme)
        self._edit = MessageEdit()
        self._drops = DropForwarder(self, self._edit)
        self._tools = ToolsChip(theme)
        self._folder = FolderChip(theme)
        self._attached = AttachmentChips(theme)
        self._plus = AttachButton(theme)
        self._room = RemainingLengthLabel(theme)
        self._row = SendRow(theme)
        chips = (agent_picker, self._folder, self._tools)
        self.box = ComposerBox(
            theme,
            self._edit,
            self._row,
            above=self._room,
            attached=self._attached,
            plus=self._plus,
            chips=chips,
        )
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
        self._row.show_usage(state.usage, can_summarise=state.can_summarise)
        self._attached.show_blind_model("" if state.model.can_see else state.model.display_name)
        if not state.is_asking and self._note.is_question:
            self._note.hide()
        self._show_row()

    def set_text(self, text: str) -> None:
        """Put this text into the box, whatever was there: the draft of another chat.

        While a message is being kept this waits for `accepted`: its words may still be needed.
        """
        if self._pending.is_keeping:
            self._pending.drop_following()
            self._later = text
        else:
            self._edit.set_text(text)

    def take_back(self, text: str) -> None:
        """Put a queued message back, before what is in the box."""
        rest = self.text
        self._edit.set_text(f"{text}\n{rest}" if rest else text)
        self.take_focus()

    def edit(self, text: str) -> None:
        """Put a message that is edited before what is in the box, until the note is closed."""
        before = self.text
        self.take_back(text)
        self._before_edit = (before, self.text)

    def offer_back(self, text: str) -> None:
        """Say that a queued message was removed, and offer to put it into the box."""
        self._note.show_removed(text)

    def take_drops_on(self, area: QWidget) -> None:
        """Also take what is dropped beside the composer, on this area."""
        drops = DropForwarder(area, self._edit)
        drops.hover_changed.connect(self._on_edit_hover_changed)

    def show_attachments(self, chips: Sequence[AttachmentChip]) -> None:
        """Show what goes with the message."""
        self._attached.show_chips(chips)
        self._show_row()

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
        """Remove the words of a kept message from the box, and nothing typed since."""
        before = self.text
        rest, following = self._pending.end(before)
        later, self._later = self._later or "", None
        self._before_edit = ("", "")
        self._note.end()
        if later == before.removesuffix(rest):
            # The draft that came back is this very message.
            later = ""
        if later + rest != before:
            self._edit.set_text(later + rest)
        self._show_row()
        if following:
            self._submit(following, self.submitted)

    def tell(self, words: str) -> None:
        """Say why something other than sending failed; a message on its way is not affected."""
        self._note.show_refusal(words)

    def tell_refused(self, reasons: Sequence[str]) -> None:
        """Say why files were not attached; without reasons, take back what was said before."""
        self._note.show_refused_files(reasons)

    def tell_folder(self, folder: str) -> None:
        """Have the folder that was chosen read out, empty for none, and take the keyboard."""
        words = self.tr("No folder for tools")
        if folder:
            words = self.tr("Folder for tools: {0}").format(one_line(folder))
        # The button that opened the dialog may be gone, and the focus with it.
        hold_announcements(self.window())
        announce(self, words)
        self.take_focus()

    def hint(self, words: str, changed: Sequence[str] = ()) -> None:
        """Show a hint about the text in the box; offer to put back the files in `changed`."""
        self._note.show_hint(words, changed)

    def ask_anew(self, words: str, changed: Sequence[str]) -> None:
        """Ask whether to put these files back, before a question is asked anew."""
        self._note.ask_anew(words, changed)

    def drop_note(self) -> None:
        """Hide the note: what it is about is not shown any more."""
        self._before_edit = ("", "")
        self._note.end()

    def refused(self, words: str) -> None:
        """Say why the message could not be kept; the box keeps its text."""
        self._pending.cancel()
        self._later = None
        self._note.show_refusal(words)
        self._show_row()

    def ask_to_decline(self) -> None:
        """Ask before a message that would decline the tool that waits."""
        self._pending.cancel()
        self._note.show_question(
            self.tr("A tool call is waiting for your decision. Sending this message denies it.")
        )
        self._show_row()

    def type_on(self, character: str) -> None:
        """Go on with what somebody began to write outside the box, unless that is hidden."""
        if self.isVisible():
            self.take_focus()
            self._edit.insertPlainText(character)

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
        self._edit.files_dropped.connect(self.files_attached)
        self._edit.image_pasted.connect(self._on_edit_image_pasted)
        self._edit.long_text_pasted.connect(self._attach_text)
        self._edit.unusable_pasted.connect(self._on_edit_unusable_pasted)
        self._edit.focus_changed.connect(self._on_edit_focus_changed)
        for drops in (self._edit, self._drops):
            drops.hover_changed.connect(self._on_edit_hover_changed)
        self._row.send_requested.connect(self._on_edit_submitted)
        self._row.stop_requested.connect(self.stop_requested)
        self._row.summary_requested.connect(self.summary_requested)
        # Esc held a little too long to close something else must not go on to stop the reply.
        self._esc.setAutoRepeat(False)
        self._esc.activated.connect(self.stop_requested)
        self._note.confirmed.connect(self._on_note_confirmed)
        self._note.retried.connect(self.retried)
        self._note.rewind_chosen.connect(self.rewind_chosen)
        self._note.restore_requested.connect(self.take_back)
        self._note.dismissed.connect(self._on_note_dismissed)
        self._attached.removed.connect(self.attachment_removed)
        self._attached.emptied.connect(self.take_focus)
        self._plus.files_requested.connect(self.files_requested)
        self._plus.folder_requested.connect(self.folder_requested)
        self._plus.screenshot_requested.connect(self.screenshot_requested)
        self._plus.clipboard_requested.connect(self._on_plus_clipboard_requested)
        self._tools.opened.connect(self.tools_requested)
        self._folder.folder_requested.connect(self.folder_requested)
        self._folder.folder_cleared.connect(self.folder_cleared)

    def _show_row(self, *, is_dropping: bool = False) -> None:
        can_send = (
            self._can_send
            and self._fits
            and not self._pending.is_keeping
            and not self._attached.is_busy
            and self._has_something
        )
        # Only then, so that otherwise Esc reaches what else waits for it.
        self._esc.setEnabled(self._sending.is_busy)
        self._row.show_sending(
            replace(
                self._sending,
                can_send=can_send,
                is_too_long=not self._fits,
                is_dropping=is_dropping,
            )
        )

    def _submit_all(self, signal: SignalInstance) -> None:
        text = self.text
        if self._pending.is_keeping:
            self._pending.add(text)
        elif self._has_something and not self._attached.is_busy:
            self._submit(text, signal)

    def _submit(self, text: str, signal: SignalInstance) -> None:
        if not self._can_send or not self._fits:
            self._note.show_refusal(self._room.words or self._edit.placeholderText().strip())
            return
        self._pending.begin(text)
        self._note.hide()
        self._show_row()
        signal.emit(text)

    @property
    def _has_something(self) -> bool:
        return bool(self.text.strip()) or not self._attached.is_empty

    def _on_edit_submitted(self) -> None:
        self._submit_all(self.submitted)

    def _on_note_confirmed(self) -> None:
        self._submit_all(self.decline_confirmed)

    def _on_note_dismissed(self) -> None:
        self._note.end()
        self.note_dismissed.emit()
        before, edited = self._before_edit
        if edited and self.text == edited and self._attached.is_empty:
            # Nothing was changed: the box is as it was before Edit.
            self._edit.set_text(before)
        self._before_edit = ("", "")
        self.take_focus()

    def _on_edit_text_changed(self) -> None:
        text = self.text
        self._fits = self._room.show_length(len(text))
        self._show_row()
        self.draft_changed.emit(text)

    def _on_edit_unusable_pasted(self) -> None:
        self._note.show_refusal(self.tr("Only text, files and images can be added here."))

    def _on_edit_image_pasted(self, image: QImage) -> None:
        self.content_made.emit(self.tr("Image.png"), partial(png_of, image))

    def _attach_text(self, text: str) -> None:
        self.content_attached.emit(self.tr("Clipboard.txt"), text.encode())

    def _on_plus_clipboard_requested(self) -> None:
        # None where the window system has no clipboard.
        found: QMimeData | None = QGuiApplication.clipboard().mimeData()
        if found is None or not self._edit.canInsertFromMimeData(found):
            self._note.show_refusal(self.tr("There is nothing on the clipboard to attach."))
        elif found.hasText() and not found.hasUrls():
            self._attach_text(found.text())
        else:
            self._edit.insertFromMimeData(found)
        self.take_focus()

    def _on_edit_focus_changed(self, has_focus: bool) -> None:
        self.box.set_line("ink-3" if has_focus else "line-strong")

    def _on_edit_hover_changed(self, is_over: bool) -> None:
        if is_over:
            self.box.set_line("accent")
        else:
            self._on_edit_focus_changed(self._edit.hasFocus())
        self._show_row(is_dropping=is_over)
