"""Words of a link that read like an address: whether the link leads there."""

import re
import unicodedata
from typing import Final

from PySide6.QtCore import QUrl

_LABEL: Final = r"[^\s/?#@:()<>\[\]\"'.,;!]"
# A host, perhaps with a scheme or a name before it and a path after it, as people write them.
_SAID: Final = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]{1,20}://)?(?:mailto:)?(?P<user>[^\s/@]{1,64}@)?"
    rf"(?P<host>{_LABEL}{{1,63}}(?:\.{_LABEL}{{1,63}}){{0,9}}\.(?:{_LABEL}{{2,63}}|\d))"
    r"(?::\d+)?(?P<rest>[/?#]\S*)?",
    re.IGNORECASE,
)
_ENDS: Final = ".,;:!?'\")]>…/"
_LONGEST: Final = 1000
# Names of files are written like hosts. A file that the address ends in is what it says.
_FILE: Final = re.compile(
    r"\.(?:cfg|cpp|cs|css|csv|go|html|ini|ipynb|java|jpg|js|json|kt|lock|md|pdf|php|png|py|rb|rs|rst"
    r"|sh|sql|svg|toml|ts|tsx|txt|xml|yaml|yml|zip)$",
    re.IGNORECASE,
)


def other_address(words: str, address: str) -> str:
    """Return what the words of a link name as an address, if the link leads elsewhere.

    Nothing if they name none, or the one that the link leads to, perhaps shortened.
    """
    url = QUrl(address)
    said = (found for found in _SAID.finditer(_plain(words)) if _names_host(found))
    other = next((found for found in said if not _leads_there(found, url)), None)
    return other[0].rstrip(_ENDS) if other else ""


def _plain(words: str) -> str:
    """Return the words as they look: without what draws nothing, wide letters as narrow ones."""
    folded = unicodedata.normalize("NFKC", words[:_LONGEST]).replace("\u3002", ".")
    return "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")


def _names_host(said: re.Match[str]) -> bool:
    """Tell hosts from numbers such as 3.14."""
    labels = said["host"].split(".")
    return bool(said["scheme"]) or not labels[-1].isdecimal() or len(labels) == 4


def _leads_there(said: re.Match[str], url: QUrl) -> bool:
    if url.scheme() == "mailto":
        name = (said["user"] or "@") + said["host"]
        return not said["scheme"] and url.path().lower().endswith(name.lower())
    if said["user"]:
        return False
    encoded = QUrl.ComponentFormattingOption.FullyEncoded
    rest = (said["rest"] or "").rstrip(_ENDS).lower()
    behind = _behind_host(url).lower()
    if _travelling(said["host"]) == _travelling(url.host(encoded)):
        return behind.startswith(rest)
    is_file = _FILE.search(said["host"]) and not said["scheme"] and not rest
    return bool(is_file) and url.fileName() == said["host"]


def _travelling(host: str) -> str:
    """Return a host as it is looked up, without the "www." that people leave out."""
    encoded = bytes(QUrl.toAce(host).data()).decode("ascii")
    return (encoded or host).lower().removeprefix("www.")


def _behind_host(url: QUrl) -> str:
    query = f"?{url.query()}" if url.hasQuery() else ""
    return url.path() + query + (f"#{url.fragment()}" if url.hasFragment() else "")
