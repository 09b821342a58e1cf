"""List the agents and skills of the bundled service, and switch them, through its own program."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.config.settings import LOCAL_PROJECT
from app.paths import resources
from app.service.server_command import catalog_command, run_cli
from local_tools.threads import run_in_thread

log = logging.getLogger(__name__)

Kind = Literal["agents", "skills"]
Source = Literal["built-in", "shared", "project"]

_SAID_LIMIT: Final = 400
# As long as the front matter of a file may be.
_MATTER_LIMIT: Final = 16_384
_LOOK_FIELD: Final = re.compile(
    r"^\s*(?P<word>name|icon|colour): *[\"']?(?P<value>[\w-]+)[\"']?\s*$", re.MULTILINE
)
_TITLE_FIELD: Final = re.compile(
    r"^\s*display-name: *(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)\s*$", re.MULTILINE
)
# In quotes, too, and in one line with others.
_MODEL_FIELD: Final = re.compile(r"model[\"']?\s*:")


@dataclass(frozen=True, slots=True)
class AgentAppearance:
    """An agent's icon and colour, by name, as its file declares them; empty if it does not.

    `model` is the id of the model that it names.
    """

    icon: str = ""
    colour: str = ""
    model: str = ""


NO_LOOK: Final = AgentAppearance()


@dataclass(frozen=True, slots=True)
class _LookFile:
    """What an agent's file says of its look; `names_model` where it may name a model."""

    look: AgentAppearance
    title: str
    names_model: bool


class CatalogEntry(BaseModel):
    """An agent or skill in the service's listing, used or not.

    `is_default` and `model` are an agent's, `version` and `author` a skill's.
    """

    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True)

    name: str
    display_name: str
    description: str = ""
    is_enabled: bool = True
    source: Source = "built-in"
    path: str = ""
    is_default: bool = False
    model: str | None = None
    icon: str = ""
    colour: str = ""
    version: str = ""
    author: str | None = None


class AgentDraft(BaseModel):
    """An agent as its file describes it; without a `name` it is a new one.

    `tools` and `skills` are None where it may use all of them; what is None besides is left to
    the model.
    """

    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True)

    name: str = ""
    display_name: str = ""
    description: str = ""
    instruction: str = ""
    model: str | None = None
    temperature: float | None = None
    thinking: Literal["off", "short", "long"] | None = None
    tools: tuple[str, ...] | None = None
    skills: tuple[str, ...] | None = None
    icon: str = ""
    colour: str = ""


class AgentFile(BaseModel):
    """An agent with the state of its file.

    Attributes:
        revision: Names that state; empty where there is no file of the person's own.
        text: The whole file; None where there is none.
    """

    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True)

    draft: AgentDraft
    path: str = ""
    revision: str = ""
    text: str | None = None


AgentFileFault = Literal["changed", "name_taken", "unnamed", "too_large", "not_written"]


class AgentNotWritten(Exception):
    """The service's program did not write the file; `reason` is the system's, if it has any."""

    def __init__(self, fault: AgentFileFault, reason: str = "") -> None:
        super().__init__(fault)
        self.fault: Final = fault
        self.reason: Final = reason


class _Answer(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    fault: AgentFileFault | None = None
    message: str = ""
    revision: str = ""


class CatalogFault(StrEnum):
    """What the service's program can find wrong with a file."""

    CANNOT_BE_READ = "cannot_be_read"
    NOT_REGULAR = "not_regular"
    NOT_TEXT = "not_text"
    TOO_LARGE = "too_large"
    NO_FRONT_MATTER = "no_front_matter"
    LONG_FRONT_MATTER = "long_front_matter"
    NO_ENTRIES = "no_entries"
    NOT_YAML = "not_yaml"
    BAD_CHARACTER = "bad_character"
    BAD_VALUE = "bad_value"
    DEEP_YAML = "deep_yaml"
    FIELD_MISSING = "field_missing"
    FIELD_NOT_TEXT = "field_not_text"
    FIELD_NOT_LIST = "field_not_list"
    BAD_NAME = "bad_name"
    LONG_DESCRIPTION = "long_description"
    SAME_NAME = "same_name"
    NOT_TOML = "not_toml"
    DEEP_TOML = "deep_toml"
    LARGE_NUMBER = "large_number"
    CHOICE_NOT_NAME = "choice_not_name"
    CHOICE_NOT_FLAG = "choice_not_flag"
    NO_SUCH_DEFAULT = "no_such_default"
    ALL_OFF = "all_off"


class CatalogProblem(BaseModel):
    """What is wrong with a file.

    Attributes:
        detail: A field, another file, or what the system or a parser says of it.
        message: The service's own sentence, for a fault that is not known here.
    """

    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True)

    path: str
    line: int
    fault: Annotated[CatalogFault | str, Field(union_mode="left_to_right")]
    detail: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class ServiceInventory:
    """All agents and skills that the service could use, by name, and what is wrong with files."""

    agents: tuple[CatalogEntry, ...]
    skills: tuple[CatalogEntry, ...]
    problems: tuple[CatalogProblem, ...]


