"""Count what makes a code base hard to navigate, for `dev.py map`.

Standard library only, since it reads the sources as text and runs nothing of them.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

PRODUCT: Final = ("app", "local_tools", "local_server")
_UNNAMED: Final = frozenset({"__init__", "__main__"})


class Row(NamedTuple):
    """One line of the map: what was counted, the number, and the largest places."""

    what: str
    amount: int
    details: str = ""


class _Source(NamedTuple):
    """One file: its dotted name, its length and its syntax tree."""

    path: Path
    module: str
    lines: int
    tree: ast.Module


def rows(root: Path) -> list[Row]:
    """Return the counts of the product below `root`, and of its tests."""
    product = [source for folder in PRODUCT for source in _sources(root, folder)]
    tests = list(_sources(root, "tests"))
    return [
        Row("product files", len(product)),
        Row("product lines", sum(source.lines for source in product)),
        Row("test files", len(tests)),
        Row("test lines", sum(source.lines for source in tests)),
        _repeated("class names used twice", _classes(product)),
        _repeated("module names used twice", _modules(product)),
        _largest_folder(product),
        _beside_packages(product),
        _longest_file(product),
        _circles(product),
    ]


def text(counted: list[Row]) -> str:
    """Return the rows as an aligned table, the details of each below it."""
    width = max(len(row.what) for row in counted)
    lines = []
    for row in counted:
        lines.append(f"{row.what:<{width}} {row.amount:>7,}")
        if row.details:
            lines.append(f"    {row.details}")
    return "\n".join(lines)


def _sources(root: Path, folder: str) -> Iterator[_Source]:
    for path in sorted((root / folder).rglob("*.py")):
        content = path.read_text(encoding="utf-8")
        if not content:
            continue
        relative = path.relative_to(root)
        parts = relative.with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield _Source(relative, module, content.count("\n"), ast.parse(content))


def _classes(sources: list[_Source]) -> Counter[str]:
    return Counter(
        node.name
        for source in sources
        for node in source.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def _modules(sources: list[_Source]) -> Counter[str]:
    return Counter(source.path.stem for source in sources if source.path.stem not in _UNNAMED)


def _repeated(what: str, names: Counter[str]) -> Row:
    twice = [(name, count) for name, count in names.most_common() if count > 1]
    return Row(what, len(twice), ", ".join(f"{name} {count}" for name, count in twice))


def _largest_folder(sources: list[_Source]) -> Row:
    folder, count = Counter(source.path.parent.as_posix() for source in sources).most_common(1)[0]
    return Row("files in the largest folder", count, folder)


def _beside_packages(sources: list[_Source]) -> Row:
    names = [
        source.path.stem
        for source in sources
        if source.path.parent == Path("app") and source.path.stem not in _UNNAMED
    ]
    return Row("modules in app beside its packages", len(names), ", ".join(names))


def _longest_file(sources: list[_Source]) -> Row:
    longest = max(sources, key=lambda source: source.lines)
    return Row("lines of the longest file", longest.lines, longest.path.as_posix())


def _circles(sources: list[_Source]) -> Row:
    known = {source.module for source in sources}
    imports = {source.module: _imported(source.tree, known) for source in sources}
    circles = _connected(imports)
    return Row("circles of imports", len(circles), "; ".join(", ".join(one) for one in circles))


def _imported(tree: ast.Module, known: set[str]) -> set[str]:
    """Return the modules of the product that a module imports while it is itself imported."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & known or {node.module} & known
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & known
    return found


def _connected(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Return each set of modules that reach each other, by taking away what none needs."""
    left = {module: set(targets) - {module} for module, targets in imports.items()}
    while leaves := {module for module, targets in left.items() if not targets}:
        left = {m: targets - leaves for m, targets in left.items() if m not in leaves}
    groups: dict[frozenset[str], list[str]] = defaultdict(list)
    for module in sorted(left):
        reached = _reached(module, left)
        if module in reached:
            together = frozenset(m for m in reached if module in _reached(m, left))
            groups[together].append(module)
    return list(groups.values())


def _reached(start: str, imports: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for target in imports[waiting.pop()] - reached:
            reached.add(target)
            waiting.append(target)
    return reached
