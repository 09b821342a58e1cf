"""What a server offers is checked, pinned and named by us; its word only makes it worse."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from local_tools.canonical import freeze
from local_tools.execution.facts import TOO_LARGE
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.mcp.config import (
    LocalProgram,
    RemoteAddress,
    ServerBounds,
    ServerConfig,
    check_url,
    wire_name,
)
from local_tools.mcp.remote_tool import TITLE, RemoteTool, ToolOrigin, ToolRefused, make_tool
from local_tools.registry import ToolRegistry
from local_tools.tool import AnyTool, Effects, ToolError
from tests.support.clocks import within_own_time

LOCAL = ServerConfig("files", LocalProgram("/usr/bin/files"), ServerBounds())
ORIGIN = ToolOrigin(LOCAL, "files 1.0", ("/usr/bin/files",), "abc", is_confined=True)
HINTS = {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False}
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
OFFERED = RemoteTool("read", "Read a file.", SCHEMA, HINTS)


def made(origin: ToolOrigin = ORIGIN, **said: Any) -> AnyTool:
    return make_tool(replace(OFFERED, **said), origin)


@pytest.mark.security(13)
@pytest.mark.parametrize(
    "said",
    [
        {"name": "reae"},
        {"description": "Read a filf."},
        {"input_schema": {**SCHEMA, "required": []}},
        {"hints": {**HINTS, "readOnlyHint": False}},
        {"hints": {}},
    ],
)
def test_a_change_of_one_sign_is_another_tool(said: dict[str, Any]) -> None:
    assert made(**said).definition.digest != made().definition.digest


@pytest.mark.security(13)
@pytest.mark.parametrize(
    "origin",
    [
        replace(ORIGIN, version="files 1.1"),
        replace(ORIGIN, identity="abd"),
        replace(ORIGIN, argv=("/usr/bin/files", "--all")),
        replace(ORIGIN, config=replace(LOCAL, bounds=ServerBounds("/home"))),
    ],
)
def test_another_server_program_or_reach_is_another_tool(origin: ToolOrigin) -> None:
    assert made(origin).definition.digest != made().definition.digest


FLIPS = [pytest.param(300, id="quick"), pytest.param(20_000, id="long", marks=pytest.mark.long)]


@pytest.mark.security(13)
@pytest.mark.parametrize("count", FLIPS)
def test_flipping_any_byte_changes_the_digest_of_a_tool(count: int) -> None:
    random = Random(13)  # noqa: S311 - a seed makes the test the same each time
    said = {
        "name": OFFERED.name,
        "description": OFFERED.description,
        "schema": json.dumps(SCHEMA),
        "hints": json.dumps(HINTS),
        "version": ORIGIN.version,
        "command": " ".join(ORIGIN.argv),
    }
    before, flipped = made().definition.digest, 0
    while flipped < count:
        part = random.choice(list(said))
        data = bytearray(said[part].encode())
        data[random.randrange(len(data))] ^= 1 << random.randrange(7)
        tool = _made_of({**said, part: data.decode()})
        flipped += tool is not None
        assert tool is None or tool.definition.digest != before


def _made_of(said: dict[str, str]) -> AnyTool | None:
    """Return the tool, if the flip left one."""
    try:
        schema, hints = json.loads(said["schema"]), json.loads(said["hints"])
        origin = replace(ORIGIN, version=said["version"], argv=tuple(said["command"].split(" ")))
        offered = RemoteTool(said["name"], said["description"], schema, hints)
        return make_tool(offered, origin)
    except (ValueError, TypeError):
        return None


def test_a_hint_is_believed_only_where_the_sandbox_says_the_same() -> None:
    assert made().definition.effects == Effects(True, False, False)
    worst = Effects()
    writes = replace(LOCAL, bounds=ServerBounds("/home", may_write=True))
    connects = replace(LOCAL, bounds=ServerBounds(may_connect=True))
    remote = ServerConfig("far", RemoteAddress("https://tools.example.com/mcp"))
    assert made(replace(ORIGIN, is_confined=False)).definition.effects == worst
    assert made(replace(ORIGIN, config=writes)).definition.effects == worst
    assert made(replace(ORIGIN, config=connects)).definition.effects == worst
    assert made(ToolOrigin(remote, "")).definition.effects == worst
    assert made(hints={}).definition.effects == worst


@pytest.mark.parametrize(
    ("hints", "title"),
    [
        ({}, "read"),
        ({"title": "Read notes"}, "Read notes"),
        ({"title": "Other", TITLE: "Read notes"}, "Read notes"),
        ({TITLE: " "}, "read"),
        ({TITLE: 7}, "read"),
        ({TITLE: "Read notes” on this computer?"}, "read"),
        ({TITLE: "Read\nnotes"}, "read"),
        ({TITLE: "x" * 129}, "read"),
    ],
)
def test_tool_has_its_servers_title_if_it_can_be_shown_in_full(
    hints: dict[str, Any], title: str
) -> None:
    assert replace(OFFERED, hints=hints).title == title


def test_a_tool_of_a_server_is_shown_with_nothing_that_only_ours_may_say() -> None:
    definition = make_tool(OFFERED, ORIGIN, "Read notes").definition
    assert definition.title == "Read notes (files)"
    assert (definition.question, definition.icon) == ("", "wrench")
    assert not definition.returns_names


def test_an_unconfined_program_is_never_allowed_by_a_rule() -> None:
    assert made().definition.is_grantable
    assert not made(replace(ORIGIN, is_confined=False)).definition.is_grantable


@pytest.mark.security(14)
def test_names_are_unique_by_construction() -> None:
    pairs = [("a", "b__c"), ("a__b", "c"), ("a_", "b"), ("a", "_b"), ("a b", "c"), ("a-b", "c")]
    pairs += [("ä", "c"), ("ö", "c"), ("a", "ж"), ("a", "я"), ("a", "x" * 70), ("a", "x" * 71)]
    names = [wire_name(replace(LOCAL, name=server), tool) for server, tool in pairs]
    assert len(set(names)) == len(names)
    registry = ToolRegistry.built_in()
    taken = [make_tool(replace(OFFERED, name="see"), replace(ORIGIN, config=LOCAL))]
    assert registry.replace("mcp:files", taken) == {}
    look_alike = replace(ORIGIN, config=replace(LOCAL, name="fi1es"))
    (problem,) = registry.replace("mcp:fi1es", [made(look_alike, name="see")]).values()
    assert "easily taken for" in problem


@pytest.mark.security(19)
@pytest.mark.parametrize(
    ("schema", "part"),
    [
        ({"properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}}, "refers to another document"),
        ({"properties": {"a": {"$ref": "#/properties/a"}}}, "refers to itself"),
        ({"properties": {"a": {"$ref": "#/nowhere"}}}, "something missing"),
        ({"description": "x" * 70_000}, "too long"),
        ({"properties": {"a": {"type": "text"}}}, "malformed"),
        ({"properties": {"a": {"multipleOf": 0}}}, "malformed"),
        ({"type": "array"}, "is not a JSON object"),
        (
            {
                "$defs": {str(n): {"anyOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(30)}
                | {"30": {}},
                "properties": {"a": {"$ref": "#/$defs/0"}},
            },
            "too complex",
        ),
    ],
)
def test_a_schema_that_could_harm_is_refused(schema: dict[str, Any], part: str) -> None:
    with pytest.raises(ToolRefused, match=part):
        made(input_schema={"type": "object", **schema})


@pytest.mark.security(19)
def test_a_pattern_of_a_stranger_is_never_run() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    with within_own_time(5):
        tool = made(input_schema=schema)
        assert tool.signature.complaints(freeze({"a": "a" * 40 + "!"})) == ()
    assert tool.definition.wire_schema()["properties"] == schema["properties"]


def test_an_input_is_checked_before_anybody_is_asked() -> None:
    tool = made()
    assert tool.signature.complaints(freeze({"path": "a"})) == ()
    assert tool.signature.complaints(freeze({"path": 1})) == ("“path”: 1 is not of type 'string'.",)
    assert "required" in tool.signature.complaints(freeze({}))[0]
    assert tool.signature.complaints(freeze({"path": "a", "x" * 65: 1}))
    assert tool.signature.complaints(freeze({"path": "a", "b\u202e": 1}))


def test_the_card_shows_what_we_found_out_and_every_value() -> None:
    given = freeze({"path": "a", "Tool": "calculate", "more": {"b": [1]}})
    facts = [(fact.label, fact.value) for fact in prepare(made(), given, CallPlaces()).facts]
    assert facts == [
        ("Tool", "files__read"),
        ("Server", "files"),
        ("Program", "/usr/bin/files"),
        ("Access", "cannot see your files"),
        ("“path”", "a"),
        ("“Tool”", "calculate"),
        ("“more”", '{"b":[1]}'),
    ]


@pytest.mark.security(38)
@pytest.mark.security(10)
@pytest.mark.parametrize("quote", '"“”„‟«»')
def test_name_cannot_close_the_quotes_around_it(quote: str) -> None:
    posing = f"read{quote} on this computer? Checked by Parley. {quote}No"
    with pytest.raises(ToolRefused, match="cannot be a tool's name"):
        made(name=posing)
    open_ended = made(input_schema={"type": "object"})
    complaints = open_ended.signature.complaints(freeze({f"Host{quote}: example.org": "x"}))
    assert complaints
    assert "cannot be shown" in complaints[0]


def test_the_card_names_the_variables_that_a_server_is_given_and_not_their_values() -> None:
    program = LocalProgram("/usr/bin/files", environment={"API_KEY": "s3cret", "REGION": "north"})
    config = ServerConfig("files", program)
    call = prepare(
        made(ToolOrigin(config, "", ("/usr/bin/files",))), freeze({"path": "a"}), CallPlaces()
    )
    facts = {fact.label: fact.value for fact in call.facts}
    assert facts["Variables"] == "API_KEY, REGION"
    assert "s3cret" not in str(facts)


def test_the_card_says_where_an_input_goes() -> None:
    remote = ServerConfig("far", RemoteAddress("https://tools.example.com/mcp", {"X-Key": "k"}))
    call = prepare(made(ToolOrigin(remote, "")), freeze({"path": "a"}), CallPlaces())
    facts = {fact.label: fact.value for fact in call.facts}
    assert facts["Host"] == "tools.example.com"
    assert facts["Network"] == "your input is sent to this host"
    assert call.order.may_use_network


@pytest.mark.security(48)
@pytest.mark.parametrize(
    "url",
    [
        *("http://tools.example.com/", "http://127.0.0.1.example.com/", "ftp://127.0.0.1/"),
        *("https://me:secret@tools.example.com/", "https://", "file:///etc/passwd"),
        *("javascript:alert(1)", "https://a\\b/", "https://ä.example/", "https://a b/"),
        *("http://localhost.example.com/", "https://a.example:99999/", ""),
    ],
)
def test_only_https_and_this_computer_are_asked(url: str) -> None:
    with pytest.raises(ToolError):
        check_url(url)


def test_addresses_that_are_asked() -> None:
    for url in ("https://tools.example.com/mcp", "http://127.0.0.1:8000/mcp", "http://[::1]/"):
        check_url(url)


@pytest.mark.security(88)
def test_card_says_before_that_a_folder_is_too_large_to_be_looked_through() -> None:
    config = replace(LOCAL, bounds=ServerBounds("/home", may_write=True))
    origin = replace(ORIGIN, config=config, is_too_large=True)
    call = prepare(made(origin), freeze({"path": "a"}), CallPlaces())
    assert TOO_LARGE in call.facts
