"""Which models the bundled service can use on this computer: asked of the service's own program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from app.service.command import models_command
from app.service.question import ask

_OFFLINE = "offline"
# What the service calls the programs that it finds, and what they call themselves.
_SERVERS = {
    "ollama": "Ollama",
    "lm-studio": "LM Studio",
    "llama-cpp": "llama.cpp",
    "vllm": "vLLM",
    "jan": "Jan",
}


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that can be chosen; `model_id` is what the service is told.

    `server` names the program that it was found in ("Ollama").
    """

    model_id: str
    name: str
    server: str


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    name: str
    provider: str = ""


class _Models(BaseModel):
    model_config = ConfigDict(extra="ignore")

    models: list[_Model]


async def find_models(
    environ: dict[str, str], command: Callable[[], Sequence[str]] = models_command
) -> tuple[FoundModel, ...]:
    """Asks which models run here; nothing when the program does not say within 15 s.

    The built-in assistant is none of them. `environ` is ours: of it, the program sees what the
    service sees.
    """
    try:
        return _read((await ask(command(), environ)).output)
    except TimeoutError:
        return ()


def _read(output: bytes) -> tuple[FoundModel, ...]:
    try:
        told = _Models.model_validate_json(output)
    except ValidationError:
        return ()
    return tuple(
        FoundModel(model.id, model.name, _SERVERS.get(model.provider, model.provider))
        for model in told.models
        if model.id != _OFFLINE
    )
