"""Specification 4.4 and 4.5: the two operations that answer with a stream."""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request

from local_server.assistant.turn_service import TurnService
from local_server.auth import Caller, current_caller
from local_server.errors import (
    BODY_ERRORS,
    ConversationBusyError,
    ConversationNotFoundError,
    ToolCallNotFoundError,
    ToolResultConflictError,
    UnknownAgentError,
    error_responses,
)
from local_server.routes.bodies import JsonBody
from local_server.schemas import ChatRequest, ToolResultRequest
from local_server.settings import ServiceSettings
from local_server.shutdown import ShutdownEvent
from local_server.sse import EventSource, EventStream

router = APIRouter()


async def _turns(request: Request) -> TurnService:
    turns: TurnService = request.app.state.turns
    return turns


@dataclass(frozen=True)
class Streaming:
    """Answers with streams in the way of this run. Made for each request."""

    settings: ServiceSettings
    stopping: ShutdownEvent

    def answer(self, source: EventSource) -> EventStream:
        """Make the response out of a source of events."""
        return EventStream(source, self.settings.silence_s, self.stopping)


async def _streaming(request: Request) -> Streaming:
    state = request.app.state
    return Streaming(state.settings, state.stopping)


Asking = Annotated[Caller, Depends(current_caller)]
Opened = Annotated[TurnService, Depends(_turns)]
AsStream = Annotated[Streaming, Depends(_streaming)]


_TURN_ERRORS: Final = (*BODY_ERRORS, ConversationNotFoundError, ConversationBusyError)


@router.post(
    "/v1/chat/stream",
    response_model=None,
    summary="Send a message, and read the reply as it is written",
    responses=error_responses(*_TURN_ERRORS, UnknownAgentError),
)
async def chat_stream(
    caller: Asking,
    body: Annotated[ChatRequest, Depends(JsonBody(ChatRequest))],
    turns: Opened,
    streaming: AsStream,
) -> EventStream:
    """Answer specification 4.4."""
    return streaming.answer(await turns.chat(caller.owner, body))


@router.post(
    "/v1/tool-result",
    response_model=None,
    summary="Give the outcome of a client tool, and read how the reply goes on",
    responses=error_responses(*_TURN_ERRORS, ToolCallNotFoundError, ToolResultConflictError),
)
async def tool_result(
    caller: Asking,
    body: Annotated[ToolResultRequest, Depends(JsonBody(ToolResultRequest))],
    turns: Opened,
    streaming: AsStream,
) -> EventStream:
    """Answer specification 4.5."""
    return streaming.answer(await turns.tool_result(caller.owner, body))
