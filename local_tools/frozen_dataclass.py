"""Frozen dataclasses that cost little to define.

`dataclass(frozen=True, slots=True)` writes and compiles six methods for each class when its module
is imported. The program has hundreds of such classes, and few have an instance before its window
can be used: those methods took a quarter of the imports of the start, and of each worker's.

`frozen_dataclass` takes everything else from `dataclasses`, so that `replace`, `fields`, `asdict`,
`match` and pydantic see a dataclass. Methods that need no code of their own are functions as any
other; `dataclasses` makes the constructor when the first instance is made. Type checkers read it
as `dataclass(frozen=True, slots=True)`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, field, fields, make_dataclass
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, Final, TypeVar, dataclass_transform

_C = TypeVar("_C")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen_dataclass(cls: type[_C]) -> type[_C]:
    """Make a class a frozen dataclass with slots, whose instances are equal where their fields are.

    What the class defines itself stays. Where instances have an order, or an identity
    (`order=True`, `eq=False`), take `dataclasses.dataclass`.
    """
    # Slots take another class: the methods come after it.
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name, method in _methods_of(made).items():
        if name not in vars(made):
            setattr(made, name, method)
    return made


def _methods_of(cls: Any) -> Mapping[str, Callable[..., Any]]:
    values = _getter(tuple(each.name for each in fields(cls) if each.compare))

    def construct(self: object, *given: object, **named: object) -> None:
        cls.__init__ = _constructor_of(cls)
        cls.__init__(self, *given, **named)

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    def hash_of(self: object) -> int:
        return hash(values(self))

    return {"__init__": construct, "__eq__": equal, "__hash__": hash_of, **_SHARED}


def _getter(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    # For a single name, `attrgetter` returns no tuple; without names, it is an error.
    return lambda self: tuple([getattr(self, name) for name in names])


def _constructor_of(cls: Any) -> Callable[..., None]:
    given = [(each.name, each.type, each) for each in fields(cls)]
    # With a docstring, `dataclasses` need not write one from the signature.
    inherited = ("__post_init__", "__doc__")
    known = {name: getattr(cls, name) for name in inherited if hasattr(cls, name)}
    twin: Any = make_dataclass(
        cls.__name__, given, namespace=known, frozen=True, repr=False, eq=False
    )
    constructor: Callable[..., None] = twin.__init__
    return constructor


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_change(_self: object, name: str, *_value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to or delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: Sequence[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


_SHARED: Final[Mapping[str, Callable[..., Any]]] = {
    "__repr__": _repr,
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_change,
    "__getstate__": _state,
    "__setstate__": _set_state,
}
