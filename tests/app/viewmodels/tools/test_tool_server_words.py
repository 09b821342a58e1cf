"""Tool servers in words."""

import sys
from random import Random

from app.mcp_servers.config_file import ServerRecord
from app.mcp_servers.servers import ServerEntry, ToolChange
from app.viewmodels.mcp_servers.server_texts import row_of
from local_tools.mcp.config import LocalProgram, ServerConfig


def _shown(before: str, now: str) -> str:
    config = ServerConfig("files", LocalProgram(sys.executable))
    entry = ServerEntry(ServerRecord(config), changes=(ToolChange("read", before, now),))
    (row,) = row_of(entry, is_confined=True).changes
    return row.text


def test_change_shows_the_lines_that_differ() -> None:
    before = "name: read\ndescription: Read a file.\ninputs type: object"
    now = "name: read\ndescription: Read a filf.\ninputs type: object\nhint a: true"
    assert _shown(before, now).splitlines() == [
        "- description: Read a file.",
        "+ description: Read a filf.",
        "+ hint a: true",
    ]


def test_long_lines_of_many_signs_are_not_compared_sign_by_sign() -> None:
    random = Random(1)  # noqa: S311 - a seed makes the test the same each time
    before = "".join(chr(0x4E00 + random.randrange(150)) for _ in range(60_000))
    now = "".join("x" if random.random() < 0.2 else sign for sign in before)
    assert _shown(before, now) == f"- {before}\n+ {now}"
