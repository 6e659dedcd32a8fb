"""Random stores, of results and of what stencil.combine makes of several."""

from model import Retry, Temp, bounds_text, is_symbolic, unit

# Widest accepted distance of a field from the reference, in units in the last place.
MOST_ULP = {"f64": 256, "f32": 256, "f16": 48, "bf16": 24}


class Stores:
    """The part of Program that stores what its applies make."""

    # Stores -----------------------------------------------------------------------------------------------------------

    def stencil(self):
        """An apply, most often stored, sometimes buffered."""
        temps = self.apply()
        if self.allowed("buffer") and self.chance(0.1) and not any(t.partial for t in temps):
            self.buffer(self.rng.choice(temps))
        taken = set()
        for temp in temps:
            if temp.partial or self.chance(0.75):
                taken.add(self.store(temp, taken).name)

    def buffer(self, temp):
        """Of what has no use yet."""
        name = self.name()
        self.line(f"{name} = stencil.buffer {temp.name} : {temp.type} -> {temp.type}")
        temp.name = name

    def store(self, temp, taken=()):
        """To a field, which is returned."""
        fields = [f for f in self.fields if f.mutable and f.elem == temp.elem and len(f.axes) == self.grid.rank]
        if temp.partial:
            # Where nothing is stored the field keeps its value, which is to be that before the apply.
            fields = [f for f in fields if f.name not in taken]
        if not fields:
            raise Retry
        field = self.rng.choice(fields)
        box = self.grid.intersect(field.box, temp.box)
        if temp.fixed and box != temp.box:
            raise Retry
        boxes = [box]
        if not temp.fixed and self.chance(0.3):
            boxes = self.parts(box)
        for part in boxes:
            self.check_order(temp, part)
            temp.boxes += (part,)
            self.line(f"stencil.store {temp.name} to {field.name}({bounds_text(part)}) : {temp.type} to {field.type}")
        self.stored(field, temp.state)
        return field

    def check_order(self, temp, box):
        """Retry if bounds of what is stored of an apply are in another order for large extents."""
        for other in (box for sibling in temp.siblings for box in sibling.boxes):
            for axis, (mine, theirs) in enumerate(zip(box, other)):
                for a, b in zip(mine, theirs):
                    self.grid.same_order(a, b, axis)

    def stored(self, field, state):
        if state:
            new = field.state.hull(state)
            old = field.state
            # What holds when an iteration starts must hold when it ends.
            if self.loops and (new.lo < old.lo or new.hi > old.hi or new.signed != old.signed):
                raise Retry
            self.check(new, field.elem)
            field.state = new
        self.outputs.append(field.name)

    def check(self, state, elem):
        """Retry if the error could be too large for a comparison to mean something."""
        if not self.loops:
            if 2 * state.err.d / unit(elem) + 1 > MOST_ULP[elem]:
                raise Retry

    def parts(self, box):
        """A part of the box, or two disjoint ones."""
        axis = self.rng.randrange(self.grid.rank)
        lb, ub = box[axis]
        size = self.grid.value(ub, axis) - self.grid.value(lb, axis)
        if size < 2:
            return [box]
        cut = self.rng.randint(1, size - 1)
        middle = lb + cut if self.chance(0.5) or not is_symbolic(ub) else ub - cut
        lower = box[:axis] + ((lb, middle),) + box[axis + 1:]
        upper = box[:axis] + ((middle, ub),) + box[axis + 1:]
        parts = [lower, upper] if self.chance(0.5) else [self.rng.choice([lower, upper])]
        for part in parts:
            self.grid.size(part)
            self.grid.intersect(box, part)
        return parts

    # Combines ---------------------------------------------------------------------------------------------------------

    def combine(self):
        if not self.allowed("combine"):
            raise Retry
        rng, grid = self.rng, self.grid
        first = self.apply()
        second = self.apply()
        axis = rng.randrange(grid.rank)
        if any(t.partial for t in first + second):
            raise Retry
        pairs = [(a, b) for a in first for b in second if a.elem == b.elem and not a.fixed and not b.fixed]
        if not pairs:
            raise Retry
        a, b = rng.choice(pairs)
        joined = grid.intersect(a.box, b.box)
        lb, ub = joined[axis]
        size = grid.value(ub, axis) - grid.value(lb, axis)
        if size < 2:
            raise Retry
        at = grid.value(lb, axis) + rng.randint(1, size - 1)
        grid.same_order(at, ub, axis)
        state = a.state.hull(b.state) if a.state else None
        full = tuple(range(grid.rank))
        # Both sides of a run-time axis are to have points in all that is needed.
        fixed = grid.symbolic[axis]
        results = [Temp("", a.elem, joined, full, state, fixed)]
        extras = ""
        for word, temps, used, part in (
            ("lowerext", first, a, (joined[axis][0], at)),
            ("upperext", second, b, (at, joined[axis][1])),
        ):
            rest = [t for t in temps if t is not used and not t.fixed]
            if rest and self.chance(0.5):
                temp = rng.choice(rest)
                extras += f" {word} = {temp.name} : {temp.type}"
                box = grid.intersect(temp.box, joined)
                box = box[:axis] + (part,) + box[axis + 1:]
                box = grid.intersect(temp.box, box)
                results.append(Temp("", temp.elem, box, full, temp.state, fixed))
        name = self.name()
        for i, temp in enumerate(results):
            temp.name = name if len(results) == 1 else f"{name}#{i}"
        shown = name if len(results) == 1 else f"{name}:{len(results)}"
        types = ", ".join(t.type for t in results)
        self.line(
            f"{shown} = stencil.combine {axis} at {at} lower = ({a.name} : {a.type}) upper = ({b.name} : {b.type})"
            f"{extras} : {types}"
        )
        self.temps += results
        if self.allowed("buffer") and self.chance(0.2):
            self.buffer(self.rng.choice(results))
        for temp in results:
            if self.chance(0.8):
                self.store(temp)
