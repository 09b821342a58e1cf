"""Whom we trust on https: what the system trusts, and one authority of the user's own."""

import asyncio
import ssl
from collections.abc import Callable

import truststore

from app.api.authority import AuthorityRefused, ChosenAuthority, read_chosen
from app.api.errors import ConnectCause, ConnectFailed


def make_ssl_context() -> ssl.SSLContext:
    """Make a context that trusts whom the system trusts; takes up to 90 ms."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Trust:
    """The context for https, read from the system once and in a thread.

    The system's own store decides, as it does for the user's browser, and beside it one authority
    that the user chose. There is no way to ignore a certificate. One for the run; holds no
    resources.
    """

    def __init__(self, read: Callable[[], ssl.SSLContext] = make_ssl_context) -> None:
        self._read = read
        self._contexts: dict[str, ssl.SSLContext] = {}

    async def context_for(self, host: str, chosen: ChosenAuthority | None = None) -> ssl.SSLContext:
        """The context for an `ApiClient`; `host` is whom it is for.

        An authority whose file is gone, or has another certificate than the one that was chosen,
        counts for nothing.

        Raises:
            ConnectFailed: the system's store cannot be read, so nobody can be trusted yet.
        """
        try:
            return await asyncio.to_thread(self._find_or_make, chosen)
        except OSError as exc:
            raise ConnectFailed(ConnectCause.TLS, host) from exc

    def _find_or_make(self, chosen: ChosenAuthority | None) -> ssl.SSLContext:
        extra = _certificate_of(chosen)
        fingerprint = chosen.fingerprint if chosen and extra else ""
        if fingerprint not in self._contexts:
            context = self._read()
            if extra:
                context.load_verify_locations(cadata=extra)
            self._contexts[fingerprint] = context
        return self._contexts[fingerprint]


def _certificate_of(chosen: ChosenAuthority | None) -> bytes | None:
    try:
        return read_chosen(chosen).der if chosen else None
    except AuthorityRefused:
        return None
