"""The models that can be chosen for a chat (extension `models`).

`ModelCatalog` lists the default model and its fallbacks, the models that run on this computer, and
those of providers with a key. Only a listed model can be chosen: its id is looked up and never
parsed, so that a client can name neither an address nor a file.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import SecretStr

from local_server.assistant.assistants import ModelSelection, selected_models
from local_server.assistant.models.abilities import Told, abilities_of_name, told_by_row
from local_server.assistant.models.context_windows import known_model, runs_here
from local_server.assistant.models.providers import (
    OFFLINE,
    Endpoint,
    ModelId,
    Provider,
    ProviderAccess,
    UnknownModelError,
    provider_title,
)
from local_server.assistant.reply import ListFault, ModelDescription, TokenPrice
from local_server.discovery import DiscoveryReport, find_models
from local_server.engine.keeper import EngineKeeper
from local_server.engine.library import ModelLibrary, ModelSource
from local_server.engine.memory import USUAL_WINDOW
from local_server.engine.model_files import ModelFile, ModelFileError, read_model_file
from local_server.loopback import AnswerRefusedError, ask_for_object, is_loopback, new_client
from local_server.settings import Clock, utc_now

_FRESH_S: Final = 30
_ASK_TIMEOUT_S: Final = 5
_MOST_MODELS: Final = 5000
_LONGEST_NAME: Final = 200
_FILE: Final = "file:"
_FREE: Final = TokenPrice(0, 0, 0)
# Programs on this computer that have models, as `local_server/discovery.py` and
# `local_server/engine/library.py` name them.
_SERVER_TITLES: Final[Mapping[str, str]] = {
    "gpt4all": "GPT4All",
    "hugging-face": "Hugging Face",
    "jan": "Jan",
    "llama-cpp": "llama.cpp",
    "lm-studio": "LM Studio",
    "ollama": "Ollama",
    "parley": "Parley",
    "vllm": "vLLM",
}
# What providers list beside models for conversations.
_NOT_FOR_CHATS: Final = re.compile(
    r"embed|whisper|tts|dall-e|moderation|realtime|audio|transcribe|image|sora|babbage|davinci"
    r"|rerank|veo|imagen|aqa",
    re.IGNORECASE,
)
_NOBODY_ANSWERS: Final = "The model’s server does not answer. Start it, then try again."
_NO_KEY: Final = "There is no key for {provider}. Add one in the settings."
_KEY_REFUSED: Final = "{provider} refused the key. Enter another one in the settings."
_NO_LIST: Final = "{provider} did not return its list of models. Check that it can be reached."
# Google and LiteLLM answer 400, not 401, to an unknown key in a request without anything else.
_REFUSALS: Final = (400, 401, 403)
_DEMO: Final = ModelDescription(OFFLINE, "Demo", "Parley", has_tools=True, price=_FREE)

Json = dict[str, Any]
_Listed = tuple[ModelId, Told]


class ModelCatalog:
    """Lists models; refreshed after half a minute. One for the life of the service."""

    def __init__(
        self,
        selection: ModelSelection,
        access: ProviderAccess,
        added: Iterable[str] = (),
        *,
        library: ModelLibrary | None = None,
        engine: EngineKeeper | None = None,
        find: Callable[[ProviderAccess], Awaitable[DiscoveryReport]] = find_models,
        clock: Clock = utc_now,
    ) -> None:
        """Make one.

        Args:
            selection: What was chosen for the run.
            access: The keys and addresses of the run.
            added: The ids of further models; one that cannot be read is left out.
            library: Knows the model files of this computer; None where none are listed.
            engine: Runs them.
            find: Looks for model servers on this computer.
            clock: Says when the list is too old.
        """
        self._selection = selection
        self._access = access
        self._added = tuple(_readable(added))
        self._library = library
        self._engine = engine
        self._find = find
        self._clock = clock
        self._models: tuple[ModelDescription, ...] = ()
        self._listed_at: datetime | None = None
        self._listing = asyncio.Lock()
        self._changes = 0

    def change(
        self, selection: ModelSelection, access: ProviderAccess, added: Iterable[str]
    ) -> None:
        """Use other choices and keys from now on, and drop the cached list."""
        self._selection = selection
        self._access = access
        self._added = tuple(_readable(added))
        self._models = ()
        self._listed_at = None
        self._changes += 1

    async def list_models(self) -> tuple[ModelDescription, ...]:
        """Return the models that can be chosen, the default first."""
        async with self._listing:
            while not self._is_fresh():
                changes = self._changes
                models = await self._ask_all()
                # A list that was begun before a change is outdated.
                if changes == self._changes:
                    self._models = models
                    self._listed_at = self._clock()
            return tuple(map(self._with_state, self._models))

    async def find(self, model: str) -> str | None:
        """Return the id of a listed model; the same id is used to ask it."""
        return model if await self.has(model) else None

    async def describe(self, ids: Iterable[str]) -> tuple[ModelDescription, ...]:
        """Describe the default model, and then those with these ids that can be read."""
        demo = replace(_DEMO, is_default=True)
        if self._selection.model == OFFLINE:
            return (demo,)
        chosen = selected_models(self._selection)[:1]
        wanted = dict.fromkeys((*chosen, *_readable(ids)))
        described = list(await asyncio.gather(*map(self._selected, wanted)))
        if not chosen:
            return (demo, *described)
        return (replace(described[0], is_default=True), *described[1:])

    async def has(self, model: str) -> bool:
        """Return whether this is the id of a listed model.

        One that cannot answer now counts too: its next message says why.
        """
        known = any(found.id == model for found in self._models)
        found = self._models if known else await self.list_models()
        return any(one.id == model for one in found)

    def listed_id(self, model: str) -> str | None:
        """Return the same id: who runs the service may know all of its models."""
        return model

    def _with_state(self, model: ModelDescription) -> ModelDescription:
        """Add the current state of a model file, which the engine may change at any moment."""
        engine = self._engine
        if engine is None or not model.id.startswith(_FILE) or model.state == "unavailable":
            return model
        path = ModelId.read(model.id).path
        if engine.loaded == path:
            return replace(model, state="ready")
        reason = engine.failure_of(path)
        return replace(model, state="loadable" if reason is None else "unavailable", reason=reason)

    def _is_fresh(self) -> bool:
        listed_at = self._listed_at
        return listed_at is not None and (self._clock() - listed_at).total_seconds() < _FRESH_S

    async def _ask_all(self) -> tuple[ModelDescription, ...]:
        demo = replace(_DEMO, is_default=self._selection.model in {None, OFFLINE})
        access = self._access
        is_asked_for_more = bool(access.keys or access.address_keys or self._added)
        if self._selection.model == OFFLINE and not is_asked_for_more:
            # If `offline` was chosen by name, no request leaves this program.
            return (demo,)
        at_addresses = (_ask_address(address, key) for address, key in access.address_keys.items())
        missing: list[ModelDescription] = []
        asked = (*(_ask_provider(access, name) for name in access.keys), *at_addresses)
        report, lists = await asyncio.gather(
            self._find(access), asyncio.gather(*(_noting_missing(one, missing) for one in asked))
        )
        here = [
            _local(
                model,
                _SERVER_TITLES.get(server.provider) or _server_of(model),
                server.told.get(model),
            )
            for server in report.servers
            for model in server.models
        ]
        here += await self._files({server.provider for server in report.servers if server.models})
        elsewhere = [model for models in lists for model in models]
        chosen = selected_models(self._selection)
        selected = list(await asyncio.gather(*map(self._selected, (*chosen, *self._added))))
        if chosen:
            selected[0] = replace(selected[0], is_default=True)
        described = await asyncio.to_thread(lambda: [_described(*one) for one in elsewhere])
        by_id = {model.id: model for model in (*described, *here)}
        first = [replace(by_id.get(one.id, one), is_default=one.is_default) for one in selected]
        last = (*missing, demo)
        ordered: dict[str, ModelDescription] = {}
        for model in (*first, *here, *described):
            # Of duplicates the first counts: it is marked as the default.
            ordered.setdefault(model.id, model)
        # Whatever is cut off, what stands last is listed.
        return (*tuple(ordered.values())[: _MOST_MODELS - len(last)], *last)

    async def _files(self, answering: Collection[str]) -> list[ModelDescription]:
        """Describe the model files; those of a program that answers are asked there."""
        if self._library is None:
            return []
        found = await asyncio.to_thread(self._library.list_files)
        return [of_file(one.model, one.source) for one in found if one.source not in answering]

    async def _selected(self, model: ModelId) -> ModelDescription:
        """Describe a model that was selected for the run, and find out whether it is there."""
        if model.provider == "file":
            return await asyncio.to_thread(_described_file, model)
        try:
            endpoint = self._access.endpoint(model)
        except UnknownModelError as exc:
            described = await asyncio.to_thread(_described, model)
            has_no_key = model.address is None and model.provider not in self._access.keys
            reason = _NO_KEY.format(provider=described.provider) if has_no_key else str(exc)
            return replace(described, state="unavailable", reason=reason)
        if not is_loopback(endpoint.address):
            return await asyncio.to_thread(_described, model)
        path = "api/version" if model.provider == "ollama" else "models"
        described = _local(model, _server_of(model))
        try:
            answer = await _get(f"{endpoint.address}/{path}", _headers(model.provider, endpoint))
        except AnswerRefusedError:
            return _refused(described)
        if not answer:
            return replace(described, state="unavailable", reason=_NOBODY_ANSWERS)
        here = await runs_here(model, endpoint)
        return replace(described, price=_FREE if here else None)


def of_file(model: ModelFile, source: ModelSource) -> ModelDescription:
    """Describe a model file, and whose it is."""
    return ModelDescription(
        id=f"{_FILE}{model.path}",
        display_name=model.name,
        provider=_SERVER_TITLES[source],
        context_window=min(model.window, USUAL_WINDOW),
        sees_images=model.projector is not None,
        has_tools=model.has_tools,
        has_thinking=model.has_thinking,
        always_thinks=model.always_thinks,
        price=_FREE,
        state="loadable",
    )


def _described_file(model: ModelId) -> ModelDescription:
    try:
        return of_file(read_model_file(model.path), "parley")
    except ModelFileError as exc:
        described = _local(model, "parley")
        return replace(described, state="unavailable", reason=str(exc))


def _readable(ids: Iterable[str]) -> Iterator[ModelId]:
    for text in ids:
        with suppress(UnknownModelError):
            yield ModelId.read(text)


def _local(model: ModelId, server: str, told: Told | None = None) -> ModelDescription:
    """Describe a model of a server on this computer, which may be a gateway to others."""
    told = told or Told()
    price = _FREE if told.runs_here else None
    described = ModelDescription(str(model), model.display_name, server, price=price)
    return _with_abilities(described, model, told)


def _with_abilities(described: ModelDescription, model: ModelId, told: Told) -> ModelDescription:
    """Add what the server says of a model, and else what models of its name can."""
    known = abilities_of_name(model.name)
    return replace(
        described,
        context_window=told.window or described.context_window,
        sees_images=known.sees_images if told.sees_images is None else told.sees_images,
        has_thinking=known.has_thinking if told.has_thinking is None else told.has_thinking,
        has_tools=known.has_tools if told.has_tools is None else told.has_tools,
        always_thinks=known.always_thinks and told.has_thinking is not False,
    )


def _server_of(model: ModelId) -> str:
    """Return what people know a model's server by: the name of a provider, or where it is."""
    is_elsewhere = model.provider == "openai" and model.address is not None
    return urlsplit(model.address or "").netloc if is_elsewhere else provider_title(model.provider)


