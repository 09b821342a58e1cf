"""Mutation testing (`dev.py mutate`): find small faults in the code that no test notices.

mutmut makes the mutants. Its own runner is not used: it switches the mutants on inside one process
that has run the tests already, which our worker processes, started with an environment of their
own, would not see. Here each mutant is written into a copy of the tree, where every process finds
it, and its tests run in a process forked from one that has imported all libraries and none of
our modules (`mutation_worker.py`).
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from difflib import unified_diff
from itertools import count, islice
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Literal

from checkout import PACKAGING, ROOT
from coverage import CoverageData
from mutation_worker import PYTEST_OPTIONS
from processes import Failed, say

# The files to change, and the tests that are to notice: those of the same part of the program that
# open no window and start no database or engine.
TARGETS: Final[Mapping[str, tuple[str, ...]]] = {
    "app/approvals/*.py": ("tests/app/approvals/test_*.py",),
    "app/chat/*.py": (
        "tests/app/chat/test_*.py",
        "tests/app/viewmodels/approval/test_rule_page.py",
        "tests/app/viewmodels/tools/test_activity.py",
    ),
    "local_tools/execution/prepare.py": tuple(
        f"tests/local_tools/test_{name}.py"
        for name in ("prepare", "target", "file_tools", "host_actions", "runner")
    ),
    "local_tools/execution/tool_runner.py": tuple(
        f"tests/local_tools/{name}.py"
        for name in (
            "sandbox/test_commands",
            "test_ending",
            "test_runner",
            "test_waiting",
            "user_tools/test_tool_set",
        )
    ),
    "local_tools/ledger/*.py": (
        "tests/local_tools/test_*ledger*.py",
        "tests/local_tools/test_undo.py",
    ),
    "local_server/assistant/turn_service.py": tuple(
        f"tests/local_server/test_{name}.py"
        for name in (
            "chat_stream",
            "hand_overs",
            "conversations",
            "interruptions",
            "stored_first",
            "tool_result",
            "tool_rounds",
        )
    ),
    "local_server/auth.py": ("tests/local_server/test_auth.py",),
}
_COPIED: Final = ("app", "local_tools", "local_server", "packaging", "resources", "tests")
_NOT_COPIED: Final = shutil.ignore_patterns("__pycache__", "build", "dist", "node_modules", ".*")
_BASELINE_LIMIT_S: Final = 1800.0
# With a mutant, tests may take this many times as long; a mutant can make them wait for ever.
_TIMES_SLOWER: Final = 3.0
_LEAST_LIMIT_S: Final = 60.0
_CONTEXT_LINES: Final = 2
_TAIL: Final = 2000

Result = Literal["killed", "survived", "timeout", "no test"]


@dataclass(frozen=True)
class Mutant:
    """One small fault in one function.

    Attributes:
        path: The file, from the root of the tree.
        number: Which one of the mutants of this file.
        source: The source of the whole file with the fault.
        diff: The difference as a unified diff.
        lines: The lines of the function, in the file without the fault.
    """

    path: str
    number: int
    source: str
    diff: str
    lines: range

    @property
    def changed_line(self) -> str:
        """The first line that is different, as it is without the fault."""
        return next((line[1:].strip() for line in self.diff.splitlines()[2:] if line[0] == "-"), "")


@dataclass(frozen=True)
class Baseline:
    """How the tests go without a fault.

    Attributes:
        durations_s: How long each test that passed took, by its id.
        lines: Which tests reached a line, by file and line.
        failed: The tests that do not pass in the copy.
        libraries: The modules of others that the tests import.
    """

    durations_s: Mapping[str, float]
    lines: Mapping[str, Mapping[int, Sequence[str]]]
    failed: Sequence[str]
    libraries: Sequence[str]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach the function of a mutant; by file, the quickest first."""
        reached = self.lines.get(mutant.path, {})
        tests = {test for line in mutant.lines for test in reached.get(line, ())}
        found = tests & self.durations_s.keys()
        of_file: defaultdict[str, float] = defaultdict(float)
        for test in found:
            of_file[_file_of(test)] += self.durations_s[test]

        def order(test: str) -> tuple[float, str, float, str]:
            file = _file_of(test)
            return of_file[file], file, self.durations_s[test], test

        return sorted(found, key=order)


