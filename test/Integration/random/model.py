"""What the generator knows of a program while it writes it: element types, boxes, and for every floating-point
value the interval it lies in and how far two correct evaluations may be apart."""

import math

# Bits of the significand.
FLOATS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
INTS = {"i64": 64, "i32": 32, "i16": 16, "i8": 8, "i1": 1}


class Retry(Exception):
    """What was tried is not possible here; try something else."""


def unit(ty):
    """Largest relative error of one rounding."""
    return 2.0 ** -FLOATS[ty]


# Bounds. Relative to the extent N of the axis: SYMBOL + k, written ?+k. -----------------------------------------------

SYMBOL = 1 << 40


def is_symbolic(bound):
    return bound > SYMBOL // 2


def bound_text(bound):
    if not is_symbolic(bound):
        return str(bound)
    offset = bound - SYMBOL
    return "?" if offset == 0 else f"?{offset:+d}"


def box_type(kind, box, elem):
    """!stencil.field<...> of a box ((lb, ub) per axis), or of unknown bounds if `box` is a rank."""
    if isinstance(box, int):
        axes = "?x" * box
    else:
        axes = "".join(f"[{bound_text(lb)},{bound_text(ub)}]x" for lb, ub in box)
    return f"!stencil.{kind}<{axes}{elem}>"


def bounds_text(box):
    lbs = ", ".join(bound_text(lb) for lb, _ in box)
    ubs = ", ".join(bound_text(ub) for _, ub in box)
    return f"<[{lbs}], [{ubs}]>"


class Grid:
    """Rank and extents. Which axes are symbolic, and what their extents will be at run time."""

    def __init__(self, extents, symbolic):
        self.extents = extents
        self.symbolic = symbolic
        self.rank = len(extents)

    def upper(self, axis):
        """The end of the interior."""
        return SYMBOL if self.symbolic[axis] else self.extents[axis]

    def value(self, bound, axis):
        """The coordinate at run time."""
        return bound - SYMBOL + self.extents[axis] if is_symbolic(bound) else bound

    def size(self, box, axes=None):
        """Extents at run time; Retry where the box is empty or its bounds are in another order than for large N."""
        axes = range(len(box)) if axes is None else axes
        sizes = []
        for (lb, ub), axis in zip(box, axes):
            size = self.value(ub, axis) - self.value(lb, axis)
            if size < 1 or ub <= lb:
                raise Retry
            sizes.append(size)
        return sizes

    def points(self, box, axes=None):
        return math.prod(self.size(box, axes))

    def same_order(self, a, b, axis):
        """Retry if a < b is true for large N and not for this one, or the other way round."""
        x, y = self.value(a, axis), self.value(b, axis)
        if (a < b) != (x < y) and x != y:
            raise Retry

    def intersect(self, a, b):
        box = []
        for axis, ((alb, aub), (blb, bub)) in enumerate(zip(a, b)):
            self.same_order(alb, blb, axis)
            self.same_order(aub, bub, axis)
            box.append((max(alb, blb), min(aub, bub)))
        box = tuple(box)
        self.size(box)
        return box

    def contains(self, outer, inner):
        try:
            return self.intersect(outer, inner) == inner
        except Retry:
            return False

    def room(self, outer, inner, axis, outer_axis):
        """Least and largest offset along an axis with which `inner`, moved, stays in `outer`."""
        (olb, oub), (ilb, iub) = outer[outer_axis], inner[axis]
        least = self.value(olb, axis) - self.value(ilb, axis)
        most = self.value(oub, axis) - self.value(iub, axis)
        # And for every N that is large enough.
        if is_symbolic(olb) == is_symbolic(ilb):
            least = max(least, olb - ilb)
        if is_symbolic(oub) == is_symbolic(iub):
            most = min(most, oub - iub)
        elif is_symbolic(iub):
            raise Retry
        if least > 0 or most < 0:
            raise Retry
        return least, most


# Values ---------------------------------------------------------------------------------------------------------------


class Err:
    """A bound of the relative distance of two evaluations: d + sum of coef[t] * E[t], where E[t] bounds the distance
    of the fields of element type t when the innermost time loop's body starts."""

    def __init__(self, d=0.0, coef=None):
        self.d = d
        self.coef = coef or {}

    def plus(self, d):
        return Err(self.d + d, dict(self.coef))

    def scaled(self, factor):
        return Err(self.d * factor, {t: c * factor for t, c in self.coef.items()})

    def added(self, other):
        types = set(self.coef) | set(other.coef)
        return Err(self.d + other.d, {t: self.coef.get(t, 0) + other.coef.get(t, 0) for t in types})

    def joined(self, other):
        types = set(self.coef) | set(other.coef)
        return Err(max(self.d, other.d), {t: max(self.coef.get(t, 0), other.coef.get(t, 0)) for t in types})

    def substituted(self, errors):
        """With `errors`, a dictionary of Err, in place of E."""
        result = Err(self.d)
        for ty, c in self.coef.items():
            result = result.added(errors.get(ty, Err()).scaled(c))
        return result

    def gain(self):
        return max(self.coef.values(), default=0.0)


class State:
    """Of a floating-point value or all values of a field: magnitudes in [lo, hi], or in [0, hi] and any sign if
    `signed`. Exact: every correct evaluation has the very same value, so it may be compared and truncated."""

    def __init__(self, lo=1 / 64, hi=1.0, err=None, exact=True, signed=False):
        self.lo, self.hi = lo, hi
        self.err = err or Err()
        self.exact = exact
        self.signed = signed

    def copy(self):
        return State(self.lo, self.hi, self.err, self.exact, self.signed)

    def hull(self, other):
        return State(
            min(self.lo, other.lo),
            max(self.hi, other.hi),
            self.err.joined(other.err),
            self.exact and other.exact,
            self.signed or other.signed,
        )


class Val:
    """An SSA scalar: a float with a state, or an integer or index of any value."""

    def __init__(self, name, ty, state=None, product=False):
        self.name, self.ty = name, ty
        self.state = state
        # A product may be contracted into what adds to it.
        self.product = product


class Field:
    def __init__(self, name, elem, box, interior, axes, state):
        self.name, self.elem, self.box, self.interior, self.axes = name, elem, box, interior, axes
        self.state = state
        self.mutable = True

    @property
    def type(self):
        return box_type("field", self.box, self.elem)


class Temp:
    """A value on a box at most. Fixed: needed on this very box. Partial: may only be stored."""

    def __init__(self, name, elem, box, axes, state, fixed=False, partial=False):
        self.name, self.elem, self.box, self.axes, self.state = name, elem, box, axes, state
        self.fixed, self.partial = fixed, partial
        # The field it was loaded from.
        self.field = None
        # What one apply makes is needed on one box, around all that is stored of it.
        self.siblings, self.boxes = (self,), ()

    @property
    def type(self):
        return box_type("temp", len(self.box), self.elem)
