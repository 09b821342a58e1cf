"""What operators allow projects: models, settings, titles, and how much may be used in a day."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from local_server.assistant.allowances import PermittedModels
from local_server.assistant.assistants import ModelSelection, choose_assistants
from local_server.assistant.models.providers import ProviderAccess
from local_server.assistant.reply import (
    AnswerUsage,
    ModelDescription,
    RequestedToolCall,
    TokenPrice,
    TokenUsage,
)
from local_server.discovery import DiscoveryReport
from local_server.errors import StreamFailureError
from local_server.model_catalog import ModelCatalog
from local_server.settings import utc_now
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Permit, Spent
from tests.support.event_streams import first_of, text_of, types_of
from tests.support.fake_models import FakeOpenAi
from tests.support.own_service import READ_FILE, OwnService, new_client, own_service, read_until
from tests.support.scripted_assistant import Pause, ScriptedAssistant
from tests.support.service_commands import run_here

pytestmark = pytest.mark.anyio

_PROJECT: Final = "tests"
_DAY_S: Final = 24 * 3600
_TEST_KEY: Final = "pk_test_of_the_tests"


@dataclass
class _Hosted:
    """A hosted service with a model that answers by default, and another one."""

    service: OwnService
    first: FakeOpenAi
    second: FakeOpenAi

    @property
    def other(self) -> str:
        return f"openai:big@{self.second.base_url}/v1"

    async def allow(self, **fields: Any) -> None:
        await self.service.store.permits.put(_PROJECT, Permit(**fields))

    async def listed(self) -> list[dict[str, Any]]:
        answer = await self.service.client.get("/v1/models")
        assert answer.status_code == 200, answer.text
        models: list[dict[str, Any]] = answer.json()["data"]
        return models

    async def announced(self) -> str:
        answer = await self.service.client.get("/v1/agents")
        return answer.headers["Parley-Extensions"]


@asynccontextmanager
async def _hosted(tmp_path: Path) -> AsyncIterator[_Hosted]:
    async def nothing_else(_access: ProviderAccess) -> DiscoveryReport:
        raise AssertionError("a hosted service looks for no models")

    async with FakeOpenAi() as first, FakeOpenAi() as second:
        for server in (first, second):
            server.pages["/v1/models"] = {"object": "list", "data": [{"id": "small"}]}
        access = ProviderAccess({}, {})
        selection = ModelSelection(f"openai:small@{first.base_url}/v1")
        chosen = choose_assistants(selection, access, 0)
        describer = ModelCatalog(selection, access, find=nothing_else)
        async with own_service(
            tmp_path, assistant=chosen.assistants.live, describer=describer
        ) as service:
            yield _Hosted(service, first, second)
        await chosen.assistants.aclose()


async def _post(service: OwnService, chat: str, **fields: Any) -> httpx.Response:
    body = {"conversation_id": chat, "message": "Hi", "agent_name": "assistant", **fields}
    return await service.client.post("/v1/chat/stream", json=body)


@pytest.mark.security(105)
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (None, {"temperature": 99}),
        ("file:/srv/models/secret.gguf", {"max_output_tokens": 10**12, "thinking": "for ever"}),
        ("offline", "all of them"),
    ],
)
async def test_without_a_permit_nothing_is_there_and_everything_is_ignored(
    tmp_path: Path, name: str | None, settings: Any
) -> None:
    """A client names a model, an address or a file, settings out of range and endless words."""
    async with _hosted(tmp_path) as hosted:
        hosted.first.says("First.")
        announced = await hosted.announced()
        listed = await hosted.service.client.get("/v1/models")
        answer = await _post(
            hosted.service,
            await hosted.service.create(),
            model=name or hosted.other,
            settings=settings,
            instructions="x" * 1024 * 1024,
        )
    assert announced == "usage, thinking, fork, attachments"
    assert (listed.status_code, listed.json()["error"]["code"]) == (404, "not_found")
    assert (answer.status_code, "First." in answer.text) == (200, True)
    [asked] = hosted.first.asked
    assert "temperature" not in asked
    assert "x" * 100 not in str(asked)
    assert hosted.second.asked == []


async def test_permitted_models_are_listed_after_the_default_and_answer(tmp_path: Path) -> None:
    async with _hosted(tmp_path) as hosted:
        await hosted.allow(models=(hosted.other,))
        announced = await hosted.announced()
        default, other = await hosted.listed()
        hosted.second.says("Second.")
        events = await hosted.service.chat(
            await hosted.service.create(), "Hi", agent_name="assistant", model=other["id"]
        )
    assert announced == "models, usage, thinking, fork, attachments"
    assert (default["is_default"], other["is_default"]) == (True, False)
    assert text_of(events) == "Second."


@pytest.mark.security(105)
async def test_addresses_of_models_are_not_told_and_cannot_be_named(tmp_path: Path) -> None:
    async with _hosted(tmp_path) as hosted:
        hosted.second.pages.clear()
        await hosted.allow(models=(hosted.other, "file:/srv/models/secret.gguf"))
        answer = await hosted.service.client.get("/v1/models")
        chat = await hosted.service.create()
        refused = [
            await _post(hosted.service, chat, model=model)
            for model in (hosted.other, "file:/srv/models/secret.gguf", "openai:x@http://10.0.0.1")
        ]
        messages = await hosted.service.messages(chat)
    assert "127.0.0.1" not in answer.text
    assert "/srv" not in answer.text
    assert {row["provider"] for row in answer.json()["data"]} == {"This service"}
    assert {row["reason"] for row in answer.json()["data"][1:]} == {
        "This model cannot be reached now."
    }
    assert {one.status_code for one in refused} == {400}
    assert {one.json()["error"]["code"] for one in refused} == {"unknown_model"}
    assert messages == []


async def test_chat_whose_model_is_not_permitted_any_more_goes_back_to_the_default(
    tmp_path: Path,
) -> None:
    async with _hosted(tmp_path) as hosted:
        await hosted.allow(models=(hosted.other,), has_settings=True)
        chat = await hosted.service.create()
        hosted.second.says("Second.")
        hosted.first.says("First.")
        hidden = (await hosted.listed())[1]["id"]
        await hosted.service.chat(
            chat, "Hi", agent_name="assistant", model=hidden, settings={"temperature": 1}
        )
        await hosted.allow(has_titles=True)
        events = await hosted.service.chat(chat, "Hi", agent_name="assistant")
        listed = await hosted.service.client.get("/v1/models")
        announced = await hosted.announced()
    assert text_of(events) == "First."
    assert "temperature" not in hosted.first.asked[0]
    assert listed.status_code == 404
    assert announced == "usage, thinking, title, fork, attachments"


async def test_test_keys_list_the_demo_alone(tmp_path: Path) -> None:
    async with _hosted(tmp_path) as hosted:
        await hosted.allow(models=(hosted.other,), has_settings=True)
        await hosted.service.add_key(_TEST_KEY, mode="test")
        async with new_client(hosted.service.base_url, _TEST_KEY) as client:
            listed = (await client.get("/v1/models")).json()["data"]
            chat = (await client.post("/v1/conversations")).json()["data"]["id"]
            body = {"conversation_id": chat, "message": "Hi", "model": hosted.other}
            refused = await client.post("/v1/chat/stream", json=body)
            demo = await client.post("/v1/chat/stream", json=body | {"model": "offline"})
    assert [model["id"] for model in listed] == ["offline"]
    assert (refused.status_code, demo.status_code) == (400, 200)


async def test_permit_is_of_one_project_alone(tmp_path: Path) -> None:
    async with _hosted(tmp_path) as hosted:
        await hosted.service.store.permits.put("other", Permit(("offline",), has_settings=True))
        assert await hosted.announced() == "usage, thinking, fork, attachments"


@pytest.mark.parametrize(("chosen", "asked"), [(None, 50), (20, 20), (900, 50)])
async def test_no_answer_is_longer_than_the_ceiling(
    tmp_path: Path, chosen: int | None, asked: int
) -> None:
    async with _hosted(tmp_path) as hosted:
        await hosted.allow(has_settings=True, max_output_tokens=50)
        hosted.first.says("Hello.")
        settings = {} if chosen is None else {"max_output_tokens": chosen}
        chat = await hosted.service.create()
        await hosted.service.chat(chat, "Hi", agent_name="assistant", settings=settings)
    assert hosted.first.asked[0]["max_tokens"] == asked


@dataclass
class _Priced:
    """Describes a default model and those that are asked for, some without a price."""

    price: TokenPrice | None

    async def describe(self, ids: Iterable[str]) -> tuple[ModelDescription, ...]:
        usual = ModelDescription("usual", "Usual", "P", is_default=True, price=self.price)
        return (usual, *(ModelDescription(one, one, "P", price=self.price) for one in ids))


@asynccontextmanager
async def _scripted(
    tmp_path: Path, permit: Permit, *scripts: Any, price: TokenPrice | None = None
) -> AsyncIterator[OwnService]:
    script = ScriptedAssistant(*scripts)
    async with own_service(tmp_path, assistant=script, describer=_Priced(price)) as service:
        await service.store.permits.put(_PROJECT, permit)
        yield service


def _used(tokens: int, usd: float | None = None) -> AnswerUsage:
    return AnswerUsage(TokenUsage(tokens - 10, 10), 8000, usd)


async def test_project_that_used_up_its_tokens_goes_on_the_next_day(tmp_path: Path) -> None:
    permit = Permit(tokens_per_day=1000)
    scripts = (("Hello.", _used(600)), ("Again.", _used(600)), ("Next day.",))
    async with _scripted(tmp_path, permit, *scripts) as service:
        chat = await service.create()
        for _ in range(2):
            assert (await _post(service, chat)).status_code == 200
        refused = await _post(service, chat)
        messages = await service.messages(chat)
        still = await service.client.get("/v1/conversations")
        service.clock.move(_DAY_S)
        after = await _post(service, chat)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (429, "ceiling_reached")
    assert "used what it may use in a day" in error["message"]
    # Until midnight, and not a second less.
    assert int(refused.headers["Retry-After"]) == pytest.approx(_DAY_S - (3 * 3600 + 4 * 60 + 5), 2)
    assert len(messages) == 4
    assert (still.status_code, after.status_code) == (200, 200)


async def _at_once(services: Sequence[OwnService], count: int) -> list[httpx.Response]:
    """Begin so many replies at the same time, in turns at the services."""
    chats = [await services[0].create() for _ in range(count)]
    asked = []
    for number, chat in enumerate(chats):
        client = services[number % len(services)].client
        body = {"conversation_id": chat, "message": "Hi", "agent_name": "assistant"}
        request = client.build_request("POST", "/v1/chat/stream", json=body)
        asked.append(client.send(request, stream=True))
    return list(await asyncio.gather(*asked))


@pytest.mark.security(106)
@pytest.mark.usefixtures("postgres_server")
@pytest.mark.parametrize(
    ("permit", "used", "most"),
    [
        (Permit(max_output_tokens=1000, tokens_per_day=1000), 1000, 1),
        (Permit(max_output_tokens=1000, tokens_per_day=10_000), 1000, 9),
        (Permit(max_output_tokens=1000, micro_usd_per_day=10_000), 1000, 9),
        (Permit(tokens_per_day=10_000), 4000, 2),
    ],
)
async def test_replies_at_once_stay_below_the_ceiling_over_all_services(
    tmp_path: Path, store_address: StoreAddress, permit: Permit, used: int, most: int
) -> None:
    pause = Pause()
    script = ScriptedAssistant(*[("word ", pause, _used(used, used / 10**6))] * 30, ("More.",))
    kind: Any = {
        "assistant": script,
        "describer": _Priced(TokenPrice(1, 1)),
        "where": store_address,
    }
    async with own_service(tmp_path, **kind) as one, own_service(tmp_path, **kind) as other:
        await one.store.permits.put(_PROJECT, permit)
        begun = await _at_once((one, other), 30)
        refused = [answer for answer in begun if answer.status_code != 200]
        told = [json.loads(await answer.aread())["error"] for answer in refused]
        pause.is_over.set()
        for answer in begun:
            await answer.aread()
        spent = await one.store.permits.spent(_PROJECT, one.clock().date())
    assert 1 <= len(begun) - len(refused) <= most
    assert {error["code"] for error in told} == {"ceiling_reached"}
    assert all("Replies under way may use what is left" in error["message"] for error in told)
    assert {answer.headers["Retry-After"] for answer in refused} == {"15"}
    assert spent.tokens == (len(begun) - len(refused)) * used
    assert spent.tokens <= max(used, 10_000)


async def test_what_was_reserved_is_free_again_however_a_request_ends(tmp_path: Path) -> None:
    """A reply that ends, a message that is refused, and a service that was killed in a reply."""
    pause = Pause()
    permit = Permit(tokens_per_day=5000)
    scripts = (("One.", _used(10)), ("word ", pause), ("Two.", _used(10)))
    async with _scripted(tmp_path, permit, *scripts) as service:
        chat = await service.create()
        assert (await _post(service, "conv_none")).status_code == 404
        assert (await _post(service, chat, agent_name="nobody")).status_code == 400
        assert (await _post(service, chat, message="Hi " * 12_000)).status_code == 200
        # What a killed service had reserved.
        now = service.clock()
        wanted = Spent(5000)
        held = await service.store.permits.reserve(
            _PROJECT, now, now + timedelta(minutes=20), wanted
        )
        assert held.id
        assert (await _post(service, chat)).status_code == 429
        service.clock.move(21 * 60)
        [begun] = await _at_once((service,), 1)
        assert begun.status_code == 200
        assert (await _post(service, chat)).status_code == 429
        await begun.aclose()
        await service.client.delete(f"/v1/conversations/{chat}")
        assert (await _post(service, await service.create())).status_code == 200


@pytest.mark.usefixtures("postgres_server")
async def test_request_that_is_cancelled_while_it_reserves_leaves_nothing_reserved(
    store_address: StoreAddress,
) -> None:
    store = await ServiceStore.open(store_address, utc_now)
    try:
        await store.permits.put(_PROJECT, Permit(tokens_per_day=5000))
        now = utc_now()
        wanted = (_PROJECT, now, now + timedelta(minutes=20), Spent(5000))
        reserving = asyncio.create_task(store.permits.reserve(*wanted))
        await asyncio.sleep(0)
        reserving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reserving
        again = await store.permits.reserve(*wanted)
    finally:
        await store.aclose()
    assert (bool(again.id), again.refused) == (True, None)


@pytest.mark.security(106)
async def test_length_that_a_chat_chose_for_its_answers_is_reserved(tmp_path: Path) -> None:
    pause = Pause()
    permit = Permit(has_settings=True, tokens_per_day=50_000)
    async with _scripted(tmp_path, permit, ("word ", pause), ("Again.",)) as service:
        chat, other = await service.create(), await service.create()
        body: dict[str, Any] = {"conversation_id": chat, "message": "Hi"}
        body |= {"agent_name": "assistant", "settings": {"max_output_tokens": 100_000}}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as begun:
            assert begun.status_code == 200
            await pause.is_reached.wait()
            refused = await _post(service, other)
            pause.is_over.set()
            await begun.aread()
        after = await _post(service, other)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "15")
    assert after.status_code == 200


async def test_result_of_a_tool_waits_for_the_next_day_too(tmp_path: Path) -> None:
    permit = Permit(tokens_per_day=100)
    wish = RequestedToolCall("read_file", {"path": "a"})
    async with _scripted(tmp_path, permit, (_used(100), wish), ("Read.",)) as service:
        chat = await service.create()
        asked = await service.chat(chat, "Go", agent_name="assistant", client_tools=[READ_FILE])
        call_id = first_of(asked, "tool_use")["id"]
        refused = await service.post_result(chat, call_id, "x")
        service.clock.move(_DAY_S)
        events = await service.give_result(chat, call_id, "x")
    assert refused.status_code == 429
    assert text_of(events) == "Read."


async def test_ceiling_of_one_project_keeps_no_other_out(tmp_path: Path) -> None:
    permit = Permit(tokens_per_day=0)
    async with _scripted(tmp_path, permit, ("Hello.",)) as service:
        await service.add_key("pk_live_of_others", "others")
        refused = await _post(service, await service.create())
        async with new_client(service.base_url, "pk_live_of_others") as client:
            chat = (await client.post("/v1/conversations")).json()["data"]["id"]
            body = {"conversation_id": chat, "message": "Hi", "agent_name": "assistant"}
            answer = await client.post("/v1/chat/stream", json=body)
    assert (refused.status_code, answer.status_code) == (429, 200)


async def test_reply_that_is_stopped_counts_by_estimate(tmp_path: Path) -> None:
    """Who stops each reply before its end gets no more than others."""
    pause = Pause()
    permit = Permit(tokens_per_day=10**6, micro_usd_per_day=10**9)
    script = ("word " * 400, pause)
    async with _scripted(tmp_path, permit, script, price=TokenPrice(1, 1)) as service:
        body = {
            "conversation_id": await service.create(),
            "message": "Hi " * 400,
            "agent_name": "assistant",
        }
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            await read_until(response.aiter_lines(), "word")
        # The conversation is free once all is stored.
        deleted = await service.client.delete(f"/v1/conversations/{body['conversation_id']}")
        spent = await service.store.permits.spent(_PROJECT, service.clock().date())
    assert deleted.status_code in {204, 409}
    assert spent.tokens > 700
    assert spent.micro_usd == spent.tokens


@pytest.mark.security(106)
async def test_reply_whose_conversation_is_deleted_meanwhile_counts_by_estimate(
    tmp_path: Path,
) -> None:
    pause = Pause()
    permit = Permit(tokens_per_day=10**6)
    async with _scripted(tmp_path, permit, ("word " * 400, pause, "more " * 400, pause)) as service:
        chat = await service.create()
        body = {"conversation_id": chat, "message": "Hi " * 400, "agent_name": "assistant"}
        async with service.client.stream("POST", "/v1/chat/stream", json=body) as response:
            lines = response.aiter_lines()
            await read_until(lines, "word")
            deleted = await service.client.delete(f"/v1/conversations/{chat}")
            pause.is_over.set()
            await read_until(lines, "This conversation was deleted.")
        spent = await service.store.permits.spent(_PROJECT, service.clock().date())
    assert deleted.status_code == 204
    assert spent.tokens > 700


@pytest.mark.security(106)
async def test_question_that_hides_in_tools_and_results_counts_when_it_is_stopped(
    tmp_path: Path,
) -> None:
    pause = Pause()
    wish = RequestedToolCall("read_file", {"path": "a"})
    scripts = ((_used(20), wish), ("word ", pause), ("Again.", _used(20)))
    tool = {**READ_FILE, "description": "Long " * 2000}
    async with _scripted(tmp_path, Permit(tokens_per_day=10**6), *scripts) as service:
        chat = await service.create()
        asked = await service.chat(chat, "Go", agent_name="assistant", client_tools=[tool])
        body = {
            "conversation_id": chat,
            "tool_call_id": first_of(asked, "tool_use")["id"],
            "result": "Long " * 2000,
        }
        async with service.client.stream("POST", "/v1/tool-result", json=body) as response:
            await read_until(response.aiter_lines(), "word")
        # The conversation is free once all is counted.
        await _post(service, chat)
        spent = await service.store.permits.spent(_PROJECT, service.clock().date())
    assert spent.tokens > 3000


async def test_question_that_no_model_answered_counts_nothing(tmp_path: Path) -> None:
    permit = Permit(tokens_per_day=10**6)
    async with _scripted(tmp_path, permit, (StreamFailureError("No."),)) as service:
        await service.chat(await service.create(), "Hi " * 400, agent_name="assistant")
        assert await service.store.permits.spent(_PROJECT, service.clock().date()) == Spent()


async def test_answer_that_nobody_counted_counts_by_estimate(tmp_path: Path) -> None:
    permit = Permit(tokens_per_day=10**6)
    script = ("word " * 400, AnswerUsage(None, 8000, None))
    async with _scripted(tmp_path, permit, script) as service:
        await service.chat(await service.create(), "Hi", agent_name="assistant")
        spent = await service.store.permits.spent(_PROJECT, service.clock().date())
    assert spent.tokens > 400


async def test_project_that_used_up_its_money_is_refused(tmp_path: Path) -> None:
    permit = Permit(micro_usd_per_day=500_000)
    scripts = (("Hello.", _used(100, 0.3)), ("Hello.", _used(100, 0.3)))
    async with _scripted(tmp_path, permit, *scripts) as service:
        chat = await service.create()
        codes = [(await _post(service, chat)).status_code for _ in range(3)]
        spent = await service.store.permits.spent(_PROJECT, service.clock().date())
    assert codes == [200, 200, 429]
    assert spent == Spent(200, 600_000)


@pytest.mark.parametrize(("price", "status"), [(None, 400), (TokenPrice(1, 1), 200)])
async def test_with_a_ceiling_of_money_a_model_without_a_price_cannot_be_chosen(
    tmp_path: Path, price: TokenPrice | None, status: int
) -> None:
    permit = Permit(("dear",), micro_usd_per_day=10**9)
    async with _scripted(tmp_path, permit, ("Hello.",), price=price) as service:
        listed = (await service.client.get("/v1/models")).json()["data"]
        answer = await _post(service, await service.create(), model="dear")
        if status == 400:
            assert (await _post(service, await service.create())).status_code == 200
    assert answer.status_code == status
    reason = None if price else "Nobody knows what this model costs."
    assert (listed[1]["state"] == "ready", listed[1]["reason"]) == (price is not None, reason)
    assert listed[0]["state"] == "ready"


async def test_without_a_ceiling_nothing_is_counted(tmp_path: Path) -> None:
    permit = Permit(has_settings=True)
    async with _scripted(tmp_path, permit, ("Hello.", _used(100, 1.0))) as service:
        await service.chat(await service.create(), "Hi", agent_name="assistant")
        assert await service.store.permits.spent(_PROJECT, service.clock().date()) == Spent()


async def test_title_comes_where_it_is_allowed(tmp_path: Path) -> None:
    script = ScriptedAssistant(("Hello.",), ("Again.",))
    script.titles = [("A greeting",)]
    async with own_service(tmp_path, assistant=script, accept="title") as service:
        await service.store.permits.put(_PROJECT, replace(Permit(), has_titles=True))
        chat = await service.create()
        both = [await service.chat(chat, "Hi", agent_name="assistant") for _ in range(2)]
    assert sum(types_of(events).count("title") for events in both) == 1


def _run(tmp_path: Path, *arguments: str) -> tuple[int, str, str]:
    return run_here("projects", *arguments, "--data-dir", str(tmp_path))


def test_operator_allows_lists_and_forbids(tmp_path: Path) -> None:
    run_here("keys", "create", "--project", "notes", "--data-dir", str(tmp_path))
    empty = _run(tmp_path, "list")
    allowed = _run(
        tmp_path, "allow", "--project", "notes", "--model", "anthropic:claude-sonnet-4-5",
        "--settings", "--max-output-tokens", "4000", "--usd-per-day", "2.5",
    )  # fmt: skip
    listed = _run(tmp_path, "list")
    told = json.loads(_run(tmp_path, "list", "--json")[1])
    less = _run(tmp_path, "allow", "--project", "notes", "--titles", "--tokens-per-day", "100000")
    forbidden = _run(tmp_path, "forbid", "--project", "notes")
    again = _run(tmp_path, "forbid", "--project", "notes")

    assert empty[:2] == (0, "No project is allowed anything.\n")
    words = (
        "notes: the models anthropic:claude-sonnet-4-5, settings and instructions; "
        "at most 4,000 tokens an answer, 2.5 USD a day"
    )
    assert allowed[:2] == (0, f"{words}\n")
    assert listed[1] == f"{words}; used today: 0 tokens, 0.0000 USD\n"
    assert told == [
        {
            "project": "notes",
            "models": ["anthropic:claude-sonnet-4-5"],
            "settings": True,
            "titles": False,
            "max_output_tokens": 4000,
            "tokens_per_day": None,
            "usd_per_day": 2.5,
            "used_today": {"tokens": 0, "usd": 0.0},
        }
    ]
    assert less[1] == "notes: titles; at most 100,000 tokens a day\n"
    assert forbidden[:2] == (0, "notes is allowed nothing any more.\n")
    assert (again[0], again[2]) == (1, "The project notes was allowed nothing.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--project", "notes", "--model", "nonsense"), "There is no model “nonsense” here"),
        (("--project", "../x", "--settings"), "A project’s name"),
        (("--project", "notes", "--tokens-per-day", "-1"), "tokens-per-day"),
        (("--project", "notes", "--usd-per-day", "much"), "usd-per-day"),
        (("--project", "notes", "--usd-per-day", "nan"), "usd-per-day"),
    ],
)
def test_operator_who_asks_for_what_cannot_be_is_told(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    run_here("keys", "create", "--project", "notes", "--data-dir", str(tmp_path))
    code, _, error = _run(tmp_path, "allow", *arguments)
    assert code != 0
    assert words in error
    assert _run(tmp_path, "list")[1] == "No project is allowed anything.\n"


def test_only_permitted_models_are_named_and_their_addresses_hidden() -> None:
    named, at_address = "anthropic:claude", "openai:small@http://127.0.0.1:9/v1"
    models = PermittedModels(None, (named, at_address))

    assert models.listed_id(named) == named
    assert (models.listed_id(at_address) or "").startswith("model-")
    assert models.listed_id("openai:other") is None
