"""The list of the files of a folder: size and SHA-256 of each, for whoever checks them later."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

NAME: Final = "manifest.json"
SUMS_NAME: Final = "SHA256SUMS"


def write_manifest(folder: Path, version: str) -> Path:
    """Write `manifest.json` of everything else in the folder.

    Its form: `{"version": …, "files": {"path/below/it": {"size": …, "sha256": …}}}`, with `/` in
    the paths on every system. Links are left out: what they lead to is listed.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    files = {
        path.relative_to(folder).as_posix(): {"size": path.stat().st_size, "sha256": digest(path)}
        for path in paths
        if path != folder / NAME
    }
    return _write(folder / NAME, {"version": version, "files": dict(sorted(files.items()))})


def write_sums(files: Iterable[Path], into: Path) -> Path:
    """Write `SHA256SUMS` of some files, which `sha256sum --check` reads."""
    lines = [f"{digest(path)}  {path.name}\n" for path in sorted(files)]
    target = into / SUMS_NAME
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    return target


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, contents: Mapping[str, object]) -> Path:
    text = json.dumps(contents, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return path
