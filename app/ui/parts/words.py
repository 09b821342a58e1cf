"""Error texts as the window says them: translated, filled in, and nothing hidden in them."""

from app.error_text import ErrorText
from app.ui.parts.labels import one_line
from app.viewmodels.failures import translated


def spoken(words: ErrorText) -> str:
    """Return the sentence for people; what the service said in it is shown escaped."""
    return one_line(translated(words))
