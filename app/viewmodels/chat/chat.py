"""The view model of the open chat: sending, choices, and the state around the transcript.

`ChatViewModel` is the chat in a window; `ChatViewState` is its state apart from the transcript.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal, SignalInstance

from app.api.models import AnswerSettings
from app.chat.items import Action, UserMessage
from app.chat.session import ChatState, ConversationSession
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.store.records import StoredAttachment
from app.tasks import TaskOwner
from app.viewmodels.chat.attached_files import DraftAttachments
from app.viewmodels.chat.call_changes import CallChanges
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.chat.chat_choices import ChatChoices, NewChat
from app.viewmodels.chat.drafts import Drafts, LeftDrafts, Place
from app.viewmodels.chat.drawn_images import DrawnImages
from app.viewmodels.chat.model_choice import ModelOption
from app.viewmodels.chat.revisions import OF_MESSAGES, Edit, Revisions
from app.viewmodels.chat.transcript_model import TranscriptModel
from app.viewmodels.chat.usage_texts import UsageView, usage_view
from app.viewmodels.i18n import error_handler
from app.viewmodels.sidebar.archive import archive_words
from app.viewmodels.states import OpenChats
from app.viewmodels.tools.chat_tools import ChatTools, OfferedTool
from local_tools.attachments.intake import is_folder
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import RewindResult


@dataclass(frozen=True, slots=True)
class ChatViewState:
    """The state of the open chat apart from the transcript.

    `can_send` is false while there is nobody to send to; `placeholder` then says why. `agent` and
    `model` are the choices for the next message. `folder` is the chat's folder as shown
    ("~/notes"), or empty. `tools` are those that are on, `has_tools` whether there is any. While
    `is_read_only`, the chat is one that was imported.
    """

    is_open: bool
    title: str
    is_busy: bool
    is_asking: bool
    can_send: bool
    placeholder: str
    agent: AgentRow
    model: ModelOption
    folder: str
    tools: tuple[OfferedTool, ...]
    is_read_only: bool = False
    has_tools: bool = True
    usage: UsageView | None = None
    answers: AnswerSettings = field(default_factory=AnswerSettings)
    can_set_answers: bool | None = None
    can_summarise: bool = False
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class _Written:
    """A message with what held when it was sent. Without a session it begins a chat.

    `edit` says what it goes on from, where that is an earlier message.
    """

    text: str
    agent: AgentRow
    model: ModelOption
    session: ConversationSession | None
    place: Place | None
    attachments: tuple[StoredAttachment, ...]
    edit: Edit | None


class ChatViewModel(QObject):
    """One chat at a time, or the beginning of a new one.

    A message is `accepted` when it is kept on disk, not before; until then the composer holds it.
    With no chat open, the first message makes one. One for the window's life.
    """

    state_changed = Signal(object)
    """What stands around the transcript; argument: a `ChatViewState`."""
    opened = Signal(str)
    """Another chat is shown; argument: its id, empty for a new one."""
    taken_back = Signal(str)
    """A queued message comes back into the composer; argument: its text."""
    removed = Signal(str)
    """A queued message is gone, and may be put back; argument: its text."""
    accepted = Signal()
    """The message is kept: the composer may clear."""
    refused = Signal(object)
    """The message could not be kept; argument: the `ErrorMessage`."""
    failed = Signal(object)
    """Something else could not be done here; argument: the `ErrorMessage`."""
    found_elsewhere = Signal(str)
    """The chat that should open is shown by another window already; argument: its id."""
    decline_needed = Signal()
    """A tool waits for a decision, and sending would decline it."""
    folder_dropped = Signal(object)
    """A folder was dropped, which may become the chat's; argument: its Path."""

    def __init__(
        self,
        registry: ToolRegistry,
        home: Path,
        open_chats: OpenChats,
        parent: QObject | None = None,
        *,
        left_drafts: LeftDrafts | None = None,
    ) -> None:
        super().__init__(parent)
        self.transcript = TranscriptModel(self)
        self.tools = ChatTools(registry, home, error_handler(self.failed.emit), self)
        self.tools.changed.connect(self._announce)
        self._home = home
        self._open_chats = open_chats
        self._workspace: Workspace | None = None
        self._session: ConversationSession | None = None
        self._unsubscribe: Callable[[], None] | None = None
        # An owner of its own: what fails here is told as `refused`, all else as `failed`.
        self._sending = TaskOwner(error_handler(self.refused.emit))
        self._tasks = TaskOwner(error_handler(self.failed.emit))
        self.chosen = ChatChoices(self._tasks, self)
        self.chosen.changed.connect(self._announce)
        self.revisions = Revisions(self._tasks, self)
        self.revisions.edit_changed.connect(self.transcript.mark_edited)
        self.revisions.moved.connect(self._on_revisions_moved)
        self.revisions.taken_back.connect(self._on_revisions_taken_back)
        self.drafts = Drafts(
            error_handler(self.failed.emit), self, others=self._other_drafts, left=left_drafts
        )
        self.attachments = DraftAttachments(error_handler(self.failed.emit), self)
        self.images = DrawnImages(error_handler(self.failed.emit), self)
        self.changes = CallChanges(self.transcript, error_handler(self.failed.emit), self)

    @property
    def conversation_id(self) -> str:
        """The open chat, or an empty text for a new one."""
        return self._session.conversation_id if self._session else ""

    @property
    def session(self) -> ConversationSession | None:
        """The open chat itself; None for a new one."""
        return self._session

    @property
    def chosen_for_new(self) -> NewChat:
        """What was chosen for the next new chat."""
        return replace(self.chosen.for_new, tools_off=self.tools.off_in_new_chat)

    @property
    def own_messages(self) -> tuple[str, ...]:
        """What the user wrote here, oldest first; the same text twice in a row counts once."""
        written = (item.words for item in self.transcript.rows if isinstance(item, UserMessage))
        return tuple(text for text, _ in groupby(written) if text.strip())

    @property
    def nearest_folder(self) -> Path:
        """Where the choice of a folder begins: this chat's folder, or the home folder."""
        return self.chosen.folder or self._home

    @property
    def _takes_messages(self) -> bool:
        return self._workspace is not None and not self._workspace.is_archive

    @property
    def state(self) -> ChatViewState:
        """What stands around the transcript now."""
        chat = self._session.state if self._session else ChatState()
        return ChatViewState(
            is_open=self._session is not None,
            title=chat.title or _untitled(self._workspace),
            is_busy=chat.is_busy,
            is_asking=chat.is_asking,
            can_send=self._takes_messages and not chat.is_missing,
            placeholder=_placeholder(self._workspace, chat, self.conversation_id),
            agent=self.chosen.agents.now,
            model=self.chosen.model,
            folder=_folder_text(self.chosen.folder, self._home),
            tools=self.tools.on,
            has_tools=self.tools.rows.rowCount() > 0,
            is_read_only=self._workspace is not None and self._workspace.is_archive,
            usage=usage_view(chat.usage),
            answers=self.chosen.answers,
            instructions=self.chosen.instructions,
            can_set_answers=self._workspace.client.offers_settings if self._workspace else None,
            can_summarise=self._workspace is not None
            and self._workspace.client.offers_forks
            and not chat.is_busy,
        )

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Use this profile from now on; what was open or chosen belongs to another."""
        self._workspace = workspace
        self.chosen.show_workspace(workspace)
        self.tools.show_permissions(workspace.permissions if workspace else None)
        self.open("")

    def open(self, conversation_id: str, *, is_second_view: bool = False) -> None:
        """Show this chat, with its draft; an empty id begins a new one.

        A chat that another window shows stays there, and `found_elsewhere` says so; as a second
        view it is shown here, too, and what was typed stays with the other window.
        """
        is_elsewhere = self._open_chats.is_elsewhere(conversation_id, self)
        if is_elsewhere and not is_second_view:
            self.found_elsewhere.emit(conversation_id)
            return
        self._show(conversation_id)
        self.drafts.follow(self._workspace, conversation_id, restore=not is_elsewhere)
        self.attachments.follow(self._workspace, conversation_id, is_second_view=is_elsewhere)

    def choose_all_for_new(self, chosen: NewChat) -> None:
        """Choose everything for the next new chat, as in a window whose place this takes."""
        self.tools.switch_off_for_new(chosen.tools_off)
        self.chosen.choose_all_for_new(chosen)

    def close_deleted(self, conversation_id: str, drops_draft: bool) -> None:
        """Close a chat that was deleted: if it is open, a new one begins.

        What was typed goes with it, or joins what was typed for a new chat, and `failed` says why
        it is there.
        """
        if not conversation_id or conversation_id != self.conversation_id:
            return
        self.drafts.discard(keeps_text=not drops_draft)
        self.open("")
        if not drops_draft:
            self.failed.emit(explain(UserFacingError(ErrorCode.DELETED_ELSEWHERE)))

    def send(self, text: str) -> None:
        """Send the message, or queue it behind the reply that runs.

        While a tool waits for a decision, `decline_needed` asks first; a new version is not begun.
        """
        edit = self.revisions.edit
        begins_version = edit is not None and edit.begins_version
        if self._session and self._session.state.is_asking and not begins_version:
            self.decline_needed.emit()
        else:
            self._start_sending(text)

    def send_declining(self, text: str) -> None:
        """Send the message, and decline the tool that waits for a decision."""
        self._start_sending(text, declining_pending=True)

    def stop(self) -> None:
        """End the reply that runs; what arrived stays."""
        if self._session:
            self._session.stop()

    def act(self, key: str, action: Action) -> None:
        """Do what a notice or a message in the transcript offers."""
        if self._session and self._workspace and action in OF_MESSAGES:
            self.revisions.act(self._workspace, self._session, key, action)
        elif action is Action.UNDO_CALL:
            self.changes.undo(key)
        elif self._session and action is Action.REMOVE:
            self._tasks.start(self._withdraw(self._session, key, self.removed), name="remove")
        elif self._session:
            self._tasks.start(self._session.act(key, action), name=action.value)

    def summarise(self) -> None:
        """Go on from a summary of this chat, in a chat of its own."""
        if self._session and self._workspace:
            self.revisions.summarise(self._workspace, self._session)

    def withdraw(self, key: str) -> None:
        """Withdraw a queued message into the composer."""
        if self._session:
            work = self._withdraw(self._session, key, self.taken_back)
            self._tasks.start(work, name="withdraw")

    def attach(self, paths: Sequence[Path]) -> None:
        """Attach dropped files; a single folder may become the folder of the chat instead."""
        self._tasks.start(self._attach(tuple(paths)), name="attach")

    async def aclose(self) -> None:
        """Keep the draft and end what is under way here; turns go on until theirs ends."""
        # First: it writes what was typed, which nothing else has.
        await self.drafts.aclose()
        await self.attachments.aclose()
        await self.images.aclose()
        await self.changes.aclose()
        await self._sending.aclose()
        await self._tasks.aclose()
        await self.tools.aclose()
        self._unfollow()

    def _on_revisions_taken_back(self, _text: str) -> None:
        self.attachments.reload()

    def _on_revisions_moved(self, source_id: str, conversation_id: str) -> None:
        if self.conversation_id == source_id:
            self.open(conversation_id)

    def _show(self, conversation_id: str) -> None:
        self._unfollow()
        self.revisions.follow(self._workspace, conversation_id)
        if conversation_id and self._workspace:
            self._session = self._workspace.sessions.get(conversation_id)
            self._unsubscribe = self._session.subscribe_state(self._on_session_state)
            self._tasks.start(self._session.load(), name="open chat")
            if self._workspace.sessions.versions.is_hidden(conversation_id):
                # A search leads to what was said in another version.
                shown = self._workspace.show_version(conversation_id)
                self._tasks.start(shown, name="show version")
        self.images.follow(
            self._workspace.attachments if self._workspace else None, conversation_id
        )
        self.changes.follow(self._workspace, conversation_id)
        self.transcript.show(self._session)
        self.tools.follow(self._session)
        self.chosen.follow(self._session)
        self.opened.emit(conversation_id)
        self._announce()
        self.chosen.recall_model()

    def _unfollow(self) -> None:
        if self._unsubscribe:
            self._unsubscribe()
            self._unsubscribe = None
        self._session = None
        self.chosen.follow(None)
        self.transcript.show(None)

    def _start_sending(self, text: str, *, declining_pending: bool = False) -> None:
        # Where it goes is decided now: another chat may be open before the task has begun.
        work = self._send(
            _Written(
                text,
                self.chosen.agents.now,
                self.chosen.model,
                self._session,
                self.drafts.place,
                self.attachments.items,
                self.revisions.edit,
            ),
            declining_pending=declining_pending,
        )
        self._sending.start(work, name="send")

    async def _send(self, written: _Written, *, declining_pending: bool) -> None:
        workspace, edit = self._workspace, written.edit
        if edit and edit.begins_version and workspace:
            await self._revise(workspace, edit, written)
            return
        session = written.session or await self._begin(written)
        rewound = RewindResult()
        if edit and edit.puts_back and workspace:
            if session.state.is_busy:
                raise UserFacingError(ErrorCode.EDIT_LATER)
            rewound = await workspace.put_back(edit.conversation_id, edit.key)
        await session.send(
            written.text,
            written.agent.name,
            attachments=written.attachments,
            declining_pending=declining_pending,
        )
        if edit:
            self.revisions.stop_editing()
        self.attachments.note_sent(written.attachments)
        self.accepted.emit()
        self.revisions.tell_rewound(rewound)
        # Last: until the message is accepted, the draft is the only copy of what was typed.
        if written.place:
            await self.drafts.forget(written.place)

    async def _revise(self, workspace: Workspace, edit: Edit, written: _Written) -> None:
        """Go on in a new version of the chat; its window moves there if it is still in this one."""
        new_id, rewound = await self.revisions.revise(
            workspace, edit, written.text, written.agent.name, written.attachments
        )
        self.revisions.stop_editing()
        self.attachments.note_sent(written.attachments)
        self.accepted.emit()
        if written.place:
            await self.drafts.forget(written.place)
        if self.conversation_id == edit.conversation_id and self._workspace is workspace:
            self.open(new_id)
        self.revisions.tell_rewound(rewound)

    async def _begin(self, written: _Written) -> ConversationSession:
        """Make a chat of the new one; the composer holds its text until that was sent."""
        workspace = self._workspace
        if workspace is None:
            raise UserFacingError(ErrorCode.NOT_CONNECTED)
        conversation_id = await workspace.conversations.create()
        session = workspace.sessions.get(conversation_id)
        await self.tools.give_to(session)
        await self.chosen.give_to(session, written.agent, written.model)
        if workspace.attachments is not None:
            await workspace.attachments.move(written.attachments, conversation_id)
        self.chosen.forget_new()
        # If the user has opened another chat in the meantime, stay there.
        if self._session is None and self._workspace is workspace:
            self._show(conversation_id)
            self.drafts.follow(workspace, conversation_id, restore=False)
            self.attachments.follow(workspace, conversation_id)
        return session

    async def _withdraw(
        self, session: ConversationSession, key: str, withdrawn: SignalInstance
    ) -> None:
        if text := await session.withdraw(key):
            withdrawn.emit(text)
        self.attachments.reload()

    async def _attach(self, paths: tuple[Path, ...]) -> None:
        # A drive that hangs is found out by whoever reads; nothing waits for it here.
        if len(paths) == 1 and await is_folder(paths[0]):
            self.folder_dropped.emit(paths[0])
        else:
            self.attachments.add_files(paths)

    def _other_drafts(self) -> list[Drafts]:
        others = self._open_chats.others(self)
        return [shown.drafts for shown in others if isinstance(shown, ChatViewModel)]

    def _on_session_state(self, _state: ChatState) -> None:
        self.tools.look()
        self._announce()

    def _announce(self) -> None:
        self.state_changed.emit(self.state)


def _untitled(workspace: Workspace | None) -> str:
    if workspace and workspace.is_archive:
        return QCoreApplication.translate("Archive", "Imported chats")
    return QCoreApplication.translate("Chat", "New chat")


def _placeholder(workspace: Workspace | None, chat: ChatState, conversation_id: str) -> str:
    if workspace is None:
        return QCoreApplication.translate("Chat", "Not connected yet")
    if workspace.is_archive:
        return archive_words(conversation_id)
    if chat.is_missing:
        return QCoreApplication.translate("Chat", "This chat no longer exists on the service")
    if chat.is_asking:
        return QCoreApplication.translate("Chat", "Waiting for your decision above")
    if not conversation_id:
        return QCoreApplication.translate("Chat", "Ask anything")
    return QCoreApplication.translate("Chat", "Write a reply")


def _folder_text(folder: Path | None, home: Path) -> str:
    if folder is None:
        return ""
    if folder.is_relative_to(home):
        return f"~/{folder.relative_to(home)}" if folder != home else "~"
    return str(folder)
