"""A row of this benchmark's table."""

from dataclasses import dataclass

from tests.benchmarks import rows
from tests.benchmarks.service.parties import PEER, SERVICE, UPSTREAM

COLUMNS = (SERVICE, PEER, UPSTREAM)
"""Whose figures stand side by side."""


@dataclass(frozen=True)
class Row(rows.Row):
    """Compares the service with its peer, unless it says otherwise."""

    subject: str = SERVICE
    base: str = PEER
