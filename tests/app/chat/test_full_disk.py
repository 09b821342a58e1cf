"""A disk that is full in mid-turn: what ran is not denied, what is not kept is said."""

import gc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from app.chat.items import Action, CallState
from app.common.error_messages import ErrorCode, explain
from app.store.errors import StoreError
from app.store.records import StoredFailure
from local_tools.ledger.steps import INTERRUPTED_TEXT, Step
from tests.support.chat_fixtures import START, Chat, ChatKit, chat_kit, posts, results, stored
from tests.support.fake_service import FakeService, delta, sse
from tests.support.refused_writes import REPLIES, refused_writes

pytestmark = pytest.mark.anyio

_RUN = {"argv": ["sh", "-c", "echo ran >> ran.txt"]}


async def ready_chat(service: FakeService, kit: ChatKit) -> Chat:
    service.holds("c1")
    chat = await kit.open()
    await chat.session.set_folder(kit.home)
    return chat


def fails_at(step: str) -> str:
    return f"INSERT ON entries WHEN NEW.step = '{step}'"


@pytest.mark.parametrize(
    "step",
    [
        "asked",
        # The record does not even take that the call is closed.
        pytest.param("decided", marks=pytest.mark.expects_log("was not recorded")),
        "started",
    ],
)
async def test_tool_whose_start_could_not_be_recorded_was_not_run(
    tmp_path: Path, step: str
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("run_command", _RUN)
        chat = await ready_chat(service, kit)

        with refused_writes(tmp_path / "ledger.db", fails_at(step)):
            await chat.send("Run it")
            if step != "asked":
                await chat.allow()
            await chat.is_idle()

        assert chat.says(ErrorCode.RECORD_UNWRITABLE)
        assert not (tmp_path / "ran.txt").exists()
        assert results(service) == []


@pytest.mark.expects_log("Cannot save")
async def test_tool_that_ran_is_never_said_not_to_have_run_and_never_runs_again(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("run_command", _RUN)
        service.says("I see.")
        chat = await ready_chat(service, kit)

        with (
            refused_writes(tmp_path / "ledger.db", fails_at("finished")),
            refused_writes(tmp_path / "store.db", *REPLIES),
        ):
            await chat.send("Run it")
            await chat.allow()
            await chat.is_idle()

        assert (tmp_path / "ran.txt").read_text(encoding="utf-8") == "ran\n"
        assert chat.notices[0].words.text.startswith("The tool may have run")
        assert chat.notices[0].actions == (Action.GO_ON,)
        assert [row.state for row in chat.tool_rows] == [CallState.INTERRUPTED]
        assert not kit.dependencies.ledger.running
        await chat.session.act(chat.notices[0].key, Action.GO_ON)
        await chat.is_idle()
        assert (tmp_path / "ran.txt").read_text(encoding="utf-8") == "ran\n"
        assert results(service) == [("call-1", INTERRUPTED_TEXT)]
        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
        assert chat.text == "I see."
        assert not chat.notices


@pytest.mark.parametrize("step", ["released", "posted"])
async def test_result_that_could_not_leave_is_kept_and_sent_on_a_click(
    tmp_path: Path, step: str
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("run_command", _RUN)
        service.says("I see.")
        chat = await ready_chat(service, kit)

        with refused_writes(tmp_path / "ledger.db", fails_at(step)):
            await chat.send("Run it")
            await chat.allow()
            await chat.is_idle()

        assert chat.says(ErrorCode.RESULT_NOT_POSTED)
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert (tmp_path / "ran.txt").read_text(encoding="utf-8") == "ran\n"
        assert len(results(service)) == 1
        assert chat.text == "I see."


@pytest.mark.expects_log("was not recorded")
async def test_reply_to_a_result_is_shown_although_its_arrival_could_not_be_recorded(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("run_command", _RUN)
        service.says("I see.")
        chat = await ready_chat(service, kit)

        with refused_writes(tmp_path / "ledger.db", fails_at("acknowledged")):
            await chat.send("Run it")
            await chat.allow()
            await chat.is_idle()

        assert chat.text == "I see."
        assert not chat.notices
        assert [call.step for call in await kit.calls()] == [Step.POSTED]


async def test_tool_that_ran_is_resumed_as_interrupted_after_a_restart(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.asks_tool("run_command", _RUN)
        service.says("I see.")
        async with chat_kit(tmp_path, service) as kit:
            chat = await ready_chat(service, kit)
            with refused_writes(tmp_path / "ledger.db", fails_at("finished")):
                await chat.send("Run it")
                await chat.allow()
                await chat.is_idle()
        service.conversations["c1"] = stored(("u1", "user", "Run it"))

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.is_idle()

            assert (tmp_path / "ran.txt").read_text(encoding="utf-8") == "ran\n"
            assert results(service) == [("call-1", INTERRUPTED_TEXT)]
            assert chat.text == "I see."


async def _is_done(chat: Chat, service: FakeService) -> None:
    service.says("All of it")
    await chat.said("Go")


async def _is_stopped(chat: Chat, service: FakeService) -> None:
    service.sends(START, delta("Half of it"))
    service.hangs_after(2)
    await chat.send("Go")
    await chat.shows("Half")
    chat.session.stop()
    await chat.is_idle()


async def _has_failed(chat: Chat, service: FakeService) -> None:
    service.sends(START, delta("Half of it"), sse("error", message="out of paper"))
    await chat.said("Go")


async def _is_broken_off(chat: Chat, service: FakeService) -> None:
    service.sends(START, delta("Half of it"), delta("the rest"))
    service.cuts_after(2)
    await chat.said("Go")


@pytest.mark.expects_log("Cannot save")
@pytest.mark.parametrize("ends", [_is_done, _is_stopped, _has_failed, _is_broken_off])
async def test_reply_that_is_not_kept_says_so_in_every_ending_and_is_kept_by_the_next_write(
    tmp_path: Path, ends: Callable[[Chat, FakeService], Awaitable[None]]
) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            chat = await ready_chat(service, kit)
            with refused_writes(tmp_path / "store.db", *REPLIES):
                await ends(chat, service)
                shown = chat.text
                told = [notice.words.text for notice in chat.notices]
            assert told[-1] == explain(StoredFailure(ErrorCode.REPLY_NOT_KEPT)).text
            assert not any("is kept" in words for words in told)
            assert all(not turn.pieces for turn in await kit.turns())

            service.says("And more.")
            await chat.said("Continue")

            assert (await kit.turns())[0].pieces[0].text == shown
            assert len(chat.notices) == len(told) - 1
            assert chat.mirror == list(chat.items)
            del service.conversations["c1"]

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            assert chat.text == f"{shown}And more."


@pytest.mark.expects_log("Cannot save")
async def test_reply_that_is_not_kept_outlives_its_window_and_is_kept_on_a_click(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await ready_chat(service, kit)
        with refused_writes(tmp_path / "store.db", *REPLIES):
            await _is_done(chat, service)
            chat.close()
            del chat
            gc.collect()
            chat = await kit.open()
            assert chat.text == "All of it"
            notice = chat.notice

        await chat.session.act(notice.key, Action.CHECK_AGAIN)

        assert not chat.notices
        assert (await kit.turns())[0].pieces[0].text == "All of it"


@pytest.mark.expects_log("Cannot save")
async def test_unsaved_reply_is_saved_when_the_program_closes(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            chat = await ready_chat(service, kit)
            with refused_writes(tmp_path / "store.db", *REPLIES):
                await _is_broken_off(chat, service)

        async with chat_kit(tmp_path, service) as kit:
            assert (await kit.turns())[0].pieces[0].text == "Half of it"


@pytest.mark.expects_log("Cannot save")
async def test_folder_that_is_gone_is_reported_and_used_again_when_it_is_back(
    tmp_path: Path,
) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data.mkdir()
    async with FakeService() as service, chat_kit(data, service) as kit:
        service.holds("c1")
        service.says("Hello.")
        go_on = service.pauses_after(1)
        chat = await kit.open()
        await chat.send("Hi")
        await service.received(2)
        data.rename(elsewhere)
        go_on.set()
        await chat.is_idle()

        assert chat.says(ErrorCode.REPLY_NOT_KEPT)
        with pytest.raises(StoreError) as caught:
            await chat.send("Are you there?")
        assert caught.value.reason == ErrorCode.STORE_GONE
        elsewhere.rename(data)
        service.says("Always.")
        await chat.said("Are you there?")
        assert chat.text == "Hello.Always."
        assert not chat.notices
        assert (await kit.turns())[0].pieces[0].text == "Hello."


@pytest.mark.expects_log("was not recorded")
async def test_tool_is_not_run_when_the_folder_of_its_record_is_gone(tmp_path: Path) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data.mkdir()
    async with FakeService() as service, chat_kit(data, service) as kit:
        service.holds("c1")
        service.asks_tool("run_command", _RUN)
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        await chat.send("Run it")
        await chat.asks()
        (data / "ledger.db").rename(elsewhere)
        await chat.allow()
        await chat.is_idle()

        assert chat.says(ErrorCode.RECORD_UNWRITABLE)
        assert not (tmp_path / "ran.txt").exists()


@pytest.mark.expects_log("Cannot save")
async def test_countdown_stays_when_what_was_not_kept_is_kept_meanwhile(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("current_time", {}, after=["Let me see. "])
        service.fails_with(429, retry_after=60)
        service.says("Noon.")
        chat = await ready_chat(service, kit)
        with refused_writes(tmp_path / "store.db", *REPLIES):
            await chat.send("When?")
            await chat.allow()
            await chat.until(lambda: bool(chat.notices))
        countdown = chat.notice

        kit.clock.advance(1)
        while not (await kit.turns())[0].pieces:
            pass

        assert chat.notice == countdown
        kit.clock.advance(60)
        await chat.is_idle()
        assert chat.text == "Let me see. Noon."
        assert not chat.notices
