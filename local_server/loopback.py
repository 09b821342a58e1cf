"""How other servers are reached, those on this computer above all."""

import asyncio
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from local_server.addresses import is_loopback
from local_server.json_text import JsonTextError, parse_json
from local_server.plain_transport import PlainTransport

_LARGEST_ANSWER_BYTES: Final = 4 * 1024 * 1024
# How many streams there are at once is limited where they are asked for.
_IDLE: Final = 100
_CONNECT_S: Final = 10
_SILENCE_S: Final = 120
# A server on this computer may have to load a model before its first word.
_LOADING_S: Final = 300
# A little that is packed can be more than there is memory for.
_UNPACKED: Final = {"headers": {"Accept-Encoding": "identity"}}


def connection_options(address: str) -> dict[str, Any]:
    """Choose an HTTP client's options for a server: never a redirect, and its time-outs.

    On this computer there are no proxies, whatever the environment says, and no certificates:
    loading those would take a tenth of a second for nothing.
    """
    if is_loopback(address) and urlsplit(address).scheme == "http":
        return {
            **_UNPACKED,
            "transport": PlainTransport(_CONNECT_S, _LOADING_S),
            "timeout": httpx2.Timeout(_LOADING_S, connect=_CONNECT_S),
            "follow_redirects": False,
            "trust_env": False,
        }
    return {
        **_UNPACKED,
        "timeout": httpx2.Timeout(_SILENCE_S, connect=_CONNECT_S),
        "limits": httpx2.Limits(max_connections=None, max_keepalive_connections=_IDLE),
        "follow_redirects": False,
        "trust_env": not is_loopback(address),
    }


def new_client(address: str) -> httpx2.AsyncClient:
    """Make a client for one server; for all on this computer, any of their addresses will do."""
    return httpx2.AsyncClient(**connection_options(address))


async def ask_for_object(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    timeout_s: float,
) -> dict[str, Any]:
    """Get a JSON object; anything else, too much of it, or nobody there, is an empty one."""
    try:
        async with asyncio.timeout(timeout_s):
            response = await client.send(request, stream=True)
            try:
                body = await _limited(response)
            finally:
                await response.aclose()
        answer = parse_json(body)
    except (httpx2.HTTPError, TimeoutError, JsonTextError):
        return {}
    return answer if isinstance(answer, dict) else {}


async def _limited(response: httpx2.Response) -> bytes:
    body = b""
    if response.status_code != httpx2.codes.OK:
        return body
    # Not what is packed although we did not ask for that: it would be unpacked without a limit.
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > _LARGEST_ANSWER_BYTES:
            return b""
    return body
