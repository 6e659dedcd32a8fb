"""Random loops, branches, boundaries, folds and allocations."""

import math

from model import FLOATS, INTS, Err, Field, Retry, State, Val, bounds_text, is_symbolic, unit
from scalars import float_text

# What a time loop stores lies in this interval.
INVARIANT = (2.0**-4, 2.0)


class Control:
    # Scopes -----------------------------------------------------------------------------------------------------------

    def scope(self, write):
        """Calls `write` for a nested block; what it makes is not visible afterwards."""
        counts = len(self.fields), len(self.temps), len(self.values)
        names = [f.name for f in self.fields]
        self.depth += 1
        result = write()
        self.depth -= 1
        del self.fields[counts[0] :], self.temps[counts[1] :], self.values[counts[2] :]
        # A loop in there may have left names of its own.
        for field, name in zip(self.fields, names):
            field.name = name
        return result

    def branch(self):
        """scf.if, perhaps with a scalar result."""
        if not self.allowed("function-if"):
            raise Retry
        writer = self.scalars()
        condition = writer.condition(1)
        self.values += [v for v in writer.pool if v not in self.values and v.ty == "i1"][:1]
        ty = self.rng.choice([t for t in self.elems if t in FLOATS] or [None]) if self.chance(0.3) else None
        name = self.name()
        self.line(f"{name} = scf.if {condition.name} -> ({ty}) {{" if ty else f"scf.if {condition.name} {{")

        def side():
            for _ in range(self.rng.randint(1, 2)):
                self.statement()
            return self.yielded(ty) if ty else None

        a = self.scope(side)
        b = None
        if ty or self.chance(0.6):
            self.line("} else {")
            b = self.scope(side)
        self.line("}")
        if ty:
            self.values.append(Val(name, ty, a.hull(b)))

    def yielded(self, ty):
        """Yields a scalar of the type; returns its state."""
        writer = self.scalars()
        value = writer.clamp(writer.floating(ty, 2), *INVARIANT)
        if value.state.err.gain() > 1.5:
            raise Retry
        self.line(f"scf.yield {value.name} : {ty}")
        return value.state

    # Time loops -------------------------------------------------------------------------------------------------------

    def time_loop(self):
        if not self.allowed("loop"):
            raise Retry
        rng = self.rng
        carried = self.choose_carried()
        lower, upper, step, count = self.choose_steps()
        base = self.enter(carried)
        name, variable = self.name(), self.name()
        outer = [f.name for f in carried]
        inner = [self.name() for _ in carried]
        types = [f.type for f in carried]
        scalar = rng.choice([t for t in self.elems if t in FLOATS] or [None]) if self.chance(0.2) else None
        inits = list(zip(inner, outer))
        if scalar:
            number, start = self.name(), self.constant(0.5, scalar)
            inits.append((number, start))
            types.append(scalar)
        shown = f"{name}:{len(types)} = " if len(types) > 1 else f"{name} = " if types else ""
        clause = f" iter_args({', '.join(f'{a} = {b}' for a, b in inits)}) -> ({', '.join(types)})" if types else ""
        self.line(f"{shown}scf.for {variable} = {lower} to {upper} step {step}{clause} {{")
        for field, text in zip(carried, inner):
            field.name = text
        order = list(range(len(carried)))
        rng.shuffle(order)

        def body():
            self.values.append(self.scalars().op(f"arith.index_cast {variable} : index to i32", "i32"))
            if scalar:
                self.values.append(Val(number, scalar, State(*INVARIANT, Err(0, {scalar: 1}), False)))
            for _ in range(rng.randint(1, 4)):
                self.statement()
            yields = [inner[i] for i in order]
            err = Err()
            if scalar:
                writer = self.scalars()
                value = writer.clamp(writer.floating(scalar, 1), *INVARIANT)
                yields.append(value.name)
                err = value.state.err
            if yields:
                self.line(f"scf.yield {', '.join(yields)} : {', '.join(types)}")
            return err

        self.loops += 1
        err = self.scope(body)
        self.loops -= 1
        self.line("}")
        results = [name] if len(types) == 1 else [f"{name}#{i}" for i in range(len(types))]
        errors = self.leave(base, count, {scalar: err} if scalar else {})
        # The arguments of the loop are the same fields, in another order.
        use_results = self.chance(0.6)
        for field, result, old in zip(carried, results, outer):
            field.name = result if use_results else old
        if scalar:
            self.values.append(Val(results[-1], scalar, State(*INVARIANT, errors[scalar], False)))

    def choose_carried(self):
        groups = {}
        for field in self.fields:
            if field.mutable:
                groups.setdefault(field.type, []).append(field)
        carried = []
        for _, group in sorted(groups.items()):
            if len(group) > 1 and not carried or self.chance(0.1):
                carried = self.rng.sample(group, self.rng.randint(min(2, len(group)), min(3, len(group))))
        return carried

    def choose_steps(self):
        """Names of the lower bound, upper bound and step, and the number of iterations."""
        first = self.rng.choice([0, 0, 0, 1])
        step = self.rng.choice([1, 1, 1, 2])
        if self.steps and self.chance(0.6):
            upper, last = self.rng.choice(self.steps)
        else:
            last = self.rng.randint(1, 5 if not self.loops else 2)
            upper = self.constant(last)
        return self.constant(first), upper, self.constant(step), max(0, math.ceil((last - first) / step))

    def enter(self, carried):
        """Makes the states of all fields such that they hold at the start of every iteration. Returns per type the
        error at the first."""
        base = {ty: Err() for ty in FLOATS}
        holders = [h for h in (*self.fields, *self.temps) if h.state]
        for holder in holders:
            base[holder.elem] = base[holder.elem].joined(holder.state.err)
        for value in self.values:
            if value.state:
                base[value.ty] = base[value.ty].joined(value.state.err)
        signed = any(f.state and f.state.signed for f in carried)
        self.outside.append([(h, h.state) for h in (*self.temps, *self.values) if h.state])
        for field in self.fields:
            if field.state and field.mutable:
                state = field.state.hull(State(*INVARIANT))
                field.state = State(state.lo, state.hi, Err(0, {field.elem: 1}), False, state.signed)
        for field in carried:
            if field.state:
                field.state.lo = min(f.state.lo for f in carried)
                field.state.hi = max(f.state.hi for f in carried)
                field.state.signed = signed
        for holder, state in self.outside[-1]:
            ty = holder.elem if hasattr(holder, "elem") else holder.ty
            holder.state = State(state.lo, state.hi, Err(0, {ty: 1}), state.exact, state.signed)
        return base

    def leave(self, base, count, scalars):
        """Bounds the error after `count` iterations, of which one was written."""
        once = {ty: Err(0, {ty: 1}) for ty in FLOATS}
        for field in self.fields:
            if field.state and field.mutable:
                once[field.elem] = once[field.elem].joined(field.state.err)
        for ty, err in scalars.items():
            once[ty] = once[ty].joined(err)
        total = {ty: Err(0, {ty: 1}) for ty in FLOATS}
        for _ in range(count):
            total = {ty: once[ty].substituted(total).joined(total[ty]) for ty in FLOATS}
        errors = {ty: total[ty].substituted(base) for ty in FLOATS}
        for holder, state in self.outside.pop():
            holder.state = state
        for field in self.fields:
            if field.state and field.mutable:
                field.state.err = errors[field.elem]
                if self.loops and field.state.err.gain() > 4:
                    raise Retry
                self.check(field.state, field.elem)
        return errors

    # Boundaries -------------------------------------------------------------------------------------------------------

    def boundary(self):
        fields = [f for f in self.fields if f.mutable]
        if not self.allowed("boundary") or not fields:
            raise Retry
        field = self.rng.choice(fields)
        box = field.interior
        if self.chance(0.15):
            # A smaller interior has a wider halo.
            box = tuple((lb + self.rng.randint(0, 1), ub - self.rng.randint(0, 1)) for lb, ub in box)
        sizes = self.grid.size(box)
        state = field.state and field.state.copy()
        entries = []
        for axis, size in enumerate(sizes):
            if self.chance(0.3):
                entries.append("#stencil.periodic")
                continue
            sides = []
            for halo in (box[axis][0] - field.box[axis][0], field.box[axis][1] - box[axis][1]):
                text, state = self.condition_of_side(field.elem, state, size, halo)
                sides.append(text)
            entries.append(sides[0] if sides[0] == sides[1] else " | ".join(sides))
        self.line(f"stencil.boundary {field.name}({bounds_text(box)}) [{', '.join(entries)}] : {field.type}")
        self.stored(field, state)

    def condition_of_side(self, elem, state, size, halo):
        """A condition and the state of the field with it."""
        kind = self.rng.choice(["neumann", "neumann", "symmetric", "antisymmetric", "extrapolate", "dirichlet", "keep"])
        if kind in ("symmetric", "antisymmetric") and size < halo + 1:
            kind = "keep"
        if kind == "antisymmetric" and state:
            if self.loops and not state.signed:
                kind = "symmetric"
            state = state.hull(State(state.lo, state.hi, signed=True))
        if kind == "dirichlet" and (elem == "i1" or not self.allowed("dirichlet")):
            kind = "neumann"
        if kind == "dirichlet":
            if elem in INTS:
                return f"#stencil.dirichlet<{self.rng.randint(-9, 99)}>", state
            value = self.rng.choice([0.25, 0.5, 1.0, 1.5] if self.loops else [0.0, -1.0, 0.1, 1, 2.5])
            state = state.hull(State(value or 1.0, abs(value) or 1.0, signed=value <= 0))
            return f"#stencil.dirichlet<{value}>", state
        if kind == "extrapolate":
            if not self.allowed("extrapolate"):
                return "#stencil.neumann", state
            most = 3 if elem in INTS else 1 if state.exact and elem in ("f32", "f64") else 0
            order = min(self.rng.randint(0, most), size - 1)
            if order and state:
                if self.loops:
                    order = 0
                else:
                    state = state.hull(State(state.lo, state.hi * (2 * halo + 1), signed=True))
            return f"#stencil.extrapolate<{order}>", state
        return f"#stencil.{kind}", state

    # Folds ------------------------------------------------------------------------------------------------------------

    def fold(self):
        if not self.allowed("fold"):
            raise Retry
        rng, grid = self.rng, self.grid
        choices = [t for t in self.temps if not t.partial and len(t.axes) == grid.rank]
        choices += [f for f in self.fields if f.mutable]
        first = rng.choice(choices)
        operands, box = [first], first.box
        if first.elem in FLOATS and self.chance(0.25):
            more = [c for c in choices if c.elem == first.elem and c is not first]
            if more:
                operands.append(rng.choice(more))
                box = grid.intersect(box, operands[1].box)
        fixed = [o for o in operands if getattr(o, "fixed", False)]
        if fixed and box != fixed[0].box:
            raise Retry
        if not fixed and self.chance(0.3):
            box = rng.choice(self.parts(box))
        points = grid.points(box)
        kind, state = self.choose_fold(operands, points)
        name = self.name()
        types = ", ".join(o.type for o in operands)
        names = ", ".join(o.name for o in operands)
        self.line(f"{name} = stencil.fold {names}({bounds_text(box)}) {kind} : {types}")
        value = Val(name, first.elem, state)
        if state and not state.signed:
            value = self.scalars().moderate(value)
        self.values.append(value)
        self.outputs.append(name)

    def choose_fold(self, operands, points):
        elem = operands[0].elem
        if elem in INTS:
            return self.rng.choice(["max", "min", "sum"]), None
        state = operands[0].state.copy()
        for operand in operands[1:]:
            state = state.hull(operand.state)
        u = unit(elem)
        length = math.sqrt(2) if len(operands) > 1 else 1
        kinds = ["max", "min"]
        if not state.signed and self.allowed("fold-sum"):
            kinds.append("rms")
            if state.hi * length * points < 2.0**13:
                kinds.append("sum")
        kind = self.rng.choice(kinds)
        if kind in ("max", "min") and len(operands) == 1:
            return kind, state
        if state.signed:
            raise Retry
        most = points if kind == "sum" else 1
        err = state.err.plus(4 * u + 2 * points * unit("f64"))
        return kind, State(state.lo * most * 0.99, state.hi * length * most * 1.01, err, False)

    # Allocations ------------------------------------------------------------------------------------------------------

    def allocate(self):
        """A field of the function's own, stored to as a whole at once."""
        if not self.allowed("alloc"):
            raise Retry
        model = self.rng.choice([f for f in self.fields if f.mutable])
        name = self.name()
        field = Field(name, model.elem, model.box, model.interior, model.axes, None)
        self.line(f"{name} = stencil.alloc : {field.type}")
        temp = self.apply(field.box, [field.elem])[0]
        if temp.partial:
            raise Retry
        self.line(f"stencil.store {temp.name} to {name}({bounds_text(field.box)}) : {temp.type} to {field.type}")
        field.state = temp.state and temp.state.copy()
        self.fields.append(field)
