"""Random steps over versions: nothing is overwritten or lost, and files are as the record says.

A walk says, edits, asks anew, branches, has files written, puts them back, changes them itself,
stops, deletes, and ends like a killed program after some steps. It knows what each version has to
say, and what each file has to hold.
"""

import json
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.api.models import Role
from app.approvals.queue import Allowed
from app.chat.items import CallState, SendState, UserMessage
from app.chat.rewind import Rewind
from app.chat.workspace import Workspace
from local_tools.undo.undo import RewindResult
from tests.support.chat_fixtures import PROFILE, Chat, ChatKit, chat_kit
from tests.support.service import running_service

pytestmark = pytest.mark.anyio

_NAMES = ("a.txt", "b.txt", "c.txt")


def _workspace(kit: ChatKit) -> Workspace:
    dependencies = kit.dependencies
    return Workspace(
        dependencies.client,
        dependencies.store,
        kit.conversations,
        kit.sessions,
        dependencies.ledger,
        rewind=Rewind(PROFILE, dependencies.ledger, dependencies.undo, kit.sessions.read_calls),
    )


def _sent(chat: Chat) -> list[UserMessage]:
    return [message for message in chat.user_messages if message.state is SendState.SENT]


@dataclass(frozen=True)
class _Write:
    """A file that a call wrote: what was there before (None for nothing) and after."""

    name: str
    before: str | None
    after: str


@dataclass
class _Walk:
    """Does one thing after the other in a chat, and knows what every version has to say.

    Attributes:
        said: What was asked in each conversation, oldest first.
        written: Which file each question of a conversation had written, by its position. A version
            has those of what it shares.
        stack: The writings of each file that were not undone, oldest first; whoever changes a file
            by hand ends them all.
    """

    random: random.Random
    folder: Path
    said: dict[str, list[str]] = field(default_factory=dict)
    written: dict[str, dict[int, _Write]] = field(default_factory=dict)
    stack: dict[str, list[_Write]] = field(default_factory=dict)
    number: int = 0
    rewinds: int = 0

    async def step(self, kit: ChatKit) -> None:
        conversation_id = self.random.choice(sorted(self.said))
        chat, said = await kit.open(conversation_id), self.said[conversation_id]
        self.number += 1
        words = f"Words {self.number}"
        steps = ("say", "edit", "anew", "branch", "stop", "delete", "write", "write", "rewind")
        match self.random.choice((*steps, "change")):
            case "edit" | "rewind" as what if said:
                at = self.random.randrange(len(said))
                await self._revise(kit, chat, at, words, puts_back=what == "rewind")
            case "anew" if said and not self._calls_from(conversation_id, len(said) - 1):
                await self._revise(kit, chat, len(said) - 1, said[-1], puts_back=False)
            case "branch" if said:
                await self._branch(kit, chat, self.random.randrange(len(said)))
            case "delete":
                await self._delete(kit, chat)
            case "stop":
                await self._stop(chat, words)
            case "write":
                await self._write(chat)
            case "change":
                name = self.random.choice(_NAMES)
                (self.folder / name).write_text(f"by hand {self.number}")
                self.stack[name] = []
            case _:
                await chat.said(words)
                said.append(words)
        chat.close()

    def _calls_from(self, conversation_id: str, position: int) -> list[_Write]:
        """Return the writings behind a question, newest first."""
        written = self.written[conversation_id]
        return [written[at] for at in sorted(written, reverse=True) if at >= position]

    async def _write(self, chat: Chat) -> None:
        name = self.random.choice(_NAMES)
        path = self.folder / name
        before = path.read_text() if path.exists() else None
        after = f"by tool {self.number}"
        call = json.dumps({"path": name, "content": after})
        words = f"/tool write_file {call}"
        await chat.session.set_folder(self.folder)
        await chat.send(words)
        await chat.answer(Allowed())
        await chat.is_idle()
        assert path.read_text() == after
        write = _Write(name, before, after)
        conversation_id = chat.session.conversation_id
        self.written[conversation_id][len(self.said[conversation_id])] = write
        self.said[conversation_id].append(words)
        self.stack.setdefault(name, []).append(write)

    async def _revise(
        self, kit: ChatKit, chat: Chat, at: int, words: str, *, puts_back: bool
    ) -> None:
        conversation_id = chat.session.conversation_id
        key, workspace = _sent(chat)[at].key, _workspace(kit)
        expected: dict[str, str | None] = {}
        if puts_back:
            offered = await workspace.changed_since(conversation_id, key)
            expected = self._put_back(self._calls_from(conversation_id, at))
            assert {Path(path).name for path in offered} == set(expected)
            self.rewinds += bool(expected)
        told: list[RewindResult] = []
        new_id = await workspace.revise(
            conversation_id, key, words, None, on_rewound=told.append if puts_back else None
        )
        new = await kit.open(new_id)
        if "/tool" in words:
            await new.deny()
        await new.is_idle()
        new.close()
        for name, content in expected.items():
            path = self.folder / name
            assert (path.read_text() if path.exists() else None) == content
        self.said[new_id] = [*self.said[conversation_id][:at], words]
        self.written[new_id] = {
            n: write for n, write in self.written[conversation_id].items() if n < at
        }

    def _put_back(self, calls: list[_Write]) -> dict[str, str | None]:
        """Undo writings, newest first, as long as each is what was done last with its file."""
        found: dict[str, str | None] = {}
        for write in calls:
            stack = self.stack.get(write.name, [])
            if stack and stack[-1] is write:
                stack.pop()
                found[write.name] = write.before
        return found

    async def _branch(self, kit: ChatKit, chat: Chat, at: int) -> None:
        conversation_id = chat.session.conversation_id
        branch_id = await _workspace(kit).branch(conversation_id, _sent(chat)[at].key)
        self.said[branch_id] = self.said[conversation_id][: at + 1]
        # What the branch shares was written by the chat, whose calls it does not have.
        self.written[branch_id] = {}

    async def _delete(self, kit: ChatKit, chat: Chat) -> None:
        conversation_id = chat.session.conversation_id
        gone = kit.sessions.versions.members(conversation_id)
        if len(self.said) <= len(gone) + 2:
            return
        chat.close()
        await kit.conversations.delete(conversation_id)
        for one in gone:
            for write in self.written[one].values():
                stack = self.stack[write.name]
                if write in stack:
                    # Its copy went with the chat; what others wrote later can still be undone.
                    del stack[: stack.index(write) + 1]
            del self.said[one], self.written[one]

    async def _stop(self, chat: Chat, words: str) -> None:
        said = self.said[chat.session.conversation_id]
        await chat.send(words)
        await chat.until(lambda: not chat.session.state.queued)
        chat.session.stop()
        await chat.is_idle()
        await chat.session.load()
        # Stopped in time it never left.
        after = [m.text for m in _sent(chat)]
        assert after[: len(said)] == said
        self.said[chat.session.conversation_id] = after

    async def check(self, kit: ChatKit) -> None:
        """Check that nothing was overwritten or lost, and that each chat has one row."""
        await kit.conversations.load_kept()
        await kit.conversations.refresh()
        while kit.conversations.has_more:
            await kit.conversations.fetch_more()
        listed = [row.conversation_id for row in kit.conversations.rows]
        chats = {kit.sessions.versions.chat_id(id_) for id_ in self.said}
        assert len(listed) == len(set(listed)) == len(chats)
        assert {kit.sessions.versions.chat_id(id_) for id_ in listed} == chats
        for conversation_id, said in self.said.items():
            chat = await kit.open(conversation_id)
            assert [m.text for m in _sent(chat)] == said
            there = await kit.dependencies.client.get_conversation(conversation_id)
            assert [m.content for m in there.messages if m.role is Role.USER] == said
            ended = [call for call in chat.tool_rows if call.state is CallState.DONE]
            assert len(ended) == len(self.written[conversation_id])
            chat.close()
        for name, stack in self.stack.items():
            if stack:
                assert (self.folder / name).read_text() == stack[-1].after


