"""From what the user chose to the assistants of a run."""

from collections.abc import Callable
from dataclasses import dataclass

from local_server.assistant.assistants import Assistants
from local_server.assistant.demo import DemoAssistant
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.model_id import ModelId, UnknownModelError
from local_server.assistant.models.providers import ProviderAccess
from local_server.assistant.models.routed_assistant import OFFLINE, RoutedAssistant
from local_server.assistant.models.upstreams import ModelPlan, Upstreams


@dataclass(frozen=True)
class ModelChoice:
    """What the user chose.

    Attributes:
        model: `offline`, a model's id, or None: then only agents that name a model have one.
        fallbacks: The ids of the models that stand in for it, in order.
        window: How many tokens the models take; None leaves it to each.
    """

    model: str | None = None
    fallbacks: tuple[str, ...] = ()
    window: int | None = None


@dataclass(frozen=True)
class Chosen:
    """The assistants of a run.

    Attributes:
        warm_up: Begins to load what the first answer needs; to be called in the loop.
    """

    assistants: Assistants
    warm_up: Callable[[], None]


def choose_assistants(choice: ModelChoice, access: ProviderAccess, pace_s: float) -> Chosen:
    """Find the assistants of a run, of which models answer live keys.

    `offline` by name means that nothing leaves this program: no agent's model changes that.

    Raises:
        UnknownModelError: When a model that was chosen cannot be used.
    """
    built_in = DemoAssistant(pace_s)
    plan = ModelPlan(_models(choice), choice.window)
    if choice.model == OFFLINE:
        return Chosen(Assistants(built_in, built_in), _nothing)
    upstreams = Upstreams(plan, access)
    models = ModelAssistant(upstreams.chain_of)
    live = RoutedAssistant(built_in, models, upstreams, chooses=bool(plan.models))
    return Chosen(Assistants(live, built_in), upstreams.warm_up)


def _models(choice: ModelChoice) -> tuple[ModelId, ...]:
    has_model = choice.model not in {None, OFFLINE}
    if choice.fallbacks and not has_model:
        raise UnknownModelError("A fallback model needs a model that it stands in for: --model.")
    if OFFLINE in choice.fallbacks:
        raise UnknownModelError("The built-in assistant cannot stand in for a model.")
    first = (choice.model,) if choice.model is not None and has_model else ()
    return tuple(dict.fromkeys(ModelId.read(text) for text in (*first, *choice.fallbacks)))


def _nothing() -> None:
    """Load nothing: the built-in assistant is there already."""
