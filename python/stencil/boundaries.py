"""What the halo of a grid gets: the conditions of `stencil.boundary`."""

import math
import numbers


class Condition:
    """A boundary condition for one end of an axis."""

    def __init__(self, name, text=""):
        self.name, self.parameter = name, text

    def __repr__(self):
        return self.name + (f"({self.parameter})" if self.parameter else "")

    @property
    def text(self):
        return f"#stencil.{self.name}" + (f"<{self.parameter}>" if self.parameter else "")


periodic = Condition("periodic")
neumann = Condition("neumann")
symmetric = Condition("symmetric")
antisymmetric = Condition("antisymmetric")
symmetric_about_face = Condition("symmetric_about_face")
antisymmetric_about_face = Condition("antisymmetric_about_face")
keep = Condition("keep")


# What the package has of this module.
__all__ = ["dirichlet", "extrapolate", *(name for name, value in list(globals().items()) if isinstance(value, Condition))]


def dirichlet(value):
    """The halo has this value."""
    if not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(f"expected a finite number for dirichlet, got {value!r}")
    return Condition("dirichlet", float_text(value))


def extrapolate(order):
    """A polynomial of this order through the nearest interior points."""
    if not isinstance(order, int) or not 0 <= order <= 8:
        raise ValueError(f"expected an order from 0 to 8 for extrapolate, got {order!r}")
    return Condition("extrapolate", str(order))


def float_text(value):
    """A finite number as MLIR reads it: with a point."""
    mantissa, e, exponent = repr(float(value)).partition("e")
    return mantissa + ("" if "." in mantissa else ".0") + e + exponent


def conditions_of(boundary, rank):
    """A pair of conditions, lower and upper, for every axis; of one condition for all, or of a list with an entry per
    axis, each a condition or a pair of them."""
    if boundary is None:
        return None
    entries = [boundary] * rank if isinstance(boundary, Condition) else list(boundary)
    if len(entries) != rank:
        raise ValueError(f"expected a boundary condition per axis, {rank}, got {len(entries)}")
    pairs = [(entry, entry) if isinstance(entry, Condition) else entry for entry in entries]
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(c, Condition) for c in pair):
            raise TypeError(f"expected a boundary condition or a pair (lower, upper) per axis, got {pair!r}")
        if (pair[0] is periodic) != (pair[1] is periodic):
            raise ValueError("expected periodic at both ends of an axis or at none")
    return pairs
