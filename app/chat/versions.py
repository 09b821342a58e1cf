"""The versions of a chat: conversations that share their first messages; one is shown.

No message is overwritten: editing a message, or asking again, continues in a copy of the messages
before it (extension `fork`). Positions count the service's messages from 0.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import uuid4

from app.api.errors import ApiError, NotFound
from app.api.models import ConversationDetail
from app.chat.dependencies import ChatDependencies
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.common.observable import Subscribers
from app.store.conversation_versions import StoredVersion

log = logging.getLogger(__name__)

_MOST_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class VersionPlace:
    """The versions that diverge at one message: `ids` has their conversations, oldest first.

    `index` is the position of the requested chat among them.
    """

    ids: tuple[str, ...]
    index: int

    def beside(self, step: int) -> str | None:
        """Return the previous (`step` -1) or next (1) version; None at the ends."""
        index = self.index + step
        return self.ids[index] if 0 <= index < len(self.ids) else None


class ChatVersions:
    """The versions of all chats of a profile. Made by `Sessions`, lives as long.

    Attributes:
        changing: A lock held while a version is copied and begun, so that two never mix.
    """

    def __init__(self, dependencies: ChatDependencies) -> None:
        self._client = dependencies.client
        self._table = dependencies.store.versions
        self._versions: dict[str, StoredVersion] = {}
        self._open: dict[str, StoredVersion] = {}
        self._left: dict[str, StoredVersion] = {}
        self._scratch: set[str] = set()
        # Which versions belong together, computed at first use.
        self._roots: dict[str, str] = {}
        self._members: dict[str, list[str]] = {}
        self._shown: frozenset[str] = frozenset()
        self._is_loaded = False
        self._forgotten = 0
        self._observers: Subscribers[[]] = Subscribers()
        self.changing: Final = asyncio.Lock()

    @property
    def is_offered(self) -> bool:
        """Whether the service supports copying conversations."""
        return self._client.offers_forks

    async def check_offered(self) -> None:
        """Check that the service supports copying; send a request if that is not known yet.

        Raises:
            UserFacingError: it does not, or cannot be reached.
        """
        await self._client.learn_extensions()
        if not self.is_offered:
            raise UserFacingError(ErrorCode.FORK_UNSUPPORTED)

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Follow which versions there are; call the result to stop."""
        return self._observers.subscribe(on_change)

    async def load(self) -> None:
        """Read the stored versions; set unfinished ones of the last run aside for `take_left`.

        Read again, it adds those that came with imported chats since.

        Raises:
            StoreError: it cannot be read.
        """
        was_shown, forgotten = self._shown, self._forgotten
        kept, shown = await self._table.all(), await self._table.shown()
        if self._forgotten != forgotten:
            # What was deleted meanwhile may have been read before.
            return
        if self._shown is was_shown:
            self._shown = shown
        is_first, self._is_loaded = not self._is_loaded, True
        count = len(self._versions)
        for version in kept:
            if version.turn_id is not None and version.conversation_id is not None:
                self._versions.setdefault(version.conversation_id, version)
            elif is_first:
                self._left[version.fork_id] = version
        if is_first or len(self._versions) != count:
            self._forget_groups()
            self._observers.notify()

    def members(self, conversation_id: str) -> tuple[str, ...]:
        """Return all versions of a chat, oldest first; only this conversation if there are none."""
        root = self.chat_id(conversation_id)
        if not self._members:
            for id_ in self._versions:
                self._members.setdefault(self.chat_id(id_), []).append(id_)
        return (root, *self._members.get(root, ()))

    def chat_id(self, conversation_id: str) -> str:
        """Return the first conversation of the chat that a version belongs to."""
        passed: list[str] = []
        root = conversation_id
        # Bounded: rows of a damaged store could lead in a circle.
        while (version := self._versions.get(root)) is not None and len(passed) < _MOST_STEPS:
            if root in self._roots:
                root = self._roots[root]
                break
            passed.append(root)
            root = version.parent_id
        self._roots |= dict.fromkeys(passed, root)
        return root

    def is_hidden(self, conversation_id: str) -> bool:
        """Return whether another version of its chat is shown, or a copy is not finished yet."""
        unfinished = (*self._open.values(), *self._left.values())
        if any(version.conversation_id == conversation_id for version in unfinished):
            return True
        members = self.members(conversation_id)
        return len(members) > 1 and self.current(conversation_id) != conversation_id

    def current(self, conversation_id: str) -> str:
        """Return the shown version of a chat: the one chosen last, else the newest."""
        members = self.members(conversation_id)
        chosen = (id_ for id_ in members if id_ in self._shown)
        return next(chosen, members[-1])

    async def show(self, conversation_id: str) -> None:
        """Show this version of its chat from now on.

        Raises:
            StoreError: it could not be kept; the other one stays.
        """
        members = self.members(conversation_id)
        if len(members) < 2:
            return
        await self._table.show(self.chat_id(conversation_id), conversation_id)
        self._shown = self._shown - frozenset(members) | {conversation_id}

    def sources(self, conversation_id: str) -> tuple[str, ...]:
        """Return the conversations that hold what was copied into this one, the nearest first."""
        found: list[str] = []
        version = self._versions.get(conversation_id)
        while version is not None and version.source_id not in found:
            found.append(version.source_id)
            version = self._versions.get(version.source_id)
        return tuple(found)

    def parting(self, conversation_id: str) -> tuple[str, int] | None:
        """Return from which version one parts, and behind how many messages; None for the first."""
        version = self._versions.get(conversation_id)
        return None if version is None else (version.parent_id, version.shared_count)

    def first_turn(self, conversation_id: str) -> tuple[int, str] | None:
        """Return the position where a version diverges from its chat, and its first own message."""
        version = self._versions.get(conversation_id)
        if version is None or version.turn_id is None:
            return None
        return version.shared_count, version.turn_id

    def places(self, conversation_id: str) -> Mapping[int, VersionPlace]:
        """Return the versions that diverge from this conversation, by position."""
        members = self.members(conversation_id)
        order = {id_: number for number, id_ in enumerate(members)}
        parting: dict[int, dict[str, str]] = {}
        for id_, position in self._shared_counts(conversation_id, members).items():
            # Of those that begin alike there, the newest one is shown.
            parting.setdefault(position, {})[self._beginning(id_, position)] = id_
        found: dict[int, VersionPlace] = {}
        mine = conversation_id
        # From the last position up, so that the parents of this chat are walked once.
        for position in sorted(parting, reverse=True):
            mine = self._beginning(mine, position)
            newest = parting[position] | {mine: conversation_id}
            beginnings = sorted(newest, key=lambda id_: order[id_])
            ids = tuple(newest[id_] for id_ in beginnings)
            found[position] = VersionPlace(ids, beginnings.index(mine))
        return found

    async def copy(
        self,
        source_id: str,
        message_ids: Sequence[str],
        *,
        is_branch: bool = False,
        is_scratch: bool = False,
    ) -> StoredVersion:
        """Have the service copy a conversation, and copy what is kept of it here.

        Where the answer to an earlier try was lost, that copy is asked for once more. The caller
        holds `changing`, and ends with `finish`.

        Args:
            source_id: What to copy.
            message_ids: The service's ids of the messages to copy, from the first on.
            is_branch: The copy is a chat of its own.
            is_scratch: Nobody sees the copy, and `drop` ends it. A kill does so, too.

        Raises:
            UserFacingError: it was not made, or nobody knows; it could not be kept.
        """
        version = None if is_scratch else self._begun(source_id, message_ids, is_branch=is_branch)
        version = version or await self._reserve(source_id, message_ids, is_branch=is_branch)
        if is_scratch:
            self._scratch.add(version.fork_id)
        try:
            made = await self._client.fork_conversation(version.fork_id, source_id, version.through)
        except ApiError as exc:
            # Otherwise it stays open: asking with the same id again gives that copy, not a second
            # one.
            if not exc.was_maybe_delivered:
                del self._open[version.fork_id]
                await self._table.remove(version.fork_id)
            raise
        # Not strict: the service decides how many messages it has copied.
        ids = dict(zip(message_ids, _ids(made), strict=False))
        version = replace(version, conversation_id=made.id)
        self._open[version.fork_id] = version
        await self._table.note_known(version, made.id, ids)
        return version

    async def finish(self, version: StoredVersion, turn_id: str = "") -> str:
        """Note that a message was accepted in a version, or that a branch is a chat.

        Whoever kept the message has kept with it that the version goes on there.

        Returns:
            The conversation.

        Raises:
            StoreError: it could not be kept, so that the branch is asked for once more next time.
        """
        if version.is_branch:
            await self._table.remove(version.fork_id)
        self._open.pop(version.fork_id, None)
        conversation_id = version.conversation_id or ""
        if not version.is_branch:
            self._versions[conversation_id] = replace(version, turn_id=turn_id)
            self._forget_groups()
            self._observers.notify()
        return conversation_id

    async def drop(self, version: StoredVersion) -> None:
        """Forget a scratch copy, whose conversation the caller has deleted.

        Raises:
            StoreError: it could not be removed from the table; the next start tries again.
        """
        self._open.pop(version.fork_id, None)
        self._scratch.discard(version.fork_id)
        await self._table.remove(version.fork_id)

    async def take_left(self) -> tuple[str, ...]:
        """Return the conversations of copies that were cut off in the last run: nobody needs them.

        One whose answer was lost is asked for again, since it may be there.

        Raises:
            StoreError: what was cut off cannot be removed from the table.
        """
        found: list[str] = []
        if self._left:
            try:
                await self._client.learn_extensions()
            except ApiError as exc:
                log.info("Cannot look for copies that were interrupted: %s", exc.reason)
                return ()
        left = tuple(self._left.values()) if self.is_offered else ()
        for version in left:
            try:
                conversation_id = version.conversation_id or await self._find_again(version)
            except ApiError as exc:
                log.info("Cannot find a copy that was interrupted: %s", exc.reason)
                continue
            if conversation_id:
                found.append(conversation_id)
            del self._left[version.fork_id]
            await self._table.remove(version.fork_id)
        return tuple(found)

    def forget(self, conversation_ids: Sequence[str]) -> None:
        """Forget versions that were deleted."""
        for conversation_id in conversation_ids:
            self._versions.pop(conversation_id, None)
        # A `load` under way must not bring them back.
        self._forgotten += 1
        self._forget_groups()
        self._shown -= frozenset(conversation_ids)

    def forget_all(self) -> None:
        """Forget all versions, as nothing of the chats is kept any more."""
        self._versions.clear()
        self._forgotten += 1
        self._forget_groups()
        self._shown = frozenset()

    def _begun(
        self, source_id: str, message_ids: Sequence[str], *, is_branch: bool
    ) -> StoredVersion | None:
        """Return the same copy where it was asked for before, and no answer came."""
        asked = (source_id, message_ids[-1] if message_ids else None, is_branch)
        for version in self._open.values():
            of_version = (version.source_id, version.through, version.is_branch)
            if of_version == asked and version.fork_id not in self._scratch:
                return version
        return None

    async def _reserve(
        self, source_id: str, message_ids: Sequence[str], *, is_branch: bool
    ) -> StoredVersion:
        through, count = (message_ids[-1] if message_ids else None), len(message_ids)
        parent_id = self._beginning(source_id, count - 1)
        version = StoredVersion(
            uuid4().hex, source_id, through, parent_id, count, is_branch=is_branch
        )
        await self._table.reserve(version)
        self._open[version.fork_id] = version
        return version

    async def _find_again(self, version: StoredVersion) -> str:
        """Ask for a copy whose answer was lost; empty where nobody may remove it.

        Nobody knew that it is a copy, so it was listed like any chat and may have been gone on
        with since. Where its source is gone, so is the copy.

        Raises:
            ApiError: nobody knows whether it is there.
        """
        try:
            made = await self._client.fork_conversation(
                version.fork_id, version.source_id, version.through
            )
        except NotFound:
            return ""
        return made.id if len(made.messages) == version.shared_count else ""

    def _beginning(self, conversation_id: str, position: int) -> str:
        """Return the oldest version that has the same messages up to and with a position."""
        version = self._versions.get(conversation_id)
        while version is not None and version.shared_count > position:
            conversation_id = version.parent_id
            version = self._versions.get(conversation_id)
        return conversation_id

    def _shared_counts(self, conversation_id: str, members: Sequence[str]) -> dict[str, int]:
        """Return how many messages each other version of a chat shares with this one.

        A way up that was walked before is not walked again, as there may be hundreds of versions.
        """
        counts: dict[str, int | None] = {conversation_id: None}
        version, shared = self._versions.get(conversation_id), None
        while version is not None and version.parent_id not in counts:
            shared = _least(shared, version.shared_count)
            counts[version.parent_id] = shared
            version = self._versions.get(version.parent_id)
        for id_ in members:
            passed: list[StoredVersion] = []
            at = id_
            while at not in counts and (version := self._versions.get(at)) is not None:
                passed.append(version)
                at = version.parent_id
            shared = counts.get(at, 0)
            # Downwards, so that each takes the least of all counts above it.
            for version in reversed(passed):
                shared = _least(shared, version.shared_count)
                counts[version.conversation_id or ""] = shared
        return {id_: counts[id_] or 0 for id_ in members if id_ != conversation_id}

    def _forget_groups(self) -> None:
        self._roots.clear()
        self._members.clear()


def _least(one: int | None, other: int | None) -> int | None:
    known = [count for count in (one, other) if count is not None]
    return min(known) if known else None


def _ids(detail: ConversationDetail) -> list[str]:
    return [message.id for message in detail.messages]
