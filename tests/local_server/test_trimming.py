"""Long conversations are trimmed by one rule; the rule is stated in the module that is tested."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt import AnsweredCall, ModelTurn, Prompt, Turn, UserTurn
from local_server.assistant.models.trimming import LEFT_OUT, room_for_question, trim, turn_tokens
from local_server.store.records import Tool

_TEXTS = st.text(alphabet="ab 漢é", max_size=400)
_CALLS = st.builds(
    AnsweredCall,
    id=st.text("c1", max_size=3),
    name=st.just("read_file"),
    input=st.dictionaries(st.text("p", max_size=2), _TEXTS, max_size=2),
    result=_TEXTS,
)
_MODEL_TURNS = st.builds(ModelTurn, _TEXTS, st.lists(_CALLS, max_size=3).map(tuple))
_TURNS: st.SearchStrategy[Turn] = st.one_of(st.builds(UserTurn, _TEXTS), _MODEL_TURNS)
_PROMPTS = st.builds(
    Prompt,
    system=_TEXTS,
    earlier=st.lists(_TURNS, max_size=8).map(tuple),
    question=st.builds(UserTurn, _TEXTS),
    since=st.lists(_MODEL_TURNS, max_size=4).map(tuple),
    tools=st.just((Tool("read_file", "Reads.", {"type": "object"}),)),
)


_NOTE_AND_TOOLS = 120


def _tokens(prompt: Prompt) -> int:
    return sum(map(turn_tokens, (UserTurn(prompt.system), *prompt.turns)))


def _trimmed(prompt: Prompt, window: int) -> Prompt | None:
    try:
        return trim(prompt, window)
    except UpstreamError:
        return None


@settings(max_examples=60)
@given(_PROMPTS, st.integers(min_value=100, max_value=4000))
def test_what_has_to_stay_stays_and_the_rest_is_a_whole_end_of_what_was(
    prompt: Prompt, window: int
) -> None:
    kept = _trimmed(prompt, window)
    if kept is None:
        least = Prompt(prompt.system, (), prompt.question, prompt.since[-1:], prompt.tools)
        assert _tokens(least) + _NOTE_AND_TOOLS > room_for_question(prompt, window)
        return
    assert kept.system.startswith(prompt.system)
    assert kept.question == prompt.question
    assert kept.tools == prompt.tools
    assert kept.earlier == prompt.earlier[len(prompt.earlier) - len(kept.earlier) :]
    assert kept.since == prompt.since[len(prompt.since) - len(kept.since) :]
    assert kept.since[-1:] == prompt.since[-1:]
    assert _tokens(kept) <= room_for_question(prompt, window)
    if kept is not prompt:
        assert kept.system.endswith(LEFT_OUT)
        assert not kept.earlier or isinstance(kept.earlier[0], UserTurn)
        assert len(kept.since) == len(prompt.since) or not kept.earlier


@settings(max_examples=30)
@given(_PROMPTS)
def test_what_fits_is_left_alone(prompt: Prompt) -> None:
    assert trim(prompt, 1_000_000) is prompt


@settings(max_examples=60)
@given(_PROMPTS, st.integers(min_value=100, max_value=4000))
def test_larger_window_never_keeps_less(prompt: Prompt, window: int) -> None:
    small = _trimmed(prompt, window)
    large = _trimmed(prompt, window * 2)
    assert small is None or (large is not None and len(large.turns) >= len(small.turns))


def test_oldest_turns_go_first_then_the_oldest_rounds_of_the_reply() -> None:
    def words(count: int) -> str:
        return "word " * count

    call = AnsweredCall("c", "read_file", {"path": "a"}, words(100))
    rounds = (ModelTurn("first", (call,)), ModelTurn("second", (call,)))
    earlier = (UserTurn("old"), ModelTurn(words(300)), UserTurn("new"), ModelTurn("short"))
    prompt = Prompt("system", earlier, UserTurn("question"), rounds)
    assert trim(prompt, 1000).turns == (*earlier[2:], prompt.question, *rounds)
    assert trim(prompt, 450).turns == (prompt.question, rounds[1])
    with pytest.raises(UpstreamError) as failure:
        trim(prompt, 250)
    assert failure.value.kind == "too_long"


def test_letters_that_take_a_token_each_are_counted_so() -> None:
    assert turn_tokens(UserTurn("漢" * 1000)) > 2.5 * turn_tokens(UserTurn("a" * 1000))
