"""All steps, by the number of the shape that each leads to; one from the number before."""

from collections.abc import Callable, Mapping
from typing import Final

from alembic.operations import Operations

from local_server.store.migrations.versions import revision_2, revision_3

STEPS: Final[Mapping[int, Callable[[Operations], None]]] = {
    2: revision_2.upgrade,
    3: revision_3.upgrade,
}
