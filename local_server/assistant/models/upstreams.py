"""The models of a run: made when first used, asked in order until one answers.

`Upstreams` makes the models that a `ModelPlan` names and keeps them; a `LazyModel` stands for one
that takes long to make. A `FallbackChain` asks them, with retries, until one answers, within the
`Budget` of a reply, which counts against its `Limits`.

Once part of an answer was passed on, there is no retry and no fallback: the user would read the
same again, worded differently.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from local_server.assistant.agents import Agent
from local_server.assistant.models.answer import Answer, ContextWindow, Texts, Upstream
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt_builder import Prompt
from local_server.assistant.models.providers import (
    Endpoint,
    ModelId,
    ProviderAccess,
    UnknownModelError,
    uses_pydantic_ai,
)
from local_server.assistant.models.token_rates import TokenRate, TokenRates
from local_server.assistant.models.tries import Try
from local_server.assistant.models.trimming import estimated_tokens
from local_server.assistant.reply import TokenUsage
from local_server.assistant.skills import count_tokens
from local_server.engine.keeper import EngineKeeper
from local_server.errors import StreamFailureError
from local_server.loopback import is_loopback

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Limits:
    """The limits of one reply, over all its questions to models.

    Attributes:
        model_calls: How often models may be asked.
        mistakes: How many answers may ask for tools in a way that cannot be met.
        output_tokens: How much models may write, tool calls included.
        seconds: How long it may take.
        clock: A monotonic clock, in seconds.
    """

    model_calls: int = 16
    mistakes: int = 3
    output_tokens: int = 64_000
    seconds: float = 900
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)


class Budget:
    """Counts against the limits. Made for one reply, or one part of it after a tool call."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._deadline = limits.clock() + limits.seconds
        self._calls = 0
        self._mistakes = 0
        self._tokens = 0

    @property
    def seconds_left(self) -> float:
        """How long the reply may still take; 0 when its time is up."""
        return max(0.0, self._deadline - self._limits.clock())

    def count_call(self) -> None:
        """Count a question to a model against the limit of the reply.

        Raises:
            StreamFailureError: The limit is passed; the message is for the user.
        """
        self._calls += 1
        if self._calls > self._limits.model_calls:
            raise StreamFailureError(
                f"This reply would need more than {self._limits.model_calls} answers from the "
                "model, which is the limit. Send a message to continue."
            )

    def count_mistake(self) -> None:
        """Count an answer whose tool calls were all invalid or of unknown tools.

        Raises:
            StreamFailureError: The limit is passed; the message is for the user.
        """
        self._mistakes += 1
        if self._mistakes > self._limits.mistakes:
            raise StreamFailureError("The model kept making tool calls that cannot be carried out.")

    def count_text(self, text: str) -> None:
        """Count what a model wrote.

        Raises:
            StreamFailureError: When it is too much, or the time is up.
        """
        self._tokens += count_tokens(text)
        if self._tokens > self._limits.output_tokens:
            limit = self._limits.output_tokens
            raise StreamFailureError(f"The reply is longer than the limit of {limit:,} tokens.")
        if self._limits.clock() > self._deadline:
            self.raise_timeout()

    def raise_timeout(self) -> None:
        """Raise that the time is up.

        Raises:
            StreamFailureError: Always.
        """
        raise StreamFailureError(
            f"The reply took longer than {self._limits.seconds:.0f} seconds, which is the limit."
        )


@dataclass(frozen=True)
class _Begun:
    """An answer that has begun: to what, its first text, and the rest of it."""

    upstream: Upstream
    asked: Prompt
    first: str
    rest: Texts


