"""How many connections the system lets this process have."""

import logging
import sys
from typing import Final

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

# What is open besides connections: the database, its log, models that are asked.
_FOR_THE_REST: Final = 256


def room_for(connections: int) -> int:
    """Ask the system for so many connections; tells how many of them there may be."""
    if sys.platform == "win32":
        return connections
    wanted = connections + _FOR_THE_REST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    if hard != resource.RLIM_INFINITY and hard < wanted:
        log.warning(
            "this system allows %d open files, so there is room for %d connections, not %d",
            *(hard, max(hard - _FOR_THE_REST, 1), connections),
        )
        wanted = hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(min(connections, wanted - _FOR_THE_REST), 1)
