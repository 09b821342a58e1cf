"""Set up, run and test Parley from a checkout; Python and pip are all it needs.

usage: python3 packaging/dev.py [VERB] [ARGUMENTS]

  run        open the app (the same without a verb); arguments go to it: dev.py -- --help
  test       run the checks and all tests; with arguments only pytest: dev.py test -k name
  check      run the linter, formatter, type checker, import contracts and deptry
  setup      install what Parley and its tests need, and start nothing
  build      freeze the program and make its installers: dev.py build --help
  map        count files, lines, names used twice and circles of imports
  bench      measure a part against its goals: dev.py bench gui|service|soak|tools
  mutate     run mutation tests: dev.py mutate --count 60
  release    sign an announcement of an update: dev.py release key|sign
  lock       update the lock files; arguments go to uv: dev.py lock --upgrade
  pictures   save screenshots of every page of the window: dev.py pictures FOLDER
  translate  update the translation files from the sources
  help       print this text

Every verb first installs what it needs, without asking: `.venv` with exactly the locked packages,
and the system libraries of Qt. If nothing has changed, that takes a moment. dev.py VERB --help
prints the help of a verb and does nothing else.
"""

# A Python that is too old must come as far as the sentence that says so. Therefore this file and
# python_version.py are written so that any Python 3 can read them, and the rest is imported later.
import sys

from python_version import is_supported, refusal

if not is_supported(*sys.version_info[:2]):
    sys.exit(refusal(*sys.version_info[:2]))

import os
import signal
from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import benchmark_peer
import code_map
import contact_sheet
import environment
import lock_files
import system_packages
import tool_servers
import translations
from checkout import PACKAGING, ROOT, program
from processes import Failed, alongside, become, say, succeeds

CHECKS: Final = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("lint-imports", "--no-logo"),
    ("deptry", "."),
)
_TYPES: Final = ("mypy",)
# As argparse ends, which some verbs leave their arguments to.
_EXIT_MISUSED: Final = 2


class UsageError(Exception):
    """Invalid arguments of a verb; the message is a sentence for the user."""


class Benchmark(NamedTuple):
    """The module that measures a part, and whether it does so beside another program."""

    module: str
    has_peer: bool


BENCHMARKS: Final = {
    "gui": Benchmark("tests.benchmarks.gui", has_peer=False),
    "service": Benchmark("tests.benchmarks.service", has_peer=True),
    "soak": Benchmark("tests.benchmarks.soak", has_peer=False),
    "tools": Benchmark("tests.benchmarks.tools", has_peer=False),
}
_RELEASE_STEPS: Final = ("key", "sign")

# One process more than there are cores, since tests wait for other programs for half of their time,
# but not so many that their windows and services are in each other's way. A file's tests stay
# together, since they share what is slow to start; files begin in the order of the collection.
_TEST_PROCESSES: Final = min(4, (os.cpu_count() or 1) + 1)
_ALL_TESTS: Final = ("-n", str(_TEST_PROCESSES), "--dist", "loadfile", "--no-loadscope-reorder")


def run(arguments: list[str]) -> None:
    """Open the app; without a display the app tests itself instead."""
    variables = environment.make_ready_beside(system_packages.make_ready, only_to_run=True)
    if not _has_display():
        variables["QT_QPA_PLATFORM"] = "offscreen"
        if not arguments:
            arguments = ["--self-test"]
        say(f"There is no display here: going on offscreen as parley {' '.join(arguments)}")
    become([program("parley"), *arguments], variables)


def test(arguments: list[str]) -> None:
    """Run the checks and all tests, the types beside them, or pytest alone with arguments."""
    variables = environment.make_ready_beside(partial(system_packages.make_ready, for_tests=True))
    tool_servers.make_ready()
    os.chdir(ROOT)
    # The tests start hundreds of programs: each would compile all that it imports, where the
    # person's variables keep Python from writing down what it compiled.
    variables["PYTHONDONTWRITEBYTECODE"] = ""
    if arguments:
        become([program("pytest"), *arguments], variables)
    _check(CHECKS)
    # Takes a minute of one core.
    with alongside([program(_TYPES[0])], doing="Checking types beside the tests", cwd=ROOT):
        have_passed = succeeds([program("pytest"), *_ALL_TESTS], cwd=ROOT, variables=variables)
    if not have_passed:
        raise Failed("Not all tests passed.")


def check(arguments: list[str]) -> None:
    """Run every check, also after one has failed, so that all findings show at once."""
    _expect_none(arguments)
    environment.make_ready()
    _check((*CHECKS, _TYPES))


