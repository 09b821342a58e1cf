"""What was measured, as rows: a figure for each party, the ratio, and the goal."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """The median of several rounds, and how far they lie apart."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Figure":
        """Take the figure of some rounds, at least one."""
        return cls(statistics.median(values), min(values), max(values))


def figures(rounds: Mapping[str, Sequence[float]]) -> dict[str, Figure]:
    """Take the figures of some rounds, by the name of the party."""
    return {name: Figure.of(values) for name, values in rounds.items()}


@dataclass(frozen=True)
class Goal:
    """What a row is to reach: the subject's figure, or its ratio to the base."""

    limit: float
    of: Literal["ratio", "figure"] = "ratio"
    is_least: bool = False

    def is_met_by(self, value: float) -> bool:
        """Tell whether a value is good enough."""
        return value >= self.limit if self.is_least else value <= self.limit


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        figures: By the name of the party (or of the case).
        subject: Whose figure is compared.
        base: What it is compared with.
    """

    name: str
    unit: str
    figures: dict[str, Figure]
    goal: Goal | None = None
    subject: str = ""
    base: str = ""
    digits: int = 2
    notes: tuple[str, ...] = field(default=())

    @property
    def ratio(self) -> float | None:
        """The subject's figure over the base's, where there are both."""
        ours, theirs = self.figures.get(self.subject), self.figures.get(self.base)
        if ours is None or theirs is None or not theirs.median:
            return None
        return ours.median / theirs.median

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None when there is none, or nothing to hold it against."""
        if self.goal is None:
            return None
        if self.goal.of == "ratio":
            return None if self.ratio is None else self.goal.is_met_by(self.ratio)
        ours = self.figures.get(self.subject)
        return None if ours is None else self.goal.is_met_by(ours.median)