class FallbackChain:
    """A model and its fallbacks. Made for an agent; does not own the models."""

    def __init__(
        self,
        upstreams: tuple[Upstream, ...],
        sleep: Sleep = asyncio.sleep,
        rate_of: Callable[[Upstream], TokenRate] = TokenRate.unknown,
    ) -> None:
        """Make one; `sleep` waits before a model is asked again."""
        self._upstreams = upstreams
        self._sleep = sleep
        self._rate_of = rate_of

    async def can_choose(self) -> bool:
        """Return whether the first of the models can be asked who is to answer."""
        return await self._upstreams[0].can_choose()

    async def ask(self, prompt: Prompt, answer: Answer, budget: Budget) -> AsyncGenerator[str]:
        """Ask, and pass on the text as it comes; a piece may be empty.

        After each piece, `answer` may have thoughts to take. They may be from a try that fails
        before the one that gives the text.

        If a model writes text and then a malformed tool call, only `answer` shows that: the model
        can be asked again.

        Raises:
            StreamFailureError: When no model answers, or one breaks off, with words for the user.
        """
        beginning = _Beginning(self._upstreams, prompt, answer, self._sleep, self._rate_of)
        async with aclosing(beginning):
            while (begun := await beginning.read_on(budget)) is None:
                yield ""
        label = answer.label = begun.upstream.label
        try:
            async with aclosing(begun.rest) as texts:
                yield begun.first
                async for text in texts:
                    yield text
            log.info("%s answered: %s", label, answer.tokens)
        except UpstreamError as failure:
            answer.failure = StreamFailureError(failure.sentence(label))
            if failure.kind != "bad_call":
                raise answer.failure from failure
        if answer.tokens is not None and not begun.asked.has_images:
            counted = answer.tokens.input
            await self._rate_of(begun.upstream).learn(estimated_tokens(begun.asked), counted)
        if answer.tokens is not None and answer.cost_usd is None:
            answer.cost_usd = await begun.upstream.cost_usd(answer.tokens)


class _Beginning:
    """Asks models in their order, each as often as makes sense, until one answers.

    Made for one question.
    """

    def __init__(
        self,
        upstreams: Sequence[Upstream],
        prompt: Prompt,
        answer: Answer,
        sleep: Sleep,
        rate_of: Callable[[Upstream], TokenRate],
    ) -> None:
        self._upstreams = list(upstreams)
        self._prompt = prompt
        self._asked = prompt
        self._answer = answer
        self._sleep = sleep
        self._rate_of = rate_of
        self._next_try: Try | None = None
        self._texts: Texts | None = None
        self._sentences: list[str] = []

    async def read_on(self, budget: Budget) -> _Begun | None:
        """Return the answer once it has text, or is over; None when there are only thoughts so far.

        Raises:
            StreamFailureError: When no model answers, or the time is up.
        """
        try:
            async with asyncio.timeout(budget.seconds_left):
                return await self._read_on()
        except TimeoutError:
            budget.raise_timeout()
            raise

    async def aclose(self) -> None:
        """Close the connection of an answer that did not begin."""
        texts, self._texts = self._texts, None
        if texts is not None:
            await texts.aclose()

    async def _read_on(self) -> _Begun | None:
        while True:
            try:
                if self._texts is None:
                    self._texts = await self._ask()
                return await self._first_text(self._texts)
            except UpstreamError as failure:
                await self.aclose()
                await self._plan_next_try(failure)

    async def _ask(self) -> Texts:
        upstream = self._upstreams[0]
        this = self._next_try
        # A failure before the request would repeat itself, so there is no further try.
        self._next_try = None
        if this is None:
            rate, told = self._rate_of(upstream), await upstream.window()
            window = rate.window(told.tokens)
            is_assumed = told.is_assumed and window == told.tokens
            estimated = rate.as_estimated(window)
            this = Try(self._prompt, estimated, window, is_window_assumed=is_assumed)
            if self._prompt.has_images and not await upstream.sees_images():
                this = this.without_images()
        trimmed = this.trimmed()
        self._next_try = this
        self._asked = trimmed.prompt
        self._answer.forget()
        self._answer.omissions = trimmed.omissions
        self._answer.window = ContextWindow(this.told_window, this.is_window_assumed)
        self._answer.model = upstream.id
        return await upstream.ask(trimmed.prompt, self._answer)

    async def _first_text(self, texts: Texts) -> _Begun | None:
        async for text in texts:
            if text:
                return self._begun(text, texts)
            if self._answer.has_thoughts:
                return None
        return self._begun("", texts)

    def _begun(self, first: str, texts: Texts) -> _Begun:
        self._texts = None
        return _Begun(self._upstreams[0], self._asked, first, texts)

    async def _plan_next_try(self, failure: UpstreamError) -> None:
        """Wait for another try of the same model, or go on to the next one.

        Raises:
            StreamFailureError: When there is none.
        """
        self._answer.window = None
        this = self._next_try
        if this is not None and failure.kind == "too_long" and not self._asked.has_images:
            rate, estimated = self._rate_of(self._upstreams[0]), estimated_tokens(self._asked)
            await rate.learn_refusal(this.told_window, estimated, failure.counted)
        self._next_try = this.after(failure) if this is not None else None
        if this is not None and self._next_try is not None:
            await self._sleep(this.pause_s(failure) or 0)
            return
        label = self._upstreams.pop(0).label
        log.info("%s did not answer: %s", label, failure.kind)
        self._sentences.append(failure.sentence(label))
        if failure.is_final or not self._upstreams:
            raise StreamFailureError(" ".join(self._sentences)) from failure


