"""Which agents and skills a project has."""

from dataclasses import dataclass
from pathlib import Path

from local_server.assistant.agents import Agent, read_agents
from local_server.assistant.skills import Skill, read_skills


@dataclass(frozen=True)
class Catalog:
    """Agents and skills, by name. Every project has those that ship."""

    agents: tuple[Agent, ...]
    skills: tuple[Skill, ...]

    @classmethod
    def read(cls, resources: Path) -> "Catalog":
        """Read what ships.

        Raises:
            FrontMatterError: When a file is not written as it should be.
        """
        return cls(read_agents(resources / "agents"), read_skills(resources / "skills"))

    def enabled_agents(self) -> tuple[Agent, ...]:
        """List the agents that may answer."""
        return tuple(agent for agent in self.agents if agent.is_enabled)

    def agent(self, name: str) -> Agent | None:
        """Find an agent that may answer, by name."""
        return next((agent for agent in self.enabled_agents() if agent.name == name), None)

    def default_agent(self) -> Agent | None:
        """Find the agent that answers when none is named; None leaves it to the supervisor."""
        return next((agent for agent in self.enabled_agents() if agent.is_default), None)


class Catalogs:
    """The catalogs of all projects. One for the life of the service."""

    def __init__(self, ships: Catalog) -> None:
        self._ships = ships

    @classmethod
    def open(cls, resources: Path) -> "Catalogs":
        """Read what ships.

        Raises:
            FrontMatterError: When a file is not written as it should be.
        """
        return cls(Catalog.read(resources))

    async def of(self, project: str) -> Catalog:
        """Find the catalog of a project, as its files are now."""
        del project
        return self._ships
