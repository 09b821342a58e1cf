"""The fastest event loop that there is here, so that what asks is not what is measured."""

import asyncio
import sys

if sys.platform != "win32":
    import uvloop


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Make one."""
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
