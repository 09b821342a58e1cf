"""The tool call that runs: it can be stopped by itself, and what it wrote until then is told."""

import asyncio
import time

from app.chat.call_words import stopped_text
from local_tools.call_runner import CallRunner
from local_tools.context import Progress, ProgressSink
from local_tools.ledger import CallKey
from local_tools.outcome import ToolOutcome
from local_tools.prepare import PreparedCall
from local_tools.tool import Output


class RunningCall:
    """One run of an allowed call. Made when it starts; ends with its outcome."""

    def __init__(self, runner: CallRunner, key: CallKey, prepared: PreparedCall) -> None:
        self.key = key
        self._runner = runner
        self._prepared = prepared
        self._timeout = asyncio.timeout(None)
        self._started_at = time.monotonic()
        self._latest = ""
        self._set_aside = ""
        self._is_over = False

    async def outcome(self, on_progress: ProgressSink) -> ToolOutcome:
        """Run it to its end, or until `stop`."""

        def follow(progress: Progress) -> None:
            self._latest = progress.text or self._latest
            on_progress(progress)

        def note(set_aside: str) -> None:
            self._set_aside = set_aside

        try:
            async with self._timeout:
                return await self._runner.run(
                    self.key, self._prepared, on_progress=follow, on_set_aside=note
                )
        except TimeoutError:
            return await self.stopped()
        finally:
            self._is_over = True

    def stop(self) -> None:
        """End it, with all its processes; one that is over stays as it is."""
        if not self._is_over:
            self._timeout.reschedule(asyncio.get_running_loop().time())

    async def stopped(self) -> ToolOutcome:
        """The outcome when a person has ended it: how long it ran, and what it left."""
        seconds = time.monotonic() - self._started_at
        written = await self._written()
        text = stopped_text(seconds, self._set_aside, None if written is None else written.text)
        cut_bytes = 0 if written is None else written.cut_bytes
        return ToolOutcome("failed", text, round(seconds * 1000), cut_bytes)

    async def _written(self) -> Output | None:
        """What its program wrote; of other tools only the result is theirs to tell."""
        if not self._prepared.order.commands:
            return None
        kept = await self._runner.written(self.key)
        # Where nothing is kept in a file, the last lines that were shown are all there is.
        return Output(self._latest) if kept is None else kept