def setup(arguments: list[str]) -> None:
    """Make everything ready and start nothing."""
    _expect_none(arguments)
    environment.make_ready_beside(system_packages.make_ready)
    say("Everything is ready.")


def build(arguments: list[str]) -> None:
    """Make the frozen program and its installers."""
    # The other verbs are to begin without all that this one needs.
    import building  # noqa: PLC0415

    building.build(arguments)


def count(arguments: list[str]) -> None:
    """Print what makes the code easy or hard to find one's way in."""
    _expect_none(arguments)
    print(code_map.text(code_map.rows(ROOT)))


def bench(arguments: list[str]) -> None:
    """Measure one part; the arguments after its name go to the benchmark."""
    _expect_name("bench", arguments, BENCHMARKS)
    benchmark, rest = BENCHMARKS[arguments[0]], _for_program(arguments[1:])
    environment.make_ready()
    variables = {} if benchmark.has_peer else system_packages.make_ready()
    # As an installed program starts, and as the peer does.
    variables["PYTHONDONTWRITEBYTECODE"] = ""
    against = _peer() if benchmark.has_peer and not {"-h", "--help"} & set(rest) else ()
    # -P: the folder of the person, where a FILE among the arguments is, may hold modules, too.
    module = ("-P", "-m", benchmark.module)
    become([program("python"), *module, *against, *rest], {**variables, "PYTHONPATH": str(ROOT)})


def mutate(arguments: list[str]) -> None:
    """Make faults in a copy of the code, and print those that no test notices."""
    environment.make_ready()
    variables = system_packages.make_ready()
    become([program("python"), str(PACKAGING / "mutation_testing.py"), *arguments], variables)


def release(arguments: list[str]) -> None:
    """Sign what an updates address announces."""
    _expect_name("release", arguments, _RELEASE_STEPS)
    environment.make_ready(only_to_run=True)
    become([program("python"), str(PACKAGING / "sign_release.py"), *arguments], {})


def lock(arguments: list[str]) -> None:
    """Renew the lock files from pyproject.toml."""
    lock_files.renew(arguments)


def translate(arguments: list[str]) -> None:
    """Update the translation files, and list untranslated texts."""
    _expect_none(arguments)
    environment.make_ready()
    system_packages.make_ready()
    translations.renew()
    for name, missing in translations.unfinished().items():
        say(f"{name}: {missing} to translate" if missing else f"{name} is complete.")


def take_pictures(arguments: list[str]) -> None:
    """Take pictures of every page of the window, and make an index page of them."""
    if len(arguments) != 1:
        raise UsageError("The verb pictures takes one argument, the folder for them.")
    variables = environment.make_ready_beside(system_packages.make_ready, only_to_run=True)
    say(f"The pictures are on {contact_sheet.make(Path(arguments[0]), variables)}.")


def show_help(arguments: list[str]) -> None:
    """Print how this file is used."""
    _expect_none(arguments)
    print(__doc__.strip())


VERBS: Final = {
    "run": run,
    "test": test,
    "check": check,
    "setup": setup,
    "build": build,
    "map": count,
    "bench": bench,
    "mutate": mutate,
    "release": release,
    "lock": lock,
    "pictures": take_pictures,
    "translate": translate,
    "help": show_help,
}


