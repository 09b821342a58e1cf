"""Whether two builds are the same, byte by byte."""

from pathlib import Path

from freeze.manifest import digest


def differences(one: Path, other: Path) -> list[str]:
    """Return what differs between two folders, a line for each file; empty when nothing does."""
    first, second = _known(one), _known(other)
    lines = [f"only in the first: {name}" for name in sorted(first.keys() - second.keys())]
    lines += [f"only in the second: {name}" for name in sorted(second.keys() - first.keys())]
    shared = sorted(first.keys() & second.keys())
    return [*lines, *(f"not the same: {name}" for name in shared if first[name] != second[name])]


def _known(folder: Path) -> dict[str, tuple[int, str]]:
    """Return the rights and the contents of each file, by its path below the folder."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mode, digest(path))
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }
