"""A frozen dataclass of ours behaves as one that the standard library writes."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import TypeAdapter

from local_tools.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Point:
    """Has a field of each kind, and a check."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x")


@frozen_dataclass
class Point3(Point):
    z: int = 0


@frozen_dataclass
class Nothing:
    pass


@frozen_dataclass
class Hidden:
    value: float

    def __repr__(self) -> str:
        return "Hidden"


def _said(act: Callable[[], object]) -> str:
    """Return what comes of it as text."""
    try:
        return repr(act())
    except Exception as error:  # noqa: BLE001 - what is compared
        return f"{type(error).__name__}: {error}"


_FIELDS = [(each.name, each.type, copy.copy(each)) for each in dataclasses.fields(Point)]
_THEIRS: Any = dataclasses.make_dataclass(
    "Point",
    _FIELDS,
    namespace={"__post_init__": Point.__post_init__},
    frozen=True,
    slots=True,
)


@pytest.mark.parametrize(
    "act",
    [
        *(lambda cls: cls(1), lambda cls: cls(1, 2, ["a"], "k"), lambda cls: cls(x=1, y=2)),
        *(lambda cls: cls(), lambda cls: cls(1, 2, [], "", 5, 6), lambda cls: cls(1, w=3)),
        *(lambda cls: cls(-1), lambda cls: cls(1, x=1)),
        *(lambda cls: cls(1) == cls(1), lambda cls: cls(1) == cls(2), lambda cls: cls(1) == 1),
        *(lambda cls: cls(1, tags=["a"]) == cls(1), lambda cls: cls(1) != cls(1, key="k")),
        *(lambda cls: hash(cls(1, 2)) == hash(cls(1, 2, ["a"])), lambda cls: {cls(1), cls(1)}),
        *(lambda cls: dataclasses.replace(cls(1), y=4), lambda cls: dataclasses.asdict(cls(1))),
        *(lambda cls: dataclasses.replace(cls(1), x=-1), lambda cls: dataclasses.astuple(cls(1))),
        *(lambda cls: [each.name for each in dataclasses.fields(cls)], lambda cls: cls(1).tags),
        *(lambda cls: cls.__match_args__, lambda cls: cls.__slots__, lambda cls: vars(cls(1))),
        *(lambda cls: copy.deepcopy(cls(1, 2, ["a"])), lambda cls: copy.copy(cls(1, 2))),
        lambda cls: TypeAdapter(cls).validate_python({"x": 1, "tags": ["a"]}),
    ],
)
def test_it_behaves_as_one_of_the_standard_library(act: Callable[[Any], object]) -> None:
    assert _said(lambda: act(Point)) == _said(lambda: act(_THEIRS))


@pytest.mark.parametrize("name", ["x", "other"])
def test_nothing_of_it_changes(name: str) -> None:
    point = Point(1)

    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(point, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(point, name)
    assert point == Point(1)


def test_what_a_class_defines_itself_stays() -> None:
    not_a_number = float("nan")

    assert repr(Hidden(1.5)) == "Hidden"
    # As in a tuple, the same object is equal to itself.
    assert Hidden(not_a_number) == Hidden(not_a_number)


def test_classes_are_not_equal_and_one_without_fields_is() -> None:
    assert Point3(1) != Point(1)
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())
    assert repr(Nothing()) == "Nothing()"


def test_it_can_be_pickled_and_matched() -> None:
    point = Point3(1, 2, ["a"], "k", 3)

    assert pickle.loads(pickle.dumps(point)) == point  # noqa: S301 - our own
    match point:
        case Point3(1, y, z=z):
            assert (y, z) == (2, 3)
        case _:
            pytest.fail("no match")


def test_it_and_one_of_the_standard_library_do_not_inherit_from_each_other() -> None:
    with pytest.raises(TypeError, match="frozen"):

        @dataclass(frozen=True)
        class _Mixed(Point):
            pass
