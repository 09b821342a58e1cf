"""What was believed last: so that nobody shows an older announcement in its place."""

import base64
import logging
import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from local_tools.recovery.files import is_no_file, put_aside

log = logging.getLogger(__name__)

_LIMIT_BYTES: Final = 1024


class _Believed(BaseModel):
    model_config = ConfigDict(frozen=True)

    key: str
    published: AwareDatetime


class LastBelieved:
    """Keeps when the newest announcement that was believed was published, for one key.

    It lies with what the program knows, not among the settings: undoing those, or carrying them
    to another computer, must not change it. A file that is missing or damaged counts for nothing;
    to refuse everything then would be worse than what it protects from.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def published(self, key: bytes) -> datetime | None:
        """When it was published; None when nothing of this key was believed yet."""
        try:
            with self._path.open("rb") as file:
                believed = _Believed.model_validate_json(file.read(_LIMIT_BYTES))
        except (OSError, ValidationError):
            return None
        return believed.published if believed.key == _text(key) else None

    def keep(self, key: bytes, published: datetime) -> None:
        """Remembers this one from now on; that it cannot be written is only logged."""
        believed = _Believed(key=_text(key), published=published)
        try:
            # Made for its owner alone.
            descriptor, name = tempfile.mkstemp(dir=self._path.parent, prefix=f"{self._path.name}.")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.write(believed.model_dump_json())
                if is_no_file(self._path):
                    put_aside(self._path)
                Path(name).replace(self._path)
            finally:
                Path(name).unlink(missing_ok=True)
        except OSError as error:
            log.info("the newest announcement is not remembered: %s", error.strerror)


def _text(key: bytes) -> str:
    return base64.b64encode(key).decode()
