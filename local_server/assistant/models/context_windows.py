"""How many tokens a model takes, question and answer together, and what they cost.

What the user says counts, then what the server says of the model, then the list of models that
comes with genai-prices; what is left gets a careful guess, since a question that is too long is
refused, or worse, cut without a word.
"""

import asyncio
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from local_server.assistant.models.answer import ContextWindow
from local_server.assistant.models.providers import Endpoint, ModelId, price_list_id
from local_server.assistant.reply import TokenPrice, TokenUsage
from local_server.loopback import ask_for_object, is_loopback, new_client
from local_server.settings import utc_now

CAREFUL: Final = ContextWindow(8192, is_assumed=True)
# The least that providers sell today; newer models than the list take more.
_HOSTED: Final = ContextWindow(128_000, is_assumed=True)
_ASK_TIMEOUT_S: Final = 3
# A larger value is not believed.
_LARGEST: Final = 100_000_000
# The `owned_by` of vLLM, llama.cpp, Ollama and LM Studio for models that they run themselves.
OWNERS_HERE: Final = frozenset({"vllm", "llamacpp", "library", "organization_owner"})
# Names of the window in OpenAI-compatible servers, that of the loaded model before the maximum.
_FIELDS: Final = (
    "max_model_len",
    "loaded_context_length",
    "n_ctx",
    "context_window",
    "context_length",
    "max_context_length",
)


def is_window(value: object) -> bool:
    """Return whether what a server says can be a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST


@dataclass(frozen=True)
class KnownModel:
    """What genai-prices knows about a provider's model; None means unknown.

    Attributes:
        name: What people call it.
        window: How many tokens it takes, question and answer together.
        price: What it costs at this moment; of several prices the one for short questions.
    """

    name: str | None
    window: int | None
    price: TokenPrice | None


def known_model(model_id: ModelId) -> KnownModel | None:
    """Look up a model of a provider by its name; takes half a second the first time."""
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - heavy

    provider = price_list_id(model_id.provider)
    try:
        _, found = get_snapshot().find_provider_model(model_id.name, None, provider, None)
    except LookupError:
        return None
    prices = found.get_prices(utc_now())
    price_in, price_out = _usd(prices.input_mtok), _usd(prices.output_mtok)
    price = None
    if price_in is not None and price_out is not None:
        price = TokenPrice(price_in, price_out, _usd(prices.cache_read_mtok))
    return KnownModel(found.name, found.context_window, price)


def _usd(value: Any) -> float | None:
    price = getattr(value, "base", value)
    return float(price) if isinstance(price, Decimal | float | int) else None


def known_window(model_id: ModelId) -> ContextWindow:
    """Look up how many tokens a provider's model takes; what is not known gets a usual number."""
    model = known_model(model_id)
    return ContextWindow(model.window) if model and model.window else _HOSTED


async def listed_cost_usd(
    model_id: ModelId, endpoint: Endpoint, tokens: TokenUsage, *, runs_here: bool = False
) -> float | None:
    """Look up what an answer costs: nothing where the model `runs_here`, on this computer.

    None if the price is unknown. That includes compatible servers, even on this computer: they may
    be gateways to other providers.
    """
    is_here = is_loopback(endpoint.address)
    if is_here and runs_here:
        return 0.0
    if is_here or model_id.address is not None or model_id.provider == "ollama":
        return None
    return await asyncio.to_thread(_listed_cost_usd, model_id, tokens)


def _is_of_cloud(ollama_name: str) -> bool:
    """Return whether Ollama passes questions for a model on to its own servers."""
    return ollama_name.endswith((":cloud", "-cloud"))


async def runs_here(model_id: ModelId, endpoint: Endpoint) -> bool:
    """Ask a server on this computer whether it runs a model itself."""
    if not is_loopback(endpoint.address):
        return False
    if model_id.provider == "ollama":
        return not _is_of_cloud(model_id.name)
    root = "{0.scheme}://{0.netloc}".format(urlsplit(endpoint.address))
    async with new_client(endpoint.address) as client:
        listed = await _get(client, f"{endpoint.address}/models", endpoint)
        owners = [row.get("owned_by") for row in _rows_named(listed, model_id.name)]
        if any(owner in OWNERS_HERE for owner in owners):
            return not _is_of_cloud(model_id.name)
        props = await _get(client, f"{root}/props", endpoint)
    return "default_generation_settings" in props


def _listed_cost_usd(model_id: ModelId, tokens: TokenUsage) -> float | None:
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - heavy

    used = Usage(
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cache_read_tokens=tokens.cached,
        cache_write_tokens=tokens.cache_write,
    )
    provider = price_list_id(model_id.provider)
    try:
        return float(calc_price(used, model_id.name, provider_id=provider).total_price)
    except (LookupError, ValueError):
        # Unknown to the list, or counts that cannot be: more cached tokens than there are.
        return None


async def find_window(model_id: ModelId, endpoint: Endpoint) -> ContextWindow | None:
    """Ask an OpenAI-compatible server for the window of a model; None if it does not say.

    For a provider's own server that does not say, the list of genai-prices is used.
    """
    is_alike = model_id.provider == "openai"
    root = "{0.scheme}://{0.netloc}".format(urlsplit(endpoint.address))
    async with new_client(endpoint.address) as client:
        # The general way (vLLM, gateways), llama.cpp's, LM Studio's.
        found = _of_rows(await _get(client, f"{endpoint.address}/models", endpoint), model_id.name)
        if found is None and is_alike:
            props = await _get(client, f"{root}/props", endpoint)
            found = _number(props.get("default_generation_settings"))
        if found is None and is_alike:
            shown = await _get(client, f"{root}/api/v0/models", endpoint)
            found = _of_rows(shown, model_id.name)
    if found is None and not is_alike:
        return await asyncio.to_thread(known_window, model_id)
    return None if found is None else ContextWindow(found)


def _of_rows(listed: dict[str, Any], name: str) -> int | None:
    """Find the model's row; a server that has one model alone answers to any name."""
    return next(map(window_of_row, _rows_named(listed, name)), None)


def _rows_named(listed: dict[str, Any], name: str) -> list[dict[str, Any]]:
    data = listed.get("data")
    rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
    return [row for row in rows if row.get("id") == name] or (rows if len(rows) == 1 else [])


def window_of_row(row: dict[str, Any]) -> int | None:
    """Find the window in a row of a list of models; None if it is not there."""
    # llama.cpp's server says it in a part of the row.
    return _number(row) or _number(row.get("meta"))


def _number(row: Any) -> int | None:
    # A model that is not loaded yet may be loaded with less than it can take.
    is_row = isinstance(row, dict) and row.get("state") != "not-loaded"
    values = [row.get(field) for field in _FIELDS] if is_row else []
    numbers: list[int] = [value for value in values if is_window(value)]
    return numbers[0] if numbers else None


async def _get(client: httpx2.AsyncClient, url: str, endpoint: Endpoint) -> dict[str, Any]:
    key = endpoint.key
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    request = client.build_request("GET", url, headers=headers)
    return await ask_for_object(client, request, _ASK_TIMEOUT_S)
