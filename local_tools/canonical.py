"""Parse a tool's input once, freeze it and hash it.

The input that is shown, hashed and run must be the same. So only this module parses it, refuses
whatever two parsers could read differently (duplicate keys, NaN, deep nesting), and returns an
immutable value.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NoReturn, TypeAlias

from local_tools.errors import InvalidInputError, named

LIMIT_BYTES: Final = 256 * 1024
DEPTH_LIMIT: Final = 64
# Python refuses to convert integers of more than 4,300 digits to text; nobody could check one on a
# card anyway.
_INTEGER_BITS_LIMIT: Final = 14_000

FrozenJson: TypeAlias = (
    "bool | int | float | str | tuple[FrozenJson, ...] | Mapping[str, FrozenJson] | None"
)


@dataclass(frozen=True, slots=True)
class CanonicalInput:
    """One input as frozen value, canonical text and hash.

    Attributes:
        value: Tuples and read-only mappings all the way down.
        text: Canonical JSON: sorted keys, no blanks, no escapes that are not needed.
        sha256: Of `text` in UTF-8, in hexadecimal.
    """

    value: Mapping[str, FrozenJson]
    text: str
    sha256: str


def parse_text(text: str | bytes) -> CanonicalInput:
    """Read an input from JSON text.

    Raises:
        InvalidInputError: When it is refused; the message says why.
    """
    try:
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        _check_size(len(data))
        value = json.loads(
            data.decode("utf-8", "surrogatepass"),
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise _too_deep() from None
    except ValueError as exc:
        raise InvalidInputError("The input is not valid JSON.") from exc
    return freeze(value)


def freeze(value: object) -> CanonicalInput:
    """Freeze an input that is already a Python value; `value` must be a mapping.

    Raises:
        InvalidInputError: When it is refused; the message says why.
    """
    if not isinstance(value, Mapping):
        raise InvalidInputError("The input is not a JSON object.")
    frozen = _frozen_mapping(value, depth=1)
    text = canonical_text(frozen)
    data = text.encode()
    _check_size(len(data))
    return CanonicalInput(frozen, text, hashlib.sha256(data).hexdigest())


def frozen_json(value: object) -> FrozenJson:
    """Freeze any JSON value; raises as `freeze` does."""
    return _frozen(value, depth=0)


def thaw(value: FrozenJson) -> object:
    """Return a copy made of plain lists and dicts, for libraries that need them."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    return value


def canonical_text(value: FrozenJson) -> str:
    """Return the canonical JSON text of a value."""
    return json.dumps(
        thaw(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def canonical_sha256(value: object) -> str:
    """Return the SHA-256, in hexadecimal, of a JSON value's canonical text."""
    return hashlib.sha256(canonical_text(frozen_json(value)).encode()).hexdigest()


def clean_text(text: str) -> str:
    """Join surrogate pairs, and replace lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _check_size(size_bytes: int) -> None:
    if size_bytes > LIMIT_BYTES:
        raise InvalidInputError(
            f"The input is too large: {size_bytes:,} bytes, and the limit is {LIMIT_BYTES:,}."
        )


def _too_deep() -> InvalidInputError:
    return InvalidInputError(f"The input is nested deeper than {DEPTH_LIMIT} levels.")


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInputError(f"The input contains {name}, which is not JSON.")


def _unique(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise InvalidInputError(f"The input has the key “{clean_text(named(key))}” twice.")
        result[key] = value
    return result


def _frozen(value: object, depth: int) -> FrozenJson:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, int | float):
        return _checked_number(value)
    if depth >= DEPTH_LIMIT:
        raise _too_deep()
    if isinstance(value, Mapping):
        return _frozen_mapping(value, depth + 1)
    if isinstance(value, list | tuple):
        return tuple(_frozen(item, depth + 1) for item in value)
    raise InvalidInputError("The input contains something that is not JSON.")


def _frozen_mapping(value: Mapping[object, object], depth: int) -> Mapping[str, FrozenJson]:
    pairs: list[tuple[str, object]] = []
    for key, item in value.items():
        if not isinstance(key, str):
            raise InvalidInputError("The input has a key that is not text.")
        pairs.append((clean_text(key), item))
    # Two keys may become one when their lone surrogates are replaced.
    unique = _unique(pairs)
    return MappingProxyType({key: _frozen(item, depth) for key, item in unique.items()})


def _checked_number(value: float) -> int | float:
    if isinstance(value, int):
        if value.bit_length() > _INTEGER_BITS_LIMIT:
            raise InvalidInputError("The input contains a number that is too long.")
        return int(value)
    if not math.isfinite(value):
        raise InvalidInputError("The input contains a number that is too large or not a number.")
    return float(value)
