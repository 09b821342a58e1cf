"""What another scanner knows is found by ours, and ordinary text is left alone."""

import base64
import importlib
import pkgutil
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from string import ascii_letters, digits, punctuation
from typing import cast

import pytest
from detect_secrets import plugins
from detect_secrets.plugins.base import RegexBasedDetector
from rstr import Rstr

from local_tools.secrets.scan import find_secrets

pytestmark = pytest.mark.security(30)

_KEY_LINE = "MIIB" + "0123456789abcdef" * 3
_ROOT = Path(__file__).parents[3]
# Addresses of machines are no secrets.
_NO_SECRETS = {"IPPublicDetector"}
# What stands around a token in texts of all kinds.
_AROUND = ("{}", '"{}"', "'{}',", " {} ", "a = {}\n", '{{"a": "{}"}}', "x\\n{}\\n", "({})")
_IN_ADDRESSES = f"{ascii_letters}{digits}-._~%"
# As the other scanner writes that a name, a sign and a value follow each other.
_NAMED = "(?<=^)"
_LONGEST = 300
_BLANKS = re.compile(r"\s+")


def _detectors() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in pkgutil.iter_modules(plugins.__path__):
        found = vars(importlib.import_module(f"{plugins.__name__}.{module.name}")).values()
        for kind in found:
            if not isinstance(kind, type) or not issubclass(kind, RegexBasedDetector):
                continue
            if kind is not RegexBasedDetector and kind.__name__ not in _NO_SECRETS:
                patterns = cast("Sequence[re.Pattern[str]]", kind.denylist)
                yield from ((kind.__name__, pattern) for pattern in patterns)


_PATTERNS = sorted({(name, p.pattern): (name, p) for name, p in _detectors()}.items())


def _examples(name: str, pattern: re.Pattern[str], strings: Rstr) -> Iterator[tuple[str, str]]:
    """Texts that a pattern matches, and what in them is the secret."""
    for around in _AROUND * (8 if _NAMED in pattern.pattern else 2):
        if name == "JwtTokenDetector":
            made = _web_token(strings)
        elif name == "PrivateKeyDetector" and "PuTTY" in pattern.pattern:
            made = f"{pattern.pattern}: ssh-rsa\nPrivate-Lines: 1\n{_KEY_LINE}\nPrivate-MAC: 00"
        elif name == "PrivateKeyDetector":
            begin = pattern.pattern
            made = f"-----{begin}-----\n{_KEY_LINE}\n-----{begin.replace('BEGIN', 'END')}-----"
        elif name == "BasicAuthDetector":
            made = f"https://{strings.letters(8)}:{strings.rstr(_IN_ADDRESSES, 12)}@example.org"
        elif name == "NpmDetector":
            made = f"//packages.example.org/:_authToken=npm_{strings.letters(36)}"
        else:
            # Of many blanks one says as much, and a dot is meant.
            made = _BLANKS.sub(" ", strings.xeger(pattern)).strip()[:_LONGEST]
            made = re.sub("api.softlayer.com/soap/v3(?:.1)?/", "api.softlayer.com/soap/v3.1/", made)
        # The signs before a name are taken from a set, in another order each time.
        made = made.lstrip(punctuation) if _NAMED in pattern.pattern else made
        found = pattern.search(made)
        if found is None or not all(map(str.isascii, found.groups(""))):
            continue
        secret = next((group for group in reversed(found.groups()) if group), found[0])
        if _NAMED in pattern.pattern and made.split(secret)[0].rstrip(" \"'")[-1] not in "=:>":
            continue  # A blank alone between them.
        is_key = name == "PrivateKeyDetector"
        # What names a value stands where it stands.
        is_bare = is_key or pattern.groups > 0
        shown = made if is_bare else around.format(made)
        yield shown, (_KEY_LINE if is_key else secret.strip(' "=:'))


def _web_token(strings: Rstr) -> str:
    parts = ('{"alg":"HS256"}', f'{{"sub":"{strings.digits(9)}"}}', strings.letters(30))
    encoded = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return ".".join(encoded)


def _is_masked(text: str, secret: str) -> bool:
    """Whether nothing that matters of a secret would be told: its fixed beginning says nothing."""
    at = text.rindex(secret)
    hidden = {i for found in find_secrets(text) for i in range(found.start, found.end)}
    left = "".join(sign for i, sign in enumerate(secret, at) if i not in hidden)
    return secret.startswith(left) and (len(left) < len(secret) / 2)


@pytest.mark.parametrize(
    ("name", "pattern"), [found for _, found in _PATTERNS], ids=[name for (name, _), _ in _PATTERNS]
)
def test_secrets_known_to_another_scanner_are_found(name: str, pattern: re.Pattern[str]) -> None:
    strings = Rstr(Random(7))  # noqa: S311 - the same each time
    examples = list(_examples(name, pattern, strings))
    assert len(examples) >= 3

    missed = [text for text, secret in examples if not _is_masked(text, secret)]

    assert missed == []


def test_ordinary_sources_hold_next_to_nothing_that_looks_like_a_secret() -> None:
    """Our choice: at most one file in a hundred makes a person decide for nothing."""
    files = [f for part in ("app", "local_tools") for f in sorted((_ROOT / part).rglob("*.py"))]
    some = (*files[::3], _ROOT / "README.md")
    texts = {file: file.read_text(encoding="utf-8") for file in some}

    found = [str(file) for file, text in texts.items() if find_secrets(text)]

    assert len(found) <= len(texts) / 100, found
