"""What happens when a model does not answer: further tries, models that stand in, words."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from local_server.assistant.models.failures import CountedTokens, counted_tokens, redacted
from local_server.assistant.models.model_assistant import ModelAssistant
from local_server.assistant.models.upstreams import Limits
from local_server.errors import StreamFailureError
from tests.support.fake_http import Answer
from tests.support.fake_models import (
    KEY,
    FakeOpenAi,
    Json,
    delta,
    end,
    models_of,
    pieces_of,
    request,
    words_of,
)

pytestmark = pytest.mark.anyio

_NOBODY = "openai:away@http://127.0.0.1:1/v1"


@pytest.fixture
async def openai() -> AsyncIterator[FakeOpenAi]:
    async with FakeOpenAi() as server:
        yield server


def _small(openai: FakeOpenAi, name: str = "small") -> str:
    return f"openai:{name}@{openai.base_url}/v1"


async def _failure(assistant: ModelAssistant) -> str:
    with pytest.raises(StreamFailureError) as failure:
        await pieces_of(assistant, request())
    return str(failure.value)


def _error(message: str, **fields: str) -> bytes:
    return FakeOpenAi().written({"error": {"message": message, **fields}})[6:]


async def test_passing_failures_are_tried_again_before_the_first_word(openai: FakeOpenAi) -> None:
    openai.sends(_error("busy"), 503)
    openai.sends(_error("slow down"), 429, **{"Retry-After": "7"})
    openai.says("Hello.")
    rests: list[float] = []
    async with models_of(_small(openai), rests=rests) as assistant:
        assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert 0.5 <= rests[0] <= 0.75
    assert rests[1] == 7


async def test_model_that_stands_in_answers_when_the_first_does_not(openai: FakeOpenAi) -> None:
    openai.says("Hello.")
    rests: list[float] = []
    async with models_of(_NOBODY, _small(openai), rests=rests) as assistant:
        assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert len(rests) == 2


async def test_long_retry_after_of_a_provider_moves_on_to_the_next_model(
    openai: FakeOpenAi,
) -> None:
    openai.sends(_error("later"), 429, **{"Retry-After": "3600"})
    openai.says("Hello.")
    rests: list[float] = []
    async with models_of(_small(openai, "first"), _small(openai), rests=rests) as assistant:
        assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert rests == []


@pytest.mark.parametrize(
    ("header", "value", "rest_s"),
    [
        ("Retry-After-Ms", "1500", 1.5),
        ("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT", 0),
    ],
)
async def test_time_to_wait_is_read_however_it_is_written(
    openai: FakeOpenAi, header: str, value: str, rest_s: float
) -> None:
    openai.sends(_error("slow down"), 429, **{header: value})
    openai.says("Hello.")
    rests: list[float] = []
    async with models_of(_small(openai), rests=rests) as assistant:
        assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert rests == [rest_s]


async def test_time_to_wait_that_is_none_is_not_read(openai: FakeOpenAi) -> None:
    openai.sends(_error("slow down"), 429, **{"Retry-After": "soon"})
    openai.says("Hello.")
    rests: list[float] = []
    async with models_of(_small(openai), rests=rests) as assistant:
        assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert 0.5 <= rests[0] <= 0.75


async def test_nothing_is_tried_again_once_text_was_sent(openai: FakeOpenAi) -> None:
    openai.streams(delta("Half"), {"error": {"message": "overloaded"}})
    async with models_of(_small(openai), _small(openai, "second")) as assistant:
        assert "overloaded" in await _failure(assistant)
    openai.streams(delta("Half"))
    async with models_of(_small(openai), _small(openai, "second")) as assistant:
        assert "stopped in the middle" in await _failure(assistant)


@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        (401, _error("Incorrect API key provided: " + KEY), "does not accept the key"),
        (402, _error("no", code="insufficient_quota"), "no credit left"),
        (429, _error("You exceeded your quota", code="insufficient_quota"), "no credit left"),
        (404, _error("no such model", code="model_not_found"), "does not know small"),
        (400, _error("x", code="context_length_exceeded"), "too long for small"),
        (400, _error("the request exceeds the available context size"), "too long"),
        (400, _error("bad thing", type="invalid_request_error"), "It says: bad thing"),
        (418, b"<html>teapot</html>", "refused the request"),
        (500, b"", "overloaded or has a problem"),
        (529, b"{", "overloaded or has a problem"),
        (429, _error("rate limit"), "rate limit for small"),
    ],
)
async def test_refusal_is_explained_without_keys(
    openai: FakeOpenAi, status: int, body: bytes, sentence: str
) -> None:
    openai.always_sends(body, status)
    async with models_of(_small(openai)) as assistant:
        told = await _failure(assistant)
    assert sentence in told
    assert KEY not in told
    assert len(told) < 400


async def test_address_without_its_path_is_named_when_nothing_is_found_there(
    openai: FakeOpenAi,
) -> None:
    openai.always_sends(b"not found", 404)
    async with models_of(f"openai:small@{openai.base_url}") as assistant:
        assert "it usually ends in /v1" in await _failure(assistant)
    async with models_of(f"openai:small@{openai.base_url}/v1") as assistant:
        assert "/v1." not in await _failure(assistant)


async def test_server_that_is_not_there_is_explained() -> None:
    async with models_of(_NOBODY) as assistant:
        assert (await _failure(assistant)).startswith("away cannot be reached.")


async def test_connection_that_had_served_and_is_dead_costs_no_answer(openai: FakeOpenAi) -> None:
    async with models_of(_small(openai)) as assistant:
        openai.says("One.")
        assert words_of(await pieces_of(assistant, request())) == "One."
        openai.answers(Answer(events=(), cut_after=-1))
        openai.says("Two.")
        assert words_of(await pieces_of(assistant, request("Again"))) == "Two."
    assert openai.connection_count == 2
    assert openai.asked[1] == openai.asked[2]


async def test_every_connection_that_is_dead_is_left_for_a_fresh_one(openai: FakeOpenAi) -> None:
    slow = [Answer(events=(openai.written(end("stop")),), pause_after=0) for _ in range(2)]
    async with models_of(_small(openai)) as assistant:
        for answer in slow:
            openai.answers(answer)
        both = [asyncio.create_task(_failure(assistant)) for _ in slow]
        await openai.received(2)
        for answer in slow:
            answer.go_on.set()
        await asyncio.gather(*both)
        for _ in slow:
            openai.answers(Answer(events=(), cut_after=-1))
        openai.says("Hello.")
        assert words_of(await pieces_of(assistant, request())) == "Hello."
    assert openai.connection_count == 3


async def test_fresh_connection_that_dies_is_not_asked_again(openai: FakeOpenAi) -> None:
    openai.answers(Answer(events=(), cut_after=-1))
    async with models_of(_small(openai)) as assistant:
        assert "stopped in the middle" in await _failure(assistant)
    assert len(openai.asked) == 1


async def test_connection_that_dies_in_an_answer_is_not_asked_again(openai: FakeOpenAi) -> None:
    async with models_of(_small(openai)) as assistant:
        openai.says("One.")
        await pieces_of(assistant, request())
        openai.answers(Answer(events=(openai.written(delta("Half")),), cut_after=0))
        assert "stopped in the middle" in await _failure(assistant)
    assert len(openai.asked) == 2


async def test_endings_that_are_no_answer_are_explained(openai: FakeOpenAi) -> None:
    async with models_of(_small(openai)) as assistant:
        openai.says("", finish="stop")
        assert "empty answer" in await _failure(assistant)
        openai.says("Half", finish="length")
        assert "cut off" in await _failure(assistant)
        openai.says("", finish="content_filter")
        assert "filter" in await _failure(assistant)
        openai.streams(delta("<think>"), delta("for ever"), end("stop"), done=True)
        assert "thought, but gave no answer" in await _failure(assistant)


async def test_question_that_was_longer_than_estimated_shrinks_once(openai: FakeOpenAi) -> None:
    openai.sends(_error("x", code="context_length_exceeded"), 400)
    openai.says("Hello.")
    before = ("word " * 400, "word " * 400) * 3
    async with models_of(_small(openai), window=6000) as assistant:
        notice, _, answer = words_of(await pieces_of(assistant, request("Go", *before))).partition(
            "\n\n"
        )
    assert "too little room for the beginning of this chat" in notice
    assert answer == "Hello."
    first, second = openai.asked
    assert len(second["messages"]) < len(first["messages"])
    assert second["messages"][-1] == first["messages"][-1]


async def test_model_without_tools_is_asked_without(openai: FakeOpenAi) -> None:
    openai.sends(_error("this model does not support tools"), 400)
    openai.says("alpha")
    async with models_of(_small(openai)) as assistant:
        agents = (request().agent,)
        assert (await assistant.choose_agent("Hm", agents)).agent == agents[0]
    assert "tools" not in openai.asked[1]


_BAD_CALL = {"error": {"code": 500, "message": "Failed to parse input at pos 9: <tool_call>"}}


async def test_call_that_cannot_be_read_is_asked_for_once_more(openai: FakeOpenAi) -> None:
    async with models_of(_small(openai), rests=[]) as assistant:
        openai.streams(_BAD_CALL)
        openai.says("Hello.")
        assert words_of(await pieces_of(assistant, request())) == "Hello."
        assert openai.asked[0] == openai.asked[1]
        openai.streams(delta("Let me look."), _BAD_CALL)
        openai.says("Here it is.")
        words = words_of(await pieces_of(assistant, request()))
        assert words == "Let me look.\n\nHere it is."
        *_, said, note = openai.asked[3]["messages"]
    assert said == {"role": "assistant", "content": "Let me look."}
    assert note["role"] == "user"


@pytest.mark.parametrize("words", [[], [delta("Let me look.")]])
async def test_call_that_cannot_be_read_twice_is_explained(
    openai: FakeOpenAi, words: list[Json]
) -> None:
    async with models_of(_small(openai), rests=[]) as assistant:
        for _ in range(2):
            openai.streams(*words, _BAD_CALL)
        told = await _failure(assistant)
    assert told.startswith("small made two tool calls that could not be read.")
    assert "Failed to parse" not in told
    assert len(openai.asked) == 2


async def test_choice_of_an_agent_is_not_waited_for(openai: FakeOpenAi) -> None:
    openai.always_sends(_error("busy"), 503)
    rests: list[float] = []
    async with models_of(_small(openai), rests=rests) as assistant:
        with pytest.raises(StreamFailureError):
            await assistant.choose_agent("Hm", (request().agent,))
    assert (len(openai.asked), rests) == (1, [])


async def test_silent_server_ends_with_the_time_of_the_reply(openai: FakeOpenAi) -> None:
    openai.answers(Answer(never=True))
    async with models_of(_small(openai), limits=Limits(seconds=0.2)) as assistant:
        assert "which is the limit" in await _failure(assistant)


@pytest.mark.parametrize(
    ("error", "question", "window"),
    [
        ({"message": "too long", "n_prompt_tokens": 6030, "n_ctx": 4096}, 6030, 4096),
        # As gateways repeat it, OpenAI, vLLM, LM Studio.
        (
            {"message": "Error - request (9026 tokens) exceeds the available context size (4096"},
            9026,
            4096,
        ),
        (
            "This model's maximum context length is 8192 tokens. However, your messages resulted "
            "in 9001 tokens.",
            9001,
            8192,
        ),
        (
            {"message": "maximum context length is 4096 tokens, you requested 5000 tokens"},
            5000,
            4096,
        ),
        ({"message": "loaded with context length of only 2048 tokens"}, None, 2048),
        # Anthropic, Google.
        ("prompt is too long: 212345 tokens > 200000 maximum", 212_345, 200_000),
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed "
            "(1048576).",
            1_200_000,
            1_048_576,
        ),
        ({"message": "too long", "n_ctx": "many", "n_prompt_tokens": True}, None, None),
        (None, None, None),
    ],
)
def test_numbers_of_a_refusal_are_found(
    error: object, question: int | None, window: int | None
) -> None:
    assert counted_tokens(error) == CountedTokens(question, window)


def test_error_text_of_a_provider_is_cut_and_its_secrets_masked() -> None:
    told = redacted(f"Bad key {KEY}\n\x1b[31mAIzaSyA1234567890abcdefghijklmnopqrstuv " + "x " * 500)
    assert KEY not in told
    assert "AIza" not in told
    assert told.isprintable()
    assert len(told) <= 201
    assert redacted("bad key: " + "k" * 40) == "bad key: [hidden]"
    assert redacted("openai/gpt-oss-120b is no model") == "openai/gpt-oss-120b is no model"
