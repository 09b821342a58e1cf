"""Verify that a service that was just started is ours, before it is sent the key."""

import hashlib
import hmac
import json
import secrets

from pydantic import SecretStr

from app.api.errors import ApiError
from app.api.transport import HttpTransport

_PATH = "/proof"
_NONCE_BYTES = 32


async def verify_service(base_url: str, proof_secret: SecretStr) -> bool:
    """Return whether what answers at `base_url` knows the secret; no key is sent.

    A program that took the port before the service did cannot know it.
    """
    nonce = secrets.token_hex(_NONCE_BYTES)
    transport = HttpTransport(base_url, None, transport=None, ssl_context=None, user_agent="parley")
    try:
        answer = await transport.ask("GET", _PATH, params={"nonce": nonce})
    except ApiError:
        return False
    finally:
        await transport.aclose()
    key = proof_secret.get_secret_value().encode()
    expected = hmac.new(key, nonce.encode("ascii"), hashlib.sha256).hexdigest()
    return answer.status == 200 and hmac.compare_digest(_read_proof(answer.body), expected.encode())


def _read_proof(body: bytes) -> bytes:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return b""
    proof = fields.get("proof") if isinstance(fields, dict) else None
    return proof.encode("utf-8", "replace") if isinstance(proof, str) else b""
