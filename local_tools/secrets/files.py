"""Recognise files that tend to hold secrets, and find the secrets in them.

`sounds_secret` and `may_hold_secrets` judge by names: a call on such a file always needs a person's
approval. `secrets_of_file` finds the secrets in one such file, `secrets_among_files` those in the
output of a search, a diff or `head`, which shows several files.
"""

import os
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from local_tools.translation_marks import QT_TRANSLATE_NOOP

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

# What editors, people and programs append to the name of a copy.
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
    """Return whether files or folders of this name usually hold secrets (`.env`, `id_rsa`)."""
    if _NAMES.fullmatch(name):
        return True
    begin = _BEFORE_A_COPY.match(name)
    start = begin.end() if begin else 0
    # Names are short; the first end that is one of a copy leaves the whole name before it.
    ends = (hit.start() for hit in _OF_A_COPY.finditer(name, start) if hit.end() == len(name))
    return any(_NAMES.fullmatch(name, start, end) for end in (*ends, len(name)))


def may_hold_secrets(folder: Path, *, enters_all: bool = False) -> bool:
    """Return whether a file below a folder may hold secrets, or there are too many to check.

    Args:
        folder: The folder to check.
        enters_all: Also check hidden and ignored files, which a search leaves out by default.
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


_LINE: Final = re.compile(r"[^\n]*\n?")
_SETTING: Final = re.compile(
    r"[ \t]{0,40}(?:export[ \t]{1,3})?[\"']?[A-Za-z_][\w.-]{0,100}[\"']?[ \t]{0,10}[=:][ \t]{0,10}"
    r"(\S[^\n]{0,4000})"
)
# Lines without a value: empty, a comment, a heading, brackets.
_TOLD: Final = re.compile(r"[#;].*|//.*|\[[\w .:-]{1,80}\]|[\[\](){},.-]*")
_OURS: Final = re.compile(r"(?:Exit code -?\d{1,10}|Ended by [\w ]{1,40})\.(?: No output\.)?\s*")
_CODE: Final = re.compile(
    r"(?:(?:def|class|import|from|return|if|for|else|function|const|let|var|public|private|package"
    r"|fn|use|func|type|struct|@\w+)\b.*|.*[;{(]|[)}\]]+[;,]?)"
)
_LEAST_CODE: Final = 0.2
_HIT: Final = re.compile(
    r"(?m)^(?:([^:\n]{1,400}):\d{1,9}[:-]|([^:\s]{0,300}[/\\.][^:\s]{1,300}):|([\w-]{1,100}):(?=\S))"
    r"(?!:) ?(\S[^\n]{0,4000})$"
)
# Of the lines around a hit, `grep` parts the path by this; the path itself may hold one.
_NEAR_A_HIT: Final = r"(?m)^(?:{paths})-(?:\d{{1,9}}-)?([^\n]{{1,4000}})$"
# `rg` and `git grep --heading` print a path above its hits.
_BELOW_A_PATH: Final = re.compile(r"(?m)^([^\n:]{1,400})\n((?:\d{1,9}[:-][^\n]{0,4000}(?:\n|\Z))+)")
# As `head`, `tail`, `more`, `git` and other comparisons put them above what is in a file; of a
# comparison, the lines with the two names begin what the line before them may have begun already.
_HEADING: Final = re.compile(
    r"(?m)^(?:(?P<listed>==> [^\n]{1,400} <==|:{14}\n[^\n]{1,400}\n:{14})"
    r"|(?P<compared>(?:diff -|Index: )[^\n]{1,1000}|(?:---|\+\+\+) [^\n]{1,500}))$"
)
_NAME_ENDS: Final = re.compile(r"[\s/\"'=]+")
# More names than one pattern should be made of.
_PATHS_LIMIT: Final = 100
FILE_KIND: Final = QT_TRANSLATE_NOOP("Secrets", "file with secrets")
_VALUE_KIND: Final = QT_TRANSLATE_NOOP("Secrets", "value from a file with secrets")
_LINE_KIND: Final = QT_TRANSLATE_NOOP("Secrets", "line from a file with secrets")


def secrets_of_file(text: str) -> Iterator[tuple[int, int, str]]:
    """Find the values in a file with secrets, and lines of no known form: start, end and kind.

    Names, comments and headings are not secret. In source code, only values are found; a text
    without any name and value is one secret as a whole.
    """
    is_code = _is_code(text)
    values = list(_values(text))
    if not is_code and not values and text.strip():
        yield 0, len(text), FILE_KIND
        return
    for start, end in values:
        yield start, end, _VALUE_KIND
    if not is_code:
        for start, end in _other_lines(text, values):
            yield start, end, _LINE_KIND


def _values(text: str) -> Iterator[tuple[int, int]]:
    """Yield the values of settings; one in quotes may go on over lines."""
    open_quote, quoted_from = "", 0
    for line in _LINE.finditer(text):
        setting = _SETTING.match(line[0])
        if open_quote:
            closing = line[0].find(open_quote)
            if closing >= 0:
                yield quoted_from, line.start() + closing + 1
                open_quote = ""
        elif setting and (begun := _begun(setting[1])) and text.find(begun, line.end()) >= 0:
            open_quote, quoted_from = begun, line.start() + setting.start(1)
        elif setting:
            yield line.start() + setting.start(1), line.start() + setting.end(1)


def _other_lines(text: str, values: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield lines that have no value and are not sent; adjacent ones as one."""
    ends = [end for _, end in values]
    start = last = -1
    for line in _LINE.finditer(text):
        at = bisect_left(ends, line.start() + 1)
        has_value = at < len(values) and values[at][0] < line.end()
        if has_value or _is_told(line):
            if start >= 0:
                yield start, last
            start = -1
            continue
        start = line.start() if start < 0 else start
        last = line.start() + len(line[0].rstrip())
    if start >= 0:
        yield start, last


def secrets_among_files(text: str) -> Iterator[tuple[int, int, str]]:
    """Find the lines of files with secrets in output about several files: search, diff, `head`."""
    paths = set[str]()
    for hit in _HIT.finditer(text):
        path = hit[1] or hit[2] or hit[3]
        if any(sounds_secret(name) for name in path.split("/")):
            paths.add(path)
            yield *hit.span(4), _LINE_KIND
    yield from _near_hits(text, paths)
    for found in _BELOW_A_PATH.finditer(text):
        if any(sounds_secret(name) for name in found[1].split("/")):
            yield found.start(2), found.start(2) + len(found[2].rstrip()), _LINE_KIND
    yield from _below_headings(text)


def _near_hits(text: str, paths: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the lines that `grep` prints around hits in these files."""
    if paths:
        near = _NEAR_A_HIT.format(paths="|".join(map(re.escape, sorted(paths)[:_PATHS_LIMIT])))
        for hit in re.finditer(near, text):
            yield *hit.span(1), _LINE_KIND


def _below_headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what is below the name of a file with secrets, up to the next name of its kind."""
    headings = list(_HEADING.finditer(text))
    next_of = {"listed": len(text), "compared": len(text)}
    ends: list[int] = []
    for heading in reversed(headings):
        kind = heading.lastgroup or ""
        ends.append(next_of[kind])
        # May also be a removed or added line of the diff, which ends nothing.
        if not heading[0].startswith(("---", "+++")):
            next_of[kind] = heading.start()
    reached = 0
    for heading, end in zip(headings, reversed(ends), strict=True):
        if end > reached and any(map(sounds_secret, _NAME_ENDS.split(heading[0]))):
            reached = end
            below = text[heading.end() : end].strip()
            if below:
                start = text.index(below, heading.end())
                yield start, start + len(below), _LINE_KIND


def _begun(value: str) -> str:
    """Return the quote that a value begins with and does not close on its line; empty for none."""
    is_begun = value[0] in "\"'" and value[0] not in value[1:]
    return value[0] if is_begun else ""


def _is_told(line: re.Match[str]) -> bool:
    is_ours = line.start() == 0 and _OURS.fullmatch(line[0]) is not None
    return is_ours or _TOLD.fullmatch(line[0].strip()) is not None


def _is_code(text: str) -> bool:
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return sum(map(bool, map(_CODE.fullmatch, lines))) >= max(1, len(lines) * _LEAST_CODE)
