"""Which model servers run on this machine. Only loopback is asked, and no key is ever sent."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import httpx

_TIMEOUT_S: Final = 0.3


@dataclass(frozen=True)
class Found:
    """A model server that answered, with its models by name."""

    provider: str
    models: tuple[str, ...]


async def find_model_servers(
    ollama: str = "http://127.0.0.1:11434", lm_studio: str = "http://127.0.0.1:1234"
) -> tuple[Found, ...]:
    """Ask all at once, each for a third of a second at most."""
    async with httpx.AsyncClient(trust_env=False, timeout=_TIMEOUT_S) as client:
        asked = [_ask_ollama(client, ollama), _ask_lm_studio(client, lm_studio)]
        return tuple(found for found in await asyncio.gather(*asked) if found is not None)


def report(found: tuple[Found, ...]) -> dict[str, object]:
    """Say what can be chosen, and what was found but cannot be yet."""
    offline = {"id": "offline", "provider": "offline", "name": "Built-in assistant"}
    rows = [
        {"provider": server.provider, "models": list(server.models), "usable": False}
        for server in found
    ]
    return {"models": [offline], "found": rows}


async def _ask_ollama(client: httpx.AsyncClient, address: str) -> Found | None:
    version = await _get(client, f"{address}/api/version")
    if not isinstance(version.get("version"), str):
        return None
    tags = await _get(client, f"{address}/api/tags")
    return Found("ollama", _names(tags.get("models"), "name"))


async def _ask_lm_studio(client: httpx.AsyncClient, address: str) -> Found | None:
    answer = await _get(client, f"{address}/api/v1/models")
    models = answer.get("models")
    return Found("lm-studio", _names(models, "key")) if isinstance(models, list) else None


async def _get(client: httpx.AsyncClient, url: str) -> dict[str, Any]:
    """Read a JSON object; anything else, or nobody there, is an empty one."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            response = await client.get(url)
        body = response.json() if response.status_code == httpx.codes.OK else None
    except (httpx.HTTPError, TimeoutError, ValueError):
        return {}
    return body if isinstance(body, dict) else {}


def _names(models: object, field: str) -> tuple[str, ...]:
    rows = models if isinstance(models, list) else []
    names = [row.get(field) for row in rows if isinstance(row, dict)]
    return tuple(sorted(name for name in names if isinstance(name, str)))
