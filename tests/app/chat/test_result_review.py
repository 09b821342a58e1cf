"""A result with secrets waits for a person, and leaves only as they decided."""

from pathlib import Path

import pytest

from app.approvals.queue import Allowed, Denied, Released
from app.approvals.result_review import ReleaseChoice
from app.chat.items import CallState
from local_tools.ledger.steps import Step
from tests.support.chat_fixtures import Chat, ChatKit, chat_kit, results
from tests.support.fake_secrets import PLANTED
from tests.support.fake_service import FakeService

pytestmark = [pytest.mark.anyio, pytest.mark.security(30)]

_TEXT = "\n".join(line for _, line in PLANTED)


async def _asks_to_read(service: FakeService, kit: ChatKit, *, goes_on: bool = True) -> Chat:
    (kit.home / "settings.txt").write_text(_TEXT, encoding="utf-8")
    service.holds("c1")
    service.asks_tool("read_file", {"path": "settings.txt"})
    if goes_on:
        service.says("I see.")
    chat = await kit.open()
    await chat.session.set_folder(kit.home)
    await chat.send("What is in there?")
    await chat.allow()
    return chat


def _left(service: FakeService) -> list[str]:
    """Return the planted secrets that any request carried."""
    sent = "\n".join(str(request.json) for request in service.requests if request.method == "POST")
    sent = sent.replace("\\n", "\n")
    return [secret for secret, _ in PLANTED if secret in sent]


async def test_no_planted_secret_leaves_unless_it_is_released(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _asks_to_read(service, kit)
        card = await chat.holds()
        assert len(card.result.secrets) >= 20
        assert chat.session.state.is_asking
        assert [row.state for row in chat.tool_rows] == [CallState.WAITING]
        assert results(service) == []

        assert kit.approvals.answer(card.request_id, card.generation, Released())
        await chat.is_idle()

        assert _left(service) == []
        ((_, result),) = results(service)
        assert "secrets in this result were masked" in result
        (call,) = await kit.calls()
        assert call.step is Step.ACKNOWLEDGED
        # The record has what was sent, and that it was masked.
        assert call.result_text == result
        assert chat.tool_rows[0].state is CallState.DONE
        # So does its row, now and after a restart.
        row = chat.tool_rows[0]
        assert (row.release, row.masked) == ("masked", len(card.result.secrets))
        assert (call.details.release, call.details.masked) == (row.release, row.masked)
        assert row.output_text == result
        conversation_id = chat.session.conversation_id
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        reopened = await kit.open(conversation_id)
        assert reopened.tool_rows == [row]


async def test_result_released_unmasked_is_posted_whole(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _asks_to_read(service, kit)
        card = await chat.holds()
        assert not kit.approvals.answer(card.request_id, card.generation + 1, Released())
        opened = frozenset(range(len(card.result.secrets)))
        kit.approvals.answer(card.request_id, card.generation, Released(ReleaseChoice(opened)))
        await chat.is_idle()

        assert len(_left(service)) == len(PLANTED)


@pytest.mark.security(21)
async def test_a_result_that_waited_for_long_is_asked_about_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _asks_to_read(service, kit)
        card = await chat.holds()
        kit.clock.advance(8 * 3600)
        assert not kit.approvals.answer(card.request_id, card.generation, Released())
        await chat.until(lambda: kit.approvals.pending_release("c1") not in (None, card))
        again = await chat.holds()
        assert results(service) == []

        assert kit.approvals.answer(again.request_id, again.generation, Released())
        await chat.is_idle()

        assert len(results(service)) == 1


async def test_withheld_result_is_replaced_by_a_sentence_with_the_reason(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        chat = await _asks_to_read(service, kit)
        card = await chat.holds()
        kit.approvals.answer(card.request_id, card.generation, Denied("too much"))
        await chat.is_idle()

        assert _left(service) == []
        ((_, result),) = results(service)
        assert result == "The tool ran, but the user kept its result back. Reason: too much"
        assert chat.tool_rows[0].release == "kept_back"


async def test_after_a_restart_a_result_that_was_not_released_is_asked_about_again(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            chat = await _asks_to_read(service, kit)
            await chat.holds()
            kit.approvals.close()
            await chat.is_idle()
        assert results(service) == []

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            card = await chat.holds()
            (call,) = await kit.calls()
            assert call.step is Step.FINISHED
            kit.approvals.answer(card.request_id, card.generation, Released())
            await chat.is_idle()

        assert len(results(service)) == 1
        assert _left(service) == []


async def test_stop_keeps_a_result_back_for_good(tmp_path: Path) -> None:
    async with FakeService() as service:
        async with chat_kit(tmp_path, service) as kit:
            chat = await _asks_to_read(service, kit, goes_on=False)
            await chat.holds()
            chat.session.stop()
            await chat.is_idle()
            assert kit.approvals.pending_release("c1") is None
            assert [row.state for row in chat.tool_rows] == [CallState.DONE]

        async with chat_kit(tmp_path, service) as kit:
            await kit.open()
            assert kit.approvals.pending_release("c1") is None

        assert results(service) == []
        assert _left(service) == []


async def test_a_file_whose_name_sounds_secret_waits_whatever_is_in_it(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        (tmp_path / ".env").write_text("COLOUR=teal\n", encoding="utf-8")
        service.holds("c1")
        service.asks_tool("read_file", {"path": ".env"})
        service.says("I see.")
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        await chat.send("What is in there?")
        await chat.answer(Allowed())
        card = await chat.holds()
        kit.approvals.answer(card.request_id, card.generation, Released())
        await chat.is_idle()

        ((_, result),) = results(service)
        assert "teal" not in result
