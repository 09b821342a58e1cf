"""OpenAI's client, as far as it is asked for chat completions.

The library's own way walks over all messages and tools to rename what in a chat completion has
only one name: a quarter of all that a short reply costs.
"""

from functools import cached_property
from typing import Any, Final, Self

from openai import AsyncOpenAI, AsyncStream, NotGiven, Omit
from openai.resources.chat import AsyncChat, AsyncCompletions
from openai.types.chat import ChatCompletionChunk

_NOTHING: Final = ChatCompletionChunk(
    id="", object="chat.completion.chunk", created=0, model="-", choices=[]
)


class OpenAIClient(AsyncOpenAI):
    """A client for OpenAI's servers, and those that speak alike; its maker closes it."""

    @cached_property
    def chat(self) -> AsyncChat:
        """What is asked of `/chat`."""
        return _Chat(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(
        self, *, extra_headers: Any = None, extra_body: Any = None, **parameters: Any
    ) -> Any:
        """Post the parameters as they are; the stream that begins is read elsewhere.

        Raises:
            openai.OpenAIError: What the library itself raises.
        """
        # How long it may take is the HTTP client's matter.
        parameters.pop("timeout", None)
        given = {
            name: value
            for name, value in parameters.items()
            if not isinstance(value, (Omit, NotGiven))
        }
        return await self._client.post(
            "/chat/completions",
            cast_to=ChatCompletionChunk,
            body=given | (extra_body or {}),
            options={"headers": extra_headers or {}, "security": {"bearer_auth": True}},
            stream=True,
            stream_cls=_Opened,
        )


class _Opened(AsyncStream[ChatCompletionChunk]):
    """Says that a stream has begun; the library's own would wait in a task to be closed."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ChatCompletionChunk:
        return _NOTHING
