"""The one gate for addresses: what a link in a text may point to."""

import re
from typing import Final
from urllib.parse import urlsplit

LINK_SCHEMES: Final = frozenset({"https", "http", "mailto"})
_LONGEST: Final = 4096
# White space and controls have no place in an address; programs disagree about what they mean.
_ODD: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufeff\\]")


def allowed_link(address: str) -> str | None:
    """Return `address` if a click on it may leave the window, or None.

    Web pages with a host and mail addresses pass; paths, other schemes and addresses that start
    from an unknown place do not.
    """
    if len(address) > _LONGEST or _ODD.search(address):
        return None
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme == "mailto":
        return address if parts.path and not parts.netloc else None
    return address if parts.scheme in LINK_SCHEMES and host else None


def host_of(address: str) -> str:
    """Return the host that `address` names, or nothing."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
