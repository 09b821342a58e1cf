"""What other software set in our environment; imports nothing, as it is called first of all."""

from collections.abc import MutableMapping


def forget_network_variables(environ: MutableMapping[str, str]) -> tuple[str, ...]:
    """Remove what other software may have set to listen in or to lead astray; name what it was.

    TLS libraries write the session's keys to the file in SSLKEYLOGFILE whatever a program says,
    and take further roots of trust from SSL_CERT_FILE. Proxy and trust come from our own settings
    only. Called first of all, before anything connects.
    """
    found = tuple(name for name in environ if _leads_astray(name.upper()))
    for name in found:
        del environ[name]
    return found


def _leads_astray(name: str) -> bool:
    if name in {"SSLKEYLOGFILE", "SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF"}:
        return True
    return name in {"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} or name.endswith("_PROXY")
