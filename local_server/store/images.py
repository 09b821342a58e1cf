"""Store the images of messages and tool results; contents by hash, once for each project.

The operations that store and read messages call `keep_images` and `read_images`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any, Final

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, insert, select

from local_server.errors import ImagesFullError
from local_server.store.records import MessageImage, NewImage, Owner
from local_server.store.tables import (
    conversations,
    image_contents,
    images,
    messages,
    owners,
    tool_calls,
)

IMAGE_QUOTA_BYTES: Final = 512 * 1024 * 1024
"""How much the images of a project may take, its live and its test data each."""
MOST_SHOWN: Final = 20
"""How many images a model is shown at once, the newest ones."""
MOST_SHOWN_BYTES: Final = 8 * 1024 * 1024
"""The total size of those."""

_OWNER_OF: Final = select(conversations.c.project, conversations.c.mode).where(
    conversations.c.id == bindparam("this_id")
)
_OWNED: Final = and_(
    image_contents.c.project == bindparam("project"), image_contents.c.mode == bindparam("mode")
)
# Serialises the transactions that add images or delete unused ones.
_LOCK: Final = (
    select(owners.c.project)
    .where(owners.c.project == bindparam("project"), owners.c.mode == bindparam("mode"))
    .with_for_update()
)
_SIZE: Final = select(func.coalesce(func.sum(image_contents.c.size_bytes), 0)).where(_OWNED)
_KNOWN: Final = select(image_contents.c.sha256).where(
    _OWNED, image_contents.c.sha256.in_(bindparam("hashes", expanding=True))
)
_CONTENTS: Final = select(image_contents.c.sha256, image_contents.c.data).where(
    _OWNED, image_contents.c.sha256.in_(bindparam("hashes", expanding=True))
)
_NEWEST: Final = (
    select(images, image_contents.c.size_bytes)
    .join(
        image_contents,
        and_(
            image_contents.c.project == images.c.project,
            image_contents.c.mode == images.c.mode,
            image_contents.c.sha256 == images.c.sha256,
        ),
    )
    .join(messages, messages.c.id == images.c.message_id)
    .outerjoin(tool_calls, tool_calls.c.id == images.c.call_id)
    .where(images.c.conversation_id == bindparam("this_id"))
    .order_by(
        messages.c.seq.desc(), func.coalesce(tool_calls.c.seq, 0).desc(), images.c.position.desc()
    )
    .limit(MOST_SHOWN)
)
_DROP_UNUSED: Final = delete(image_contents).where(
    _OWNED,
    ~exists().where(
        images.c.project == image_contents.c.project,
        images.c.mode == image_contents.c.mode,
        images.c.sha256 == image_contents.c.sha256,
    ),
)


def keep_images(
    connection: Connection,
    conversation_id: str,
    message_id: str,
    call_id: str,
    new: Sequence[NewImage],
    *,
    quota_bytes: int,
) -> None:
    """Store images with a message, or with one of its tool calls if `call_id` is not empty.

    Raises:
        ImagesFullError: When the project's images would exceed `quota_bytes`.
    """
    if not new:
        return
    owner = dict(connection.execute(_OWNER_OF, {"this_id": conversation_id}).mappings().one())
    connection.execute(_LOCK, owner)
    by_hash = {hashlib.sha256(image.data).hexdigest(): image for image in new}
    known = connection.execute(_KNOWN, owner | {"hashes": list(by_hash)}).scalars().all()
    unknown = {sha256: image for sha256, image in by_hash.items() if sha256 not in known}
    size = int(connection.execute(_SIZE, owner).scalar_one())
    if size + sum(len(image.data) for image in unknown.values()) > quota_bytes:
        raise ImagesFullError(quota_bytes)
    if unknown:
        rows = [
            owner | {"sha256": sha256, "size_bytes": len(image.data), "data": image.data}
            for sha256, image in unknown.items()
        ]
        connection.execute(insert(image_contents), rows)
    place = {"conversation_id": conversation_id, "message_id": message_id, "call_id": call_id}
    connection.execute(
        insert(images),
        [
            owner
            | place
            | {
                "position": position,
                "name": image.name,
                "media_type": image.media_type,
                "sha256": hashlib.sha256(image.data).hexdigest(),
            }
            for position, image in enumerate(new)
        ],
    )


def read_images(connection: Connection, conversation_id: str) -> tuple[MessageImage, ...]:
    """Read the newest images of a conversation, those that the model gets, oldest first."""
    newest = connection.execute(_NEWEST, {"this_id": conversation_id}).all()
    sizes = accumulate(row.size_bytes for row in newest)
    rows = [row for row, size in zip(newest, sizes, strict=True) if size <= MOST_SHOWN_BYTES]
    if not rows:
        return ()
    named = {"project": rows[0].project, "mode": rows[0].mode}
    hashes = list({row.sha256 for row in rows})
    contents = {
        row.sha256: bytes(row.data)
        for row in connection.execute(_CONTENTS, named | {"hashes": hashes})
    }
    return tuple(
        MessageImage(row.message_id, row.call_id, row.name, row.media_type, contents[row.sha256])
        for row in reversed(rows)
    )


def copy_images(
    connection: Connection,
    source_id: str,
    made_id: str,
    message_ids: Mapping[str, str],
    call_ids: Mapping[str, str],
) -> None:
    """Copy what messages and calls have that were copied under new ids; contents are shared."""
    rows = connection.execute(select(images).where(images.c.conversation_id == source_id)).all()
    copies: list[dict[str, Any]] = [
        row._asdict()
        | {
            "conversation_id": made_id,
            "message_id": message_ids[row.message_id],
            "call_id": call_ids.get(row.call_id, ""),
        }
        for row in rows
        if row.message_id in message_ids
    ]
    if copies:
        connection.execute(insert(images), copies)


def drop_unused_images(connection: Connection, owner: Owner) -> None:
    """Delete the contents that no message of a project has any more."""
    connection.execute(_LOCK, asdict(owner))
    connection.execute(_DROP_UNUSED, asdict(owner))
