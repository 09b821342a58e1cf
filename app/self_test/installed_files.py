"""Compare the files of the installed program with the manifest that the build wrote."""

import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from PySide6.QtCore import QCoreApplication

from app.self_test.report import CheckFailed, NotAvailable

LIST_NAME: Final = "manifest.json"
# The folder of a macOS bundle that holds everything.
_OF_BUNDLE: Final = "Contents"
_CHUNK_BYTES: Final = 1024 * 1024
_MOST_NAMED: Final = 3

translate = QCoreApplication.translate


class ListedFile(BaseModel):
    """One file as it was built."""

    model_config = ConfigDict(frozen=True)

    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class FileList(BaseModel):
    """`manifest.json`: the files by their paths below the folder, with `/` between the parts."""

    model_config = ConfigDict(frozen=True)

    version: str
    files: Mapping[str, ListedFile]


@dataclass(slots=True)
class _Differences:
    missing: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)


def installed_folder() -> Path | None:
    """Return where the installed program lies; None when it runs from source."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else None


def check_files(folder: Path | None, version: str) -> str:
    """Compare every file of the folder with the list in it, which reads all of them.

    Files of others beside the program, such as its uninstaller, may lie in the folder itself, but
    not below it, where the program looks for its parts.

    Raises:
        NotAvailable: it runs from source, or in a bundle of macOS, whose signature is its list.
        CheckFailed: there is no list, or it says otherwise; the text names some of the files.
    """
    if folder is None:
        raise NotAvailable(
            translate("SelfTest", "Parley runs from its source code; nothing was installed")
        )
    if folder.parent.name == _OF_BUNDLE:
        words = translate("SelfTest", "the bundle’s signature covers its files")
        raise NotAvailable(words)
    listed = _read_list(folder)
    if listed.version != version:
        words = translate("SelfTest", "the list is for version {listed}, but this is {version}")
        raise CheckFailed(words.format(listed=listed.version, version=version))
    found = _compare(folder, listed)
    if words := _told(found):
        raise CheckFailed(words)
    return translate("SelfTest", "%n files", "", len(listed.files))


def _read_list(folder: Path) -> FileList:
    try:
        content = (folder / LIST_NAME).read_bytes()
        return FileList.model_validate_json(content)
    except OSError as error:
        words = translate("SelfTest", "the list of files cannot be read")
        raise CheckFailed(words) from error
    except ValidationError as error:
        words = translate("SelfTest", "the list of files is not valid")
        raise CheckFailed(words) from error


def _compare(folder: Path, listed: FileList) -> _Differences:
    found = _Differences()
    for name, file in listed.files.items():
        path = folder / name
        if not path.is_file():
            found.missing.append(name)
        # The size first: another one saves reading the whole file.
        elif path.stat().st_size != file.size or _sha256(path) != file.sha256:
            found.changed.append(name)
    found.added = sorted(name for name in _files_below(folder) if name not in listed.files)
    return found


def _files_below(folder: Path) -> Iterator[str]:
    """Yield every file in a subfolder, without links to other files of the folder."""
    whole = folder.resolve()
    for path in folder.rglob("*"):
        if path.parent == folder or path.is_dir():
            continue
        if not (path.is_symlink() and path.resolve().is_relative_to(whole)):
            yield path.relative_to(folder).as_posix()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _told(found: _Differences) -> str:
    kinds = (
        (translate("SelfTest", "missing: {names}"), found.missing),
        (translate("SelfTest", "changed since the build: {names}"), found.changed),
        (translate("SelfTest", "unexpected: {names}"), found.added),
    )
    return "; ".join(words.format(names=_some(names)) for words, names in kinds if names)


def _some(names: list[str]) -> str:
    some = ", ".join(names[:_MOST_NAMED])
    rest = len(names) - _MOST_NAMED
    if rest <= 0:
        return some
    return translate("SelfTest", "{some} and %n more", "", rest).format(some=some)
