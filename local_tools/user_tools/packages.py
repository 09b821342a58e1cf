"""Find tools in installed Python packages by their metadata, without importing them.

A package names the folder with its `tool.toml` by an entry point of the group `parley.tools`:

    [project.entry-points."parley.tools"]
    texts = "my_package.texts"
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from local_tools.errors import named
from local_tools.user_tools.folder_files import MANIFEST

GROUP: Final = "parley.tools"

_MODULE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")


@dataclass(frozen=True, slots=True)
class PackagedTools:
    """The tools that one entry point names.

    Attributes:
        name: The name of the entry point.
        package: The package's name and version.
        folder: The folder of its manifest; None if it was not found.
        problem: Why it was not found, as a sentence; empty otherwise.
    """

    name: str
    package: str
    folder: Path | None
    problem: str = ""


def packaged_tools(search: Sequence[str] | None = None) -> tuple[PackagedTools, ...]:
    """Return all entry points of the group, sorted by name. Reads files: call it in a thread.

    Args:
        search: Folders with packages; by default `sys.path`.
    """
    if search is None:
        packages = metadata.distributions()
    else:
        packages = metadata.distributions(path=list(search))
    found = [item for dist in packages for item in _of(dist)]
    by_name = {item.name: item for item in sorted(found, key=lambda item: item.package)}
    return tuple(by_name[name] for name in sorted(by_name))


def _of(dist: metadata.Distribution) -> Iterator[PackagedTools]:
    for entry in dist.entry_points:
        if entry.group != GROUP or _NAME.fullmatch(entry.name) is None:
            continue
        package = f"{dist.metadata['Name']} {dist.version}"
        if _MODULE.fullmatch(entry.value) is None:
            words = f"“{named(entry.value)}” is no name of a folder with tools."
            yield PackagedTools(entry.name, package, None, words)
            continue
        wanted = f"{entry.value.replace('.', '/')}/{MANIFEST}"
        files = (file for file in dist.files or () if file.as_posix() == wanted)
        file = next(files, None)
        if file is None:
            words = f"The package has no {wanted}."
            yield PackagedTools(entry.name, package, None, words)
        else:
            yield PackagedTools(entry.name, package, Path(str(dist.locate_file(file))).parent)
