"""The texts for people: their size, their links, and the commands and files that they show."""

import json
import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import building
import dev
import pytest
import sign_release
import typer.main
from typer.testing import CliRunner

from app.chat.items import ToolCall
from app.import_export.formats.parley import is_own, is_too_new, read_own
from app.main import _parse as parse_parley
from app.mcp_servers.config_file import ServersFile
from local_server.assistant.agents import read_agent
from local_server.assistant.demo.requests import read_tool_requests
from local_server.assistant.models.providers import PROVIDERS, ModelId, ProviderAccess
from local_server.assistant.skills import read_skill
from local_server.cli import app as server
from local_tools.cli import application as tools

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "resources" / "manual"
PAGES = sorted(MANUAL.glob("*/*.md"))
LANGUAGES = sorted(path.name for path in MANUAL.iterdir())
ENGLISH = sorted((MANUAL / "en").glob("*.md"))
TEXTS = (
    *PAGES,
    ROOT / "README.md",
    ROOT / "app" / "ARCHITECTURE.md",
    ROOT / "app" / "CONTRIBUTING.md",
    ROOT / "packaging" / "CHANGES.md",
)
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_COMMAND_OF_VARIABLE = re.compile(r"\w+=\$\((.*)\)")
_OTHER_PROGRAMS = {"apt-get", "curl", "export", "git", "pip"}


