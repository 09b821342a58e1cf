"""What the users of a project may choose, and how much the project may use.

In child mode that is everything. Elsewhere it is what the operator has allowed the project
(`parley-server projects`), by default nothing. `Allowances` finds the `ProjectAllowance` of a
request, refuses requests of projects whose budget is used up, and counts what streams use.
`read_changes` reads what a message chooses for its chat: the model, settings and instructions.
If the project may not choose, these fields are ignored like unknown ones.
"""

import hashlib
import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, Protocol

from pydantic import ValidationError

from local_server.assistant.models.providers import OFFLINE
from local_server.assistant.reply import (
    AnswerUsage,
    ModelChoices,
    ModelDescription,
    TokenPrice,
    TokenUsage,
)
from local_server.errors import (
    CeilingReachedError,
    InvalidRequestError,
    ModelNotListedError,
    explain,
)
from local_server.schemas import ChatRequest, Extension, SettingsBody
from local_server.settings import Clock
from local_server.store.database import StoreUnavailableError
from local_server.store.projects import Permits
from local_server.store.records import (
    DEFAULT_CHOICES,
    NO_CHANGES,
    ChatChoices,
    ChoiceChanges,
    Owner,
    Permit,
    ReplySettings,
    Spent,
)

log = logging.getLogger(__name__)

_DEMO: Final = ModelDescription(OFFLINE, "Demo", "Parley", is_default=True)
_PUBLIC_CHARS: Final = 16
_OWN: Final = "This service"
_GONE: Final = "This model cannot be reached now."
_NO_PRICE: Final = "Nobody knows what this model costs."
_DAY: Final = timedelta(days=1)
# Longer than any part of a reply takes; afterwards the reservation of a killed service expires.
_LONGEST_REPLY: Final = timedelta(minutes=20)
# Replies under way end in about that time.
_SOON_S: Final = 15
# What an answer may have where the operator says nothing.
_ANSWER_TOKENS: Final = 4096
_FREE: Final = TokenPrice(0, 0)
_MOST_INSTRUCTIONS_CHARS: Final = 16_000


class ModelDescriber(Protocol):
    """Describes given models, without a search for others. One for the life of the service."""

    async def describe(self, ids: Iterable[str]) -> tuple[ModelDescription, ...]:
        """Describe the default model, and then those with these ids that can be read."""


@dataclass(frozen=True)
class Reserved:
    """What is reserved for a reply, and at which price.

    Attributes:
        asked: The tokens of its question, as they were estimated.
        answered: The tokens that its answer may have, as far as was known.
    """

    id: str
    asked: int
    answered: int
    price: TokenPrice


@dataclass(frozen=True)
class ProjectAllowance:
    """What the users of one project may choose.

    Attributes:
        models: The models to choose from; None if none may be chosen.
        max_output_tokens: Limit of one answer; None for no limit by the project.
        is_limited: Earlier choices have to be checked against the project's permit.
        reserved: The part of the project's daily budget that is reserved for the reply.
    """

    models: ModelChoices | None = None
    has_settings: bool = False
    has_titles: bool = False
    max_output_tokens: int | None = None
    is_limited: bool = True
    reserved: "Reserved | None" = None

    @property
    def extensions(self) -> tuple[Extension, ...]:
        """The extensions that come with it."""
        models: tuple[Extension, ...] = () if self.models is None else ("models",)
        settings: tuple[Extension, ...] = ("settings",) if self.has_settings else ()
        return (*models, *settings, *(("title",) if self.has_titles else ()))

    async def limit(self, choices: ChatChoices) -> ChatChoices:
        """Return the choices of a conversation as far as they are permitted."""
        if not self.is_limited:
            return choices
        kept = choices if self.has_settings else DEFAULT_CHOICES
        chosen, most = kept.settings.max_output_tokens, self.max_output_tokens
        length = min(filter(None, (chosen, most)), default=None)
        model = choices.model
        if model is not None and (self.models is None or not await self.models.has(model)):
            model = None
        return replace(kept, model=model, settings=replace(kept.settings, max_output_tokens=length))


