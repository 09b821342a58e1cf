"""How many tokens a model takes, question and answer together.

What the user says counts, then what the server says of the model, then this table of the
providers' own, by the beginning of the name; what is left gets a careful guess, since a question
that is too long is refused, or worse, cut without a word.
"""

from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from local_server.assistant.models.access import Door
from local_server.assistant.models.model_id import ModelId, Provider
from local_server.loopback import ask_for_object, new_client

CAREFUL: Final = 8192
_ASK_TIMEOUT_S: Final = 3
# What says more says nothing.
_LARGEST: Final = 100_000_000
# The longest beginning wins; "" is the provider's other models.
_KNOWN: Final[dict[Provider, dict[str, int]]] = {
    "openai": {
        "gpt-5": 400_000,
        "gpt-4.1": 1_000_000,
        "gpt-4o": 128_000,
        "gpt-4-turbo": 128_000,
        "gpt-4": 8_192,
        "gpt-3.5": 16_385,
        "o1": 200_000,
        "o3": 200_000,
        "o4": 200_000,
        "": 128_000,
    },
    "anthropic": {"": 200_000},
    "google": {"gemma": 8_192, "gemini": 1_000_000, "": 32_000},
    "ollama": {},
}
# What servers that speak like OpenAI's call it, the loaded one before the possible one.
_FIELDS: Final = (
    "max_model_len",
    "loaded_context_length",
    "n_ctx",
    "context_window",
    "context_length",
    "max_context_length",
)


def is_window(value: object) -> bool:
    """Tell whether what a server says can be a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST


def known_window(model_id: ModelId) -> int:
    """Look a model up among the providers' own."""
    table = _KNOWN[model_id.provider]
    fitting = [start for start in table if model_id.name.startswith(start)]
    return table[max(fitting, key=len)] if fitting else CAREFUL


async def find_window(model_id: ModelId, door: Door) -> int | None:
    """Ask a server that speaks like a provider for the window of a model; None is not said."""
    if door.is_home or model_id.provider != "openai":
        return known_window(model_id)
    root = "{0.scheme}://{0.netloc}".format(urlsplit(door.address))
    async with new_client(door.address) as client:
        # The general way (vLLM, gateways), llama.cpp's, LM Studio's.
        listed = await _get(client, f"{door.address}/models", door)
        found = _of_rows(listed, model_id.name)
        if found is None:
            props = await _get(client, f"{root}/props", door)
            found = _number(props.get("default_generation_settings"))
        if found is None:
            shown = await _get(client, f"{root}/api/v0/models", door)
            found = _of_rows(shown, model_id.name)
    return found


def _of_rows(listed: dict[str, Any], name: str) -> int | None:
    """Find the model's row; a server that has one model alone answers to any name."""
    data = listed.get("data")
    rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
    named = [row for row in rows if row.get("id") == name] or (rows if len(rows) == 1 else [])
    # llama.cpp's server says it in a part of the row.
    return next((_number(row) or _number(row.get("meta")) for row in named), None)


def _number(row: Any) -> int | None:
    # A model that is not loaded yet may be loaded with less than it can take.
    is_row = isinstance(row, dict) and row.get("state") != "not-loaded"
    values = [row.get(field) for field in _FIELDS] if is_row else []
    numbers: list[int] = [value for value in values if is_window(value)]
    return numbers[0] if numbers else None


async def _get(client: httpx2.AsyncClient, url: str, door: Door) -> dict[str, Any]:
    key = door.key
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    request = client.build_request("GET", url, headers=headers)
    return await ask_for_object(client, request, _ASK_TIMEOUT_S)
