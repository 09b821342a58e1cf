"""Where newer versions are announced, and by whom: whoever packages the program decides."""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from app.api.address import check_base_url

FILE_NAME: Final = "updates.json"
_KEY_BYTES: Final = 32
_NEEDED: Final = (
    f"it is no JSON with “address” (https) and “key” ({_KEY_BYTES} bytes in base64), and no more"
)


class SourceUnreadable(ValueError):
    """The packager's file does not say what it should."""


@dataclass(frozen=True, slots=True)
class UpdateSource:
    """An address that announces versions, and the Ed25519 key of whoever signs them.

    Attributes:
        url: https, with a path.
        key: the public key, 32 bytes.
    """

    url: str
    key: bytes

    @property
    def host(self) -> str:
        """Whom it leads to."""
        return urlsplit(self.url).netloc


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str = Field(max_length=400)
    key: str = Field(max_length=100)


def read_source(resources: Path) -> UpdateSource | None:
    """Reads `updates.json` among the program's resources; without one, nobody is ever asked.

    Raises:
        SourceUnreadable: it is there, and does not name an https address and a key.
    """
    try:
        content = (resources / FILE_NAME).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceUnreadable(str(error)) from error
    try:
        written = _Written.model_validate_json(content)
        key = base64.b64decode(written.key, validate=True)
        checked = check_base_url(written.address)
    except ValueError as error:
        # No JSON of ours, no base64, a letter that is not even ASCII, or no address.
        raise SourceUnreadable(_NEEDED) from error
    if not checked.startswith("https:") or len(key) != _KEY_BYTES:
        raise SourceUnreadable(_NEEDED)
    return UpdateSource(checked, key)
