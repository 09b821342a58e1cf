"""A start with something damaged: said where it is seen, and nothing is thrown away."""

from pathlib import Path

import pytest

from app.ui.notice_bar import NoticeBar
from tests.support.window import has_chosen_offline, running_program

_DAMAGED = b"this was a database once " * 999


@pytest.mark.anyio
async def test_a_damaged_store_is_kept_and_mentioned_also_once_the_service_is_ready(
    tmp_path: Path,
) -> None:
    paths = has_chosen_offline(tmp_path)
    paths.store_file.write_bytes(_DAMAGED)

    async with running_program(tmp_path) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot.value == "good", "the service is ready")

        [aside] = paths.data.glob("store.db.damaged-*")
        bar = person.window.findChild(NoticeBar)
        assert isinstance(bar, NoticeBar)
        assert bar.isVisible()
        assert str(aside) in bar.accessibleName()
        assert aside.read_bytes() == _DAMAGED
