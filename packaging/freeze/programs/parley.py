"""The executable `parley`: the window."""

import signal
import sys

import runtime_env  # noqa: F401 - before all that reads variables

# KeyboardInterrupt would interrupt the loading of Qt, which then crashes; so Ctrl-C ends at once.
signal.signal(signal.SIGINT, signal.SIG_DFL)

try:
    from app.main import main
except ImportError as error:
    # In the words of the loader, whatever the language: "libGL.so.1: cannot open …".
    name, _, said = str(error).partition(": ")
    if not said.startswith("cannot open shared object file"):
        raise
    print(
        f"Parley does not find {name}, a library of the system. "
        "Install it with your package manager.",
        file=sys.stderr,
    )
    sys.exit(2)

sys.exit(main())
