"""The list models keep Qt's rules while they follow what changes."""

import pytest
from PySide6.QtCore import QAbstractItemModel
from pytestqt.modeltest import ModelTester

from app.chat.items import Inserted, Removed, Replaced, Reset
from app.viewmodels.rows import ROW_ROLE, RowsModel


@pytest.fixture
def model(qapp: object) -> RowsModel[str]:
    assert qapp is not None
    return RowsModel(lambda row: f"text of {row}")


def _shown(model: QAbstractItemModel) -> list[object]:
    return [model.index(row, 0).data(ROW_ROLE) for row in range(model.rowCount())]


def test_an_empty_model_keeps_qts_rules(model: RowsModel[str], qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)


def test_a_filled_model_keeps_qts_rules(model: RowsModel[str], qtmodeltester: ModelTester) -> None:
    model.replace_all(["a", "b"])

    qtmodeltester.check(model)

    assert model.index(1).data() == "text of b"


def test_each_change_is_followed(model: RowsModel[str], qtmodeltester: ModelTester) -> None:
    source = ["a"]
    qtmodeltester.check(model)

    for change, now in (
        (Reset(), ["a"]),
        (Inserted(1, 2), ["a", "b", "c"]),
        (Replaced(1), ["a", "B", "c"]),
        (Removed(0, 1), ["B", "c"]),
        (Inserted(0, 1), ["z", "B", "c"]),
        (Reset(), []),
    ):
        source[:] = now
        model.mirror(change, source)
        assert _shown(model) == now


def test_rows_appear_only_when_they_are_announced(model: RowsModel[str]) -> None:
    source = ["a"]
    model.replace_all(source)

    source.append("b")

    assert _shown(model) == ["a"]
