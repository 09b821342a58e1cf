"""What is said of a chat in a list: its name, how much was said, its mark, and all of it."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.chat.conversation_rows import ConversationRow
from app.chat.marks import Mark
from app.viewmodels.dates import group_of, short_time


def title_words(row: ConversationRow) -> str:
    """Return the title, or words for a chat that has none here."""
    if row.title:
        return row.title
    if row.message_count:
        return untitled_words()
    return QCoreApplication.translate("Chats", "New chat")


def untitled_words() -> str:
    """Return words for a chat in which something was said, but whose title is not known here."""
    return QCoreApplication.translate("Chats", "Untitled chat")


def count_words(count: int) -> str:
    """Return how many messages there are."""
    return QCoreApplication.translate("Chats", "%n messages", "", count)


def size_words(row: ConversationRow) -> str:
    """Return how many messages there are, or how the first one fares."""
    if row.message_count:
        return count_words(row.message_count)
    translate = QCoreApplication.translate
    # While nothing has been counted, the mark says more than a nought.
    return {
        Mark.NONE: translate("Chats", "No messages yet"),
        Mark.STREAMING: translate("Chats", "First reply coming in"),
        Mark.WAITING: translate("Chats", "Waiting for you"),
        Mark.FAILED: translate("Chats", "No reply"),
        Mark.UNREAD: translate("Chats", "Not read yet"),
    }[row.mark]


def hint_words(row: ConversationRow) -> str:
    """Return what stands under the name: how much was said, after a word for a kept draft."""
    words = size_words(row)
    if row.has_draft:
        return QCoreApplication.translate("Chats", "Draft · {words}").format(words=words)
    return words


def caption_words(row: ConversationRow, now: datetime) -> str:
    """Return the caption that the chat stands under; `now` has the user's time zone."""
    if row.is_pinned:
        return QCoreApplication.translate("Chats", "Pinned")
    if row.updated_at is None:
        return QCoreApplication.translate("Chats", "Without a date")
    return group_of(row.updated_at, now)


def spoken_words(row: ConversationRow, now: datetime) -> str:
    """Return all that a row shows, as a screen reader says it."""
    translate = QCoreApplication.translate
    parts = [title_words(row), size_words(row)]
    if row.updated_at:
        parts.append(short_time(row.updated_at, now))
    if row.is_pinned:
        parts.append(translate("Chats", "pinned"))
    if row.has_draft:
        parts.append(translate("Chats", "with a draft"))
    marks = {
        Mark.STREAMING: translate("Chats", "a reply is coming in"),
        Mark.WAITING: translate("Chats", "waiting for you"),
        Mark.FAILED: translate("Chats", "failed"),
        Mark.UNREAD: translate("Chats", "not read yet"),
    }
    if row.mark in marks and row.message_count:
        parts.append(marks[row.mark])
    return ", ".join(parts)
