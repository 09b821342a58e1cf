"""The events that frame what an assistant says."""

from dataclasses import dataclass

from local_server.assistant.agents import Agent
from local_server.schemas import AgentEnd, AgentStart, MessageStart, ToolUse
from local_server.store.records import ToolCall


@dataclass(frozen=True)
class Opening:
    """How a stream begins.

    Attributes:
        announced: The agent known before the reply begins; None when the supervisor chooses.
    """

    conversation_id: str
    message_id: str
    announced: Agent | None

    def event(self) -> MessageStart:
        """Make the first event."""
        agent = self.announced
        return MessageStart(
            message_id=self.message_id,
            conversation_id=self.conversation_id,
            agent_name=agent.name if agent else None,
            agent_display_name=agent.display_name if agent else None,
        )


def agent_start(agent: Agent) -> AgentStart:
    """Make the event with which an agent begins."""
    return AgentStart(agent_name=agent.name, agent_display_name=agent.display_name)


def agent_end(agent: Agent) -> AgentEnd:
    """Make the event with which an agent ends."""
    return AgentEnd(agent_name=agent.name)


def tool_use(call: ToolCall) -> ToolUse:
    """Make the event that asks for a tool."""
    return ToolUse(id=call.id, name=call.name, input=call.input)
