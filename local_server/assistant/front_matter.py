"""Markdown files that begin with a block of YAML, as agents and skills are written."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

_FENCE: Final = "---"


class FrontMatterError(Exception):
    """The file is not written as it should be; the message names file and reason."""


@dataclass(frozen=True)
class FrontMatter:
    """The two parts of such a file. All values are text, as they were written."""

    path: Path
    fields: dict[str, object]
    body: str

    def text(self, name: str) -> str:
        """Read a required field.

        Raises:
            FrontMatterError: When it is missing or not plain text.
        """
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip():
            raise FrontMatterError(f"{self.path}: the field “{name}” is missing.")
        return " ".join(value.split())

    def metadata(self, name: str) -> str | None:
        """Read one of our own fields, which live under `metadata`."""
        metadata = self.fields.get("metadata")
        value = metadata.get(name) if isinstance(metadata, dict) else None
        return value if isinstance(value, str) and value else None


def read_front_matter(path: Path) -> FrontMatter:
    """Read a Markdown file and take its front matter apart.

    Raises:
        FrontMatterError: When the file cannot be read or has no front matter.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        end = lines.index(_FENCE, 1) if lines[:1] == [_FENCE] else 0
        # Keeps `1.10` and `on` the text they are.
        fields = yaml.load("\n".join(lines[1:end]), Loader=yaml.BaseLoader)  # noqa: S506 - makes nothing but text, lists and mappings
    except (OSError, ValueError, yaml.YAMLError) as exc:
        raise FrontMatterError(f"{path}: cannot be read: {exc}") from exc
    if not isinstance(fields, dict):
        raise FrontMatterError(f"{path}: there is no front matter between two lines of “---”.")
    return FrontMatter(path, fields, "\n".join(lines[end + 1 :]).strip())
