"""A profile at work in a test: real store, ledger, tools and client, and a person who answers.

async with chat_kit(tmp_path, service) as kit:
    chat = await kit.open("c1")
    await chat.send("Hello")
    await chat.is_idle()
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.refusals import Retry
from app.api.sse import StreamLimits
from app.approvals.policy import Policy
from app.approvals.queue import (
    Allowed,
    ApprovalQueue,
    Denied,
    PendingApproval,
    PendingRelease,
    Resolution,
)
from app.approvals.rule_engine import PermissionRules
from app.chat.conversations import Conversations
from app.chat.dependencies import CALLS_BEFORE_PAUSE, ChatDependencies
from app.chat.items import (
    Change,
    Inserted,
    Item,
    Moved,
    Notice,
    Removed,
    Replaced,
    ReplyPart,
    Reset,
    ToolCall,
    UserMessage,
)
from app.chat.message_attachments import Attachments
from app.chat.session import ChatState, ConversationSession
from app.chat.sessions import Sessions
from app.common.error_messages import explain
from app.store.records import StoredFailure, StoredTurn
from app.store.store import Store
from local_tools.attachments.intake import FileIntake
from local_tools.execution.call_runner import AttachmentSource
from local_tools.execution.outputs import OutputFiles
from local_tools.execution.tool_runner import ToolRunner
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey, CallRecord
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import SandboxState
from local_tools.undo.undo import UndoStore
from tests.support.clocks import ManualClock
from tests.support.fake_service import TIME, FakeService, sse
from tests.support.tool_calls import call_runner

PROFILE = "home"
START = sse("message_start", message_id="m1", conversation_id="$conversation")
STOP = sse("message_stop")
_LIMIT_S = 20.0

Row = TypeVar("Row")


def stored(*messages: tuple[str, str, str]) -> list[dict[str, str]]:
    """Messages (id, role, text) as the service holds them."""
    return [
        {"id": id_, "role": role, "content": text, "created_at": TIME}
        for id_, role, text in messages
    ]


def posts(service: FakeService) -> list[str]:
    """Return the paths of all POST requests, in order."""
    return [request.path for request in service.requests if request.method == "POST"]


def results(service: FakeService) -> list[tuple[str, str]]:
    """Return the results that were posted: (call id, text), in order."""
    sent = [request.json for request in service.requests if request.path == "/v1/tool-result"]
    return [(body["tool_call_id"], body["result"]) for body in sent]


class Chat:
    """One open chat, as a window follows it."""

    def __init__(self, kit: "ChatKit", session: ConversationSession) -> None:
        self.kit = kit
        self.session = session
        self.states: list[ChatState] = []
        self.mirror: list[Item] = list(session.transcript.items)
        self._ends = (
            session.transcript.subscribe(self._on_change),
            session.subscribe_state(self._on_state),
        )

    @property
    def items(self) -> Sequence[Item]:
        return tuple(self.session.transcript.items)

    @property
    def text(self) -> str:
        """The replies' text, all parts together."""
        return "".join(item.text for item in self.items if isinstance(item, ReplyPart))

    @property
    def user_messages(self) -> list[UserMessage]:
        return [item for item in self.items if isinstance(item, UserMessage)]

    @property
    def tool_rows(self) -> list[ToolCall]:
        return [item for item in self.items if isinstance(item, ToolCall)]

    @property
    def notices(self) -> list[Notice]:
        return [item for item in self.items if isinstance(item, Notice)]

    @property
    def notice(self) -> Notice:
        """The only notice."""
        (notice,) = self.notices
        return notice

    def says(self, reason: str, **values: str | int) -> bool:
        """Return whether the only notice has the text of this error, whatever else it says."""
        told = replace(self.notice.words, kept="")
        return told.sentence == explain(StoredFailure(reason, values)).sentence

    async def send(self, text: str, agent_name: str | None = None) -> None:
        await self.session.send(text, agent_name)

    async def said(self, text: str) -> None:
        """Send a message and wait until its turn is over."""
        await self.send(text)
        await self.is_idle()

    async def is_idle(self) -> None:
        await self.until(lambda: not self.session.state.is_busy)

    async def shows(self, text: str) -> None:
        """Wait until the reply contains `text`."""
        await self.until(lambda: text in self.text)

    async def asks(self) -> PendingApproval:
        """Wait for the card of this chat."""
        queue, conversation_id = self.kit.approvals, self.session.conversation_id
        await self.until(lambda: bool(queue.waiting(conversation_id)))
        return queue.waiting(conversation_id)[0]

    async def holds(self) -> PendingRelease:
        """Wait for the result of this chat that waits for a person."""
        queue, conversation_id = self.kit.approvals, self.session.conversation_id
        await self.until(lambda: queue.pending_release(conversation_id) is not None)
        card = queue.pending_release(conversation_id)
        assert card is not None
        return card

    async def allow(self) -> None:
        await self.answer(Allowed())

    async def deny(self, reason: str = "") -> None:
        await self.answer(Denied(reason))

    async def answer(self, decision: Resolution) -> None:
        card = await self.asks()
        assert self.kit.approvals.answer(card.request.request_id, card.generation, decision)

    async def until(self, is_true: Callable[[], bool]) -> None:
        await self.kit.until(is_true)

    def close(self) -> None:
        """Follow the chat no longer."""
        for end in self._ends:
            end()

    def _on_change(self, change: Change) -> None:
        mirror_change(self.mirror, change, self.session.transcript.items)
        self.kit.happened()

    def _on_state(self, state: ChatState) -> None:
        self.states.append(state)
        self.kit.happened()


