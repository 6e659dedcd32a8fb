"""Expressions of one point: what Python's operators build, with the types checked where they are written."""

import numbers
import os
import sys

from .dtypes import as_dtype, f32, f64, i1, i64, index

_PACKAGE = os.path.join(os.path.dirname(__file__), "")


def user_location():
    """The file and line of the innermost caller outside of this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None


class Expr:
    """A value at a point. `dtype` is its type; `uniform` says that it is the same at all points."""

    # NumPy's scalars leave operators to us.
    __array_ufunc__ = None
    operands = ()
    uniform = False

    def __init__(self, dtype):
        self.dtype = dtype
        self.location = user_location()

    def __bool__(self):
        raise TypeError("expected a value that is known now, got an expression of a stencil; to choose at each point, use "
                        "where(condition, a, b), and & | ~ instead of and, or, not")

    def __iter__(self):
        raise TypeError("expected something to iterate over, got an expression of a stencil")

    __hash__ = object.__hash__

    def __add__(self, other):
        return arithmetic("add", self, other)

    def __radd__(self, other):
        # What Python's sum() begins with.
        if isinstance(other, int) and not isinstance(other, bool) and other == 0 and not self.dtype.is_bool:
            return self
        return arithmetic("add", other, self)

    def __sub__(self, other):
        return arithmetic("sub", self, other)

    def __rsub__(self, other):
        return arithmetic("sub", other, self)

    def __mul__(self, other):
        return arithmetic("mul", self, other)

    def __rmul__(self, other):
        return arithmetic("mul", other, self)

    def __truediv__(self, other):
        return divide(self, other)

    def __rtruediv__(self, other):
        return divide(other, self)

    def __floordiv__(self, other):
        return integers("floordiv", self, other)

    def __rfloordiv__(self, other):
        return integers("floordiv", other, self)

    def __mod__(self, other):
        return modulo(self, other)

    def __rmod__(self, other):
        return modulo(other, self)

    def __pow__(self, other):
        return power(self, other)

    def __rpow__(self, other):
        return power(other, self)

    def __neg__(self):
        if self.dtype.is_float:
            return Operation("arith.negf", self.dtype, self)
        return arithmetic("sub", 0, self)

    def __pos__(self):
        return self

    def __abs__(self):
        if self.dtype.is_float:
            return Operation("math.absf", self.dtype, self)
        if self.dtype.kind == "i":
            return Operation("math.absi", self.dtype, self)
        if self.dtype.kind == "x":
            return where(self < 0, -self, self)
        return self

    def __and__(self, other):
        return bits("andi", self, other)

    def __rand__(self, other):
        return bits("andi", other, self)

    def __or__(self, other):
        return bits("ori", self, other)

    def __ror__(self, other):
        return bits("ori", other, self)

    def __xor__(self, other):
        return bits("xori", self, other)

    def __rxor__(self, other):
        return bits("xori", other, self)

    def __invert__(self):
        return bits("xori", self, True if self.dtype.is_bool else ones(self.dtype))

    def __lshift__(self, other):
        return integers("shl", self, other)

    def __rlshift__(self, other):
        return integers("shl", other, self)

    def __rshift__(self, other):
        return integers("shr", self, other)

    def __rrshift__(self, other):
        return integers("shr", other, self)

    def __eq__(self, other):
        return compare("eq", self, other)

    def __ne__(self, other):
        return compare("ne", self, other)

    def __lt__(self, other):
        return compare("lt", self, other)

    def __le__(self, other):
        return compare("le", self, other)

    def __gt__(self, other):
        return compare("gt", self, other)

    def __ge__(self, other):
        return compare("ge", self, other)

    # As BrickLib calls them.
    def logical_and(self, other):
        return bits("andi", truth(self), truth(other))

    def logical_or(self, other):
        return bits("ori", truth(self), truth(other))

    def logical_not(self):
        return ~truth(self)


class Literal(Expr):
    """A number, of the type of what it is combined with."""

    uniform = True

    def __init__(self, value, dtype):
        super().__init__(dtype)
        self.value = value


class Scalar(Expr):
    """A scalar parameter of the program: `Scalar("a", "f32")`. BrickLib's ConstRef is one, or, of the text of a number, that
    number."""

    uniform = True

    def __init__(self, name, dtype=f64):
        super().__init__(as_dtype(dtype))
        self.name = name

    def __repr__(self):
        return f"Scalar({self.name!r}, {self.dtype.name!r})"


class Index(Expr):
    """The coordinate of the point along an axis; the first interior point has 0. Axes are numbered as those of NumPy's
    arrays: the last one is contiguous."""

    def __init__(self, axis):
        if not isinstance(axis, int) or axis < 0:
            raise ValueError(f"expected the number of an axis, got {axis!r}")
        super().__init__(index)
        self.axis = axis


class StepIndex(Expr):
    """The number of the step of a time loop, from 0."""

    uniform = True

    def __init__(self, loop):
        super().__init__(index)
        self.loop = loop


class Operation(Expr):
    """An op of MLIR. `attribute` is what is printed between its name and its operands."""

    def __init__(self, op, dtype, *operands, attribute=""):
        super().__init__(dtype)
        self.op, self.operands, self.attribute = op, operands, attribute
        self.uniform = all(operand.uniform for operand in operands)


def indices(rank):
    """The Index of every axis: `i, j = stencil.indices(2)`."""
    return tuple(Index(axis) for axis in range(rank))


def is_number(value):
    return isinstance(value, numbers.Number) or hasattr(value, "dtype") and getattr(value, "shape", None) == ()


def literal(value, dtype):
    """A number as one of `dtype`, if it has such a value."""
    if not isinstance(value, numbers.Number):
        value = value.item()
    if isinstance(value, complex):
        raise TypeError(f"expected a real number, got {value!r}")
    if dtype.is_float:
        return Literal(float(value), dtype)
    if dtype.is_bool:
        if value not in (0, 1):
            raise TypeError(f"expected True or False beside {dtype.name}, got {value!r}")
        return Literal(bool(value), dtype)
    if int(value) != value or isinstance(value, float):
        raise TypeError(f"expected an integer beside {dtype.name}, got {value!r}; cast(x, \"f64\") makes a float of x")
    low, high = dtype.range()
    if not low <= value <= high:
        raise ValueError(f"expected an integer that fits {dtype.name}, got {value!r}")
    return Literal(int(value), dtype)


def as_expr(value, dtype=None):
    """An expression of one, or of a number."""
    if isinstance(value, Expr):
        return value
    if hasattr(value, "as_expr"):
        return value.as_expr()
    if is_number(value):
        if dtype is None:
            dtype = i1 if isinstance(value, bool) else i64 if isinstance(value, numbers.Integral) else f64
        return literal(value, dtype)
    raise TypeError(f"expected an expression or a number, got {type(value).__name__}")


def common(what, *values):
    """The values as expressions of one type, which numbers take from the others."""
    typed = [as_expr(value) for value in values if not is_number(value)]
    dtypes = {value.dtype.name: value.dtype for value in typed}
    if len(dtypes) > 1:
        raise TypeError(f"expected operands of one type for {what}, got {' and '.join(dtypes)}; cast(x, TYPE) converts")
    if typed:
        dtype = typed[0].dtype
    else:
        dtype = i64 if all(isinstance(value, numbers.Integral) for value in values) else f64
    return [as_expr(value, dtype) for value in values]


_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "shl": "<<", "shr": ">>", "andi": "&", "ori": "|",
            "xori": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def arithmetic(op, a, b):
    a, b = common(_SYMBOLS[op], a, b)
    if a.dtype.is_bool:
        raise TypeError(f"expected numbers for {_SYMBOLS[op]}, got i1; cast(x, \"i32\") makes 0 or 1 of it")
    return Operation(f"arith.{op}{'f' if a.dtype.is_float else 'i'}", a.dtype, a, b)


def divide(a, b):
    a, b = common("/", a, b)
    if not a.dtype.is_float:
        raise TypeError(f"expected floats for /, got {a.dtype.name}; // divides integers, cast(x, \"f64\") converts them")
    return Operation("arith.divf", a.dtype, a, b)


def integers(op, a, b):
    """Floor division and shifts."""
    a, b = common(_SYMBOLS[op], a, b)
    if not a.dtype.is_integer:
        raise TypeError(f"expected integers for {_SYMBOLS[op]}, got {a.dtype.name}")
    unsigned = a.dtype.kind == "u"
    names = {"floordiv": "divui" if unsigned else "floordivsi", "shl": "shli", "shr": "shrui" if unsigned else "shrsi"}
    return Operation("arith." + names[op], a.dtype, a, b)


def modulo(a, b):
    """The remainder with the sign of the divisor, as Python and NumPy have it; fmod has C's."""
    a, b = common("%", a, b)
    remainder = fmod(a, b)
    if a.dtype.kind == "u":
        return remainder
    zero = literal(0, a.dtype)
    other_sign = (remainder != zero) & ((remainder < zero) ^ (b < zero))
    return where(other_sign, remainder + b, remainder)


