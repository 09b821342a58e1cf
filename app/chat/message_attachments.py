"""Attach files to a draft, and include or name them in the message's text.

A message's text is complete by itself: small text files are included as code blocks under their
names, other files are only named. The assistant reads those with a tool.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.api.client import ChatApi
from app.api.models import SentImage
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import NewAttachment, StoredAttachment
from app.store.store import ProfileStore
from local_tools.attached_file import ATTACHMENT_LIMIT_BYTES, ContentImage, shown_name
from local_tools.attachments.document import FileError, FileFault, FileKind
from local_tools.attachments.file_kinds import decoded, text_kind
from local_tools.attachments.file_tools import FileDescription
from local_tools.attachments.intake import FileIntake
from local_tools.secrets.files import sounds_secret
from local_tools.secrets.scan import find_secrets

ATTACHMENTS_LIMIT: Final = 20
"""How many files go with one message."""
INLINE_LIMIT_BYTES: Final = 32 * 1024
"""Text up to this size goes into the message itself."""
IMAGES_LIMIT: Final = 8
"""How many images go with one message, or come of one tool call: the service takes no more."""
_PNG: Final = b"\x89PNG"

_CODES: Final[Mapping[FileFault, ErrorCode]] = {
    FileFault.UNKNOWN: ErrorCode.ATTACHMENT_UNKNOWN,
    FileFault.LOCKED: ErrorCode.ATTACHMENT_LOCKED,
    FileFault.BROKEN: ErrorCode.ATTACHMENT_BROKEN,
    FileFault.TOO_LARGE: ErrorCode.ATTACHMENT_UNPACKS,
    FileFault.HEIC: ErrorCode.IMAGE_HEIC,
    FileFault.OLD_OFFICE: ErrorCode.ATTACHMENT_OLD_OFFICE,
    FileFault.NO_FILE: ErrorCode.ATTACHMENT_NO_FILE,
    FileFault.EMPTY: ErrorCode.ATTACHMENT_EMPTY,
    FileFault.OVER_LIMIT: ErrorCode.ATTACHMENT_TOO_LARGE,
    FileFault.UNREADABLE: ErrorCode.FILE_UNREADABLE,
    FileFault.SLOW: ErrorCode.ATTACHMENT_SLOW,
}
_BACKTICKS: Final = re.compile(r"`{3,}")
_LANGUAGE: Final = re.compile(r"[a-z0-9+]{1,12}")
_FORMATS: Final[Mapping[str, str]] = {
    FileKind.TEXT: "text",
    FileKind.CSV: "table",
    FileKind.HTML: "web page",
    FileKind.PDF: "PDF",
    FileKind.DOCX: "Word",
    FileKind.PPTX: "PowerPoint",
    FileKind.XLSX: "Excel",
    FileKind.ODF: "OpenDocument",
    FileKind.EPUB: "EPUB",
}


class Attachments:
    """The attachments of one profile's drafts. Made with its workspace, lives as long."""

    def __init__(self, store: ProfileStore, intake: FileIntake, client: ChatApi) -> None:
        self._table = store.attachments
        self._intake = intake
        self._client = client
        # Two that are added at once must not get one name.
        self._adding = asyncio.Lock()

    async def of_draft(self, conversation_id: str) -> tuple[StoredAttachment, ...]:
        """Return the attachments of a draft; an empty id is the new chat.

        Raises:
            StoreError: it cannot be read.
        """
        return await self._table.of_draft(conversation_id)

    async def add_file(self, conversation_id: str, path: Path) -> StoredAttachment:
        """Read a whole file and attach the contents to a draft; later changes of it do not matter.

        Raises:
            UserFacingError: it cannot be attached.
        """
        name = shown_name(path.name)
        try:
            content = await self._intake.read(path)
        except FileError as exc:
            raise _refusal(name, exc.fault) from exc
        told_name = shown_name(await self._intake.name_of(path))
        return await self.add_content(conversation_id, told_name, content)

    async def add_content(
        self, conversation_id: str, name: str, content: bytes
    ) -> StoredAttachment:
        """Attach contents, such as an image from the clipboard, to a draft.

        A name that the chat or its draft has already is numbered: tools and models tell files
        apart by their names.

        Raises:
            UserFacingError: they cannot be attached.
        """
        if len(content) > ATTACHMENT_LIMIT_BYTES:
            raise _refusal(name, FileFault.OVER_LIMIT)
        if len(await self._table.of_draft(conversation_id)) >= ATTACHMENTS_LIMIT:
            values = {"limit": ATTACHMENTS_LIMIT, "count": 1}
            raise UserFacingError(ErrorCode.ATTACHMENTS_TOO_MANY, values)
        found, image = await self._intake.describe(name, content)
        if found.kind is None:
            raise _refusal(name, found.fault or FileFault.BROKEN)
        if image is not None:
            return await self._add_image(conversation_id, image)
        new = NewAttachment(name, found.kind, content, found.unit, found.count)
        is_inline = await asyncio.to_thread(_goes_into_the_text, name, content, found)
        return await self._add(conversation_id, replace(new, is_inline=is_inline))

    async def _add_image(self, conversation_id: str, image: ContentImage) -> StoredAttachment:
        # Not known is no reason to refuse: it is asked when the message is sent.
        if self._client.offers_attachments is False:
            raise UserFacingError(ErrorCode.IMAGES_NOT_TAKEN, {"name": image.name})
        kept = await self._table.of_draft(conversation_id)
        if sum(is_image(item) for item in kept) >= IMAGES_LIMIT:
            values: dict[str, str | int] = {"limit": IMAGES_LIMIT, "name": image.name}
            raise UserFacingError(ErrorCode.IMAGES_TOO_MANY, values)
        return await self._add(conversation_id, new_image(image))

    async def _add(self, conversation_id: str, new: NewAttachment) -> StoredAttachment:
        async with self._adding:
            kept = await self._table.of_draft(conversation_id)
            sent = await self._table.of_messages(conversation_id) if conversation_id else ()
            name = _free_name(new.name, {item.name for item in (*kept, *sent)})
            return await self._table.add(conversation_id, replace(new, name=name))

    async def content(self, conversation_id: str, item: StoredAttachment) -> bytes | None:
        """Return the contents of an attachment of a chat; None if they are missing.

        Raises:
            StoreError: they cannot be read.
        """
        return await self._table.content(conversation_id, item.sha256)

    async def drawn(
        self, conversation_id: str, item: StoredAttachment, width: int, height: int
    ) -> ContentImage | None:
        """Return an image's pixels, scaled into a box by a worker; None if it cannot be decoded.

        Raises:
            StoreError: it cannot be read.
        """
        content = await self.content(conversation_id, item)
        return None if content is None else await self.draw(item.name, content, width, height)

    async def draw(self, name: str, content: bytes, width: int, height: int) -> ContentImage | None:
        """Return the pixels of these contents, as `drawn` does."""
        return await self._intake.draw(name, content, width, height)

    async def move(self, attachments: Sequence[StoredAttachment], conversation_id: str) -> None:
        """Move files from the draft of the new chat to that of the chat that it became.

        Raises:
            StoreError: they could not be moved, and are where they were.
        """
        await self._table.move(attachments, conversation_id)

    async def remove(self, attachment_id: str) -> None:
        """Remove a file from its draft.

        Raises:
            StoreError: it could not be removed.
        """
        await self._table.remove(attachment_id)


