"""Whom we trust on https: what the system trusts, and nobody else."""

import asyncio
import ssl
from collections.abc import Callable

import truststore

from app.api.errors import ConnectCause, ConnectFailed


def make_ssl_context() -> ssl.SSLContext:
    """Make a context that trusts whom the system trusts; takes up to 90 ms."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Trust:
    """The context for https, read from the system once and in a thread.

    The system's own store decides, as it does for the user's browser. There is no way to ignore
    a certificate. One for the run; holds no resources.
    """

    def __init__(self, read: Callable[[], ssl.SSLContext] = make_ssl_context) -> None:
        self._read = read
        self._context: ssl.SSLContext | None = None

    async def context_for(self, host: str) -> ssl.SSLContext:
        """The context for an `ApiClient`; `host` is whom it is for.

        Raises:
            ConnectFailed: the system's store cannot be read, so nobody can be trusted yet.
        """
        if self._context is None:
            try:
                self._context = await asyncio.to_thread(self._read)
            except OSError as exc:
                raise ConnectFailed(ConnectCause.TLS, host) from exc
        return self._context
