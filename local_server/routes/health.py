"""Whether the service runs, and whether it can do its work: for load balancers, without a key.

Neither answer has content, so that there is nothing in it to be learnt. Balancers ask by an
address, not by a name: therefore these two paths are answered whatever the Host header says.
"""

import asyncio
import logging
from typing import Final

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, text

from local_server.coordination import Coordination
from local_server.store.database import StoreUnavailableError
from local_server.store.store import ServiceStore

log = logging.getLogger(__name__)

ALIVE_PATH: Final = "/healthz"
READY_PATH: Final = "/readyz"
PATHS: Final = frozenset({ALIVE_PATH, READY_PATH})
_ANSWER_TIMEOUT_S: Final = 2.0

router = APIRouter(include_in_schema=False)


@router.api_route(ALIVE_PATH, methods=["GET", "HEAD"])
async def is_alive() -> Response:
    """Answer 200 as long as the process answers at all."""
    return Response(status_code=200)


@router.api_route(READY_PATH, methods=["GET", "HEAD"])
async def is_ready(request: Request) -> Response:
    """Answer 200, or 503 while the data cannot be reached.

    A service that is ending takes no more connections, which says it too.
    """
    is_fit = await _reaches_its_data(request.app.state.store, request.app.state.shared)
    return Response(status_code=200 if is_fit else 503)


async def _reaches_its_data(store: ServiceStore, shared: Coordination) -> bool:
    try:
        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
            await store.database.read(_look)
            return await shared.keeper.is_there()
    except (TimeoutError, StoreUnavailableError) as exc:
        log.debug("not ready: %s", exc)
        return False


def _look(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))