class Allowances(Protocol):
    """The allowances of all users. One for the life of the application."""

    async def of(self, owner: Owner) -> ProjectAllowance:
        """Find what a user may choose."""

    async def admit(self, owner: Owner, asked: int) -> ProjectAllowance:
        """Find what a user may choose for a reply, and reserve the tokens that it may use.

        The caller calls `count` at the end of the reply, or `release` if there is no reply.

        Args:
            owner: The user.
            asked: About how many tokens the request has.

        Raises:
            CeilingReachedError: When the project used up what it may use in a day, or replies
                under way may do so.
        """

    async def reserve(self, allowance: ProjectAllowance, asked: int, answered: int | None) -> None:
        """Reserve more, once the whole question is known, with its history and settings.

        Args:
            allowance: The allowance with which the reply was admitted.
            asked: The estimated tokens of the question.
            answered: The limit of tokens of the answer; None if none was set.
        """

    async def release(self, owner: Owner, allowance: ProjectAllowance) -> None:
        """Reserve nothing any more."""

    async def count(
        self,
        owner: Owner,
        allowance: ProjectAllowance,
        model: str | None,
        answers: Sequence[AnswerUsage],
        cut: TokenUsage,
    ) -> None:
        """Count what a stream used, instead of what was reserved for it.

        Args:
            owner: The owner of the stream.
            allowance: The allowance with which it was admitted.
            model: The id of the model that was chosen for the chat, if any.
            answers: The usage of its answers.
            cut: The estimated usage of an answer that was stopped.
        """


class EveryAllowance:
    """Lets everybody choose everything: the user is the operator (child mode)."""

    def __init__(self, models: ModelChoices) -> None:
        self._live = ProjectAllowance(models, has_settings=True, has_titles=True, is_limited=False)
        self._test = replace(self._live, models=PermittedModels(None, ()))

    async def of(self, owner: Owner) -> ProjectAllowance:
        """Return everything; test keys have the demo alone."""
        return self._test if owner.mode == "test" else self._live

    async def admit(self, owner: Owner, asked: int) -> ProjectAllowance:
        """Accept every caller."""
        del asked
        return await self.of(owner)

    async def reserve(self, allowance: ProjectAllowance, asked: int, answered: int | None) -> None:
        """Reserve nothing."""

    async def release(self, owner: Owner, allowance: ProjectAllowance) -> None:
        """Do nothing: nothing is reserved."""

    async def count(
        self,
        owner: Owner,
        allowance: ProjectAllowance,
        model: str | None,
        answers: Sequence[AnswerUsage],
        cut: TokenUsage,
    ) -> None:
        """Count nothing."""


