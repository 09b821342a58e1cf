"""Input is read once, refused when it is ambiguous, and cannot change afterwards."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_tools.canonical import DEPTH_LIMIT, LIMIT_BYTES, freeze, parse_text, thaw
from local_tools.errors import InvalidInputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(database=None)
@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_canonical_text_read_again_is_the_same_input(value: dict[str, object]) -> None:
    once = freeze(value)
    again = parse_text(once.text)
    assert again == once
    assert thaw(again.value) == json.loads(json.dumps(value))


def test_order_and_blanks_do_not_change_the_hash() -> None:
    assert (
        parse_text('{"b": 1, "a": [2, "ä"]}').sha256
        == parse_text('{"a":[2,"\\u00e4"],"b":1}').sha256
    )
    assert parse_text('{"b": 1, "a": [2, "ä"]}').text == '{"a":[2,"ä"],"b":1}'


def test_frozen_input_cannot_be_changed() -> None:
    mutable: dict[str, object] = {"list": [1], "map": {"a": 1}}
    frozen = freeze(mutable)
    mutable["late"] = True
    assert frozen.text == '{"list":[1],"map":{"a":1}}'
    inner = frozen.value["map"]
    assert isinstance(inner, Mapping)
    with pytest.raises(TypeError):
        inner["a"] = 2  # type: ignore[index]  # the point of the test
    assert frozen.value["list"] == (1,)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('{"a": 1, "a": 2}', "“a” twice"),
        ('{"x": {"a": 1, "\\u0061": 2}}', "“a” twice"),
        ('{"\\ud800": 1, "\\ud801": 2}', "twice"),
        ('{"' + "k" * 100 + '": 1, "' + "k" * 100 + '": 2}', "“k{80}…” twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
        ('{"a": ' + "9" * 4290 + "}", "too long"),
        ("[1]", "not a JSON object"),
        ("", "not valid JSON"),
        ('{"a": "' + "x" * LIMIT_BYTES + '"}', "too large"),
        ('{"a":' + "[" * 64 + "]" * 64 + "}", "nested deeper"),
        ('{"a":' + "[" * 100_000 + "]" * 100_000 + "}", "nested deeper"),
        (b'{"a": "\xff"}', "not valid JSON"),
    ],
)
def test_ambiguous_or_excessive_text_is_refused_with_a_sentence(
    text: str | bytes, part: str
) -> None:
    with pytest.raises(InvalidInputError, match=part):
        parse_text(text)


@pytest.mark.parametrize(
    "value",
    [
        [],
        None,
        {1: 2},
        {"a": object()},
        {"a": float("nan")},
        {"a": 1 << 20_000},
        {"a": b"bytes"},
        {"a": "x" * LIMIT_BYTES},
    ],
)
def test_parsed_values_that_are_not_json_are_refused(value: object) -> None:
    with pytest.raises(InvalidInputError):
        freeze(value)


def test_depth_is_allowed_up_to_the_limit() -> None:
    nested = "[" * (DEPTH_LIMIT - 1) + "]" * (DEPTH_LIMIT - 1)
    assert parse_text(f'{{"a":{nested}}}').text == f'{{"a":{nested}}}'


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert (
        parse_text('{"a": "x\\ud800y", "b": "\\ud83d\\ude00"}').text == '{"a":"x\ufffdy","b":"😀"}'
    )
    assert freeze({"a": "\ud83d\ude00\ude00"}).value["a"] == "😀\ufffd"
