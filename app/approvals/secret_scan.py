"""Secrets in text: keys, tokens, private keys, passwords and what else should not be told.

Every rule is bounded, so that a hostile text takes no longer than a plain one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from app.approvals.secret_names import sounds_secret

_NO_WORD_BEFORE: Final = r"(?<![A-Za-z0-9_-])"
# What each looks like that says by itself what it is, as their makers document it.
_TOKENS: Final = tuple(
    (kind, re.compile(_NO_WORD_BEFORE + pattern))
    for kind, pattern in (
        ("AWS key", r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}(?![A-Z0-9])"),
        ("GitHub token", r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})"),
        ("GitLab token", r"gl(?:pat|dt|rt|cbt|ptt|oas)-[A-Za-z0-9_-]{20,300}"),
        ("Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,300}|xapp-\d-[A-Za-z0-9-]{10,300}"),
        ("Stripe key", r"(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,255}"),
        ("Anthropic key", r"sk-ant-[A-Za-z0-9_-]{20,255}"),
        ("OpenAI key", r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,255}"),
        ("Google key", r"AIza[A-Za-z0-9_-]{35}"),
        ("Google token", r"ya29\.[A-Za-z0-9_-]{20,512}|GOCSPX-[A-Za-z0-9_-]{20,64}"),
        ("npm token", r"npm_[A-Za-z0-9]{36}"),
        ("PyPI token", r"pypi-AgE[A-Za-z0-9_-]{50,512}"),
        ("SendGrid key", r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
        ("Mailgun key", r"key-[0-9a-f]{32}"),
        ("Mailchimp key", r"[0-9a-f]{32}-us\d{1,2}(?!\d)"),
        ("Twilio key", r"(?:SK|AC)[0-9a-f]{32}(?![0-9a-f])"),
        ("Discord token", r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"),
        ("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
        ("Hugging Face token", r"hf_[A-Za-z0-9]{30,64}"),
        ("Shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
        ("Square token", r"sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}"),
        ("Artifactory key", r"AKC[A-Za-z0-9]{10,255}"),
        ("age key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
        ("Parley key", r"pk_(?:live|test)_[A-Za-z0-9_-]{16,255}"),
        ("web token", r"eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{4,4000}\.[A-Za-z0-9_-]{0,2000}"),
    )
)
_HOOKS: Final = (
    ("Telegram token", re.compile(r"(?<!\d)(\d{8,10}:AA[A-Za-z0-9_-]{33})")),
    ("Slack webhook", re.compile(r"hooks\.slack\.com/services/([A-Za-z0-9/_-]{20,100})")),
    ("Discord webhook", re.compile(r"discord(?:app)?\.com/api/webhooks/(\d{5,25}/[\w-]{20,100})")),
    ("password in an address", re.compile(r"://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{3,200})@")),
    ("storage key", re.compile(r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{20,120})")),
    ("sign-in header", re.compile(
        r"(?i:authorization|x-api-key|proxy-authorization)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
        r"(?:(?i:bearer|basic|token|digest)\s{1,3})?([A-Za-z0-9+/=_.~:-]{8,2000})"
    )),
    ("sign-in header", re.compile(r"(?i:\bbearer\s{1,3})([A-Za-z0-9+/=_.~-]{20,2000})")),
)  # fmt: skip
_PRIVATE_KEY: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----")
_PUTTY_KEY: Final = re.compile(r"(?m)^Private-Lines: \d{1,4}$")
_NAMES_OF_VALUES: Final = (  # what such values are called
    r"passw(?:or)?d|passphrase|passwd|pwd|secret|token|api[_-]?key|apikey|access[_-]?key"
    r"|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|auth[_-]?key|credentials?"
    r"|client[_-]?secret|session[_-]?key|account[_-]?key|dsn|kennwort|passwort"
)
_ASSIGNED: Final = re.compile(
    rf"(?i:({_NAMES_OF_VALUES})[A-Za-z0-9_.-]{{0,40}}[\"'\]]{{0,2}}\s{{0,10}}(?:=>|:=|[:=])\s{{0,10}})"
    r"(?:\"([^\"\n]{1,500})\"|'([^'\n]{1,500})'|`([^`\n]{1,500})`|([^\s\"'`,;]{1,500}))"
)
# As `.netrc` and command lines have it.
_NAMED: Final = re.compile(
    r"(?i:(?<![\w-])(?:password|passwd|--(?:password|passwd|token|secret|api-key)))[ =]{1,3}"
    r"([^\s\"'=,;:]{6,200})"
)
_LINE_OF_SECRETS: Final = re.compile(
    r"(?m)^[ \t]{0,20}(?:export[ \t]{1,3})?[A-Za-z_][\w.-]{0,100}[ \t]{0,10}[=:][ \t]{0,10}"
    r"(\S.{0,4000})$"
)
_HIT_IN_FILE: Final = re.compile(r"(?m)^([^\s:]{1,400}):\d{1,9}[:-] ?(\S.{0,4000})$")
_PLACEHOLDER: Final = re.compile(
    r"(?i)[$<{%*].*|.*\(.*|x{3,}|\.{3,}|(?:none|null|true|false|nil|undefined|str|string|text|bytes"
    r"|required|optional|changeme|example|placeholder|redacted|hidden|masked|your[_-].*"
    r"|os\.environ.*|process\.env.*|env\..*|self\..*|settings\..*|config\..*)"
)
_STRONG_WORDS: Final = re.compile(r"(?i)pass|pwd|secret|kennwort|passwort|credential|dsn")
_LEAST_STRONG: Final = 4
_LEAST_OTHER: Final = 8
_LEAST_ENTROPY: Final = 2.5


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what kind it is, in English."""

    start: int
    end: int
    kind: str


