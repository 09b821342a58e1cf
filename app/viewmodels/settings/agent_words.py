"""Agents and skills in words: where they come from, and what is wrong with their files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.api.models import Agent, Skill
from app.phrases import QT_TRANSLATE_NOOP
from app.service.catalog import FileProblem, ListedThing
from app.viewmodels.marked_words import gaps_in, marked_words
from app.viewmodels.settings.agent_states import Choice, ThingRow

# What the service says of a file, and how people are told. The value is as it came.
_REASONS: Final = {
    "there is no front matter between two lines of “---”.": QT_TRANSLATE_NOOP(
        "CatalogFile",
        "it has to begin with a line “---”, lines such as “name: …” and “description: …”, and "
        "another line “---”.",
    ),
    "the front matter must be lines of “name: value”.": QT_TRANSLATE_NOOP(
        "CatalogFile", "between the two lines “---” stand lines such as “name: value” alone."
    ),
    "the front matter is too long.": QT_TRANSLATE_NOOP(
        "CatalogFile", "what stands between the two lines “---” is too long."
    ),
    "the field “{value}” is missing.": QT_TRANSLATE_NOOP(
        "CatalogFile", "the line “{value}: …” is missing."
    ),
    "the field “{value}” must be text.": QT_TRANSLATE_NOOP(
        "CatalogFile", "after “{value}:” there has to be plain text."
    ),
    "the field “{value}” must be a list of names.": QT_TRANSLATE_NOOP(
        "CatalogFile", "after “{value}:” there has to be a list of names."
    ),
    "the name must have at most {value} characters, all visible.": QT_TRANSLATE_NOOP(
        "CatalogFile", "the name may have {value} characters at most, all of them visible."
    ),
    "this is not YAML: {value}.": QT_TRANSLATE_NOOP(
        "CatalogFile", "this line cannot be understood ({value})."
    ),
    "this YAML is nested too deeply.": QT_TRANSLATE_NOOP(
        "CatalogFile", "there are too many lists inside each other."
    ),
    "this is not TOML: {value}.": QT_TRANSLATE_NOOP(
        "CatalogFile", "this line cannot be understood ({value})."
    ),
    "this TOML is nested too deeply.": QT_TRANSLATE_NOOP(
        "CatalogFile", "there are too many lists inside each other."
    ),
    "the file is larger than {value} KiB.": QT_TRANSLATE_NOOP(
        "CatalogFile", "the file is larger than {value} kB."
    ),
    "no agent and no skill is used until this can be read.": QT_TRANSLATE_NOOP(
        "CatalogFile", "no agent and no skill is used until this file can be read."
    ),
    "this is not UTF-8 text.": QT_TRANSLATE_NOOP("CatalogFile", "this is not text in UTF-8."),
    "this is not a regular file.": QT_TRANSLATE_NOOP("CatalogFile", "this is not a plain file."),
    "it cannot be read: {value}.": QT_TRANSLATE_NOOP("CatalogFile", "it cannot be read ({value})."),
    "the description has more than about 100 tokens; only its beginning is used.": (
        QT_TRANSLATE_NOOP(
            "CatalogFile", "the description is too long, so only its beginning is used."
        )
    ),
    "{value} has the same name and is used instead.": QT_TRANSLATE_NOOP(
        "CatalogFile", "{value} has the same name and is used instead."
    ),
    "the default agent “{value}” is not one of the project’s enabled agents, so there is none.": (
        QT_TRANSLATE_NOOP(
            "CatalogFile", "“{value}” is to answer for Auto, but is not there or is off."
        )
    ),
}


def fault_words(problem: FileProblem, data: Path) -> str:
    """Says what is wrong with a file, which is named from the service's folder on."""
    reason = _reason_words(problem.reason)
    if not problem.path:
        return reason
    words = QCoreApplication.translate("CatalogFile", "{file}, line {line}: {reason}")
    return words.format(file=short_path(problem.path, data), line=problem.line, reason=reason)


def short_path(path: str, data: Path) -> str:
    """Names a file from the service's folder on, or whole where it lies elsewhere."""
    place = Path(path)
    return str(place.relative_to(data)) if place.is_relative_to(data) else path


def listed_row(thing: ListedThing, data: Path) -> ThingRow:
    """Shows what the service on this computer lists."""
    more = (*_about(thing.version, thing.author), *_answering(thing.model, thing.is_default))
    return ThingRow(
        name=thing.name,
        title=thing.display_name or thing.name,
        description=thing.description,
        words=" · ".join((_source_words(thing), *more)),
        file="" if thing.source == "built-in" else short_path(thing.path, data),
        is_on=thing.is_enabled,
        can_switch=True,
    )


def hosted_agent_row(agent: Agent) -> ThingRow:
    """Shows an agent of a hosted project."""
    words = " · ".join(_answering(None, agent.is_default))
    title = agent.display_name or agent.name
    return ThingRow(agent.name, title, agent.description, words, is_on=agent.is_enabled)


def hosted_skill_row(skill: Skill) -> ThingRow:
    """Shows a skill of a hosted project."""
    words = " · ".join(_about(skill.version, skill.author))
    return ThingRow(skill.name, skill.display_name or skill.name, skill.description, words)


def agent_choices(first: str, agents: Iterable[ThingRow], chosen: str) -> tuple[Choice, ...]:
    """Offers those who are on below `first`, which stands for nobody, and whoever is chosen."""
    choices = {"": first, **{row.name: row.title for row in agents if row.is_on}}
    if chosen not in choices:
        words = QCoreApplication.translate("Agents", "{agent} (not there now)")
        choices[chosen] = words.format(agent=chosen)
    return tuple(choices.items())


def _source_words(thing: ListedThing) -> str:
    translate = QCoreApplication.translate
    if thing.source == "built-in":
        return translate("Agents", "comes with Parley")
    return translate("Agents", "yours")


def _answering(model: str | None, is_default: bool) -> Iterable[str]:
    translate = QCoreApplication.translate
    if model:
        yield translate("Agents", "always with {model}").format(model=model)
    if is_default:
        yield translate("Agents", "answers for Auto")


def _about(version: str, author: str | None) -> Iterable[str]:
    translate = QCoreApplication.translate
    if version:
        yield translate("Agents", "version {version}").format(version=version)
    if author:
        yield translate("Agents", "by {author}").format(author=author)


def _reason_words(reason: str) -> str:
    for said, told in _REASONS.items():
        if (gaps := gaps_in(said, reason)) is not None:
            return marked_words("CatalogFile", told).format_map(gaps)
    return reason
