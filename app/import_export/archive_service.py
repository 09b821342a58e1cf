"""Serve imported chats as a read-only `ChatApi`."""

from contextlib import AbstractAsyncContextManager
from typing import Final

from app.api.errors import NotFound, Refused
from app.api.models import (
    Agent,
    ConversationDetail,
    ConversationSummary,
    Message,
    Model,
    Order,
    Page,
    PageMeta,
    Role,
    Skill,
)
from app.api.sse import ReplyStream
from app.common.error_messages import ErrorCode
from app.store.archive import ArchiveTable
from app.store.store import ProfileStore

_GONE: Final = 404
_NOT_ALLOWED: Final = 405


class ArchiveService:
    """Serves the archive's rows as a `ChatApi`.

    What would add to a chat is refused. Made with the archive's workspace, holds nothing open.
    """

    def __init__(self, archive: ArchiveTable, store: ProfileStore) -> None:
        self._archive = archive
        self._store = store

    async def list_conversations(
        self, limit: int = 20, offset: int = 0, order: Order = "desc"
    ) -> Page[ConversationSummary]:
        """Return one page of the imported chats, by when something was last said."""
        rows, total = await self._archive.page(limit, offset, is_newest_first=order == "desc")
        summaries = tuple(
            ConversationSummary(
                id=row.conversation_id,
                updated_at=row.updated_at,
                message_count=row.message_count,
            )
            for row in rows
        )
        return Page(data=summaries, meta=PageMeta(total=total, limit=limit, offset=offset))

    async def get_conversation(self, conversation_id: str) -> ConversationDetail:
        """Return an imported chat with all its messages."""
        known = await self._store.conversations.get(conversation_id)
        kept = await self._store.messages.of_conversation(conversation_id)
        if not kept and not known.title and known.updated_at is None:
            raise NotFound(_GONE, "", "", reason=ErrorCode.CONVERSATION_GONE)
        messages = tuple(
            Message(id=m.message_id, role=Role(m.role), content=m.text, created_at=m.created_at)
            for m in kept
        )
        return ConversationDetail(
            id=conversation_id, updated_at=known.updated_at, messages=messages
        )

    async def create_conversation(self) -> ConversationDetail:
        """Refuse: chats get here by import only."""
        raise _refusal()

    @property
    def offers_forks(self) -> bool:
        """Whether a chat can be copied: not here, but from its text at a service."""
        return False

    async def fork_conversation(self, *_told: object, **_named: object) -> ConversationDetail:
        """Refuse: chats get here by import only."""
        raise _refusal()

    async def begin_conversation(self, *_told: object, **_named: object) -> ConversationDetail:
        """Refuse, as `fork_conversation` does."""
        raise _refusal()

    async def delete_conversation(self, conversation_id: str) -> None:
        """Do nothing: whoever asks removes the rows, as for any chat."""

    async def list_agents(self) -> tuple[Agent, ...]:
        """Return none: nobody answers here."""
        return ()

    async def learn_extensions(self) -> None:
        """Do nothing: an archive has none."""

    async def list_skills(self) -> tuple[Skill, ...]:
        """Return none: nobody answers here."""
        return ()

    @property
    def offers_models(self) -> bool:
        """Whether a model can be chosen: nobody answers here."""
        return False

    @property
    def offers_settings(self) -> bool:
        """Whether answers can be set: nobody answers here."""
        return False

    async def list_models(self) -> tuple[Model, ...]:
        """Return none: nobody answers here."""
        return ()

    def model_name(self, _model: str) -> str:
        """Return nothing: nobody answers here."""
        return ""

    @property
    def offers_attachments(self) -> bool | None:
        """Say no: nothing is sent to an archive."""
        return False

    def chat_stream(
        self, *_told: object, **_named: object
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Refuse: these chats are read, and not continued."""
        raise _refusal()

    def tool_result(
        self, *_told: object, **_named: object
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Refuse, as `chat_stream` does."""
        raise _refusal()

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""


def _refusal() -> Refused:
    return Refused(_NOT_ALLOWED, "", "", reason=ErrorCode.ARCHIVE_READ_ONLY)
