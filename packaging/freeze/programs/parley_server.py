"""The executable `parley-server`: the bundled service."""

import runtime_env  # noqa: F401 - before all that reads variables

from local_server.cli import main

main()
