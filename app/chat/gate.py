"""The gate between a finished call and the assistant: a person decides about secrets."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.approvals.gate import HeldResult, Way, hold, kept_back_text
from app.approvals.queue import Denied, Released, Withdrawn
from app.chat.call_facts import CallFacts
from app.chat.deciding import ClosingError
from app.chat.equipment import Equipment
from app.store.rows import TurnState


@dataclass(frozen=True, slots=True)
class Passed:
    """What is told, how a person decided that, and how many secrets are masked in it.

    `way` is None where nobody was asked.
    """

    text: str
    way: Way | None = None
    masked: int = 0


class Gate:
    """Looks through each result of one turn before it leaves. Made for a turn, ends with it."""

    def __init__(
        self,
        equipment: Equipment,
        conversation_id: str,
        show_held: Callable[[str], None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._registry = equipment.registry
        self._approvals = equipment.approvals
        self._conversation_id = conversation_id
        self._show_held = show_held
        self._on_state = on_state

    async def release(self, tool: str, call_id: str, text: str, facts: CallFacts) -> Passed:
        """Find out what is told of a result; `show_held` is told when that takes a person.

        Raises:
            ClosingError: Nobody decides any more; the result stays where it is.
        """
        found = self._registry.get(tool)
        held = await asyncio.to_thread(
            hold,
            None if found is None else found.definition,
            text,
            facts.input_text,
            place=(self._conversation_id, call_id),
            shown=(facts.title or tool, facts.target),
        )
        if held is None:
            return Passed(text)
        self._show_held(call_id)
        await self._on_state(TurnState.ASKING)
        return await self._ask(held)

    async def _ask(self, held: HeldResult) -> Passed:
        while True:
            match await self._approvals.release(held):
                case Released(chosen):
                    masked = held.masked_count(chosen)
                    return Passed(held.told(chosen), held.way(chosen), masked)
                case Denied(reason):
                    return Passed(kept_back_text(reason), "kept_back")
                case Withdrawn():
                    raise ClosingError
                case _:
                    continue
