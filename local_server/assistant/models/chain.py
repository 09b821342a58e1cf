"""Asks models in their order, each as often as makes sense, until one answers.

Only as long as nothing of an answer was passed on: what the user has read is never said again in
other words.
"""

import asyncio
import logging
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from local_server.assistant.models.answer import Answer, Texts, Upstream
from local_server.assistant.models.budget import Budget
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt import Prompt
from local_server.assistant.models.trimming import trim
from local_server.errors import StreamFailureError

log = logging.getLogger(__name__)

Rest = Callable[[float], Awaitable[None]]

_TRIES: Final = 3
_FIRST_REST_S: Final = 0.5
# Who is asked to wait longer is answered by another model, or not at all.
_LONGEST_REST_S: Final = 20
# Where the provider counts more tokens than were estimated, the question shrinks to this part.
_SHRUNK: Final = 0.6


@dataclass(frozen=True)
class _Begun:
    """An answer that has begun: its first text, and the rest of it."""

    upstream: Upstream
    first: str
    rest: Texts


@dataclass(frozen=True)
class _Try:
    """How a model is asked next.

    Attributes:
        number: Counts the tries that failed for a passing reason.
        share: Which part of the model's window is used.
    """

    prompt: Prompt
    number: int = 0
    share: float = 1.0

    def after(self, failure: UpstreamError) -> "_Try | None":
        """Decide on another try of the same model; None is to leave it at that."""
        if failure.kind == "no_tools" and self.prompt.tools:
            return replace(self, prompt=replace(self.prompt, tools=(), choices=()))
        if failure.kind == "too_long" and self.share == 1.0:
            return replace(self, share=_SHRUNK)
        if failure.is_passing and self.number + 1 < _TRIES and self.rest_s(failure) is not None:
            return replace(self, number=self.number + 1)
        return None

    def rest_s(self, failure: UpstreamError) -> float | None:
        """How long to wait before a further try; None is too long."""
        if not failure.is_passing:
            return 0
        if failure.retry_after_s is None:
            spread = random.uniform(1, 1.5)  # noqa: S311 - not a secret
            return _FIRST_REST_S * (1 << self.number) * spread
        return failure.retry_after_s if failure.retry_after_s <= _LONGEST_REST_S else None


class Chain:
    """A model and those that stand in for it. Made for an agent; its models are not its own."""

    def __init__(self, upstreams: tuple[Upstream, ...], rest: Rest = asyncio.sleep) -> None:
        """Make one; `rest` waits before a model is asked again."""
        self._upstreams = upstreams
        self._rest = rest

    async def ask(self, prompt: Prompt, answer: Answer, budget: Budget) -> AsyncGenerator[str]:
        """Ask, and pass on the text as it comes; a piece may be empty.

        Raises:
            StreamFailureError: When no model answers, or one breaks off, with words for the user.
        """
        try:
            async with asyncio.timeout(budget.seconds_left):
                begun = await self._begin(prompt, answer)
        except TimeoutError:
            budget.time_is_up()
            raise
        try:
            async with aclosing(begun.rest) as texts:
                yield begun.first
                async for text in texts:
                    yield text
        except UpstreamError as failure:
            raise StreamFailureError(failure.sentence(begun.upstream.label)) from failure

    async def _begin(self, prompt: Prompt, answer: Answer) -> _Begun:
        sentences = []
        for upstream in self._upstreams:
            try:
                return await self._begin_with(upstream, prompt, answer)
            except UpstreamError as failure:
                log.info("%s did not answer: %s", upstream.label, failure.kind)
                sentences.append(failure.sentence(upstream.label))
                if failure.is_final:
                    break
        raise StreamFailureError(" ".join(sentences))

    async def _begin_with(self, upstream: Upstream, prompt: Prompt, answer: Answer) -> _Begun:
        window = await upstream.window()
        next_try: _Try | None = _Try(prompt)
        while next_try is not None:
            this = next_try
            answer.forget()
            try:
                asked = trim(this.prompt, int(window * this.share))
                return await _first_text(upstream, asked, answer)
            except UpstreamError as failure:
                next_try = this.after(failure)
                if next_try is None:
                    raise
                await self._rest(this.rest_s(failure) or 0)
        raise AssertionError("the last try raises or returns")


async def _first_text(upstream: Upstream, prompt: Prompt, answer: Answer) -> _Begun:
    """Wait for the first text of an answer, or for its end."""
    texts = await upstream.ask(prompt, answer)
    try:
        async for text in texts:
            if text:
                return _Begun(upstream, text, texts)
    except BaseException:
        await texts.aclose()
        raise
    return _Begun(upstream, "", texts)
