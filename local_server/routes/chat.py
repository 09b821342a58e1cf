"""Specification 4.4 and 4.5: the two operations that answer with a stream.

`JsonBody` parses their request bodies strictly and validates them against a pydantic model.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Generic, TypeVar

from fastapi import APIRouter, Depends, Header, Request
from pydantic import BaseModel, ValidationError

from local_server.assistant.turn_service import TurnService
from local_server.auth import CurrentCaller
from local_server.errors import (
    BODY_ERRORS,
    CeilingReachedError,
    ConversationBusyError,
    ConversationNotFoundError,
    ImagesFullError,
    InvalidRequestError,
    ModelNotListedError,
    ToolCallNotFoundError,
    ToolResultConflictError,
    UnknownAgentError,
    UnsupportedMediaTypeError,
    error_responses,
    explain,
)
from local_server.schemas import (
    ACCEPT_HEADER,
    MOST_VALUES,
    ChatRequest,
    Extension,
    JsonTextError,
    ToolResultRequest,
    accepted,
    parse_json,
)
from local_server.settings import ServiceSettings
from local_server.sse import EventSource, EventStream, ShutdownEvent

Body = TypeVar("Body", bound=BaseModel)

router = APIRouter()
_TURN_ERRORS: Final = (
    *BODY_ERRORS,
    ConversationNotFoundError,
    ConversationBusyError,
    CeilingReachedError,
    ImagesFullError,
)


class JsonBody(Generic[Body]):
    """A FastAPI dependency that reads a request's body as a model. Made once, with its route.

    Attributes:
        model: The shape of the body.
        is_required: Whether a request without a body is refused; else it counts as `{}`.
    """

    def __init__(
        self, model: type[Body], *, is_required: bool = True, most_values: int = MOST_VALUES
    ) -> None:
        self.model = model
        self.is_required = is_required
        self._most_values = most_values

    async def __call__(self, request: Request) -> Body:
        """Read the body.

        Raises:
            UnsupportedMediaTypeError: When it is not declared as plain JSON.
            InvalidRequestError: When it is no JSON, or of another shape.
        """
        text = await request.body()
        if not (text or self.is_required):
            return self.model()
        declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        packed = request.headers.get("content-encoding", "identity").strip().lower()
        if declared != "application/json" or packed != "identity":
            raise UnsupportedMediaTypeError
        try:
            return self.model.model_validate(parse_json(text, self._most_values))
        except JsonTextError as exc:
            raise InvalidRequestError(f"The body cannot be read: {exc}.") from exc
        except ValidationError as exc:
            raise InvalidRequestError(explain(exc.errors())) from exc


async def _turns(request: Request) -> TurnService:
    turns: TurnService = request.app.state.turns
    return turns


@dataclass(frozen=True)
class StreamFactory:
    """Makes `EventStream` responses with the settings of this run. Made for each request."""

    settings: ServiceSettings
    shutdown: ShutdownEvent
    accepted: frozenset[Extension]

    def make(self, source: EventSource) -> EventStream:
        """Return the response that streams the events of `source`."""
        return EventStream(source, self.settings.silence_s, self.shutdown, self.accepted)


async def _stream_factory(
    request: Request,
    accept: Annotated[str, Header(alias=ACCEPT_HEADER)] = "",
) -> StreamFactory:
    state = request.app.state
    return StreamFactory(state.settings, state.shutdown, accepted(accept))


TurnsDep = Annotated[TurnService, Depends(_turns)]
StreamFactoryDep = Annotated[StreamFactory, Depends(_stream_factory)]


@router.post(
    "/v1/chat/stream",
    response_model=None,
    summary="Send a message, and read the reply as it is written",
    responses=error_responses(*_TURN_ERRORS, UnknownAgentError, ModelNotListedError),
)
async def chat_stream(
    caller: CurrentCaller,
    body: Annotated[ChatRequest, Depends(JsonBody(ChatRequest))],
    turns: TurnsDep,
    streams: StreamFactoryDep,
) -> EventStream:
    """Answer specification 4.4."""
    return streams.make(await turns.chat(caller.owner, body))


@router.post(
    "/v1/tool-result",
    response_model=None,
    summary="Give the outcome of a client tool, and read how the reply goes on",
    responses=error_responses(*_TURN_ERRORS, ToolCallNotFoundError, ToolResultConflictError),
)
async def tool_result(
    caller: CurrentCaller,
    body: Annotated[ToolResultRequest, Depends(JsonBody(ToolResultRequest))],
    turns: TurnsDep,
    streams: StreamFactoryDep,
) -> EventStream:
    """Answer specification 4.5."""
    return streams.make(await turns.tool_result(caller.owner, body))
