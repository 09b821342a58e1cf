"""From the name of a model to the assistant that answers with it."""

import os
from typing import Final

from local_server.assistant.assistants import Assistants
from local_server.assistant.models.access import Access
from local_server.assistant.models.answer import Upstream
from local_server.assistant.models.late import LateUpstream
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.model_id import ModelId, UnknownModelError
from local_server.assistant.offline import OfflineAssistant
from local_server.assistant.reply import Assistant

__all__ = ["OFFLINE", "OLLAMA", "UnknownModelError", "choose_assistant", "choose_assistants"]

OFFLINE: Final = "offline"
OLLAMA: Final = "ollama"


def choose_assistants(model: str, pace_s: float) -> Assistants:
    """Find the assistants of a run, of which a model answers live keys.

    Raises:
        UnknownModelError: When there is no such model.
    """
    return Assistants(choose_assistant(model, pace_s), OfflineAssistant(pace_s))


def choose_assistant(model: str, pace_s: float) -> Assistant:
    """Find the assistant for `offline` or a model's id.

    Raises:
        UnknownModelError: When there is none.
    """
    if model == OFFLINE:
        return OfflineAssistant(pace_s)
    model_id = ModelId.read(model)
    if model_id.provider == OLLAMA:
        # Brings an HTTP client along, which would slow every other start.
        from local_server.assistant.ollama import OllamaAssistant  # noqa: PLC0415 - heavy

        return OllamaAssistant(model_id.name)
    door = Access.of_environment(os.environ).door(model_id)

    def make() -> Upstream:
        from local_server.assistant.models.sdk_upstream import SdkUpstream  # noqa: PLC0415 - heavy

        return SdkUpstream(model_id, door, 8192)

    return ModelAssistant(LateUpstream(str(model_id), make))
