"""Titles of conversations (extension `title`): asked for beside the first replies, sent once.

`Titles` owns what is asked, `PendingTitle` is one stream's view of it, and `clean_title` makes one
line out of what a model answers.
"""

import asyncio
import logging
import re
import unicodedata
from collections.abc import Sequence
from functools import partial
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.reply import Assistant, SuggestedTitle
from local_server.errors import StreamFailureError
from local_server.store.database import StoreUnavailableError
from local_server.store.records import Conversation, Message
from local_server.store.replies import Replies

log = logging.getLogger(__name__)

_LONGEST: Final = 60
# After this many messages without a title, no model is asked for one any more.
_MOST_MESSAGES: Final = 3
_MOST_AT_ONCE: Final = 100
_LOOKED_AT_CHARS: Final = 4000
_LABEL: Final = re.compile(r"^\W*(?:title|titel)\s*:\s*", re.IGNORECASE)
_LINK: Final = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_TAG: Final = re.compile(r"</?[a-zA-Z][^>\n]*>")
_MARKUP: Final = re.compile(r"[*_`~#>|\\]+|^\s*(?:[-+•]|\d+[.)])\s+")
_QUOTES: Final = "\"'“”„‟«»‹›‘’‚‛「」『』"
# Joiners are part of words in some scripts, and of emoji.
_JOINERS: Final = frozenset("\u200c\u200d")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def clean_title(text: str) -> str:
    """Make one line of at most 60 characters, without quotes, markup or what is not seen."""
    lines = (_plain(line) for line in text[:_LOOKED_AT_CHARS].splitlines())
    title = next(filter(None, lines), "")
    if len(title) <= _LONGEST:
        return title
    cut = title[: _LONGEST - 1]
    at_word = cut.rpartition(" ")[0]
    return f"{(at_word if len(at_word) > _LONGEST // 2 else cut).rstrip(' ,;:–—-')}…"


def _plain(line: str) -> str:
    line = _LINK.sub(r"\1", _TAG.sub("", "".join(map(_seen, line))))
    line = _LABEL.sub("", _MARKUP.sub("", line))
    return " ".join(line.split()).strip(_QUOTES + " ").rstrip(".").rstrip()


def _seen(sign: str) -> str:
    if sign.isspace():
        return " "
    is_hidden = unicodedata.category(sign) in _HIDDEN and sign not in _JOINERS
    return "" if is_hidden else sign


class Titles:
    """Asks for titles, each in a task of its own. One for the life of the application."""

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._asked: dict[str, asyncio.Task[SuggestedTitle | None]] = {}

    def of(
        self,
        conversation: Conversation,
        before: Sequence[Message],
        assistant: Assistant,
    ) -> "PendingTitle | None":
        """Find the title of a conversation, for one stream; None where it needs none.

        Args:
            conversation: Whose title it is.
            before: Its messages up to the one that is answered.
            assistant: Who is asked.
        """
        questions = [message.content for message in before if message.role == "user"]
        if conversation.has_title or not questions:
            return None
        may_ask = len(questions) <= _MOST_MESSAGES
        if not may_ask and conversation.id not in self._asked:
            return None
        return PendingTitle(self, conversation, questions[0], assistant)

    def begin(
        self, conversation: Conversation, question: str, assistant: Assistant, agent: Agent
    ) -> None:
        """Ask for a title, unless that was done or too many are asked for."""
        if conversation.id in self._asked or not self._has_room():
            return
        asking = _ask(assistant, question, agent, conversation.choices.model)
        task = asyncio.create_task(asking, name="title")
        self._asked[conversation.id] = task
        task.add_done_callback(partial(self._forget_failed, conversation.id))

    async def take(self, conversation: Conversation) -> SuggestedTitle | None:
        """Remove and return a title that is ready, and note that the conversation has one."""
        task = self._asked.get(conversation.id)
        if task is None or not task.done():
            return None
        del self._asked[conversation.id]
        if not _has_title(task):
            return None
        try:
            is_first = await self._replies.mark_titled(conversation.id)
        except StoreUnavailableError:
            return None
        return task.result() if is_first else None

    async def aclose(self) -> None:
        """Stop asking."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._asked.clear()

    def _has_room(self) -> bool:
        """Return whether one more may be asked for; if necessary, drop the oldest ready title."""
        if len(self._asked) < _MOST_AT_ONCE:
            return True
        ready = next((id_ for id_, task in self._asked.items() if task.done()), None)
        return ready is not None and self._asked.pop(ready) is not None

    def _forget_failed(
        self, conversation_id: str, task: asyncio.Task[SuggestedTitle | None]
    ) -> None:
        if not _has_title(task):
            self._asked.pop(conversation_id, None)


class PendingTitle:
    """The title of one conversation. Made for one stream."""

    def __init__(
        self, titles: Titles, conversation: Conversation, question: str, assistant: Assistant
    ) -> None:
        self._titles = titles
        self._conversation = conversation
        self._question = question
        self._assistant = assistant
        self._has_begun = False

    def begin(self, agent: Agent) -> None:
        """Ask for it, once the agent's reply has begun, unless that was done.

        A server that answers one question at a time would otherwise keep the user waiting.
        """
        if not self._has_begun:
            self._has_begun = True
            self._titles.begin(self._conversation, self._question, self._assistant, agent)

    async def take(self) -> SuggestedTitle | None:
        """Return it if it is ready and was not sent; never wait for it."""
        return await self._titles.take(self._conversation)


def _has_title(task: asyncio.Task[SuggestedTitle | None]) -> bool:
    return not task.cancelled() and task.exception() is None and task.result() is not None


async def _ask(
    assistant: Assistant, question: str, agent: Agent, model: str | None
) -> SuggestedTitle | None:
    try:
        suggested = await assistant.suggest_title(question, agent, model)
    except StreamFailureError:
        # Its words are for the user, and may quote what the user wrote.
        log.info("no title was suggested")
        return None
    return suggested if suggested is not None and suggested.title else None
