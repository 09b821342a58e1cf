"""Routes of specification 4.1 to 4.3, and `POST /v1/conversations`, which is our choice."""

import re
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BeforeValidator

from local_server.assistant.fork_service import ForkService
from local_server.auth import CurrentCaller
from local_server.errors import (
    BODY_ERRORS,
    ConversationBusyError,
    ConversationNotFoundError,
    InvalidRequestError,
    MessageNotFoundError,
    error_responses,
)
from local_server.routes.chat import JsonBody
from local_server.schemas import (
    MOST_GIVEN_MESSAGES,
    ConversationDetail,
    ConversationEnvelope,
    ConversationPage,
    ConversationSummary,
    CreateRequest,
    MessageBody,
    PageMeta,
)
from local_server.store.conversations import ConversationStore
from local_server.store.records import Conversation, Summary

router = APIRouter()

# A message is four JSON values, the object and three fields; two more are for unknown fields.
_MOST_VALUES: Final = 6 * MOST_GIVEN_MESSAGES
_LARGEST_OFFSET: Final = 2**63 - 1
_DIGITS: Final = re.compile("[0-9]+")


def _only_digits(value: object) -> object:
    """Refuse the signs, spaces, fractions and underscores that pydantic would read too."""
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise ValueError("Write a whole number, in digits alone")
    return value


async def _each_once(request: Request) -> None:
    """Refuse a parameter that is given twice, of which others would read the other value."""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in ("limit", "offset", "order"):
        if names.count(name) > 1:
            raise InvalidRequestError(f"{name}: given more than once")


async def _forks(request: Request) -> ForkService:
    forks: ForkService = request.app.state.forks
    return forks


async def _conversations(request: Request) -> ConversationStore:
    conversations: ConversationStore = request.app.state.store.conversations
    return conversations


_InDigits: Final = BeforeValidator(_only_digits)
ConversationsDep = Annotated[ConversationStore, Depends(_conversations)]


@router.get(
    "/v1/conversations",
    summary="List conversations, sorted by their last update",
    dependencies=[Depends(_each_once)],
    responses=error_responses(),
)
async def list_conversations(
    caller: CurrentCaller,
    conversations: ConversationsDep,
    limit: Annotated[int, Query(ge=1, le=100), _InDigits] = 20,
    offset: Annotated[int, Query(ge=0, le=_LARGEST_OFFSET), _InDigits] = 0,
    order: Literal["asc", "desc"] = "desc",
) -> ConversationPage:
    """Answer specification 4.1."""
    page = await conversations.page(caller.owner, limit, offset, order)
    meta = PageMeta(total=page.total, limit=limit, offset=offset)
    return ConversationPage(data=[_summary(row) for row in page.rows], meta=meta)


@router.post(
    "/v1/conversations",
    status_code=201,
    summary="Make a conversation: empty, a copy of another one, or of messages",
    responses=error_responses(
        *BODY_ERRORS, ConversationNotFoundError, MessageNotFoundError, ConversationBusyError
    ),
)
async def create_conversation(
    caller: CurrentCaller,
    body: Annotated[
        CreateRequest,
        Depends(JsonBody(CreateRequest, is_required=False, most_values=_MOST_VALUES)),
    ],
    conversations: ConversationsDep,
    forks: Annotated[ForkService, Depends(_forks)],
) -> ConversationEnvelope:
    """Create a conversation (our choice: the specification has no operation for it).

    Idempotent by `fork_id`: a second request with the same one returns the same conversation,
    even if its other fields differ.
    """
    made = await forks.make(caller.owner, body)
    return ConversationEnvelope(data=_detail(made or await conversations.create(caller.owner)))


@router.get(
    "/v1/conversations/{conversation_id}",
    summary="Read a conversation with its messages",
    responses=error_responses(ConversationNotFoundError),
)
async def get_conversation(
    conversation_id: str, caller: CurrentCaller, conversations: ConversationsDep
) -> ConversationEnvelope:
    """Answer specification 4.2."""
    conversation = await conversations.get(caller.owner, conversation_id)
    if conversation is None:
        raise ConversationNotFoundError
    return ConversationEnvelope(data=_detail(conversation))


@router.delete(
    "/v1/conversations/{conversation_id}",
    status_code=204,
    summary="Delete a conversation and its messages for ever",
    responses=error_responses(ConversationNotFoundError),
)
async def delete_conversation(
    conversation_id: str, caller: CurrentCaller, conversations: ConversationsDep
) -> Response:
    """Answer specification 4.3."""
    if not await conversations.delete(caller.owner, conversation_id):
        raise ConversationNotFoundError
    return Response(status_code=204)


def _summary(row: Summary) -> ConversationSummary:
    return ConversationSummary(
        id=row.id,
        created_at=row.created_at,
        updated_at=row.updated_at,
        message_count=row.message_count,
    )


def _detail(conversation: Conversation) -> ConversationDetail:
    messages = [
        MessageBody(
            id=message.id,
            role=message.role,
            content=message.content,
            created_at=message.created_at,
        )
        for message in conversation.messages
    ]
    return ConversationDetail(
        id=conversation.id,
        created_at=conversation.created_at,
        updated_at=conversation.updated_at,
        messages=messages,
    )
