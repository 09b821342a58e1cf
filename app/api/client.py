"""Make the requests of the interface: one method for each operation.

`ChatApi` names the operations, and `ApiClient` makes their requests.
"""

import ssl
import unicodedata
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar
from urllib.parse import quote

from pydantic import ConfigDict, JsonValue, SecretStr, TypeAdapter, ValidationError

from app.api.errors import (
    AnswerFault,
    ApiError,
    IdRefused,
    MethodNotAllowed,
    NotFound,
    RateLimited,
    UnexpectedAnswer,
)
from app.api.http_exchange import EVENT_STREAM, AnswerStream, HttpResponse, RateLimiter
from app.api.models import (
    MODELS_LIMIT,
    Agent,
    AnswerSettings,
    ConversationDetail,
    ConversationSummary,
    Envelope,
    Message,
    Model,
    Order,
    Page,
    Rows,
    SentImage,
    Skill,
    ToolDefinition,
    name_of_model_id,
)
from app.api.refusals import Retry, error_from_response, may_send_again
from app.api.sse import ReplyStream, StreamLimits
from app.common.clock import utc_now
from app.common.error_messages import ErrorCode

_ERROR_BODY_LIMIT_BYTES: Final = 64 * 1024
_UNSPECIFIED_WAIT_S: Final = 2.0

# The most that the extension `settings` takes as the instructions of a chat.
MOST_INSTRUCTIONS_CHARS: Final = 16_000
# The events beside those of specification 6, by the extension that announces them.
_MORE_EVENTS: Final = ("usage", "thinking", "title")

T = TypeVar("T")

