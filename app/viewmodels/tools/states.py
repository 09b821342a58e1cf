"""What the chip and the panel of tools show, as plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the assistant may ask for."""

    name: str
    title: str
    description: str
