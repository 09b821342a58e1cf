"""The tools that the service itself runs for a model: skills, their files, and handing over."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Literal

from local_server.assistant.agents import Agent
from local_server.assistant.skills import Skill
from local_server.store.records import Tool

OwnTool = Literal["use_skill", "read_skill_file", "hand_over"]

_PREFIX: Final = "parley_"


@dataclass(frozen=True)
class OwnTools:
    """What the service offers in one reply, beside the client's tools.

    Attributes:
        for_skills: To use skills, as the model sees them.
        for_colleagues: To hand over.
        kinds: Which of them a name means. A name that the client took is not ours.
    """

    for_skills: tuple[Tool, ...]
    for_colleagues: tuple[Tool, ...]
    kinds: dict[str, OwnTool]

    @classmethod
    def offer(
        cls, taken: Collection[str], skills: tuple[Skill, ...], colleagues: tuple[Agent, ...]
    ) -> "OwnTools":
        """Offer what there is use for, under names that the client did not take."""
        wanted: list[tuple[OwnTool, str, dict[str, Any]]] = []
        if skills:
            names = _one_of(skill.name for skill in skills)
            wanted.append(("use_skill", _USE_SKILL, {"name": names}))
            path = {"type": "string", "description": "As the skill's instructions write it."}
            wanted.append(("read_skill_file", _READ_FILE, {"skill": names, "path": path}))
        if colleagues:
            names = _one_of(agent.name for agent in colleagues)
            wanted.append(("hand_over", _HAND_OVER, {"name": names}))
        free = {kind: _free_name(kind, taken) for kind, _, _ in wanted}
        declared = {
            kind: Tool(free[kind], description, _schema(properties))
            for kind, description, properties in wanted
        }
        handing_over = declared.pop("hand_over", None)
        return cls(
            tuple(declared.values()),
            () if handing_over is None else (handing_over,),
            {name: kind for kind, name in free.items()},
        )

    def name_of(self, kind: OwnTool) -> str:
        """Find the name under which a tool is offered."""
        return next(name for name, found in self.kinds.items() if found == kind)


_USE_SKILL: Final = "Gives the instructions of a skill. Call it before you begin what it is for."
_READ_FILE: Final = "Reads a text file of a skill that is in use."
_HAND_OVER: Final = (
    "Lets a colleague go on with the reply in your place. Call it alone, as the last thing you do."
)


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = _PREFIX + name
    return name


def _one_of(names: Any) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def _schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
