"""`ChatPage` shows the open chat: header, transcript, approval dock and composer.

It connects them to their view models. `ScrollToMessage` brings a message found by search into view
once its chat is loaded. `FolderOfferBar` offers, above the composer, to let a folder be read
without asking. `CompactLayout` folds the composer in a low window, so that the chat or the card
that asks can be read.
"""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, QUrl, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QFrame, QStackedWidget, QVBoxLayout, QWidget

from app.chat.items import Action, Item, ReplyPart, UserMessage
from app.common.error_messages import ErrorMessage
from app.store.search_terms import SearchTerms, parse_terms
from app.ui.approval.dock import ApprovalDock
from app.ui.chat_header import ChatHeader
from app.ui.commands import Commands, Region
from app.ui.composer.agent_picker import AgentPicker
from app.ui.composer.composer import Composer
from app.ui.composer.instructions_dialog import InstructionsDialog
from app.ui.composer.screen_grab import ScreenGrab, png_of
from app.ui.empty_chat import EmptyChat
from app.ui.import_export.import_export_controller import ArchiveNote
from app.ui.link_dialog import LinkDialog
from app.ui.notice_bar import NoticeBar
from app.ui.theme import Theme
from app.ui.transcript.layout import ScrollPlace
from app.ui.transcript.pane import TranscriptPane
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import icon_button, push_button
from app.ui.widgets.column import Column
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label, spoken
from app.ui.widgets.marks import Mark, mark_of
from app.ui.widgets.surfaces import hairline, set_card, set_surface
from app.ui.widgets.system_dialogs import make_file_dialog, open_by_system
from app.viewmodels.approval.approval import ApprovalViewModel
from app.viewmodels.chat.catalog import CatalogViewModel
from app.viewmodels.chat.chat import ChatViewModel, ChatViewState
from app.viewmodels.chat.model_choice import single_model_file


