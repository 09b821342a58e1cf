"""The words for what went wrong. One sentence each, in the user's words.

Texts are plain English templates; the window translates `text` and then fills in `values`.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol

from app.phrases import QT_TRANSLATE_NOOP


class Reason(enum.StrEnum):
    """Why something could not be done; each member has its words below."""

    CONNECT_DNS = "connect_dns"
    CONNECT_REFUSED = "connect_refused"
    CONNECT_TLS = "connect_tls"
    CONNECT_TLS_DATE = "connect_tls_date"
    CONNECT_TLS_NAME = "connect_tls_name"
    CONNECT_TLS_UNKNOWN = "connect_tls_unknown"
    CONNECT_TIMEOUT = "connect_timeout"
    CONNECT_PROXY = "connect_proxy"
    CONNECT_UNREACHABLE = "connect_unreachable"
    REQUEST_TIMEOUT = "request_timeout"
    CONNECTION_LOST = "connection_lost"
    INVALID_KEY = "invalid_key"
    CONVERSATION_GONE = "conversation_gone"
    DELETED_ELSEWHERE = "deleted_elsewhere"
    NOT_FOUND = "not_found"
    RATE_LIMITED = "rate_limited"
    RATE_LIMIT_WAIT = "rate_limit_wait"
    CONVERSATION_BUSY_WAIT = "conversation_busy_wait"
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
    STREAM_CUT = "stream_cut"
    STREAM_STALLED = "stream_stalled"
    STREAM_TOO_LARGE = "stream_too_large"
    STREAM_UNREADABLE = "stream_unreadable"
    STREAM_MISDIRECTED = "stream_misdirected"
    SERVICE_FAILED = "service_failed"
    SERVICE_RESTARTING = "service_restarting"
    SERVICE_GONE = "service_gone"
    MODEL_SILENT = "model_silent"
    CATALOG_FAILED = "catalog_failed"
    NOT_CONNECTED = "not_connected"
    KEY_MISSING = "key_missing"
    KEY_NOT_KEPT = "key_not_kept"
    SETTINGS_NOT_KEPT = "settings_not_kept"
    CHOICE_NOT_KEPT = "choice_not_kept"
    SETTINGS_MISREAD = "settings_misread"
    SETTINGS_MISREAD_KEPT = "settings_misread_kept"
    PUT_ASIDE = "put_aside"
    SALVAGED = "salvaged"
    SEVERAL_PUT_ASIDE = "several_put_aside"
    LEDGER_UNUSABLE = "ledger_unusable"
    NO_SANDBOX = "no_sandbox"
    SANDBOX_GAPS = "sandbox_gaps"
    FILE_NOT_TEXT = "file_not_text"
    FILE_TOO_LARGE = "file_too_large"
    FILE_UNREADABLE = "file_unreadable"
    STORE_FULL = "store_full"
    STORE_LOCKED = "store_locked"
    STORE_DAMAGED = "store_damaged"
    STORE_NEWER = "store_newer"
    STORE_UNWRITABLE = "store_unwritable"
    STORE_GONE = "store_gone"
    RECORD_UNWRITABLE = "record_unwritable"
    OUTCOME_NOT_RECORDED = "outcome_not_recorded"
    CHECK_LATER = "check_later"
    MESSAGE_EMPTY = "message_empty"
    MESSAGE_HELD = "message_held"
    MESSAGE_TOO_LONG = "message_too_long"
    MESSAGE_NOT_DELIVERED = "message_not_delivered"
    MESSAGE_UNCONFIRMED = "message_unconfirmed"
    REPLY_MISSING = "reply_missing"
    REPLY_CUT = "reply_cut"
    REPLY_CLOSED = "reply_closed"
    REPLY_ENDS_HERE = "reply_ends_here"
    REPLY_FAILED = "reply_failed"
    REPLY_NOT_KEPT = "reply_not_kept"
    RESULT_NOT_POSTED = "result_not_posted"
    RESULT_UNCONFIRMED = "result_unconfirmed"
    STOPPED = "stopped"
    STOPPED_BEFORE_REPLY = "stopped_before_reply"
    STOPPED_UNSENT = "stopped_unsent"
    EXPORT_EXISTS = "export_exists"
    EXPORT_NOT_WRITTEN = "export_not_written"
    IMPORT_UNREADABLE = "import_unreadable"
    IMPORT_TOO_LARGE = "import_too_large"
    IMPORT_NOTHING_FOUND = "import_nothing_found"
    IMPORT_NEWER = "import_newer"
    ARCHIVE_READ_ONLY = "archive_read_only"
    UNEXPECTED = "unexpected"


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
    """A sentence for people: a template that is translated, and what is filled in.

    `is_in_log` says that the log has more to tell of it.
    """

    text: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    is_in_log: bool = False

    @property
    def sentence(self) -> str:
        """The English sentence with its values filled in; plain text, escaped when drawn."""
        return self.text.format_map(self.values)


_WORDS: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.CONNECT_DNS: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The address {host} could not be found. Check the address and your network.",
        ),
        Reason.CONNECT_REFUSED: QT_TRANSLATE_NOOP(
            "ErrorText", "Nothing answers at {host}. The service may not be running."
        ),
        Reason.CONNECT_TLS: QT_TRANSLATE_NOOP(
            "ErrorText", "The connection to {host} is not secure, so nothing was sent."
        ),
        Reason.CONNECT_TLS_DATE: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The certificate of {host} does not hold at this time, so nothing was sent. "
            "Check this computer’s clock, or ask whoever runs the service.",
        ),
        Reason.CONNECT_TLS_NAME: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The certificate shown at {host} belongs to another address, so nothing was sent.",
        ),
        Reason.CONNECT_TLS_UNKNOWN: QT_TRANSLATE_NOOP(
            "ErrorText",
            "Nobody whom this computer trusts vouches for {host}, so nothing was sent.",
        ),
        Reason.CONNECT_TIMEOUT: QT_TRANSLATE_NOOP("ErrorText", "{host} did not answer in time."),
        Reason.CONNECT_PROXY: QT_TRANSLATE_NOOP(
            "ErrorText", "The proxy did not let the connection to {host} through."
        ),
        Reason.CONNECT_UNREACHABLE: QT_TRANSLATE_NOOP(
            "ErrorText", "{host} cannot be reached from this network."
        ),
        Reason.REQUEST_TIMEOUT: QT_TRANSLATE_NOOP(
            "ErrorText", "The service took too long to answer."
        ),
        Reason.CONNECTION_LOST: QT_TRANSLATE_NOOP(
            "ErrorText", "The connection was lost before an answer came."
        ),
        Reason.INVALID_KEY: QT_TRANSLATE_NOOP(
            "ErrorText", "The service does not accept this project key."
        ),
        Reason.CONVERSATION_GONE: QT_TRANSLATE_NOOP(
            "ErrorText", "This conversation no longer exists on the service."
        ),
        Reason.DELETED_ELSEWHERE: QT_TRANSLATE_NOOP(
            "ErrorText", "The chat that was here was deleted in another window."
        ),
        Reason.NOT_FOUND: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The service does not know this request. The address may belong to something else.",
        ),
        Reason.RATE_LIMITED: QT_TRANSLATE_NOOP(
            "ErrorText", "Limit reached. Wait a moment and try again."
        ),
        Reason.RATE_LIMIT_WAIT: QT_TRANSLATE_NOOP(
            "ErrorText", "Limit reached. Next try in {seconds} s."
        ),
        Reason.CONVERSATION_BUSY_WAIT: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The service is still busy with this conversation. Next try in {seconds} s.",
        ),
        Reason.INVALID_REQUEST: QT_TRANSLATE_NOOP(
            "ErrorText", "The service did not accept this: {message}"
        ),
        Reason.TOO_LARGE_TO_SEND: QT_TRANSLATE_NOOP(
            "ErrorText", "This is larger than the service accepts."
        ),
        Reason.UNKNOWN_AGENT: QT_TRANSLATE_NOOP("ErrorText", "No agent can answer this: {message}"),
        Reason.CONVERSATION_BUSY: QT_TRANSLATE_NOOP(
            "ErrorText", "This conversation is still answering an earlier message."
        ),
        Reason.TOOL_CALL_OVER: QT_TRANSLATE_NOOP(
            "ErrorText", "The service no longer waits for the result of this tool."
        ),
        Reason.CREATE_UNSUPPORTED: QT_TRANSLATE_NOOP(
            "ErrorText", "This service does not start new conversations here."
        ),
        Reason.REFUSED: QT_TRANSLATE_NOOP("ErrorText", "The service refused this: {message}"),
        Reason.SERVER_FAILED: QT_TRANSLATE_NOOP(
            "ErrorText", "The service had a problem of its own."
        ),
        Reason.ANSWER_REDIRECT: QT_TRANSLATE_NOOP(
            "ErrorText", "The service points to another address, {target}. Nothing was sent there."
        ),
        Reason.ANSWER_UNREADABLE: QT_TRANSLATE_NOOP(
            "ErrorText", "The answer from {host} could not be understood. Check the address."
        ),
        Reason.ANSWER_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorText", "The answer is too large to be shown."
        ),
        Reason.ID_REFUSED: QT_TRANSLATE_NOOP(
            "ErrorText", "This is not a conversation id, so nothing was sent."
        ),
        Reason.STREAM_ENDED: QT_TRANSLATE_NOOP(
            "ErrorText", "The connection was lost and the reply is incomplete."
        ),
        Reason.STREAM_STALLED: QT_TRANSLATE_NOOP(
            "ErrorText", "Nothing more came for {seconds} s, so the reply is incomplete."
        ),
        Reason.STREAM_CUT: QT_TRANSLATE_NOOP(
            "ErrorText", "The connection was lost in the middle of this reply."
        ),
        Reason.STREAM_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorText", "The reply was too large and was cut."
        ),
        Reason.STREAM_UNREADABLE: QT_TRANSLATE_NOOP(
            "ErrorText", "The reply came in a form that cannot be read."
        ),
        Reason.STREAM_MISDIRECTED: QT_TRANSLATE_NOOP(
            "ErrorText", "The service answered for another conversation, so the reply was not used."
        ),
        Reason.SERVICE_FAILED: QT_TRANSLATE_NOOP(
            "ErrorText", "The service on this computer keeps stopping. It said: {message}"
        ),
        Reason.MODEL_SILENT: QT_TRANSLATE_NOOP(
            "ErrorText", "This model does not answer: {message}"
        ),
        Reason.CATALOG_FAILED: QT_TRANSLATE_NOOP(
            "ErrorText", "The service on this computer could not do this: {message}"
        ),
        Reason.SERVICE_RESTARTING: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The service on this computer stopped and is starting again. Nothing was lost.",
        ),
        Reason.SERVICE_GONE: QT_TRANSLATE_NOOP(
            "ErrorText", "The service on this computer has stopped, so nothing was sent."
        ),
        Reason.NOT_CONNECTED: QT_TRANSLATE_NOOP("ErrorText", "Parley is not connected yet."),
        Reason.KEY_MISSING: QT_TRANSLATE_NOOP(
            "ErrorText", "The key for {host} is not in this computer’s keyring."
        ),
        Reason.KEY_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorText", "No keyring was found, so the key is kept until Parley closes."
        ),
        Reason.SETTINGS_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The settings could not be written, so the change lasts until Parley closes.",
        ),
        Reason.CHOICE_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorText", "The settings could not be written, so nothing was changed."
        ),
        Reason.SETTINGS_MISREAD: QT_TRANSLATE_NOOP(
            "ErrorText", "Not understood in the settings, so the default holds: {settings}."
        ),
        Reason.SETTINGS_MISREAD_KEPT: QT_TRANSLATE_NOOP(
            "ErrorText",
            "Not understood in the settings, so the default holds: {settings}. "
            "The file as it was is kept as {path}.",
        ),
        Reason.PUT_ASIDE: QT_TRANSLATE_NOOP(
            "ErrorText",
            "Parley could not read {what}, and began anew. The file is kept as {path}.",
        ),
        Reason.SALVAGED: QT_TRANSLATE_NOOP(
            "ErrorText",
            "Parley found {what} damaged. What could still be read is here; the damaged file is "
            "kept as {path}.",
        ),
        Reason.SEVERAL_PUT_ASIDE: QT_TRANSLATE_NOOP(
            "ErrorText",
            "Parley found files damaged. What could still be read is here; the damaged files are "
            "kept: {files}.",
        ),
        Reason.LEDGER_UNUSABLE: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The record of tool calls cannot be opened, so nothing can be sent: {message}",
        ),
        Reason.NO_SANDBOX: QT_TRANSLATE_NOOP(
            "ErrorText",
            "No sandbox works on this computer: tools run with your rights, and every call asks. "
            "On Linux, install bubblewrap.",
        ),
        Reason.SANDBOX_GAPS: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The sandbox on this computer has gaps, so every call of a tool asks. On Linux, "
            "bubblewrap has none: install it, or allow it to make namespaces.",
        ),
        Reason.FILE_NOT_TEXT: QT_TRANSLATE_NOOP(
            "ErrorText", "{name} is not a text file, so it was not added."
        ),
        Reason.FILE_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorText", "{name} is larger than {limit_kb} kB, so it was not added."
        ),
        Reason.FILE_UNREADABLE: QT_TRANSLATE_NOOP("ErrorText", "{name} could not be read."),
        Reason.STORE_FULL: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The disk is full, so this could not be kept. What was kept before is safe.",
        ),
        Reason.STORE_LOCKED: QT_TRANSLATE_NOOP(
            "ErrorText", "Another program holds the file in which chats are kept."
        ),
        Reason.STORE_DAMAGED: QT_TRANSLATE_NOOP(
            "ErrorText", "The file in which chats are kept is damaged."
        ),
        Reason.STORE_NEWER: QT_TRANSLATE_NOOP(
            "ErrorText",
            "A newer version of this program keeps its chats here, so they were left alone.",
        ),
        Reason.STORE_UNWRITABLE: QT_TRANSLATE_NOOP(
            "ErrorText", "Chats cannot be kept: the data folder cannot be written."
        ),
        Reason.STORE_GONE: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The folder in which Parley keeps its chats is gone, so this could not be kept. "
            "Put it back, or start Parley again.",
        ),
        Reason.RECORD_UNWRITABLE: QT_TRANSLATE_NOOP(
            "ErrorText", "The tool was not run, because the record of tool calls cannot be written."
        ),
        Reason.OUTCOME_NOT_RECORDED: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The tool may have run, but its outcome could not be recorded. It is not run again.",
        ),
        Reason.MESSAGE_EMPTY: QT_TRANSLATE_NOOP("ErrorText", "There is nothing to send yet."),
        Reason.CHECK_LATER: QT_TRANSLATE_NOOP(
            "ErrorText", "A reply is on its way. Check again when it has ended."
        ),
        Reason.MESSAGE_TOO_LONG: QT_TRANSLATE_NOOP(
            "ErrorText", "This is longer than a message can be: {limit} characters at most."
        ),
        Reason.MESSAGE_HELD: QT_TRANSLATE_NOOP("ErrorText", "This message was not sent yet."),
        Reason.MESSAGE_NOT_DELIVERED: QT_TRANSLATE_NOOP(
            "ErrorText", "This message did not reach the service."
        ),
        Reason.MESSAGE_UNCONFIRMED: QT_TRANSLATE_NOOP(
            "ErrorText", "This message may have reached the service."
        ),
        Reason.REPLY_MISSING: QT_TRANSLATE_NOOP(
            "ErrorText", "The message reached the service, but there is no reply to it."
        ),
        Reason.REPLY_CUT: QT_TRANSLATE_NOOP(
            "ErrorText",
            "The connection was lost in the middle of this reply. What arrived is kept.",
        ),
        Reason.REPLY_CLOSED: QT_TRANSLATE_NOOP(
            "ErrorText", "Parley was closed before this reply ended. What arrived is kept."
        ),
        Reason.REPLY_ENDS_HERE: QT_TRANSLATE_NOOP(
            "ErrorText", "This is all that the service has of this reply. It may have been cut off."
        ),
        Reason.REPLY_FAILED: QT_TRANSLATE_NOOP(
            "ErrorText", "The service could not finish this reply: {message}"
        ),
        Reason.REPLY_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorText", "This reply is shown, but cannot be kept on this computer at the moment."
        ),
        Reason.RESULT_NOT_POSTED: QT_TRANSLATE_NOOP(
            "ErrorText", "The result of the tool is kept, but did not reach the service."
        ),
        Reason.RESULT_UNCONFIRMED: QT_TRANSLATE_NOOP(
            "ErrorText", "The result of the tool may not have reached the service."
        ),
        Reason.STOPPED: QT_TRANSLATE_NOOP("ErrorText", "Stopped."),
        Reason.STOPPED_BEFORE_REPLY: QT_TRANSLATE_NOOP("ErrorText", "Stopped before a reply."),
        Reason.STOPPED_UNSENT: QT_TRANSLATE_NOOP(
            "ErrorText", "Stopped before this message was sent."
        ),
        Reason.EXPORT_EXISTS: QT_TRANSLATE_NOOP(
            "ErrorText", "{name} is there already and was left as it is."
        ),
        Reason.EXPORT_NOT_WRITTEN: QT_TRANSLATE_NOOP(
            "ErrorText", "{name} could not be written. Check the folder and the free space."
        ),
        Reason.IMPORT_UNREADABLE: QT_TRANSLATE_NOOP("ErrorText", "{name} could not be read."),
        Reason.IMPORT_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorText", "{name} is larger than any export of chats, so nothing was imported."
        ),
        Reason.IMPORT_NOTHING_FOUND: QT_TRANSLATE_NOOP(
            "ErrorText",
            "No chats were found in {name}. Parley reads its own exports and those of ChatGPT "
            "and Claude.",
        ),
        Reason.IMPORT_NEWER: QT_TRANSLATE_NOOP(
            "ErrorText", "A newer version of Parley wrote {name}, so nothing was imported."
        ),
        Reason.ARCHIVE_READ_ONLY: QT_TRANSLATE_NOOP(
            "ErrorText", "Imported chats can be read, but not continued."
        ),
        Reason.UNEXPECTED: QT_TRANSLATE_NOOP(
            "ErrorText", "Something unexpected happened. It was noted in the log."
        ),
    }
)


# Reasons that stand in stores of earlier versions.
_FORMER: Final = {"rate_limited_untimed": Reason.RATE_LIMITED}
_IN_LOG: Final = frozenset({Reason.SERVICE_FAILED, Reason.UNEXPECTED})


class _Values(dict[str, str | int]):
    """Values in which a missing one reads as an ellipsis: words never fail on the way out."""

    def __missing__(self, key: str) -> str:
        return "…"


def explain(error: Explainable) -> ErrorText:
    """Find the words for `error`; one without words of its own is called unexpected."""
    try:
        reason = Reason(_FORMER.get(error.reason, error.reason))
    except ValueError:
        reason = Reason.UNEXPECTED
    return ErrorText(_WORDS[reason], _Values(error.values), reason in _IN_LOG)