@dataclass(frozen=True)
class _Parts:
    dependencies: ChatDependencies
    sessions: Sessions
    conversations: Conversations


class ChatKit:
    """Everything of a profile; made by `chat_kit`."""

    def __init__(
        self, parts: _Parts, clock: ManualClock, home: Path, rules: PermissionRules
    ) -> None:
        self.home = home
        self.rules = rules
        self.sessions = parts.sessions
        self.conversations = parts.conversations
        self.dependencies = parts.dependencies
        self.approvals = parts.dependencies.approvals
        self.store = parts.dependencies.store
        self.attachments = Attachments(
            self.store, FileIntake(ToolRunner()), parts.dependencies.client
        )
        self.clock = clock
        self._changed = asyncio.Event()
        self.approvals.subscribe(lambda _conversation_id: self.happened())

    async def open(self, conversation_id: str = "c1") -> Chat:
        """Open a chat and wait until what the service has is shown."""
        chat = Chat(self, self.sessions.get(conversation_id))
        await chat.session.load()
        return chat

    async def turns(self, conversation_id: str = "c1") -> tuple[StoredTurn, ...]:
        """Return the journal as it is on the disk."""
        return await self.store.turns.of_conversation(conversation_id)

    async def calls(self, conversation_id: str = "c1") -> tuple[CallRecord, ...]:
        """Return the ledger as it is on the disk."""
        return await self.dependencies.ledger.calls(PROFILE, conversation_id)

    def happened(self) -> None:
        self._changed.set()

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until something that the chats announce makes this true."""
        async with asyncio.timeout(_LIMIT_S):
            while not is_true():
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def chat_kit(
    data: Path,
    service: FakeService | None = None,
    *,
    address: tuple[str, str] | None = None,
    registry: ToolRegistry | None = None,
    runner: ToolRunner | None = None,
    sandbox: Callable[[], Awaitable[SandboxState]] | None = None,
    clock: ManualClock | None = None,
    calls_before_pause: int = CALLS_BEFORE_PAUSE,
    busy_timeout_s: float = 5.0,
) -> AsyncIterator[ChatKit]:
    """Open a profile whose data lies in `data`; close it as the program does."""
    base_url, key = address or service.address  # type: ignore[union-attr]  # one of both is given
    store = Store(data / "store.db", busy_timeout_s=busy_timeout_s)
    ledger = Ledger(data / "ledger.db")
    await store.open()
    await ledger.open()
    tools, clock = registry or ToolRegistry.built_in(), clock or ManualClock()
    undo, outputs = UndoStore(data / "undo"), OutputFiles(data / "undo")
    rules = PermissionRules(store.profile(PROFILE).rules, tools.definitions, clock)
    await rules.load()
    client = ApiClient(
        base_url, SecretStr(key), retry=Retry(pause=_no_pause), limits=StreamLimits()
    )
    dependencies = ChatDependencies(
        client=client,
        store=store.profile(PROFILE),
        ledger=ledger,
        registry=tools,
        runner=call_runner(tools, undo, runner, outputs, _attached_in(store)),
        undo=undo,
        approvals=ApprovalQueue(clock),
        policy=Policy(tools, home=data, sandbox=sandbox, rules=rules),
        clock=clock,
        calls_before_pause=lambda: calls_before_pause,
    )
    sessions = Sessions(dependencies)
    parts = _Parts(dependencies, sessions, Conversations(dependencies, sessions))
    try:
        yield ChatKit(parts, clock, data, rules)
    finally:
        parts.conversations.close()
        await sessions.aclose()
        await client.aclose()
        await ledger.close()
        await store.close()


def mirror_change(mirror: list[Row], change: Change, rows: Sequence[Row]) -> None:
    """Apply a change as the window's model does; at the end both must be equal."""
    match change:
        case Inserted(first, count):
            mirror[first:first] = rows[first : first + count]
        case Replaced(row):
            mirror[row] = rows[row]
        case Removed(first, count):
            del mirror[first : first + count]
        case Moved(row, to):
            del mirror[row]
            mirror.insert(to, rows[to])
        case Reset():
            mirror[:] = rows


def _attached_in(store: Store) -> AttachmentSource:
    async def content(key: CallKey, sha256: str) -> bytes | None:
        attachments = store.profile(key.profile).attachments
        return await attachments.content(key.conversation_id, sha256)

    return content


async def _no_pause(_seconds: float) -> None:
    """Do not wait between tries."""
