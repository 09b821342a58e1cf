"""The ids of models, as people write them and as `parley-server models` lists them.

`PROVIDER:NAME`, or `PROVIDER:NAME@ADDRESS` for a server elsewhere than where the provider usually
is: `ollama:llama3.2`, `openai:gpt-5`, `openai:qwen3@http://127.0.0.1:1234/v1`. Names may hold
colons, slashes and “@” themselves.
"""

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Literal, get_args
from urllib.parse import urlsplit

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
]

PROVIDERS: Final[tuple[Provider, ...]] = get_args(Provider)
_ADDRESS: Final = re.compile(r"@(?=https?://[^@\s]+\Z)")
_ADDRESS_START: Final = re.compile(r"@|://")
# What was meant as an address and is none, or none that may stand in an id: with another scheme
# or none, with a password in it, or nothing at all. A name may end in “@q4” or “@sha256:…”.
_MEANT_AS_ADDRESS: Final = re.compile(
    r"://|@\Z|@(localhost|[\w.-]+:\d{1,5}|\[[\da-f:]+\](:\d+)?|\d+(\.\d+){3})(/|\Z)|@\S*/v1/?\Z"
)
_LONGEST: Final = 300
# llama.cpp's server names a model by its file.
_MODEL_FILE: Final = ".gguf"


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
                "openai:NAME@http://127.0.0.1:1234/v1."
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
    def display_name(self) -> str:
        """What people know the model by; of a file it is the name without folder and ending."""
        is_file = self.name.endswith(_MODEL_FILE)
        return PurePath(self.name).name.removesuffix(_MODEL_FILE) if is_file else self.name

    def __str__(self) -> str:
        where = f"@{self.address}" if self.address else ""
        return f"{self.provider}:{self.name}{where}"


def is_address(text: str) -> bool:
    """Tell whether this can be the base URL of a server."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
