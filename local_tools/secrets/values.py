"""Find secrets without a known form: values with a telling name, and random text.

`named_values` finds values by their names (`password = …`), `random_texts` text of high entropy.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from local_tools.translation_marks import QT_TRANSLATE_NOOP

_QUOTED: Final = re.compile(r"[\"']([A-Za-z0-9+/_-]{40,400}={0,2})[\"']")
_SIGNS: Final = tuple(re.compile(signs) for signs in ("[0-9]", "[A-Z]", "[a-z]"))
# Values with such names are digests or data, which look random and are no secrets.
_DIGEST: Final = re.compile(r"(?i)hash|sha|digest|checksum|integrity|sign|finger|etag|base64|data")
_NAME_CHARS: Final = 40
_LEAST_BITS: Final = 4.3
_KIND: Final = QT_TRANSLATE_NOOP("Secrets", "random-looking text")


def random_texts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield long random texts in quotes: start, end, kind.

    Hexadecimal digests are common and do not count (our choice).
    """
    for hit in _QUOTED.finditer(text):
        before = (max(0, hit.start() - _NAME_CHARS), hit.start())
        if _looks_random(hit[1]) and not _DIGEST.search(text, *before):
            yield *hit.span(1), _KIND


def bits_a_sign(value: str) -> float:
    """Return the entropy of a text, in bits per character."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)


def _looks_random(value: str) -> bool:
    has_all = all(signs.search(value) for signs in _SIGNS)
    return has_all and "abcdefgh" not in value.lower() and bits_a_sign(value) >= _LEAST_BITS


# Lines without any of these are not looked at any closer.
_HINTS: Final = ("pass", "pw", "secret", "token", "key", "cred", "dsn", "kennwort", "contrase")
_STRONG: Final = (
    r"passw(?:or)?d|passwort|passphrase|passwd|pwd|secret|kennwort|contrase[nñ]a"
    r"|(?<=[_-])(?:pass|pw)(?![A-Za-z])|(?<![\w.-])pass(?=[\"']?[ \t]{0,3}=)"
    r"|(?:db|key|api|clou|cloudant|sl|softlayer|ibm|user|admin|root|smtp|mail|ftp)(?:pass|pw)(?![A-Za-z])"
)
_OTHER: Final = (
    r"token|credentials?|(?<![A-Za-z])dsn|(?:api|access|auth|private|priv|signing|encryption"
    r"|master|client|service|account|session|db|database|cloudant|softlayer)[_-]?(?:api[_-]?)?key"
)
_KEY: Final = (
    r"(?<!mon)(?<!tur)(?<!don)key(?!ring|word|board|frame|[_-]?(?:id|type|file|store|path))"
)
# After the name: `s`, or another word of it.
_MORE: Final = r"(?:[es]?(?-i:[A-Z0-9_.-])[A-Za-z0-9_.-]{0,40}|[es])?(?![A-Za-z])"
_NAME: Final = rf"(?i:({_STRONG}|{_OTHER}|{_KEY}){_MORE})"
_QUOTED_VALUE: Final = r"(?:\"([^\"\n]{1,500})\"|'([^'\n]{1,500})'|`([^`\n]{1,500})`)"
# `name = "…"`, `name[25] = @"…"`, `"name": "…"`, `name !== '…'`, also with the value below.
_ASSIGNED: Final = re.compile(
    rf"{_NAME}[\\\"'\]]{{0,4}}(?:\[\d{{0,6}}\])?\s{{0,10}}(?:=>|:=|::|[!=]={{1,2}}|[:=])\s{{0,10}}"
    rf"(?:@|\\{{1,3}})?{_QUOTED_VALUE}"
)
# `name: …`, `--name=…`, up to a blank.
_BARE: Final = re.compile(
    rf"{_NAME}[\"'\]]{{0,2}}[ \t]{{0,10}}(?:=>|:=|::|={{1,3}}|!={{1,2}}|[:=])[ \t]{{0,10}}"
    r"([^\s\"'`,;]{1,500})"
)
# What a diff, numbered lines, a search and `git blame` print before a line.
_MARGIN: Final = (
    r"(?:[+<>-](?![+<>-])|[ \t]{0,10}\d{1,9}[\t:-]|[^\s:]{1,300}:\d{1,9}[:-]"
    r"|\^?[0-9a-f]{7,40} [^\n]{0,200}?\d\) )?"
)
# A line of settings: what stands in it is the value, blanks and all.
_SETTING: Final = re.compile(
    rf"(?m)^{_MARGIN}[ \t]{{0,40}}(?:export[ \t]|[-#][ \t])?[A-Za-z0-9_.-]{{0,60}}?(?i:({_STRONG}))"
    r"[A-Za-z0-9_-]{0,40}[ \t]{0,10}(?::|=|:=)[ \t]{0,10}([^\s\"'`][^\n]{0,1000})$"
)
_COMPARED: Final = re.compile(
    rf"{_QUOTED_VALUE}\s{{0,5}}[!=]={{1,2}}\s{{0,5}}[\w.]{{0,40}}?{_NAME}"
)
# As `.netrc`, command lines and configurations of programs have it.
_BESIDE: Final = re.compile(
    r"(?i:(passw(?:or)?d|passphrase|secret|(?:private|api)[_-]?key)[A-Za-z0-9_-]{0,40})[ ]{1,3}"
    rf"{_QUOTED_VALUE}"
)
# Longer than any word, with a sign or only blanks between name and value.
_LONG: Final = re.compile(
    rf"{_NAME}[\"'\]]{{0,2}}[ \t]{{0,10}}(?:=>|:=|::|[:=]|[ \t])[ \t]{{0,10}}[\"']?"
    r"([A-Za-z0-9_-]{24,128})(?![A-Za-z0-9_.(/-])"
)
_AFTER: Final = re.compile(
    r"(?i:(?<![\w-])(?:--[a-z-]{0,40})?((?<=-)(?:token|secret|key)|password|passwd))[ =]{1,3}"
    r"[\"']?([^\s\"'=,;:]{6,200})"
)
_GIVEN: Final = re.compile(
    rf"(?i:(?:\b(?:string|auto|char|QString)[ ]\w{{0,40}}?(?={_STRONG})|(?=\w{{1,60}}\.assign))"
    rf"({_STRONG})\w{{0,40}}(?:\.assign)?)\([\"']([^\"'\n]{{4,500}})[\"']"
)
_WORDS: Final = (
    r"none|null|true|false|nil|undefined|any|object|str|string|text|bytes|bytearray|int|bool"
    r"|required|optional|changeme|example|placeholder|redacted|hidden|masked|your[_-].*"
)
_PLACEHOLDER: Final = re.compile(
    rf"(?i)\$\{{.*\}}|\$\([^)]*\)|\$[a-z_]\w*|<[^<>]*>|\{{\{{?[\w .:()\[\]-]*\}}\}}?"
    rf"|(?:%\(?\w*\)?s?%?[:/]?)+|\*+|x+|\.+|-+|\W|(?:\[masked: [a-z ]{{1,40}}\](?:\\[nr])?)+"
    rf"|{_WORDS}"
)
# What a programmer writes in place of a value.
_CODE: Final = re.compile(
    r"[\[({<&*|].*|[A-Za-z_][\w.]*[\[(].*|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+|f?\{.*"
    rf"|(?i:(?:{_WORDS})[\[|?&].*|\w*(?:passw|passphrase|secret|token|key|credential|pwd)[a-z_]*)"
)
_PATH: Final = re.compile(r"[/~].*|[A-Za-z]:\\.*")
_SENTENCE: Final = re.compile(r"[.,:;][ \n]|[.,;:]$|[`({\[=|\\]| (?:or|if|not|is|are) ")
_NEXT_WORD: Final = re.compile(r"[ ]+[\w`“\"'(=|+/*%-]")
_STRONG_NAME: Final = re.compile(r"(?:.*(?:pass|pw|secret|kennwort|contrase).*)")
_LONG_KEY: Final = re.compile(r"[A-Za-z0-9+/_=.-]{24,500}")
_MIXED: Final = re.compile(r"[^A-Za-z _./:,-]")
_DIGIT: Final = re.compile("[0-9]")
_OF_A_FILE: Final = re.compile(r"(?i)file|path|dir")
_CLOSING: Final = ")]}>:"
_AFTER_ARGUMENT: Final = (",", ")")
_MOST_WORDS: Final = 6
_PIECE, _LONGEST = 8192, 1200
_LEAST_STRONG, _LEAST_OTHER, _LEAST_ENTROPY = 4, 8, 2.5
_PASSWORD: Final = QT_TRANSLATE_NOOP("Secrets", "password")
_KINDS: Final = (
    ("passphrase", QT_TRANSLATE_NOOP("Secrets", "passphrase")),
    ("secret", QT_TRANSLATE_NOOP("Secrets", "secret")),
    ("token", QT_TRANSLATE_NOOP("Secrets", "token")),
    ("key", QT_TRANSLATE_NOOP("Secrets", "key")),
    ("credential", QT_TRANSLATE_NOOP("Secrets", "credentials")),
    ("dsn", QT_TRANSLATE_NOOP("Secrets", "credentials")),
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form in which something is named: the group of the name, and those of the value.

    `is_vague` says that any word of a sentence may stand there.
    """

    pattern: re.Pattern[str]
    name: int
    values: tuple[int, ...]
    is_quoted: bool = True
    is_vague: bool = False


