"""List the files of a folder with size and SHA-256, to verify them later and compare builds."""

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


def differences(one: Path, other: Path) -> list[str]:
    """Return what differs between two folders, a line for each file; empty when nothing does."""
    first, second = _modes_and_digests(one), _modes_and_digests(other)
    lines = [f"only in the first: {name}" for name in sorted(first.keys() - second.keys())]
    lines += [f"only in the second: {name}" for name in sorted(second.keys() - first.keys())]
    shared = sorted(first.keys() & second.keys())
    return [*lines, *(f"not the same: {name}" for name in shared if first[name] != second[name])]


def _write(path: Path, contents: Mapping[str, object]) -> Path:
    text = json.dumps(contents, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return path


def _modes_and_digests(folder: Path) -> dict[str, tuple[int, str]]:
    """Return the rights and the contents of each file, by its path below the folder."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mode, digest(path))
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }
