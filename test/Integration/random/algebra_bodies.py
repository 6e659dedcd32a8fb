"""Random bodies of stencil.apply for algebra.py, with a bound of every value."""

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
