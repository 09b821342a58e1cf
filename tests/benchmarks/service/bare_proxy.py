"""The least that a service in Python does between a client and a model's server.

It passes each fragment on unread, with uvicorn and httpx2 as the service has them. Run as a program
with the port of the model's server, it prints its own.
"""

import socket
import sys

import httpx2
import uvicorn
from starlette.types import Receive, Scope, Send

_TIMEOUT_S = 60


class _Proxy:
    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._client: httpx2.AsyncClient | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, has_more = b"", True
        while has_more:
            message = await receive()
            body += message["body"]
            has_more = message["more_body"]
        # Made here: a client belongs to the loop that runs.
        self._client = self._client or httpx2.AsyncClient(timeout=_TIMEOUT_S, trust_env=False)
        asked = self._client.stream("POST", self._base_url + scope["path"], content=body)
        async with asked as response:
            head = {"type": "http.response.start", "status": response.status_code}
            await send(head | {"headers": [(b"content-type", b"text/event-stream")]})
            async for fragment in response.aiter_raw():
                await send({"type": "http.response.body", "body": fragment, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _serve(model_port: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sys.stdout.write(f"{listening.getsockname()[1]}\n")
        sys.stdout.flush()
        config = uvicorn.Config(
            _Proxy(f"http://127.0.0.1:{model_port}"),
            http="httptools",
            loop="uvloop" if sys.platform != "win32" else "asyncio",
            lifespan="off",
            ws="none",
            access_log=False,
            log_level="warning",
            # Whoever measured reads no answer to its end.
            timeout_graceful_shutdown=0,
        )
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    _serve(sys.argv[1])
