"""Grids, what is read of them, and values that are computed in between."""

import numbers

from . import tracing
from .boundaries import conditions_of
from .dtypes import as_dtype, index
from .expressions import Expr, Index, Literal, Operation, as_expr, user_location


def index_and_offset(expression):
    """The axis and the offset of `i`, `i + 1`, `1 + i - 2`; None if it is none of these."""
    offset, sign = 0, 1
    while isinstance(expression, Operation) and expression.op in ("arith.addi", "arith.subi"):
        a, b = expression.operands
        if isinstance(b, Literal):
            offset += sign * (b.value if expression.op == "arith.addi" else -b.value)
            expression = a
        elif isinstance(a, Literal) and expression.op == "arith.addi":
            offset += sign * a.value
            expression = b
        else:
            return None
    return (expression.axis, offset) if isinstance(expression, Index) else None


class Readable:
    """What has values at points: `u[i - 1, j]` or, as BrickLib writes it, `u(i - 1, j)`."""

    name, rank, dtype = None, None, None
    # Of the point, the axes that it has; None: not known yet.
    axes = None

    def source(self):
        return self

    def __getitem__(self, key):
        return self.read(key if isinstance(key, tuple) else (key,))

    def __call__(self, *key):
        return self.read(key)

    def read(self, key):
        if len(key) != self.rank:
            raise ValueError(f"expected {self.rank} indices for '{self.name}', got {len(key)}")
        positions = [index_and_offset(entry) if isinstance(entry, Expr) else None for entry in key]
        for entry, position in zip(key, positions):
            if position is None:
                raise ValueError(f"expected an Index plus or minus an integer for '{self.name}', got {describe(entry)}; "
                                 f"'{self.name}'.at(...) reads at computed coordinates")
        axes = tuple(axis for axis, _ in positions)
        if list(axes) != sorted(set(axes)):
            raise ValueError(f"expected the indices of '{self.name}' in the order of the axes, got axes {axes}")
        if self.axes is not None and self.axes != axes:
            raise ValueError(f"expected axes {self.axes} of the point for '{self.name}', as elsewhere, got {axes}")
        self.axes = axes
        return Reference(self, self.source(), tuple(offset for _, offset in positions), axes)

    def at(self, *coordinates, reach):
        """The value at computed coordinates, of type index. `reach` has, per axis, the smallest and the largest distance
        from the point that they may have: `u.at(i + shift[i, j], j, reach=[(-2, 2), (0, 0)])`."""
        reach = [tuple(entry) for entry in reach]
        if len(coordinates) != self.rank or len(reach) != self.rank:
            raise ValueError(f"expected {self.rank} coordinates and entries of reach for '{self.name}', got "
                             f"{len(coordinates)} and {len(reach)}")
        for entry in reach:
            if len(entry) != 2 or not all(isinstance(end, int) for end in entry) or entry[0] > entry[1]:
                raise ValueError(f"expected a pair of integers, the smaller first, per axis of reach, got {entry}")
        coordinates = [as_expr(coordinate, index) for coordinate in coordinates]
        for coordinate in coordinates:
            if coordinate.dtype is not index:
                raise TypeError(f"expected coordinates of type index, got {coordinate.dtype.name}; cast(x, \"index\") converts")
        return ComputedReference(self.source(), coordinates, reach)

    def __iter__(self):
        raise TypeError(f"expected something to iterate over, got the grid '{self.name}'")


def describe(entry):
    if isinstance(entry, slice):
        return "a slice"
    if isinstance(entry, numbers.Number):
        return repr(entry)
    return "an expression" if isinstance(entry, Expr) else type(entry).__name__


class Grid(Readable):
    """A field of the program: an array, halo included, with a `rank` and a `dtype`.

    `boundary`: what the halo has whenever it is read: a condition, or a list with one per axis, or a pair (lower, upper).
    Without it, the halo has what the caller's array has there.
    `halo`: points around the interior, if it is to be wider than what is read: a number, or one or a pair per axis.
    """

    def __init__(self, name, rank, dtype="f64", *, boundary=None, halo=None):
        if not isinstance(rank, int) or rank < 1:
            raise ValueError(f"expected the number of axes, at least 1, for a grid, got {rank!r}")
        self.name, self.rank, self.dtype = name, rank, as_dtype(dtype)
        if self.dtype is index:
            raise TypeError("expected an element type for a grid, got index; i64 has its numbers")
        self.boundary = conditions_of(boundary, rank)
        self.halo = halo_of(halo, rank)
        self.location = user_location()
        # Outside of a traced function: what has been assigned last, and the reference that it was assigned to.
        self.assigned = None

    def __repr__(self):
        return f"Grid({self.name!r}, {self.rank}, {self.dtype.name!r})"

    def source(self):
        # An assigned grid is read as what was assigned to it, as in BrickLib.
        return self.assigned.value if self.assigned is not None and tracing.current() is None else self

    def __setitem__(self, key, value):
        self[key].assign(value)

    def fill_boundary(self, boundary=None):
        """Gives the halo its values here, by these conditions or those of the grid."""
        conditions = conditions_of(boundary, self.rank) or self.boundary
        if conditions is None:
            raise ValueError(f"expected boundary conditions for '{self.name}', which has none of its own")
        tracing.require("fill_boundary").add(tracing.Fill(self, conditions))


