"""What is done with a message that was said: ask it otherwise or anew, branch, show a version."""

import asyncio
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.items import Action, SendState, UserMessage
from app.chat.session import ConversationSession
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import StoredAttachment
from app.tasks import TaskOwner

_STEPS: Final = {Action.OLDER_VERSION: -1, Action.NEWER_VERSION: 1}
OF_MESSAGES: Final = frozenset({Action.EDIT, Action.ASK_ANEW, Action.BRANCH, *_STEPS})
"""The actions that `Revisions` does."""


class Revisions(QObject):
    """Does what is offered under a message. Made by the view model of the chat, lives as long.

    Where the service does not copy conversations, the question goes back into the composer.

    Attributes:
        edited_key: The message whose place the next one takes; empty for none.
    """

    taken_back = Signal(str)
    """A question comes back into the composer; argument: its text."""
    hinted = Signal(str)
    """What the person should know about the text in the composer; argument: a sentence."""
    moved = Signal(str, str)
    """A chat goes on in another conversation; arguments: the one before, and that one."""

    def __init__(self, tasks: TaskOwner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        # Held from the look to the copy, as a double click asks twice.
        self._attaching = asyncio.Lock()
        self.edited_key = ""

    def stop_editing(self) -> None:
        """Let the next message be one like any other."""
        self.edited_key = ""

    def act(
        self, workspace: Workspace, session: ConversationSession, key: str, action: Action
    ) -> None:
        """Do what was chosen under the message of a row."""
        question = session.transcript.question_of(key)
        can_copy = workspace.sessions.versions.is_offered
        if action in _STEPS:
            work = self._show_version(workspace, session, key, _STEPS[action])
            self._tasks.start(work, name=action.value)
        elif action is Action.BRANCH:
            self._tasks.start(self._branch(workspace, session, key), name=action.value)
        elif question is None:
            return
        elif action is Action.EDIT or not can_copy:
            work = self._take_back(workspace, session, question, can_copy=can_copy)
            self._tasks.start(work, name=action.value)
        else:
            work = self._ask_anew(workspace, session, question)
            self._tasks.start(work, name=action.value)

    async def _take_back(
        self,
        workspace: Workspace,
        session: ConversationSession,
        question: UserMessage,
        *,
        can_copy: bool,
    ) -> None:
        await self._attach_again(workspace, session.conversation_id, question.attachments)
        self.taken_back.emit(question.words)
        translate = QCoreApplication.translate
        if question.state is not SendState.SENT:
            return
        if can_copy:
            self.edited_key = question.key
            words = translate(
                "Chat",
                "Sending this begins a new version of the chat from that message on. "
                "The one before stays.",
            )
        else:
            words = translate("Chat", "The service still knows the first version.")
        self.hinted.emit(words)

    async def _attach_again(
        self, workspace: Workspace, conversation_id: str, attachments: Sequence[StoredAttachment]
    ) -> None:
        """Attach what went with a message to the draft, but for what is there already."""
        table = workspace.store.attachments
        async with self._attaching:
            there = {(one.name, one.sha256) for one in await table.of_draft(conversation_id)}
            missing = [one for one in attachments if (one.name, one.sha256) not in there]
            await table.copy(missing, conversation_id)

    async def _ask_anew(
        self, workspace: Workspace, session: ConversationSession, question: UserMessage
    ) -> None:
        source_id, agent_name = session.conversation_id, session.settings.agent_name
        new_id = await workspace.revise(
            source_id,
            question.key,
            question.words,
            agent_name,
            question.attachments,
            are_sent=True,
        )
        self.moved.emit(source_id, new_id)

    async def _branch(self, workspace: Workspace, session: ConversationSession, key: str) -> None:
        branch_id = await workspace.branch(session.conversation_id, key)
        self.moved.emit(session.conversation_id, branch_id)

    async def _show_version(
        self, workspace: Workspace, session: ConversationSession, key: str, step: int
    ) -> None:
        if session.state.is_busy:
            raise UserFacingError(ErrorCode.EDIT_LATER)
        version_id = session.version_beside(key, step)
        if version_id is not None:
            await workspace.show_version(version_id)
            self.moved.emit(session.conversation_id, version_id)
