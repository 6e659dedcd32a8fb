"""Random bodies of stencil.apply."""

from model import FLOATS, State, Val
from scalars import Scalars


class Body(Scalars):
    """`inputs` are pairs of a block argument's name and the Temp behind it, `box` the points at which the body must be
    valid, `base` the position in the group of points that an unrolled body computes."""

    def __init__(self, rng, names, without, grid, inputs, scalars, box, radius):
        super().__init__(rng, names, without)
        self.grid, self.inputs, self.box, self.radius = grid, inputs, box, radius
        self.base = [0] * grid.rank
        self.pool = list(scalars)
        # Some inputs are read at this point only.
        self.reach = {name: radius if rng.random() < 0.75 else 0 for name, _ in inputs}
        self.indent = "      "

    # Inputs -----------------------------------------------------------------------------------------------------------

    def offsets(self, temp, reach):
        """A random offset per axis of the input at which it may be read."""
        offsets = []
        for position, axis in enumerate(temp.axes):
            least, most = self.grid.room(temp.box, self.box, axis, position)
            least, most = max(least, -reach), min(most, reach)
            offset = self.rng.randint(least, most) if self.chance(0.6) else 0
            offsets.append(offset + self.base[axis])
        return offsets

    def access(self, elem=None):
        """The value of an input of the type, or None."""
        choices = [(n, t) for n, t in self.inputs if elem is None or t.elem == elem]
        if not choices:
            return None
        name, temp = self.rng.choice(choices)
        if self.chance(0.1) and self.allowed("dyn_access") and len(temp.axes) == self.grid.rank:
            value = self.dynamic_access(name, temp)
        else:
            texts = ["_"] * self.grid.rank
            for axis, offset in zip(temp.axes, self.offsets(temp, self.reach[name])):
                texts[axis] = str(offset)
            value = self.op(f"stencil.access {name}[{', '.join(texts)}] : {temp.type}", temp.elem, self.state_of(temp))
        return self.positive(value) if temp.elem in FLOATS else value

    def state_of(self, temp):
        return temp.state.copy() if temp.elem in FLOATS else None

    def dynamic_access(self, name, temp):
        lows, highs, coordinates = [], [], []
        for axis in range(self.grid.rank):
            least, most = self.grid.room(temp.box, self.box, axis, axis)
            low = self.rng.randint(max(least, -self.reach[name]), 0)
            high = self.rng.randint(0, min(most, self.reach[name]))
            low, high = low + self.base[axis], high + self.base[axis]
            here = self.index(axis, low)
            if high > low:
                width = self.constant(high - low + 1, "index")
                value = self.integer("index", 1)
                move = self.op(f"arith.remui {value.name}, {width.name} : index", "index")
                here = self.op(f"arith.addi {here.name}, {move.name} : index", "index")
            lows.append(str(low))
            highs.append(str(high))
            coordinates.append(here.name)
        text = f"[{', '.join(coordinates)}] in <[{', '.join(lows)}]> : <[{', '.join(highs)}]>"
        return self.op(f"stencil.dyn_access {name}{text} : {temp.type}", temp.elem, self.state_of(temp))

    def index(self, axis, offset=None):
        offsets = [self.rng.randint(-2, 2) for _ in range(self.grid.rank)]
        if offset is not None:
            offsets[axis] = offset
        return self.op(f"stencil.index {axis} <[{', '.join(map(str, offsets))}]>", "index")

    def float_leaf(self, ty):
        if self.chance(0.85):
            value = self.access(ty)
            if value:
                return self.moderate(value)
        return super().float_leaf(ty)

    def integer_leaf(self, ty):
        if ty == "index":
            return self.index(self.rng.randrange(self.grid.rank))
        if self.chance(0.7):
            value = self.access(ty)
            if value:
                return value
        if ty != "i1" and self.chance(0.5):
            return self.op(f"arith.index_cast {self.integer_leaf('index').name} : index to {ty}", ty)
        return super().integer_leaf(ty)

    def condition(self, depth):
        if self.chance(0.2):
            value = self.access("i1")
            if value:
                return value
        return super().condition(depth)

    # Control flow -----------------------------------------------------------------------------------------------------

    def value(self, ty, depth):
        r = self.rng.random()
        if depth > 1 and r < 0.15 and self.allowed("if"):
            return self.branch(ty, depth - 1)
        if depth > 1 and r < 0.22 and self.allowed("for"):
            return self.loop(ty, depth - 1)
        return super().value(ty, depth)

    def nested(self, write):
        """What `write` returns, evaluated in a region of its own."""
        pool, indent = list(self.pool), self.indent
        self.indent += "  "
        result = write()
        self.pool, self.indent = pool, indent
        return result

    def branch(self, ty, depth):
        """scf.if with one or two values, of which the first is returned."""
        condition = self.condition(1)
        types = [ty] + ([self.rng.choice([ty, "i32"])] if self.chance(0.3) else [])
        name = self.name()
        results = name if len(types) == 1 else f"{name}:{len(types)}"
        self.line(f"{results} = scf.if {condition.name} -> ({', '.join(types)}) {{")

        def side():
            values = [self.value(t, depth) for t in types]
            self.line(f"scf.yield {', '.join(v.name for v in values)} : {', '.join(types)}")
            return values

        a = self.nested(side)
        self.line("} else {")
        b = self.nested(side)
        self.line("}")
        return self.returned(name, types, a, b)

    def returned(self, name, types, a, b):
        """The results of an op, each of which is one of two values."""
        values = []
        for position, ty in enumerate(types):
            state = a[position].state.hull(b[position].state) if ty in FLOATS else None
            result = Val(name if len(types) == 1 else f"{name}#{position}", ty, state)
            values.append(result)
        self.pool += values
        return values[0]

    def loop(self, ty, depth):
        """scf.for that carries one value through a few iterations."""
        start = self.value(ty, 1)
        low = self.constant(0, "index")
        high = self.constant(self.rng.randint(0, 3), "index")
        if self.chance(0.3):
            low, high = high, self.small("index", 1)
        step = self.constant(self.rng.randint(1, 2), "index")
        name, carried, variable = self.name(), self.name(), self.name()
        self.line(
            f"{name} = scf.for {variable} = {low.name} to {high.name} step {step.name}"
            f" iter_args({carried} = {start.name}) -> ({ty}) {{"
        )

        # A float carried is an invariant: the clamped mean of itself and something, or just something.
        lo, hi = self.limits(ty) if ty in FLOATS else (0, 0)

        def inside():
            self.op(f"arith.addi {variable}, {low.name} : index", "index")
            value = self.value(ty, depth)
            if ty in FLOATS:
                old = Val(carried, ty, State(lo, hi, value.state.err.joined(start.state.err), False))
                value = self.arith(self.rng.choice(["arith.maximumf", "arith.minimumf"]), value, old)
            else:
                old = Val(carried, ty)
                value = self.op(f"arith.addi {value.name}, {old.name} : {ty}", ty) if ty != "i1" else value
            self.line(f"scf.yield {value.name} : {ty}")
            return value

        last = self.nested(inside)
        self.line("}")
        state = start.state.hull(last.state) if ty in FLOATS else None
        if state:
            state.exact = state.exact and start.state.exact
        result = Val(name, ty, state)
        self.pool.append(result)
        return result

    # Results ----------------------------------------------------------------------------------------------------------

    def maybe_stored(self, value, ty):
        """`value` where some condition holds, as a !stencil.result."""
        condition = self.condition(2)
        inner, name = self.name(), self.name()
        kind = f"!stencil.result<{ty}>"
        stored = f"{inner} = stencil.store_result {value.name} : {kind}"
        empty = f"{inner} = stencil.store_result : {kind}"
        first, second = (stored, empty) if self.chance(0.5) else (empty, stored)
        self.line(f"{name} = scf.if {condition.name} -> ({kind}) {{")
        self.line(f"  {first}")
        self.line(f"  scf.yield {inner} : {kind}")
        self.line("} else {")
        self.line(f"  {second.replace(inner, inner + 'e')}")
        self.line(f"  scf.yield {inner}e : {kind}")
        self.line("}")
        return name
