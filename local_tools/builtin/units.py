"""Convert a quantity from one unit to another."""

import math
import re
from functools import cache
from typing import Annotated, Any, Final

from local_tools.errors import ToolError, named
from local_tools.phrases import QT_TRANSLATE_NOOP
from local_tools.tool import Input, tool

# What names of units are made of; one digit at most in an exponent, so that nothing grows.
_UNIT: Final = re.compile(r"[^\W\d_][\w°µΩ%]*(?:\s*(?:\*\*|[*/^·⋅ ])\s*-?[\w°µΩ%]+)*|[%°]\w*")
_GROWS: Final = re.compile(r"\d{2}|(\*\*|\^)[^*/·⋅]*(\*\*|\^)")
_UNIT_CHARS: Final = 100


@tool(read_only=True, destructive=False, open_world=False, timeout_s=20, title="Convert units")
def convert_units(
    value: Annotated[float, Input(title=QT_TRANSLATE_NOOP("Tools", "Number"))],
    from_unit: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "From"))],
    to_unit: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "To"))],
) -> str:
    """Convert a quantity from one unit to another: lengths, masses, temperatures, data and more.

    Money is not converted.

    Args:
        value: How many of the first unit.
        from_unit: Such as "mile", "kg", "degC", "km/h", "MiB", "kWh".
        to_unit: What to convert to, of the same kind.
    """
    for unit in (from_unit, to_unit):
        if len(unit) > _UNIT_CHARS or not _UNIT.fullmatch(unit) or _GROWS.search(unit):
            raise ToolError(f"“{named(unit)}” is not a unit that can be read.")
    return _converted(value, from_unit, to_unit)


@cache
def _known_units() -> Any:
    """All units; made once, since that takes as long as everything else together."""
    import pint  # noqa: PLC0415 - takes 0.3 s

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


def _converted(value: float, from_unit: str, to_unit: str) -> str:
    import pint  # noqa: PLC0415 - takes 0.3 s

    units = _known_units()
    try:
        source, wanted = units.Unit(_spelled(from_unit)), units.Unit(_spelled(to_unit))
        result = units.Quantity(value, source).to(wanted)
    except pint.DimensionalityError:
        raise ToolError(f"{from_unit} and {to_unit} measure different things.") from None
    except pint.UndefinedUnitError as exc:
        names = ", ".join(exc.unit_names)
        raise ToolError(f"There is no unit “{named(names)}”.") from None
    except (pint.PintError, ValueError, TypeError, ArithmeticError, AttributeError):
        raise ToolError(f"{from_unit} cannot be converted to {to_unit}.") from None
    if not math.isfinite(result.magnitude):
        raise ToolError("The result is too large.")
    return f"{value:.12g} {from_unit} = {result.magnitude:.12g} {to_unit}"


def _spelled(unit: str) -> str:
    """The signs that people write, as the library reads them."""
    return {"°C": "degC", "°F": "degF", "°": "degree"}.get(unit, unit)
