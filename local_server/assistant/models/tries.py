"""How a model is asked, and how it is asked again after it refused a question or failed."""

import random
from dataclasses import dataclass, replace
from typing import Final

from local_server.assistant.models.failures import Setting, UpstreamError, refused_settings
from local_server.assistant.models.prompt_builder import Prompt
from local_server.assistant.models.trimming import Trimmed, estimated_tokens, trim

_TRIES: Final = 3
_FIRST_PAUSE_S: Final = 0.5
# If a provider asks for a longer wait, the next model answers, or the reply fails.
_LONGEST_PAUSE_S: Final = 20
# Where the provider counts more tokens than were estimated, and does not say how many, the
# question shrinks to this part.
_SHRUNK: Final = 0.6


@dataclass(frozen=True)
class Try:
    """How a model is asked next.

    Attributes:
        window: How many tokens question and answer may have, as they are estimated here.
        told_window: How many the model takes, as it counts them itself.
        number: Counts the tries that failed for a passing reason.
        is_corrected: The window was corrected by what the provider counted.
        is_repeated: The model called a tool in a way that cannot be read, and is asked again.
        takes_no_tools: The model said so.
        sees_no_images: It said so, or it is known.
        is_window_assumed: Nobody told `told_window`: it is a careful guess.
        refused: The settings that its provider does not take, in the order of `Omission`.
    """

    prompt: Prompt
    window: int
    told_window: int
    number: int = 0
    is_corrected: bool = False
    is_repeated: bool = False
    takes_no_tools: bool = False
    sees_no_images: bool = False
    is_window_assumed: bool = False
    refused: tuple[Setting, ...] = ()

    def trimmed(self) -> Trimmed:
        """Write the question so that it fits.

        Raises:
            UpstreamError: When it cannot.
        """
        trimmed = trim(self.prompt, self.window)
        without = ("tools_not_taken",) if self.takes_no_tools else trimmed.omissions
        unseen = ("images_not_taken",) if self.sees_no_images else ()
        return replace(trimmed, omissions=(*without, *unseen, *self.refused))

    def without_images(self) -> "Try":
        """Leave the images out, which this model cannot see."""
        return replace(self, prompt=self.prompt.without_images(), sees_no_images=True)

    def _without_refused(self, failure: UpstreamError) -> "Try | None":
        """Leave out the tools or images that the model refused; None where it refused neither."""
        if failure.kind == "no_tools" and self.prompt.declared:
            has_tools = bool(self.prompt.tools) and not self.prompt.choices
            return replace(self, prompt=_without_tools(self.prompt), takes_no_tools=has_tools)
        if failure.kind == "no_images" and self.prompt.has_images:
            return self.without_images()
        return None

    def after(self, failure: UpstreamError) -> "Try | None":
        """Return the next try of the same model; None if there should be none."""
        refused = refused_settings(failure, self.prompt.settings)
        if refused and not self.prompt.choices:
            without = replace(self.prompt.settings, **dict.fromkeys(refused))
            return replace(
                self,
                prompt=replace(self.prompt, settings=without),
                refused=(*self.refused, *refused),
            )
        less = self._without_refused(failure)
        if less is not None:
            return less
        if failure.kind == "too_long" and not self.is_corrected:
            return replace(
                self,
                window=self._corrected_window(failure),
                told_window=failure.counted.window or self.told_window,
                is_window_assumed=self.is_window_assumed and not failure.counted.window,
                is_corrected=True,
            )
        if failure.kind == "bad_call" and not self.is_repeated and not self.prompt.choices:
            return replace(self, is_repeated=True)
        if failure.is_passing and self._may_go_on(failure):
            return replace(self, number=self.number + 1)
        return None

    def _may_go_on(self, failure: UpstreamError) -> bool:
        # A choice is not worth waiting for: words can make it.
        tries = 1 if self.prompt.choices else _TRIES
        return self.number + 1 < tries and self.pause_s(failure) is not None

    def _corrected_window(self, failure: UpstreamError) -> int:
        """Correct the window, in tokens as estimated here, by what the provider counted."""
        window = min(self.window, failure.counted.window or self.window)
        counted = failure.counted.question
        estimated = estimated_tokens(self.trimmed().prompt)
        if counted is None or counted <= estimated:
            return window if window < self.window else int(self.window * _SHRUNK)
        return window * estimated // counted

    def pause_s(self, failure: UpstreamError) -> float | None:
        """Return how long to wait before another try; None if that is too long."""
        if not failure.is_passing:
            return 0
        if failure.retry_after_s is None:
            spread = random.uniform(1, 1.5)  # noqa: S311 - not a secret
            return _FIRST_PAUSE_S * (1 << self.number) * spread
        return failure.retry_after_s if failure.retry_after_s <= _LONGEST_PAUSE_S else None


def _without_tools(prompt: Prompt) -> Prompt:
    extras = tuple(extra for extra in prompt.extras if not extra.tools)
    return replace(prompt, tools=(), extras=extras, choices=())
