"""Routes without a key: liveness, readiness, and the proof in child mode.

Load balancers call the first two by IP address, so these paths accept any Host header. Their
answers have no content, so that they reveal nothing.

In child mode the parent asks for the proof before it first sends its key: another program that took
the port cannot give the proof, so it does not get the key.
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
# A database that hangs gives 503 instead of no answer.
_ANSWER_TIMEOUT_S: Final = 2.0

router = APIRouter(include_in_schema=False)
# Registered in child mode only: elsewhere no program shares a secret with the service.
proof_router = APIRouter(include_in_schema=False)


@router.api_route(ALIVE_PATH, methods=["GET", "HEAD"])
async def is_alive() -> Response:
    """Answer 200 (liveness): the process runs and its event loop is not blocked."""
    return Response(status_code=200)


@router.api_route(READY_PATH, methods=["GET", "HEAD"])
async def is_ready(request: Request) -> Response:
    """Answer 200 (readiness), or 503 while the database cannot be reached.

    A service that is shutting down accepts no connections, so it needs no answer for that state.
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
    """Return the HMAC-SHA256 of the nonce's text with the secret as key, in lower-case hex."""
    key = secret.get_secret_value().encode()
    return hmac.new(key, nonce.encode("ascii"), hashlib.sha256).hexdigest()


@proof_router.get(PROOF_PATH)
async def get_proof(
    request: Request, nonce: Annotated[str, Query(pattern="^[0-9a-fA-F]{16,128}$")]
) -> ProofBody:
    """Answer the nonce of the parent process with the proof that this service knows the secret."""
    secret: SecretStr = request.app.state.settings.proof_secret
    return ProofBody(proof=prove(secret, nonce))
