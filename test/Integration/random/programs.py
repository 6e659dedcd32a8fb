"""Random programs: what happens in a function around the applies."""

import random
import re

from bodies import Body
from control import INVARIANT, Control
from model import FLOATS, Field, Grid, Retry, State, Temp, Val, bounds_text, box_type, is_symbolic, unit
from scalars import Scalars
from stores import MOST_ULP, Stores

FEATURES = (
    "f64 f32 f16 bf16 i64 i32 i16 i8 i1 if for dyn_access math math.absi math.ctpop math.ctlz math.cttz"
    " int-conversions partial unroll combine buffer boundary fold loop function-if alloc lower-rank symbolic"
    " external cast dirichlet extrapolate fold-sum"
).split()
# What is found in the text of a program that has a feature, unless that is its name.
SIGNS = {
    **{ty: rf"[x ]{ty}\b" for ty in ("f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1")},
    "if": r"^ {4,}.*scf\.if",
    "for": r"^ {4,}.*scf\.for .*\n(?:.*\n)*? {4,}stencil\.return",
    "math": r"math\.(sqrt|exp|log|sin|cos|tan|fma|erf|atan)",
    "int-conversions": r"arith\.(trunci|ext[su]i|fpto[su]i|index_castui)",
    "partial": r"stencil\.store_result",
    "loop": r"^  \S.*scf\.for",
    "function-if": r"^  \S.*scf\.if",
    "lower-rank": r"stencil\.access %x\d+\[(.*, )?_",
    "symbolic": r"\?\+|,\?\]",
    "fold-sum": r"stencil\.fold .* (sum|rms) :",
    "external": r"stencil\.external_load",
}


def has_feature(text, feature):
    return re.search(SIGNS.get(feature, rf"\b{re.escape(feature)}\b"), text, re.MULTILINE)