def _id(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def blocks(text: str, *kinds: str) -> list[str]:
    """Return the fenced blocks of these kinds, in order."""
    return [body for kind, body in _BLOCK.findall(text) if kind in kinds]


def commands(text: str) -> Iterator[list[str]]:
    """Yield the commands of a page, each as its arguments."""
    shown = blocks(text, "console", "sh")
    joined = "\n".join(shown).replace("\\\n", " ")
    is_console = re.compile(r"^\$ ", re.MULTILINE).search(joined) is not None
    for line in joined.splitlines():
        if is_console and not line.startswith("$ ") and not line.startswith("python3 "):
            continue
        plain = line.removeprefix("$ ")
        inner = _COMMAND_OF_VARIABLE.fullmatch(plain)
        if words := shlex.split(inner[1] if inner else plain, comments=True):
            yield words


def page(name: str, language: str = "en") -> str:
    return (MANUAL / language / f"{name}.md").read_text(encoding="utf-8")


def shown_in_the_window(language: str) -> set[str]:
    """Return every text of the window in this language."""
    root = ET.parse(ROOT / "resources" / "translations" / "parley_de.ts").getroot()  # noqa: S314 - ours
    name = "source" if language == "en" else "translation"
    texts = (found.text for message in root.iter("message") for found in message.findall(name))
    return {_plain(text) for text in texts if text}


def _plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("path", PAGES, ids=_id)
def test_a_page_has_one_title_and_at_most_1200_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert len(re.findall(r"^# ", _BLOCK.sub("", text), re.MULTILINE)) == 1
    assert len(text.split()) <= 1200


def test_the_readme_has_at_most_1500_words() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 1500


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_leads_to_each_page(language: str) -> None:
    index = (MANUAL / language / "index.md").read_text(encoding="utf-8")
    others = {path.name for path in (MANUAL / language).glob("*.md")} - {"index.md"}
    assert set(_LINK.findall(index)) == others
    assert others == {path.name for path in ENGLISH} - {"index.md"}


@pytest.mark.parametrize("path", PAGES, ids=_id)
def test_what_a_page_quotes_is_shown_in_the_window(path: Path) -> None:
    text = re.sub(r"`[^`]*`", "", _BLOCK.sub("", path.read_text(encoding="utf-8")))
    language = path.parent.name
    quoted = re.findall(r'"([^"]+)"' if language == "en" else r"„([^“]+)“", text)
    assert {_plain(words) for words in quoted} <= shown_in_the_window(language)


@pytest.mark.parametrize("path", [page for page in PAGES if page not in ENGLISH], ids=_id)
def test_a_translated_page_shows_the_same_examples(path: Path) -> None:
    kinds = ("console", "sh", "json", "toml", "python", "markdown")
    assert blocks(path.read_text(encoding="utf-8"), *kinds) == blocks(page(path.stem), *kinds)


@pytest.mark.parametrize("path", TEXTS, ids=_id)
def test_links_lead_to_files_that_are_there_or_to_https(path: Path) -> None:
    links = _LINK.findall(_BLOCK.sub("", path.read_text(encoding="utf-8")))
    missing = [
        link
        for link in links
        if not link.startswith("https://") and not (path.parent / link.partition("#")[0]).is_file()
    ]
    assert missing == []


@pytest.mark.parametrize("path", PAGES, ids=_id)
def test_pages_lead_to_pages_only_since_the_program_ships_nothing_else(path: Path) -> None:
    links = _LINK.findall(_BLOCK.sub("", path.read_text(encoding="utf-8")))
    inner = [link for link in links if not link.startswith("https://")]
    assert all(re.fullmatch(r"[\w-]+\.md", link) for link in inner), inner


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md"], ids=_id)
def test_commands_have_options_that_exist(path: Path) -> None:
    for program, *arguments in commands(path.read_text(encoding="utf-8")):
        match program, arguments:
            case "parley-server", _:
                _parse_typer(server, arguments)
            case "parley-tools", _:
                _parse_typer(tools, arguments)
            case "parley", _:
                parse_parley(arguments)
            case "python3", ["packaging/dev.py", *rest]:
                _parse_dev(rest)
            case _:
                assert program in _OTHER_PROGRAMS


def _parse_typer(application: typer.Typer, arguments: list[str]) -> None:
    command, rest = typer.main.get_command(application), list(arguments)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    command.make_context("shown", rest)


def _parse_dev(arguments: list[str]) -> None:
    verb, rest = dev._split(arguments)
    match verb:
        case "build":
            building._parse(rest)
        case "release":
            sign_release._parse(rest)
        case "bench":
            assert rest[0] in dev.BENCHMARKS


def test_the_commands_of_the_service_do_what_their_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_SERVER_DATA", str(tmp_path))
    steps = [step for body in blocks(page("the-service"), "console") for step in body.split("$ ")]
    ran = 0
    for step in steps:
        line, _, expected = step.partition("\n")
        found = re.search(r"parley-server (?!serve)([^)]*)", line)
        if found is None:
            continue
        done = CliRunner().invoke(server, shlex.split(found[1]))
        assert done.exit_code == 0, done.output
        shown, said = expected.splitlines(), done.stdout.splitlines()
        assert not shown or len(shown) == len(said)
        for left, right in zip(shown, said, strict=False):
            # Long lines are cut in the page.
            is_cut = left.endswith("…")
            assert right.startswith(left.removesuffix("…")) if is_cut else right == left
        ran += 1
    assert ran >= 9


def test_every_id_of_a_model_is_one_that_the_service_reads() -> None:
    ids = re.findall(r"^\| `([^`]+)` \|", page("models").split("## When")[0], re.MULTILINE)
    assert ids.pop(0) == "offline"
    models = [ModelId.read(text) for text in ids]
    assert {model.provider for model in models} == set(PROVIDERS)
    variables = set(re.findall(r"`([A-Z_]+_(?:KEY|HOST|URL|ENDPOINT))`", page("models")))
    for name in variables:
        access = ProviderAccess.of_environment({name: "https://models.example"})
        assert len(access.keys) + len(access.addresses) == 1, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_manual_suggests_to_send_calls_a_tool_of_the_demo(language: str) -> None:
    table = page("models", language).rpartition("\n## ")[2]
    shown = [text for text in re.findall(r"`([^`]+)`", table) if not text.startswith("/agent")]
    shown += re.findall(r"(?:Send|Senden Sie) `([^`]+)`", page("index", language))
    called = [read_tool_requests(text, ("offer.pdf", "budget.xlsx")) for text in shown]
    assert len(called) == 11
    assert all(called)
    assert [calls[0].name for calls in called].count("read_attachment") == 3


def test_the_examples_of_an_agent_and_of_a_skill_are_read(tmp_path: Path) -> None:
    agent_text, skill_text = blocks(page("the-service"), "markdown")
    file, folder = tmp_path / "reviewer.md", tmp_path / "packing-list"
    folder.mkdir()
    file.write_text(agent_text, encoding="utf-8")
    (folder / "SKILL.md").write_text(skill_text, encoding="utf-8")

    agent = read_agent(file)
    skill = read_skill(folder / "SKILL.md")

    assert (agent.name, agent.tools) == ("reviewer", ("read_file", "list_folder"))
    assert (skill.name, skill.version) == ("packing-list", "1.0")


def test_the_example_of_tool_servers_is_read_whole(tmp_path: Path) -> None:
    (text,) = blocks(page("tool-servers"), "json")
    path = tmp_path / "tool-servers.json"
    path.write_text(text, encoding="utf-8")

    notes, calendar = ServersFile(path).read()

    assert notes.tools_off == {"delete_note"}
    assert notes.config.bounds.folder == "/home/you/Notes"
    assert calendar.config.name == "calendar"
    assert not notes.is_on
    assert not calendar.is_on


def test_the_example_of_an_export_is_imported_whole() -> None:
    (text,) = blocks(page("chats"), "json")
    told = json.loads(text)
    assert is_own(told)
    assert not is_too_new(told)

    chat = read_own(told["chats"][0])

    assert (chat.title, len(chat.messages)) == ("Shopping", 2)
    (call,) = chat.messages[1].parts
    assert isinstance(call, ToolCall)
    assert call.target == "~/Notes/shopping.md"


def test_the_example_of_an_announcement_can_be_signed(tmp_path: Path) -> None:
    (text,) = blocks(page("updates"), "json")
    announcement, key = tmp_path / "announcement.json", tmp_path / "key.pem"
    announcement.write_text(text, encoding="utf-8")
    sign_release.take_key(key, "https://example.org/parley.json")

    assert sign_release.sign(key, announcement, datetime(2026, 2, 1, tzinfo=UTC))
