"""Large packages that are taken whole: everything in them, found by reading statements only.

For thousands of modules that a program wrote, all alike, PyInstaller would find out what each
imports of the others, and keep all their docstrings: more time, and more room in the folder.
"""

import ast
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from freeze.short_ways import BLOCKS

# Destination, here the name of the module; source; kind: PyInstaller's own terms.
Entry: TypeAlias = tuple[str, str, str]

# Without docstrings, of which they are full.
_KIND: Final = "PYMODULE-2"


def entries(package: str, site: Path | None = None) -> list[Entry]:
    """All modules of a package, as PyInstaller takes them.

    Args:
        package: Its name, with dots.
        site: The folder of packages; by default that of the Python that runs.
    """
    return [(name, os.fspath(path), _KIND) for name, path in _modules(package, _site(site))]


def imports(packages: Sequence[str], site: Path | None = None) -> list[str]:
    """What the modules of packages import that is in none of these packages, sorted.

    Args:
        packages: Their names, with dots.
        site: The folder of packages; by default that of the Python that runs.
    """
    folder, inside = _site(site), tuple(f"{package}." for package in packages)
    found = set[str]()
    for package in packages:
        for name, path in _modules(package, folder):
            parts = name.split(".")
            parent = parts if path.stem == "__init__" else parts[:-1]
            for statement in _statements(ast.parse(path.read_bytes())):
                found.update(_imported(statement, parent, folder))
    outside = {name for name in found if not f"{name}.".startswith(inside)}
    return sorted(name for name in outside if _exists(name, folder))


def _modules(package: str, site: Path) -> Iterator[tuple[str, Path]]:
    top = site.joinpath(*package.split("."))
    for path in sorted(top.rglob("*.py")):
        parts = path.relative_to(site).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), path


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements, those within others too; no expressions, which are nearly everything."""
    waiting = [tree]
    while waiting:
        statement = waiting.pop()
        yield statement
        for block in BLOCKS:
            waiting.extend(getattr(statement, block, ()))


def _imported(statement: ast.AST, parent: list[str], site: Path) -> Iterator[str]:
    """The modules that a statement in a module of the package `parent` imports."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        above = parent[: len(parent) - statement.level + 1] if statement.level else []
        base = ".".join([*above, *filter(None, [statement.module])])
        yield base
        below = (f"{base}.{alias.name}" for alias in statement.names)
        yield from (name for name in below if _is_in(name, site))


def _exists(name: str, site: Path) -> bool:
    """Tells whether there is such a module: what a package can do without may not be installed."""
    return name.partition(".")[0] in sys.stdlib_module_names or _is_in(name, site)


def _is_in(name: str, site: Path) -> bool:
    path = site.joinpath(*name.split("."))
    return path.name in _names_in(path.parent)


@cache
def _names_in(folder: Path) -> frozenset[str]:
    """What lies in a folder, without endings; thousands of names are looked for in a few."""
    if not folder.is_dir():
        return frozenset()
    return frozenset(path.name.partition(".")[0] for path in folder.iterdir())


def _site(site: Path | None) -> Path:
    return site or Path(sysconfig.get_path("purelib"))