class _Told(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore")

    agents: tuple[CatalogEntry, ...] = ()
    skills: tuple[CatalogEntry, ...] = ()
    problems: tuple[CatalogProblem, ...] = ()


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

    def beside(self, data: Path) -> "ServiceCatalog":
        """Return one that asks the same program about another folder."""
        return ServiceCatalog(data, self._environ, self._command)

    def folder(self, kind: Kind) -> Path:
        """Return where a person's own agents or skills lie; it need not be there."""
        return self.data / kind

    async def looks(self) -> Mapping[str, AgentAppearance]:
        """Return the icons, colours and models of the agents of this computer.

        Which model a file names only the service's program can tell, and it is asked only where a
        file speaks of one. What cannot be read has no look; the service says what is wrong with it.
        """
        files = await run_in_thread(self._read_files)
        found = {name: file.look for name, file in files.items()}
        if not any(file.names_model for file in files.values()):
            return found
        try:
            agents = (await self._list("agents")).agents
        except UserFacingError as error:
            log.warning("Cannot read the models of agents: %s", error.reason)
            return found
        return {
            agent.name: AgentAppearance(agent.icon, agent.colour, agent.model or "")
            for agent in agents
        }

    async def looks_by_title(self) -> Mapping[str, AgentAppearance]:
        """Return icons and colours by display name, without models; the program is not asked.

        An agent whose file has no display name is left out.
        """
        files = await run_in_thread(self._read_files)
        return {file.title: file.look for file in files.values() if file.title}

    def _read_files(self) -> Mapping[str, _LookFile]:
        """Read what the file of each agent says of its look, by the agent's name."""
        found: dict[str, _LookFile] = {}
        own = self.data / "projects" / LOCAL_PROJECT / "agents"
        # The person's own come last, and so replace those of the same name that ship.
        for folder in (resources() / "agents", self.folder("agents"), own):
            for file in sorted(folder.glob("*.md")):
                with suppress(OSError), file.open(encoding="utf-8", errors="replace") as opened:
                    matter = opened.read(_MATTER_LIMIT).split("\n---", 1)[0]
                    fields = {f["word"]: f["value"] for f in _LOOK_FIELD.finditer(matter)}
                    title = _TITLE_FIELD.search(matter)
                    found[fields.get("name", file.stem)] = _LookFile(
                        AgentAppearance(fields.get("icon", ""), fields.get("colour", "")),
                        title["title"] if title else "",
                        names_model=_MODEL_FIELD.search(matter) is not None,
                    )
        return found

    async def read(self) -> ServiceInventory:
        """List everything.

        Raises:
            UserFacingError: the program does not say within 30 s, or says why it cannot.
        """
        agents, skills = await asyncio.gather(*(self._list(kind) for kind in ("agents", "skills")))
        # Both lists come with the problems of all files.
        problems = dict.fromkeys((*agents.problems, *skills.problems))
        return ServiceInventory(agents.agents, skills.skills, tuple(problems))

    async def switch(self, kind: Kind, name: str, *, is_on: bool) -> None:
        """Turn an agent or a skill of the service on or off.

        Raises:
            UserFacingError: the choice could not be kept; the service's program says why.
        """
        # After `--`, a name that begins with a dash is no option.
        await self._ask(kind, "enable" if is_on else "disable", "--", name)

    async def choose_default(self, agent: str) -> None:
        """Set the default agent; an empty name leaves it to the service.

        Raises:
            UserFacingError: the choice could not be kept; the service's program says why.
        """
        await self._ask("agents", "default", *(("--", agent) if agent else ("--none",)))

    async def read_agent(self, name: str) -> AgentFile:
        """Read one agent with all that its file says.

        Raises:
            UserFacingError: there is none of this name, or its file cannot be read.
        """
        return AgentFile.model_validate_json(await self._ask("agents", "show", "--", name))

    async def save_agent(self, draft: AgentDraft, revision: str) -> AgentFile:
        """Write an agent's file, made from the state `revision` of it; return it as it is then.

        Raises:
            AgentNotWritten: it is as it was, for a reason that the person can do something about.
            UserFacingError: the service's program failed.
        """
        given = {"draft": draft.model_dump(), "revision": revision}
        return AgentFile.model_validate_json(await self._change("save", given))

    async def restore_agent(self, path: str, text: str | None, revision: str) -> str:
        """Put an earlier text of a file back, None for no file; return the revision of that.

        Raises:
            AgentNotWritten: it is as it was, for a reason that the person can do something about.
            UserFacingError: the service's program failed.
        """
        given = {"path": path, "text": text, "revision": revision}
        return _Answer.model_validate_json(await self._change("restore", given)).revision

    async def _change(self, verb: str, given: Mapping[str, object]) -> bytes:
        answer = await self._ask("agents", verb, given=json.dumps(given).encode())
        told = _Answer.model_validate_json(answer)
        if told.fault:
            raise AgentNotWritten(told.fault, told.message)
        return answer

    async def _list(self, kind: str) -> _Told:
        return _Told.model_validate_json(await self._ask(kind, "list", "--json"))

    async def _ask(self, kind: str, verb: str, *more: str, given: bytes | None = None) -> bytes:
        options = ("--project", LOCAL_PROJECT, "--data-dir", str(self.data))
        command = self._command((kind, verb, *options, *more))
        try:
            answer = await run_cli(command, self._environ, given)
        except OSError as error:
            raise _failed(str(error.strerror)) from error
        except TimeoutError as error:
            raise UserFacingError(ErrorCode.REQUEST_TIMEOUT) from error
        if answer.code:
            raise _failed(answer.errors.decode(errors="replace"))
        return answer.output


def _failed(said: str) -> UserFacingError:
    # The end: the last line of an error says what went wrong.
    words = " ".join(said.split())[-_SAID_LIMIT:]
    return UserFacingError(ErrorCode.CATALOG_FAILED, {"message": words})