def fmod(a, b):
    """The remainder of the division that truncates, with the sign of `a` (C's % and fmod)."""
    a, b = common("fmod", a, b)
    if a.dtype.is_bool:
        raise TypeError("expected numbers for a remainder, got i1")
    name = "remf" if a.dtype.is_float else "remui" if a.dtype.kind == "u" else "remsi"
    return Operation("arith." + name, a.dtype, a, b)


def power(a, b):
    if is_number(b) and isinstance(b, numbers.Integral) and as_expr(a).dtype.is_float:
        a = as_expr(a)
        return Operation("math.fpowi", a.dtype, a, literal(b, i64))
    a, b = common("**", a, b)
    if a.dtype.is_float:
        return Operation("math.powf", a.dtype, a, b)
    if a.dtype.kind != "i":
        raise TypeError(f"expected floats or signed integers for **, got {a.dtype.name}")
    return Operation("math.ipowi", a.dtype, a, b)


def ones(dtype):
    return Literal(-1 if dtype.kind != "u" else dtype.range()[1], dtype)


def bits(op, a, b):
    a, b = common(_SYMBOLS[op], a, b)
    if a.dtype.is_float:
        raise TypeError(f"expected integers or conditions for {_SYMBOLS[op]}, got {a.dtype.name}")
    return Operation("arith." + op, a.dtype, a, b)


