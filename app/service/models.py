"""List the models of the bundled service, check that they answer, and keep their keys.

`find_models` lists the models on this computer through the service's own program, and
`read_model_file` describes a file. `check_model` sends a model one request through a separate
service, and `list_provider_models` asks a provider likewise. `ProviderKeys` keeps the providers'
keys, which the bundled service gets at its start.
"""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from app.api.client import ApiClient
from app.api.events import StreamError, TextDelta, ToolUse
from app.api.models import Model, ToolDefinition
from app.api.sse import ReplyStream
from app.common.error_messages import ErrorCode
from app.common.errors import ErrorRoute, UserFacingError
from app.config.key_store import KeyLocation, KeyStore
from app.config.settings import Provider, SettingsFile, origin_of
from app.service.child import ModelKeys
from app.service.process import RestartPolicy, ServiceProcess
from app.service.server_command import (
    model_file_command,
    model_removal_command,
    models_command,
    run_cli,
)
from app.tasks import TaskOwner

_TIMEOUT_S: Final = 60.0
_QUESTION: Final = "Reply with the single word: yes"


async def check_model(
    model: str, keys: ModelKeys, tools: Sequence[ToolDefinition] = (), instructions: str = ""
) -> None:
    """Send the model one short question as a chat would; return when its answer begins.

    A separate service is started for this, in a folder that is deleted afterwards, so the question
    is in no chat and the running service is not disturbed. No tool is run.

    Args:
        model: The id of the model.
        keys: The provider keys to use.
        tools: The tools of a chat, to detect a model that does not support tools.
        instructions: The user's own instructions.

    Raises:
        UserFacingError: the model does not answer within a minute, or fails; the message says why.
    """
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            async with throwaway_service(model, keys, instructions=instructions) as service:
                await _ask(service, tools)
    except TimeoutError as error:
        raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error


async def list_provider_models(provider: Provider, key: SecretStr) -> tuple["FoundModel", ...]:
    """Return the models that a provider lists for this key; empty if it lists none.

    Raises:
        UserFacingError: it does not answer within a minute, or refuses the key.
    """
    listed = await _listed(ModelKeys({provider: key}))
    return _of_key(model for model in listed if model.id.startswith(f"{provider}:"))


async def try_keys(keys: ModelKeys) -> bool:
    """Ask the providers of these keys, and return whether they list models.

    A provider that cannot be asked now may take the keys later.

    Raises:
        UserFacingError: a key is refused.
    """
    try:
        listed = await _listed(keys)
    except UserFacingError:
        return False
    return bool(_of_key(model for model in listed if _is_of(model.id, keys)))


def _is_of(model_id: str, keys: ModelKeys) -> bool:
    is_at_address = any(model_id.endswith(f"@{base_url}") for base_url in keys.addresses)
    is_named = "@http" not in model_id
    return is_at_address or (is_named and model_id.partition(":")[0] in keys.providers)


async def _listed(keys: ModelKeys) -> Sequence[Model]:
    try:
        async with (
            asyncio.timeout(_TIMEOUT_S),
            throwaway_service(None, keys) as service,
            ApiClient(service.address.base_url, service.address.api_key) as client,
        ):
            return await client.list_models()
    except TimeoutError as error:
        raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error


def _of_key(listed: Iterable[Model]) -> tuple["FoundModel", ...]:
    models = tuple(listed)
    refusal = next((model for model in models if model.list_fault == "key_refused"), None)
    if refusal:
        raise UserFacingError(ErrorCode.MODELS_KEY_REFUSED, {"provider": refusal.provider})
    return tuple(
        FoundModel(model.id, model.display_name, model.provider)
        for model in models
        if not model.list_fault
    )


@asynccontextmanager
async def throwaway_service(
    model: str | None,
    keys: ModelKeys,
    models: Sequence[str] = (),
    prepare: Callable[[Path], Awaitable[None]] | None = None,
    instructions: str = "",
) -> AsyncGenerator[ServiceProcess]:
    """Start a service in a folder of its own that is deleted at the end, and wait until it answers.

    `prepare` may put agents and skills in that folder first.

    Raises:
        UserFacingError: it cannot be started with this model.
    """
    with tempfile.TemporaryDirectory() as folder:
        if prepare:
            await prepare(Path(folder))
        service = ServiceProcess(
            Path(folder),
            model=model,
            models=models,
            keys=keys,
            instructions=instructions,
            # No restart: a service that cannot run with this model shall say so at once.
            restarts=RestartPolicy(()),
        )
        tasks = TaskOwner(ErrorRoute(_leave_to_caller, _leave_to_caller))
        tasks.start(service.run(), name="throwaway service")
        try:
            await _until_ready(service)
            yield service
        finally:
            await service.aclose()
            await tasks.aclose()


