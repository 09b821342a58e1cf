"""The agents and skills of the bundled service: asked of its own program, and switched there."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.config.settings import LOCAL_PROJECT
from app.service.server_command import catalog_command, run_cli

Kind = Literal["agents", "skills"]
Source = Literal["built-in", "shared", "project"]

# As the service names a place in a file: what is wrong there follows.
_PROBLEM: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+): (?P<reason>.+)", re.DOTALL)
_SAID_LIMIT: Final = 400


class ListedThing(BaseModel):
    """An agent or a skill that the service could use, as it lists it.

    `is_default` and `model` are an agent's, `version` and `author` a skill's.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str
    display_name: str
    description: str = ""
    is_enabled: bool = True
    source: Source = "built-in"
    path: str = ""
    is_default: bool = False
    model: str | None = None
    version: str = ""
    author: str | None = None


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What is wrong with a file, in the service's words; no path where it names none."""

    path: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ServiceInventory:
    """All agents and skills that the service could use, by name, and what is wrong with files."""

    agents: tuple[ListedThing, ...]
    skills: tuple[ListedThing, ...]
    problems: tuple[FileProblem, ...]


class _Told(BaseModel):
    model_config = ConfigDict(extra="ignore")

    agents: tuple[ListedThing, ...] = ()
    skills: tuple[ListedThing, ...] = ()
    problems: tuple[str, ...] = ()


class ServiceCatalog:
    """Asks the service's program, whether the service runs or not; a running one sees each change.

    One for the run.

    Args:
        data: the service's own folder.
        environ: our surroundings; of them, the program sees what the service sees.
        command: makes the command line of a question; ours unless a test's.
    """

    def __init__(
        self,
        data: Path,
        environ: Mapping[str, str],
        command: Callable[[Sequence[str]], Sequence[str]] = catalog_command,
    ) -> None:
        self.data: Final = data
        self._environ = environ
        self._command = command

    def folder(self, kind: Kind) -> Path:
        """Return where a person's own agents or skills lie; it need not be there."""
        return self.data / kind

    async def read(self) -> ServiceInventory:
        """List everything.

        Raises:
            UserFacingError: the program does not say within 15 s, or says why it cannot.
        """
        agents, skills = await asyncio.gather(*(self._list(kind) for kind in ("agents", "skills")))
        # What is wrong with any file is told with both.
        problems = dict.fromkeys((*agents.problems, *skills.problems))
        return ServiceInventory(agents.agents, skills.skills, tuple(map(_problem, problems)))

    async def switch(self, kind: Kind, name: str, *, is_on: bool) -> None:
        """Let the service use an agent or a skill, or keep it from that.

        Raises:
            UserFacingError: the choice could not be kept; the service's program says why.
        """
        await self._ask(kind, "enable" if is_on else "disable", "--", name)

    async def choose_default(self, agent: str) -> None:
        """Let an agent answer whoever chose none; an empty name leaves it to the service.

        Raises:
            UserFacingError: the choice could not be kept; the service's program says why.
        """
        await self._ask("agents", "default", *(("--", agent) if agent else ("--none",)))

    async def _list(self, kind: str) -> _Told:
        return _Told.model_validate_json(await self._ask(kind, "list", "--json"))

    async def _ask(self, kind: str, verb: str, *more: str) -> bytes:
        options = ("--project", LOCAL_PROJECT, "--data-dir", str(self.data))
        try:
            answer = await run_cli(self._command((kind, verb, *options, *more)), self._environ)
        except OSError as error:
            raise _failed(str(error.strerror)) from error
        except TimeoutError as error:
            raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error
        if answer.code:
            raise _failed(answer.errors.decode(errors="replace"))
        return answer.output


def _failed(said: str) -> UserFacingError:
    words = " ".join(said.split())[-_SAID_LIMIT:]
    return UserFacingError(ErrorCode.CATALOG_FAILED, {"message": words})


def _problem(sentence: str) -> FileProblem:
    found = _PROBLEM.fullmatch(sentence)
    if found is None:
        return FileProblem("", 0, sentence)
    return FileProblem(found["path"], int(found["line"]), found["reason"])
