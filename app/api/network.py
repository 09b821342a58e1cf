"""Make the HTTP clients of services, with the user's proxy and certificate settings.

`Network` builds each client from `ConnectionOptions`. `system_proxy` reads the proxy of the
system's settings, never of an environment variable that another program may have set. `Trust`
makes the TLS contexts: the system's trust store and at most one authority of the user's own.
"""

import ast
import asyncio
import ipaddress
import ssl
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from app.api.address import AddressRefused, check_proxy_address, is_loopback_url
from app.api.ca_certificate import CaCertificateRefused, PinnedCaCertificate, read_chosen
from app.api.client import ApiClient
from app.api.errors import ConnectCause, ConnectFailed
from app.api.http_exchange import RateLimiter

_TIMEOUT_S: Final = 2.0
_SCHEMA: Final = "org.gnome.system.proxy"
_COMMAND: Final = ("gsettings", "list-recursively", _SCHEMA)

Run = Callable[[Sequence[str]], str]
"""Runs a command; returns what it wrote, empty where it cannot be run."""


def system_proxy(host: str, platform: str = sys.platform) -> str | None:
    """Return the address of the proxy that leads to `host`; None where there is none.

    On Linux that is what the desktop's settings say by hand; scripts that choose a proxy (PAC)
    are run nowhere. May take some seconds: call it in a thread.
    """
    if platform == "linux":
        return desktop_proxy(host, _run)
    import urllib.request  # noqa: PLC0415 - elsewhere than on Linux only

    # The proxy variables were removed at the start, so urllib reads the system's settings.
    named = urllib.request.getproxies().get("https", "")
    return None if not named or urllib.request.proxy_bypass(host) else _checked(named)


def desktop_proxy(host: str, run: Run) -> str | None:
    """Return the proxy for `host` that the desktop's settings name, as `run` reads them."""
    settings = _read(run(_COMMAND))
    name, port = settings.get(f"{_SCHEMA}.https host"), settings.get(f"{_SCHEMA}.https port")
    if settings.get(f"{_SCHEMA} mode") != "manual" or not name or not port:
        return None
    passed = settings.get(f"{_SCHEMA} ignore-hosts")
    patterns = [str(one) for one in passed] if isinstance(passed, list) else []
    return None if any(_fits(host, one) for one in patterns) else _checked(f"{name}:{port}")


def _checked(address: str) -> str | None:
    try:
        return check_proxy_address(address)
    except AddressRefused:
        return None


def _read(output: str) -> Mapping[str, object]:
    settings: dict[str, object] = {}
    for line in output.splitlines():
        schema, _, rest = line.partition(" ")
        key, _, value = rest.partition(" ")
        try:
            # gsettings writes strings, numbers and lists as Python does.
            settings[f"{schema} {key}"] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            # Other types of values, such as `true` and `@as []`; no setting read here has one.
            continue
    return settings


def _fits(host: str, pattern: str) -> bool:
    try:
        # Not strict: people write 10.0.0.1/8 for 10.0.0.0/8.
        return ipaddress.ip_address(host) in ipaddress.ip_network(pattern, strict=False)
    except ValueError:
        suffix = pattern.removeprefix("*").removeprefix(".").lower()
        host = host.lower()
        return bool(suffix) and (host == suffix or host.endswith(f".{suffix}"))


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout


def make_ssl_context() -> ssl.SSLContext:
    """Make a context that trusts whom the system trusts; takes up to 90 ms."""
    import truststore  # noqa: PLC0415 - the start trusts nobody

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

    async def context_for(
        self, host: str, chosen: PinnedCaCertificate | None = None
    ) -> ssl.SSLContext:
        """Return the context for an `ApiClient`; `host` is whom it is for.

        An authority whose file is gone, or has another certificate than the one that was chosen,
        counts for nothing.

        Raises:
            ConnectFailed: the system's store cannot be read, so nobody can be trusted yet.
        """
        try:
            return await asyncio.to_thread(self._find_or_make, chosen)
        except OSError as exc:
            raise ConnectFailed(ConnectCause.TLS, host) from exc

    def _find_or_make(self, chosen: PinnedCaCertificate | None) -> ssl.SSLContext:
        extra = _certificate_of(chosen)
        fingerprint = chosen.fingerprint if chosen and extra else ""
        if fingerprint not in self._contexts:
            context = self._read()
            if extra:
                context.load_verify_locations(cadata=extra)
            self._contexts[fingerprint] = context
        return self._contexts[fingerprint]


def _certificate_of(chosen: PinnedCaCertificate | None) -> bytes | None:
    try:
        return read_chosen(chosen).der if chosen else None
    except CaCertificateRefused:
        return None


ProxyKind = Literal["none", "system", "address"]


@dataclass(frozen=True, slots=True)
class ProxySettings:
    """What the user chose; `proxy_address` counts for the kind `address` only."""

    proxy: ProxyKind = "none"
    proxy_address: str = ""
    authority: PinnedCaCertificate | None = None


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """How one address is reached: whom to trust there, and through which proxy."""

    ssl_context: ssl.SSLContext
    proxy: str | None


class Network:
    """Makes the clients of services, each on the route that `route` returns at that time.

    What leads to this computer goes there without a proxy. One for the run; holds no resources.
    """

    def __init__(
        self,
        route: Callable[[], ProxySettings],
        trust: Trust,
        find_system_proxy: Callable[[str], str | None] = system_proxy,
    ) -> None:
        self._route: Final = route
        self._trust: Final = trust
        self._find_system_proxy: Final = find_system_proxy

    async def client_for(self, base_url: str, key: SecretStr) -> ApiClient:
        """Return a client for a checked address; whoever asked closes it.

        Raises:
            ConnectFailed: nobody can be trusted, since the system's store cannot be read.
        """
        if not base_url.startswith("https:"):
            # Plain http is accepted for loopback addresses only.
            return ApiClient(base_url, key)
        options = await self.options_for(base_url)
        return ApiClient(
            base_url,
            key,
            ssl_context=options.ssl_context,
            proxy=options.proxy,
            rate_limiter=RateLimiter(),
        )

    async def options_for(self, url: str) -> ConnectionOptions:
        """Return how an https address is reached now.

        Raises:
            ConnectFailed: nobody can be trusted, since the system's store cannot be read.
        """
        route, parts = self._route(), urlsplit(url)
        context = await self._trust.context_for(parts.netloc, route.authority)
        return ConnectionOptions(context, await self._proxy_for(url, parts.hostname or "", route))

    async def _proxy_for(self, base_url: str, host: str, route: ProxySettings) -> str | None:
        if route.proxy == "none" or is_loopback_url(base_url):
            return None
        if route.proxy == "address":
            return route.proxy_address
        return await asyncio.to_thread(self._find_system_proxy, host)