def _described(model: ModelId, told: Told | None = None) -> ModelDescription:
    """Describe a provider's model by what is known of it; takes long the first time."""
    known = known_model(model)
    described = ModelDescription(str(model), model.display_name, _server_of(model))
    if known is not None:
        described = replace(
            described,
            display_name=known.name or model.display_name,
            context_window=known.window,
            # What a server at an address of its own asks for is not the provider's price.
            price=known.price if model.address is None else None,
        )
    return _with_abilities(described, model, told or Told())


class _NoListError(Exception):
    """A provider does not list its models; `model` stands for all that it has."""

    def __init__(self, model: ModelId, fault: ListFault) -> None:
        super().__init__(str(model))
        self.model = model
        self.fault = fault


async def _noting_missing(
    asking: Awaitable[tuple[_Listed, ...]], missing: list[ModelDescription]
) -> tuple[_Listed, ...]:
    """Return a provider's models; if it lists none, say in `missing` why."""
    try:
        return await asking
    except _NoListError as exc:
        server = _server_of(exc.model)
        words = _KEY_REFUSED if exc.fault == "key_refused" else _NO_LIST
        missing.append(
            ModelDescription(
                str(exc.model),
                server,
                server,
                has_tools=False,
                state="unavailable",
                reason=words.format(provider=server),
                list_fault=exc.fault,
            )
        )
        return ()


