"""What a stream tells when nothing has to be asked: it is stored already."""

from dataclasses import dataclass

from local_server.assistant.agents import Agent
from local_server.assistant.claims import Claim
from local_server.assistant.turn_events import Opening, agent_end, agent_start, tool_use
from local_server.outlet import Outlet
from local_server.store.records import ToolCall


@dataclass(frozen=True)
class Told:
    """Tells what is stored; no assistant is asked and nothing is written.

    It is the answer to a tool result that came before, or after which the next call of the same
    round is due. Made for one request; whoever streams it closes it, which frees the
    conversation.

    Attributes:
        agent: Whose call the result answered.
        next_agent: Who asked for the next call, if that is another one.
    """

    opening: Opening
    agent: Agent
    text: str
    next_call: ToolCall | None
    next_agent: Agent | None
    claim: Claim

    async def write(self, out: Outlet) -> None:
        """Write the events of the stream."""
        agent = self.agent
        await out.event(self.opening.event())
        await out.event(agent_start(agent))
        if self.text:
            await out.text(self.text)
        if self.next_agent is not None and self.next_agent.name != agent.name:
            await out.event(agent_end(agent))
            agent = self.next_agent
            await out.event(agent_start(agent))
        if self.next_call is not None:
            await out.event(tool_use(self.next_call))
        await out.event(agent_end(agent))

    async def aclose(self) -> None:
        """Free the conversation for the next turn."""
        await self.claim.release()
