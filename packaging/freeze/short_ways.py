"""Short ways to what PyInstaller finds out by long ones. What it finds out stays the same.

It takes what a module imports from its text, where it looks at expressions too, which can hold no
import. Of the code it then only wants the names that are assigned, and takes every instruction of
every function apart for them. And what a package consists of it asks the package itself, each time
in a process of its own, where a look at the folders says it.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dis import EXTENDED_ARG, opmap
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder
from pkgutil import iter_modules
from types import CodeType
from typing import Any, Final, Protocol

# The PyInstaller with which a build by these was a build by its long ways, byte for byte. Of any
# other that has to be seen anew: take `take()` out of the specification for one of the builds.
COMPARED_WITH: Final = "6.22.3"
# Where a statement has others, in the order of the text.
_BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
_ASSIGNS: Final = bytes(opmap[name] for name in ("STORE_NAME", "STORE_GLOBAL"))
_DELETES: Final = bytes(opmap[name] for name in ("DELETE_NAME", "DELETE_GLOBAL"))
# With what comes before an instruction whose argument is longer than a byte.
_INSTRUCTION: Final = re.compile(
    b"%b*[%b]" % (re.escape(bytes([EXTENDED_ARG])), re.escape(_ASSIGNS + _DELETES))
)


class Names(Protocol):
    """The names that a module has, as PyInstaller keeps them."""

    def add_global_attr(self, name: str) -> None:
        """One is assigned."""

    def remove_global_attr_if_found(self, name: str) -> None:
        """One is deleted."""


def take() -> None:
    """Has PyInstaller take them; before it looks at anything.

    A version of which nobody knows whether they still lead to the same goes its own ways.
    """
    from PyInstaller import __version__  # noqa: PLC0415 - only there while freezing

    if __version__ == COMPARED_WITH:
        _put_all()


def _put_all() -> None:
    from PyInstaller.depend import analysis  # noqa: PLC0415
    from PyInstaller.lib.modulegraph import modulegraph  # noqa: PLC0415
    from PyInstaller.utils import hooks  # noqa: PLC0415
    from PyInstaller.utils.hooks import setuptools  # noqa: PLC0415

    _put(modulegraph.ModuleGraph, "_scan_bytecode", _scanning)
    _put(modulegraph._Visitor, "generic_visit", lambda _: visit_statements)  # noqa: SLF001
    for module in (hooks, analysis):
        _put(module, "collect_submodules", lambda theirs: partial(submodules, theirs))
    _put(hooks, "get_module_file_attribute", lambda theirs: partial(file_of, theirs))
    # It is there for PyInstaller; nothing of it gets into the program.
    _put(setuptools, "_retrieve_setuptools_info", lambda _: lambda: None)


def note_names(names: Names, code: CodeType) -> None:
    """Tells which names code assigns and deletes, in order, and then those of the code within."""
    units = code.co_code
    for found in _INSTRUCTION.finditer(units[::2]):
        begin, end = 2 * found.start(), 2 * found.end()
        name = code.co_names[int.from_bytes(units[begin + 1 : end : 2], "big")]
        if units[end - 2] in _ASSIGNS:
            names.add_global_attr(name)
        else:
            names.remove_global_attr_if_found(name)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            note_names(names, constant)


def visit_statements(visitor: ast.NodeVisitor, node: ast.AST) -> None:
    """Visits the statements that a node has, and no expressions."""
    for block in _BLOCKS:
        for statement in getattr(node, block, ()):
            visitor.visit(statement)


def submodules(
    theirs: Callable[..., list[str]],
    package: str,
    filter: Callable[[str], object] = bool,  # noqa: A002 - they say so by name
    on_error: str = "warn once",
) -> list[str]:
    """The modules in a package and itself, sorted.

    Args:
        theirs: The long way, for what is no package in a folder.
        package: Its name, with dots.
        filter: Tells for each name whether it is wanted, and what is in it.
        on_error: What `theirs` does when a package cannot be imported.
    """
    spec = _found(package)
    if spec is None or spec.submodule_search_locations is None:
        return theirs(package, filter, on_error)
    return sorted(_within(spec, filter))


def file_of(theirs: Callable[[str], str], module: str) -> str:
    """The file of a module.

    Args:
        theirs: The long way, for what no folder has.
        module: Its name, with dots.
    """
    spec = _found(module)
    if spec is None or spec.origin is None:
        return theirs(module)
    return spec.origin


def _put(owner: Any, name: str, way: Callable[[Any], object]) -> None:
    """Puts our way in the place of theirs, which has to be there."""
    setattr(owner, name, way(getattr(owner, name)))


def _scanning(theirs: Callable[..., None]) -> Callable[..., None]:
    def scan(graph: object, module: Names, code: CodeType, is_scanning_imports: bool) -> None:
        if is_scanning_imports:
            # There is no text.
            theirs(graph, module, code, is_scanning_imports)
        else:
            note_names(module, code)

    return scan


def _within(package: ModuleSpec, is_wanted: Callable[[str], object]) -> Iterator[str]:
    if is_wanted(package.name):
        yield package.name
    for found in iter_modules(package.submodule_search_locations, f"{package.name}."):
        if is_wanted(found.name):
            spec = _found(found.name) if found.ispkg else None
            yield from _within(spec, is_wanted) if spec else [found.name]


def _found(name: str) -> ModuleSpec | None:
    """Where a module is, without importing what it is in."""
    first, *others = name.split(".")
    spec = PathFinder.find_spec(first)
    for part in others:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    return spec
