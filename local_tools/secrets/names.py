"""Names of files that tend to hold secrets: a person decides about each of them, each time."""

import os
import re
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

_NAMES: Final = re.compile(
    r"""
    \.env([._-].*)? | .*\.env | \.envrc | env\.(local|prod.*|dev.*)
    | id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-].*)? | .*_(rsa|dsa|ecdsa|ed25519)
    | .*\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|mobileprovision|wallet)
    | \.?(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|vault-token|s3cfg|boto|dockercfg)
    | _netrc | authorized_keys | known_hosts | shadow | (login|key)\.keychain(-db)?
    | .*(secret|credential|passw(or)?d|passwd|api[_-]?key|private[_-]?key|auth[_-]?token).*
    | tokens?(\.(txt|json))? | cookies(\.sqlite|\.txt)? | login\s?data | logins\.json | key[34]\.db
    | terraform\.tfstate(\..*)? | .*\.tfvars | kubeconfig | service[_-]?account.*\.json
    | \.(ssh|gnupg|aws|azure|kube|docker|password-store|mozilla|thunderbird)
    """,
    re.IGNORECASE | re.VERBOSE,
)

# What editors, people and programs make of a name for a copy.
_OF_A_COPY: Final = re.compile(
    r"""
    (?: ~ | \# | [ ]copy | [ ]?\([ ]?\d{1,3}[ ]?\) | -copy
    | [._-](?:bak|backup|old|orig|saved?|copy|tmp|sw[a-p]|local|gz|bz2|xz|zst|zip|\d[\d-]{0,9})
    ){1,3}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE_A_COPY: Final = re.compile(r"\#|\.\#|\.(?=\.)|Copy of ", re.IGNORECASE)

_ENTRIES_LIMIT: Final = 20_000
# What other programs put there; searching leaves it out unless it is asked for.
_NEVER_ENTERED: Final = frozenset({".git", "node_modules", ".venv", "__pycache__"})


def sounds_secret(name: str) -> bool:
    """Whether a file or a folder of this name tends to hold secrets."""
    if _NAMES.fullmatch(name):
        return True
    begin = _BEFORE_A_COPY.match(name)
    start = begin.end() if begin else 0
    # Names are short; the first end that is one of a copy leaves the whole name before it.
    ends = (hit.start() for hit in _OF_A_COPY.finditer(name, start) if hit.end() == len(name))
    return any(_NAMES.fullmatch(name, start, end) for end in (*ends, len(name)))


def may_hold_secrets(folder: Path, *, enters_all: bool = False) -> bool:
    """Whether a file below a folder sounds secret, or there are too many files to be sure.

    Args:
        folder: Where to look.
        enters_all: Also in what a search leaves out, unless it is asked for.
    """
    left_out = frozenset() if enters_all else _NEVER_ENTERED
    count, waiting = 0, [str(folder)]
    while waiting:
        entries = _entries(waiting.pop())
        count += len(entries)
        if count > _ENTRIES_LIMIT or any(sounds_secret(entry.name) for entry in entries):
            return True
        waiting += [
            entry.path
            for entry in entries
            if entry.name not in left_out and entry.is_dir(follow_symlinks=False)
        ]
    return False


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return list(islice(entries, _ENTRIES_LIMIT + 1))
    return []
