"""The client of the interface: requests, replies and streamed events. No Qt."""

import sys

# WORKAROUND httpx imports its command line, and with it click and rich, wherever those are
# installed: a tenth of all that a start imports. It does without what cannot be imported.
# https://github.com/encode/httpx/blob/0.28.1/httpx/__init__.py
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # as the import system allows
