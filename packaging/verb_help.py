"""What dev.py says of each verb when it is asked; nothing is installed or run for that."""

from collections.abc import Mapping, Sequence
from typing import Final

_ASKING: Final = frozenset({"-h", "--help"})
# What follows is for the program that the verb starts.
_END: Final = "--"

HELP: Final[Mapping[str, str]] = {
    "run": """usage: dev.py [run] [--] [ARGUMENTS]

Opens the app; without a display it runs the self-test offscreen. Arguments go to the app:
dev.py -- --help shows which it takes.""",
    "test": """usage: dev.py test [ARGUMENTS]

Runs the checks, then all tests. With arguments it runs pytest alone with them:

  dev.py test -k name    the tests whose names have that in them
  dev.py test --long     all tests, with the long forms of some
  dev.py test -- --help  what pytest takes""",
    "check": """usage: dev.py check

Runs lint, formatting, types and import rules. Takes no arguments.""",
    "setup": """usage: dev.py setup

Makes .venv and the system libraries of Qt ready, and starts nothing. Takes no arguments.""",
    "map": """usage: dev.py map

Counts the files and lines of the product and its tests, the names that more than one class or
module has, the largest folder, the longest file and the circles of imports. Takes no arguments.""",
    "bench": """usage: dev.py bench NAME [ARGUMENTS]

Measures a part and shows each figure with its goal:

  gui      the window beside the least that can be shown
  service  the service beside LiteLLM's proxy and the bare upstream
  soak     what grows while the window is used as fast as it goes
  tools    what a call of a tool costs

Arguments go to the benchmark: dev.py bench NAME -- --help shows which it takes.""",
    "release": """usage: dev.py release key KEY_FILE ADDRESS [OUTPUT]
       dev.py release sign KEY_FILE ANNOUNCEMENT OUTPUT

  key   makes a private key, or takes the one that is there, and writes what goes into a build
  sign  signs an announcement, and writes the file to put at the address""",
    "lock": """usage: dev.py lock [ARGUMENTS]

Renews the lock files from pyproject.toml. Arguments go to uv, such as --upgrade or
--upgrade-package NAME.""",
    "translate": """usage: dev.py translate

Brings the files of the languages up to date with the words in the sources, and says which words
nobody has translated yet. Takes no arguments.""",
    "help": """usage: dev.py help

Lists the verbs. Takes no arguments.""",
}
"""Of each verb but `build`, which has a parser of its own that knows all of this."""


def is_asked(verb: str, arguments: Sequence[str]) -> bool:
    """Tells whether the arguments of a verb ask for its help, and not for that of another program.

    Args:
        verb: The verb.
        arguments: What follows it.
    """
    own = arguments[: arguments.index(_END)] if _END in arguments else arguments
    return verb in HELP and not _ASKING.isdisjoint(own)