def is_image(item: StoredAttachment) -> bool:
    """Return whether an attachment is sent as an image."""
    return item.kind == FileKind.IMAGE


def new_image(image: ContentImage) -> NewAttachment:
    """Return an image as it is kept: as it is sent."""
    return NewAttachment(
        image.name, FileKind.IMAGE, image.data, width=image.width, height=image.height
    )


async def images_to_send(
    items: Sequence[StoredAttachment], content: Callable[[str], Awaitable[bytes | None]]
) -> tuple[SentImage, ...]:
    """Return the images among attachments; those whose contents are gone are named in the text.

    Args:
        items: What goes with a message, or came of a tool call.
        content: Reads the contents with a hash.
    """
    sent: list[SentImage] = []
    for item in filter(is_image, items):
        data = await content(item.sha256)
        if data is not None:
            media_type = "image/png" if data.startswith(_PNG) else "image/jpeg"
            sent.append(SentImage(item.name, media_type, data))
    return tuple(sent[:IMAGES_LIMIT])


def with_own_names(
    attachments: Sequence[StoredAttachment], taken: Sequence[StoredAttachment]
) -> tuple[StoredAttachment, ...]:
    """Return attachments under names that none of the chat has yet: “a.pdf”, “a (2).pdf”."""
    names = {item.name for item in taken}
    named: list[StoredAttachment] = []
    for item in attachments:
        name = _free_name(item.name, names)
        names.add(name)
        named.append(replace(item, name=name))
    return tuple(named)


def _free_name(name: str, taken: Collection[str]) -> str:
    path, free, number = Path(name), name, 2
    while free in taken:
        free, number = f"{path.stem} ({number}){path.suffix}", number + 1
    return free


def text_with(
    words: str, attachments: Sequence[StoredAttachment], contents: Mapping[str, bytes]
) -> str:
    """Return the text of a message: what the person wrote, then what goes with it.

    Args:
        words: What the person wrote.
        attachments: What goes with it, in order.
        contents: Of those whose text stands in the message, by their hashes.
    """
    parts = [words] if words.strip() else []
    for item in attachments:
        if item.is_inline and item.sha256 in contents:
            parts.append(_block(item.name, decoded(item.name, contents[item.sha256])))
        elif is_image(item):
            parts.append(f"[image: {item.name}]")
        else:
            parts.append(f"[attachment: {item.name} ({_details(item)})]")
    return "\n\n".join(parts)


def _details(item: StoredAttachment) -> str:
    said = [_FORMATS.get(item.kind, item.kind)]
    if item.count:
        said.append(f"{item.count:,} {item.unit}{'' if item.count == 1 else 's'}")
    return ", ".join([*said, f"{item.size_bytes:,} bytes"])


def _block(name: str, text: str) -> str:
    # A longer fence than any inside: else the contents could end the block and speak for the user.
    longest = max((len(ticks) for ticks in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    suffix = Path(name).suffix.removeprefix(".").lower()
    language = suffix if _LANGUAGE.fullmatch(suffix) else ""
    return f"{name}:\n{fence}{language}\n{text.rstrip()}\n{fence}"


def _goes_into_the_text(name: str, content: bytes, found: FileDescription) -> bool:
    """Return whether a file is a small text without secrets, which pass the gate of a result."""
    if len(content) > INLINE_LIMIT_BYTES or text_kind(name, content) != found.kind:
        return False
    return not find_secrets(decoded(name, content), is_secret_file=sounds_secret(name))


def _refusal(name: str, fault: FileFault) -> UserFacingError:
    values: dict[str, str | int] = {"name": name}
    if fault is FileFault.OVER_LIMIT:
        values["limit_mb"] = ATTACHMENT_LIMIT_BYTES // (1024 * 1024)
    return UserFacingError(_CODES[fault], values)