class _Source:
    """One file, and the mutations that mutmut has for its functions."""

    def __init__(self, root: Path, path: str) -> None:
        # Takes a second, which each process of the tests would spend on collecting.
        from mutmut.mutation.file_mutation import create_mutations  # noqa: PLC0415

        self._path = path
        self._text = (root / path).read_text(encoding="utf-8")
        self._module, self._mutations, _, _ = create_mutations(path, self._text)
        self.numbers = [
            number
            for number, mutation in enumerate(self._mutations)
            if mutation.contained_by_top_level_function is not None
        ]

    def mutant(self, number: int) -> Mutant:
        """Return the mutant that one of the numbers stands for."""
        mutation = self._mutations[number]
        changed = self._module.deep_replace(mutation.original_node, mutation.mutated_node)
        source = self._module.code_for_node(changed)
        old, new = self._text.splitlines(keepends=True), source.splitlines(keepends=True)
        diff = "".join(unified_diff(old, new, self._path, self._path, n=_CONTEXT_LINES))
        pairs = zip(old, new, strict=False)
        line = next(n for n, (before, after) in enumerate(pairs, 1) if before != after)
        functions = _functions(ast.parse(self._text))
        lines = next((lines for lines in functions if line in lines), range(0))
        return Mutant(self._path, number, source, diff, lines)


