"""List the model files on this computer.

Those of the data folder's `models`, and, only to be read, those that LM Studio, Jan, GPT4All,
Ollama and the Hugging Face libraries keep where they usually do.
"""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from local_server.engine.model_files import (
    ModelFile,
    ModelFileError,
    is_first_part,
    read_model_file,
)

log = logging.getLogger(__name__)

ModelSource = Literal["file", "parley", "lm-studio", "jan", "gpt4all", "ollama", "hugging-face"]

MODELS_FOLDER: Final = "models"
_MOST_FILES: Final = 500
_MOST_ENTRIES: Final = 20_000
_DEEPEST: Final = 6
_MANIFEST_BYTES: Final = 64 * 1024
_DIGEST: Final = "sha256:"
_DIGEST_CHARS: Final = 64
_OLLAMA_MODEL: Final = "application/vnd.ollama.image.model"
_OLLAMA_PROJECTOR: Final = "application/vnd.ollama.image.projector"
_OLLAMA_HOST: Final = "registry.ollama.ai"
_OLLAMA_OWN: Final = "library"
_ENDING: Final = ".gguf"

_Mark = tuple[int, int, int, int]


@dataclass(frozen=True)
class LibraryFile:
    """A model file that was found, and the program that it belongs to."""

    model: ModelFile
    source: ModelSource


@dataclass(frozen=True)
class _Candidate:
    """A file that may be a model: what its program calls it, and its projector if that is known."""

    path: Path
    source: ModelSource
    name: str = ""
    projector: Path | None = None


class ModelLibrary:
    """Lists the model files; each is reread only when it has changed.

    One for the life of the service; `list_files` reads the disk: call it in a thread.
    """

    def __init__(self, data: Path, home: Path, environ: Mapping[str, str]) -> None:
        """Look in a data folder, and where this home and environment say."""
        self._data = data
        self._home = home
        self._environ = dict(environ)
        self._known: dict[Path, tuple[_Mark, ModelFile | None]] = {}

    def list_files(self) -> tuple[LibraryFile, ...]:
        """Return the files that are models, ours first, by name."""
        found: dict[Path, LibraryFile] = {}
        for candidate in self._candidates():
            if len(found) >= _MOST_FILES:
                break
            model = self._model_of(candidate)
            if model is not None:
                found.setdefault(candidate.path.resolve(), LibraryFile(model, candidate.source))
        return tuple(found.values())

    def read_file(self, path: Path) -> ModelFile:
        """Read a model file, with the name and projector that its program has for it.

        Raises:
            ModelFileError: When it is none, or not whole.
        """
        # Without the ending it may be a blob of Ollama, whose name and projector are in a manifest.
        manifests = () if path.suffix.lower() == _ENDING else self._candidates()
        for candidate in manifests:
            if candidate.path == path:
                return read_model_file(path, candidate.name, candidate.projector)
        return read_model_file(path)

    def _model_of(self, candidate: _Candidate) -> ModelFile | None:
        try:
            seen, beside = candidate.path.stat(), candidate.path.parent.stat()
        except OSError:
            return None
        # Includes the folder, since a projector may be added beside the file or removed.
        mark = (seen.st_ino, seen.st_size, seen.st_mtime_ns, beside.st_mtime_ns)
        known = self._known.get(candidate.path)
        if known is not None and known[0] == mark:
            return known[1]
        try:
            model = read_model_file(candidate.path, candidate.name, candidate.projector)
        except ModelFileError as exc:
            log.debug("skipped %s: %s", candidate.path, exc)
            model = None
        self._known[candidate.path] = mark, model
        return model

    def _candidates(self) -> Iterator[_Candidate]:
        yield from _in_folder(self._data / MODELS_FOLDER, "parley")
        for source, folders in _folders_of(self._home, self._environ).items():
            for folder in folders:
                reader = _in_ollama if source == "ollama" else _in_folder
                yield from reader(folder, source)


def _folders_of(home: Path, environ: Mapping[str, str]) -> dict[ModelSource, tuple[Path, ...]]:
    """Return where other programs keep their models, by their documented settings."""
    if sys.platform == "win32":
        roaming = Path(environ.get("APPDATA") or home / "AppData/Roaming")
        local = Path(environ.get("LOCALAPPDATA") or home / "AppData/Local")
    elif sys.platform == "darwin":
        roaming = local = home / "Library/Application Support"
    else:
        roaming = local = Path(environ.get("XDG_DATA_HOME") or home / ".local/share")
    hugging_face = Path(environ.get("HF_HOME") or home / ".cache/huggingface")
    ollama = Path(environ.get("OLLAMA_MODELS") or home / ".ollama/models")
    return {
        "lm-studio": (home / ".lmstudio/models", home / ".cache/lm-studio/models"),
        "jan": (
            roaming / "Jan/data/llamacpp/models",
            roaming / "Jan/data/models",
            home / "jan/models",
        ),
        "gpt4all": (local / "nomic.ai/GPT4All",),
        # The second is the folder of Ollama's system service on Linux.
        "ollama": (ollama, Path("/usr/share/ollama/.ollama/models")),
        "hugging-face": (Path(environ.get("HF_HUB_CACHE") or hugging_face / "hub"),),
    }


def _in_folder(folder: Path, source: ModelSource) -> Iterator[_Candidate]:
    for path in _walk(folder, lambda name: name.lower().endswith(_ENDING)):
        if is_first_part(path):
            # Jan calls each file the same, in a folder with the model's name.
            name = path.parent.name if source == "jan" and path.name == "model.gguf" else ""
            yield _Candidate(path, source, name)


def _walk(folder: Path, is_wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Yield files below a folder, in order; folders that are links are not entered."""
    seen = 0
    for place, folders, files in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(folders) if depth < _DEEPEST else []
        seen += len(files) + len(folders)
        if seen > _MOST_ENTRIES:
            return
        yield from (Path(place, name) for name in sorted(files) if is_wanted(name))


def _in_ollama(folder: Path, source: ModelSource) -> Iterator[_Candidate]:
    for path in _walk(folder / "manifests", lambda _name: True):
        layers = dict(_layers_of(path))
        model = _blob(folder, layers.get(_OLLAMA_MODEL))
        if model is not None:
            projector = _blob(folder, layers.get(_OLLAMA_PROJECTOR))
            name = _name_of(path.relative_to(folder / "manifests").parts)
            yield _Candidate(model, source, name, projector)


def _layers_of(manifest: Path) -> Iterable[tuple[str, str]]:
    """Yield the kind and digest of each layer, the last of a kind last."""
    try:
        if manifest.stat().st_size > _MANIFEST_BYTES:
            return
        told = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    layers = told.get("layers") if isinstance(told, dict) else None
    for layer in layers if isinstance(layers, list) else []:
        match layer:
            case {"mediaType": str(kind), "digest": str(digest)}:
                yield kind, digest


def _blob(folder: Path, digest: str | None) -> Path | None:
    """Return the file of a digest, which is checked: anybody may have written the manifest."""
    mark = (digest or "").removeprefix(_DIGEST)
    is_mark = len(mark) == _DIGEST_CHARS and all(sign in "0123456789abcdef" for sign in mark)
    return folder / "blobs" / f"sha256-{mark}" if is_mark else None


def _name_of(parts: tuple[str, ...]) -> str:
    """Name a model as Ollama does: without its own host and its own maker."""
    host, *rest = parts
    names = [*rest] if host == _OLLAMA_HOST else [host, *rest]
    if names and names[0] == _OLLAMA_OWN:
        names = names[1:]
    *before, tag = names
    name = "/".join(before)
    return name if tag == "latest" else f"{name}:{tag}"
