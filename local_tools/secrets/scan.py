"""Find secrets in text: keys, tokens, private keys, passwords.

Every rule takes bounded time, so that a hostile text cannot delay the scan.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from local_tools.secrets.files import FILE_KIND, secrets_among_files, secrets_of_file
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_PRIVATE_KEY: Final = re.compile(r"-{4,5} ?BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?) ?-{4,5}")
_END_OF_KEY: Final = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_LINE_OF_KEY: Final = re.compile(r"[A-Za-z0-9+/=]{8,100}\r?")
_PUTTY_KEY: Final = re.compile(r"(?m)^Private-Lines: \d{1,4}\r?$")
_PRIVATE: Final = QT_TRANSLATE_NOOP("Secrets", "private key")


@dataclass(frozen=True, slots=True)
class Secret:
    """The position of a secret in a text, and its kind in English."""

    start: int
    end: int
    kind: str


def find_secrets(text: str, *, is_secret_file: bool = False) -> tuple[Secret, ...]:
    """Find the secrets in a text, in order and without overlaps.

    In a file of secrets (`is_secret_file`) each value counts as one; if nothing is found in it, the
    whole text is one secret. Slow for a long text: call it in a thread.
    """
    found = [*_secrets_in(text), *_secrets_read_otherwise(text)]
    found += [Secret(*place) for place in secrets_among_files(text)]
    if is_secret_file:
        found += [Secret(*place) for place in secrets_of_file(text)]
        if not found and text.strip():
            found = [Secret(0, len(text), FILE_KIND)]
    return tuple(_merged(found))


def find_private_keys(text: str) -> tuple[Secret, ...]:
    """Find only private keys, the one kind of secret that spans many lines."""
    return tuple(_merged(_private_keys(text)))


def masked(text: str, secrets: Iterable[Secret]) -> str:
    """Return the text with each secret replaced by a mark."""
    parts, at = [], 0
    for secret in secrets:
        parts += [text[at : secret.start], mask_of(secret.kind)]
        at = secret.end
    return "".join([*parts, text[at:]])


def mask_of(kind: str) -> str:
    """Return the mark that replaces a secret of this kind."""
    return f"[masked: {kind}]"


def _secrets_in(text: str) -> Iterator[Secret]:
    # Their patterns take long to compile, and the start of the program needs none.
    from local_tools.secrets.values import named_values, random_texts  # noqa: PLC0415

    yield from _private_keys(text)
    yield from _tokens(text)
    for place in (*named_values(text), *random_texts(text)):
        yield Secret(*place)


def _secrets_read_otherwise(text: str) -> Iterator[Secret]:
    """Yield what a text holds behind colours and escapes, or encoded."""
    from local_tools.secrets.readings import decoded_parts, plain_reading  # noqa: PLC0415

    if (reading := plain_reading(text)) is not None:
        for secret in _secrets_in(reading.text):
            yield Secret(*reading.span(secret.start, secret.end), secret.kind)
    for start, end, said in decoded_parts(text):
        # One secret is enough: the whole encoded text is masked.
        if (first := next(_secrets_in(said), None)) is not None:
            yield Secret(start, end, first.kind)


def _private_keys(text: str) -> Iterator[Secret]:
    reached = 0
    for begin in _PRIVATE_KEY.finditer(text):
        # Skip a beginning inside an earlier key: its end is known, and a search would be quadratic.
        if begin.start() >= reached:
            end = _END_OF_KEY.search(text, begin.end())
            reached = end.end() if end else len(text)
            yield Secret(begin.start(), reached, _PRIVATE)
    for end in _END_OF_KEY.finditer(text):
        # The end of a key whose beginning was cut off.
        yield Secret(_start_of_key(text, end.start()), end.end(), _PRIVATE)
    reached = 0
    for begin in _PUTTY_KEY.finditer(text):
        if begin.start() >= reached:
            closing = text.find("Private-MAC:", begin.end())
            reached = len(text) if closing < 0 else closing
            yield Secret(begin.start(), reached, _PRIVATE)


def _start_of_key(text: str, end: int) -> int:
    """Return where the lines begin that a key, of which only the end is there, consists of."""
    start = end
    while start > 0:
        line_start = text.rfind("\n", 0, start - 1) + 1
        if not _LINE_OF_KEY.fullmatch(text, line_start, start - 1):
            break
        start = line_start
    return start


def _tokens(text: str) -> Iterator[Secret]:
    from local_tools.secrets.patterns import TOKENS  # noqa: PLC0415

    for shape in TOKENS:
        if any(sign in text for sign in shape.signs):
            group = 1 if shape.pattern.groups else 0
            for hit in shape.pattern.finditer(text):
                yield Secret(*hit.span(group), shape.kind)


def _merged(found: Iterable[Secret]) -> Iterator[Secret]:
    last: Secret | None = None
    for secret in sorted(found, key=lambda s: (s.start, -s.end)):
        if last is not None and secret.start < last.end:
            last = Secret(last.start, max(last.end, secret.end), last.kind)
            continue
        if last is not None:
            yield last
        last = secret
    if last is not None:
        yield last