_RULES: Final = (
    _Rule(_ASSIGNED, 1, (2, 3, 4)),
    _Rule(_COMPARED, 4, (1, 2, 3)),
    _Rule(_BESIDE, 1, (2, 3, 4)),
    _Rule(_GIVEN, 1, (2,)),
    _Rule(_BARE, 1, (2,), is_quoted=False),
    _Rule(_LONG, 1, (2,), is_quoted=False),
    _Rule(_AFTER, 1, (2,), is_quoted=False, is_vague=True),
)


def named_values(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield values with a telling name (`password = …`): start, end, kind."""
    for first, last in _windows(text):
        for rule in _RULES:
            for hit in rule.pattern.finditer(text, first, last):
                yield from _judged(hit, rule)
        for hit in _SETTING.finditer(text, first, last):
            yield from _judged_setting(hit)


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that may name something, each with the one below, in pieces.

    A piece is short, so that no search keeps other threads waiting; what lies across its end is
    in the next one, too.
    """
    first, last, at = 0, 0, 0
    for line in text.splitlines(keepends=True):
        low = line.lower()
        if any(hint in low for hint in _HINTS):
            if at > last:
                yield from _pieces(first, last)
                first = at
            below = text.find("\n", at + len(line))
            last = min(len(text) if below < 0 else below + 1, at + len(line) + _LONGEST)
        at += len(line)
    yield from _pieces(first, last)


def _pieces(first: int, last: int) -> Iterator[tuple[int, int]]:
    for start in range(first, last, _PIECE):
        yield start, min(last, start + _PIECE + _LONGEST)


def _judged(hit: re.Match[str], rule: _Rule) -> Iterator[tuple[int, int, str]]:
    group = next(number for number in rule.values if hit[number] is not None)
    called, value = hit[rule.name].lower(), hit[group]
    if called == "pwd" and _PATH.fullmatch(value):
        return  # The folder that a shell is in.
    if _PATH.fullmatch(value) and _OF_A_FILE.search(hit.string, hit.start(), hit.start(group)):
        return
    if not rule.is_quoted:
        if _is_code(value):
            return
        value = value.rstrip(_CLOSING)
        if _is_no_value(value, hit.string, hit.span(group)):
            return
    weighed = "token" if rule.is_vague else called
    if _is_secret(value, weighed, is_quoted=rule.is_quoted):
        yield *hit.span(group), _kind_of(called)


def _judged_setting(hit: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Yield all of a value, with blanks and commas, if its words could be one."""
    called, value = hit[1].lower(), hit[2]
    words = value.split()
    if _is_code(words[0].rstrip(",;")) or _PATH.fullmatch(words[0]):
        return
    if len(words) > 1 and (len(words) > _MOST_WORDS or _SENTENCE.search(value)):
        return
    if len(words) == 1 and value.endswith((",", ";")) and value[:-1].isidentifier():
        return
    if _is_secret(words[0], called, is_quoted=False):
        yield *hit.span(2), _kind_of(called)


def _is_code(value: str) -> bool:
    """Return whether a value without quotes is an expression of a programmer's."""
    bare = value.rstrip(_CLOSING)
    return any(_CODE.fullmatch(text) or _PLACEHOLDER.fullmatch(text) for text in (value, bare))


def _is_no_value(value: str, text: str, span: tuple[int, int]) -> bool:
    """Return whether an unquoted value is a word of a sentence, or a named argument."""
    if not value.isidentifier() or _DIGIT.search(value):
        return False
    start, end = span
    is_argument = text[start - 1] == "=" and (text[end : end + 1] in _AFTER_ARGUMENT)
    is_argument = is_argument or text[start + len(value) : end] != ""
    return is_argument or _NEXT_WORD.match(text, end) is not None


def _is_secret(value: str, called: str, *, is_quoted: bool) -> bool:
    if _PLACEHOLDER.fullmatch(value):
        return False
    if _STRONG_NAME.fullmatch(called):
        return len(value) >= _LEAST_STRONG
    if bits_a_sign(value) < _LEAST_ENTROPY:
        return False
    has_digit = _DIGIT.search(value) is not None
    if called == "key":
        return has_digit and _LONG_KEY.fullmatch(value) is not None
    if (has_digit or is_quoted) and _LONG_KEY.fullmatch(value):
        return True
    return (
        len(value) >= _LEAST_OTHER and (_MIXED if is_quoted else _DIGIT).search(value) is not None
    )


def _kind_of(name: str) -> str:
    return next((kind for word, kind in _KINDS if word in name), _PASSWORD)
