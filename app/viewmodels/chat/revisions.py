"""Act on messages of the open chat: edit, ask again, branch, summarise, switch versions."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.items import Action, SendState, UserMessage
from app.chat.session import ConversationSession
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import StoredAttachment
from app.tasks import TaskOwner
from app.viewmodels.i18n import translate_sentence
from local_tools.undo.undo import RewindResult

log = logging.getLogger(__name__)

_Work = Callable[[], Awaitable[None]]

_MOST_TOLD: Final = 5
_STEPS: Final = {Action.OLDER_VERSION: -1, Action.NEWER_VERSION: 1}
OF_MESSAGES: Final = frozenset({Action.EDIT, Action.ASK_ANEW, Action.BRANCH, *_STEPS})
"""The actions that `Revisions` does."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What the message in the composer goes on from.

    `key` is the row whose place it takes. With `begins_version` that is in a new version of the
    chat; else it is one more message. `puts_back`: what tools changed since is put back first.
    """

    conversation_id: str
    key: str
    begins_version: bool = True
    puts_back: bool = False


class Revisions(QObject):
    """Does what is offered under a message. Made by the view model of the chat, lives as long.

    Where the service does not copy conversations, the question goes back into the composer. Where
    tools changed files since, it is offered to put these back.
    """

    taken_back = Signal(str)
    """A question comes back into the composer; argument: its text."""
    hinted = Signal(str, tuple)
    """What the person should know about the text in the composer; arguments: a sentence, and the
    files that can be put back when it is sent."""
    asked = Signal(str, tuple)
    """Whether to put files back before a question is asked anew; arguments: a sentence, and these
    files."""
    told = Signal(str)
    """What was done, for screen readers; argument: a sentence."""
    moved = Signal(str, str)
    """A chat goes on in another conversation; arguments: the one before, and that one."""
    edit_changed = Signal(str)
    """Another message is edited; argument: the key of its row, empty for none."""
    turned = Signal()
    """Another version of the chat is shown, by the arrows under a message."""
    begun = Signal()
    """A chat was made that will be written in; it is shown next."""

    def __init__(self, tasks: TaskOwner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._edit: Edit | None = None
        self._workspace: Workspace | None = None
        self._shown_id = ""
        self._puts_back = False
        self._retry: Callable[[], None] | None = None
        self._summary: asyncio.Task[None] | None = None
        # The last action, by its chat.
        self._acting: dict[str, asyncio.Task[None]] = {}

    def follow(self, workspace: Workspace | None, conversation_id: str) -> None:
        """Follow which chat is shown; what was begun in another is off."""
        self._workspace, self._shown_id = workspace, conversation_id
        self.stop_editing()

    @property
    def edit(self) -> Edit | None:
        """What the next message goes on from; None where it is one like any other."""
        return self._edit

    def stop_editing(self) -> None:
        """Stop editing: the next message is a new one."""
        self._retry = None
        self._puts_back = False
        self._go_on_from(None)

    def resume(self, workspace: Workspace, edit: Edit) -> None:
        """Go on with an edit that was begun before in the chat that is shown."""
        if edit.conversation_id == self._shown_id:
            self._tasks.start(self._begin(workspace, edit), name="go on editing")

    @property
    def is_idle(self) -> bool:
        """Whether no summary is being written."""
        return self._summary is None or self._summary.done()

    async def finish(self) -> None:
        """Wait for a summary that is being written."""
        if self._summary is not None:
            await asyncio.wait([self._summary])

    def dismiss(self) -> None:
        """Stop editing, and end a summary that is being written."""
        self.stop_editing()
        if self._summary is not None:
            self._summary.cancel()

    def summarise(self, workspace: Workspace, session: ConversationSession) -> None:
        """Go on from a summary of a chat, in a chat of its own; one is written at a time."""
        if self._summary is None or self._summary.done():
            work = self._unless_left(workspace, partial(self._summarise, workspace, session))
            self._summary = self._tasks.start(work, name="summarise")

    def choose_rewind(self, puts_back: bool) -> None:
        """Choose whether what tools changed is put back."""
        self._puts_back = puts_back
        if self._edit is not None:
            self._edit = replace(self._edit, puts_back=puts_back)

    def ask_anew(self) -> None:
        """Ask the question anew that `asked` was about."""
        if self._retry is not None:
            self._retry()

    def tell_rewound(self, rewound: RewindResult) -> None:
        """Say what was put back, and what was left as it is."""
        if words := _rewound_words(rewound):
            self.hinted.emit(words, ())

    def act(
        self, workspace: Workspace, session: ConversationSession, key: str, action: Action
    ) -> None:
        """Do what was chosen under the message of a row, unless something is being done there."""
        under_way = self._acting.get(session.conversation_id)
        # The second click of a double click would make a second copy.
        if under_way is not None and not under_way.done():
            return
        question = session.transcript.question_of(key)
        if action in _STEPS:
            work = partial(self._show_version, workspace, session, key, _STEPS[action])
        elif action is Action.BRANCH:
            work = partial(self._branch, workspace, session, key)
        elif question is not None:
            work = partial(self._go_back, workspace, session, question, action)
        else:
            return
        task = self._tasks.start(self._unless_left(workspace, work), name=action.value)
        self._acting = {session.conversation_id: task}

    async def revise(
        self,
        workspace: Workspace,
        edit: Edit,
        text: str,
        agent_name: str | None,
        attachments: Sequence[StoredAttachment],
    ) -> tuple[str, RewindResult]:
        """Go on from an earlier message; return the new version, and what was put back before.

        Raises:
            UserFacingError: it could not be begun; nothing has changed.
        """
        rewound = [RewindResult()]
        new_id = await workspace.revise(
            edit.conversation_id,
            edit.key,
            text,
            agent_name,
            attachments,
            on_rewound=rewound.append if edit.puts_back else None,
        )
        return new_id, rewound[-1]

    async def _unless_left(self, workspace: Workspace, work: _Work) -> None:
        """Do `work`; in a chat of another connection its failure would mislead."""
        try:
            await work()
        except UserFacingError as error:
            if self._workspace is workspace:
                raise
            log.info("Failed in a connection that was left: %s", error)

    async def _go_back(
        self,
        workspace: Workspace,
        session: ConversationSession,
        question: UserMessage,
        action: Action,
    ) -> None:
        if question.state is SendState.SENT:
            # A window that has just been opened may not know yet what the service does.
            await workspace.client.learn_extensions()
        can_copy = workspace.sessions.versions.is_offered
        if action is Action.EDIT or not can_copy:
            await self._take_back(workspace, session, question, can_copy=can_copy)
        else:
            await self._offer_anew(workspace, session, question)

    async def _take_back(
        self,
        workspace: Workspace,
        session: ConversationSession,
        question: UserMessage,
        *,
        can_copy: bool,
    ) -> None:
        await self._attach_again(workspace, session.conversation_id, question.attachments)
        # Another chat was opened while this one was looked through; nothing may be asked there.
        if self._shown_id != session.conversation_id:
            return
        self.taken_back.emit(question.words)
        if question.state is SendState.SENT:
            edit = Edit(session.conversation_id, question.key, begins_version=can_copy)
            await self._begin(workspace, edit)

    async def _begin(self, workspace: Workspace, edit: Edit) -> None:
        """Have the next message take the place of an earlier one, and say so."""
        changed = await workspace.changed_since(edit.conversation_id, edit.key)
        if self._shown_id != edit.conversation_id:
            return
        self._retry, self._puts_back = None, edit.puts_back
        self._go_on_from(edit)
        translate = QCoreApplication.translate
        if edit.begins_version:
            words = translate(
                "Chat",
                "Sending starts a new version of the chat from that message. "
                "The earlier one is kept.",
            )
        else:
            words = translate("Chat", "The service still has the first version.")
        self.hinted.emit(words, changed)

    def _go_on_from(self, edit: Edit | None) -> None:
        before, self._edit = self._edit, edit
        key = edit.key if edit else ""
        if key != (before.key if before else ""):
            self.edit_changed.emit(key)

    async def _attach_again(
        self, workspace: Workspace, conversation_id: str, attachments: Sequence[StoredAttachment]
    ) -> None:
        """Attach what went with a message to the draft, but for what is there already."""
        table = workspace.store.attachments
        there = {(one.name, one.sha256) for one in await table.of_draft(conversation_id)}
        missing = [one for one in attachments if (one.name, one.sha256) not in there]
        await table.copy(missing, conversation_id)

    async def _offer_anew(
        self, workspace: Workspace, session: ConversationSession, question: UserMessage
    ) -> None:
        """Ask a question anew, after a look at what could be put back before."""
        changed = await workspace.changed_since(session.conversation_id, question.key)
        if not changed:
            await self._ask_anew(workspace, session, question, puts_back=False)
            return

        def retry() -> None:
            work = self._ask_anew(workspace, session, question, puts_back=self._puts_back)
            self.stop_editing()
            self._tasks.start(work, name=Action.ASK_ANEW.value)

        if self._shown_id != session.conversation_id:
            return
        self.stop_editing()
        self._retry = retry
        words = QCoreApplication.translate(
            "Chat", "Trying again starts a new version of the chat. The earlier one is kept."
        )
        self.asked.emit(words, changed)

    async def _ask_anew(
        self,
        workspace: Workspace,
        session: ConversationSession,
        question: UserMessage,
        *,
        puts_back: bool,
    ) -> None:
        source_id, agent_name = session.conversation_id, session.settings.agent_name
        rewound: list[RewindResult] = []
        new_id = await workspace.revise(
            source_id,
            question.key,
            question.words,
            agent_name,
            question.attachments,
            are_sent=True,
            on_rewound=rewound.append if puts_back else None,
        )
        self.moved.emit(source_id, new_id)
        for one in rewound:
            self.tell_rewound(one)

    async def _branch(self, workspace: Workspace, session: ConversationSession, key: str) -> None:
        branch_id = await workspace.branch(session.conversation_id, key)
        words = QCoreApplication.translate("Chat", "This is a copy, in a separate chat.")
        self._show_made(session.conversation_id, branch_id, words)

    async def _summarise(self, workspace: Workspace, session: ConversationSession) -> None:
        translate = QCoreApplication.translate
        words = translate("Chat", "Summarising… This chat does not change.")
        self.hinted.emit(words, ())
        question = translate(
            "Chat",
            "Summarise this chat so that we can go on from your summary alone: what it is about, "
            "what was decided and done, what is open, and the names, numbers, files and pieces of "
            "code that are still needed.",
        )
        made_id = await workspace.summarise(session.conversation_id, question)
        words = translate("Chat", "This chat continues from the summary.")
        self._show_made(session.conversation_id, made_id, words)

    def _show_made(self, source_id: str, made_id: str, words: str) -> None:
        """Show a chat that was made from another one, unless that is no longer shown."""
        if self._shown_id == source_id:
            self.begun.emit()
            self.moved.emit(source_id, made_id)
            self.hinted.emit(words, ())

    async def _show_version(
        self, workspace: Workspace, session: ConversationSession, key: str, step: int
    ) -> None:
        if session.state.is_busy:
            raise UserFacingError(ErrorCode.EDIT_LATER)
        version_id = session.version_beside(key, step)
        question = session.transcript.question_of(key)
        if version_id is not None and question is not None:
            await workspace.show_version(version_id)
            self.moved.emit(session.conversation_id, version_id)
            if self._shown_id == version_id:
                self.turned.emit()
            words = QCoreApplication.translate("Chat", "Version {number} of {count}")
            number, count = question.version + step, question.version_count
            self.told.emit(words.format(number=number, count=count))


def _rewound_words(rewound: RewindResult) -> str:
    """Return what was put back and what was left, in sentences."""
    translate = QCoreApplication.translate
    count, sentences = len(rewound.restored), []
    if count == 1:
        sentences.append(translate("Chat", "1 file was restored."))
    elif count:
        sentences.append(translate("Chat", "{count} files were restored.").format(count=count))
    sentences += [translate_sentence("Undo", one) for one in rewound.left[:_MOST_TOLD]]
    if (more := len(rewound.left) - _MOST_TOLD) > 0:
        words = translate("Chat", "{count} more were left unchanged.")
        sentences.append(words.format(count=more))
    return " ".join(sentences)
