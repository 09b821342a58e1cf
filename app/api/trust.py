"""Whom we trust on https: what the system trusts, and nobody else."""

import ssl

import truststore


def make_ssl_context() -> ssl.SSLContext:
    """Make the context for an https `ApiClient`; takes up to 90 ms, so in a thread, once.

    The system's own store decides, as it does for the user's browser. There is no way to ignore
    a certificate.
    """
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
