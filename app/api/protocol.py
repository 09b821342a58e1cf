"""What chats need of whoever serves them: the interface, as a protocol."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from app.api.models import (
    Agent,
    ConversationDetail,
    ConversationSummary,
    Order,
    Page,
    Skill,
    ToolDefinition,
)
from app.api.sse import ReplyStream


class ChatApi(Protocol):
    """One project of a service. `ApiClient` speaks to one over the network.

    Every method raises `ApiError` and nothing else for what goes wrong outside.
    """

    async def list_conversations(
        self, limit: int = 20, offset: int = 0, order: Order = "desc"
    ) -> Page[ConversationSummary]:
        """Return a page of the conversations (specification 4.1)."""

    async def get_conversation(self, conversation_id: str) -> ConversationDetail:
        """Return a conversation with all its messages (specification 4.2)."""

    async def create_conversation(self) -> ConversationDetail:
        """Begin a conversation."""

    async def delete_conversation(self, conversation_id: str) -> None:
        """Remove a conversation for ever (specification 4.3)."""

    async def list_agents(self) -> tuple[Agent, ...]:
        """Return the enabled agents (specification 4.6)."""

    async def list_skills(self) -> tuple[Skill, ...]:
        """Return the enabled skills (specification 4.7)."""

    def chat_stream(
        self,
        conversation_id: str,
        message: str,
        client_tools: Sequence[ToolDefinition] = (),
        agent_name: str | None = None,
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Send a message (specification 4.4)."""

    def tool_result(
        self, conversation_id: str, tool_call_id: str, result: str
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Hand in the outcome of a tool call (specification 4.5)."""

    async def aclose(self) -> None:
        """Close every connection."""
