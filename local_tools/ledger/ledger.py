"""The append-only, hash-chained record of every step of every tool call.

A step is on disk before it is taken, so that after a crash nothing runs twice and nothing that ran
is forgotten. Texts can be erased with their conversation; the entries stay.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from local_tools.canonical import clean_text
from local_tools.ledger.chain import Verification
from local_tools.ledger.ledger_file import LedgerFile
from local_tools.ledger.ledger_recovery import open_or_begin_anew
from local_tools.ledger.steps import (
    CallFilter,
    CallKey,
    CallRecord,
    CallRecordPage,
    LedgerError,
    LedgerOrderError,
    Step,
    StepDetails,
    StoredEntry,
    details_text,
)
from local_tools.recovery.files import PutAside

PAGE_CALLS: Final = 100

P = ParamSpec("P")
R = TypeVar("R")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """One ledger file and the one thread that uses it.

    Made by the program at start, opened with `open`, ended by `close`. Every method raises
    `LedgerError` with a sentence when the file cannot be read or written.

    Attributes:
        running: the calls started since this object was made that have not ended.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = _utc_now) -> None:
        self._path = path
        self._clock = clock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._file: LedgerFile | None = None
        self._observers: list[Callable[[CallKey], None]] = []
        self.running: Final[set[CallKey]] = set()

    async def open(self) -> PutAside | None:
        """Open the file; create it if it is missing, replace it if it is damaged.

        Returns:
            The damaged file that was put aside, to tell the user; None if nothing was damaged.
        """
        self._file, aside = await self._call(open_or_begin_anew, self._path, self._clock())
        return aside

    async def close(self) -> None:
        """Write pending steps, close the file and end the thread."""
        if self._file is not None:
            await self._call(self._file.close)
            self._file = None
        self._thread.shutdown()

    async def ask(
        self, key: CallKey, *, tool: str, digest: str, input_text: str
    ) -> CallRecord | None:
        """Record a new call.

        Returns:
            Its record; None if a call with this id was recorded before: ignore the new one then.
        """
        file, at, input_text = self._opened(), self._now(), clean_text(input_text)
        is_new = await self._call(
            file.append,
            key,
            Step.ASKED,
            at,
            details=details_text(StepDetails()),
            text=input_text,
            what=(tool, digest),
        )
        if not is_new:
            return None
        self._notify(key)
        return CallRecord(key, tool, digest, Step.ASKED, at, at, StepDetails(), "", input_text)

    async def record(
        self, key: CallKey, step: Step, details: StepDetails | None = None, text: str = ""
    ) -> str:
        """Record a step before it is taken.

        Args:
            key: The call.
            step: Any but `asked`, which is `ask`.
            details: What the step adds.
            text: For `decided` the user's reason, for `finished` the outcome's text, for `released`
                the text that may be sent (empty: the finished one).

        Returns:
            When it was recorded, for `CallRecord.after`.

        Raises:
            LedgerOrderError: When the step does not follow the call's latest one.
        """
        file, at = self._opened(), self._now()
        if step is Step.ASKED:
            raise LedgerOrderError("A call is asked by `ask`.")
        # The call has ended, even if its end cannot be recorded.
        self.running.discard(key)
        await self._call(
            file.append,
            key,
            step,
            at,
            details=details_text(details or StepDetails()),
            text=clean_text(text),
            what=("", ""),
        )
        if step is Step.STARTED:
            self.running.add(key)
        self._notify(key)
        return at

    def subscribe(self, on_step: Callable[[CallKey], None]) -> Callable[[], None]:
        """Call `on_step` on the event loop after each step; call the result to unsubscribe."""
        self._observers.append(on_step)
        return lambda: self._observers.remove(on_step)

    async def calls(self, profile: str, conversation_id: str) -> tuple[CallRecord, ...]:
        """Return the calls of a conversation, oldest first."""
        return await self._call(self._opened().of_conversation, profile, conversation_id)

    async def pending(self, profile: str) -> tuple[CallRecord, ...]:
        """Return calls whose results may not have arrived, oldest first; without erased ones."""
        found = await self._call(self._opened().pending, profile)
        return tuple(call for call in found if call.input_text is not None)

    async def recent(self, profile: str, limit: int) -> tuple[CallRecord, ...]:
        """Return the newest calls of all conversations, without their results, oldest first."""
        return await self._call(self._opened().recent, profile, limit)

    async def page(
        self, calls: CallFilter, before: int | None = None, limit: int = PAGE_CALLS
    ) -> CallRecordPage:
        """Return a page of calls, newest first; `before` is from the previous page."""
        return await self._call(self._opened().page, calls, before, limit)

    async def entries(
        self,
        calls: CallFilter,
        after: int = 0,
        limit: int = PAGE_CALLS,
        *,
        leaves: bool = False,
    ) -> tuple[StoredEntry, ...]:
        """Return up to `limit` steps of these calls after an entry, in order, with their texts.

        With `leaves`, for an export: each has its link, and whether its text was not sent.
        """
        read = self._opened().leaving if leaves else self._opened().some
        return await self._call(read, calls, after, limit)

    async def erase(self, profile: str, conversation_id: str) -> int:
        """Erase a conversation's inputs, reasons and results; return the number of erased texts."""
        return await self._call(self._opened().erase, profile, conversation_id)

    async def verify(self) -> Verification:
        """Verify the whole chain."""
        return await self._call(self._opened().verify)

    def _opened(self) -> LedgerFile:
        if self._file is None:
            raise LedgerError("The record of tool calls is not open.")
        return self._file

    def _notify(self, key: CallKey) -> None:
        for on_step in tuple(self._observers):
            on_step(key)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")

    async def _call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        def work() -> R:
            return function(*args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
