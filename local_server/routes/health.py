"""Routes without a key: liveness, readiness, and the proof in child mode.

Load balancers ask the first two by address instead of name, so these paths are answered for any
Host header, and without content, so that nothing can be learnt from them.

In child mode the parent asks for the proof before it first sends its key, so that another program
that took over the port does not get the key.
"""

import asyncio
import hashlib
import hmac
import logging
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import SecretStr
from sqlalchemy import Connection, text

from local_server.coordination import Coordination
from local_server.schemas import ProofBody
from local_server.store.database import StoreUnavailableError
from local_server.store.opening import ServiceStore

log = logging.getLogger(__name__)

ALIVE_PATH: Final = "/healthz"
READY_PATH: Final = "/readyz"
PROOF_PATH: Final = "/proof"
PATHS: Final = frozenset({ALIVE_PATH, READY_PATH})
_ANSWER_TIMEOUT_S: Final = 2.0

router = APIRouter(include_in_schema=False)
# In child mode only.
proof_router = APIRouter(include_in_schema=False)


@router.api_route(ALIVE_PATH, methods=["GET", "HEAD"])
async def is_alive() -> Response:
    """Answer 200 as long as the process answers at all."""
    return Response(status_code=200)


@router.api_route(READY_PATH, methods=["GET", "HEAD"])
async def is_ready(request: Request) -> Response:
    """Answer 200, or 503 while the data cannot be reached.

    A service that is ending takes no more connections, which says it too.
    """
    is_fit = await _reaches_its_data(request.app.state.store, request.app.state.coordination)
    return Response(status_code=200 if is_fit else 503)


async def _reaches_its_data(store: ServiceStore, coordination: Coordination) -> bool:
    try:
        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
            await store.database.read(_look)
            return await coordination.backend.is_there()
    except (TimeoutError, StoreUnavailableError) as exc:
        log.debug("not ready: %s", exc)
        return False


def _look(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))


def prove(secret: SecretStr, nonce: str) -> str:
    """Compute HMAC-SHA256 of the nonce, as it was written, under the secret; in hex."""
    key = secret.get_secret_value().encode()
    return hmac.new(key, nonce.encode("ascii"), hashlib.sha256).hexdigest()


@proof_router.get(PROOF_PATH)
async def get_proof(
    request: Request, nonce: Annotated[str, Query(pattern="^[0-9a-fA-F]{16,128}$")]
) -> ProofBody:
    """Answer a nonce that the parent made up."""
    secret: SecretStr = request.app.state.settings.proof_secret
    return ProofBody(proof=prove(secret, nonce))
