"""From the name of a model to the assistant that answers with it."""

from typing import Final

from local_server.assistant.assistants import Assistants
from local_server.assistant.offline import OfflineAssistant
from local_server.assistant.reply import Assistant

OFFLINE: Final = "offline"
OLLAMA: Final = "ollama"


class UnknownModelError(Exception):
    """Nothing here answers by this name; the message is for the user."""


def choose_assistants(model: str, pace_s: float) -> Assistants:
    """Find the assistants of a run, of which a model answers live keys.

    Raises:
        UnknownModelError: When there is no such model.
    """
    return Assistants(choose_assistant(model, pace_s), OfflineAssistant(pace_s))


def choose_assistant(model: str, pace_s: float) -> Assistant:
    """Find the assistant for `offline` or `ollama:NAME`.

    Raises:
        UnknownModelError: When there is none.
    """
    provider, _, name = model.partition(":")
    if model == OFFLINE:
        return OfflineAssistant(pace_s)
    if provider == OLLAMA and name:
        # Brings an HTTP client along, which would slow every other start.
        from local_server.assistant.ollama import OllamaAssistant  # noqa: PLC0415 - heavy

        return OllamaAssistant(name)
    raise UnknownModelError(f"There is no model “{model[:80]}” here; “{OFFLINE}” is.")
