"""What is on the disk before the next step is taken, and what Stop leaves there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.api.events import PieceKind
from app.chat.approval_flow import STOPPED_TEXT
from app.common.error_messages import ErrorCode
from app.store.records import TurnState
from local_tools.ledger.steps import CallKey, Step
from tests.support.chat_fixtures import chat_kit, results
from tests.support.fake_secrets import PLANTED
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio


@pytest.mark.security(30)
async def test_stop_while_a_secret_waits_leaves_no_result_that_could_be_told(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        (tmp_path / "settings.txt").write_text("\n".join(line for _, line in PLANTED), "utf-8")
        service.holds("c1")
        service.asks_tool("read_file", {"path": "settings.txt"})
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        await chat.send("What is in there?")
        await chat.allow()
        await chat.holds()

        chat.session.stop()
        await chat.is_idle()

        (call,) = await kit.calls()
        assert (call.step, call.details.release) == (Step.RELEASED, "kept_back")
        assert call.result_text == STOPPED_TEXT
        assert chat.tool_rows[0].release == "kept_back"
        assert results(service) == []


async def test_the_words_before_a_call_are_on_the_disk_when_it_is_asked(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {}, after=("Let me ", "look."))
        chat = await kit.open()
        await chat.send("When?")
        await chat.asks()

        (turn,) = await kit.turns()

        kinds = [(piece.kind, piece.text) for piece in turn.pieces]
        assert kinds == [(PieceKind.TEXT, "Let me look."), (PieceKind.CALL, "current_time")]


async def test_stop_while_a_result_waits_for_the_rate_limit_is_no_unsent_message(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(429, "rate_limited", retry_after=60)
        chat = await kit.open()
        await chat.send("When?")
        await chat.allow()
        await chat.until(lambda: chat.session.state.turn is TurnState.WAITING)

        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED)
        (turn,) = await kit.turns()
        assert turn.state is TurnState.STOPPED


async def test_the_whole_reply_is_on_the_disk_when_it_is_done(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("The beginning ", "and the end.")
        chat = await kit.open()
        with closing(sqlite3.connect(tmp_path / "store.db")) as witness:
            witness.executescript(
                "CREATE TABLE witnessed (text TEXT);"
                "CREATE TRIGGER is_done AFTER UPDATE OF state ON turns WHEN NEW.state = 'done'"
                " BEGIN INSERT INTO witnessed SELECT text FROM pieces; END;"
            )
            await chat.said("Continue")

            found = witness.execute("SELECT text FROM witnessed").fetchall()

        assert found == [("The beginning and the end.",)]


async def test_a_call_is_closed_in_the_record_before_its_turn_counts_as_stopped(
    tmp_path: Path,
) -> None:
    """Killed in between, the call would be asked again although the person had pressed Stop."""
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        chat = await kit.open()
        await chat.send("When?")
        await chat.asks()
        states: list[str] = []

        def read_disk(_key: CallKey) -> None:
            with closing(sqlite3.connect(tmp_path / "store.db")) as other:
                states.extend(state for (state,) in other.execute("SELECT state FROM turns"))

        end = kit.dependencies.ledger.subscribe(read_disk)
        chat.session.stop()
        await chat.is_idle()
        end()

        assert states == [TurnState.ASKING.value]
        (turn,) = await kit.turns()
        assert turn.state is TurnState.STOPPED
