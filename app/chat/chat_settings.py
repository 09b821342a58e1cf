"""The settings of one chat: folder, agent, model, what is attached, and the tools that are off."""

from collections.abc import Callable, Sequence
from pathlib import Path

from app.api.models import AnswerSettings
from app.common.observable import Subscribers
from app.store.records import StoredAttachment, StoredConversation
from app.store.store import ProfileStore
from local_tools.attached_file import AttachmentReference


class ChatSettings:
    """The choices of one chat, kept in the store; `Turn` reads them whenever it needs them.

    A choice that was changed is on the disk when the method returns. Only the chat's
    `ConversationSession` changes any, after it has read what is kept. Made by a session, lives as
    long.
    """

    def __init__(self, store: ProfileStore, conversation_id: str) -> None:
        self._table = store.conversations
        self._conversation_id = conversation_id
        self._folder: Path | None = None
        self._disabled_tools: frozenset[str] = frozenset()
        self._agent_name: str | None = None
        self._has_chosen_agent = False
        self._model: str | None = None
        self._has_chosen_model = False
        self._answers: AnswerSettings | None = None
        self._has_chosen_answers = False
        self._instructions: str | None = None
        self._has_chosen_instructions = False
        self._attachments: tuple[StoredAttachment, ...] = ()
        self._observers: Subscribers[[]] = Subscribers()

    @property
    def folder(self) -> Path | None:
        """The folder that the chat's tools work in; None for nowhere."""
        return self._folder

    @property
    def disabled_tools(self) -> frozenset[str]:
        """The names of the tools that are not declared with the next message, nor run."""
        return self._disabled_tools

    @property
    def agent_name(self) -> str | None:
        """Who answers the next message; None lets the service choose."""
        return self._agent_name

    @property
    def model(self) -> str | None:
        """The id of the model that answers; empty for the default, None before anybody chose."""
        return self._model

    @property
    def attachments(self) -> tuple[StoredAttachment, ...]:
        """What goes with the messages of the chat, oldest first."""
        return self._attachments

    @property
    def attached_files(self) -> tuple[AttachmentReference, ...]:
        """The attachments as tools read them: each is allowed by its hash."""
        return tuple(
            AttachmentReference(item.name, item.sha256, item.size_bytes)
            for item in self._attachments
        )

    def add_attachments(self, attachments: Sequence[StoredAttachment]) -> None:
        """Add what goes with another message; the store has it already."""
        self._attachments = (*self._attachments, *attachments)

    def remove_attachments(self, turn_id: str) -> None:
        """Remove what went with a message that was withdrawn."""
        self._attachments = tuple(a for a in self._attachments if a.turn_id != turn_id)

    @property
    def answers(self) -> AnswerSettings | None:
        """How long the model thinks, how random and how long answers are; None before a choice."""
        return self._answers

    @property
    def instructions(self) -> str | None:
        """What the model is told beside its agent's instructions; None before anybody wrote any."""
        return self._instructions

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Follow the choices, each after it was made; call the result to stop."""
        return self._observers.subscribe(on_change)

    def restore(
        self, stored: StoredConversation, attachments: tuple[StoredAttachment, ...] = ()
    ) -> None:
        """Take over what is kept; an agent or model that was chosen in the meantime stays."""
        self._attachments = attachments
        self._folder = stored.folder
        self._disabled_tools = stored.tools_off
        if not self._has_chosen_agent:
            self._agent_name = stored.agent_name
        if not self._has_chosen_model:
            self._model = stored.model
        if not self._has_chosen_answers:
            self._answers = stored.answers
        if not self._has_chosen_instructions:
            self._instructions = stored.instructions

    async def set_folder(self, folder: Path | None) -> None:
        """Make the chat's tools work in `folder`; None for nowhere.

        Raises:
            StoreError: it could not be kept; the old one stays.
        """
        await self._table.set_folder(self._conversation_id, folder)
        self._folder = folder
        self._observers.notify()

    async def set_disabled_tools(self, names: frozenset[str]) -> None:
        """Go without exactly these tools from now on.

        Raises:
            StoreError: it could not be kept; the old choice stays.
        """
        await self._table.set_tools_off(self._conversation_id, names)
        self._disabled_tools = names
        self._observers.notify()

    def choose_agent(self, agent_name: str | None) -> None:
        """Make this agent answer from now on; it counts at once, and is kept by `save_agent`."""
        self._has_chosen_agent = True
        self._agent_name = agent_name
        self._observers.notify()

    async def save_agent(self) -> None:
        """Write down which agent was chosen.

        Raises:
            StoreError: it could not be kept; it holds as long as the chat is open.
        """
        await self._table.set_agent(self._conversation_id, self._agent_name)

    def choose_model(self, model: str) -> None:
        """Make this model answer from now on; empty for the default.

        It counts at once, and is kept by `save_model`.
        """
        self._has_chosen_model = True
        self._model = model
        self._observers.notify()

    async def save_model(self) -> None:
        """Write down which model was chosen.

        Raises:
            StoreError: it could not be kept; it holds as long as the chat is open.
        """
        await self._table.set_model(self._conversation_id, self._model)

    def choose_answers(self, answers: AnswerSettings) -> None:
        """Make answers so from now on; it counts at once, and is kept by `save_answers`."""
        self._has_chosen_answers = True
        self._answers = answers
        self._observers.notify()

    async def save_answers(self) -> None:
        """Write down how answers are to be.

        Raises:
            StoreError: it could not be kept; it holds as long as the chat is open.
        """
        if self._answers is not None:
            await self._table.set_answers(self._conversation_id, self._answers)

    def choose_instructions(self, instructions: str) -> None:
        """Tell the model this from now on, beside its agent's instructions; empty for nothing.

        It counts at once, and is kept by `save_instructions`.
        """
        self._has_chosen_instructions = True
        self._instructions = instructions
        self._observers.notify()

    async def save_instructions(self) -> None:
        """Write down the instructions of the chat.

        Raises:
            StoreError: they could not be kept; they hold as long as the chat is open.
        """
        await self._table.set_instructions(self._conversation_id, self._instructions)