def find_secrets(text: str, *, is_secret_file: bool = False) -> tuple[Secret, ...]:
    """Find what should not be told, in order and without overlaps.

    In the text of a file that is there for secrets each value is one; what is found there in no
    other form, is one as a whole. May take a moment for a long text: call it in a thread.
    """
    found = [*_private_keys(text), *_tokens(text), *_assigned(text), *_hits(text)]
    if is_secret_file:
        found += _spans(_LINE_OF_SECRETS, text, "value of a file with secrets")
        if not found and text.strip():
            found = [Secret(0, len(text), "file with secrets")]
    return tuple(_merged(found))


def masked(text: str, secrets: Iterable[Secret]) -> str:
    """The text with a mark in the place of each secret; nothing of them is left."""
    parts, at = [], 0
    for secret in secrets:
        parts += [text[at : secret.start], f"[masked: {secret.kind}]"]
        at = secret.end
    return "".join([*parts, text[at:]])


def _private_keys(text: str) -> Iterator[Secret]:
    for begin in _PRIVATE_KEY.finditer(text):
        closing = f"-----END {begin[1]}-----"
        end = text.find(closing, begin.end())
        yield Secret(begin.start(), len(text) if end < 0 else end + len(closing), "private key")
    for begin in _PUTTY_KEY.finditer(text):
        end = text.find("Private-MAC:", begin.end())
        yield Secret(begin.start(), len(text) if end < 0 else end, "private key")


def _tokens(text: str) -> Iterator[Secret]:
    for kind, pattern in _TOKENS:
        for hit in pattern.finditer(text):
            yield Secret(hit.start(), hit.end(), kind)
    for kind, pattern in _HOOKS:
        yield from _spans(pattern, text, kind)


def _assigned(text: str) -> Iterator[Secret]:
    for hit in _ASSIGNED.finditer(text):
        number = next(n for n in (2, 3, 4, 5) if hit[n] is not None)
        if _looks_secret(hit[number], is_strong=bool(_STRONG_WORDS.search(hit[1]))):
            yield Secret(hit.start(number), hit.end(number), f"{_plain(hit[1])}")
    for hit in _NAMED.finditer(text):
        if _looks_secret(hit[1], is_strong=False):
            yield Secret(hit.start(1), hit.end(1), "password")


def _hits(text: str) -> Iterator[Secret]:
    """Lines of files that are there for secrets, as a search tells them."""
    for hit in _HIT_IN_FILE.finditer(text):
        if any(sounds_secret(name) for name in hit[1].split("/")):
            yield Secret(hit.start(2), hit.end(2), "line of a file with secrets")


def _spans(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Secret]:
    for hit in pattern.finditer(text):
        yield Secret(hit.start(1), hit.end(1), kind)


def _looks_secret(value: str, *, is_strong: bool) -> bool:
    if _PLACEHOLDER.fullmatch(value):
        return False
    if is_strong:
        return len(value) >= _LEAST_STRONG
    has_digit = any(sign.isdigit() for sign in value)
    return len(value) >= _LEAST_OTHER and has_digit and _entropy(value) >= _LEAST_ENTROPY


def _entropy(value: str) -> float:
    """Bits a sign."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)


def _plain(word: str) -> str:
    return word.lower().replace("_", " ").replace("-", " ")


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
