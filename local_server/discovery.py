"""Which model servers run on this machine. Only loopback is asked, and no key is ever sent."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import httpx

from local_server.assistant.choice import OFFLINE, OLLAMA
from local_server.json_text import JsonTextError, parse_json
from local_server.loopback import OLLAMA_ADDRESS, loopback_client

_LM_STUDIO_ADDRESS: Final = "http://127.0.0.1:1234"
_TIMEOUT_S: Final = 0.3


@dataclass(frozen=True)
class Found:
    """A model server that answered.

    Attributes:
        models: The names of those of its models that can hold a conversation.
        is_usable: Whether the service can let these models answer.
    """

    provider: str
    models: tuple[str, ...]
    is_usable: bool


async def find_model_servers(
    ollama: str = OLLAMA_ADDRESS, lm_studio: str = _LM_STUDIO_ADDRESS
) -> tuple[Found, ...]:
    """Ask all at once, for a third of a second each question."""
    async with loopback_client(httpx.Timeout(_TIMEOUT_S)) as client:
        asked = [_ask_ollama(client, ollama), _ask_lm_studio(client, lm_studio)]
        return tuple(found for found in await asyncio.gather(*asked) if found is not None)


def report(found: tuple[Found, ...]) -> dict[str, list[dict[str, object]]]:
    """Say which models can be chosen, and what was found, usable or not."""
    models = [_choice(OFFLINE, OFFLINE, "Built-in assistant")]
    models += [
        _choice(f"{server.provider}:{name}", server.provider, name)
        for server in found
        if server.is_usable
        for name in server.models
    ]
    return {"models": models, "found": [_row(server) for server in found]}


def _choice(model_id: str, provider: str, name: str) -> dict[str, object]:
    return {"id": model_id, "provider": provider, "name": name}


def _row(server: Found) -> dict[str, object]:
    is_usable = server.is_usable and bool(server.models)
    return {"provider": server.provider, "models": list(server.models), "usable": is_usable}


async def _ask_ollama(client: httpx.AsyncClient, address: str) -> Found | None:
    version = await _ask(client, "GET", f"{address}/api/version")
    if not isinstance(version.get("version"), str):
        return None
    tags = await _ask(client, "GET", f"{address}/api/tags")
    names = _names(tags.get("models"), "name")
    can_chat = await asyncio.gather(*(_can_chat(client, address, name) for name in names))
    chatting = tuple(name for name, can in zip(names, can_chat, strict=True) if can)
    return Found(OLLAMA, chatting, is_usable=True)


async def _can_chat(client: httpx.AsyncClient, address: str, name: str) -> bool:
    """Tell a model for conversations from one for embeddings; an old Ollama does not say."""
    shown = await _ask(client, "POST", f"{address}/api/show", {"model": name})
    capabilities = shown.get("capabilities")
    return not isinstance(capabilities, list) or "completion" in capabilities


async def _ask_lm_studio(client: httpx.AsyncClient, address: str) -> Found | None:
    answer = await _ask(client, "GET", f"{address}/api/v1/models")
    models = answer.get("models")
    if not isinstance(models, list):
        return None
    return Found("lm-studio", _names(models, "key"), is_usable=False)


async def _ask(
    client: httpx.AsyncClient, method: str, url: str, body: dict[str, str] | None = None
) -> dict[str, Any]:
    """Get a JSON object; anything else, or nobody there, is an empty one."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            response = await client.request(method, url, json=body)
        answer = parse_json(response.content) if response.status_code == httpx.codes.OK else None
    except (httpx.HTTPError, TimeoutError, JsonTextError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _names(models: object, field: str) -> tuple[str, ...]:
    rows = models if isinstance(models, list) else []
    names = [row.get(field) for row in rows if isinstance(row, dict)]
    return tuple(sorted(name for name in names if isinstance(name, str)))
