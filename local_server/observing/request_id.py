"""The name of the request that is being answered, wherever in the code that is."""

import secrets
from contextvars import ContextVar
from typing import Final

# Set for each request; what is started from it, such as the task of a stream, inherits it.
request_id: Final[ContextVar[str | None]] = ContextVar("request_id", default=None)


def new_request_id() -> str:
    """Make up a name. A client's own is not taken: it could put anything into the log."""
    return f"req_{secrets.token_hex(12)}"