HELP: Final = {
    "run": """usage: dev.py [run] [--] [ARGUMENTS]

Opens the app; without a display it runs the self-test offscreen. Arguments go to the app:
dev.py -- --help prints them.""",
    "test": """usage: dev.py test [ARGUMENTS]

Runs the checks and all tests; mypy runs at the same time as the tests. With arguments it runs
only pytest with them:

  dev.py test -k name    the tests whose names contain "name"
  dev.py test --long     all tests, some of them in a longer form
  dev.py test -- --help  the options of pytest""",
    "check": """usage: dev.py check

Runs ruff, the import contracts, deptry and mypy, and reports all findings. Takes no arguments.""",
    "setup": """usage: dev.py setup

Installs .venv and the system libraries of Qt, and starts nothing. Takes no arguments.""",
    "map": """usage: dev.py map

Counts files and lines of the product and its tests, duplicate names of classes and modules, the
largest folder, the longest file and import cycles. Takes no arguments.""",
    "bench": """usage: dev.py bench NAME [ARGUMENTS]

Measures a part and shows each figure with its goal:

  gui      start, memory and speed of the window, compared with a minimal one
  service  throughput and latency of the service, compared with LiteLLM's proxy and the model alone
  soak     memory and handles while the window is used at full speed (--minutes N; default 10)
  tools    the cost of a tool call

Arguments go to the benchmark: dev.py bench NAME -- --help prints them.""",
    "mutate": """usage: dev.py mutate [--count N] [--seed N] [PART ...]

Mutation testing: makes small faults (mutants), one at a time, in a copy of the code that decides
about tools, chats and replies, runs the tests that reach the changed function, and prints each
mutant that survives.

  --count N  the number of mutants; default 300
  --seed N   the seed of the random choice; default 1
  PART       only files whose paths start with this: dev.py mutate app/approvals/policy.py""",
    "release": """usage: dev.py release key KEY_FILE ADDRESS [OUTPUT]
       dev.py release sign KEY_FILE ANNOUNCEMENT OUTPUT

  key   creates the private key KEY_FILE unless it exists, and writes the public key and the
        https ADDRESS of announcements to OUTPUT (default resources/updates.json), for the build
  sign  signs the JSON file ANNOUNCEMENT; upload OUTPUT to the address""",
    "lock": """usage: dev.py lock [ARGUMENTS]

Updates the lock files from pyproject.toml; versions change only as needed. Arguments go to uv,
such as --upgrade or --upgrade-package NAME.""",
    "pictures": """usage: dev.py pictures FOLDER

Runs the self-test in English and German, at 100 and 200 %, and saves screenshots of every page of
the window in both themes below FOLDER, with an index.html. Takes about four minutes.""",
    "translate": """usage: dev.py translate

Updates the translation files (.ts, .qm) from the sources, and lists untranslated texts. Takes no
arguments.""",
    "help": """usage: dev.py help

Lists the verbs. Takes no arguments.""",
}
"""Of each verb but `build`, which has a parser of its own that knows all of this."""


def main(arguments: list[str]) -> int:
    """Find the verb, run it, and turn what went wrong into a sentence and an exit code."""
    # As an exception, a termination ends the child that is under way, too.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    try:
        verb, rest = _split(arguments)
        if asks_for_help(verb, rest) and arguments[0] == verb:
            print(HELP[verb])
        else:
            VERBS[verb](_for_program(rest))
    except UsageError as misuse:
        say(str(misuse))
        return _EXIT_MISUSED
    except Failed as failure:
        say(str(failure))
        return 1
    except OSError as exc:
        # What we write ourselves: a folder of somebody else, a disk that is full.
        say(f"{exc.filename or ROOT}: {exc.strerror}.")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def asks_for_help(verb: str, arguments: list[str]) -> bool:
    """Return whether a verb's arguments ask for the verb's own help."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return verb in HELP and not {"-h", "--help"}.isdisjoint(own)


def _split(arguments: list[str]) -> tuple[str, list[str]]:
    """Return the verb, and what is left for it; whatever begins with a dash is for the app."""
    if arguments[:1] in (["-h"], ["--help"]):
        return "help", arguments[1:]
    verb, rest = "run", arguments
    if arguments and not arguments[0].startswith("-"):
        verb, *rest = arguments
    if verb not in VERBS:
        raise UsageError(f"There is no verb {verb!r}, only {', '.join(VERBS)}.")
    return verb, rest


def _for_program(arguments: list[str]) -> list[str]:
    return arguments[1:] if arguments[:1] == ["--"] else arguments


def _check(checks: Iterable[tuple[str, ...]]) -> None:
    failed = [
        " ".join(one) for one in checks if not succeeds([program(one[0]), *one[1:]], cwd=ROOT)
    ]
    if failed:
        raise Failed(f"Not clean: {', '.join(failed)}.")


def _has_display() -> bool:
    if sys.platform != "linux":
        return True
    if os.environ.get("QT_QPA_PLATFORM") in {"offscreen", "minimal"}:
        return False
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _peer() -> tuple[str, ...]:
    """Return the arguments that name the peer, if it can be installed."""
    peer = benchmark_peer.make_ready()
    return () if peer is None else ("--peer", str(peer))


def _expect_none(arguments: list[str]) -> None:
    if arguments:
        raise UsageError(f"This verb takes no arguments: {' '.join(arguments)}")


def _expect_name(verb: str, arguments: list[str], names: Collection[str]) -> None:
    """Make sure that the first argument is one of the names, before anything is made ready."""
    known = ", ".join(names)
    more = f"dev.py {verb} --help says more."
    if not arguments:
        raise UsageError(f"{verb} needs a name, one of {known}. {more}")
    if arguments[0] not in names:
        raise UsageError(f"{verb} knows {known}, not {arguments[0]!r}. {more}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