def Field(rank, dtype="f64", *, boundary=None, halo=None):
    """A grid that is a parameter of a traced function, which gives it its name: `u: stencil.Field(2)`."""
    return Grid(None, rank, dtype, boundary=boundary, halo=halo)


def halo_of(halo, rank):
    if halo is None:
        return [(0, 0)] * rank
    entries = [halo] * rank if isinstance(halo, int) else list(halo)
    pairs = [(entry, entry) if isinstance(entry, int) else tuple(entry) for entry in entries]
    if len(pairs) != rank or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise ValueError(f"expected a halo of 0 or more points per axis, {rank}, got {halo!r}")
    return pairs


class Reference(Expr):
    """The value of a grid or of a temporary value at an offset."""

    def __init__(self, target, source, offsets, axes):
        super().__init__(source.dtype)
        self.target, self.source, self.offsets, self.axes = target, source, offsets, axes

    def assign(self, value, box=None):
        """Sets the grid, at all interior points, or in a box of them: slices per axis, as `numpy.s_[1:-1, :]`."""
        grid = self.target
        if not isinstance(grid, Grid):
            raise TypeError("expected a grid to assign to, got a temporary value")
        if any(self.offsets) or self.axes != tuple(range(grid.rank)):
            raise ValueError(f"expected the point itself, such as {grid.name}[i, j] of Index(0), Index(1), to assign to, got "
                             f"offsets {self.offsets} of axes {self.axes}")
        value = as_expr(value, grid.dtype)
        if value.dtype.name != grid.dtype.name:
            raise TypeError(f"expected {grid.dtype.name} for '{grid.name}', got {value.dtype.name}; cast(x, "
                            f"\"{grid.dtype.name}\") converts")
        assignment = tracing.Assignment(grid, value, box_of(box, grid.rank))
        trace = tracing.current()
        if trace is not None:
            trace.add(assignment)
            return
        if box is not None:
            raise ValueError("expected no box outside of a traced function")
        assignment.value = Temporary(value, grid.rank, grid.name)
        grid.assigned = assignment


class ComputedReference(Expr):
    """The value of a grid or of a temporary value at computed coordinates."""

    def __init__(self, source, coordinates, reach):
        super().__init__(source.dtype)
        self.source, self.operands, self.reach = source, tuple(coordinates), reach


class Temporary(Readable):
    """Values that are computed and read, also at neighbouring points, but not kept: `lap = stencil.temp(...)`."""

    count = 0

    def __init__(self, value, rank, name):
        self.value, self.rank, self.name, self.dtype = value, rank, name, value.dtype
        self.axes = tuple(range(rank))
        self.location = user_location()
        # What it reads has a smaller number.
        Temporary.count += 1
        self.number = Temporary.count

    def as_expr(self):
        return self[tuple(Index(axis) for axis in range(self.rank))]


def walk(expression, enters=lambda node: True):
    """The expressions that one consists of, operands first, each once; of those that it does not enter, not their operands."""
    seen, stack = set(), [(expression, False)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            if enters(node):
                stack.extend((operand, False) for operand in reversed(node.operands))


def rank_of(expressions):
    """The number of axes of what is evaluated: that of the last axis that is named."""
    rank = 0
    for expression in expressions:
        for node in walk(expression):
            if isinstance(node, Index):
                rank = max(rank, node.axis + 1)
            elif isinstance(node, Reference):
                rank = max(rank, node.axes[-1] + 1)
            elif isinstance(node, ComputedReference):
                rank = max(rank, node.source.rank)
    return rank


def temp(value, name="temp", rank=None):
    """Values that are computed here, and may be read at offsets afterwards: `lap[i + 1, j]`. They are no array."""
    value = as_expr(value)
    rank = rank or rank_of([value])
    if not rank:
        raise ValueError("expected an expression that reads a grid or an Index, or the number of axes as rank=, for temp")
    temporary = Temporary(value, rank, name)
    tracing.require("temp").add(tracing.Definition(temporary))
    return temporary


def box_of(box, rank):
    """Of slices (start and stop count from the end if negative): per axis the two ends, each as (whether it counts from
    the end, number); None for all interior points."""
    if box is None:
        return None
    entries = box if isinstance(box, tuple) else (box,)
    if len(entries) != rank:
        raise ValueError(f"expected a slice per axis, {rank}, for a box, got {len(entries)}")
    result = []
    for entry in entries:
        if isinstance(entry, int):
            entry = slice(entry, entry + 1 if entry != -1 else None)
        if not isinstance(entry, slice) or entry.step not in (None, 1):
            raise ValueError(f"expected slices without a step, or integers, for a box, got {entry!r}")
        start, stop = entry.start or 0, entry.stop
        ends = ((start < 0, start), (True, 0) if stop is None else (stop < 0, stop))
        if ends[0][0] == ends[1][0] and ends[0][1] >= ends[1][1]:
            raise ValueError(f"expected a box that is not empty, got {entry!r}")
        result.append(ends)
    return result