async def _until_ready(service: ServiceProcess) -> None:
    try:
        await service.until_ready()
    except UserFacingError as error:
        raise UserFacingError(ErrorCode.MODEL_SILENT, {"message": service.last_words}) from error


async def _ask(service: ServiceProcess, tools: Sequence[ToolDefinition]) -> None:
    address = service.address
    async with ApiClient(address.base_url, address.api_key) as client:
        chat = await client.create_conversation()
        # Named, since choosing an agent would be another question to the model.
        agent = next((agent.name for agent in await client.list_agents()), None)
        async with client.chat_stream(chat.id, _QUESTION, tools, agent_name=agent) as reply:
            await _read_first_words(reply)


async def _read_first_words(reply: ReplyStream) -> None:
    async for event in reply:
        if isinstance(event, StreamError):
            raise UserFacingError(ErrorCode.MODEL_SILENT, {"message": event.message})
        if isinstance(event, TextDelta | ToolUse):
            return
    raise UserFacingError(ErrorCode.REPLY_MISSING)


def _leave_to_caller(_error: object) -> None:
    """Do nothing: `until_ready` raises the failure."""


_OFFLINE = "offline"
# What the service calls the programs that it finds, and what they call themselves.
_SERVERS = {
    "ollama": "Ollama",
    "lm-studio": "LM Studio",
    "llama-cpp": "llama.cpp",
    "vllm": "vLLM",
    "jan": "Jan",
    "gpt4all": "GPT4All",
    "hugging-face": "Hugging Face",
    "parley": "Parley",
    "file": "",
}


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that can be chosen; `model_id` is what the service is told.

    `server` names the program that it was found in ("Ollama"), and `address` is where that answers;
    empty where it does not run. Of a model file, `size_bytes` is known, whether it `fits` into
    this computer's memory, and whether it `is_own`: it was downloaded here and can be deleted.
    """

    model_id: str
    name: str
    server: str
    address: str = ""
    size_bytes: int = 0
    fits: bool = True
    is_own: bool = False


class _Model(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    id: str
    name: str
    provider: str = ""
    size_bytes: int = 0
    fits: bool = True
    is_own: bool = False


class _Server(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    provider: str
    address: str | None = None


class _Models(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    models: list[_Model]
    found: list[_Server] = []


async def find_models(data: Path, environ: Mapping[str, str]) -> tuple[FoundModel, ...]:
    """Ask which models there are here; nothing when the program does not say within 30 s.

    The built-in assistant is none of them. `data` is the service's own folder. `environ` is ours:
    of it, the program sees what the service sees.
    """
    try:
        return _read((await run_cli(models_command(data), environ)).output)
    except TimeoutError:
        return ()


async def read_model_file(file: Path, environ: Mapping[str, str]) -> FoundModel:
    """Ask what a model file is.

    Raises:
        UserFacingError: it is none, or not whole, or cannot be read.
    """
    try:
        said = await run_cli(model_file_command(file), environ)
    except TimeoutError as error:
        raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error
    try:
        return _found(_Model.model_validate_json(said.output), {})
    except ValidationError:
        words = said.errors.decode(errors="replace").strip()
        raise UserFacingError(ErrorCode.MODEL_FILE_REFUSED, {"message": words}) from None


async def delete_model_file(file: Path, data: Path, environ: Mapping[str, str]) -> None:
    """Delete a model file that was downloaded here; `data` is the service's own folder.

    Raises:
        UserFacingError: it is none of those, or cannot be deleted.
    """
    try:
        said = await run_cli(model_removal_command(file, data), environ)
    except TimeoutError as error:
        raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error
    if said.code:
        words = said.errors.decode(errors="replace").strip()
        raise UserFacingError(ErrorCode.CATALOG_FAILED, {"message": words})


def _read(output: bytes) -> tuple[FoundModel, ...]:
    try:
        told = _Models.model_validate_json(output)
    except ValidationError:
        return ()
    addresses = {server.provider: server.address or "" for server in told.found}
    return tuple(_found(model, addresses) for model in told.models if model.id != _OFFLINE)


def _found(model: _Model, addresses: Mapping[str, str]) -> FoundModel:
    server = _SERVERS.get(model.provider, model.provider)
    address = addresses.get(model.provider, "")
    return FoundModel(
        model.id, model.name, server, address, model.size_bytes, model.fits, model.is_own
    )


_ENTRY: Final = "provider:{provider}"
_ADDRESS_ENTRY: Final = "models {origin}"


class KeptKey(NamedTuple):
    """Where a key is kept, and whether its provider listed models when it was tried."""

    location: KeyLocation
    has_models: bool


class ProviderKeys:
    """Keeps one key for each provider in the system's keyring, and knows for whom there is one.

    The settings say which providers have one, so that nobody who has none is ever asked to unlock
    a keyring. One for the run.
    """

    def __init__(
        self,
        settings: SettingsFile,
        keys: KeyStore,
        attempt: Callable[[ModelKeys], Awaitable[bool]] = try_keys,
    ) -> None:
        """Make it; `attempt` tries keys as `try_keys` does."""
        self._settings = settings
        self._keys = keys
        self._attempt = attempt

    async def load(self) -> dict[Provider, SecretStr]:
        """Return the keys that can be had now, by provider."""
        keyed = self._settings.current.models.keyed
        found = await asyncio.gather(*(self._keys.load(_entry(provider)) for provider in keyed))
        return {provider: key for provider, key in zip(keyed, found, strict=True) if key}

    async def load_all(self) -> ModelKeys:
        """Return the keys that can be had now, of providers and of other model servers."""
        loaded = await self._load_addresses()
        addresses = {base_url: key for base_url, key in loaded.items() if key}
        return ModelKeys(await self.load(), addresses)

    async def keep_address(self, base_url: str, key: SecretStr) -> KeptKey:
        """Keep the key of a model server at an address, also where nobody answers now.

        It is kept for scheme, host and port; another address of the same origin has the same key.

        Raises:
            UserFacingError: the server refuses the key, or the settings could not be written;
                then nothing was kept.
        """
        has_models = await self._attempt(ModelKeys({}, {base_url: key}))
        servers = self._settings.current.models.servers
        self._note_servers(tuple(dict.fromkeys((*servers, base_url))))
        return KeptKey(await self._keys.save(_address_entry(base_url), key), has_models)

    async def forget_address(self, base_url: str) -> None:
        """Remove a model server, and its key unless another address of its origin is left.

        Raises:
            UserFacingError: the settings could not be written; the key is gone all the same.
        """
        others = tuple(
            other for other in self._settings.current.models.servers if other != base_url
        )
        if _address_entry(base_url) not in map(_address_entry, others):
            await self._keys.forget(_address_entry(base_url))
        self._note_servers(others)

    async def keyless_addresses(self) -> frozenset[str]:
        """Return the addresses of model servers whose keys cannot be had now."""
        loaded = await self._load_addresses()
        return frozenset(base_url for base_url, key in loaded.items() if key is None)

    async def places(self) -> dict[Provider, KeyLocation]:
        """Return where the keys are that can be had now."""
        return {provider: self._keys.place_of(_entry(provider)) for provider in await self.load()}

    async def keep(self, provider: Provider, key: SecretStr, *, is_taken: bool = False) -> KeptKey:
        """Keep the key of a provider, in place of an earlier one.

        With `is_taken` the provider was asked already.

        Raises:
            UserFacingError: the provider refuses the key, or the settings could not be written;
                then nothing was kept.
        """
        has_models = is_taken or await self._attempt(ModelKeys({provider: key}))
        others = self._others(provider)
        self._note((*others, provider))
        return KeptKey(await self._keys.save(_entry(provider), key), has_models)

    async def forget(self, provider: Provider) -> None:
        """Remove the key of a provider.

        Raises:
            UserFacingError: the settings could not be written; the key is gone all the same.
        """
        await self._keys.forget(_entry(provider))
        self._note(self._others(provider))

    async def _load_addresses(self) -> dict[str, SecretStr | None]:
        servers = self._settings.current.models.servers
        found = await asyncio.gather(*(self._keys.load(_address_entry(base)) for base in servers))
        return dict(zip(servers, found, strict=True))

    def _note_servers(self, servers: tuple[str, ...]) -> None:
        settings = self._settings.current
        models = settings.models.model_copy(update={"servers": servers})
        self._settings.keep(settings.with_table(models))

    def _others(self, provider: Provider) -> tuple[Provider, ...]:
        return tuple(name for name in self._settings.current.models.keyed if name != provider)

    def _note(self, keyed: tuple[Provider, ...]) -> None:
        settings = self._settings.current
        models = settings.models.model_copy(update={"keyed": keyed})
        self._settings.keep(settings.with_table(models))


def _address_entry(base_url: str) -> str:
    return _ADDRESS_ENTRY.format(origin=origin_of(base_url))


def _entry(provider: Provider) -> str:
    return _ENTRY.format(provider=provider)
