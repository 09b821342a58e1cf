"""The window, as an executable."""

import signal
import sys

# As an exception, Ctrl-C would break off the loading of Qt, which crashes then.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from app.main import main  # noqa: E402 - see above

sys.exit(main())
