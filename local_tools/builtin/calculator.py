"""Calculate: work out an expression, or convert a quantity from one unit to another.

`calculate` and `convert_units` are the tools. An expression is worked out exactly where that is
possible, without ever running it as code.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException, localcontext
from functools import cache
from typing import Annotated, Any, Final, TypeAlias

from local_tools.errors import ToolError, named
from local_tools.tool import PLAIN_WORDS, Input, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

Number: TypeAlias = int | Decimal

_EXPRESSION_CHARS: Final = 1_000
_DEPTH_LIMIT: Final = 500
# Integers are exact up to these limits; larger ones take long, and nobody reads them.
_BITS_LIMIT: Final = 4_000
_FACTORIAL_LIMIT: Final = 500
_DIGITS: Final = 40
_SHOWN_DIGITS: Final = 30
# The decimal digits that a double represents exactly.
_FLOAT_DIGITS: Final = 15
_CONTEXT: Final = Context(prec=_DIGITS, Emax=99_999, Emin=-99_999)

_CONSTANTS: Final[Mapping[str, Decimal]] = {
    "pi": Decimal("3.141592653589793238462643383279502884197"),
    "e": Decimal("2.718281828459045235360287471352662497757"),
    "tau": Decimal("6.283185307179586476925286766559005768394"),
}
_SIGNS: Final[Mapping[type[ast.unaryop], Callable[[Number], Number]]] = {
    ast.UAdd: lambda number: number,
    ast.USub: lambda number: -number,
}


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=10,
    title="Calculate",
    question="Calculate an expression?",
)
def calculate(
    expression: Annotated[str, PLAIN_WORDS, Input(title=QT_TRANSLATE_NOOP("Tools", "Expression"))],
) -> str:
    """Calculate an arithmetic expression to 30 digits.

    It supports + - * / // % ** and brackets; pi, e, tau; abs, round, floor, ceil, min, max, gcd,
    lcm, factorial, sqrt, exp, ln, log10, log2, and sin, cos, tan, asin, acos, atan, degrees,
    radians (15 digits).

    Args:
        expression: Such as "(1.19 * 249.90) / 3" or "sqrt(2) * factorial(20)".
    """
    if len(expression) > _EXPRESSION_CHARS:
        raise ToolError(f"The expression is longer than {_EXPRESSION_CHARS:,} characters.")
    try:
        source = expression.strip().replace("^", "**")
        with localcontext(_CONTEXT):
            return _written(_value(ast.parse(source, mode="eval").body, source, 0))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ToolError(f"“{named(expression)}” is not an expression that can be read.") from None
    except ZeroDivisionError:
        raise ToolError("The expression divides by zero.") from None
    except (DecimalException, OverflowError):
        raise ToolError("The result is too large, too small, or not a number.") from None


def _value(node: ast.expr, source: str, depth: int) -> Number:
    """Evaluate a part of the expression; `source` has the digits as they were written."""
    if depth > _DEPTH_LIMIT:
        raise ToolError("The expression is nested too deeply.")
    inner = depth + 1
    match node:
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            raise _unknown(node)
        case ast.Constant(value=int(number)):
            return _bounded(number)
        case ast.Constant(value=float()):
            # The digits themselves, not what floating point makes of them.
            return +Decimal(ast.get_source_segment(source, node) or "")
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return _bounded(_SIGNS[type(sign)](_value(operand, source, inner)))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            values = _value(left, source, inner), _value(right, source, inner)
            return _bounded(_OPERATORS[type(sign)](*values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _called(name, [_value(item, source, inner) for item in args])
    raise _unknown(node)


def _divided(left: Number, right: Number) -> Number:
    if not right:
        raise ZeroDivisionError
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return Decimal(left) / Decimal(right)


def _modulo(left: Number, right: Number) -> Number:
    """Return the rest, with the sign of the divisor, for both kinds of numbers alike."""
    if not right:
        raise ZeroDivisionError
    if isinstance(left, int) and isinstance(right, int):
        return left % right
    rest = Decimal(left) % Decimal(right)
    return rest + right if rest and (rest < 0) != (right < 0) else rest


def _floor_divided(left: Number, right: Number) -> Number:
    return (left - _modulo(left, right)) // right


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if abs(base) > 1 and exponent * base.bit_length() > _BITS_LIMIT:
            return Decimal(base) ** exponent
        return int(base**exponent)
    return Decimal(base) ** Decimal(exponent)


def _called(name: str, values: list[Number]) -> Number:
    function, least, most = _FUNCTIONS[name]
    if not least <= len(values) <= most:
        raise ToolError(f"{name} was given {len(values)} numbers, which it does not take.")
    return _bounded(function(*values))


def _whole(number: Number, name: str) -> int:
    if isinstance(number, Decimal) and number != number.to_integral_value():
        raise ToolError(f"{name} takes whole numbers only.")
    return int(number)


def _factorial(number: Number) -> int:
    count = _whole(number, "factorial")
    if not 0 <= count <= _FACTORIAL_LIMIT:
        raise ToolError(f"factorial takes whole numbers from 0 to {_FACTORIAL_LIMIT}.")
    return math.factorial(count)


def _rounded(number: Number, places: Number = 0) -> Number:
    digits = _whole(places, "round")
    if not -_DIGITS <= digits <= _DIGITS:
        raise ToolError(f"round takes at most {_DIGITS} places.")
    if isinstance(number, int):
        return round(number, digits)
    return round(number, digits) if digits else _to_whole(round)(number)


def _to_whole(function: Callable[[Decimal], int]) -> Callable[[Number], Number]:
    def work(number: Number) -> Number:
        # Beyond its digits a number has no fraction left.
        if isinstance(number, int) or number.adjusted() >= _DIGITS:
            return number
        return function(number)

    return work


def _by_float(function: Callable[[float], float]) -> Callable[[Number], Decimal]:
    def work(number: Number) -> Decimal:
        return Decimal(f"{function(float(number)):.{_FLOAT_DIGITS}g}")

    return work


def _log2(number: Number) -> Decimal:
    return Decimal(number).ln() / Decimal(2).ln()


_OPERATORS: Final[Mapping[type[ast.operator], Callable[..., Number]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.FloorDiv: _floor_divided,
    ast.Mod: _modulo,
    ast.Pow: _power,
}
_MANY: Final = 100
_FUNCTIONS: Final[Mapping[str, tuple[Callable[..., Number], int, int]]] = {
    "abs": (abs, 1, 1),
    "round": (_rounded, 1, 2),
    "floor": (_to_whole(math.floor), 1, 1),
    "ceil": (_to_whole(math.ceil), 1, 1),
    "min": (min, 2, _MANY),
    "max": (max, 2, _MANY),
    "gcd": (lambda *values: math.gcd(*(_whole(item, "gcd") for item in values)), 2, _MANY),
    "lcm": (lambda *values: math.lcm(*(_whole(item, "lcm") for item in values)), 2, 10),
    "factorial": (_factorial, 1, 1),
    "sqrt": (lambda number: Decimal(number).sqrt(), 1, 1),
    "exp": (lambda number: Decimal(number).exp(), 1, 1),
    "ln": (lambda number: Decimal(number).ln(), 1, 1),
    "log": (lambda number: Decimal(number).ln(), 1, 1),
    "log10": (lambda number: Decimal(number).log10(), 1, 1),
    "log2": (_log2, 1, 1),
    **{
        name: (_by_float(getattr(math, name)), 1, 1)
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "degrees", "radians")
    },
}


def _bounded(number: Number) -> Number:
    """Return a number, as a decimal of 40 digits if it is an integer that is too long."""
    if isinstance(number, int) and number.bit_length() > _BITS_LIMIT:
        return +Decimal(number)
    return number


def _written(number: Number) -> str:
    if isinstance(number, int):
        return str(number)
    with localcontext(_CONTEXT) as context:
        context.prec = _SHOWN_DIGITS
        short = +number
    if not short.is_finite():
        raise OverflowError
    if short == short.to_integral_value() and short.adjusted() < _SHOWN_DIGITS:
        return str(int(short))
    short = short.normalize()
    return f"{short:f}" if -8 < short.adjusted() < _SHOWN_DIGITS else str(short)


def _unknown(node: ast.expr) -> ToolError:
    return ToolError(f"“{named(ast.unparse(node))}” is not something that can be worked out.")


# What names of units are made of; one digit at most in an exponent, so that nothing grows.
_UNIT: Final = re.compile(r"[^\W\d_][\w°µΩ%]*(?:\s*(?:\*\*|[*/^·⋅ ])\s*-?[\w°µΩ%]+)*|[%°]\w*")
_GROWS: Final = re.compile(r"\d{2}|(\*\*|\^)[^*/·⋅]*(\*\*|\^)")
_UNIT_CHARS: Final = 100


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=20,
    title="Convert units",
    question="Convert units?",
)
def convert_units(
    value: Annotated[float, Input(title=QT_TRANSLATE_NOOP("Tools", "Number"))],
    from_unit: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "From"))],
    to_unit: Annotated[str, Input(title=QT_TRANSLATE_NOOP("Tools", "To"))],
) -> str:
    """Convert a quantity from one unit to another: lengths, masses, temperatures, data and more.

    Currencies are not converted.

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
    """Return all units; made once, since that takes as long as everything else together."""
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
    """Return the signs that people write, as the library reads them."""
    return {"°C": "degC", "°F": "degF", "°": "degree"}.get(unit, unit)
