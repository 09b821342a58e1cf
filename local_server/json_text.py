"""Parse JSON strictly: RFC 8259, and no value that could not be written back."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

MOST_VALUES: Final = 20_000
_DEEPEST: Final = 100
_NAMED_CHARS: Final = 60
# As long as the largest number that can be written with a point.
_LONGEST_INTEGER_CHARS: Final = 310
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class JsonTextError(ValueError):
    """The text is not JSON; the message says why, in words for its sender."""


def parse_json(text: str | bytes, most_values: int = MOST_VALUES) -> Any:
    """Parse JSON strictly.

    Args:
        text: The JSON.
        most_values: How many values it may hold.

    Raises:
        JsonTextError: On broken text or UTF-8, NaN and Infinity, nesting, numbers or a number of
            values past reason, a key twice in one object, of which others would read the other
            value, and halves of surrogate pairs, which could not be stored or sent.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        _refuse_crowd(decoded, most_values)
        value = json.loads(
            decoded,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_short_integer,
            object_pairs_hook=_unique,
        )
        _refuse_depth(value)
        if _SURROGATE.search(decoded):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as exc:
        raise JsonTextError("the text is not UTF-8") from exc
    except UnicodeEncodeError as exc:
        raise JsonTextError("the text holds half of a surrogate pair") from exc
    except RecursionError as exc:
        raise JsonTextError("the JSON is nested too deeply") from exc
    except json.JSONDecodeError as exc:
        raise JsonTextError(f"the JSON is broken at line {exc.lineno}: {exc.msg}") from exc
    return value


def _refuse_crowd(text: str, most_values: int) -> None:
    """Refuse so many values that making them would hold up everybody else.

    8 MiB of small lists take a second to parse, and a thread would not let go of the interpreter
    meanwhile; this looks at the text as a whole, in some 30 ms, and at its beginning before that.
    """
    if len(text) <= 2 * most_values:
        # Shorter texts cannot hold so many values that reading them would keep others waiting.
        return
    beginning = text[: 8 * most_values]
    if _holds_crowd(beginning, most_values) or _holds_crowd(text, most_values):
        raise JsonTextError(f"the JSON holds more than {most_values:,} values")


def _holds_crowd(text: str, most_values: int) -> bool:
    """Return whether a text may have more than `most_values`; only exact for valid JSON."""
    plain = text.replace("\\\\", "").replace('\\"', "")
    if plain.count('"') > 4 * most_values:
        return True
    outside = plain.split('"')[::2]
    return sum(part.count(sign) for part in outside for sign in ",[{") > most_values


def _refuse_constant(name: str) -> None:
    raise JsonTextError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) == len(pairs):
        return whole
    counts = Counter(key for key, _ in pairs)
    twice = next(key for key, count in counts.items() if count > 1)
    raise JsonTextError(f"the JSON has the key “{_named(twice)}” twice in one object")


def _named(key: str) -> str:
    """Return a key so that it can be said: in one line, short, and possible to encode."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in key)
    return shown if len(shown) <= _NAMED_CHARS else f"{shown[:_NAMED_CHARS]}…"


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonTextError("the JSON holds a number that is too large")
    return number


def _short_integer(text: str) -> int:
    # The time that a number takes grows with the square of its length.
    if len(text) > _LONGEST_INTEGER_CHARS:
        raise JsonTextError("the JSON holds a number that is too long")
    return int(text)


def _refuse_depth(value: Any) -> None:
    """Refuse what the parser can nest but others, on the way to the model, cannot."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return
    raise JsonTextError("the JSON is nested too deeply")


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