async def _walks(folder: Path, seed: int, steps: int, until_killed: int = 12) -> int:
    files = folder / "files"
    files.mkdir()
    walk = _Walk(random.Random(seed), files)  # noqa: S311 - no secret
    with running_service(folder / "service", plan="enterprise", per_minute=10**6) as service:
        done = 0
        while done < steps:
            # Whatever was open is closed as a kill leaves it: sessions end, nothing is told.
            async with chat_kit(folder, address=(service.base_url, service.key)) as kit:
                await kit.dependencies.client.list_agents()
                await kit.conversations.load_kept()
                if not walk.said:
                    first_id = await kit.conversations.create()
                    walk.said[first_id], walk.written[first_id] = [], {}
                for _ in range(min(until_killed, steps - done)):
                    await walk.step(kit)
                    done += 1
                await walk.check(kit)
    return walk.rewinds


async def test_random_steps_overwrite_and_lose_nothing(tmp_path: Path) -> None:
    await _walks(tmp_path, 1, 24)


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_thousand_random_sequences_overwrite_and_lose_nothing(tmp_path: Path) -> None:
    rewinds = 0
    for seed in range(100):
        folder = tmp_path / str(seed)
        folder.mkdir()
        # Ten sequences, each of which ends like a killed program.
        rewinds += await _walks(folder, seed, 50, until_killed=5)
        shutil.rmtree(folder)
    assert rewinds > 5
