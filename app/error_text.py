"""The words for what went wrong. One sentence each, in the user's words, with what to do next.

Texts are plain English templates; the window translates `text` and then fills in `values`.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol


class Reason(enum.StrEnum):
    """Why something could not be done; each member has its words below."""

    CONNECT_DNS = "connect_dns"
    CONNECT_REFUSED = "connect_refused"
    CONNECT_TLS = "connect_tls"
    CONNECT_TIMEOUT = "connect_timeout"
    CONNECT_PROXY = "connect_proxy"
    CONNECT_UNREACHABLE = "connect_unreachable"
    REQUEST_TIMEOUT = "request_timeout"
    CONNECTION_LOST = "connection_lost"
    INVALID_KEY = "invalid_key"
    CONVERSATION_GONE = "conversation_gone"
    NOT_FOUND = "not_found"
    RATE_LIMITED = "rate_limited"
    RATE_LIMITED_UNTIMED = "rate_limited_untimed"
    INVALID_REQUEST = "invalid_request"
    TOO_LARGE_TO_SEND = "too_large_to_send"
    UNKNOWN_AGENT = "unknown_agent"
    CONVERSATION_BUSY = "conversation_busy"
    TOOL_CALL_OVER = "tool_call_over"
    CREATE_UNSUPPORTED = "create_unsupported"
    REFUSED = "refused"
    SERVER_FAILED = "server_failed"
    ANSWER_REDIRECT = "answer_redirect"
    ANSWER_UNREADABLE = "answer_unreadable"
    ANSWER_TOO_LARGE = "answer_too_large"
    ID_REFUSED = "id_refused"
    STREAM_ENDED = "stream_ended"
    STREAM_STALLED = "stream_stalled"
    STREAM_TOO_LARGE = "stream_too_large"
    STREAM_UNREADABLE = "stream_unreadable"
    STREAM_MISDIRECTED = "stream_misdirected"
    SERVICE_FAILED = "service_failed"
    SERVICE_RESTARTING = "service_restarting"
    KEY_MISSING = "key_missing"
    SETTINGS_NOT_KEPT = "settings_not_kept"
    PUT_ASIDE = "put_aside"
    LEDGER_UNUSABLE = "ledger_unusable"
    FILE_NOT_TEXT = "file_not_text"
    FILE_TOO_LARGE = "file_too_large"
    FILE_UNREADABLE = "file_unreadable"
    STORE_FULL = "store_full"
    STORE_LOCKED = "store_locked"
    STORE_DAMAGED = "store_damaged"
    STORE_NEWER = "store_newer"
    STORE_UNWRITABLE = "store_unwritable"
    RECORD_UNWRITABLE = "record_unwritable"
    MESSAGE_EMPTY = "message_empty"
    MESSAGE_HELD = "message_held"
    MESSAGE_NOT_DELIVERED = "message_not_delivered"
    MESSAGE_UNCONFIRMED = "message_unconfirmed"
    REPLY_MISSING = "reply_missing"
    REPLY_CUT = "reply_cut"
    REPLY_ENDS_HERE = "reply_ends_here"
    REPLY_FAILED = "reply_failed"
    REPLY_NOT_KEPT = "reply_not_kept"
    RESULT_NOT_POSTED = "result_not_posted"
    RESULT_UNCONFIRMED = "result_unconfirmed"
    STOPPED = "stopped"
    STOPPED_UNSENT = "stopped_unsent"
    UNEXPECTED = "unexpected"


class Action(enum.StrEnum):
    """What a notice offers; the window gives each a button."""

    TRY_AGAIN = "try_again"
    CHECK_AGAIN = "check_again"
    CONTINUE = "continue"
    OPEN_SETTINGS = "open_settings"
    CHOOSE_AGENT = "choose_agent"
    OPEN_BY_ID = "open_by_id"
    DETAILS = "details"


class Explainable(Protocol):
    """What `explain` needs to know of an error; every `UserFacingError` fits."""

    @property
    def reason(self) -> str:
        """A member of `Reason`."""

    @property
    def values(self) -> Mapping[str, str | int]:
        """What the template mentions."""


@dataclass(frozen=True, slots=True)
class ErrorText:
    """A sentence for a notice and at most two things to do about it."""

    text: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    actions: tuple[Action, ...] = ()

    @property
    def sentence(self) -> str:
        """The English sentence with its values filled in; plain text, escaped when drawn."""
        return self.text.format_map(self.values)


@dataclass(frozen=True, slots=True)
class _Words:
    text: str
    actions: tuple[Action, ...] = ()


_AGAIN = (Action.TRY_AGAIN,)
_AGAIN_OR_SETTINGS = (Action.TRY_AGAIN, Action.OPEN_SETTINGS)
_CHECK_OR_AGAIN = (Action.CHECK_AGAIN, Action.TRY_AGAIN)
_DETAILS = (Action.TRY_AGAIN, Action.DETAILS)

_WORDS: Final[Mapping[Reason, _Words]] = MappingProxyType(
    {
        Reason.CONNECT_DNS: _Words(
            "The address {host} could not be found. Check the address and your network.",
            _AGAIN_OR_SETTINGS,
        ),
        Reason.CONNECT_REFUSED: _Words(
            "Nothing answers at {host}. The service may not be running.", _AGAIN_OR_SETTINGS
        ),
        Reason.CONNECT_TLS: _Words(
            "The connection to {host} is not secure, so nothing was sent.",
            (Action.OPEN_SETTINGS, Action.DETAILS),
        ),
        Reason.CONNECT_TIMEOUT: _Words("{host} did not answer in time.", _AGAIN_OR_SETTINGS),
        Reason.CONNECT_PROXY: _Words(
            "The proxy did not let the connection to {host} through.", _AGAIN_OR_SETTINGS
        ),
        Reason.CONNECT_UNREACHABLE: _Words(
            "{host} cannot be reached from this network.", _AGAIN_OR_SETTINGS
        ),
        Reason.REQUEST_TIMEOUT: _Words("The service took too long to answer.", _CHECK_OR_AGAIN),
        Reason.CONNECTION_LOST: _Words(
            "The connection was lost before an answer came.", _CHECK_OR_AGAIN
        ),
        Reason.INVALID_KEY: _Words(
            "The service does not accept this project key.", (Action.OPEN_SETTINGS,)
        ),
        Reason.CONVERSATION_GONE: _Words("This conversation no longer exists on the service."),
        Reason.NOT_FOUND: _Words(
            "The service does not know this request. The address may belong to something else.",
            (Action.OPEN_SETTINGS, Action.DETAILS),
        ),
        Reason.RATE_LIMITED: _Words("Limit reached. Next try in {seconds} s.", _AGAIN),
        Reason.RATE_LIMITED_UNTIMED: _Words("Limit reached. Wait a moment and try again.", _AGAIN),
        Reason.INVALID_REQUEST: _Words(
            "The service did not accept this: {message}", (Action.DETAILS,)
        ),
        Reason.TOO_LARGE_TO_SEND: _Words("This is larger than the service accepts."),
        Reason.UNKNOWN_AGENT: _Words(
            "The chosen agent is not available any more.", (Action.CHOOSE_AGENT,)
        ),
        Reason.CONVERSATION_BUSY: _Words(
            "This conversation is still answering an earlier message.", _AGAIN
        ),
        Reason.TOOL_CALL_OVER: _Words("The service no longer waits for the result of this tool."),
        Reason.CREATE_UNSUPPORTED: _Words(
            "This service does not start new conversations here.", (Action.OPEN_BY_ID,)
        ),
        Reason.REFUSED: _Words("The service refused this: {message}", _DETAILS),
        Reason.SERVER_FAILED: _Words("The service had a problem of its own.", _DETAILS),
        Reason.ANSWER_REDIRECT: _Words(
            "The service points to another address, {target}. Nothing was sent there.",
            (Action.OPEN_SETTINGS, Action.DETAILS),
        ),
        Reason.ANSWER_UNREADABLE: _Words(
            "The answer from {host} could not be understood. Check the address.",
            (Action.OPEN_SETTINGS, Action.DETAILS),
        ),
        Reason.ANSWER_TOO_LARGE: _Words("The answer is too large to be shown."),
        Reason.ID_REFUSED: _Words("This is not a conversation id, so nothing was sent."),
        Reason.STREAM_ENDED: _Words(
            "The connection was lost and the reply is incomplete.",
            (Action.CHECK_AGAIN, Action.CONTINUE),
        ),
        Reason.STREAM_STALLED: _Words(
            "Nothing more came for {seconds} s, so the reply is incomplete.",
            (Action.CHECK_AGAIN, Action.CONTINUE),
        ),
        Reason.STREAM_TOO_LARGE: _Words("The reply was too large and was cut."),
        Reason.STREAM_UNREADABLE: _Words(
            "The reply came in a form that cannot be read.", (Action.CHECK_AGAIN, Action.DETAILS)
        ),
        Reason.STREAM_MISDIRECTED: _Words(
            "The service answered for another conversation, so the reply was not used.", _DETAILS
        ),
        Reason.SERVICE_FAILED: _Words(
            "The service on this computer keeps stopping.", (Action.TRY_AGAIN, Action.DETAILS)
        ),
        Reason.SERVICE_RESTARTING: _Words(
            "The service on this computer stopped and is starting again. Nothing was lost."
        ),
        Reason.KEY_MISSING: _Words(
            "The key for {host} is not in this computer’s keyring.", (Action.OPEN_SETTINGS,)
        ),
        Reason.SETTINGS_NOT_KEPT: _Words(
            "The settings could not be written, so the change lasts until Parley closes."
        ),
        Reason.PUT_ASIDE: _Words(
            "A damaged file was put aside as {path}. Parley began a new one."
        ),
        Reason.LEDGER_UNUSABLE: _Words(
            "The record of tool calls cannot be opened, so Parley does not start: {message}"
        ),
        Reason.FILE_NOT_TEXT: _Words("{name} is not a text file, so it was not added."),
        Reason.FILE_TOO_LARGE: _Words("{name} is larger than {limit_kb} kB, so it was not added."),
        Reason.FILE_UNREADABLE: _Words("{name} could not be read."),
        Reason.STORE_FULL: _Words(
            "The disk is full, so this could not be kept. What was kept before is safe.", _AGAIN
        ),
        Reason.STORE_LOCKED: _Words(
            "Another program holds the file in which chats are kept.", _AGAIN
        ),
        Reason.STORE_DAMAGED: _Words("The file in which chats are kept is damaged."),
        Reason.STORE_NEWER: _Words(
            "A newer version of this program keeps its chats here, so they were left alone."
        ),
        Reason.STORE_UNWRITABLE: _Words(
            "Chats cannot be kept: the data folder cannot be written.", _AGAIN
        ),
        Reason.RECORD_UNWRITABLE: _Words(
            "The tool was not run, because the record of tool calls cannot be written."
        ),
        Reason.MESSAGE_EMPTY: _Words("There is nothing to send yet."),
        Reason.MESSAGE_HELD: _Words("This message was not sent yet.", _AGAIN),
        Reason.MESSAGE_NOT_DELIVERED: _Words("This message did not reach the service.", _AGAIN),
        Reason.MESSAGE_UNCONFIRMED: _Words(
            "This message may have reached the service.", _CHECK_OR_AGAIN
        ),
        Reason.REPLY_MISSING: _Words(
            "The message reached the service, but there is no reply to it.", _CHECK_OR_AGAIN
        ),
        Reason.REPLY_CUT: _Words(
            "The connection was lost in the middle of this reply. What arrived is kept.",
            (Action.CONTINUE, Action.TRY_AGAIN),
        ),
        Reason.REPLY_ENDS_HERE: _Words("The service has no more of this reply.", _AGAIN),
        Reason.REPLY_FAILED: _Words("The service could not finish this reply: {message}", _AGAIN),
        Reason.REPLY_NOT_KEPT: _Words(
            "This reply is shown, but cannot be kept on this computer at the moment."
        ),
        Reason.RESULT_NOT_POSTED: _Words(
            "The result of the tool is kept, but did not reach the service.", _AGAIN
        ),
        Reason.RESULT_UNCONFIRMED: _Words(
            "The result of the tool may not have reached the service.", _CHECK_OR_AGAIN
        ),
        Reason.STOPPED: _Words("Stopped."),
        Reason.STOPPED_UNSENT: _Words("Stopped before this message was sent.", _AGAIN),
        Reason.UNEXPECTED: _Words(
            "Something unexpected happened. It was noted in the log.", (Action.DETAILS,)
        ),
    }
)


class _Values(dict[str, str | int]):
    """Values in which a missing one reads as an ellipsis: words never fail on the way out."""

    def __missing__(self, key: str) -> str:
        return "…"


def explain(error: Explainable) -> ErrorText:
    """Find the words for `error`; one without words of its own is called unexpected."""
    try:
        words = _WORDS[Reason(error.reason)]
    except ValueError:
        words = _WORDS[Reason.UNEXPECTED]
    return ErrorText(words.text, _Values(error.values), words.actions)
