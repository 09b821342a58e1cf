"""A chat's name, made from its first message or by the service."""

from pathlib import Path

import pytest

from app.chat.items import copied_title, title_from
from tests.support.chat_fixtures import START, STOP, chat_kit
from tests.support.fake_service import FakeService, delta, sse


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi", "Hi"),
        ("## Plan **the** [garden](https://example.com)", "Plan the garden"),
        ("***", "***"),
        ("  two\n lines \t here ", "two lines here"),
        ("Read it\n\n[attachment: a.pdf (PDF, 2 pages)]\n\n[image: a.png]", "Read it"),
        ("[attachment: a (1).pdf (PDF, 2 pages)]", "a (1).pdf"),
        ("What is it?\n\na b.txt:\n```txt\nsecret\n\nwords\n```\n\n[image: c.png]", "What is it?"),
        ("a.md:\n````md\n```\nsecret\n```\n````\n\nMakefile:\n```\nall:\n```", "a.md Makefile"),
        ("Why?\n\nlong.txt:\n```txt\n" + "secret\n\n" * 999, "Why?"),
        ("Mend this:\n```py\npass\n```", "Mend this: pass"),
        ("[image: a.png]\n\n[image: b.png]", "a.png b.png"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("word " * 20, "word word word word word word word word word word word…"),
    ],
)
def test_a_title_is_one_line_that_ends_at_a_word(text: str, title: str) -> None:
    assert title_from(text) == title
    assert len(title) <= 60


async def _titled(folder: Path, *titles: str, rename: str = "") -> tuple[str, str]:
    """Return a chat's name in the sidebar and after a restart, as the service offers titles."""
    async with FakeService() as service:
        service.extensions = ("title",)
        service.holds("c1")
        async with chat_kit(folder, service) as kit:
            await kit.dependencies.client.list_agents()
            chat = await kit.open()
            for title in titles:
                service.sends(START, delta("Yes."), sse("title", title=title), STOP)
                await chat.said("Hello there")
                if rename:
                    await kit.conversations.rename("c1", rename)
            assert service.requests[-1].header("Parley-Accept") == "title"
            await kit.conversations.refresh()
            (shown,) = [row.title for row in kit.conversations.rows]
            assert chat.session.state.title == shown
        async with chat_kit(folder, service) as kit:
            return shown, (await kit.store.conversations.get("c1")).title


@pytest.mark.anyio
async def test_title_of_the_service_names_the_chat_and_is_kept(tmp_path: Path) -> None:
    assert await _titled(tmp_path, "Greetings") == ("Greetings", "Greetings")


@pytest.mark.anyio
async def test_title_never_replaces_a_name_that_a_person_gave(tmp_path: Path) -> None:
    names = await _titled(tmp_path, "Greetings", "Better", rename="Mine")

    assert names == ("Mine", "Mine")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("", "Hello there"),
        ("\u202e\n\t", "Hello there"),
        ("**Plan**\n\u202ethe\x1b garden", "Plan the garden"),
        ("word " * 10_000, "word word word word word word word word word word word…"),
    ],
)
async def test_hostile_titles_become_one_visible_line(
    tmp_path: Path, title: str, name: str
) -> None:
    assert await _titled(tmp_path, title) == (name, name)


@pytest.mark.parametrize(
    ("title", "copy"),
    [
        ("Budget", "Budget (3)"),
        ("Budget (2)", "Budget (3)"),
        ("Budget (2024)", "Budget (2024) (2)"),
        ("", ""),
    ],
)
def test_copy_of_a_chat_has_the_next_number(title: str, copy: str) -> None:
    assert copied_title(title, {"Budget", "Budget (2)", "Budget (2024)"}) == copy
