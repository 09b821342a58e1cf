"""The limits and bans of our code style, checked on parsed files; a fault names line and rule."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

# Upper limits, not goals: a file is split when it has two subjects, however short it is.
FILE_LINES = 600
FUNCTION_LINES = 60
CLASS_LINES = 400
NESTING = 3

# Three places may catch whatever comes, and each logs it: the task owner; the tool runner, at both
# ends of its pipe; and the server's error handler, for plain answers and for streams.
_MAY_CATCH_ALL = frozenset(
    {
        "app/tasks.py",
        "local_tools/outcome.py",
        "local_tools/execution/worker.py",
        "local_server/middleware.py",
        "local_server/sse.py",
    }
)
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_BLOCK_PARTS = (ast.stmt, ast.excepthandler, ast.match_case)
_IO_MODULES = frozenset({"httpx", "keyring", "asyncio", "subprocess", "sqlite3"})
_LOADS_CODE = frozenset({"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"})
_EVALUATES = frozenset({"eval", "exec", "builtins.eval", "builtins.exec", "os.system"})
_YAML = frozenset({"yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load"})
_WORD = re.compile(r"\w+")
_QT = "PySide6"
_QT_LAYERS = ("app/ui/", "app/viewmodels/", "app/self_test/")
_QT_FILES = frozenset(
    {
        "app/main.py",
        "app/self_test.py",
        "app/composition.py",
        "app/event_loop.py",
        "app/platform/single_instance.py",
        "app/platform/instance_channel.py",
        "app/lifecycle.py",
    }
)


def faults_of(path: str, source: str) -> list[str]:
    """Return every breach of the style in one file of the product."""
    nodes = _nodes(source)
    found = [*_lengths(nodes, source), *_shapes(nodes), *_names(nodes)]
    found += [*_catches(path, nodes), *_imports(path, nodes), *_running_of_data(nodes)]
    return [f"{path}:{line}: {rule}" for line, rule in found]


def size_faults_of(path: str, source: str) -> list[str]:
    """Return what is too long in a file that does not ship."""
    sizes = _lengths(tuple(_statements(ast.parse(source))), source)
    return [f"{path}:{line}: {rule}" for line, rule in sizes]


def named_tools(source: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines whose texts name one of these tools; docstrings may."""
    if not any(name in source for name in names):
        return
    nodes = _nodes(source)
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        # A name of one word is a word of English sentences, too.
        words = {node.value} | {word for word in _WORD.findall(node.value) if "_" in word}
        if id(node) not in docstrings:
            yield from ((node.lineno, name) for name in sorted(words & set(names)))


def product_files(root: Path) -> list[Path]:
    """Return every Python file that ships."""
    folders = ("app", "local_tools", "local_server")
    return [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]


def _nodes(source: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a file: to walk through them takes longer than any rule."""
    return tuple(ast.walk(ast.parse(source)))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all that blocks are made of, without the expressions, which are most of a file."""
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else ():
            if isinstance(child, _BLOCK_PARTS):
                yield child
                yield from _statements(child)


def _lengths(nodes: Sequence[ast.AST], source: str) -> Iterator[tuple[int, str]]:
    lines = source.count("\n")
    if lines > FILE_LINES:
        yield 1, f"the file has {lines} lines"
    for node in nodes:
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            limit = CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES
            if _length(node) > limit:
                yield node.lineno, f"{node.name} has {_length(node)} lines"


def _shapes(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, _FUNCTIONS) and _depth(node) > NESTING:
            yield node.lineno, f"{node.name} is nested {_depth(node)} deep"


def _running_of_data(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield where data could be run as code (app/CONTRIBUTING.md, row 32)."""
    for node in nodes:
        if isinstance(node, ast.Call):
            yield from _evaluates(node)
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in module or [alias.name for alias in node.names]:
                if name.partition(".")[0] in _LOADS_CODE:
                    yield node.lineno, f"imports {name}, which runs what it reads"


def _evaluates(call: ast.Call) -> Iterator[tuple[int, str]]:
    called = _dotted(call.func)
    plain = any(
        item.arg == "Loader" and "BaseLoader" in ast.unparse(item.value) for item in call.keywords
    )
    if called in _EVALUATES or (called in _YAML and not plain):
        yield call.lineno, f"calls {called}, which runs what it is given"


def _dotted(node: ast.expr) -> str:
    """Return a name with its dots; much faster than to write out any expression."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(ast.Name(owner), name):
            return f"{owner}.{name}"
    return ""


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _depth(node: ast.AST, depth: int = 0) -> int:
    """Return the nesting depth of blocks; an `elif` is no deeper than its `if`."""
    deepest = depth
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else []
        is_elif = name == "orelse" and isinstance(node, ast.If) and len(children) == 1
        for child in children:
            if isinstance(child, _BLOCK_PARTS) and not isinstance(child, _DEFINITIONS):
                step = isinstance(child, _BLOCKS) and not (is_elif and isinstance(child, ast.If))
                deepest = max(deepest, _depth(child, depth + step))
    return deepest


def _catches(path: str, nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = ast.unparse(node.type) if node.type else "everything"
        reraises = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
        is_broad = caught == "everything" or caught in {"Exception", "BaseException"}
        if is_broad and not reraises and path not in _MAY_CATCH_ALL:
            yield node.lineno, f"catches {caught}"


def _imports(path: str, nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    for line, name in _imported(nodes):
        package = name.partition(".")[0]
        if name == "typing.TYPE_CHECKING":
            yield line, "imports TYPE_CHECKING, which means a cycle"
        if package == _QT and not path.startswith(_QT_LAYERS) and path not in _QT_FILES:
            yield line, f"imports {name} below the view models"
        if package == _QT and path.startswith("app/viewmodels/") and ".QtCore" not in name:
            yield line, f"imports {name}, but view models know QtCore only"
        if package in _IO_MODULES and path.startswith("app/ui/"):
            yield line, f"imports {name}, but widgets do no I/O"


def _imported(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def _names(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute, ast.alias)):
            name = getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))
            if name.endswith("QMessageBox"):
                yield node.lineno, "uses QMessageBox, whose Enter means yes"
