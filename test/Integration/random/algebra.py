"""Random programs that compute exactly: constants are small integers times powers of two, fields hold small integers,
and the generator bounds every value, so that neither the order of a sum nor a fused multiply-add makes a difference. A
pass that is right in rational arithmetic gives the same values.

Others are strict: they round, have constants that are no such numbers, and fields with NaN, infinities and -0. A pass
under math=strict changes no bit of them.

A program is a list of cases. Each reads the same fields and writes some of its own.
"""

import math
import random

# Bits of a significand; of a word.
FLOATS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
INTS = {"i64": 64, "i32": 32, "i16": 16, "i8": 8}
WIDER = {"f16": ["f32", "f64"], "bf16": ["f32", "f64"], "f32": ["f64"]}
# Largest offset from the point at which a field may be read in the end.
REACH = {1: 12, 2: 8, 3: 5}


class Bound:
    """A value is an integer of magnitude at most `most` times 2^-scale; so is every partial sum of the terms that it
    is made of, in any order."""

    def __init__(self, most, scale=0):
        self.most, self.scale = most, scale

    def at(self, scale):
        return self.most << (scale - self.scale)

    def plus(self, other):
        scale = max(self.scale, other.scale)
        return Bound(self.at(scale) + other.at(scale), scale)

    def times(self, other):
        return Bound(self.most * other.most, self.scale + other.scale)

    def fits(self, ty):
        # Two bits to spare, and far from the ends of the exponent.
        return ty in INTS or (self.most < 2 ** (FLOATS[ty] - 2) and self.scale <= 8)


class Val:
    def __init__(self, name, ty, bound, reach=0, uniform=False, top=True):
        self.name, self.ty, self.bound, self.reach, self.uniform, self.top = name, ty, bound, reach, uniform, top


def constant_bound(value):
    scale = 0
    # Strict programs have constants that are not dyadic, and need no bounds.
    while value != int(value) and scale < 60:
        value, scale = value * 2, scale + 1
    return Bound(abs(int(value)), scale)


class Temp:
    """An input of an apply: what is read of it, and how far it reaches by itself."""

    def __init__(self, name, type_text, axes, bound, reach):
        self.name, self.type, self.axes, self.bound, self.reach = name, type_text, axes, bound, reach


