"""What a program does, in the order in which it was written: statements, in blocks."""

import threading

from .expressions import StepIndex, as_expr, user_location

_active = threading.local()


class Trace:
    """The statements of a function that is being traced."""

    def __init__(self):
        self.blocks = [Block(None)]

    def __enter__(self):
        if current() is not None:
            raise RuntimeError("expected no function that is being traced inside of another one")
        _active.trace = self
        return self

    def __exit__(self, *_):
        _active.trace = None

    def add(self, statement):
        self.blocks[-1].statements.append(statement)


class Block:
    def __init__(self, loop):
        self.loop, self.statements = loop, []


def current():
    return getattr(_active, "trace", None)


def require(what):
    trace = current()
    if trace is None:
        raise RuntimeError(f"expected {what} in a function that is being traced (@stencil.program)")
    return trace


class Statement:
    def __init__(self):
        self.location = user_location()


class Assignment(Statement):
    def __init__(self, grid, value, box):
        super().__init__()
        self.grid, self.value, self.box = grid, value, box


class Definition(Statement):
    """Of a temporary value."""

    def __init__(self, temporary):
        super().__init__()
        self.temporary = temporary


class Fill(Statement):
    """Of a halo."""

    def __init__(self, grid, conditions):
        super().__init__()
        self.grid, self.conditions = grid, conditions


class Fold(Statement):
    """A reduction of temporary values to the scalar `result`."""

    def __init__(self, kind, temporaries, box, result):
        super().__init__()
        self.kind, self.temporaries, self.box, self.result = kind, temporaries, box, result


class Loop(Statement):
    def __init__(self, steps, rotate):
        super().__init__()
        self.steps, self.rotate, self.body = steps, rotate, Block(self)
        self.step = StepIndex(self)


def time_loop(steps, rotate=()):
    """Repeats what follows `steps` times: `for step in stencil.time_loop(steps, rotate=(u, v)):`. The body is traced once.

    After each step the grids of `rotate` change places: the first one becomes what the second one was, and so on, and the
    last one what the first one was. `rotate=(u, v)` swaps them: read u, write v. `rotate=(old, now, new)` is for three
    levels in time. Several tuples rotate several groups.
    """
    trace = require("time_loop")
    groups = groups_of(rotate)
    steps = as_expr(steps)
    check_loop(steps, groups)
    loop = Loop(steps, groups)
    trace.add(loop)
    trace.blocks.append(loop.body)
    finished = False
    try:
        yield loop.step
        finished = True
    finally:
        if trace.blocks[-1] is loop.body:
            trace.blocks.pop()
        loop.finished = finished


def groups_of(rotate):
    """The groups of grids that change places: of one group, or of several; a TimeGrid is one."""
    if hasattr(rotate, "grids"):
        return [rotate.grids]
    if any(isinstance(entry, (tuple, list)) or hasattr(entry, "grids") for entry in rotate):
        return [tuple(getattr(group, "grids", group)) for group in rotate]
    return [tuple(rotate)] if rotate else []


def check_loop(steps, groups):
    if not steps.dtype.is_integer or not steps.uniform:
        raise TypeError("expected an integer or a scalar of type index as the number of steps of a time loop")
    grids = [grid for group in groups for grid in group]
    if len(set(map(id, grids))) != len(grids):
        raise ValueError("expected every grid once in rotate")
    for group in groups:
        for grid in group:
            if (grid.rank, grid.dtype.name) != (group[0].rank, group[0].dtype.name):
                raise ValueError(f"expected grids of one rank and type in a group of rotate, got {group[0]!r} and {grid!r}")
