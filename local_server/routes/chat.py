"""Specification 4.4 and 4.5: the two operations that answer with a stream."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from local_server.assistant.turns import Turns
from local_server.auth import Caller, current_caller
from local_server.routes.bodies import json_body
from local_server.schemas import ChatRequest, ToolResultRequest
from local_server.settings import Settings
from local_server.sse import EventStream

router = APIRouter()


def _turns(request: Request) -> Turns:
    turns: Turns = request.app.state.turns
    return turns


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


Asking = Annotated[Caller, Depends(current_caller)]
Opened = Annotated[Turns, Depends(_turns)]
Chosen = Annotated[Settings, Depends(_settings)]


@router.post("/v1/chat/stream", response_model=None)
async def chat_stream(
    caller: Asking,
    body: Annotated[ChatRequest, Depends(json_body(ChatRequest))],
    turns: Opened,
    settings: Chosen,
) -> EventStream:
    """Answer specification 4.4."""
    return EventStream(await turns.chat(caller.owner, body), settings.silence_s)


@router.post("/v1/tool-result", response_model=None)
async def tool_result(
    caller: Asking,
    body: Annotated[ToolResultRequest, Depends(json_body(ToolResultRequest))],
    turns: Opened,
    settings: Chosen,
) -> EventStream:
    """Answer specification 4.5."""
    return EventStream(await turns.tool_result(caller.owner, body), settings.silence_s)
