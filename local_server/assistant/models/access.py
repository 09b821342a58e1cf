"""Where the providers of models are, and the keys for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from pydantic import SecretStr

from local_server.assistant.models.model_id import (
    ModelId,
    Provider,
    UnknownModelError,
    is_address,
)

OLLAMA_ADDRESS: Final = "http://127.0.0.1:11434"
_OLLAMA_PORT: Final = 11434
_HOMES: Final[Mapping[Provider, str]] = {
    "ollama": OLLAMA_ADDRESS,
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
# The names that the providers' own programs use; of two the first wins.
_KEY_NAMES: Final[Mapping[Provider, tuple[str, ...]]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
_ADDRESS_NAMES: Final[Mapping[Provider, str]] = {
    "ollama": "OLLAMA_HOST",
    "openai": "OPENAI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "google": "GOOGLE_GEMINI_BASE_URL",
}


@dataclass(frozen=True)
class Door:
    """How one model's server is entered.

    Attributes:
        address: Its base URL, without a slash at the end.
        key: What it is shown; None for a server that knows no keys, or must not know ours.
        is_home: Whether this is the provider's own server, as opposed to one that speaks alike.
    """

    address: str
    key: SecretStr | None
    is_home: bool

    @property
    def lacks_path(self) -> bool:
        """Whether it is a host alone."""
        return not urlsplit(self.address).path


@dataclass(frozen=True)
class Access:
    """The keys and addresses of one run.

    Attributes:
        keys: By provider.
        addresses: Where providers are, when not where they usually are.
        misnamed: The providers whose variable says where they are, and gives no address.
    """

    keys: Mapping[Provider, SecretStr]
    addresses: Mapping[Provider, str]
    misnamed: frozenset[Provider] = field(default=frozenset())

    @classmethod
    def of_environment(cls, environ: Mapping[str, str]) -> "Access":
        """Take both from the variables that the providers' own programs use."""
        keys: dict[Provider, SecretStr] = {}
        for provider, names in _KEY_NAMES.items():
            found = [environ[name].strip() for name in names if environ.get(name, "").strip()]
            if found:
                keys[provider] = SecretStr(found[0])
        return cls(keys, *_addresses(environ))

    @classmethod
    def of_launch(cls, keys: Mapping[str, SecretStr], environ: Mapping[str, str]) -> "Access":
        """Take the keys from the program that started this one, and none from elsewhere."""
        known = {provider: keys[provider] for provider in _KEY_NAMES if provider in keys}
        return cls(known, *_addresses(environ))

    def door(self, model: ModelId) -> Door:
        """Find the way to a model's server.

        A key goes to the provider itself, or to the address that stands beside the key in the
        environment. An address that is written in an id is a stranger's and gets none.

        Raises:
            UnknownModelError: When a key is needed and there is none, or nobody knows where the
                server is.
        """
        provider = model.provider
        if model.address is None and provider in self.misnamed:
            # It may hold a password, so it is not repeated.
            raise UnknownModelError(
                f"What {_ADDRESS_NAMES[provider]} says is no address, so the model {model} cannot "
                "be reached. One is written http://HOST:PORT or http://[::1]:PORT."
            )
        home = self.addresses.get(provider, _HOMES[provider])
        address = model.address or home
        key = self.keys.get(provider) if address == home else None
        is_home = address == _HOMES[provider]
        if key is None and is_home and provider in _KEY_NAMES:
            raise UnknownModelError(
                f"The model {model} needs a key: set {_KEY_NAMES[provider][0]}."
            )
        return Door(address, key, is_home)


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
    """Where providers are, and those of whom that cannot be told."""
    found: dict[Provider, str] = {}
    for provider, name in _ADDRESS_NAMES.items():
        if text := environ.get(name, "").strip():
            found[provider] = _address(provider, text)
    good = {provider: text for provider, text in found.items() if is_address(text)}
    return good, frozenset(found.keys() - good.keys())


def _address(provider: Provider, text: str) -> str:
    """The base URL that is meant; the text as it is where none is."""
    if provider != "ollama":
        return text.rstrip("/")
    try:
        return ollama_address(text)
    except ValueError:
        return text