_LATER: Final = ConfigDict(defer_build=True)
_PAGE = TypeAdapter(Page[ConversationSummary])
_DETAIL = TypeAdapter(Envelope[ConversationDetail])
_AGENTS: Final[TypeAdapter[tuple[Agent, ...]]] = TypeAdapter(Rows[Agent], config=_LATER)
_MODELS: Final = TypeAdapter(Envelope[tuple[Model, ...]])
_SKILLS: Final[TypeAdapter[tuple[Skill, ...]]] = TypeAdapter(Rows[Skill], config=_LATER)


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

    @property
    def offers_forks(self) -> bool:
        """Whether the service announced the extension `fork` with its agents."""

    async def fork_conversation(
        self, fork_id: str, conversation_id: str, through: str | None
    ) -> ConversationDetail:
        """Copy a conversation up to and including a message; None copies no message."""

    async def begin_conversation(
        self, fork_id: str, messages: Sequence[Message]
    ) -> ConversationDetail:
        """Begin a conversation with messages from another source."""

    async def delete_conversation(self, conversation_id: str) -> None:
        """Remove a conversation permanently (specification 4.3)."""

    async def list_agents(self) -> tuple[Agent, ...]:
        """Return the enabled agents (specification 4.6)."""

    async def learn_extensions(self) -> None:
        """Ask which extensions the service announces, unless it has been asked."""

    async def list_skills(self) -> tuple[Skill, ...]:
        """Return the enabled skills (specification 4.7)."""

    @property
    def offers_models(self) -> bool:
        """Whether the service announced the extension `models` with its agents."""

    @property
    def offers_settings(self) -> bool | None:
        """Whether the service announced the extension `settings`; None before it was asked."""

    @property
    def offers_attachments(self) -> bool | None:
        """Whether the service announced the extension `attachments`; None before it was asked."""

    async def list_models(self) -> tuple[Model, ...]:
        """Return the models that can be chosen for a chat (extension `models`)."""

    def model_name(self, model: str) -> str:
        """Return the display name of a model as it was listed last; else what its id says."""

    def chat_stream(
        self,
        conversation_id: str,
        message: str,
        client_tools: Sequence[ToolDefinition] = (),
        agent_name: str | None = None,
        *,
        model: str | None = None,
        settings: AnswerSettings | None = None,
        instructions: str | None = None,
        images: Sequence[SentImage] = (),
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Send a message (specification 4.4), to be answered by this model if there is a choice.

        `settings` are those of the chat, `instructions` what the model is told beside its agent's
        own, where they can be set. `images` go to a service that takes them.
        """

    def tool_result(
        self,
        conversation_id: str,
        tool_call_id: str,
        result: str,
        images: Sequence[SentImage] = (),
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Hand in the outcome of a tool call (specification 4.5), with images where it has any."""

    async def aclose(self) -> None:
        """Close every connection."""


class ApiClient:
    """Speaks the interface with one address and one key.

    Every method raises `ApiError` and nothing else for what goes wrong outside; whoever made the
    client closes it, by `aclose()` or `async with`.

    Args:
        base_url: as `check_base_url` returned it.
        api_key: as `check_api_key` returned it.
        ssl_context: needed for https; made once, in a thread, since it takes 90 ms.
        proxy: as `check_proxy_address` returned it; None for the straight way.
        user_agent: how we present ourselves.
        rate_limiter: our own limit of requests; None for a service that has none.
        retry: how GET and DELETE, and a POST that found no connection, are repeated.
        limits: how much of a reply is taken.
    """

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr,
        *,
        ssl_context: ssl.SSLContext | None = None,
        proxy: str | None = None,
        user_agent: str = "parley",
        rate_limiter: RateLimiter | None = None,
        retry: Retry | None = None,
        limits: StreamLimits | None = None,
    ) -> None:
        # httpx takes long to import, and the start makes no client.
        from app.api.transport import HttpTransport  # noqa: PLC0415

        self._base_url = base_url
        self._transport = HttpTransport(
            base_url,
            api_key,
            ssl_context=ssl_context,
            user_agent=user_agent,
            proxy=proxy,
        )
        self._rate_limiter = rate_limiter
        self._retry = retry or Retry()
        self._limits = limits or StreamLimits()
        self._extensions: frozenset[str] = frozenset()
        self._has_listed_agents = False
        self._models: tuple[Model, ...] = ()
        self._refusal: Callable[[], ApiError] | None = None

    def __repr__(self) -> str:
        return f"ApiClient({self._base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def list_conversations(
        self, limit: int = 20, offset: int = 0, order: Order = "desc"
    ) -> Page[ConversationSummary]:
        """Return a page of the conversations (specification 4.1), at most `limit` of them."""
        params = {"limit": limit, "offset": offset, "order": order}
        page = self._read(_PAGE, await self._ask("GET", "/v1/conversations", params=params))
        # More rows would come again: the next page begins at offset + limit (specification 4.1).
        return page.model_copy(update={"data": page.data[:limit]})

    async def get_conversation(self, conversation_id: str) -> ConversationDetail:
        """Return a conversation with all its messages (specification 4.2)."""
        return self._read(_DETAIL, await self._ask("GET", _conversation(conversation_id))).data

    async def create_conversation(self) -> ConversationDetail:
        """Begin a conversation; the interface is silent on it, so a service may not offer it.

        Raises:
            NotFound, MethodNotAllowed: this service does not start conversations.
        """
        try:
            answer = await self._ask("POST", "/v1/conversations", body={})
        except (NotFound, MethodNotAllowed) as exc:
            given = (exc.status, exc.code, exc.message)
            # No conversation was named, so what is missing is the operation itself.
            raise type(exc)(*given, reason=ErrorCode.CREATE_UNSUPPORTED) from exc
        return self._read(_DETAIL, answer).data

    @property
    def offers_forks(self) -> bool:
        """Whether the service announced the extension `fork` with its agents."""
        return "fork" in self._extensions

    async def fork_conversation(
        self, fork_id: str, conversation_id: str, through: str | None
    ) -> ConversationDetail:
        """Copy a conversation up to and with a message, None for none of them (extension `fork`).

        The same `fork_id` gives the same copy again, so that a lost answer is asked for anew.

        Raises:
            NotFound: the service has no such conversation, or no such message in it.
            Conflict: a reply is being written there.
        """
        return await self._fork({"fork_id": fork_id, "from": conversation_id, "through": through})

    async def begin_conversation(
        self, fork_id: str, messages: Sequence[Message]
    ) -> ConversationDetail:
        """Begin a conversation with messages that were said elsewhere (extension `fork`).

        Their ids are not sent, and one without a time counts as said now. Asked for again with the
        same `fork_id`, it is the same conversation.

        Raises:
            InvalidRequest: there are too many messages, or they are too large together.
        """
        now = utc_now()
        said: list[JsonValue] = [
            {
                "role": one.role.value,
                "content": one.content,
                "created_at": (one.created_at or now).isoformat(),
            }
            for one in messages
        ]
        return await self._fork({"fork_id": fork_id, "messages": said})

    async def delete_conversation(self, conversation_id: str) -> None:
        """Remove a conversation permanently (specification 4.3)."""
        failures: list[ApiError] = []
        try:
            await self._ask("DELETE", _conversation(conversation_id), failures=failures)
        except NotFound:
            # An earlier try of ours may have been the one that removed it.
            if not any(failure.was_maybe_delivered for failure in failures):
                raise

    async def list_agents(self) -> tuple[Agent, ...]:
        """Return the enabled agents (specification 4.6)."""
        answer = await self._ask("GET", "/v1/agents")
        self._extensions = frozenset(name.strip().lower() for name in answer.extensions.split(","))
        self._has_listed_agents = True
        return self._read(_AGENTS, answer)

    async def learn_extensions(self) -> None:
        """Ask which extensions the service announces, unless it has been asked."""
        if not self._has_listed_agents:
            await self.list_agents()

    async def list_skills(self) -> tuple[Skill, ...]:
        """Return the enabled skills (specification 4.7)."""
        return self._read(_SKILLS, await self._ask("GET", "/v1/skills"))

    @property
    def offers_models(self) -> bool:
        """Whether the service announced the extension `models` with its agents."""
        return "models" in self._extensions

    @property
    def offers_settings(self) -> bool | None:
        """Whether the service announced the extension `settings`; None before it was asked."""
        return "settings" in self._extensions if self._has_listed_agents else None

    @property
    def offers_attachments(self) -> bool | None:
        """Whether the service announced the extension `attachments`; None before it was asked."""
        return "attachments" in self._extensions if self._has_listed_agents else None

    async def list_models(self) -> tuple[Model, ...]:
        """Return the models that can be chosen for a chat (extension `models`)."""
        models = self._read(_MODELS, await self._ask("GET", "/v1/models")).data
        self._models = models[:MODELS_LIMIT]
        return self._models

    def model_name(self, model: str) -> str:
        """Return the display name of a model as it was listed last; else what its id says."""
        known = next((known for known in self._models if known.id == model), None)
        return (known.display_name or known.id) if known else name_of_model_id(model)

    def chat_stream(
        self,
        conversation_id: str,
        message: str,
        client_tools: Sequence[ToolDefinition] = (),
        agent_name: str | None = None,
        *,
        model: str | None = None,
        settings: AnswerSettings | None = None,
        instructions: str | None = None,
        images: Sequence[SentImage] = (),
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Send a message: `async with client.chat_stream(…) as reply` (specification 4.4).

        A model, settings and instructions of the chat are sent only to a service that offers the
        choice; empty is the default again, None is what it was. Leaving the block closes the
        stream, also in the middle of it.
        """
        body: dict[str, JsonValue] = {"conversation_id": conversation_id, "message": message}
        if client_tools:
            body["client_tools"] = [tool.model_dump() for tool in client_tools]
        if agent_name is not None:
            body["agent_name"] = agent_name
        if model is not None and self.offers_models:
            body["model"] = model or None
        if settings is not None and self.offers_settings:
            body["settings"] = settings.as_json()
        if instructions is not None and self.offers_settings:
            body["instructions"] = instructions or None
        body |= self._attachments(images)
        return self._reply("/v1/chat/stream", conversation_id, body)

    def tool_result(
        self,
        conversation_id: str,
        tool_call_id: str,
        result: str,
        images: Sequence[SentImage] = (),
    ) -> AbstractAsyncContextManager[ReplyStream]:
        """Hand in the outcome of a tool call; the reply goes on in a new stream (4.5)."""
        body: dict[str, JsonValue] = {
            "conversation_id": conversation_id,
            "tool_call_id": tool_call_id,
            "result": result,
        }
        body |= self._attachments(images)
        return self._reply("/v1/tool-result", conversation_id, body)

    def send_nothing(self, refusal: Callable[[], ApiError]) -> None:
        """Send nothing from now on, and raise what `refusal` makes from every method.

        What waits for an answer goes on waiting.
        """
        self._refusal = refusal

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()

    async def _fork(self, body: JsonValue) -> ConversationDetail:
        answer = await self._ask("POST", "/v1/conversations", body=body, is_idempotent=True)
        return self._read(_DETAIL, answer).data

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: JsonValue = None,
        failures: list[ApiError] | None = None,
        is_idempotent: bool = False,
    ) -> HttpResponse:
        async def attempt() -> HttpResponse:
            return self._success(await self._transport.ask(method, path, params=params, body=body))

        # A request that does no harm twice is repeated as a GET is.
        repeated_as = "GET" if is_idempotent else method
        return await self._repeated(repeated_as, attempt, [] if failures is None else failures)

    @asynccontextmanager
    async def _reply(
        self, path: str, conversation_id: str, body: JsonValue
    ) -> AsyncIterator[ReplyStream]:
        async def attempt() -> AnswerStream:
            return await self._transport.connect(
                "POST", path, body=body, accept=EVENT_STREAM, headers=self._accepted_events()
            )

        # The status is checked outside of the tries: whatever answered has had the message.
        stream = await self._repeated("POST", attempt, [])
        try:
            await self._check_stream(stream)
            yield ReplyStream(stream, conversation_id, self._limits)
        finally:
            await stream.aclose()

    async def _repeated(
        self, method: str, attempt: Callable[[], Awaitable[T]], failures: list[ApiError]
    ) -> T:
        """Try until it works or may not be tried again; `failures` collects what went wrong."""
        while True:
            # At each try: the service may be given up during the pause before it.
            if self._refusal is not None:
                raise self._refusal()
            self._spend()
            try:
                return await attempt()
            except ApiError as exc:
                failures.append(exc)
                if len(failures) >= self._retry.attempts or not may_send_again(method, exc):
                    raise
            await self._retry.pause(self._retry.pause_s(len(failures)))

    def _attachments(self, images: Sequence[SentImage]) -> dict[str, JsonValue]:
        """Write images for a service that takes them; others are sent their names in the text."""
        if not images or not self.offers_attachments:
            return {}
        return {
            "attachments": [
                {
                    "name": image.name,
                    "media_type": image.media_type,
                    "data": b64encode(image.data).decode(),
                }
                for image in images
            ]
        }

    def _accepted_events(self) -> dict[str, str]:
        """Ask for the further events that the service announced; for none where it has none."""
        names = [name for name in _MORE_EVENTS if name in self._extensions]
        return {"Parley-Accept": ", ".join(names)} if names else {}

    def _spend(self) -> None:
        wait_s = self._rate_limiter.acquire() if self._rate_limiter is not None else 0.0
        if wait_s > 0:
            raise RateLimited(wait_s, is_from_service=False)

    def _success(self, answer: HttpResponse) -> HttpResponse:
        if 200 <= answer.status < 300:
            return answer
        error = error_from_response(answer, self._transport.host)
        if isinstance(error, RateLimited) and self._rate_limiter is not None:
            self._rate_limiter.back_off(error.retry_after_s or _UNSPECIFIED_WAIT_S)
        raise error

    async def _check_stream(self, stream: AnswerStream) -> None:
        """Make sure that the answer is a stream of events: a 200 that says so."""
        head = stream.answer
        if head.status == 200 and head.content_type == EVENT_STREAM:
            return
        # Read only the beginning of a long error page, and nothing of a 200 that is no stream.
        if not 200 <= head.status < 300:
            self._success(await self._transport.read_beginning(stream, _ERROR_BODY_LIMIT_BYTES))
        raise UnexpectedAnswer(
            AnswerFault.UNREADABLE, self._transport.host, detail=head.content_type
        )

    def _read(self, adapter: TypeAdapter[T], answer: HttpResponse) -> T:
        try:
            return adapter.validate_json(answer.body)
        except ValidationError as exc:
            # Invalid values may be private, so the error has only their places.
            where = [".".join(map(str, error["loc"])) for error in exc.errors(include_input=False)]
            detail = f"{answer.content_type or 'no type'}: {', '.join(where[:5])}"
            host = self._transport.host
            raise UnexpectedAnswer(AnswerFault.UNREADABLE, host, detail=detail) from None


def encode_path_part(part: str) -> str:
    """Encode an id so that it stays one part of a path, whatever it holds.

    Raises:
        IdRefused: it is empty, a dot part, or holds control characters.
    """
    if part in {"", ".", ".."} or any(unicodedata.category(c) in {"Cc", "Cs"} for c in part):
        raise IdRefused
    return quote(part, safe="")


def _conversation(conversation_id: str) -> str:
    return f"/v1/conversations/{encode_path_part(conversation_id)}"
