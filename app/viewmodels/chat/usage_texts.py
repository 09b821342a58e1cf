"""What a chat or a reply has used, in words: the ring in the composer, and a reply's tooltip."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from app.api.events import Usage

_CENT: Final = 0.01


@dataclass(frozen=True, slots=True)
class UsageView:
    """How full the context window of a chat is.

    `fraction` is from 0 to 1, None where the window is not known. `words` stand beside the ring,
    `details` in its menu, a line each.
    """

    fraction: float | None
    words: str
    details: tuple[str, ...]


def usage_view(usage: Usage | None) -> UsageView | None:
    """Return what the composer shows of a chat's usage; None while nothing of it is known."""
    if usage is None:
        return None
    details = tuple(_details(usage))
    if usage.context_tokens is None or usage.context_window is None:
        return UsageView(None, "", details)
    fraction = min(1.0, usage.context_tokens / usage.context_window)
    words = _percent(fraction)
    return UsageView(fraction, f"≈ {words}" if usage.is_window_assumed else words, details)


def reply_usage_words(usage: Usage) -> str:
    """Return what one reply used and cost, in a line."""
    count = QLocale().toString
    parts = []
    if usage.input_tokens is not None:
        words = QCoreApplication.translate("Usage", "{tokens} tokens read")
        if usage.cached_tokens:
            words = QCoreApplication.translate("Usage", "{tokens} tokens read, {cached} cached")
        read, cached = count(usage.input_tokens), count(usage.cached_tokens or 0)
        parts.append(words.format(tokens=read, cached=cached))
    if usage.output_tokens is not None:
        words = QCoreApplication.translate("Usage", "{tokens} tokens written")
        parts.append(words.format(tokens=count(usage.output_tokens)))
    return " · ".join((*parts, cost_words(usage.cost_usd)))


def cost_words(cost_usd: float | None) -> str:
    """Return what something cost, in US dollars."""
    if cost_usd is None:
        return QCoreApplication.translate("Usage", "price unknown")
    if not cost_usd:
        return QCoreApplication.translate("Usage", "free")
    # Most replies cost less than a cent, and a rounded nothing would read as free.
    digits = 2 if cost_usd >= _CENT else 4
    text = QLocale().toString(max(cost_usd, 0.0001), "f", digits)
    return QCoreApplication.translate("Usage", "${amount}").format(amount=text)


def _details(usage: Usage) -> Iterator[str]:
    count = QLocale().toString
    if usage.context_tokens is not None:
        if usage.context_window is None:
            words = QCoreApplication.translate("Usage", "Context: {used} tokens")
            yield words.format(used=count(usage.context_tokens))
        else:
            words = QCoreApplication.translate(
                "Usage", "Context: {used} of {window} tokens ({percent})"
            )
            if usage.is_window_assumed:
                words = QCoreApplication.translate(
                    "Usage", "Context: {used} of an assumed {window} tokens ({percent})"
                )
            yield words.format(
                used=count(usage.context_tokens),
                window=count(usage.context_window),
                percent=_percent(min(1.0, usage.context_tokens / usage.context_window)),
            )
    if usage.input_tokens is not None:
        words = QCoreApplication.translate("Usage", "Read in this chat: {tokens} tokens")
        if usage.cached_tokens:
            words = QCoreApplication.translate(
                "Usage", "Read in this chat: {tokens} tokens, {cached} of them cached"
            )
        yield words.format(tokens=count(usage.input_tokens), cached=count(usage.cached_tokens or 0))
    if usage.output_tokens is not None:
        words = QCoreApplication.translate("Usage", "Written in this chat: {tokens} tokens")
        yield words.format(tokens=count(usage.output_tokens))
    words = QCoreApplication.translate("Usage", "Cost of this chat: {cost}")
    yield words.format(cost=cost_words(usage.cost_usd))


def _percent(fraction: float) -> str:
    words = QCoreApplication.translate("Usage", "{number} %")
    return words.format(number=QLocale().toString(round(fraction * 100)))