class PermittedAllowances:
    """Lets users choose what the operator has allowed their project, by default nothing."""

    def __init__(self, permits: Permits, describer: ModelDescriber | None, clock: Clock) -> None:
        """Make it; without a `describer` nobody may choose a model."""
        self._permits = permits
        self._describer = describer
        self._clock = clock

    async def of(self, owner: Owner) -> ProjectAllowance:
        """Find what a user may choose; test keys have the demo alone."""
        permit = await self._permits.get(owner.project)
        return ProjectAllowance() if permit is None else self._allowance(owner, permit)

    async def admit(self, owner: Owner, asked: int) -> ProjectAllowance:
        """Find what a user may choose if the daily budget (UTC) of the project is not used up.

        Raises:
            CeilingReachedError: When it has not.
        """
        permit = await self._permits.get(owner.project)
        if permit is None:
            return ProjectAllowance()
        if owner.mode == "test" or not permit.has_ceiling:
            return self._allowance(owner, permit)
        now = self._clock()
        price = await self._highest_price(permit)
        answered = permit.max_output_tokens or _ANSWER_TOKENS
        wanted = _used(price, asked, answered)
        reservation = await self._permits.reserve(owner.project, now, now + _LONGEST_REPLY, wanted)
        if reservation.refused == "reserved":
            raise CeilingReachedError(_SOON_S, is_reserved=True)
        if reservation.refused is not None:
            midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + _DAY
            raise CeilingReachedError(int((midnight - now).total_seconds()) + 1)
        if reservation.permit is None:
            return ProjectAllowance()
        allowance = self._allowance(owner, reservation.permit)
        return replace(allowance, reserved=Reserved(reservation.id, asked, answered, price))

    async def reserve(self, allowance: ProjectAllowance, asked: int, answered: int | None) -> None:
        """Reserve more, once it is known what is asked with its history and settings."""
        reserved = allowance.reserved
        if reserved is None or not reserved.id:
            return
        more_asked = max(0, asked - reserved.asked)
        more_answered = max(0, (answered or 0) - reserved.answered)
        if more_asked or more_answered:
            more = _used(reserved.price, more_asked, more_answered)
            await self._permits.reserve_more(reserved.id, more)

    async def release(self, owner: Owner, allowance: ProjectAllowance) -> None:
        """Reserve nothing any more; what cannot be released ends by itself."""
        await self._settle(owner, allowance, Spent())

    async def count(
        self,
        owner: Owner,
        allowance: ProjectAllowance,
        model: str | None,
        answers: Sequence[AnswerUsage],
        cut: TokenUsage,
    ) -> None:
        """Add a stream's usage to that of the project's day, if the project has a ceiling."""
        permit = await self._permits.get(owner.project)
        if permit is None or owner.mode == "test" or not permit.has_ceiling:
            await self.release(owner, allowance)
            return
        known = [answer.tokens for answer in answers if answer.tokens is not None]
        tokens = sum(used.input + used.output for used in (*known, cut))
        micro_usd = round(sum(answer.cost_usd or 0 for answer in answers) * 1_000_000)
        if permit.micro_usd_per_day is not None and tokens and (cut.input or cut.output):
            micro_usd += await self._cost_of(model, cut)
        await self._settle(owner, allowance, Spent(tokens, micro_usd))

    async def _settle(self, owner: Owner, allowance: ProjectAllowance, used: Spent) -> None:
        id_ = allowance.reserved.id if allowance.reserved is not None else ""
        if not id_ and used == Spent():
            return
        try:
            await self._permits.settle(id_, owner.project, self._clock().date(), used)
        except StoreUnavailableError as exc:
            log.warning("the usage of a stream is not counted: %s", exc)

    async def _highest_price(self, permit: Permit) -> TokenPrice:
        """Return the highest price of the project's models, if the project has a ceiling in USD."""
        if permit.micro_usd_per_day is None or self._describer is None:
            return _FREE
        described = await self._describer.describe(permit.models)
        prices = [model.price for model in described if model.price is not None]
        return max(prices, key=lambda price: price.output, default=_FREE)

    def _allowance(self, owner: Owner, permit: Permit) -> ProjectAllowance:
        describer = None if owner.mode == "test" else self._describer
        has_models = bool(permit.models) and self._describer is not None
        models = PermittedModels(
            describer, permit.models, needs_price=permit.micro_usd_per_day is not None
        )
        return ProjectAllowance(
            models if has_models else None,
            permit.has_settings,
            permit.has_titles,
            permit.max_output_tokens,
        )

    async def _cost_of(self, model: str | None, cut: TokenUsage) -> int:
        """Return about what tokens cost, in millionths of a USD: as many as of a million each."""
        if self._describer is None:
            return 0
        described = await self._describer.describe(() if model is None else (model,))
        price = next((one.price for one in described if one.id == model or model is None), None)
        return 0 if price is None else round(price.input * cut.input + price.output * cut.output)


def _used(price: TokenPrice, asked: int, answered: int) -> Spent:
    # A price of a million tokens in USD is one of a token in millionths.
    micro_usd = math.ceil(price.input * asked + price.output * answered)
    return Spent(asked + answered, micro_usd)