class LazyModel:
    """Stands for a model that takes long to make, by its libraries or certificates.

    One for the life of the service.
    """

    def __init__(self, model_id: ModelId, make: Callable[[], Upstream]) -> None:
        """Make one; `make` is called in a thread, at most once."""
        self._model_id = model_id
        self._make = make
        self._making: asyncio.Task[Upstream] | None = None

    @property
    def id(self) -> str:
        """The id by which the model is chosen."""
        return str(self._model_id)

    @property
    def label(self) -> str:
        """What the user knows the model by; its own name once it is made."""
        made = self._making
        if made is not None and made.done() and made.exception() is None:
            return made.result().label
        return self._model_id.display_name

    def warm_up(self) -> None:
        """Begin to load, without waiting for the end."""
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(self._make))

    async def window(self) -> ContextWindow:
        """Return how many tokens question and answer may have together."""
        return await (await self._made()).window()

    async def can_choose(self) -> bool:
        """Return whether the model can be asked who is to answer."""
        return await (await self._made()).can_choose()

    async def sees_images(self) -> bool:
        """Return whether the model can be shown images."""
        return await (await self._made()).sees_images()

    async def cost_usd(self, tokens: TokenUsage) -> float | None:
        """Return what an answer costs; None where nobody knows the price."""
        return await (await self._made()).cost_usd(tokens)

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        return await (await self._made()).ask(prompt, answer)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._making is None:
            return
        await asyncio.wait([self._making])
        if self._making.exception() is None:
            await self._making.result().aclose()

    async def _made(self) -> Upstream:
        self.warm_up()
        if self._making is None:
            raise RuntimeError("warming up starts the making")
        # Shielded, as other requests wait for the same result.
        return await asyncio.shield(self._making)


@dataclass(frozen=True)
class ModelPlan:
    """Which models a run uses.

    Attributes:
        models: The one that answers and those that stand in for it, in order; empty where only
            agents that name a model have one.
        window: How many tokens they take; None leaves it to each.
    """

    models: tuple[ModelId, ...]
    window: int | None = None


class Upstreams:
    """Makes models and keeps them. One for the life of the service."""

    def __init__(
        self,
        plan: ModelPlan,
        access: ProviderAccess,
        sleep: Sleep = asyncio.sleep,
        engine: EngineKeeper | None = None,
        rates: TokenRates | None = None,
    ) -> None:
        """Make it.

        Args:
            plan: Which models there are.
            access: The keys and addresses of the run.
            sleep: Waits before a model is asked again.
            engine: Runs model files, and is the caller's to close; without it there are none.
            rates: Remembers how models count tokens.

        Raises:
            UnknownModelError: When a model of the plan cannot be reached.
        """
        self._window = plan.window
        self._access = access
        self._engine = engine
        self._sleep = sleep
        self._rates = rates or TokenRates()
        self._made: dict[ModelId, LazyModel] = {}
        self._chain = tuple(self._upstream(model_id) for model_id in plan.models)

    def warm_up(self) -> None:
        """Begin to load what the first answer needs, without waiting for the end."""
        for upstream in self._chain[:1]:
            upstream.warm_up()

    def chain_of(self, agent: Agent | None, chosen: str | None = None) -> FallbackChain:
        """Find the models for an agent: its own, if it names one, else the run's.

        The run's fallback models stand in for either. The run's first model does not stand in for
        an agent's own: the conversation may not be meant for its provider. A model that was chosen
        for the chat answers alone.

        Raises:
            UnknownModelError: When there is none at all.
            StreamFailureError: When the chosen one cannot be asked any more.
        """
        if chosen is not None:
            return FallbackChain((self._chosen(chosen),), self._sleep, self._rate_of)
        own = self._own_of(agent)
        first = self._chain[:1] if own is None else (own,)
        fallbacks = tuple(upstream for upstream in self._chain[1:] if upstream is not own)
        if not first:
            raise UnknownModelError("No model was chosen.")
        return FallbackChain((*first, *fallbacks), self._sleep, self._rate_of)

    def has_model_for(self, agent: Agent) -> bool:
        """Return whether a model can answer for an agent."""
        return bool(self._chain) or _named_by(agent) is not None

    async def aclose(self) -> None:
        """Close the connections."""
        for upstream in self._made.values():
            await upstream.aclose()

    def _rate_of(self, upstream: Upstream) -> TokenRate:
        return self._rates.of(upstream.id)

    def _chosen(self, model: str) -> LazyModel:
        try:
            return self._upstream(ModelId.read(model))
        except UnknownModelError as exc:
            # Its key may have been taken away in the middle of a reply.
            raise StreamFailureError(str(exc)) from exc

    def _own_of(self, agent: Agent | None) -> LazyModel | None:
        """Find the model that an agent names; None where it names none.

        Raises:
            StreamFailureError: When it cannot be used: the default may be another provider's.
        """
        model_id = _named_by(agent)
        if model_id is None:
            return None
        try:
            return self._upstream(_allowed_to_agents(model_id, self._access))
        except UnknownModelError as exc:
            raise StreamFailureError(str(exc)) from exc

    def _upstream(self, model_id: ModelId) -> LazyModel:
        made = self._made.get(model_id)
        if made is None:
            made = self._made[model_id] = self._make(model_id)
        return made

    def _make(self, model_id: ModelId) -> LazyModel:
        if model_id.provider == "file":
            return self._make_of_file(model_id)
        endpoint = self._access.endpoint(model_id)
        return LazyModel(model_id, lambda: _make_model(model_id, endpoint, self._window))

    def _make_of_file(self, model_id: ModelId) -> LazyModel:
        engine = self._engine
        if engine is None:
            raise UnknownModelError(f"Model files are not run here, so {model_id} is not.")

        def make() -> Upstream:
            from local_server.assistant.models.engine_model import (  # noqa: PLC0415 - as the others
                EngineModel,
            )

            return EngineModel(model_id, engine)

        return LazyModel(model_id, make)


def _make_model(model_id: ModelId, endpoint: Endpoint, window: int | None) -> Upstream:
    if uses_pydantic_ai(model_id, endpoint):
        from local_server.assistant.models.pydantic_ai_model import (  # noqa: PLC0415 - heavy
            PydanticAiModel,
        )

        return PydanticAiModel(model_id, endpoint, window)
    if model_id.provider == "ollama":
        from local_server.assistant.models.ollama_model import (  # noqa: PLC0415 - heavy
            OllamaModel,
        )

        return OllamaModel(model_id, endpoint, window)
    from local_server.assistant.models.openai_model import OpenAiModel  # noqa: PLC0415 - heavy

    return OpenAiModel(model_id, endpoint, window)


def _named_by(agent: Agent | None) -> ModelId | None:
    """Read the model that an agent names; names of other programs are none."""
    if agent is None or agent.model is None:
        return None
    try:
        return ModelId.read(agent.model)
    except UnknownModelError as exc:
        log.info("the agent %s gets the default model: %s", agent.name, exc)
        return None


def _allowed_to_agents(model_id: ModelId, access: ProviderAccess) -> ModelId:
    """Check the model of an agent, whose file may come from anybody.

    It may choose among providers, servers on this computer and those that a key was given for, but
    not send conversations to an address of its own.

    Raises:
        UnknownModelError: When it may not choose that model.
    """
    if model_id.provider == "file":
        raise UnknownModelError("An agent cannot name a model file.")
    address = model_id.address
    if address is not None and not is_loopback(address) and address not in access.address_keys:
        raise UnknownModelError(f"{address} is not on this computer, and has no key.")
    return model_id
