"""What has to be known of a program before it is printed: halos, and where boundary conditions hold."""

from .grids import ComputedReference, Grid, Reference, Temporary, walk
from .tracing import Assignment, Definition, Fill, Fold, Loop


class Demand:
    """How far beyond the interior values are needed, per axis: the lowest position, from the interior's beginning, and the
    highest one, from its end. None: nothing near that end."""

    def __init__(self, rank):
        self.ends = [(None, None)] * rank

    def add(self, ends):
        self.ends = [(least(a, c), most(b, d)) for (a, b), (c, d) in zip(self.ends, ends)]

    def halo(self):
        return [(max(0, -(low or 0)), max(0, high or 0)) for low, high in self.ends]


def least(a, b):
    return b if a is None else a if b is None else min(a, b)


def most(a, b):
    return b if a is None else a if b is None else max(a, b)


def shifted(ends, low, high):
    return tuple(None if end is None else end + by for end, by in zip(ends, (low, high)))


def values_of(statement):
    """The expressions that a statement evaluates at points."""
    if isinstance(statement, Assignment):
        return [statement.value]
    return [statement.temporary.value] if isinstance(statement, Definition) else []


class Plan:
    def __init__(self, program):
        self.program = program
        # id(statement) -> grid -> number of its contents, which changes when something is written.
        self.contents = {}
        self.explicit_fills = set()
        self.temporaries, self.grids = {}, {}
        self._next = 0
        self._order = []
        self._number(program.body, {grid: 0 for grid in program.grids})
        for statement in reversed(self._order):
            self._demand(statement)
        self.halos = self._halos()

    def needs_fill(self, grid, contents):
        """Whether the halo of these contents is read, and has conditions."""
        demand = self.grids.get((grid, contents))
        return (grid.boundary is not None and demand is not None and any(map(any, demand.halo()))
                and (grid, contents) not in self.explicit_fills)

    def _new(self, env, grids):
        for grid in grids:
            self._next += 1
            env[grid] = self._next

    def _number(self, block, env):
        for statement in block.statements:
            if isinstance(statement, Loop):
                changed = changed_grids(statement)
                self._new(env, changed)
                self._number(statement.body, dict(env))
                self._new(env, changed)
                continue
            self._order.append(statement)
            self.contents[id(statement)] = dict(env)
            if isinstance(statement, (Assignment, Fill)):
                self._new(env, [statement.grid])
            if isinstance(statement, Fill):
                self.explicit_fills.add((statement.grid, env[statement.grid]))

    def _demand(self, statement):
        """What a statement needs of what it reads."""
        if isinstance(statement, Fold):
            for temporary in statement.temporaries:
                self._need(temporary, None, self._box(statement.box, temporary.rank))
        if isinstance(statement, Assignment):
            ends = self._box(statement.box, statement.grid.rank)
        elif isinstance(statement, Definition):
            demand = self.temporaries.get(statement.temporary)
            if demand is None:
                return  # Nobody reads it.
            ends = demand.ends
        else:
            return
        contents = self.contents[id(statement)]
        for value in values_of(statement):
            for node in walk(value):
                if isinstance(getattr(node, "source", None), Grid):
                    self.program.require(node.source, node.location)
                if isinstance(node, Reference):
                    needed = [shifted(ends[axis], offset, offset) for axis, offset in zip(node.axes, node.offsets)]
                elif isinstance(node, ComputedReference):
                    needed = [shifted(end, *reach) for end, reach in zip(ends, node.reach)]
                else:
                    continue
                self._need(node.source, contents, needed)

    def _need(self, source, contents, ends):
        if isinstance(source, Temporary):
            self.temporaries.setdefault(source, Demand(source.rank)).add(ends)
        else:
            self.grids.setdefault((source, contents[source]), Demand(source.rank)).add(ends)

    def _box(self, box, rank):
        if box is None:
            return [(0, 0)] * rank
        ends = []
        for axis, ((low_from_end, low), (high_from_end, high)) in enumerate(box):
            extent = self.program.extents[axis]
            if extent is not None:
                low, high = low + extent * low_from_end, high - extent * (not high_from_end)
                low_from_end, high_from_end = False, True
            ends.append((None if low_from_end else low, high if high_from_end else None))
        return ends

    def _halos(self):
        """Per grid, points below and above the interior of each axis; those that take turns have the same."""
        halos = {grid: list(grid.halo) for grid in self.program.grids}

        def widen(grid, other):
            halos[grid] = [(max(a, c), max(b, d)) for (a, b), (c, d) in zip(halos[grid], other)]

        for (grid, _), demand in self.grids.items():
            widen(grid, demand.halo())
        groups = [group for loop in loops_of(self.program.body) for group in loop.rotate]
        # Once per group, as halos may have to pass through all of them.
        for _ in groups:
            for group in groups:
                for grid in group:
                    for other in group:
                        widen(grid, halos[other])
        return halos


def loops_of(block):
    for statement in block.statements:
        if isinstance(statement, Loop):
            yield statement
            yield from loops_of(statement.body)


def changed_grids(loop):
    """Those that a time loop writes or exchanges, each once."""
    changed = {grid: None for group in loop.rotate for grid in group}
    for statement in loop.body.statements:
        if isinstance(statement, (Assignment, Fill)):
            changed[statement.grid] = None
        elif isinstance(statement, Loop):
            changed.update(dict.fromkeys(changed_grids(statement)))
    return list(changed)
