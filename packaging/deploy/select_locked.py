"""Print the part of a lock file that the image of the service needs, with its hashes.

The lock holds the whole program with its window, whose libraries alone are 250 MB. The selected
packages are installed with `--no-deps`: their dependencies are in the lock, too.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# Libraries of the window that are large and that no module of the service imports.
WINDOW_ONLY = frozenset({"pyside6-essentials", "shiboken6", "qasync"})
# What the extra `cluster` adds; only the lock for development has it.
CLUSTER = frozenset({"async-timeout", "asyncpg", "greenlet", "prometheus-client", "redis"})
# What turns the source into a wheel.
BUILD = frozenset({"hatchling", "packaging", "pathspec", "pluggy", "trove-classifiers"})

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def select(lock: str, part: str) -> str:
    """Write the requirements of one part, `service`, `cluster` or `build`, as they are in the lock.

    Raises:
        ValueError: An expected package is not in the lock any more.
    """
    requirements = list(_requirements(lock))
    names = {name for name, _ in requirements}
    meant = {"service": WINDOW_ONLY, "cluster": CLUSTER, "build": BUILD}[part]
    if missing := meant - names:
        raise ValueError(f"not in the lock: {', '.join(sorted(missing))}")
    wanted = names - WINDOW_ONLY if part == "service" else meant
    return "".join(text for name, text in requirements if name in wanted)


def _requirements(lock: str) -> Iterator[tuple[str, str]]:
    """Yield each requirement's name and its lines: a head, and the hashes, which are indented."""
    lines: list[str] = []
    for line in [*lock.splitlines(keepends=True), "end\n"]:
        if line[0] not in " #\n" and lines:
            name = _NAME.match(lines[0])
            if name:
                yield name[0].lower(), "".join(lines)
            lines = []
        if line[0] not in "#\n":
            lines.append(line)


if __name__ == "__main__":
    part, path = sys.argv[1:]
    sys.stdout.write(select(Path(path).read_text(encoding="utf-8"), part))
