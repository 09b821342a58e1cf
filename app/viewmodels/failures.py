"""From a task's failure to the words that the window shows."""

from collections.abc import Callable
from dataclasses import replace

from app.error_text import ErrorText, Reason, explain
from app.errors import ErrorRoute, UserFacingError
from app.viewmodels.marked_words import marked_words


def failure_route(show: Callable[[ErrorText], None]) -> ErrorRoute:
    """Makes the `on_error` of a view model's tasks: each failure becomes words for `show`."""

    def show_unexpected(_task_name: str) -> None:
        show(explain(UserFacingError(Reason.UNEXPECTED)))

    return ErrorRoute(lambda error: show(explain(error)), show_unexpected)


def translated(words: ErrorText) -> str:
    """Returns the sentence in the language of the window; values in it are as they came."""
    text = marked_words("ErrorText", words.text)
    return replace(words, text=text).sentence
