"""One open chat, however many windows show it: takes the user's actions, publishes its state.

`ConversationSession` takes the actions and publishes `ChatState`: what is shown around the
transcript, except for the user's choices, which are in its `ChatSettings`.

Specification 8 does not say how large a message may be, so `MESSAGE_LIMIT_CHARS` is our choice.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from app.api.events import Usage
from app.chat.chat_settings import ChatSettings
from app.chat.dependencies import ChatDependencies
from app.chat.items import Action, Notice, Tone, offered_title, title_from
from app.chat.journal import Journal
from app.chat.message_attachments import text_with, with_own_names
from app.chat.notices import turn_of, was_delivered
from app.chat.outbox import Outbox
from app.chat.sync import ChatSync, keys_of
from app.chat.transcript import Transcript
from app.chat.versions import ChatVersions
from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.common.observable import Subscribers
from app.store.conversation_versions import StoredVersion
from app.store.errors import StoreError
from app.store.records import StoredAttachment, StoredTurn, TurnState
from app.tasks import OnError, TaskOwner

MESSAGE_LIMIT_CHARS: Final = 1_000_000
"""The longest message: at six bytes a character at worst it stays below 8 MiB, the largest body
that the bundled service takes, with room for what is declared beside it."""


@dataclass(frozen=True, slots=True)
class ChatState:
    """The state of a chat apart from its transcript.

    `turn` is where the turn at work stands, None when none is; `queued` messages wait behind it.
    While `is_asking`, a tool call waits for a decision. `has_failed`: the newest message or its
    reply did not get through. `is_missing`: the service no longer has this conversation.
    `is_kept`: all that is known here of its turns is on the disk. `message_count` and `updated_at`
    are as far as is known here. `usage` is what all replies used together, and how far the newest
    one has filled the context window; None while nothing of that was told.
    """

    turn: TurnState | None = None
    queued: int = 0
    is_busy: bool = False
    is_asking: bool = False
    is_missing: bool = False
    has_failed: bool = False
    is_kept: bool = True
    title: str = ""
    message_count: int = 0
    updated_at: datetime | None = None
    usage: Usage | None = None


log = logging.getLogger(__name__)

__all__ = ["ChatState", "ConversationSession", "TurnState"]

_CHAT_NOTICE: Final = "chat!"
_FAILED_STATES: Final = frozenset({TurnState.FAILED, TurnState.UNCONFIRMED})
_DECLINED_BY_MESSAGE: Final = "The user wrote something else instead."


def check_message(text: str, *, has_attachments: bool = False) -> None:
    """Make sure that a text can be sent, which may be empty where something goes with it.

    Raises:
        UserFacingError: it is empty or too long.
    """
    if not text.strip() and not has_attachments:
        raise UserFacingError(ErrorCode.MESSAGE_EMPTY)
    if len(text) > MESSAGE_LIMIT_CHARS:
        raise UserFacingError(ErrorCode.MESSAGE_TOO_LONG, {"limit": MESSAGE_LIMIT_CHARS})


class ConversationSession:
    """Carries out the user's actions in one chat, and publishes its `ChatState`.

    Observers are called on the loop's thread. Made by `Sessions.get`; lives while somebody refers
    to it, its turn runs, or something is not kept.
    """

    def __init__(
        self,
        dependencies: ChatDependencies,
        conversation_id: str,
        versions: ChatVersions,
        *,
        on_error: OnError,
    ) -> None:
        self.conversation_id: Final = conversation_id
        self.transcript: Final = Transcript(dependencies.clock.now)
        self._store = dependencies.store.conversations
        self._attachments = dependencies.store.attachments
        self.settings: Final = ChatSettings(dependencies.store, conversation_id)
        self.settings.subscribe(self._on_settings_change)
        self._approvals = dependencies.approvals
        self._states: Subscribers[[ChatState]] = Subscribers()
        self._tasks = TaskOwner(on_error)
        self._journal = Journal(dependencies.store, conversation_id, self.transcript)
        self._versions = versions
        self._sync = ChatSync(
            dependencies, conversation_id, self._journal, self.transcript, versions
        )
        self.read_calls: Final = self._sync.read_calls
        self._outbox = Outbox(
            dependencies,
            journal=self._journal,
            transcript=self.transcript,
            settings=self.settings,
            sync=self._sync,
            tasks=self._tasks,
            on_change=self.notify_state,
            on_title=self._adopt_title,
        )
        # Two windows may open a chat at the same time; it is read once.
        self._opening = asyncio.Lock()
        self._acting = asyncio.Lock()
        self._is_open = False
        self._title = ""

    @property
    def state(self) -> ChatState:
        """The current state."""
        newest = self._journal.newest_sent()
        failure = newest.failure if newest is not None else None
        is_gone = failure is not None and failure.reason == ErrorCode.CONVERSATION_GONE
        return ChatState(
            turn=self._outbox.state,
            queued=self._outbox.queued,
            is_busy=self._outbox.is_busy,
            is_asking=self._approvals.is_asking(self.conversation_id),
            is_missing=self._sync.is_missing or is_gone,
            has_failed=newest is not None and newest.state in _FAILED_STATES,
            is_kept=self._journal.is_kept,
            title=self._title,
            message_count=self._sync.message_count,
            updated_at=self._sync.updated_at,
            usage=self._journal.usage,
        )

    def subscribe_state(self, on_state: Callable[[ChatState], None]) -> Callable[[], None]:
        """Observe the state; call the result to stop.

        The rows are followed at the `transcript`: while anybody does, nothing here is unread.
        """
        return self._states.subscribe(on_state)

    async def load(self) -> None:
        """Show the stored chat at once, then the service's; resume an interrupted turn.

        What the service refuses is shown in the transcript.

        Raises:
            StoreError: what is kept here cannot be read.
            UserFacingError: the chat was deleted.
        """
        await self._open()
        await self._refresh()

    async def send(
        self,
        text: str,
        agent_name: str | None,
        *,
        attachments: Sequence[StoredAttachment] = (),
        declining_pending: bool = False,
    ) -> None:
        """Accept a message: store it before returning, and send it when its turn comes.

        Args:
            text: The message, as the person wrote it; it may be empty where something is attached.
            agent_name: Who shall answer; None lets the service choose.
            attachments: What goes with it, from a draft.
            declining_pending: Decline the tool call that waits for a decision.

        Raises:
            UserFacingError: the message is empty or could not be kept, or the chat was deleted.
        """
        check_message(text, has_attachments=bool(attachments))
        await self._open()
        turn = await self._accept(text, agent_name, attachments)
        self._outbox.add(turn.turn_id)
        if declining_pending:
            self._approvals.decline(self.conversation_id, _DECLINED_BY_MESSAGE)
        await self._name()

    async def copy_before(self, key: str) -> StoredVersion:
        """Copy what was said before the message with this key, to go on from there otherwise.

        The caller holds the lock of the versions.

        Raises:
            UserFacingError: a reply is on its way, the service does not have the message, or the
                copy was not made.
        """
        position = await self._position_of(key)
        return await self._versions.copy(self.conversation_id, self._sync.message_ids[:position])

    async def copy_through(self, key: str, *, is_scratch: bool = False) -> StoredVersion:
        """Copy the chat up to and with the row with this key, as a chat of its own or for a while.

        The caller holds the lock of the versions.

        Raises:
            UserFacingError: as for `copy_before`.
        """
        position = await self._position_of(key)
        message_ids = self._sync.message_ids[: position + 1]
        return await self._versions.copy(
            self.conversation_id, message_ids, is_branch=not is_scratch, is_scratch=is_scratch
        )

    async def begin_version(
        self,
        version: StoredVersion,
        text: str,
        agent_name: str | None,
        attachments: Sequence[StoredAttachment] = (),
    ) -> None:
        """Accept the first message of a version, as `send` does.

        Raises:
            UserFacingError: the message could not be kept.
        """
        await self._open()
        turn = await self._accept(text, agent_name, attachments, version)
        await self._versions.finish(version, turn.turn_id)
        self._outbox.add(turn.turn_id)

    def version_beside(self, key: str, step: int) -> str | None:
        """Return the conversation of the version before (-1) or behind (1) at a message."""
        places = self._versions.places(self.conversation_id)
        keys = self._keys_of_versions(places)
        return next((p.beside(step) for at, p in places.items() if keys.get(at) == key), None)

    def show_versions(self) -> None:
        """Show at each message how many versions of the chat begin there."""
        places = self._versions.places(self.conversation_id)
        keys = self._keys_of_versions(places)
        shown = {keys[at]: (p.index + 1, len(p.ids)) for at, p in places.items() if at in keys}
        self.transcript.show_versions(shown)

    def stop(self) -> None:
        """Stop the current turn: keep what arrived, kill a running tool, close an approval card."""
        self._outbox.stop()

    async def act(self, key: str, action: Action) -> None:
        """Carry out an action of the notice or waiting message with this key.

        Raises:
            StoreError: it could not be written down, so nothing was done.
            UserFacingError: a reply is on its way, or the chat was deleted.
        """
        self._sync.check_exists()
        match action:
            case Action.CANCEL:
                self.stop()
            case Action.STOP_CALL:
                self._outbox.stop_call(key)
            case Action.LOAD_REST | Action.CHECK_AGAIN:
                if self._outbox.is_busy:
                    raise UserFacingError(ErrorCode.CHECK_LATER)
                await self._refresh()
            case Action.REMOVE:
                await self.withdraw(key)
            case Action.MOVE_UP | Action.MOVE_DOWN:
                async with self._acting:
                    await self._outbox.move(key, -1 if action is Action.MOVE_UP else 1)
            case Action.SEND_NOW:
                async with self._acting:
                    await self._outbox.send_held(key)
            case Action.SEND_AGAIN | Action.TRY_AGAIN | Action.GO_ON:
                async with self._acting:
                    # A second click comes when the first has taken the notice away.
                    turn = self._journal.get(turn_of(key))
                    if turn is not None and self.transcript.find(key) is not None:
                        await self._send_again(turn)

    async def withdraw(self, key: str) -> str:
        """Withdraw a message that was not sent; return its text, empty when it was too late.

        Raises:
            StoreError: it could not be written down; the message stays.
        """
        async with self._acting:
            return await self._outbox.withdraw(key)

    async def set_folder(self, folder: Path | None) -> None:
        """Make this chat's tools work in `folder`; None for nowhere.

        Raises:
            StoreError: it could not be kept; the old one stays.
            UserFacingError: the chat was deleted.
        """
        await self._open()
        await self.settings.set_folder(folder)

    async def set_disabled_tools(self, names: frozenset[str]) -> None:
        """Make this chat go without exactly these tools; it fails as `set_folder` does."""
        await self._open()
        await self.settings.set_disabled_tools(names)

    async def save_agent(self) -> None:
        """Write down which agent was chosen in the `settings`.

        Raises:
            StoreError: it could not be kept; it holds as long as the chat is open.
            UserFacingError: the chat was deleted.
        """
        await self._open()
        await self.settings.save_agent()

    async def save_model(self) -> None:
        """Write down which model was chosen, as `save_agent` does with the agent."""
        await self._open()
        await self.settings.save_model()

    async def save_answers(self) -> None:
        """Write down how answers are to be, as `save_agent` does with the agent."""
        await self._open()
        await self.settings.save_answers()

    async def save_instructions(self) -> None:
        """Write down the instructions of the chat, as `save_agent` does with the agent."""
        await self._open()
        await self.settings.save_instructions()

    def keys_of(self, message_id: str) -> tuple[str, ...]:
        """Return the keys of the rows that show this message of the service, or this turn."""
        return keys_of(message_id, self._journal.turns)

    def show_title(self, title: str) -> None:
        """Show another title; an empty one is made anew when something is said."""
        self._title = title
        self.notify_state()

    def notify_state(self) -> None:
        """Send the state to everybody who follows."""
        self._states.notify(self.state)

    async def delete(self) -> None:
        """End what runs, as the chat is gone; nothing can be done with this session any more."""
        self._sync.note_deleted()
        await self._tasks.aclose()

    async def aclose(self) -> None:
        """End what runs; a turn that is cut short is found so at the next start."""
        await self._tasks.aclose()
        await self._journal.catch_up()

    async def _accept(
        self,
        words: str,
        agent_name: str | None,
        attachments: Sequence[StoredAttachment],
        version: StoredVersion | None = None,
    ) -> StoredTurn:
        # Until the message is kept, its files stay with the draft that they come from.
        draft_id = version.source_id if version else self.conversation_id
        fork_id = version.fork_id if version else ""
        named = with_own_names(attachments, self.settings.attachments)
        contents = {}
        for sha256 in {item.sha256 for item in named if item.is_inline}:
            if (found := await self._attachments.content(draft_id, sha256)) is not None:
                contents[sha256] = found
        text = text_with(words, named, contents) if named else words
        if len(text) > MESSAGE_LIMIT_CHARS:
            raise UserFacingError(ErrorCode.MESSAGE_TOO_LONG, {"limit": MESSAGE_LIMIT_CHARS})
        length = (len(words) if words.strip() else 0) if named else None
        turn = await self._journal.accept(text, agent_name, named, length, fork_id=fork_id)
        self.settings.add_attachments(turn.attachments)
        return turn

    async def _open(self) -> None:
        async with self._opening:
            self._sync.check_exists()
            if self._is_open:
                return
            kept = await self._store.get(self.conversation_id)
            self._title = kept.title
            attached = await self._attachments.of_messages(self.conversation_id)
            self.settings.restore(kept, attached)
            self.transcript.show_folder(has_folder=kept.folder is not None)
            await self._sync.restore()
            self._is_open = True
        self.show_versions()
        self.notify_state()

    async def _position_of(self, key: str) -> int:
        """Find out where the message of a row stands at the service."""
        await self._open()
        if self._outbox.is_busy:
            raise UserFacingError(ErrorCode.EDIT_LATER)
        await self._versions.check_offered()
        await self._sync.refresh()
        position = self._sync.end_of(key)
        if position is None:
            raise UserFacingError(ErrorCode.MESSAGE_GONE)
        return position

    def _keys_of_versions(self, positions: Iterable[int]) -> dict[int, str]:
        """Return the keys of the messages with which versions part at positions."""
        keys = self._sync.keys_at(positions)
        first = self._versions.first_turn(self.conversation_id)
        # The message of a version is not known to the service at once.
        return {first[0]: first[1], **keys} if first else keys

    async def _refresh(self) -> None:
        if self._outbox.is_busy:
            return
        await self._journal.catch_up()
        try:
            await self._sync.refresh()
        except UserFacingError as exc:
            actions = () if self._sync.is_missing else (Action.CHECK_AGAIN,)
            notice = Notice(_CHAT_NOTICE, Tone.WARN, explain(exc), actions)
            self.transcript.put(notice)
        else:
            self.transcript.remove(_CHAT_NOTICE)
            self.show_versions()
            left = self._sync.resumable(is_asked_for=False)
            if left is not None and not self._outbox.is_busy:
                self._outbox.add(left[0])
            await self._name()
        self.notify_state()

    async def _send_again(self, turn: StoredTurn) -> None:
        if turn.state is TurnState.UNCONFIRMED and not self._outbox.is_busy:
            # Send again only once the service has said whether the first try arrived.
            await self._sync.refresh()
            turn = self._journal.get(turn.turn_id) or turn
            if was_delivered(turn):
                return
        left = self._sync.resumable()
        if left is not None and left[0] == turn.turn_id:
            self._outbox.add(turn.turn_id)
        elif was_delivered(turn):
            # Files of its own: withdrawing the new message must not take those of the first try.
            copies = await self._attachments.copy(turn.attachments, self.conversation_id)
            again = await self._journal.accept(
                turn.text, turn.agent_name, copies, turn.words_length
            )
            # Without its failure: the notice that offered to try again goes.
            await self._journal.advance(turn.turn_id, turn.state)
            self._outbox.add(again.turn_id)
        else:
            await self._journal.requeue(turn.turn_id)
            self._outbox.add(turn.turn_id)

    async def _name(self) -> None:
        """Name the chat once there is something to make a title from."""
        words = self._sync.first_words
        if not self._title and words:
            await self._set_title(title_from(words))

    async def _adopt_title(self, text: str) -> None:
        """Name the chat as the service does, unless a person has named it."""
        # A title that equals the one made of the first words counts as made here.
        is_made = self._title in ("", title_from(self._sync.first_words))
        if is_made and (title := offered_title(text)):
            await self._set_title(title)

    async def _set_title(self, title: str) -> None:
        self._title = title
        try:
            await self._store.set_title(self.conversation_id, self._title)
        except StoreError as exc:
            log.warning("Cannot save a title: %s", exc.reason)
        self.notify_state()

    def _on_settings_change(self) -> None:
        self.transcript.show_folder(has_folder=self.settings.folder is not None)
        self.notify_state()