class ScrollToMessage(QObject):
    """Scrolls once to a message after its chat has opened. Made by the chat page; ends with it.

    Opening another chat meanwhile cancels it.
    """

    def __init__(self, chat: ChatViewModel, pane: TranscriptPane, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._pane = pane
        self._conversation_id = ""
        self._message_id = ""
        self._words = ""
        chat.opened.connect(self._on_chat_opened)
        chat.transcript.modelReset.connect(self._go_there)

    def wait_for(self, conversation_id: str, message_id: str, words: str) -> None:
        """Scroll to this message once the chat shows it, else to the last one with these words."""
        self._conversation_id = conversation_id if words else ""
        self._message_id, self._words = message_id, words
        self._go_there()

    def _go_there(self) -> None:
        if not self._conversation_id or self._chat.conversation_id != self._conversation_id:
            return
        transcript = self._chat.transcript
        rows = transcript.rows_of_message(self._message_id)
        if not rows:
            rows = _last_with(parse_terms(self._words), transcript.rows)
        if rows:
            self._conversation_id = ""
            self._pane.show_hit(rows, self._words)

    def _on_chat_opened(self, conversation_id: str) -> None:
        # "" does not cancel: before an imported chat opens, an empty new one is shown.
        if conversation_id not in ("", self._conversation_id):
            self._conversation_id = ""


def _last_with(words: SearchTerms, items: Sequence[Item]) -> list[int]:
    for row in range(len(items) - 1, -1, -1):
        item = items[row]
        if isinstance(item, UserMessage | ReplyPart) and words.are_in(item.text):
            return [row]
    return []


class FolderOfferBar(QFrame):
    """Hidden until a folder is offered. Made by the chat page; ends with it."""

    accepted = Signal()
    """The folder may be read without asking."""
    declined = Signal()
    """Every call shall ask."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._folder = ""
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        self._accept = push_button(
            self.tr("Allow reading here"), "secondary", theme, icon="shield-check"
        )
        self._decline = icon_button("x", self.tr("Keep asking"), theme)
        set_card(self, "plain")
        row = FlowLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.add(self._words, grows=True)
        row.add(self._accept, self._decline)
        self._accept.clicked.connect(self.accepted)
        self._decline.clicked.connect(self.declined)
        self.hide()

    def show_folder(self, folder: str) -> None:
        """Offer this folder, or nothing when it is empty."""
        words = self.tr("Tools ask before they list, read or search files in {folder}.")
        self._words.setText(words.format(folder=one_line(folder)))
        self.setAccessibleName(self._words.text())
        self.setVisible(bool(folder))
        is_other, self._folder = folder != self._folder, folder
        if folder and is_other:
            announce(self, self._words.text())


# Heights of the page in the measures of the design: below these, room is scarce.
_LOW_PX: Final = 360
_LOW_FOR_A_CARD_PX: Final = 600
_LINES: Final = 3
_LINES_BELOW_A_CARD: Final = 1
# What is offered below each message, beside copying it.
_ACTIONS: Final = (Action.ASK_ANEW, Action.EDIT, Action.BRANCH)
_ACTIONS_OF_IMPORTED: Final = (Action.OLDER_VERSION, Action.NEWER_VERSION)


class CompactLayout(QObject):
    """Folds the composer where the page is low, or a card waits that needs the room.

    In a low page there is less room around everything, too, and while a card waits there, no
    banner. Made by the chat page for itself; ends with it.
    """

    def __init__(
        self,
        theme: Theme,
        page: QWidget,
        dock: ApprovalDock,
        composer: Composer,
        banner: NoticeBar,
        *,
        around: Sequence[ChatHeader | Column],
    ) -> None:
        super().__init__(page)
        self._theme = theme
        self._page = page
        self._dock = dock
        self._composer = composer
        self._banner = banner
        self._around = around
        page.installEventFilter(self)
        dock.installEventFilter(self)
        theme.changed.connect(self._look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when the page is another size, and when a card comes or goes."""
        is_size = watched is self._page and event.type() is QEvent.Type.Resize
        comes_or_goes = event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if is_size or (watched is self._dock and comes_or_goes):
            self._look()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        height, is_asking = self._page.height(), not self._dock.isHidden()
        is_low = height < self._theme.px(_LOW_PX)
        is_folded = is_low or (is_asking and height < self._theme.px(_LOW_FOR_A_CARD_PX))
        lines = _LINES_BELOW_A_CARD if is_asking else _LINES
        for part in self._around:
            part.give_way(gives_way=is_low)
        self._composer.box.fold(lines if is_folded else 0)
        self._banner.give_way(gives_way=is_low and is_asking)


class ChatPage(QWidget):
    """What is between the sidebar and the right panel. One for the window's life."""

    settings_requested = Signal()
    """Something in the chat can be mended in the settings."""
    models_requested = Signal()
    """Models should be added: the settings take them."""
    keys_requested = Signal()
    """A provider's key should be added: the settings take it."""
    model_file_chosen = Signal(object)
    """The model of a file should answer here; argument: its `Path`."""
    tools_requested = Signal()
    """The tools of the chat should be seen."""
    import_requested = Signal()
    """Chats should be imported."""
    link_confirmed = Signal(str)
    """The person wants to open this address; argument: the address."""
    save_requested = Signal(str, str)
    """A block of code should become a file; arguments: the code, its language."""
    preview_requested = Signal(str, str)
    """What a block of code draws should be seen; arguments: the code, its language."""

    def __init__(
        self,
        theme: Theme,
        chat: ChatViewModel,
        catalog: CatalogViewModel,
        approval: ApprovalViewModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chat = chat
        self._approval = approval
        self._catalog = catalog
        self.header = ChatHeader(theme)
        self.banner = NoticeBar(theme)
        self._transcript = TranscriptView(
            chat.transcript,
            theme,
            tool_icon=chat.tools.icon_of,
            agent_mark=self._mark_of,
        )
        self._transcript.draw_from(chat.images)
        catalog.looks_changed.connect(self._transcript.viewport().update)
        self._pane = TranscriptPane(self._transcript, theme)
        self._grab = ScreenGrab(self)
        self._awaited = ScrollToMessage(chat, self._pane, self)
        self._empty = EmptyChat(theme)
        self._middle = _Middle()
        self._dock = ApprovalDock(theme)
        self._dock_place = Column(theme, self._dock, top_px=4)
        self._offer = FolderOfferBar(theme)
        self._offer_place = Column(theme, self._offer, top_px=14)
        self._offer_place.hide()
        self._picker = AgentPicker(catalog.agents, catalog.models, theme)
        self._composer = Composer(theme, self._picker)
        self._picker.stand_above(self._composer.box)
        self._composer.take_drops_on(self)
        self._composer_place = Column(theme, self._composer, top_px=14, bottom_px=18)
        self.archive_note = ArchiveNote(theme)
        self._note_place = Column(theme, self.archive_note, top_px=14, bottom_px=18)
        set_surface(self, "bg")
        self._lay_out()
        # Nobody holds it here: the page is its parent, and keeps it.
        CompactLayout(
            theme, self, self._dock, self._composer, self.banner, around=(self.header, *self.foots)
        )
        self._connect_chat()
        self._connect_others()
        self._show_state(chat.state)

    def take_focus(self) -> None:
        """Bring the keyboard to the composer."""
        self._composer.take_focus()

    def add_to(self, commands: Commands) -> None:
        """Add what can be done in the open chat."""
        self._pane.add_to(commands)

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions of this page, from top to bottom."""
        return (
            Region(self.banner),
            Region(self._middle),
            Region(self._dock, self._dock.take_focus, self._dock.is_new),
            Region(self._composer, self._composer.take_focus),
            Region(self.archive_note),
        )

    @property
    def foots(self) -> tuple[Column, ...]:
        """What stands below the transcript, from top to bottom; some of it may be hidden."""
        return (self._dock_place, self._offer_place, self._composer_place, self._note_place)

    def show_message(self, conversation_id: str, message_id: str, words: str) -> None:
        """Bring a message into view once its chat is open: this one, or one with these words."""
        self._awaited.wait_for(conversation_id, message_id, words)

    @property
    def place(self) -> ScrollPlace | None:
        """Where the transcript is scrolled to, for `go_to`; None at the end."""
        return self._transcript.place

    def go_to(self, place: ScrollPlace | None) -> None:
        """Scroll the transcript to where that of another page was."""
        self._transcript.go_to(place)

    def tell(self, words: str, *, is_bad: bool) -> None:
        """Say above the message box what came of something."""
        if is_bad:
            self._composer.tell(words)
        else:
            self._composer.hint(words)

    @property
    def folder(self) -> Path:
        """Where files of this chat are looked for first."""
        return self._chat.nearest_folder

    def disturb_card(self) -> None:
        """Start the delay of the card's answers again, as something lay over the whole window."""
        self._dock.disturb()

    @cached_property
    def _link_dialog(self) -> LinkDialog:
        dialog = LinkDialog(self._theme, self)
        self._theme.fit(dialog)
        dialog.confirmed.connect(self.link_confirmed)
        return dialog

    @cached_property
    def _instructions(self) -> InstructionsDialog:
        dialog = InstructionsDialog(self._theme, self)
        self._theme.fit(dialog)
        dialog.saved.connect(self._chat.chosen.choose_instructions)
        return dialog

    def _mark_of(self, agent: str) -> Mark:
        """Return the mark of an agent by the name that people call it."""
        look = self._catalog.look_of(agent)
        return mark_of(agent, look.icon, look.colour)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(hairline())
        column.addWidget(self.banner)
        self._middle.addWidget(self._empty)
        self._middle.addWidget(self._pane)
        column.addWidget(self._middle, 1)
        for place in self.foots:
            column.addWidget(place)

    def _connect_chat(self) -> None:
        chat, composer = self._chat, self._composer
        chat.state_changed.connect(self._show_state)
        chat.accepted.connect(composer.accepted)
        chat.refused.connect(self._on_chat_refused)
        chat.failed.connect(self._on_chat_failed)
        chat.drafts.restored.connect(composer.set_text)
        chat.taken_back.connect(composer.take_back)
        chat.removed.connect(composer.offer_back)
        chat.revisions.taken_back.connect(composer.edit)
        chat.revisions.hinted.connect(composer.hint)
        chat.revisions.asked.connect(composer.ask_anew)
        chat.revisions.told.connect(self._on_revisions_told)
        chat.revisions.begun.connect(self._on_revisions_begun)
        chat.revisions.turned.connect(self._transcript.keeper.return_to_noted)
        composer.retried.connect(chat.revisions.ask_anew)
        composer.rewind_chosen.connect(chat.revisions.choose_rewind)
        composer.note_dismissed.connect(chat.revisions.dismiss)
        composer.summary_requested.connect(chat.summarise)
        chat.opened.connect(composer.drop_note)
        chat.decline_needed.connect(composer.ask_to_decline)
        chat.folder_dropped.connect(self._on_chat_folder_dropped)
        chat.attachments.changed.connect(composer.show_attachments)
        chat.attachments.refused.connect(self._on_attachments_refused)
        composer.screenshot_requested.connect(chat.attachments.take_screenshot)
        chat.attachments.grab_needed.connect(self._on_attachments_grab_needed)
        self._grab.grabbed.connect(self._on_grab_grabbed)
        self._grab.failed.connect(self._on_grab_failed)
        chat.images.drawn.connect(self._transcript.viewport().update)
        chat.images.opened.connect(self._on_images_opened)
        self._transcript.opened.connect(chat.changes.look)
        chat.changes.reported.connect(self._on_changes_reported)
        self._transcript.image_opened.connect(chat.images.open)
        chat.opened.connect(self._approval.show)
        chat.opened.connect(self._pane.forget_hit)
        chat.opened.connect(self._on_chat_opened)
        composer.submitted.connect(chat.send)
        composer.decline_confirmed.connect(chat.send_declining)
        composer.stop_requested.connect(chat.stop)
        composer.recall_requested.connect(self._on_composer_recall_requested)
        composer.draft_changed.connect(chat.drafts.note)
        composer.files_attached.connect(self._on_composer_files_attached)
        composer.content_attached.connect(chat.attachments.add_content)
        composer.content_made.connect(chat.attachments.add_made)
        composer.attachment_removed.connect(chat.attachments.remove)
        composer.files_requested.connect(self._on_composer_files_requested)
        composer.folder_requested.connect(self._on_composer_folder_requested)
        composer.folder_cleared.connect(self._on_composer_folder_cleared)
        composer.tools_requested.connect(self.tools_requested)

    def _connect_others(self) -> None:
        for changed in (self._chat.transcript.rowsInserted, self._chat.transcript.modelReset):
            changed.connect(self._show_middle)
        self._empty.example_chosen.connect(self._composer.propose)
        self._empty.folder_needed.connect(self._on_empty_folder_needed)
        self._empty.import_requested.connect(self.import_requested)
        self._picker.agent_chosen.connect(self._chat.chosen.choose_agent)
        self._picker.model_chosen.connect(self._chat.chosen.choose_model)
        for chosen in (self._picker.agent_chosen, self._picker.model_chosen):
            chosen.connect(self.take_focus)
        self._picker.answers_chosen.connect(self._chat.chosen.choose_answers)
        self._picker.download_requested.connect(self.models_requested)
        self._picker.key_requested.connect(self.keys_requested)
        self._picker.file_requested.connect(self._on_picker_file_requested)
        self._picker.instructions_requested.connect(self._on_picker_instructions_requested)
        self._picker.opened.connect(self._catalog.load_models)
        self._approval.cards_changed.connect(self._dock.show_cards)
        self._dock.allowed.connect(self._approval.allow)
        self._dock.denied.connect(self._approval.deny)
        self._connect_rules()
        self._dock.emptied.connect(self._composer.take_focus)
        self.header.find_requested.connect(self._pane.open_find)
        self._transcript.action_chosen.connect(self._on_transcript_action_chosen)
        self._transcript.save_requested.connect(self.save_requested)
        self._transcript.preview_requested.connect(self.preview_requested)
        self._transcript.withdraw_chosen.connect(self._chat.withdraw)
        self._transcript.keyboard.typed.connect(self._composer.type_on)
        self._transcript.link_activated.connect(self._on_transcript_link_activated)

    def _connect_rules(self) -> None:
        dock, approval, page = self._dock, self._approval, self._approval.rule_page
        approval.pause_changed.connect(dock.show_pause)
        approval.pending_result_changed.connect(dock.show_pending_result)
        dock.sent.connect(approval.release)
        dock.kept_back.connect(approval.deny)
        dock.forbidden.connect(approval.forbid)
        dock.answered_instead.connect(approval.answer_instead)
        dock.edited.connect(approval.edit)
        dock.rule_requested.connect(approval.open_rule)
        dock.resumed.connect(approval.allow)
        dock.stopped.connect(self._chat.stop)
        page.changed.connect(dock.show_rule)
        approval.folder_offer.changed.connect(self._on_folder_offer_changed)
        approval.folder_offer.failed.connect(self._on_chat_failed)
        self._offer.accepted.connect(approval.folder_offer.accept)
        self._offer.declined.connect(approval.folder_offer.decline)
        dock.rule_saved.connect(page.save)
        dock.rule_left.connect(page.close)
        dock.exception_added.connect(page.add_exception)
        dock.exception_removed.connect(page.remove_exception)
        dock.span_chosen.connect(page.choose_span)

    def _show_state(self, state: ChatViewState) -> None:
        self.header.show_title(state.title)
        self._picker.show_agent(state.agent)
        self._picker.show_model(state.model)
        self._picker.show_ways(is_local=self._catalog.is_local)
        self._picker.show_instructions(state.instructions)
        self._picker.show_answers(state.answers, can_set=state.can_set_answers)
        self._composer.show_state(state)
        self._transcript.offer(_ACTIONS_OF_IMPORTED if state.is_read_only else _ACTIONS)
        self._composer_place.setVisible(not state.is_read_only)
        self._note_place.setVisible(state.is_read_only)
        self._empty.show_archive(is_archive=state.is_read_only)
        self.archive_note.show_words(state.placeholder, can_continue=state.is_open)

    def _show_middle(self) -> None:
        is_new = self._chat.transcript.rowCount() == 0 and not self._chat.conversation_id
        self._middle.setCurrentWidget(self._empty if is_new else self._pane)

    def _on_chat_refused(self, words: ErrorMessage) -> None:
        self._composer.refused(spoken(words))

    def _on_chat_failed(self, words: ErrorMessage) -> None:
        self._composer.tell(spoken(words))

    def _on_revisions_begun(self) -> None:
        focus: QWidget | None = self.window().focusWidget()
        if focus is None or self.isAncestorOf(focus):
            # The new chat replaces the one that is shown, and the button that was pressed in it.
            self._composer.take_focus()

    def _on_revisions_told(self, words: str) -> None:
        announce(self._transcript, words)

    def _on_transcript_action_chosen(self, key: str, action: Action) -> None:
        if action is Action.OPEN_SETTINGS:
            self.settings_requested.emit()
        elif action is Action.CHOOSE_FOLDER:
            self._on_composer_folder_requested()
        elif action is Action.CHOOSE_MODEL:
            self._picker.open_models()
        elif action is Action.CONTINUE_REPLY:
            self._chat.send(self.tr("Continue where you left off."))
        else:
            self._chat.act(key, action)

    def _on_transcript_link_activated(self, address: str, words: str) -> None:
        self._link_dialog.ask(address, words)

    def _on_chat_opened(self, _conversation_id: str) -> None:
        # Drop a pending scroll place: it belongs to the chat before.
        self._transcript.go_to(None)

    def _on_picker_file_requested(self) -> None:
        dialog = make_file_dialog(self, self.tr("Open a model file"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Model files (*.gguf)"))
        dialog.fileSelected.connect(self._on_model_dialog_file_selected)
        dialog.open()

    def _on_model_dialog_file_selected(self, name: str) -> None:
        self.model_file_chosen.emit(Path(name))
        self._composer.take_focus()

    def _on_picker_instructions_requested(self) -> None:
        chosen = self._chat.chosen
        self._instructions.ask(chosen.instructions, chosen.own_instructions)

    def _on_composer_recall_requested(self, step: int) -> None:
        self._composer.recall(self._chat.own_messages, step)

    def _on_composer_folder_requested(self) -> None:
        title, start = self.tr("Choose a folder for this chat"), self._chat.nearest_folder
        dialog = make_file_dialog(self, title, str(start))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_folder_dialog_file_selected)
        dialog.open()

    def _on_composer_files_requested(self) -> None:
        dialog = make_file_dialog(self, self.tr("Attach files"), str(self._chat.nearest_folder))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self._on_files_dialog_files_selected)
        dialog.open()

    def _on_files_dialog_files_selected(self, names: list[str]) -> None:
        self._chat.attachments.add_files([Path(name) for name in names])
        self._composer.take_focus()

    def _on_composer_files_attached(self, paths: tuple[Path, ...]) -> None:
        file = single_model_file(paths)
        if file is not None and self._catalog.is_local:
            self.model_file_chosen.emit(file)
        else:
            self._chat.attach(paths)
        self._composer.take_focus()

    def _on_attachments_refused(self, refused: tuple[ErrorMessage, ...]) -> None:
        self._composer.tell_refused(tuple(map(spoken, refused)))

    def _on_attachments_grab_needed(self) -> None:
        self._grab.take(self.window())

    def _on_grab_grabbed(self, picture: QImage) -> None:
        # Encoded on a thread of its own: for a large screen, that takes half a second.
        self._chat.attachments.add_made(self.tr("Screenshot.png"), partial(png_of, picture))
        self._composer.take_focus()

    def _on_grab_failed(self) -> None:
        self._composer.tell(
            self.tr(
                "Parley cannot take screenshots here. Take one with your desktop and attach it."
            )
        )

    def _on_images_opened(self, path: Path) -> None:
        open_by_system(QUrl.fromLocalFile(str(path)))

    def _on_changes_reported(self, words: str, is_bad: bool) -> None:
        self.tell(words, is_bad=is_bad)

    def _on_empty_folder_needed(self) -> None:
        if not self._chat.state.folder:
            self._on_composer_folder_requested()

    def _on_folder_dialog_file_selected(self, folder: str) -> None:
        self._chat.chosen.choose_folder(Path(folder))
        self._composer.tell_folder(folder)
        self._approval.folder_offer.make(Path(folder))

    def _on_chat_folder_dropped(self, folder: Path) -> None:
        self._on_folder_dialog_file_selected(str(folder))

    def _on_folder_offer_changed(self, folder: str) -> None:
        self._offer.show_folder(folder)
        self._offer_place.setVisible(bool(folder))

    def _on_composer_folder_cleared(self) -> None:
        self._chat.chosen.choose_folder(None)
        self._composer.tell_folder("")


class _Middle(QStackedWidget):
    """What gives way in a low window: what is written and the card that asks come first."""

    def hasHeightForWidth(self) -> bool:
        """Return False: the height is that of `minimumSizeHint`, not those of the pages."""
        return False

    def minimumSizeHint(self) -> QSize:
        """Ask for no height at all."""
        return QSize(super().minimumSizeHint().width(), 0)
