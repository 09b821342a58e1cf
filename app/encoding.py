"""The encoding of text that the system's locale names; told before anything of Qt starts."""

import contextlib
import locale
import sys
from collections.abc import MutableMapping
from typing import Final

_UTF8: Final = "C.UTF-8"
_WITHOUT_ENCODING: Final = frozenset({"C", "POSIX"})


def settle_encoding(environ: MutableMapping[str, str]) -> None:
    """Take UTF-8 where no locale is set, or one that this system does not have.

    Called before the application object is made: Qt takes UTF-8 there in any case, and at each
    start complains of a locale that nobody chose. Python settles it likewise for itself (PEP 538),
    but neither where `LC_ALL` is set nor in a frozen program. Language and formats stay what they
    were, and so does an encoding that somebody did choose.
    """
    if sys.platform != "linux":
        return
    found = None
    with contextlib.suppress(locale.Error):
        found = locale.setlocale(locale.LC_CTYPE, "")
    if found and found not in _WITHOUT_ENCODING:
        return
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, _UTF8)
        if found:
            environ["LC_ALL" if environ.get("LC_ALL") else "LC_CTYPE"] = _UTF8
        # Qt cannot set a locale that the system does not have, and keeps what is set here.
