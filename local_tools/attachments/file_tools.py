"""The tools of a worker that is handed a file: what the assistant may ask for, and what is ours.

`describe_attachment` runs when a user attaches a file, before anybody is asked anything; the
assistant never hears of it.
"""

import json
from dataclasses import asdict, dataclass
from typing import Final

from local_tools.attachments.document import FileError, FileFault, FileKind
from local_tools.attachments.file_kinds import kind_of, open_document
from local_tools.builtin.read_attachment import read_attachment
from local_tools.tool import AnyTool, AttachedFile, tool


@dataclass(frozen=True, slots=True)
class FileDescription:
    """What is known of a file once it was looked at.

    Attributes:
        kind: None when it cannot be read; `fault` says why then.
        unit: What its parts are called in English: page, slide, chapter, sheet; empty for none.
        count: How many parts there are.
    """

    kind: FileKind | None = None
    fault: FileFault | None = None
    unit: str = ""
    count: int = 0


@tool(read_only=True, destructive=False, open_world=False, timeout_s=30)
def describe_attachment(file: AttachedFile) -> str:
    """Return as JSON what an attached file is, a `FileDescription`."""
    return json.dumps(asdict(_description(file)))


def _description(file: AttachedFile) -> FileDescription:
    try:
        kind = kind_of(file.name, file.data)
        if kind is FileKind.IMAGE:
            return FileDescription(kind)
        document = open_document(file.name, file.data)
        count = len(document.titles) if document.unit else 0
    except FileError as exc:
        return FileDescription(fault=exc.fault)
    return FileDescription(kind, None, document.unit, count)


FILE_TOOLS: Final[tuple[AnyTool, ...]] = (read_attachment, describe_attachment)
