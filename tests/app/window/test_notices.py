"""Notices of the system and the tray, with the whole program and a real bus."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from app.approvals.queue import Allowed
from app.config.settings import NoticeSettings, TraySettings
from tests.support.chat_fixtures import START, STOP
from tests.support.fake_service import FakeService, sse
from tests.support.notification_daemon import NoticeDaemon, notice_daemon, session_bus
from tests.support.window import Person, hosted_program

pytestmark = pytest.mark.anyio

_CARD = sse("tool_use", id="t1", name="current_time", input={})


@pytest.fixture(autouse=True)
def _bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with session_bus(tmp_path, monkeypatch):
        yield


@asynccontextmanager
async def _program(folder: Path) -> AsyncIterator[tuple[Person, FakeService, NoticeDaemon]]:
    async with notice_daemon() as daemon, FakeService() as service:
        service.holds("one")
        service.holds("two")
        async with hosted_program(folder, service) as person:
            person.program.chat.open("one")
            yield person, service, daemon


def _speak_behind(person: Person, text: str = "Plan the garden") -> None:
    """Send a message, and put the window away."""
    person.say(text)
    person.window.showMinimized()


async def test_reply_that_ends_behind_other_windows_is_told_until_its_chat_is_deleted(
    tmp_path: Path,
) -> None:
    async with _program(tmp_path) as (person, service, daemon):
        service.says("Secret words")
        _speak_behind(person)
        await daemon.sees(lambda: bool(daemon.shown))

        assert daemon.only.heading == "Reply finished"
        assert "Secret" not in daemon.only.body
        assert person.program.notices.count == 1

        person.program.conversations.delete_all(["one"])
        await daemon.sees(lambda: not daemon.shown)
        assert person.program.notices.count == 0
        # The click may have been on its way already.
        person.program.windows.show_chat("one")
        chat = person.program.chat
        words = "This chat no longer exists on the service"
        await person.sees(
            lambda: chat.state.placeholder == words, "the composer says that the chat was deleted"
        )
        assert not chat.state.can_send


async def test_question_that_waits_is_told_until_it_is_answered(tmp_path: Path) -> None:
    async with _program(tmp_path) as (person, service, daemon):
        service.sends(START, _CARD, STOP)
        service.says("Noon")
        _speak_behind(person)
        await daemon.sees(lambda: bool(daemon.shown))
        asked = daemon.only
        [card] = person.program._approvals.waiting("one")
        person.program._approvals.answer(card.request.request_id, card.generation, Allowed())
        await daemon.sees(lambda: bool(daemon.shown) and daemon.only is not asked)

        assert asked.heading == "Waiting for your decision"
        assert daemon.only.heading == "Reply finished"


@pytest.mark.parametrize("goes_on", [False, True], ids=["in its chat", "in another chat"])
async def test_question_that_was_seen_is_told_when_its_window_is_put_away(
    tmp_path: Path, goes_on: bool
) -> None:
    async with _program(tmp_path) as (person, service, daemon):
        service.sends(START, _CARD, STOP)
        person.say("What time is it?")
        await person.sees(lambda: bool(person.program.approval.cards), "a card")
        if goes_on:
            person.program.chat.open("two")

        person.window.showMinimized()
        await daemon.sees(lambda: bool(daemon.shown))

        assert daemon.only.heading == "Waiting for your decision"
        assert len(daemon.asked) == 1
        await daemon.click()
        await daemon.sees(lambda: not daemon.shown)
        assert person.program.chat.conversation_id == "one"


async def test_click_brings_the_chat_forward_and_ends_its_notice(tmp_path: Path) -> None:
    async with _program(tmp_path) as (person, service, daemon):
        service.says("Here")
        person.say("Hello")
        person.program.chat.open("two")
        person.window.commands["settings"].action.trigger()
        person.window.showMinimized()
        await daemon.sees(lambda: bool(daemon.shown))

        await daemon.click()
        await daemon.sees(lambda: not daemon.shown)

        assert person.program.chat.conversation_id == "one"
        assert person.box.isVisible()
        assert person.program.notices.count == 0


async def test_kinds_that_are_off_are_counted_and_not_told(tmp_path: Path) -> None:
    async with _program(tmp_path) as (person, service, daemon):
        person.program.preferences.change(NoticeSettings(finished=False))
        service.says("Here")
        _speak_behind(person)
        counted = person.program.notices.count_changed
        await person.sees(
            lambda: person.program.notices.count == 1, "one notification was sent", counted
        )

        assert daemon.asked == []


@pytest.mark.security(5)
async def test_notice_shows_as_much_as_was_chosen_and_nothing_hidden_in_it(
    tmp_path: Path,
) -> None:
    async with _program(tmp_path) as (person, service, daemon):
        for shows in ("kind", "words"):
            person.program.preferences.change(NoticeSettings.model_validate({"shows": shows}))
            service.says("First\u202e line\n\n" + "long " * 400)
            person.window.showNormal()
            _speak_behind(person, "Plan <b>it</b>\u200b")
            told = len(daemon.asked) + 1
            await daemon.sees(lambda told=told: len(daemon.asked) == told)  # type: ignore[misc]

        bare, full = (asked.body.splitlines() for asked in daemon.asked)
        assert bare == []
        assert len(full) == 2
        assert all(len(line) <= 200 for line in full)
        assert not {"\u202e", "\u200b", "<"} & set("".join(full))


async def test_marks_of_an_earlier_run_are_no_news(tmp_path: Path) -> None:
    async with notice_daemon() as daemon, FakeService() as service:
        service.holds("one")
        service.sends(START, sse("error", error={"type": "api_error", "message": "no"}))
        async with hosted_program(tmp_path, service) as person:
            person.program.chat.open("one")
            _speak_behind(person)
            await daemon.sees(lambda: bool(daemon.shown))
            assert daemon.only.heading == "Message or reply failed"
        async with hosted_program(tmp_path, service) as person:
            person.window.showMinimized()
            person.program.chat.open("one")
            await person.sees(
                lambda: bool(person.program.chat.transcript.rows), "the chat shows its messages"
            )

            assert person.program.notices.count == 0
            assert len(daemon.asked) == 1


async def test_visible_chat_and_program_end_send_no_notification(
    tmp_path: Path,
) -> None:
    async with notice_daemon() as daemon:
        async with FakeService() as service:
            service.holds("one")
            service.says("Here")
            service.sends(START, _CARD, STOP)
            async with hosted_program(tmp_path, service) as person:
                person.program.chat.open("one")
                await person.asks("Hello")
                assert person.program.notices.count == 0
                person.say("What time is it?")
                await person.sees(lambda: bool(person.program.approval.cards), "a card")
                assert person.program.notices.count == 0

        assert daemon.asked == []


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
async def test_last_window_that_is_closed_to_the_tray_comes_back_with_its_chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The platform of the tests has none.
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    async with _program(tmp_path) as (person, service, daemon):
        ended = list[bool]()
        person.program.windows.closed.connect(lambda: ended.append(True))
        person.program.preferences.change(TraySettings(is_shown=True, keeps_running=True))
        service.says("Here")
        person.say("Hello")
        person.window.close()
        await daemon.sees(lambda: bool(daemon.shown))

        assert (person.window.isVisible(), ended) == (False, [])
        assert person.program.tray.icon.toolTip() == "Parley: 1 unread chat"
        person.program.tray.opened.emit()
        await daemon.sees(lambda: not daemon.shown)
        assert person.window.isVisible()
        person.program.tray.quit_chosen.emit()
        assert ended == [True]


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
async def test_last_window_ends_the_program_where_there_is_no_tray(tmp_path: Path) -> None:
    async with _program(tmp_path) as (person, _, _):
        ended = list[bool]()
        person.program.windows.closed.connect(lambda: ended.append(True))
        person.program.preferences.change(TraySettings(is_shown=True, keeps_running=True))
        person.window.showMinimized()

        person.program.tray.chat_begun.emit()

        assert not person.window.isMinimized()
        assert person.program.chat.conversation_id == ""
        person.window.close()
        assert ended == [True]
