"""Print a table of what takes the space in a folder."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

MIB: Final = 1024 * 1024
LIMIT_MIB: Final = 220
_ROWS: Final = 12


def size_of(folder: Path) -> int:
    """Return the total size in bytes of all files below a folder."""
    return sum(size for _, size in _files(folder))


def groups(folder: Path) -> list[tuple[str, int]]:
    """Return what is in the folder by what it belongs to, with its bytes, largest first."""
    sums: Counter[str] = Counter()
    for path, size in _files(folder):
        sums[_group(path)] += size
    return sums.most_common()


def table(folder: Path) -> str:
    """Return the largest groups and the whole, one a line."""
    found = groups(folder)
    rest = sum(size for _, size in found[_ROWS:])
    rows = [*found[:_ROWS], ("all others", rest)] if rest else found
    total = size_of(folder)
    lines = [f"{size / MIB:8.1f} MiB  {100 * size / total:3.0f} %  {name}" for name, size in rows]
    verdict = "within" if total <= LIMIT_MIB * MIB else "MORE than"
    lines.append(f"{total / MIB:8.1f} MiB  in all, {verdict} the {LIMIT_MIB} MiB allowed")
    return "\n".join(lines)


def _files(folder: Path) -> Iterator[tuple[PurePosixPath, int]]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield PurePosixPath(path.relative_to(folder).as_posix()), path.stat().st_size


def _group(path: PurePosixPath) -> str:
    """Return the top part below the folder of libraries; of Qt one more, as it is half of all."""
    parts = path.parts[1:] if path.parts[0] == "_internal" else path.parts
    if parts[0] == "PySide6":
        if path.name.startswith("libicu"):
            return "Unicode data of Qt (ICU)"
        return "Qt" if "Qt" in parts else "Qt for Python"
    if len(parts) == 1 and ".so" in path.name:
        return "Python and libraries of the system"
    if parts[0].startswith("python3."):
        return "Python's own modules in C"
    return "Executables, with their Python modules" if len(path.parts) == 1 else parts[0]
