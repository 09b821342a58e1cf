"""The providers of models, and the ids of models.

`ModelId` reads an id as people write it and as `parley-server models` lists it. `ProviderAccess`
finds the address and the key for it, the `Endpoint`.

An id is `PROVIDER:NAME`, or `PROVIDER:NAME@ADDRESS` for a server elsewhere than where the provider
usually is: `ollama:llama3.2`, `openai:gpt-5`, `openai:qwen3@http://127.0.0.1:1234/v1`. Names may
hold colons, slashes and “@” themselves.

`file:PATH` is a model file on this computer, by its whole path, which the engine runs.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final, Literal, get_args
from urllib.parse import urlsplit

from pydantic import SecretStr

Provider = Literal[
    "ollama",
    "openai",
    "anthropic",
    "google",
    "openrouter",
    "azure",
    "deepseek",
    "fireworks",
    "groq",
    "mistral",
    "together",
    "xai",
    "file",
]

PROVIDERS: Final[tuple[Provider, ...]] = get_args(Provider)
_ADDRESS: Final = re.compile(r"@(?=https?://[^@\s]+\Z)")
_ADDRESS_START: Final = re.compile(r"@|://")
# What was meant as an address, but is not one that an id may have: another scheme or none, a
# password in it, or nothing after the “@”. A name may end in “@q4” or “@sha256:…”.
_MEANT_AS_ADDRESS: Final = re.compile(
    r"://|@\Z|@(localhost|[\w.-]+:\d{1,5}|\[[\da-f:]+\](:\d+)?|\d+(\.\d+){3})(/|\Z)|@\S*/v1/?\Z"
)
_LONGEST: Final = 300
_LONGEST_PATH: Final = 4096
# llama.cpp's server names a model by its file.
_MODEL_FILE: Final = ".gguf"

# The id of the demo, which answers without a model.
OFFLINE: Final = "offline"
OLLAMA_ADDRESS: Final = "http://127.0.0.1:11434"
_OLLAMA_PORT: Final = 11434
_AZURE_PATH: Final = "/openai/v1"


class UnknownModelError(Exception):
    """Nothing here answers by this name; the message is for the user."""


@dataclass(frozen=True)
class ModelId:
    """One model.

    Attributes:
        address: The base URL of its server, without a slash at the end; None is where the
            provider usually is.
    """

    provider: Provider
    name: str
    address: str | None = None

    @classmethod
    def read(cls, text: str) -> "ModelId":
        """Read an id.

        Raises:
            UnknownModelError: When it is none.
        """
        provider, _, rest = text.partition(":")
        if provider == "file":
            return cls("file", _checked_path(rest))
        name, *address = _ADDRESS.split(rest, maxsplit=1)
        known = next((found for found in PROVIDERS if found == provider), None)
        # An address may hold a password.
        begun, *hidden = _ADDRESS_START.split(text, maxsplit=1)
        shown = f"{begun[:80]}…" if hidden else begun[:80]
        if known is None or not name.strip() or not text.isprintable() or len(text) > _LONGEST:
            raise UnknownModelError(
                f"There is no model “{shown}” here; “offline” is, and those that are written "
                f"PROVIDER:NAME, with {', '.join(PROVIDERS[:-1])} or {PROVIDERS[-1]} before the "
                "colon, and with @ADDRESS at the end for a server elsewhere: "
                "openai:NAME@http://127.0.0.1:1234/v1. Of a file it is the whole path: "
                "file:/PATH/MODEL.gguf."
            )
        if _MEANT_AS_ADDRESS.search(name) or not all(map(is_address, address)):
            raise UnknownModelError(
                f"The address of the model “{shown}” is none. It is "
                "written http://HOST:PORT/PATH or https://…, without a user or a password: "
                f"{known}:NAME@http://127.0.0.1:1234/v1."
            )
        if known == "openrouter" and "/" not in name:
            raise UnknownModelError(
                f"OpenRouter’s models are named with their maker: openrouter:MAKER/{name[:80]}."
            )
        return cls(known, name, address[0].rstrip("/") if address else None)

    @property
    def path(self) -> Path:
        """Where the model's file lies; only for one that has one."""
        return Path(self.name)

    @property
    def display_name(self) -> str:
        """What people know the model by; of a file it is the name without folder and ending."""
        is_file = self.name.endswith(_MODEL_FILE)
        return PurePath(self.name).name.removesuffix(_MODEL_FILE) if is_file else self.name

    def __str__(self) -> str:
        where = f"@{self.address}" if self.address else ""
        return f"{self.provider}:{self.name}{where}"


def _checked_path(text: str) -> str:
    """Return the path of a model file.

    Raises:
        UnknownModelError: When it is none.
    """
    is_path = text.isprintable() and len(text) <= _LONGEST_PATH and PurePath(text).is_absolute()
    if not is_path:
        raise UnknownModelError(
            f"“{text[:80]}” is not the whole path of a model file, as in file:/PATH/MODEL.gguf."
        )
    return text


def is_address(text: str) -> bool:
    """Return whether this can be the base URL of a server."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


@dataclass(frozen=True)
class _Provider:
    """Where a provider is, and what the environment says of it.

    Attributes:
        title: What people call it.
        address: Its base URL, without a slash at the end; None where each account has its own.
        key_names: The variables that the provider's own programs use; of two the first wins.
            Empty for a provider without keys.
        address_name: The variable that says another address.
        price_list_id: Its id in genai-prices, where that differs from ours.
    """

    title: str
    address: str | None
    key_names: tuple[str, ...] = ()
    address_name: str | None = None
    price_list_id: str | None = None


_PROVIDERS: Final[Mapping[Provider, _Provider]] = {
    "ollama": _Provider("Ollama", OLLAMA_ADDRESS, (), "OLLAMA_HOST"),
    "openai": _Provider(
        "OpenAI", "https://api.openai.com/v1", ("OPENAI_API_KEY",), "OPENAI_BASE_URL"
    ),
    "anthropic": _Provider(
        "Anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL"
    ),
    "google": _Provider(
        "Google",
        "https://generativelanguage.googleapis.com",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
    ),
    "openrouter": _Provider("OpenRouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "azure": _Provider("Azure", None, ("AZURE_OPENAI_API_KEY",), "AZURE_OPENAI_ENDPOINT"),
    "deepseek": _Provider("DeepSeek", "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",)),
    "fireworks": _Provider(
        "Fireworks", "https://api.fireworks.ai/inference/v1", ("FIREWORKS_API_KEY",)
    ),
    "groq": _Provider("Groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    "mistral": _Provider("Mistral", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",)),
    "together": _Provider("Together", "https://api.together.xyz/v1", ("TOGETHER_API_KEY",)),
    "xai": _Provider("xAI", "https://api.x.ai/v1", ("XAI_API_KEY",), price_list_id="x-ai"),
    # The engine says its address when it runs.
    "file": _Provider("Parley", None),
}


@dataclass(frozen=True)
class Endpoint:
    """Where one model is asked.

    Attributes:
        address: The base URL, without a slash at the end.
        key: What the server is shown; None where it knows no keys, or must not know ours.
        is_official: This is the provider's own server, as opposed to one that speaks alike.
        socket_path: The socket on this computer that stands behind the address; None for none.
    """

    address: str
    key: SecretStr | None
    is_official: bool
    socket_path: str | None = None

    @property
    def lacks_path(self) -> bool:
        """Whether the address has no path, as of a host alone."""
        return not urlsplit(self.address).path


@dataclass(frozen=True)
class ProviderAccess:
    """The keys and addresses of one run.

    Attributes:
        keys: By provider.
        addresses: Where providers are, when not where they usually are.
        misnamed: The providers whose variable says where they are, and gives no address.
        address_keys: The keys of other model servers, by their base URL; without a slash at the
            end. Each is shown to its exact origin alone, over https or on this computer.
    """

    keys: Mapping[Provider, SecretStr]
    addresses: Mapping[Provider, str]
    misnamed: frozenset[Provider] = field(default=frozenset())
    address_keys: Mapping[str, SecretStr] = field(default_factory=dict)

    @classmethod
    def of_environment(cls, environ: Mapping[str, str]) -> "ProviderAccess":
        """Read both from the variables that the providers' own programs use."""
        keys: dict[Provider, SecretStr] = {}
        for name, provider in _PROVIDERS.items():
            found = [environ.get(key_name, "").strip() for key_name in provider.key_names]
            if any(found):
                keys[name] = SecretStr(next(filter(None, found)))
        return cls(keys, *_addresses(environ))

    @classmethod
    def of_launch(
        cls,
        keys: Mapping[str, SecretStr],
        environ: Mapping[str, str],
        address_keys: Mapping[str, SecretStr] | None = None,
    ) -> "ProviderAccess":
        """Use the keys of the program that started this one, and none from elsewhere."""
        known = {name: keys[name] for name in _PROVIDERS if name in keys}
        given = {
            address.rstrip("/"): key
            for address, key in (address_keys or {}).items()
            if is_address(address) and _may_get_key(address)
        }
        return cls(known, *_addresses(environ), given)

    def endpoint(self, model: ModelId) -> Endpoint:
        """Find where a model is asked, and with which key.

        A key goes to the provider itself, or to the address that stands beside the key in the
        environment. An address that is written in an id may be anybody's: it gets a key only if
        one was given for its origin.

        Raises:
            UnknownModelError: When a key is needed and there is none, or nobody knows where the
                server is.
        """
        provider = _PROVIDERS[model.provider]
        if model.address is None and model.provider in self.misnamed:
            # The variable may hold a password, so its value is not quoted.
            raise UnknownModelError(
                f"What {provider.address_name} says is no address, so the model {model} cannot "
                "be reached. One is written http://HOST:PORT or http://[::1]:PORT."
            )
        usual = self.addresses.get(model.provider, provider.address)
        address = model.address or usual
        if address is None:
            raise UnknownModelError(
                f"The model {model} needs the address of your account: set {provider.address_name}."
            )
        key = self.keys.get(model.provider) if address == usual else self._key_of(address)
        is_official = address == provider.address
        if key is None and is_official and provider.key_names:
            raise UnknownModelError(f"The model {model} needs a key: set {provider.key_names[0]}.")
        return Endpoint(address, key, is_official)

    def _key_of(self, address: str) -> SecretStr | None:
        origin = _origin(address)
        keys = (key for base, key in self.address_keys.items() if _origin(base) == origin)
        return next(keys, None)


def _origin(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, parts.hostname, parts.port or usual


def _may_get_key(address: str) -> bool:
    """Return whether nobody on the way can read a key: https, or this computer itself."""
    parts = urlsplit(address)
    is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
    return parts.username is None and (parts.scheme == "https" or is_here)


def provider_title(provider: Provider) -> str:
    """Return what people call a provider ("xAI")."""
    return _PROVIDERS[provider].title


def price_list_id(provider: Provider) -> str:
    """Return the id of a provider in genai-prices."""
    return _PROVIDERS[provider].price_list_id or provider


def uses_pydantic_ai(model: ModelId, endpoint: Endpoint) -> bool:
    """Return whether a model is asked through pydantic-ai and its provider's library.

    Servers that speak alike know of OpenAI's interfaces its chat completions, and no more.
    """
    if model.provider in {"openai", "openrouter"}:
        return endpoint.is_official
    return model.provider in {"anthropic", "google"}


def ollama_address(host: str) -> str:
    """Read OLLAMA_HOST as Ollama does: `HOST`, `HOST:PORT` or a URL; all hosts mean this one.

    Raises:
        ValueError: It is none of them.
    """
    text = host.strip().rstrip("/")
    has_scheme = "://" in text
    parts = urlsplit(text if has_scheme else f"http://{text}")
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name == "0.0.0.0" else "::1" if name == "::" else name  # noqa: S104 - read, not bound
    # Ollama itself takes the usual port of a scheme only where the scheme is written.
    usual = {"http": 80, "https": 443}.get(parts.scheme) if has_scheme else None
    try:
        port = parts.port or usual or _OLLAMA_PORT
    except ValueError:
        port = _OLLAMA_PORT
    return f"{parts.scheme}://{f'[{name}]' if ':' in name else name}:{port}"


def _addresses(
    environ: Mapping[str, str],
) -> tuple[dict[Provider, str], frozenset[Provider]]:
    """Return the addresses set for providers, and the providers with an unusable one."""
    found: dict[Provider, str] = {}
    for name, provider in _PROVIDERS.items():
        if provider.address_name and (text := environ.get(provider.address_name, "").strip()):
            found[name] = _address(name, text)
    good = {name: text for name, text in found.items() if is_address(text)}
    return good, frozenset(found.keys() - good.keys())


def _address(provider: Provider, text: str) -> str:
    """Return the base URL that is meant; the text as it is where none is."""
    address = text.rstrip("/")
    if provider == "azure":
        # The variable names the resource; chat completions are asked for below it.
        return address.removesuffix(_AZURE_PATH) + _AZURE_PATH
    if provider != "ollama":
        return address
    try:
        return ollama_address(text)
    except ValueError:
        return text
