"""Random programs of weighted sums: for schedules that keep planes in windows and add plane by plane, which ask for
bodies that are linear in what they read. All applies of a program read the same number of inputs, so that one list of
windows suits them all; they reach farther than other random programs, often beyond the extents."""

from bodies import Body
from model import FLOATS, State, unit
from programs import Program
from scalars import float_text


class LinearBody(Body):
    def value(self, ty, depth):
        """A sum over all inputs, as a tree of products or as stencil.weighted_sum; perhaps times an input."""
        inputs = [(n, t) for n, t in self.inputs if t.elem == ty]
        if not inputs:
            return super().value(ty, 1)
        taps = [(name, temp, offsets) for name, temp in inputs for offsets in self.taps(name, temp)]
        weights = self.weights(ty, len(taps))
        total = None
        for name, temp in inputs:
            mine = [(offsets, w) for (other, _, offsets), w in zip(taps, weights) if other == name]
            term = self.sum(name, temp, mine)
            total = self.plus(total, term) if total else term
        if ty in FLOATS:
            return self.moderate(total)
        return total

    def taps(self, name, temp):
        """Different offsets: points of a star or of a box."""
        isStar = self.chance(0.4)
        found = []
        for _ in range(self.rng.choice([1, 2, 4, 6, 9, 14])):
            offsets = self.offsets(temp, self.reach[name])
            if isStar and offsets:
                kept = self.rng.randrange(len(offsets))
                offsets = [o if i == kept else self.base[a] for i, (a, o) in enumerate(zip(temp.axes, offsets))]
            if offsets not in found:
                found.append(offsets)
        return sorted(found) if self.chance(0.7) else found

    def weights(self, ty, count):
        """Of a mean, if they are floats: positive, with few bits."""
        if ty not in FLOATS:
            return [self.rng.choice([1, -1, 2, 3, -5, 7, 100, 0]) for _ in range(count)]
        least = 2.0 ** -(count.bit_length() + 2)
        return [least * self.rng.randint(1, 4) for _ in range(count)]

    def text(self, weight, ty):
        return float_text(weight) if ty in FLOATS else str(int(weight))

    def sum(self, name, temp, taps):
        full = len(temp.axes) == self.grid.rank
        isSigned = bool(temp.state and temp.state.signed)
        if full and not isSigned and temp.elem != "i1" and self.chance(0.5):
            return self.weighted_sum(name, temp, taps)
        total = None
        for offsets, weight in taps:
            texts = ["_"] * self.grid.rank
            for axis, offset in zip(temp.axes, offsets):
                texts[axis] = str(offset)
            value = self.op(f"stencil.access {name}[{', '.join(texts)}] : {temp.type}", temp.elem, self.state_of(temp))
            value = self.positive(value) if temp.elem in FLOATS else value
            if weight != 1 or self.chance(0.3):
                value = self.times(value, self.constant(weight, temp.elem) if temp.elem != "i1" else value)
            total = self.plus(total, value) if total else value
        return total

    def weighted_sum(self, name, temp, taps):
        state = None
        if temp.elem in FLOATS:
            s, total, u = temp.state, sum(w for _, w in taps), unit(temp.elem)
            slack = 4 * u * len(taps)
            state = State(s.lo * total * (1 - slack), s.hi * total * (1 + slack), s.err.plus(len(taps) * u), False)
        offsets = ", ".join(str(list(offsets)) for offsets, _ in taps)
        weights = ", ".join(self.text(w, temp.elem) for _, w in taps)
        kind = f"tensor<{len(taps)}x{temp.elem}>"
        text = f"stencil.weighted_sum {name} offsets [{offsets}] weights dense<[{weights}]> : {kind} : {temp.type}"
        return self.op(text, temp.elem, state)

    def plus(self, a, b):
        if a.ty in FLOATS:
            return self.arith("arith.addf", a, b)
        return self.op(f"arith.{'xori' if a.ty == 'i1' else 'addi'} {a.name}, {b.name} : {a.ty}", a.ty)

    def times(self, a, b):
        if a.ty in FLOATS:
            return self.arith("arith.mulf", a, b)
        return self.op(f"arith.{'andi' if a.ty == 'i1' else 'muli'} {a.name}, {b.name} : {a.ty}", a.ty)


class Linear(Program):
    body_class = LinearBody

    def make_grid(self):
        super().make_grid()
        self.radius = self.rng.choice([1, 1, 2, 3, 4, 7] if self.grid.rank < 4 else [1, 2])
        self.elems = [self.elems[0]]
        self.inputs = self.rng.choice([1, 1, 2, 3, 4])

    def make_arguments(self):
        super().make_arguments()
        # Equal inputs would be one.
        self.inputs = min(self.inputs, sum(len(field.axes) == self.grid.rank for field in self.fields))

    def choices(self):
        choices = [(self.stencil, 10), (self.boundary, 3), (self.fold, 0.3)]
        if not self.loops:
            choices += [(self.time_loop, 3), (self.branch, 0.3)]
        return choices

    def choose_inputs(self):
        inputs = []
        for _ in range(self.inputs):
            made = [t for t in self.temps if not t.partial and not t.field and t not in inputs]
            if made and self.chance(0.3):
                inputs.append(self.rng.choice(made[-4:]))
            else:
                read = [t.field for t in inputs]
                inputs.append(self.load(self.rng.choice([f for f in self.fields if f not in read] or self.fields)))
        return inputs
