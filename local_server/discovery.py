"""Find the models that can answer: servers on this machine, and providers with a key.

Only loopback addresses are asked, without a key: any program may listen on a server's usual port,
so each server is first recognised by an answer that only it gives.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import httpx2

from local_server.assistant.models.abilities import Told, told_by_ollama, told_by_row
from local_server.assistant.models.providers import (
    OFFLINE,
    OLLAMA_ADDRESS,
    ModelId,
    ProviderAccess,
)
from local_server.engine.library import LibraryFile, ModelLibrary
from local_server.engine.memory import fits
from local_server.loopback import ask_for_object, is_loopback, new_client

_TIMEOUT_S: Final = 0.3
# Bounds the requests, one for each model: any program may listen there and name any number.
_MOST_ASKED: Final = 200

Json = dict[str, Any]


@dataclass(frozen=True)
class DiscoveredModels:
    """A model server that answered.

    Attributes:
        models: Those of its models that can hold a conversation.
        told: What it says of them.
    """

    provider: str
    address: str
    models: tuple[ModelId, ...]
    told: Mapping[ModelId, Told] = field(default_factory=dict)


@dataclass(frozen=True)
class DiscoveryTargets:
    """Where servers usually are, without a slash at the end."""

    ollama: str = OLLAMA_ADDRESS
    lm_studio: str = "http://127.0.0.1:1234"
    llama_cpp: str = "http://127.0.0.1:8080"
    vllm: str = "http://127.0.0.1:8000"
    jan: str = "http://127.0.0.1:1337"


@dataclass(frozen=True)
class DiscoveryReport:
    """All that was found.

    Attributes:
        servers: The model servers that run here.
        keyed: The providers elsewhere for which there is a key. They are not asked.
        files: The model files on this computer, but for those of servers that run here.
    """

    servers: tuple[DiscoveredModels, ...] = ()
    keyed: tuple[str, ...] = field(default=())
    files: tuple[LibraryFile, ...] = ()

    def as_json(self) -> Json:
        """List the models that can be chosen, and what was found, usable or not."""
        models: list[Json] = [{"id": OFFLINE, "provider": OFFLINE, "name": "Demo"}]
        models += [
            {"id": str(model), "provider": server.provider, "name": model.name}
            for server in self.servers
            for model in server.models
        ]
        models += map(file_as_json, self.files)
        found: list[Json] = [
            {
                "provider": server.provider,
                "address": server.address,
                "models": [model.name for model in server.models],
                "usable": bool(server.models),
            }
            for server in self.servers
        ]
        found += [
            {"provider": name, "address": None, "models": [], "usable": True} for name in self.keyed
        ]
        return {"models": models, "found": found}


def file_as_json(file: LibraryFile) -> Json:
    """Describe a model file as one of the models that can be chosen."""
    model = file.model
    return {
        "id": str(ModelId("file", str(model.path))),
        "provider": file.source,
        "name": model.name,
        "size_bytes": model.size_bytes,
        "quantisation": model.quantisation,
        "window": model.window,
        "sees": model.projector is not None,
        "fits": fits(model.size_bytes),
        # Others are those of other programs, or of the person.
        "is_own": file.source == "parley",
    }


def with_files(report: DiscoveryReport, library: ModelLibrary) -> DiscoveryReport:
    """Add the model files of this computer; reads the disk.

    Those of a program that answers are asked there.
    """
    answering = {server.provider for server in report.servers if server.models}
    files = tuple(file for file in library.list_files() if file.source not in answering)
    return replace(report, files=files)


async def find_models(
    access: ProviderAccess, targets: DiscoveryTargets | None = None
) -> DiscoveryReport:
    """Ask all servers at once, for a third of a second each question."""
    asked_targets = targets or DiscoveryTargets(
        ollama=access.addresses.get("ollama", OLLAMA_ADDRESS)
    )
    asked: list[tuple[_Probe, str]] = [
        (_ask_ollama, asked_targets.ollama),
        (_ask_lm_studio, asked_targets.lm_studio),
        (_ask_llama_cpp, asked_targets.llama_cpp),
        (_ask_vllm, asked_targets.vllm),
        (_ask_jan, asked_targets.jan),
    ]
    async with new_client(OLLAMA_ADDRESS) as client:
        answers = await asyncio.gather(
            *(probe(client, address) for probe, address in asked if is_loopback(address))
        )
    return DiscoveryReport(
        tuple(found for found in answers if found is not None), tuple(access.keys)
    )


_Probe = Callable[[httpx2.AsyncClient, str], Awaitable[DiscoveredModels | None]]


async def _ask_ollama(client: httpx2.AsyncClient, address: str) -> DiscoveredModels | None:
    version = await _ask(client, "GET", f"{address}/api/version")
    if not isinstance(version.get("version"), str):
        return None
    tags = await _ask(client, "GET", f"{address}/api/tags")
    names = _names(tags.get("models"), "name")
    url = f"{address}/api/show"
    asked = (_ask(client, "POST", url, {"model": name}) for name in names[:_MOST_ASKED])
    nothing: Json = {}
    shown = [*await asyncio.gather(*asked), *[nothing] * len(names[_MOST_ASKED:])]
    where = None if address == OLLAMA_ADDRESS else address
    told = {
        ModelId("ollama", name, where): told_by_ollama(about)
        for name, about in zip(names, shown, strict=True)
        if _can_chat(about)
    }
    return DiscoveredModels("ollama", address, tuple(told), told)


def _can_chat(shown: Json) -> bool:
    """Return whether a model is for conversations, not embeddings; an old Ollama does not say."""
    capabilities = shown.get("capabilities")
    return not isinstance(capabilities, list) or "completion" in capabilities


async def _ask_lm_studio(client: httpx2.AsyncClient, address: str) -> DiscoveredModels | None:
    answer = await _ask(client, "GET", f"{address}/api/v1/models")
    rows = answer.get("models")
    if not isinstance(rows, list):
        return None
    chatting = [row for row in rows if isinstance(row, dict) and row.get("type") != "embedding"]
    return _alike("lm-studio", address, chatting, "key")


async def _ask_llama_cpp(client: httpx2.AsyncClient, address: str) -> DiscoveredModels | None:
    props = await _ask(client, "GET", f"{address}/props")
    if "default_generation_settings" not in props:
        return None
    listed = await _ask(client, "GET", f"{address}/v1/models")
    return _alike("llama-cpp", address, listed.get("data"))


async def _ask_vllm(client: httpx2.AsyncClient, address: str) -> DiscoveredModels | None:
    rows = (await _ask(client, "GET", f"{address}/v1/models")).get("data")
    known = rows if isinstance(rows, list) else []
    owned = [row for row in known if isinstance(row, dict) and row.get("owned_by") == "vllm"]
    return _alike("vllm", address, owned) if owned else None


async def _ask_jan(client: httpx2.AsyncClient, address: str) -> DiscoveredModels | None:
    """Ask at Jan's port, which is its alone; it lists only the models that are loaded."""
    listed = await _ask(client, "GET", f"{address}/v1/models")
    if listed.get("object") != "list" or not isinstance(listed.get("data"), list):
        return None
    return _alike("jan", address, listed["data"], runs_here=None)


def _alike(
    provider: str,
    address: str,
    rows: object,
    field_name: str = "id",
    *,
    runs_here: bool | None = True,
) -> DiscoveredModels:
    """Return a server that speaks like OpenAI's, and runs its models itself where that is known."""
    models = {name: ModelId("openai", name, f"{address}/v1") for name in _names(rows, field_name)}
    known = rows if isinstance(rows, list) else []
    told = {}
    for row in known:
        name = row.get(field_name) if isinstance(row, dict) else None
        if isinstance(name, str) and name in models:
            told[models[name]] = replace(told_by_row(row), runs_here=runs_here)
    return DiscoveredModels(provider, address, tuple(models.values()), told)


async def _ask(
    client: httpx2.AsyncClient, method: str, url: str, body: Mapping[str, str] | None = None
) -> Json:
    request = client.build_request(method, url, json=body)
    return await ask_for_object(client, request, _TIMEOUT_S)


def _names(rows: object, field_name: str) -> tuple[str, ...]:
    known = rows if isinstance(rows, list) else []
    names = [row.get(field_name) for row in known if isinstance(row, dict)]
    return tuple(sorted(name for name in names if isinstance(name, str) and name.isprintable()))
