"""How other servers on this computer are asked."""

import ssl
from typing import Final

import httpx

OLLAMA_ADDRESS: Final = "http://127.0.0.1:11434"


def loopback_client(timeout: httpx.Timeout) -> httpx.AsyncClient:
    """Make a client for plain HTTP on loopback: no proxy, no redirects, no certificates.

    Loading the system's certificates would take a tenth of a second for nothing.
    """
    unused = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.AsyncClient(trust_env=False, timeout=timeout, verify=unused)