class Body:
    """Writes the body of one apply."""

    def __init__(self, case, inputs, scalars, most_reach):
        self.case, self.rng, self.ty, self.rank = case, case.rng, case.ty, case.rank
        self.inputs, self.most_reach = inputs, most_reach
        self.lines, self.indent = [], "      "
        self.pool = list(scalars)
        self.uniforms = list(scalars)
        self.top = True
        # What the whole body reads: all results have one box.
        self.used_reach = 0

    def chance(self, p):
        return self.rng.random() < p

    def fits(self, bound, ty=None):
        return self.case.program.strict or bound.fits(ty or self.ty)

    def flags(self, p):
        """The flag that allows any order, with this probability."""
        allowed = self.ty in FLOATS and not self.case.program.strict
        return " fastmath<reassoc>" if allowed and self.chance(p) else ""

    def op(self, text, ty, bound, reach=0, uniform=False):
        value = Val(self.case.fresh(), ty, bound, reach, uniform, self.top)
        self.used_reach = max(self.used_reach, reach)
        self.lines.append(f"{self.indent}{value.name} = {text}")
        return value

    def keep(self, value):
        if value:
            (self.uniforms if value.uniform else self.pool).append(value)
        return value

    def number(self, small=False):
        if self.ty in INTS:
            return self.rng.choice([0, 1, -1, 2, 3, -5, 7])
        choices = [1, -1, 2, 0.5, -0.5, 3, -3, 0.25, 1.5, 5, 0]
        if self.case.program.strict and self.chance(0.4):
            return self.rng.choice([0.1, -0.7, 1 / 3])
        return self.rng.choice(choices[:4] if small else choices)

    def text_of(self, number, ty):
        return str(int(number)) if ty in INTS else repr(float(number))

    def constant(self, number, ty=None):
        ty = ty or self.ty
        return self.op(f"arith.constant {self.text_of(number, ty)} : {ty}", ty, constant_bound(number), uniform=True)

    def name_of(self, op):
        return f"arith.{op}{'i' if self.ty in INTS else 'f'}"

    # Values -----------------------------------------------------------------------------------------------------------

    def offsets(self, axes, room):
        most = min(2, room)
        return [self.rng.randint(-most, most) if self.chance(0.6) else 0 for _ in axes]

    def access(self):
        temp = self.rng.choice(self.inputs)
        offsets = self.offsets(temp.axes, self.most_reach - temp.reach)
        texts = ["_"] * self.rank
        for axis, offset in zip(temp.axes, offsets):
            texts[axis] = str(offset)
        reach = temp.reach + max(map(abs, offsets))
        return self.op(f"stencil.access {temp.name}[{', '.join(texts)}] : {temp.type}", self.ty, temp.bound, reach)

    def pick(self):
        values = [v for v in self.pool if v.ty == self.ty]
        if not values or self.chance(0.4):
            return self.access()
        # The latest are the largest.
        return self.rng.choice(values[-6:])

    def scalar(self, small=True):
        scalars = [v for v in self.uniforms if v.ty == self.ty]
        return self.rng.choice(scalars) if scalars and self.chance(0.3) else self.constant(self.number(small))

    def binary(self, op, a, b):
        if op in ("add", "sub"):
            bound = a.bound.plus(b.bound)
        else:
            bound = a.bound.times(b.bound)
        if not self.fits(bound):
            return None
        flags = self.flags(0.1)
        text = f"{self.name_of(op)} {a.name}, {b.name}{flags} : {self.ty}"
        return self.op(text, self.ty, bound, max(a.reach, b.reach), a.uniform and b.uniform)

    def add(self):
        return self.binary(self.rng.choice(["add", "add", "sub"]), self.pick(), self.pick())

    def multiply(self):
        a, b = self.pick(), self.scalar()
        return self.binary("mul", *((a, b) if self.chance(0.5) else (b, a)))

    def uniform_arithmetic(self):
        return self.binary(self.rng.choice(["add", "mul", "sub"]), self.scalar(), self.scalar())

    def negate(self):
        a = self.pick()
        if self.ty in INTS:
            return self.binary("sub", self.constant(0), a)
        return self.op(f"arith.negf {a.name} : {self.ty}", self.ty, a.bound, a.reach)

    def divide(self):
        a = self.pick()
        if self.ty in INTS:
            return None
        shift = self.rng.choice([-1, 1, 2])
        bound = Bound(a.bound.most, a.bound.scale + shift) if shift > 0 else Bound(a.bound.most * 2, a.bound.scale)
        if not self.fits(bound):
            return None
        divisor = self.constant(self.rng.choice([1, -1]) * 2.0**shift)
        return self.op(f"arith.divf {a.name}, {divisor.name} : {self.ty}", self.ty, bound, a.reach)

    def fma(self):
        if self.ty in INTS:
            return None
        a, b, c = self.pick(), self.scalar(), self.pick()
        bound = a.bound.times(b.bound).plus(c.bound)
        if not self.fits(bound):
            return None
        first, second = (a, b) if self.chance(0.5) else (b, a)
        text = f"math.fma {first.name}, {second.name}, {c.name} : {self.ty}"
        return self.op(text, self.ty, bound, max(a.reach, c.reach))

    def nonlinear(self):
        a, b = self.pick(), self.pick()
        is_float = self.ty in FLOATS
        reach = max(a.reach, b.reach)
        hull = a.bound.plus(b.bound)
        if not self.fits(hull):
            return None
        kind = self.rng.choice(["mul", "max", "min", "abs", "select"])
        if kind == "mul":
            return self.binary("mul", a, b)
        if kind == "abs":
            text = f"math.{'absf' if is_float else 'absi'} {a.name} : {self.ty}"
            return self.op(text, self.ty, a.bound, a.reach)
        if kind == "select":
            compare = "arith.cmpf ogt" if is_float else "arith.cmpi sgt"
            flag = self.op(f"{compare}, {a.name}, {b.name} : {self.ty}", "i1", Bound(1), reach)
            return self.op(f"arith.select {flag.name}, {a.name}, {b.name} : {self.ty}", self.ty, hull, reach)
        op = f"arith.{kind}{'imumf' if is_float else 'si'}"
        return self.op(f"{op} {a.name}, {b.name} : {self.ty}", self.ty, hull, reach)

    def index(self):
        axis = self.rng.randrange(self.rank)
        offsets = ", ".join(str(self.rng.randint(-2, 2)) for _ in range(self.rank))
        index = self.op(f"stencil.index {axis} <[{offsets}]>", "index", Bound(1))
        word = self.op(f"arith.index_cast {index.name} : index to i32", "i32", Bound(1))
        bound = Bound(32)
        if not self.fits(bound):
            return None
        if self.ty in FLOATS:
            return self.op(f"arith.sitofp {word.name} : i32 to {self.ty}", self.ty, bound)
        cast = {"i64": "arith.extsi", "i16": "arith.trunci", "i8": "arith.trunci"}.get(self.ty)
        if not cast:
            return self.op(f"arith.muli {word.name}, {word.name} : i32", self.ty, bound)
        return self.op(f"{cast} {word.name} : i32 to {self.ty}", self.ty, bound)

    def tree(self):
        """A sum of products in any association."""
        terms = []
        for _ in range(self.rng.randint(2, 9)):
            term = self.access() if self.chance(0.8) else self.pick()
            if self.chance(0.7):
                term = self.binary("mul", self.scalar(), term) or term
            terms.append(term)
        while len(terms) > 1:
            i = self.rng.randrange(len(terms) - 1)
            if self.chance(0.5):
                i = 0
            if self.chance(0.15):
                # A common factor of part of the sum.
                factored = self.binary("mul", terms[i], self.scalar())
                terms[i] = factored or terms[i]
            total = self.binary(self.rng.choice(["add", "add", "sub"]), terms[i], terms[i + 1])
            if not total:
                return self.keep(terms[i])
            terms[i : i + 2] = [total]
        return terms[0]

    # Weighted sums ----------------------------------------------------------------------------------------------------

    def weighted_sum(self):
        wide = self.ty
        over_input = not self.pool or not self.top or self.chance(0.5)
        if over_input:
            temp = self.rng.choice(self.inputs)
            axes, source, base, bound = temp.axes, temp.name, temp.reach, temp.bound
            if temp.type_result in WIDER and self.chance(0.2):
                wide = self.rng.choice(WIDER[self.ty])
        else:
            value = self.rng.choice([v for v in self.pool if v.ty == self.ty and v.top and not v.uniform] or [None])
            if not value:
                return None
            axes, source, base, bound = range(self.rank), value.name, value.reach, value.bound
        room = self.most_reach - base
        offsets = []
        for _ in range(self.rng.choice([1, 2, 3, 5, 9])):
            offset = self.offsets(axes, room)
            if offset not in offsets:
                offsets.append(offset)
        if self.chance(0.25) and len(axes) > 1 and room > 0:
            # Something with structure, for what factors.
            lines = [[-1, 0, 1]] * len(axes)
            offsets = [[]]
            for line in lines:
                offsets = [o + [x] for o in offsets for x in line]
        texts, weights, total = [], [], Bound(0)
        separable = len(offsets) == 3 ** len(axes) and len(axes) > 1 and self.chance(0.5)
        profile = self.rng.choice([[1, 2, 1], [-1, 0, 1], [1, 1, 1]])
        ssa = self.chance(0.25) and wide == self.ty
        for offset in offsets:
            if separable and not ssa:
                weight = 1
                for x in offset:
                    weight *= profile[x + 1] if -1 <= x <= 1 else 1
                total = total.plus(bound.times(Bound(abs(weight))))
                weights.append(self.text_of(weight, wide))
            elif ssa:
                scalar = self.scalar()
                total = total.plus(bound.times(scalar.bound))
                weights.append(scalar.name)
            else:
                number = self.number(small=not self.chance(0.5))
                total = total.plus(bound.times(constant_bound(number)))
                weights.append(self.text_of(number, wide))
            texts.append(f"[{', '.join(map(str, offset))}]")
        if not (self.fits(total, wide) and self.fits(total)):
            return None
        if ssa:
            weight_text = f"({', '.join(weights)})"
        elif len(set(weights)) == 1:
            weight_text = f"dense<{weights[0]}> : tensor<{len(weights)}x{wide}>"
        else:
            weight_text = f"dense<[{', '.join(weights)}]> : tensor<{len(weights)}x{wide}>"
        flags = self.flags(0.2)
        mapping = ""
        kind = self.ty
        if over_input:
            kind = temp.type
            if len(temp.axes) < self.rank:
                mapping = f" attributes {{offset_mapping = #stencil.index<[{', '.join(map(str, temp.axes))}]>}}"
        result = "" if wide == self.ty else f" -> {wide}"
        text = f"stencil.weighted_sum {source}{flags} offsets [{', '.join(texts)}] weights {weight_text}{mapping} : {kind}{result}"
        reach = base + max(max(map(abs, offset)) for offset in offsets)
        value = self.op(text, wide, total, reach)
        if wide != self.ty:
            value = self.op(f"arith.truncf {value.name} : {wide} to {self.ty}", self.ty, total, reach)
        return value

    def through_wider(self):
        """Part of a sum in a wider type."""
        if self.ty not in WIDER:
            return None
        wide = WIDER[self.ty][0]
        a, b = self.pick(), self.pick()
        bound = a.bound.plus(b.bound)
        if not self.fits(bound):
            return None
        x = self.op(f"arith.extf {a.name} : {self.ty} to {wide}", wide, a.bound, a.reach)
        y = self.op(f"arith.extf {b.name} : {self.ty} to {wide}", wide, b.bound, b.reach)
        s = self.op(f"arith.addf {x.name}, {y.name} : {wide}", wide, bound, max(a.reach, b.reach))
        return self.op(f"arith.truncf {s.name} : {wide} to {self.ty}", self.ty, bound, s.reach)

    # Control flow -----------------------------------------------------------------------------------------------------

    def branch(self):
        axis = self.rng.randrange(self.rank)
        at = self.rng.randint(1, max(1, self.case.program.extents[axis] - 2))
        index = self.op(f"stencil.index {axis} <[{', '.join(['0'] * self.rank)}]>", "index", Bound(1))
        limit = self.op(f"arith.constant {at} : index", "index", Bound(1), uniform=True)
        kind = self.rng.choice(["slt", "sge", "eq"])
        flag = self.op(f"arith.cmpi {kind}, {index.name}, {limit.name} : index", "i1", Bound(1))
        name = self.case.fresh()
        pool, uniforms, top = self.pool, self.uniforms, self.top
        self.lines.append(f"{self.indent}{name} = scf.if {flag.name} -> ({self.ty}) {{")
        self.top = False
        results = []
        for word in ("} else {", "}"):
            outer = self.indent
            self.indent += "  "
            self.pool, self.uniforms = list(pool), list(uniforms)
            for _ in range(self.rng.randint(1, 3)):
                self.statement(nested=True)
            result = self.pick()
            self.lines.append(f"{self.indent}scf.yield {result.name} : {self.ty}")
            results.append(result)
            self.indent = outer
            self.lines.append(f"{self.indent}{word}")
        self.pool, self.uniforms, self.top = pool, uniforms, top
        bound = results[0].bound.plus(results[1].bound)
        reach = max(r.reach for r in results)
        return Val(name, self.ty, bound, reach, top=self.top) if self.fits(bound) else None

    def statement(self, nested=False):
        makers = [self.add] * 3 + [self.multiply] * 3 + [self.tree] * 4 + [self.fma, self.negate, self.divide]
        makers += [self.uniform_arithmetic, self.nonlinear, self.through_wider]
        if not nested:
            # Symbolic extents promise that every region of a split apply has points, also those of a shifted branch.
            makers += [self.index] if any(self.case.program.symbolic) else [self.branch, self.index]
        if self.case.allowed("weighted_sum"):
            makers += [self.weighted_sum] * 5
        self.keep(self.rng.choice(makers)())

    def write(self, results):
        """Statements, and a return of this many values. Returns what is returned."""
        for _ in range(self.rng.randint(2, 9)):
            self.statement()
        return [self.pick_result() for _ in range(results)]

    def pick_result(self):
        values = [v for v in self.pool if v.ty == self.ty and not v.uniform and v.name not in self.case.given]
        value = self.rng.choice(values[-3:]) if values else self.access()
        return value


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
