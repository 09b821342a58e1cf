"""Validate base URLs, proxy addresses, page addresses and project keys as the user types them."""

import enum
import ipaddress
import re
import unicodedata
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

_ADDRESS_LIMIT_CHARS = 2000
_KEY_LIMIT_CHARS = 512
_DEFAULT_PORTS = {"https": 443, "http": 80}
_LOCALHOST = "localhost"
_IN_BRACKETS = re.compile(r"\[[^\[\]]*\](:[^:]*)?")
# Come along when text is copied from pages and chats; for `strip` they are no white space.
_INVISIBLE_AROUND = "\ufeff\u200b\u200c\u200d\u2060"


class AddressFault(enum.Enum):
    """Why an address is refused."""

    EMPTY = "empty"
    NO_SCHEME = "no_scheme"
    NO_SCHEME_LOOPBACK = "no_scheme_loopback"
    NOT_SECURE = "not_secure"
    HAS_USER = "has_user"
    BAD_HOST = "bad_host"
    BAD_BRACKETS = "bad_brackets"
    BAD_PORT = "bad_port"
    BAD_PATH = "bad_path"
    BAD_CHARACTER = "bad_character"


class AddressRefused(ValueError):
    """The text is no address that a key may be sent to."""

    def __init__(self, fault: AddressFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class KeyFault(enum.Enum):
    """Why a key is refused."""

    EMPTY = "empty"
    HAS_SPACE = "has_space"
    NOT_ASCII = "not_ascii"
    TOO_LONG = "too_long"


class KeyRefused(ValueError):
    """The text cannot be a project key; it is not part of the error."""

    def __init__(self, fault: KeyFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


def check_base_url(text: str) -> str:
    """Check the address of a service and return it as it is used and shown.

    The key goes to this address, so it must be https, or a loopback address as a number. With
    http, `localhost` becomes 127.0.0.1, since a name can be made to mean another machine; with
    https it stays, as the certificate proves it. The host comes back in punycode, so that a
    look-alike shows.

    Raises:
        AddressRefused: with the reason in `fault`.
    """
    text = text.strip().strip(_INVISIBLE_AROUND).strip()
    if "://" not in text and _has_loopback_host(f"http://{text}"):
        raise AddressRefused(AddressFault.NO_SCHEME_LOOPBACK)
    parts = _split(text)
    _check_rest(parts, text)
    host = _read_host(parts, text)
    if parts.scheme == "http" and not _is_loopback(host):
        raise AddressRefused(AddressFault.NOT_SECURE)
    return f"{_origin(parts, host)}{parts.path.rstrip('/')}"


def check_proxy_address(text: str) -> str:
    """Check the address of a proxy and return it as it is used and shown.

    Without a scheme it is http: what goes through is encrypted for the service either way. A name
    and a password would lie open in the settings, so they are refused (our choice).

    Raises:
        AddressRefused: with the reason in `fault`.
    """
    text = text.strip().strip(_INVISIBLE_AROUND).strip()
    parts = _split(text if "://" in text or not text else f"http://{text}")
    _check_rest(parts, text)
    if parts.path.rstrip("/"):
        raise AddressRefused(AddressFault.BAD_PATH)
    return _origin(parts, _read_host(parts, text))


def check_page_url(text: str) -> str:
    """Check the address of a page that a browser shows, and return it as it is shown and opened.

    Only https is accepted, even for this computer. The host comes back in punycode; what follows
    it must be ASCII and comes back as it was typed.

    Raises:
        AddressRefused: with the reason in `fault`.
    """
    parts = _split(text)
    host, rest = _read_host(parts, text), text[len(f"{parts.scheme}://{parts.netloc}") :]
    if parts.scheme != "https":
        raise AddressRefused(AddressFault.NOT_SECURE)
    if not rest.isascii():
        raise AddressRefused(AddressFault.BAD_PATH)
    return f"{_origin(parts, host)}{rest}"


def is_loopback_url(base_url: str) -> bool:
    """Return whether a checked address leads to this computer."""
    host = urlsplit(base_url).hostname or ""
    return host == _LOCALHOST or _is_loopback(host)


def check_api_key(text: str) -> SecretStr:
    """Check a pasted project key; what surrounds it by accident is dropped.

    Raises:
        KeyRefused: with the reason in `fault`.
    """
    key = _without_surroundings(text)
    if not key:
        raise KeyRefused(KeyFault.EMPTY)
    if any(c.isspace() or unicodedata.category(c) in {"Cc", "Cf"} for c in key):
        raise KeyRefused(KeyFault.HAS_SPACE)
    if not key.isascii():
        raise KeyRefused(KeyFault.NOT_ASCII)
    if len(key) > _KEY_LIMIT_CHARS:
        raise KeyRefused(KeyFault.TOO_LONG)
    return SecretStr(key)


def _origin(parts: SplitResult, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    port = _read_port(parts)
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        shown = f"{shown}:{port}"
    return f"{parts.scheme}://{shown}"


def _split(text: str) -> SplitResult:
    if not text:
        raise AddressRefused(AddressFault.EMPTY)
    # urlsplit drops tabs and newlines in silence and reads a backslash unlike a browser.
    if len(text) > _ADDRESS_LIMIT_CHARS or any(_is_bad(c) for c in text):
        raise AddressRefused(AddressFault.BAD_CHARACTER)
    try:
        parts = urlsplit(text)
    except ValueError as exc:
        raise AddressRefused(_fault_of_host(text)) from exc
    if parts.scheme not in _DEFAULT_PORTS or not text.lower().startswith(f"{parts.scheme}://"):
        raise AddressRefused(AddressFault.NO_SCHEME)
    if "@" in parts.netloc:
        raise AddressRefused(AddressFault.HAS_USER)
    if _fault_of_host(text) is AddressFault.BAD_BRACKETS:
        raise AddressRefused(AddressFault.BAD_BRACKETS)
    return parts


def _fault_of_host(text: str) -> AddressFault:
    """Return what is wrong with a host: urlsplit takes brackets that do not close it."""
    host = re.split(r"[/?#]", text.partition("://")[2], maxsplit=1)[0]
    has_signs = host.count(":") > 1 or "[" in host or "]" in host
    if has_signs and _IN_BRACKETS.fullmatch(host) is None:
        return AddressFault.BAD_BRACKETS
    return AddressFault.BAD_HOST


def _is_bad(character: str) -> bool:
    return character in "\\<>\"'`{}|^" or unicodedata.category(character)[0] in "CZ"


def _check_rest(parts: SplitResult, text: str) -> None:
    segments = parts.path.split("/")
    # Paths of operations are appended, and servers differ in how they resolve these (threat 60).
    is_odd = "//" in parts.path or "%" in parts.path or not parts.path.isascii()
    if is_odd or "." in segments or ".." in segments or "?" in text or "#" in text:
        raise AddressRefused(AddressFault.BAD_PATH)


def _read_host(parts: SplitResult, text: str) -> str:
    host = parts.hostname or ""
    if host == _LOCALHOST and parts.scheme == "http":
        return "127.0.0.1"
    if not host or "%" in host or ".." in host or host[0] in ".-" or host[-1] in ".-":
        raise AddressRefused(AddressFault.BAD_HOST)
    literal = _literal(host)
    if literal is not None:
        return str(literal)
    # httpx takes long to import, and the start reads no address but of this computer.
    from app.api.transport import ascii_host  # noqa: PLC0415

    try:
        encoded = ascii_host(f"{parts.scheme}://{host}/")
    except ValueError as exc:
        raise AddressRefused(AddressFault.BAD_HOST) from exc
    if "[" in text or encoded.replace(".", "").isdigit() or encoded.startswith("0x"):
        # 2130706433 and 0x7f.1 are numbers to some resolvers and names to others.
        raise AddressRefused(AddressFault.BAD_HOST)
    if not all(c.isalnum() or c in ".-_" for c in encoded):
        raise AddressRefused(AddressFault.BAD_HOST)
    return encoded


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _has_loopback_host(text: str) -> bool:
    try:
        return _is_loopback(_read_host(_split(text), text))
    except AddressRefused:
        return False


def _is_loopback(host: str) -> bool:
    literal = _literal(host)
    if isinstance(literal, ipaddress.IPv6Address):
        return literal == ipaddress.IPv6Address("::1")
    return literal is not None and literal.is_loopback


def _read_port(parts: SplitResult) -> int | None:
    try:
        port = parts.port
    except ValueError as exc:
        raise AddressRefused(AddressFault.BAD_PORT) from exc
    if port == 0:
        raise AddressRefused(AddressFault.BAD_PORT)
    return port


def _without_surroundings(text: str) -> str:
    before = None
    # Repeated, as white space and invisible characters may surround each other.
    while text != before:
        before, text = text, text.strip().strip(_INVISIBLE_AROUND)
    return text