def _refused(described: ModelDescription) -> ModelDescription:
    reason = _KEY_REFUSED.format(provider=described.provider)
    return replace(described, state="unavailable", reason=reason)


async def _ask_provider(access: ProviderAccess, provider: Provider) -> tuple[_Listed, ...]:
    """Ask a provider for which there is a key what it has.

    Raises:
        _NoListError: It refuses the key, or does not answer.
    """
    any_model = ModelId(provider, "any/model")
    try:
        endpoint = access.endpoint(any_model)
    except UnknownModelError:
        return ()
    path = {"anthropic": "v1/models?limit=1000", "google": "v1beta/models?pageSize=1000"}
    url = f"{endpoint.address}/{path.get(provider, 'models')}"
    try:
        answer = await _get(url, _headers(provider, endpoint))
    except AnswerRefusedError as exc:
        raise _NoListError(any_model, "key_refused") from exc
    rows = answer.get("models" if provider == "google" else "data")
    if not isinstance(rows, list):
        raise _NoListError(any_model, "no_answer")
    return tuple((ModelId(provider, name), told_by_row(row)) for name, row in _named_rows(rows))


async def _ask_address(address: str, key: SecretStr) -> tuple[_Listed, ...]:
    """Ask a server that speaks as OpenAI's what it has.

    Raises:
        _NoListError: It refuses the key, or does not answer.
    """
    any_model = ModelId("openai", "any/model", address)
    endpoint = Endpoint(address, key, is_official=False)
    try:
        answer = await _get(f"{address}/models", _headers("openai", endpoint))
    except AnswerRefusedError as exc:
        raise _NoListError(any_model, "key_refused") from exc
    rows = answer.get("data")
    if not isinstance(rows, list):
        raise _NoListError(any_model, "no_answer")
    found = []
    for name, row in _named_rows(rows):
        with suppress(UnknownModelError):
            found.append((ModelId.read(f"openai:{name}@{address}"), told_by_row(row)))
    return tuple(found)


