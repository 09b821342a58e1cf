"""The executable `parley-tools`: the command line, and the worker processes that run tools."""

import sys

import runtime_env  # noqa: F401 - before all that reads variables

from local_tools.programs import PARTS, run

if sys.argv[1:2] and sys.argv[1] in PARTS:
    run(sys.argv[1], sys.argv[2:])
else:
    from local_tools.cli import main

    main()
