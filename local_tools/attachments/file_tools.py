"""The tools of a worker that reads an attachment: the assistant's, and two internal ones.

`describe_attachment` runs as soon as a user attaches a file, without approval; it is not declared
to the assistant.
"""

import json
from dataclasses import asdict, dataclass
from typing import Final

from local_tools.attachments.document import FileError, FileFault, FileKind
from local_tools.attachments.file_kinds import kind_of, open_document, unpacked
from local_tools.builtin.read_attachment import read_attachment
from local_tools.tool import AnyTool, AttachedContent, AttachedFile, ContentImage, tool


@dataclass(frozen=True, slots=True)
class FileDescription:
    """What a worker found out about a file.

    Attributes:
        kind: None if the file cannot be read; `fault` says why.
        unit: The English word for its parts: page, slide, chapter, sheet; empty for none.
        count: The number of parts.
        width: Of an image, in pixels, as is `height`; 0 for other files.
    """

    kind: FileKind | None = None
    fault: FileFault | None = None
    unit: str = ""
    count: int = 0
    width: int = 0
    height: int = 0


@tool(read_only=True, destructive=False, open_world=False, timeout_s=30)
def describe_attachment(file: AttachedFile) -> AttachedContent:
    """Return as JSON what an attached file is, a `FileDescription`; an image as it is sent, too."""
    try:
        description, images = _described(file)
    except FileError as exc:
        description, images = FileDescription(fault=exc.fault), ()
    return AttachedContent(json.dumps(asdict(description)), images)


def _described(file: AttachedFile) -> tuple[FileDescription, tuple[ContentImage, ...]]:
    kind = kind_of(file.name, file.data)
    if kind is FileKind.IMAGE:
        from local_tools.attachments.pictures import prepare_image  # noqa: PLC0415 - late, heavy

        image = prepare_image(*unpacked(file.name, file.data))
        return FileDescription(kind, width=image.width, height=image.height), (image,)
    document = open_document(file.name, file.data)
    count = len(document.titles) if document.unit else 0
    return FileDescription(kind, None, document.unit, count), ()


@tool(read_only=True, destructive=False, open_world=False, timeout_s=20)
def draw_attachment(file: AttachedFile, width: int, height: int) -> AttachedContent:
    """Return the pixels of an image, made small enough for a place on the screen."""
    from local_tools.attachments.pictures import draw_image  # noqa: PLC0415 - late, heavy

    return AttachedContent("", (draw_image(file.name, file.data, (width, height)),))


FILE_TOOLS: Final[tuple[AnyTool, ...]] = (read_attachment, describe_attachment, draw_attachment)
