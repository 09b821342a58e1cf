"""Read what the user attached to the chat, and nothing else."""

from typing import Annotated, Final

from local_tools.tool import AttachedContent, AttachedFile, Input, ToolError, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

_NO_PDF: Final = "{name} is no PDF, so its pages cannot be drawn."
_PICTURE: Final = "{name} is an image, and has no text that could be read."


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=60,
    title="Read attachment",
    question="Read an attached file?",
    icon="paperclip",
)
def read_attachment(  # noqa: PLR0917 - called by names
    name: AttachedFile,
    pages: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "Pages"))] = "",
    lines: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "Lines"))] = "",
    sheet: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "Sheet"))] = "",
    search: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "Search for"))] = "",
    draw: Annotated[bool, Input(title=QT_TRANSLATE_NOOP("Tools", "Show pages as images"))] = False,
) -> AttachedContent:
    """Read a file that the user attached, shown in messages as [attachment: NAME].

    Without a selection, reading starts at the beginning, and the result says what is left. Text,
    PDF, Word, Excel, PowerPoint, OpenDocument, EPUB and web pages can be read.

    Args:
        name: The name of the attachment, exactly as in the message.
        pages: Pages, slides or chapters, such as "3", "2-5" or "1,4-6".
        lines: Lines of a text, or rows of a sheet, written alike.
        sheet: The name or number of a sheet.
        search: Words to look for; returns where they stand.
        draw: Also show the pages of a PDF as images, the first four of those that are read.
    """
    # Only a worker reads files, and it needs a library for each kind.
    from local_tools.attachments.document import FileKind  # noqa: PLC0415
    from local_tools.attachments.document_reading import (  # noqa: PLC0415
        PartSelection,
        read_document,
        selected_parts,
    )
    from local_tools.attachments.file_kinds import kind_of, open_document  # noqa: PLC0415

    if kind_of(name.name, name.data) is FileKind.IMAGE:
        raise ToolError(_PICTURE.format(name=name.name))
    document = open_document(name.name, name.data)
    selection = PartSelection(pages, lines, sheet, search)
    text = read_document(name.name, document, selection)
    if not draw:
        return AttachedContent(text)
    from local_tools.attachments.pdf_document import Pdf, draw_pages  # noqa: PLC0415

    if not isinstance(document, Pdf):
        raise ToolError(_NO_PDF.format(name=name.name))
    images = draw_pages(document, selected_parts(document, selection))
    named = [f"[image: {image.name}]" for image in images]
    return AttachedContent("\n".join([text, *named]), images)
