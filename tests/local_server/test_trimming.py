"""Long conversations are trimmed by one rule; the rule is stated in the module that is tested."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.prompt_builder import (
    AnsweredCall,
    Extra,
    ModelTurn,
    Prompt,
    Turn,
    UserTurn,
)
from local_server.assistant.models.trimming import LEFT_OUT, room_for_question, trim, turn_tokens
from local_server.store.records import Omission, StoredTool

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
    tools=st.just((StoredTool("read_file", "Reads.", {"type": "object"}),)),
)


def _tokens(prompt: Prompt) -> int:
    return sum(map(turn_tokens, (UserTurn(prompt.instructions), *prompt.turns)))


def _trimmed(prompt: Prompt, window: int) -> Prompt | None:
    try:
        return trim(prompt, window).prompt
    except UpstreamError:
        return None


@settings(max_examples=60)
@given(_PROMPTS, st.integers(min_value=100, max_value=4000))
def test_trimming_keeps_required_messages_and_the_newest_whole_ones(
    prompt: Prompt, window: int
) -> None:
    kept = _trimmed(prompt, window)
    if kept is None:
        assert sum(map(turn_tokens, (prompt.question, *prompt.since[-1:]))) > window // 2
        return
    assert kept.question == prompt.question
    assert all(tool in prompt.tools for tool in kept.tools)
    assert kept.system.startswith(prompt.system) or kept.system in {"", LEFT_OUT}
    words, kept_words = _turns_of_words(prompt), _turns_of_words(kept)
    assert kept_words == words[len(words) - len(kept_words) :]
    assert _asked(kept) == _asked(prompt)[len(prompt.since) - len(kept.since) :]
    assert bool(kept.since) == bool(prompt.since)
    assert _tokens(kept) <= window
    if len(kept_words) < len(words) or len(kept.since) < len(prompt.since):
        assert kept.system.endswith(LEFT_OUT) or not kept.earlier
        assert not kept.earlier or isinstance(kept.earlier[0], UserTurn)
        assert len(kept.since) == len(prompt.since) or not kept.earlier


def _turns_of_words(prompt: Prompt) -> list[Turn]:
    """Return the turns before the message, without the calls in them."""
    turns = (replace(t, calls=()) if isinstance(t, ModelTurn) else t for t in prompt.earlier)
    return [turn for turn in turns if turn.text]


def _asked(prompt: Prompt) -> list[list[AnsweredCall]]:
    """Return the calls of the reply so far, round by round, whatever their results were."""
    rounds = [turn.calls for turn in prompt.since if isinstance(turn, ModelTurn)]
    return [[replace(call, result="") for call in calls] for calls in rounds]


@settings(max_examples=30)
@given(_PROMPTS)
def test_conversation_that_fits_is_not_trimmed(prompt: Prompt) -> None:
    trimmed = trim(prompt, 1_000_000)
    assert trimmed.prompt is prompt
    assert trimmed.omissions == ()


@settings(max_examples=60)
@given(_PROMPTS, st.integers(min_value=100, max_value=4000))
def test_larger_window_never_refuses_what_a_smaller_takes(prompt: Prompt, window: int) -> None:
    assert _trimmed(prompt, window) is None or _trimmed(prompt, window * 2) is not None


def _words(count: int) -> str:
    return "word " * count


def test_oldest_turns_go_first_then_the_oldest_rounds_of_the_reply() -> None:
    call = AnsweredCall("c", "read_file", {"path": "a"}, _words(100))
    rounds = (ModelTurn("first", (call,)), ModelTurn("second", (call,)))
    earlier = (UserTurn("old"), ModelTurn(_words(300)), UserTurn("new"), ModelTurn("short"))
    prompt = Prompt("system", earlier, UserTurn("question"), rounds)
    assert trim(prompt, 1000).prompt.turns == (*earlier[2:], prompt.question, *rounds)
    assert trim(prompt, 450).prompt.turns == (prompt.question, rounds[1])


def test_results_and_then_offers_go_before_anything_that_a_person_said() -> None:
    call = AnsweredCall("c", "read_file", {"path": "a"}, _words(90))
    said = (UserTurn("first " + _words(60)), UserTurn("second " + _words(60)))
    earlier = (said[0], ModelTurn("read", (call,)), said[1], ModelTurn("…"))
    in_use = Extra("skills", "Instructions of the skill.")
    offered = (replace(_SKILLS, text=_words(60)), in_use)
    prompt = Prompt("system", earlier, UserTurn("question"), extras=offered)

    def kept(window: int) -> tuple[int, int, bool]:
        trimmed = trim(prompt, window).prompt
        turns = trimmed.earlier
        calls = sum(len(turn.calls) for turn in turns if isinstance(turn, ModelTurn))
        assert in_use in trimmed.extras
        return sum(turn in turns for turn in said), calls, len(trimmed.extras) == len(offered)

    seen = [kept(window) for window in range(300, 1400, 5)]
    assert seen[-1] == (2, 1, True)
    for messages, calls, has_offer in seen:
        assert messages == 2 or not (calls or has_offer)
        assert has_offer or not calls
    assert (2, 0, True) in seen
    assert (2, 0, False) in seen
    assert (1, 0, False) in seen


def test_long_results_of_the_latest_round_are_cut_rather_than_the_message() -> None:
    call = AnsweredCall("c", "read_file", {"path": "a"}, _words(4000))
    prompt = Prompt("system", (), UserTurn("question"), (ModelTurn("Let me see.", (call,)),))
    kept = trim(prompt, 2000).prompt
    [cut] = kept.since[-1].calls if isinstance(kept.since[-1], ModelTurn) else ()
    assert cut.result.startswith("word word ")
    assert "cut here" in cut.result
    assert _tokens(kept) <= room_for_question(prompt, 2000)


def _tool(name: str, description: str, size: int = 0) -> StoredTool:
    return StoredTool(name, description + "x" * size, {"type": "object", "properties": {}})


_SKILLS = Extra("skills", _words(200), (_tool("use_skill", "Gives a skill."),))
_TOOLS = (
    _tool("run_command", "Runs a program.", 900),
    _tool("read_file", "Reads a file of the user.", 900),
    _tool("calculate", "Reckons.", 900),
)
_OFFERED = Prompt("system", (), UserTurn("Please read my file"), tools=_TOOLS, extras=(_SKILLS,))


@pytest.mark.parametrize(
    ("window", "tools", "omissions"),
    [
        (8000, _TOOLS, ()),
        (3300, _TOOLS, ("skills",)),
        (2400, _TOOLS[1:], ("skills", "some_tools")),
        (1500, _TOOLS[1:2], ("skills", "some_tools")),
        (900, (), ("skills", "tools")),
        (100, (), ("skills", "tools")),
    ],
)
def test_skills_are_left_out_before_tools_and_those_tools_last_that_the_message_is_about(
    window: int, tools: tuple[StoredTool, ...], omissions: tuple[Omission, ...]
) -> None:
    trimmed = trim(_OFFERED, window)
    assert trimmed.prompt.tools == tools
    assert bool(trimmed.prompt.extras) == (not omissions)
    assert trimmed.prompt.system == "system"
    assert trimmed.omissions == omissions


def test_instruction_is_left_out_only_where_the_message_has_no_room_beside_it() -> None:
    prompt = Prompt(_words(300), (), UserTurn(_words(300)))
    assert trim(prompt, 1600).omissions == ()
    trimmed = trim(prompt, 600)
    assert (trimmed.prompt.system, trimmed.omissions) == ("", ("instructions",))
    with pytest.raises(UpstreamError) as failure:
        trim(prompt, 400)
    assert failure.value.kind == "too_long"


def _of_calls(name: str) -> ModelTurn:
    return ModelTurn("read", (AnsweredCall("c", name, {}, "result"),))


_SAID = tuple(UserTurn(f"{number} {_words(60)}") for number in range(24))


@pytest.mark.parametrize(
    ("question", "calls", "since", "needed"),
    [
        ("Hello", {}, (), set()),
        ("Reckon with it", {}, (), {"calculate"}),
        ("Hello", {}, (_of_calls("run_command"),), {"run_command"}),
        ("Hello", {22: "run_command"}, (), {"run_command"}),
        ("Hello", {1: "run_command"}, (), set()),
    ],
)
def test_tools_that_nobody_needs_now_go_before_anything_that_a_person_said(
    question: str, calls: dict[int, str], since: tuple[ModelTurn, ...], needed: set[str]
) -> None:
    earlier: list[Turn] = []
    for number, said in enumerate(_SAID):
        earlier += [said, _of_calls(calls[number]) if number in calls else ModelTurn("fine")]
    prompt = Prompt("system", tuple(earlier), UserTurn(question), since, _TOOLS, (_SKILLS,))

    seen = [trim(prompt, window) for window in range(2400, 9000, 20)]
    lost = [one for one in seen if any(s not in one.prompt.earlier for s in _SAID)]
    assert lost
    for trimmed in lost:
        assert {tool.name for tool in trimmed.prompt.tools} == needed
        assert not trimmed.prompt.extras
        assert {"skills", "some_tools" if needed else "tools"} <= set(trimmed.omissions)
        assert "beginning" in trimmed.omissions
    assert seen[-1].omissions == ()
    sizes = [len(trimmed.prompt.tools) for trimmed in seen]
    assert sizes == sorted(sizes)


def test_choice_keeps_what_it_is_made_with() -> None:
    choice = replace(_OFFERED, choices=("a", "b"))
    assert trim(choice, 2200).prompt == choice


def test_characters_of_one_token_each_are_counted_as_such() -> None:
    assert turn_tokens(UserTurn("漢" * 1000)) > 2.5 * turn_tokens(UserTurn("a" * 1000))