def _named_rows(rows: Iterable[object]) -> list[tuple[str, Json]]:
    """Return the rows of models for conversations, by name."""
    named = []
    for row in rows:
        if not isinstance(row, dict):
            continue
        given = row.get("id") or row.get("name")
        name = given.removeprefix("models/") if isinstance(given, str) else ""
        methods = row.get("supportedGenerationMethods")
        can_chat = not isinstance(methods, list) or "generateContent" in methods
        is_name = 0 < len(name) <= _LONGEST_NAME and name.isprintable()
        if is_name and can_chat and not _NOT_FOR_CHATS.search(name):
            named.append((name, row))
    return named[:_MOST_MODELS]


def _headers(provider: Provider, endpoint: Endpoint) -> dict[str, str]:
    if endpoint.key is None:
        return {}
    key = endpoint.key.get_secret_value()
    if provider == "anthropic":
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}
    if provider == "google":
        return {"x-goog-api-key": key}
    return {"Authorization": f"Bearer {key}"}


async def _get(url: str, headers: Mapping[str, str]) -> Json:
    # Certificates are loaded in a thread: it takes long, and replies are streamed meanwhile.
    async with await asyncio.to_thread(new_client, url) as client:
        request = client.build_request("GET", url, headers=dict(headers))
        return await ask_for_object(client, request, _ASK_TIMEOUT_S, _REFUSALS)