class PermittedModels:
    """The models that a project may choose. Made for one request.

    Ids that name an address or a file are hidden from clients behind others.
    """

    def __init__(
        self, describer: ModelDescriber | None, ids: tuple[str, ...], *, needs_price: bool = False
    ) -> None:
        """Make it; without a `describer` there is the demo alone.

        With `needs_price` nobody may choose a model whose price is not known.
        """
        self._describer = describer
        self._ids = ids
        self._needs_price = needs_price

    async def list_models(self) -> tuple[ModelDescription, ...]:
        """Return the models, the default first."""
        return tuple(map(self._shown, await self._described(self._ids)))

    async def find(self, model: str) -> str | None:
        """Return the id behind one that is listed; None where it is not, or has no price."""
        permitted = next((one for one in self._ids if _public(one) == model), None)
        if permitted is not None and self._describer is not None:
            return permitted if await self.has(permitted) else None
        default = (await self._described(()))[0].id
        return default if _public(default) == model else None

    async def has(self, model: str) -> bool:
        """Return whether this is the id behind a listed model."""
        if model not in self._ids or self._describer is None:
            return (await self._described(()))[0].id == model
        described = await self._described((model,)) if self._needs_price else ()
        return all(self._has_price(one) for one in described)

    def listed_id(self, model: str) -> str | None:
        """Return the id that clients see; None for a model that the project was not permitted."""
        return _public(model) if model in self._ids else None

    async def _described(self, ids: Iterable[str]) -> tuple[ModelDescription, ...]:
        return (_DEMO,) if self._describer is None else await self._describer.describe(ids)

    def _has_price(self, model: ModelDescription) -> bool:
        return model.price is not None or model.is_default or not self._needs_price

    def _shown(self, model: ModelDescription) -> ModelDescription:
        """Hide what is the operator's own business: addresses, files, missing keys."""
        id_ = _public(model.id)
        provider = model.provider if id_ == model.id else _OWN
        shown = replace(model, id=id_, provider=provider, reason=_GONE if model.reason else None)
        if self._has_price(model):
            return shown
        return replace(shown, state="unavailable", reason=_NO_PRICE)


def _public(model: str) -> str:
    if "://" not in model and not model.startswith("file:"):
        return model
    return f"model-{hashlib.sha256(model.encode()).hexdigest()[:_PUBLIC_CHARS]}"


async def read_changes(request: ChatRequest, allowance: ProjectAllowance) -> ChoiceChanges:
    """Read what a message changes; null goes back to the default (our choice).

    Args:
        request: The message.
        allowance: What its user may choose.

    Raises:
        InvalidRequestError: When a field has another type, or is out of range.
        ModelNotListedError: When the model is not one of those that are listed.
    """
    given = request.model_fields_set
    changes = NO_CHANGES
    if "model" in given and allowance.models is not None:
        changes = replace(changes, model=await _model(request.model, allowance.models))
    if "settings" in given and allowance.has_settings:
        changes = replace(changes, settings=_settings(request.settings))
    if "instructions" in given and allowance.has_settings:
        changes = replace(changes, instructions=_instructions(request.instructions))
    return changes


async def _model(model: Any, models: ModelChoices) -> str | None:
    if model is None:
        return None
    if not isinstance(model, str):
        raise InvalidRequestError("The field “model” is not a text.")
    found = await models.find(model)
    if found is None:
        raise ModelNotListedError
    return found


def _settings(settings: Any) -> ReplySettings:
    try:
        read = SettingsBody.model_validate({} if settings is None else settings)
    except ValidationError as exc:
        raise InvalidRequestError(
            f"The field “settings” does not fit: {explain(exc.errors())}."
        ) from exc
    return ReplySettings(read.temperature, read.max_output_tokens, read.thinking)


def _instructions(instructions: Any) -> str:
    if instructions is None:
        return ""
    if not isinstance(instructions, str):
        raise InvalidRequestError("The field “instructions” is not a text.")
    if len(instructions) > _MOST_INSTRUCTIONS_CHARS:
        raise InvalidRequestError(
            f"The instructions of a chat have at most {_MOST_INSTRUCTIONS_CHARS:,} characters; "
            f"these have {len(instructions):,}."
        )
    return instructions.strip()
