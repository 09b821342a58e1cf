"""How a service in child mode shows its parent that it is the one that was started.

The parent asks before it sends its key for the first time, so that a stranger who got hold of
the port does not get the key.
"""

import hashlib
import hmac
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from pydantic import SecretStr

from local_server.schemas import ProofBody

PROOF_PATH: Final = "/proof"

router = APIRouter(include_in_schema=False)


def prove(secret: SecretStr, nonce: str) -> str:
    """Compute HMAC-SHA256 of the nonce, as it was written, under the secret; in hex."""
    key = secret.get_secret_value().encode()
    return hmac.new(key, nonce.encode("ascii"), hashlib.sha256).hexdigest()


@router.get(PROOF_PATH)
async def get_proof(
    request: Request, nonce: Annotated[str, Query(pattern="^[0-9a-fA-F]{16,128}$")]
) -> ProofBody:
    """Answer a nonce that the parent made up."""
    secret: SecretStr = request.app.state.settings.proof_secret
    return ProofBody(proof=prove(secret, nonce))
