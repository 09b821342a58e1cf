"""The error messages that users see: what happened, and what was kept.

Each `ErrorCode` has its words. They are plain English templates; the window translates them and
then fills in `values`. What the user can do about an error is a button beside the message.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol

from app.common.plain_causes import MissingAsEllipsis, plain_cause
from local_tools.translation_marks import QT_TRANSLATE_NOOP


class ErrorCode(enum.StrEnum):
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
    UNKNOWN_MODEL = "unknown_model"
    CONVERSATION_BUSY = "conversation_busy"
    MESSAGE_GONE = "message_gone"
    EDIT_LATER = "edit_later"
    FORK_UNSUPPORTED = "fork_unsupported"
    CONTINUE_TOO_LONG = "continue_too_long"
    SUMMARY_FAILED = "summary_failed"
    PREVIEW_TOO_LARGE = "preview_too_large"
    PREVIEW_NOT_OPENED = "preview_not_opened"
    FILE_NOT_WRITTEN = "file_not_written"
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
    MODEL_FILE_REFUSED = "model_file_refused"
    MODELS_UNLISTED = "models_unlisted"
    MODELS_KEY_REFUSED = "models_key_refused"
    DOWNLOAD_FAILED = "download_failed"
    NO_MODEL_FITS = "no_model_fits"
    NO_MODEL_FILES = "no_model_files"
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
    ATTACHMENT_BROKEN = "attachment_broken"
    ATTACHMENT_EMPTY = "attachment_empty"
    ATTACHMENT_LOCKED = "attachment_locked"
    ATTACHMENT_NO_FILE = "attachment_no_file"
    ATTACHMENT_OLD_OFFICE = "attachment_old_office"
    ATTACHMENT_SLOW = "attachment_slow"
    ATTACHMENT_TOO_LARGE = "attachment_too_large"
    ATTACHMENT_UNKNOWN = "attachment_unknown"
    ATTACHMENT_UNPACKS = "attachment_unpacks"
    ATTACHMENTS_ELSEWHERE = "attachments_elsewhere"
    ATTACHMENTS_TOO_MANY = "attachments_too_many"
    IMAGES_NOT_TAKEN = "images_not_taken"
    IMAGES_TOO_MANY = "images_too_many"
    IMAGES_FULL = "images_full"
    IMAGE_HEIC = "image_heic"
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


class HasErrorCode(Protocol):
    """What `explain` needs to know of an error; every `UserFacingError` fits."""

    @property
    def reason(self) -> str:
        """The value of an `ErrorCode`; another one reads as `UNEXPECTED`."""

    @property
    def values(self) -> Mapping[str, str | int]:
        """The values that the template mentions."""


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """A sentence for people: a template that is translated, and what is filled in.

    `is_in_log` says that the log has more to tell of it. `kept` is a second sentence,
    `KEPT_MESSAGE` or `KEPT_REPLY`, where the first leaves open what became of them.
    """

    text: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    is_in_log: bool = False
    kept: str = ""

    @property
    def sentence(self) -> str:
        """The English sentences with their values filled in; plain text, escaped when drawn."""
        return " ".join(filter(None, (self.text.format_map(self.values), self.kept)))


KEPT_MESSAGE: Final = QT_TRANSLATE_NOOP("ErrorMessage", "Your message was kept.")
KEPT_REPLY: Final = QT_TRANSLATE_NOOP("ErrorMessage", "The part that arrived was kept.")


_WORDS: Final[Mapping[ErrorCode, str]] = MappingProxyType(
    {
        ErrorCode.CONNECT_DNS: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The address {host} could not be found. Check the address and your network.",
        ),
        ErrorCode.CONNECT_REFUSED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{host} does not respond. Check that the service is running."
        ),
        ErrorCode.CONNECT_TLS: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The connection to {host} is not secure, so nothing was sent."
        ),
        ErrorCode.CONNECT_TLS_DATE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The certificate of {host} is not valid at this time, so nothing was sent. Check "
            "this computer’s clock, or contact whoever runs the service.",
        ),
        ErrorCode.CONNECT_TLS_NAME: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The certificate of {host} belongs to another address, so nothing was sent. "
            "Check the address.",
        ),
        ErrorCode.CONNECT_TLS_UNKNOWN: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The certificate of {host} is not trusted, so nothing was sent. Check the "
            "address, or add a custom certificate in Settings, under “Network”.",
        ),
        ErrorCode.CONNECT_TIMEOUT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{host} did not answer in time."
        ),
        ErrorCode.CONNECT_PROXY: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The proxy refused the connection to {host}. Check it in Settings, under “Network”.",
        ),
        ErrorCode.CONNECT_UNREACHABLE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{host} cannot be reached from this network."
        ),
        ErrorCode.REQUEST_TIMEOUT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service took too long to answer."
        ),
        ErrorCode.CONNECTION_LOST: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The connection was lost before an answer came."
        ),
        ErrorCode.INVALID_KEY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service does not accept this project key."
        ),
        ErrorCode.CONVERSATION_GONE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This chat no longer exists on the service."
        ),
        ErrorCode.DELETED_ELSEWHERE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This chat was deleted in another window."
        ),
        ErrorCode.NOT_FOUND: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service does not support this request. Check the address."
        ),
        ErrorCode.RATE_LIMITED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Rate limit reached. Wait a moment and try again."
        ),
        ErrorCode.RATE_LIMIT_WAIT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Rate limit reached. Retrying in {seconds} s."
        ),
        ErrorCode.CONVERSATION_BUSY_WAIT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service is still answering in this chat. Retrying in {seconds} s."
        ),
        ErrorCode.INVALID_REQUEST: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service did not accept this: {message}"
        ),
        ErrorCode.TOO_LARGE_TO_SEND: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "This message is larger than the service accepts. Shorten it and try again.",
        ),
        ErrorCode.UNKNOWN_AGENT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This message was not answered: {message}"
        ),
        ErrorCode.UNKNOWN_MODEL: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The model of this chat is no longer available. Choose another one below.",
        ),
        ErrorCode.EDIT_LATER: QT_TRANSLATE_NOOP(
            "ErrorMessage", "A reply is in progress. Stop it or wait until it ends, then try again."
        ),
        ErrorCode.FORK_UNSUPPORTED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This service cannot copy chats."
        ),
        ErrorCode.PREVIEW_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This is too large for a preview. Save it as a file instead."
        ),
        ErrorCode.PREVIEW_NOT_OPENED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "No browser was found. The preview was saved as {name}."
        ),
        ErrorCode.FILE_NOT_WRITTEN: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} could not be written. Check the folder and the free space."
        ),
        ErrorCode.SUMMARY_FAILED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "No summary arrived. The chat is unchanged. Try again."
        ),
        ErrorCode.CONTINUE_TOO_LONG: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "This chat cannot be continued: it has more than 10,000 messages or 6 MB of text.",
        ),
        ErrorCode.MESSAGE_GONE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service no longer has this message. Open the chat again."
        ),
        ErrorCode.CONVERSATION_BUSY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "An earlier message in this chat is still being answered."
        ),
        ErrorCode.TOOL_CALL_OVER: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service is no longer waiting for this tool result."
        ),
        ErrorCode.CREATE_UNSUPPORTED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This service does not allow new chats."
        ),
        ErrorCode.REFUSED: QT_TRANSLATE_NOOP("ErrorMessage", "The service refused this: {message}"),
        ErrorCode.SERVER_FAILED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service reported an internal error."
        ),
        ErrorCode.ANSWER_REDIRECT: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The service redirected to {target}. Nothing was sent there. Check the address.",
        ),
        ErrorCode.ANSWER_UNREADABLE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The answer from {host} was not valid. Check the address."
        ),
        ErrorCode.ANSWER_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The answer is too large to show."
        ),
        ErrorCode.ID_REFUSED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This chat cannot be found on the service, so nothing was sent."
        ),
        ErrorCode.STREAM_ENDED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The connection was lost and the reply is incomplete."
        ),
        ErrorCode.STREAM_STALLED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service sent nothing for {seconds} s, so the reply is incomplete."
        ),
        ErrorCode.STREAM_CUT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The connection was lost during this reply."
        ),
        ErrorCode.STREAM_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The reply was too large and was cut off."
        ),
        ErrorCode.STREAM_UNREADABLE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The reply could not be read."
        ),
        ErrorCode.STREAM_MISDIRECTED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service answered for another chat, so the reply was not used."
        ),
        ErrorCode.SERVICE_FAILED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The local service keeps stopping. It reported: {message}"
        ),
        ErrorCode.MODEL_SILENT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The model did not answer: {message}"
        ),
        ErrorCode.MODEL_FILE_REFUSED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This file cannot be used: {message}"
        ),
        ErrorCode.MODELS_UNLISTED: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "{provider} lists no models for this key. Check the key and the network.",
        ),
        ErrorCode.MODELS_KEY_REFUSED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{provider} refused this key. Copy it again, or create a new one."
        ),
        ErrorCode.DOWNLOAD_FAILED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The model could not be downloaded: {message}"
        ),
        ErrorCode.NO_MODEL_FITS: QT_TRANSLATE_NOOP(
            "ErrorMessage", "None of the suggested models fits into this computer’s memory."
        ),
        ErrorCode.NO_MODEL_FILES: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{repository} has no model file (.gguf) that can be downloaded here."
        ),
        ErrorCode.CATALOG_FAILED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The local service could not do this: {message}"
        ),
        ErrorCode.SERVICE_RESTARTING: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The local service stopped and is restarting. Nothing was lost."
        ),
        ErrorCode.SERVICE_GONE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The local service has stopped, so nothing was sent."
        ),
        ErrorCode.NOT_CONNECTED: QT_TRANSLATE_NOOP("ErrorMessage", "Parley is not connected yet."),
        ErrorCode.KEY_MISSING: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The key for {host} is not in this computer’s keyring. Enter it in Settings.",
        ),
        ErrorCode.KEY_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "No keyring is available. The key is stored only until Parley closes."
        ),
        ErrorCode.SETTINGS_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The settings could not be saved, so the change lasts only until Parley closes.",
        ),
        ErrorCode.CHOICE_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The settings could not be saved, so nothing was changed."
        ),
        ErrorCode.SETTINGS_MISREAD: QT_TRANSLATE_NOOP(
            "ErrorMessage", "These settings were not valid and were reset: {settings}."
        ),
        ErrorCode.SETTINGS_MISREAD_KEPT: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "These settings were not valid and were reset: {settings}. The earlier file was "
            "kept as {path}.",
        ),
        ErrorCode.PUT_ASIDE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "Parley could not read {what} and started afresh. What was there was kept as {path}.",
        ),
        ErrorCode.SALVAGED: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "Damaged: {what}. Parley recovered what it could and kept the damaged file as {path}.",
        ),
        ErrorCode.SEVERAL_PUT_ASIDE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "Some files were damaged. Parley recovered what it could and kept the damaged "
            "files: {files}.",
        ),
        ErrorCode.LEDGER_UNUSABLE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The record of tool calls cannot be opened, so nothing can be sent: {message}",
        ),
        ErrorCode.NO_SANDBOX: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "No sandbox works on this computer, so tools run with your permissions and every "
            "call needs your approval. On Linux, install bubblewrap.",
        ),
        ErrorCode.SANDBOX_GAPS: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The sandbox on this computer is incomplete, so every tool call needs your "
            "approval. On Linux, install bubblewrap and allow user namespaces.",
        ),
        ErrorCode.ATTACHMENT_BROKEN: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is damaged, so it was not attached."
        ),
        ErrorCode.ATTACHMENT_EMPTY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is empty, so it was not attached."
        ),
        ErrorCode.ATTACHMENT_LOCKED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is locked with a password. Attach a copy without one."
        ),
        ErrorCode.ATTACHMENT_NO_FILE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is not a file, so it was not attached."
        ),
        ErrorCode.ATTACHMENT_OLD_OFFICE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "{name} is in an old Office format. Save it as docx, xlsx, pptx or PDF first.",
        ),
        ErrorCode.ATTACHMENT_SLOW: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The drive with {name} does not respond, so the file was not attached."
        ),
        ErrorCode.ATTACHMENT_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is larger than {limit_mb} MB, so it was not attached."
        ),
        ErrorCode.ATTACHMENT_UNKNOWN: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is in a format that Parley cannot read."
        ),
        ErrorCode.ATTACHMENT_UNPACKS: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} would be far too large when unpacked, so it was not attached."
        ),
        ErrorCode.ATTACHMENTS_ELSEWHERE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "Files can be attached only in the window where you first opened this chat.",
        ),
        ErrorCode.ATTACHMENTS_TOO_MANY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "A message can have at most {limit} files. Left out: {count}."
        ),
        ErrorCode.IMAGES_NOT_TAKEN: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This service does not accept images. Remove {name}."
        ),
        ErrorCode.IMAGES_TOO_MANY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "A message can have at most {limit} images. {name} was left out."
        ),
        ErrorCode.IMAGES_FULL: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service has no room left for images. Delete chats with images."
        ),
        ErrorCode.IMAGE_HEIC: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is a HEIC or AVIF image. Save it as JPEG or PNG first."
        ),
        ErrorCode.FILE_UNREADABLE: QT_TRANSLATE_NOOP("ErrorMessage", "{name} could not be read."),
        ErrorCode.STORE_FULL: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The disk is full, so this could not be saved. Everything saved before is safe. "
            "Free some space and try again.",
        ),
        ErrorCode.STORE_LOCKED: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "Another program is using the chat file. Close that program and try again.",
        ),
        ErrorCode.STORE_DAMAGED: QT_TRANSLATE_NOOP("ErrorMessage", "The chat file is damaged."),
        ErrorCode.STORE_NEWER: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "These chats belong to a newer version of Parley and were not changed. Update "
            "Parley to open them.",
        ),
        ErrorCode.STORE_UNWRITABLE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Chats cannot be saved because the data folder is not writable."
        ),
        ErrorCode.STORE_GONE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The folder with your chats is missing, so this could not be saved. Restore the "
            "folder, or restart Parley.",
        ),
        ErrorCode.RECORD_UNWRITABLE: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The tool was not run because the record of tool calls cannot be written.",
        ),
        ErrorCode.OUTCOME_NOT_RECORDED: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "The tool may have run, but its result could not be recorded. It is not run again.",
        ),
        ErrorCode.MESSAGE_EMPTY: QT_TRANSLATE_NOOP("ErrorMessage", "There is nothing to send yet."),
        ErrorCode.CHECK_LATER: QT_TRANSLATE_NOOP(
            "ErrorMessage", "A reply is still in progress. Check again when it has ended."
        ),
        ErrorCode.MESSAGE_TOO_LONG: QT_TRANSLATE_NOOP(
            "ErrorMessage", "A message can have at most {limit} characters. Shorten it to send it."
        ),
        ErrorCode.MESSAGE_HELD: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This message has not been sent yet."
        ),
        ErrorCode.MESSAGE_NOT_DELIVERED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This message did not reach the service."
        ),
        ErrorCode.MESSAGE_UNCONFIRMED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This message may have reached the service."
        ),
        ErrorCode.REPLY_MISSING: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The message was delivered, but there is no reply."
        ),
        ErrorCode.REPLY_CUT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The connection was lost during this reply."
        ),
        ErrorCode.REPLY_CLOSED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Parley was closed before this reply ended."
        ),
        ErrorCode.REPLY_ENDS_HERE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service has no more of this reply. It may have been cut off."
        ),
        ErrorCode.REPLY_FAILED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The service could not finish this reply: {message}"
        ),
        ErrorCode.REPLY_NOT_KEPT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "This reply cannot be saved on this computer right now."
        ),
        ErrorCode.RESULT_NOT_POSTED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The tool result did not reach the service. It was kept."
        ),
        ErrorCode.RESULT_UNCONFIRMED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "The tool result may not have reached the service."
        ),
        ErrorCode.STOPPED: QT_TRANSLATE_NOOP("ErrorMessage", "Stopped."),
        ErrorCode.STOPPED_BEFORE_REPLY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Stopped before the reply began."
        ),
        ErrorCode.STOPPED_UNSENT: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Stopped before this message was sent."
        ),
        ErrorCode.EXPORT_EXISTS: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} already exists and was not changed."
        ),
        ErrorCode.EXPORT_NOT_WRITTEN: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} could not be written. Check the folder and the free space."
        ),
        ErrorCode.IMPORT_UNREADABLE: QT_TRANSLATE_NOOP("ErrorMessage", "{name} could not be read."),
        ErrorCode.IMPORT_TOO_LARGE: QT_TRANSLATE_NOOP(
            "ErrorMessage", "{name} is too large for a chat export, so nothing was imported."
        ),
        ErrorCode.IMPORT_NOTHING_FOUND: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "No chats were found in {name}. Parley reads its own exports and those of ChatGPT "
            "and Claude.",
        ),
        ErrorCode.IMPORT_NEWER: QT_TRANSLATE_NOOP(
            "ErrorMessage",
            "{name} was written by a newer version of Parley, so nothing was "
            "imported. Update Parley and try again.",
        ),
        ErrorCode.ARCHIVE_READ_ONLY: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Imported chats cannot be changed. Continue one to write in it."
        ),
        ErrorCode.UNEXPECTED: QT_TRANSLATE_NOOP(
            "ErrorMessage", "Something went wrong. The log has the details."
        ),
    }
)


FOR_SETTINGS: Final = frozenset(
    {
        ErrorCode.ANSWER_REDIRECT,
        ErrorCode.ANSWER_UNREADABLE,
        ErrorCode.CONNECT_DNS,
        ErrorCode.CONNECT_PROXY,
        ErrorCode.CONNECT_TLS_NAME,
        ErrorCode.CONNECT_TLS_UNKNOWN,
        ErrorCode.INVALID_KEY,
        ErrorCode.KEY_MISSING,
        ErrorCode.NOT_FOUND,
    }
)
"""Failures that a key, an address or another choice in the settings may mend."""

# Reasons that stand in stores of earlier versions.
_FORMER: Final = {"rate_limited_untimed": ErrorCode.RATE_LIMITED}
_IN_LOG: Final = frozenset({ErrorCode.SERVICE_FAILED, ErrorCode.UNEXPECTED})


_OF_OTHERS: Final = ("message", "target")


def explain(error: HasErrorCode) -> ErrorMessage:
    """Find the words for `error`; one without words of its own is called unexpected."""
    try:
        reason = ErrorCode(_FORMER.get(error.reason, error.reason))
    except ValueError:
        reason = ErrorCode.UNEXPECTED
    values = MissingAsEllipsis(error.values)
    for name in _OF_OTHERS:
        if name in values:
            values[name] = plain_cause(str(values[name]))
    return ErrorMessage(_WORDS[reason], values, reason in _IN_LOG)