class Program(Control, Stores):
    """One function. After generate(): `text`, `arguments` (for stencil-run), `extents`."""

    body_class = Body
    # How many inputs all applies have, if that is known.
    inputs = None

    def __init__(self, seed, without=()):
        self.rng = random.Random(seed)
        self.without = frozenset(without)
        self.names = [0]
        self.lines = []
        self.depth = 1
        self.fields, self.temps, self.values = [], [], []
        self.outputs = []
        self.arguments = []
        self.parameters = []
        self.ends = []
        # Error bounds and intervals must hold in every iteration of a loop.
        self.loops = 0
        self.outside = []

    # Helpers ----------------------------------------------------------------------------------------------------------

    def chance(self, p):
        return self.rng.random() < p

    def allowed(self, feature):
        return feature not in self.without

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self):
        self.names[0] += 1
        return f"%v{self.names[0]}"

    def scalars(self):
        """A writer of scalar ops at this place."""
        writer = Scalars(self.rng, self.names, self.without)
        writer.lines, writer.pool, writer.indent = self.lines, list(self.values), "  " * self.depth
        return writer

    def constant(self, value, ty="index"):
        return self.scalars().constant(value, ty).name

    def generate(self):
        while not self.outputs:
            self.__init__(self.rng.random(), self.without)
            self.make_grid()
            self.make_arguments()
            self.taken = len(self.values)
            for _ in range(self.rng.randint(2, 7)):
                self.statement()
        self.finish()
        return self

    def finish(self):
        """Returns some of the scalars that the function made, and puts the text together."""
        made = self.values[self.taken :]
        results = []
        for value in self.rng.sample(made, min(len(made), self.rng.randint(0, 3))):
            try:
                if value.ty in FLOATS:
                    self.check(value.state, value.ty)
                results.append(value)
            except Retry:
                pass
        for text in self.ends:
            self.line(text)
        types = ", ".join(v.ty for v in results)
        names = ", ".join(v.name for v in results)
        self.line(f"return {names} : {types}" if results else "return")
        arrow = f" -> ({types})" if results else ""
        self.head = f"func.func @program({', '.join(self.parameters)}){arrow} {{"
        self.text = "\n".join([self.head, *self.lines, "}", ""])
        self.extents = self.grid.extents if any(self.grid.symbolic) else None

    def command(self):
        """Arguments of stencil-run."""
        command = [text for i, a in enumerate(self.arguments) for text in ("--arg", f"{i}={a}")]
        if self.extents:
            command += ["--extents", ",".join(map(str, self.extents))]
        return command

    # Shapes and arguments ---------------------------------------------------------------------------------------------

    def make_grid(self):
        rng = self.rng
        rank = rng.choice([1, 1, 2, 2, 2, 2, 3, 3, 3, 4])
        sizes = {
            1: [1, 2, 3, 5, 7, 8, 13, 16, 31, 33, 64, 100, 257, 1000, 5003],
            2: [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 40, 65],
            3: [1, 2, 3, 4, 5, 7, 9, 12, 17, 24],
            4: [1, 2, 3, 4, 5, 6],
        }[rank]
        extents = [rng.choice(sizes) for _ in range(rank)]
        if rank == 2 and self.chance(0.1):
            extents = rng.choice([[3, 2100], [131, 129], [1, 2051], [300, 5]])
        symbolic = [self.allowed("symbolic") and self.chance(0.5)] * rank
        if self.chance(0.2):
            symbolic = [s and self.chance(0.5) for s in symbolic]
        self.grid = Grid(extents, symbolic)
        self.radius = rng.choice([0, 1, 1, 1, 2, 2, 3])
        kinds = [t for t in ("f64", "f64", "f32", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1") if self.allowed(t)]
        self.elems = [rng.choice(kinds) for _ in range(rng.choice([1, 1, 2, 3]))]

    def random_halo(self):
        grid = self.grid
        halo = []
        for _ in range(grid.rank):
            side = self.rng.randint(0, self.radius)
            halo.append((side, side if self.chance(0.7) else self.rng.randint(0, self.radius)))
        return halo

    def make_arguments(self):
        grid, rng = self.grid, self.rng
        full = tuple(range(grid.rank))
        interior = tuple((0, grid.upper(a)) for a in full)
        # Fields of one kind may be swapped by a time loop.
        kinds = [(rng.choice(self.elems), self.random_halo()) for _ in range(rng.choice([1, 1, 2]))]
        for _ in range(rng.randint(1, 4)):
            elem, halo = rng.choice(kinds)
            box = tuple((lb - low, ub + high) for (lb, ub), (low, high) in zip(interior, halo))
            self.add_field(elem, box, interior, full)
        if grid.rank > 1 and self.allowed("lower-rank") and self.chance(0.3):
            self.add_lower_rank(interior)
        for ty in ("f64", "f32", "i32", "i1", *self.elems):
            if self.chance(0.2) and self.allowed(ty):
                number = {"f": rng.randint(1, 15) / 8, "i": rng.randint(-3, 9)}["f" if ty in FLOATS else "i"]
                number = number & 1 if ty == "i1" else number
                self.add_scalar(ty, number)
        self.steps = []
        for value in rng.sample([0, 1, 2, 3, 4], rng.randint(0, 2)):
            self.steps.append((self.add_scalar("index", value), value))

    def add_scalar(self, ty, number):
        name = f"%s{len(self.parameters)}"
        self.arguments.append(str(number))
        self.parameters.append(f"{name}: {ty}")
        state = State(number, number) if ty in FLOATS else None
        self.values.append(Val(name, ty, state))
        return name

    def add_lower_rank(self, interior):
        grid, rng = self.grid, self.rng
        axes = tuple(sorted(rng.sample(range(grid.rank), rng.randint(1, grid.rank - 1))))
        if any(grid.symbolic[axis] and axis != position for position, axis in enumerate(axes)):
            return
        box = tuple((interior[a][0] - rng.randint(0, 2), interior[a][1] + rng.randint(0, 2)) for a in axes)
        field = self.add_field(rng.choice(self.elems), box, None, axes)
        field.mutable = False

    def add_field(self, elem, box, interior, axes):
        index = len(self.parameters)
        name = f"%a{index}"
        field = Field(name, elem, box, interior, axes, State() if elem in FLOATS else None)
        shown = field.type
        if self.allowed("cast") and self.chance(0.3):
            field.name = self.name()
            unknown = box_type("field", len(box), elem)
            self.line(f"{field.name} = stencil.cast {name} : {unknown} -> {shown}")
            # A use that no pass removes: the extents of the argument depend on the cast.
            keep = ", ".join(["#stencil.keep"] * len(box))
            self.line(f"stencil.boundary {field.name}({bounds_text(box)}) [{keep}] : {shown}")
            shown = unknown
        elif self.allowed("external") and self.chance(0.1) and not any(is_symbolic(ub) for _, ub in box):
            field.name = self.name()
            sizes = "x".join(str(ub - lb) for lb, ub in box)
            memref = f"memref<{sizes}x{elem}>"
            self.line(f"{field.name} = stencil.external_load {name} : {memref} -> {shown}")
            self.ends.append(f"stencil.external_store {field.name} to {name} : {shown} to {memref}")
            shown = memref
        self.arguments.append(f"random:{self.rng.randint(0, 999)}")
        self.parameters.append(f"{name}: {shown}")
        self.fields.append(field)
        return field

    # Statements -------------------------------------------------------------------------------------------------------

    def choices(self):
        """Kinds of statements, and how often they come."""
        choices = [(self.stencil, 8), (self.boundary, 2), (self.fold, 1), (self.combine, 1)]
        if self.loops < 2:
            choices += [(self.time_loop, 3 if not self.loops else 1), (self.branch, 1)]
        return choices + [(self.allocate, 0.5)]

    def statement(self):
        """Tries until something fits."""
        actions, weights = zip(*self.choices())
        for _ in range(20):
            saved = self.save()
            try:
                self.rng.choices(actions, weights)[0]()
                return
            except Retry:
                self.restore(saved)

    def save(self):
        lists = [list(part) for part in self.parts_of_state()]
        objects = [(o, dict(vars(o)), o.state and o.state.copy()) for o in (*self.fields, *self.temps, *self.values)]
        return lists, objects, self.depth, self.loops

    def parts_of_state(self):
        return self.lines, self.fields, self.temps, self.values, self.outputs, self.outside

    def restore(self, saved):
        lists, objects, self.depth, self.loops = saved
        for part, old in zip(self.parts_of_state(), lists):
            part[:] = old
        for item, old, state in objects:
            vars(item).update(old)
            item.state = state

    def load(self, field):
        temp = Temp(self.name(), field.elem, field.box, field.axes, field.state and field.state.copy())
        temp.field = field
        self.line(f"{temp.name} = stencil.load {field.name} : {field.type} -> {temp.type}")
        self.temps.append(temp)
        return temp

    def choose_inputs(self):
        """Temps to read: loads of fields as they are now, or values made before."""
        rng = self.rng
        inputs = []
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            olds = [t for t in self.temps if not t.partial]
            if olds and self.chance(0.45):
                temp = rng.choice(olds[-6:])
            else:
                temp = self.load(rng.choice(self.fields))
            if temp not in inputs:
                inputs.append(temp)
        return inputs

    def choose_box(self, inputs):
        """A box that all inputs cover, with some room for offsets."""
        full = [t for t in inputs if len(t.axes) == self.grid.rank]
        fixed = [t for t in full if t.fixed]
        if fixed:
            return fixed[0].box, True
        if full:
            box = full[0].box
            for temp in full[1:]:
                box = self.grid.intersect(box, temp.box)
        else:
            field = self.rng.choice([f for f in self.fields if len(f.axes) == self.grid.rank])
            box = field.box
        shrunk = []
        for lb, ub in box:
            low = self.rng.randint(0, self.radius) if self.chance(0.8) else self.radius
            high = self.rng.randint(0, self.radius) if self.chance(0.8) else self.radius
            shrunk.append((lb + low, ub - high))
        interior = tuple((0, self.grid.upper(a)) for a in range(self.grid.rank))
        # Most often the interior, as in real programs.
        if self.chance(0.5) and self.grid.contains(box, interior):
            shrunk = interior
        shrunk = tuple(shrunk)
        self.grid.size(shrunk)
        return shrunk, False

    def apply(self, box=None, types=None):
        """Returns the new temps, which have the given box if there is one."""
        rng, grid = self.rng, self.grid
        inputs, fixed = [], True
        if not box:
            inputs = self.choose_inputs() if self.chance(0.95) else []
            box, fixed = self.choose_box(inputs)
        unroll = None
        if self.allowed("unroll") and not fixed and self.chance(0.12):
            unroll = [rng.choice([1, 2, 2, 3, 4]) if self.chance(0.5) else 1 for _ in range(grid.rank)]
            if any(is_symbolic(ub) or is_symbolic(lb) for lb, ub in box):
                raise Retry
            box = tuple((lb, lb + (ub - lb) // factor * factor) for (lb, ub), factor in zip(box, unroll))
            grid.size(box)
            if unroll == [1] * grid.rank:
                unroll = None
            fixed = unroll is not None
        scalars = rng.sample(self.values, min(len(self.values), rng.randint(0, 2)))
        arguments = [(f"%x{i}", t) for i, t in enumerate(inputs)]
        inner = [Val(f"%c{i}", v.ty, v.state and v.state.copy()) for i, v in enumerate(scalars)]
        types = types or [rng.choice(self.elems + [t.elem for t in inputs]) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        body = self.body_class(rng, self.names, self.without, grid, arguments, inner, box, self.radius)
        body.indent = "  " * (self.depth + 1)
        depth = rng.choice([1, 2, 3, 3, 4])
        states, returned, kinds, partial = self.fill(body, types, unroll, depth)
        temps = [Temp(self.name(), ty, box, tuple(range(grid.rank)), s, fixed) for ty, s in zip(types, states)]
        for temp, flag in zip(temps, partial):
            temp.partial = flag
            temp.fixed = temp.fixed or flag
            temp.siblings = tuple(temps)
        base = temps[0].name
        result = base
        if len(temps) > 1:
            result = f"{base}:{len(temps)}"
            for i, temp in enumerate(temps):
                temp.name = f"{base}#{i}"
        bound = [f"{a} = {t.name} : {t.type}" for a, t in arguments]
        bound += [f"{a.name} = {v.name} : {v.ty}" for a, v in zip(inner, scalars)]
        self.line(f"{result} = stencil.apply({', '.join(bound)}) -> ({', '.join(t.type for t in temps)}) {{")
        self.lines += body.lines
        suffix = f" unroll <[{', '.join(map(str, unroll))}]>" if unroll else ""
        self.line(f"  stencil.return {', '.join(returned)}{suffix} : {', '.join(kinds)}")
        self.line("}")
        self.temps += temps
        return temps

    def fill(self, body, types, unroll, depth):
        """Writes the body. Returns per result its state and whether it is partial, per value its name and type."""
        positions = [[]]
        for factor in unroll or [1] * self.grid.rank:
            positions = [p + [i] for p in positions for i in range(factor)]
        if len(positions) * len(types) > 16:
            raise Retry
        states, returned, kinds, flags = [], [], [], []
        for ty in types:
            partial = self.allowed("partial") and self.chance(0.06)
            merged = None
            for body.base in positions:
                value = body.value(ty, depth if len(positions) == 1 else min(depth, 2))
                if ty in FLOATS:
                    value = self.settle(body, value, ty)
                    merged = merged.hull(value.state) if merged else value.state
                kinds.append(f"!stencil.result<{ty}>" if partial else ty)
                returned.append(body.maybe_stored(value, ty) if partial else value.name)
            states.append(merged)
            flags.append(partial)
        return states, returned, kinds, flags

    def settle(self, body, value, ty):
        """The value, or a simpler one if its error could be too large."""
        limit = MOST_ULP[ty] * unit(ty) / 2
        for _ in range(8):
            err = value.state.err
            if err.d <= limit / 4 and err.gain() <= (1.5 if self.loops else 4):
                break
            value = body.floating(ty, 1)
        else:
            value = body.constant(0.75, ty)
        if self.loops:
            value = body.clamp(value, *INVARIANT)
        return value