def compare(op, a, b):
    a, b = common(_SYMBOLS[op], a, b)
    if a.dtype.is_float:
        predicate = "une" if op == "ne" else "o" + op
        return Operation("arith.cmpf", i1, a, b, attribute=predicate)
    unsigned = a.dtype.kind in "ub"
    predicate = op if op in ("eq", "ne") else ("u" if unsigned else "s") + op
    return Operation("arith.cmpi", i1, a, b, attribute=predicate)


def truth(value):
    """A number as a condition: whether it is not zero."""
    value = as_expr(value)
    return value if value.dtype.is_bool else compare("ne", value, 0)


def where(condition, a, b):
    """`a` where the condition holds, `b` elsewhere. Both are evaluated."""
    condition = as_expr(condition, i1)
    if not condition.dtype.is_bool:
        raise TypeError(f"expected a condition (i1), got {condition.dtype.name}; x != 0 makes one")
    a, b = common("where", a, b)
    return Operation("arith.select", a.dtype, condition, a, b)


def cast(value, dtype):
    """The value as one of another type. Floats become integers by truncation, 0 or 1 becomes of a condition."""
    value, to = as_expr(value), as_dtype(dtype)
    source = value.dtype
    if isinstance(value, Literal) and not (source.is_float and not to.is_float):
        return literal(value.value, to)
    if source is to:
        return value
    if to.is_bool:
        return compare("ne", value, 0)
    if to.kind == "x" or source.kind == "x":
        if source.is_float or source.kind == "x" and to.is_float:
            return cast(cast(value, i64), to)
        return Operation("arith.index_castui" if source.kind in "ub" else "arith.index_cast", to, value)
    if source.is_float and to.is_float:
        if source.bits == to.bits:  # f16 and bf16
            return cast(cast(value, f32), to)
        return Operation("arith.extf" if source.bits < to.bits else "arith.truncf", to, value)
    if source.is_float:
        return Operation("arith.fptoui" if to.kind == "u" else "arith.fptosi", to, value)
    unsigned = source.kind in "ub"
    if to.is_float:
        return Operation("arith.uitofp" if unsigned else "arith.sitofp", to, value)
    if source.bits == to.bits:
        # Signless: the same value, read in another way.
        return Operation("", to, value)
    if source.bits > to.bits:
        return Operation("arith.trunci", to, value)
    return Operation("arith.extui" if unsigned else "arith.extsi", to, value)

