"""The three fates of a failure: shown to the user, silent, or a bug that is logged.

UserFacingError   something outside went wrong; the words come from `app.common.error_messages`
CancelledError    somebody pressed Stop or closed the window; nothing to say
anything else     a mistake of ours: logged with its traceback, shown as "unexpected"
"""

import asyncio
import enum
import logging
from collections.abc import Callable, Mapping

log = logging.getLogger(__name__)


class UserFacingError(Exception):
    """A failure that the user is told about, in words from `app.common.error_messages`.

    Attributes:
        reason: which words to use; an `ErrorCode` of `app.common.error_messages`.
        values: what the words mention, such as a host or a number of seconds.
    """

    def __init__(self, reason: str, values: Mapping[str, str | int] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.values: Mapping[str, str | int] = dict(values or {})


class Fate(enum.Enum):
    """What becomes of a failure."""

    SHOWN = "shown"
    SILENT = "silent"
    BUG = "bug"


def fate_of(error: BaseException) -> Fate:
    """Tell what becomes of `error`."""
    if isinstance(error, UserFacingError):
        return Fate.SHOWN
    if isinstance(error, asyncio.CancelledError):
        return Fate.SILENT
    return Fate.BUG


class ErrorRoute:
    """Sends each failure of a task to its fate; fits `TaskOwner`'s `on_error`.

    Made by whoever owns tasks, with the two ways it can tell the user; lives as long as they do.
    """

    def __init__(
        self,
        show: Callable[[UserFacingError], None],
        show_unexpected: Callable[[str], None],
    ) -> None:
        self._show = show
        self._show_unexpected = show_unexpected

    def __call__(self, name: str, error: BaseException) -> None:
        """Show, drop or log `error`, which ended the task called `name`."""
        if isinstance(error, UserFacingError):
            self._show(error)
        elif fate_of(error) is Fate.BUG:
            log.error("Unexpected failure in %s", name, exc_info=error)
            self._show_unexpected(name)
