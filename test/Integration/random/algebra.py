"""Random programs that compute exactly: constants are small integers times powers of two, fields hold small integers,
and the generator bounds every value, so that neither the order of a sum nor a fused multiply-add makes a difference. A
pass that is right in rational arithmetic gives the same values.

Others are strict: they round, have constants that are no such numbers, and fields with NaN, infinities and -0. A pass
under math=strict changes no bit of them.

A program is a list of cases. Each reads the same fields and writes some of its own.
"""

import math
import random

from algebra_bodies import FLOATS, INTS, REACH, Body, Bound, Temp, Val, constant_bound


class Case:
    """One chain of applies. `program` has the fields."""

    def __init__(self, program, number, seed):
        self.program, self.number = program, number
        self.rng = random.Random(seed)
        self.ty, self.rank = program.ty, program.rank
        self.count = 0
        self.given = set()
        self.lines = []
        self.outputs = []

    def allowed(self, feature):
        return feature not in self.program.without

    def fresh(self):
        self.count += 1
        return f"%v{self.number}_{self.count}"

    def temp_type(self, rank=None):
        return f"!stencil.temp<{'?x' * (rank or self.rank)}{self.ty}>"

    def generate(self):
        rng, program = self.rng, self.program
        temps = []
        for field in program.fields:
            name = self.fresh()
            kind = self.temp_type(len(field.axes))
            self.lines.append(f"  {name} = stencil.load {field.name} : {field.type} -> {kind}")
            temps.append((name, kind, field.axes, program.bound, 0))
        applies = rng.choice([1, 1, 2, 3, 4]) if self.allowed("chain") else 1
        last = []
        for number in range(applies):
            # Later ones read what earlier ones made, most of the time.
            sources = rng.sample(temps, min(len(temps), rng.randint(1, 3)))
            if last and not any(t in sources for t in last):
                sources.append(rng.choice(last))
            if not any(len(s[2]) == self.rank for s in sources):
                sources.append(temps[0])
            sources = [s for s in sources if s[4] <= REACH[self.rank]]
            last = self.apply(sources, number == applies - 1)
            temps += last
        for name, _, _, bound, _ in last:
            self.outputs.append((name, bound))

    def apply(self, sources, is_last):
        rng, program = self.rng, self.program
        inputs, operands = [], []
        for i, (name, kind, axes, bound, reach) in enumerate(sources):
            temp = Temp(self.fresh(), kind, list(axes), bound, reach)
            temp.type_result = self.ty
            inputs.append(temp)
            operands.append(f"{temp.name} = {name} : {kind}")
        scalars = []
        for name, value in program.scalars:
            inner = self.fresh()
            operands.append(f"{inner} = {name} : {self.ty}")
            scalars.append(Val(inner, self.ty, constant_bound(value), uniform=True))
            self.given.add(inner)
        results = rng.choice([1, 1, 2, 3])
        unroll = is_last and self.allowed("unroll") and not program.symbolic[-1] and rng.random() < 0.1
        # A chain leaves reach for those that follow.
        body = Body(self, inputs, [], REACH[self.rank] if is_last else max(REACH[self.rank] // 2, 1))
        body.most_reach = max(body.most_reach, max(t.reach for t in inputs))
        body.uniforms = scalars
        returned = body.write(results * (2 if unroll else 1))
        names = [self.fresh() for _ in range(results)]
        kind = self.temp_type()
        self.lines.append(
            f"  {', '.join(names)} = stencil.apply({', '.join(operands)}) -> ({', '.join([kind] * results)}) {{"
        )
        self.lines += body.lines
        factors = [1] * (self.rank - 1) + [2]
        suffix = f" unroll <{factors}>" if unroll else ""
        self.lines.append(
            f"      stencil.return {', '.join(v.name for v in returned)}{suffix} : {', '.join([self.ty] * len(returned))}"
        )
        self.lines.append("  }")
        group = 2 if unroll else 1
        made = []
        for i, name in enumerate(names):
            values = returned[group * i : group * (i + 1)]
            bound = values[0].bound
            for v in values[1:]:
                bound = bound.plus(v.bound)
            made.append((name, kind, list(range(self.rank)), bound, body.used_reach))
        return made


class Field:
    def __init__(self, name, type_text, axes, shape):
        self.name, self.type, self.axes, self.shape = name, type_text, axes, shape


class Program:
    """Cases over the same fields. `only` picks some of them, which stay as they are."""

    def __init__(self, seed, cases, without=(), only=None):
        rng = random.Random(seed)
        self.without = without
        self.rank = rng.choice([1, 2, 2, 3])
        self.ty = rng.choice(["f64", "f64", "f64", "f32", "f32", "f16", "bf16", "i32", "i8", "i64", "i16"])
        self.strict = self.ty in FLOATS and rng.random() < 0.3 and "strict" not in without
        self.reach = REACH[self.rank]
        self.extents = [rng.choice([4, 6]) if a == self.rank - 1 else rng.randint(3, 5) for a in range(self.rank)]
        self.symbolic = [rng.random() < 0.5 and "symbolic" not in without for _ in range(self.rank)]
        self.most = {"f16": 2, "bf16": 1}.get(self.ty, 4)
        self.bound = Bound(self.most)
        self.fields = []
        for i in range(3):
            axes = list(range(self.rank))
            if i == 2 and self.rank > 1 and "lower_rank" not in without:
                # The extents of a symbolic field are those of its first axes.
                axes.remove(self.rank - 1 if any(self.symbolic) else rng.randrange(self.rank))
            self.fields.append(self.make_field(f"%f{i}", axes))
        self.scalars = [(f"%s{i}", rng.choice([1, -1, 2, 3] if self.ty in INTS else [1, -1, 2, 0.5])) for i in range(2)]
        self.cases = []
        for number in range(cases):
            case = Case(self, number, rng.getrandbits(64))
            if only is None or number in only:
                case.generate()
                self.cases.append(case)
        self.seed = seed

    def make_field(self, name, axes):
        bounds, shape = [], []
        for axis in axes:
            upper = f"?+{self.reach}" if self.symbolic[axis] else str(self.extents[axis] + self.reach)
            bounds.append(f"[-{self.reach},{upper}]x")
            shape.append(self.extents[axis] + 2 * self.reach)
        return Field(name, f"!stencil.field<{''.join(bounds)}{self.ty}>", axes, shape)

    def outputs(self):
        """Case and bound of every result, in the order of the arguments."""
        return [(case, bound) for case in self.cases for _, bound in case.outputs]

    def text(self):
        outs = self.outputs()
        out_type = self.make_field("", list(range(self.rank))).type
        open_type = "!stencil.field<" + "?x" * self.rank + self.ty + ">"
        arguments, head = [], []
        for field in self.fields:
            opened = "!stencil.field<" + "?x" * len(field.axes) + self.ty + ">"
            arguments.append(f"{field.name}_open: {opened}")
            head.append(f"  {field.name} = stencil.cast {field.name}_open : {opened} -> {field.type}")
        arguments += [f"{name}: {self.ty}" for name, _ in self.scalars]
        for i in range(len(outs)):
            arguments.append(f"%out{i}_open: {open_type}")
            head.append(f"  %out{i} = stencil.cast %out{i}_open : {open_type} -> {out_type}")
        lower = ", ".join(["0"] * self.rank)
        upper = ", ".join("?" if s else str(n) for s, n in zip(self.symbolic, self.extents))
        lines = [f"func.func @main({', '.join(arguments)}) {{", *head]
        number = 0
        for case in self.cases:
            lines.append(f"  // case {case.number}")
            lines += case.lines
            for name, _ in case.outputs:
                lines.append(
                    f"  stencil.store {name} to %out{number}(<[{lower}], [{upper}]>) : {case.temp_type()} to {out_type}"
                )
                number += 1
        lines += ["  return", "}", ""]
        return "\n".join(lines)

    def data(self, field):
        """The elements of a field."""
        rng = random.Random(f"{self.seed} {field.name}")
        count = 1
        for n in field.shape:
            count *= n
        if not self.strict:
            return [rng.randint(-self.most, self.most) for _ in range(count)]
        special = [math.nan, math.inf, -math.inf, -0.0, 0.0, 1e-4]
        return [rng.choice(special) if rng.random() < 0.02 else rng.uniform(-2, 2) for _ in range(count)]
