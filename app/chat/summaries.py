"""Continue a chat from a summary, where its model's context window is full.

The model writes the summary as the answer to a further message, in a copy of the chat that nobody
sees and that is deleted afterwards; the chat itself stays as it is.
"""

import asyncio
import logging
from typing import Final

from app.api.client import ChatApi
from app.api.events import StreamError, TextDelta
from app.api.models import Message, Role
from app.api.sse import ReplyStream
from app.chat.chat_settings import ChatSettings
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError

log = logging.getLogger(__name__)

_LIMIT_S: Final = 600.0
_MOST_CHARS: Final = 200_000


async def write_summary(
    client: ChatApi, settings: ChatSettings, conversation_id: str, question: str
) -> tuple[Message, Message]:
    """Ask for a summary in a copy of a chat.

    Args:
        client: The service.
        settings: What was chosen for the chat.
        conversation_id: The copy.
        question: What the model is asked.

    Returns:
        The question and its answer, with which another chat begins.

    Raises:
        UserFacingError: no summary came.
    """
    # Without tools: nothing is run for a summary.
    exchange = client.chat_stream(
        conversation_id,
        question,
        (),
        settings.agent_name,
        model=settings.model,
        settings=settings.answers,
        instructions=settings.instructions,
    )
    try:
        async with asyncio.timeout(_LIMIT_S), exchange as reply:
            text = await _text_of(reply)
    except TimeoutError as exc:
        raise UserFacingError(ErrorCode.SUMMARY_FAILED) from exc
    if not text:
        raise UserFacingError(ErrorCode.SUMMARY_FAILED)
    asked = Message(id="", role=Role.USER, content=question, created_at=None)
    return asked, Message(id="", role=Role.ASSISTANT, content=text, created_at=None)


async def _text_of(reply: ReplyStream) -> str:
    parts: list[str] = []
    async for event in reply:
        if isinstance(event, StreamError):
            log.info("The service did not finish a summary")
            raise UserFacingError(ErrorCode.SUMMARY_FAILED)
        if isinstance(event, TextDelta):
            parts.append(event.text)
    return "".join(parts).strip()[:_MOST_CHARS]
