"""Functions of numbers: `sqrt`, `exp`, `minimum`, ..."""

from .dtypes import i1
from .expressions import Operation, as_expr, common

_UNARY = {
    "sqrt": "sqrt", "rsqrt": "rsqrt", "cbrt": "cbrt",
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log2": "log2", "log10": "log10", "log1p": "log1p",
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
    "erf": "erf", "erfc": "erfc", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "roundeven",
    "round": "round",
}
_BINARY = {"atan2": "math.atan2", "copysign": "math.copysign", "fmin": "arith.minnumf", "fmax": "arith.maxnumf"}
_NAMES_OF_TESTS = ("isnan", "isinf", "isfinite")


def _floats(name, *values):
    values = common(name, *values)
    if not values[0].dtype.is_float:
        raise TypeError(f"expected floats for {name}, got {values[0].dtype.name}; cast(x, \"f64\") converts")
    return values


def _unary(name, op):
    def function(x):
        (x,) = _floats(name, x)
        return Operation(f"math.{op}", x.dtype, x)

    return function


def _binary(name, op):
    def function(a, b):
        a, b = _floats(name, a, b)
        return Operation(op, a.dtype, a, b)

    return function


def _test(name):
    def function(x):
        (x,) = _floats(name, x)
        return Operation(f"math.{name}", i1, x)

    return function


def _extremum(name, floats, signed, unsigned, condition):
    def function(a, b, *more):
        a, b = common(name, a, b)
        kinds = {"f": floats, "u": unsigned, "b": condition}
        result = Operation("arith." + kinds.get(a.dtype.kind, signed), a.dtype, a, b)
        return function(result, *more) if more else result

    return function


minimum = _extremum("minimum", "minimumf", "minsi", "minui", "andi")
maximum = _extremum("maximum", "maximumf", "maxsi", "maxui", "ori")
minimum.__doc__ = "The smallest of two or more values; NaN if one is NaN (NumPy's minimum)."
maximum.__doc__ = "The largest of two or more values; NaN if one is NaN (NumPy's maximum)."


def fma(a, b, c):
    """a b + c, rounded once."""
    a, b, c = _floats("fma", a, b, c)
    return Operation("math.fma", a.dtype, a, b, c)


def absolute(x):
    """The absolute value; Python's abs() is the same."""
    return abs(as_expr(x))


FUNCTIONS = {name: _unary(name, op) for name, op in _UNARY.items()}
FUNCTIONS.update({name: _binary(name, op) for name, op in _BINARY.items()})
FUNCTIONS.update({name: _test(name) for name in _NAMES_OF_TESTS})
for _name, _function in FUNCTIONS.items():
    _function.__name__ = _function.__qualname__ = _name
    _function.__doc__ = f"{_name}, of floats."
globals().update(FUNCTIONS)
FUNCTIONS.update(minimum=minimum, maximum=maximum, fma=fma)
