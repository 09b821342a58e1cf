"""The errors of tool calls; their messages are read by the assistant and the user.

    ToolError                 a call failed or cannot be asked
    ├── InvalidInputError     the input is not JSON that we accept
    ├── NoFolderError         a path or command needs a folder, and the chat has none
    ├── ChangedError          what was shown is not what is there any more
    └── ToolTimeoutError      a limit of the tool's own ran out

`str(error)` is one or a few plain sentences; the sender of the result prefixes `Error: `.
"""

import errno
from typing import Final

_NAMED_CHARS: Final = 80
_SENTENCES: Final[dict[int, str]] = {
    errno.ENOENT: "There is nothing at {place}.",
    errno.EACCES: "Access to {place} was refused by the system.",
    errno.EPERM: "The system does not allow this for {place}.",
    errno.EROFS: "{place} lies on a disk that can only be read.",
    errno.ENOSPC: "The disk is full, so {place} was left as it was.",
    errno.EDQUOT: "The disk quota is used up, so {place} was left as it was.",
    errno.EFBIG: "{place} would become too large.",
    errno.EISDIR: "{place} is a folder, not a file.",
    errno.ENOTDIR: "A part of {place} is not a folder.",
    errno.ELOOP: "{place} leads through a link, and links are not followed.",
    errno.ENAMETOOLONG: "A name in {place} is too long.",
}


class ToolError(Exception):
    """A call failed. The message is a sentence for the assistant and the user."""


class InvalidInputError(ToolError):
    """The input is not acceptable JSON."""


class NoFolderError(ToolError):
    """The call needs a folder, and none is chosen for the chat."""


class ChangedError(ToolError):
    """A file or folder has changed since the approval card showed it."""

    def __init__(self, place: object) -> None:
        super().__init__(f"{place} changed since it was shown, so nothing was done.")


class ToolTimeoutError(ToolError):
    """A time limit that the tool itself watches has passed."""


def named(text: str) -> str:
    """Return a name from the input, cut to a length that fits into a sentence."""
    return text if len(text) <= _NAMED_CHARS else f"{text[:_NAMED_CHARS]}…"


def explain_os_error(error: OSError, place: object) -> ToolError:
    """Return an `OSError` about `place` as a `ToolError` with a plain sentence."""
    sentence = _SENTENCES.get(error.errno or 0)
    if sentence is None:
        return ToolError(f"{place}: the system said “{error.strerror or type(error).__name__}”.")
    return ToolError(sentence.format(place=place))