class Copy:
    """A copy of the tree with an environment whose every process imports the copy.

    Use it as a context manager; leaving it ends the processes that were started in it.
    """

    def __init__(self, tree: Path, folder: Path) -> None:
        self._root = folder
        self._times = count(1)
        shutil.copytree(
            tree,
            folder,
            ignore=shutil.ignore_patterns(".venv", ".notes"),
            dirs_exist_ok=True,
        )
        venv.create(folder / ".venv", symlinks=True)
        packages = next((folder / ".venv").glob("lib/python*/site-packages"))
        others = [path for path in sys.path if Path(path).name == "site-packages"]
        lines = [str(folder), str(PACKAGING), *others]
        (packages / "copy.pth").write_text("\n".join(lines), encoding="utf-8")
        self._worker: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Copy":
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.communicate()

    def baseline(self, tests: Sequence[str], sources: Sequence[str]) -> Baseline:
        """Run the tests as they are, in as many processes as there are cores.

        Args:
            tests: Files of tests.
            sources: The files to watch.

        Raises:
            Failed: pytest could not run them.
        """
        notes = self._root / ".notes"
        notes.mkdir()
        variables = self._variables(
            MUTATION_NOTES=str(notes), MUTATION_SOURCES=os.pathsep.join(sources)
        )
        command = [*self._python(), "-m", "pytest", "-q", "-p", "mutation_worker", *PYTEST_OPTIONS]

        def run_tests(files: Sequence[str]) -> None:
            done = subprocess.run(
                [*command, *files],
                cwd=self._root,
                env=variables,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                timeout=_BASELINE_LIMIT_S,
                check=False,
            )
            if done.returncode not in (0, 1):
                raise Failed(f"The tests cannot be run:\n{done.stdout[-_TAIL:]}")

        cores = os.cpu_count() or 1
        groups = [group for n in range(cores) if (group := tests[n::cores])]
        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(run_tests, groups))
        return _read_notes(notes, self._root)

    def begin(self, libraries: Sequence[str]) -> None:
        """Start the process that the tests of each mutant are forked from."""
        self._worker = subprocess.Popen(
            [*self._python(), str(PACKAGING / "mutation_worker.py")],
            cwd=self._root,
            env=self._variables(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self._ask({"libraries": list(libraries)})

    def test(self, mutant: Mutant, tests: Sequence[str], limit_s: float) -> Result:
        """Run tests with a mutant in place, up to the first that fails."""
        path = self._root / mutant.path
        source, before = path.read_bytes(), path.stat()
        path.write_text(mutant.source, encoding="utf-8")
        # Python's bytecode cache identifies a source by its size and its time in seconds, so no
        # two mutants may share both.
        os.utime(path, (before.st_atime, before.st_mtime + next(self._times)))
        try:
            answer = self._ask({"tests": list(tests), "limit_s": limit_s})
        finally:
            path.write_bytes(source)
            os.utime(path, (before.st_atime, before.st_mtime))
        if answer["code"] is None:
            return "timeout"
        return "survived" if answer["code"] == 0 else "killed"

    def _ask(self, question: Mapping[str, object]) -> dict[str, int | None]:
        worker = self._worker
        if worker is None or worker.stdin is None or worker.stdout is None:
            raise RuntimeError("begin() comes first")
        worker.stdin.write(json.dumps(question) + "\n")
        worker.stdin.flush()
        if not (line := worker.stdout.readline()):
            raise Failed("The process that runs the tests has ended.")
        answer: dict[str, int | None] = json.loads(line)
        return answer

    def _python(self) -> tuple[str, ...]:
        return (str(self._root / ".venv" / "bin" / "python"),)

    def _variables(self, **more: str) -> dict[str, str]:
        # Beside the tree: no tool may write into the folder of the program that runs it.
        scratch = self._root.with_name(f"{self._root.name}-tmp")
        scratch.mkdir(exist_ok=True)
        own = {"TMPDIR": str(scratch), "QT_QPA_PLATFORM": "offscreen"}
        others = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**others, **own, **more}


def sample(root: Path, paths: Sequence[str], *, seed: int, size: int) -> list[Mutant]:
    """Return mutants of functions in these files, the same for the same seed and sources.

    Args:
        root: The tree.
        paths: The files, from its root.
        seed: Another one draws others.
        size: How many to draw; fewer where there are no more.
    """
    sources = {path: _Source(root, path) for path in paths}
    everything = [(path, n) for path, source in sources.items() for n in source.numbers]
    say(f"{len(everything)} mutants in {len(paths)} files.")
    random.Random(seed).shuffle(everything)  # noqa: S311  # Nothing is to be kept secret.
    mutants = (sources[path].mutant(number) for path, number in everything)
    # A fault in the body of a class shows, if at all, when the module is imported; nobody's test
    # reads a log message.
    wanted = (m for m in mutants if m.lines and not m.changed_line.startswith("log."))
    return sorted(islice(wanted, size), key=lambda mutant: (mutant.path, mutant.number))


def run(root: Path, mutants: Sequence[Mutant], tests: Sequence[str]) -> dict[Mutant, Result]:
    """Run the tests of each mutant, several mutants at a time.

    Args:
        root: The tree, which stays as it is.
        mutants: Of this tree.
        tests: Files and folders of tests to choose from.

    Raises:
        Failed: The tests cannot be run at all.
    """
    with tempfile.TemporaryDirectory(prefix="parley-mutants-") as name, ExitStack() as stack:
        folder = Path(name)
        _copy_tree(root, folder / "tree")
        copies = [stack.enter_context(Copy(folder / "tree", folder / "0"))]
        say("Running the tests without a mutant.")
        baseline = copies[0].baseline(tests, sorted({mutant.path for mutant in mutants}))
        if baseline.failed:
            say(f"Left out, since they fail in the copy: {', '.join(baseline.failed)}")
        say(f"{len(baseline.durations_s)} tests pass.")
        # What the first has compiled serves the others.
        others = (Copy(folder / "0", folder / str(n)) for n in range(1, os.cpu_count() or 1))
        copies += map(stack.enter_context, others)
        return _run_all(mutants, baseline, copies)


def report(results: Mapping[Mutant, Result]) -> str:
    """Return the counts of each file as a table, then each mutant that was not noticed."""
    kinds: tuple[Result, ...] = ("killed", "survived", "timeout", "no test")
    by_file: dict[str, Counter[str]] = {}
    for mutant, result in results.items():
        by_file.setdefault(mutant.path, Counter())[result] += 1
    by_file["all"] = sum(by_file.values(), Counter())
    width = max(map(len, by_file))
    lines = [f"{'':<{width}} {' '.join(f'{kind:>9}' for kind in kinds)}"]
    for path, counted in by_file.items():
        lines.append(f"{path:<{width}} {' '.join(f'{counted[kind]:>9}' for kind in kinds)}")
    for mutant, result in results.items():
        if result != "killed":
            lines.append(f"\n{result}: mutant {mutant.number} of {mutant.path}\n{mutant.diff}")
    noticed = by_file["all"]["killed"] + by_file["all"]["timeout"]
    share = noticed / max(1, len(results))
    return "\n".join([*lines, f"{noticed} of {len(results)} were noticed ({share:.0%})."])


def main(arguments: list[str]) -> int:
    """Draw a sample, run it and print how it went."""
    options = _parser().parse_args(arguments)
    chosen = {
        path.relative_to(ROOT).as_posix(): tests
        for pattern, tests in TARGETS.items()
        for path in sorted(ROOT.glob(pattern))
        if not options.part or path.relative_to(ROOT).as_posix().startswith(tuple(options.part))
    }
    if not chosen:
        print(f"Nothing of {', '.join(TARGETS)} begins so.", file=sys.stderr)
        return 2
    mutants = sample(ROOT, sorted(chosen), seed=options.seed, size=options.count)
    patterns = dict.fromkeys(test for m in mutants for test in chosen[m.path])
    tests = [
        path.relative_to(ROOT).as_posix()
        for pattern in patterns
        for path in sorted(ROOT.glob(pattern))
    ]
    try:
        results = run(ROOT, mutants, tests)
    except Failed as failure:
        say(str(failure))
        return 1
    print(report(results))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py mutate")
    parser.add_argument("part", nargs="*", help="files or folders to mutate; default all")
    parser.add_argument("--count", type=int, default=300, help="the number of mutants; default 300")
    parser.add_argument(
        "--seed", type=int, default=1, help="the seed of the random choice; default 1"
    )
    return parser


def _run_all(
    mutants: Sequence[Mutant], baseline: Baseline, copies: Sequence[Copy]
) -> dict[Mutant, Result]:
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        copy.begin(baseline.libraries)
        free.put(copy)
    done = count(1)

    def test(mutant: Mutant) -> Result:
        tests = baseline.tests_of(mutant)
        if not tests:
            return "no test"
        expected_s = sum(baseline.durations_s[one] for one in tests)
        copy = free.get()
        try:
            result = copy.test(mutant, tests, _LEAST_LIMIT_S + _TIMES_SLOWER * expected_s)
        finally:
            free.put(copy)
        say(f"{next(done)}: {result} by {len(tests)} tests: {mutant.number} of {mutant.path}")
        return result

    with ThreadPoolExecutor(len(copies)) as pool:
        return dict(zip(mutants, pool.map(test, mutants), strict=True))


def _copy_tree(root: Path, folder: Path) -> None:
    folder.mkdir()
    for name in _COPIED:
        if (root / name).exists():
            shutil.copytree(root / name, folder / name, ignore=_NOT_COPIED)
    for file in root.glob("*.*"):
        if file.is_file():
            shutil.copy2(file, folder)


def _read_notes(notes: Path, root: Path) -> Baseline:
    durations: dict[str, float] = {}
    failed: list[str] = []
    libraries: dict[str, None] = {}
    for file in sorted(notes.glob("*.json")):
        noted = json.loads(file.read_text(encoding="utf-8"))
        durations.update(noted["durations_s"])
        failed += noted["failed"]
        libraries.update(dict.fromkeys(noted["libraries"]))
    reached: dict[str, dict[int, list[str]]] = {}
    for file in notes.glob("coverage.*"):
        data = CoverageData(str(file))
        data.read()
        for path in data.measured_files():
            lines = reached.setdefault(Path(path).relative_to(root).as_posix(), {})
            for line, tests in data.contexts_by_lineno(path).items():
                lines.setdefault(line, []).extend(tests)
    passed = {test: seconds for test, seconds in durations.items() if test not in failed}
    return Baseline(passed, reached, failed, list(libraries))


def _functions(tree: ast.Module | ast.ClassDef) -> Iterator[range]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _file_of(test: str) -> str:
    return test.partition("::")[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
