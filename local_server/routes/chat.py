"""Specification 4.4 and 4.5: the two operations that answer with a stream."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from local_server.assistant.turns import Turns
from local_server.auth import Caller, current_caller
from local_server.routes.bodies import json_body
from local_server.schemas import ChatRequest, ToolResultRequest
from local_server.settings import Settings
from local_server.sse import EventSource, EventStream
from local_server.stopping import Stopping

router = APIRouter()


def _turns(request: Request) -> Turns:
    turns: Turns = request.app.state.turns
    return turns


class Streaming:
    """Answers with streams in the way of this run. Made for each request."""

    def __init__(self, request: Request) -> None:
        self._settings: Settings = request.app.state.settings
        self._stopping: Stopping = request.app.state.stopping

    def answer(self, source: EventSource) -> EventStream:
        """Make the response out of a source of events."""
        return EventStream(source, self._settings.silence_s, self._stopping)


Asking = Annotated[Caller, Depends(current_caller)]
Opened = Annotated[Turns, Depends(_turns)]
AsStream = Annotated[Streaming, Depends(Streaming)]


@router.post("/v1/chat/stream", response_model=None)
async def chat_stream(
    caller: Asking,
    body: Annotated[ChatRequest, Depends(json_body(ChatRequest))],
    turns: Opened,
    streaming: AsStream,
) -> EventStream:
    """Answer specification 4.4."""
    return streaming.answer(await turns.chat(caller.owner, body))


@router.post("/v1/tool-result", response_model=None)
async def tool_result(
    caller: Asking,
    body: Annotated[ToolResultRequest, Depends(json_body(ToolResultRequest))],
    turns: Opened,
    streaming: AsStream,
) -> EventStream:
    """Answer specification 4.5."""
    return streaming.answer(await turns.tool_result(caller.owner, body))
