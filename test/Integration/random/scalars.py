"""Random arithmetic on scalars: expressions whose value does not depend, but for a known number of roundings, on how
they are evaluated. Floating-point values stay positive and of moderate size, nothing cancels, and only what is exact is
compared, truncated or rounded to an integer."""

import math

from model import FLOATS, INTS, Err, State, Val, unit

# name: (largest argument, condition number there, least and largest value as functions of the argument's)
UNARY = {
    "math.sqrt": (1e4, 0.5, math.sqrt),
    "math.cbrt": (1e4, 0.34, lambda x: x ** (1 / 3)),
    "math.exp": (2.0, 2.0, math.exp),
    "math.exp2": (3.0, 2.1, lambda x: 2**x),
    "math.expm1": (2.0, 2.4, math.expm1),
    "math.log1p": (1e4, 1.0, math.log1p),
    "math.sin": (1.5, 1.0, math.sin),
    "math.tan": (1.0, 2.3, math.tan),
    "math.asin": (0.75, 1.4, math.asin),
    "math.atan": (1e4, 1.0, math.atan),
    "math.sinh": (2.0, 2.1, math.sinh),
    "math.cosh": (2.0, 2.0, math.cosh),
    "math.tanh": (4.0, 1.0, math.tanh),
    "math.asinh": (1e4, 1.0, math.asinh),
    "math.erf": (2.0, 1.0, math.erf),
}
FALLING = {
    "math.cos": (1.0, 1.6, math.cos),
    "math.rsqrt": (1e4, 0.5, lambda x: x**-0.5),
    "math.acos": (0.75, 1.6, math.acos),
    "math.erfc": (1.0, 2.7, math.erfc),
}


def float_text(value):
    text = repr(float(value))
    return text if "." in text else text.replace("e", ".0e")


class Scalars:
    """Writes ops on scalars. `lines` gets the text; `pool` has what may be used again here."""

    def __init__(self, rng, names, without=frozenset()):
        self.rng = rng
        self.names = names
        self.without = without
        self.lines = []
        self.pool = []
        self.indent = "    "

    # Text -------------------------------------------------------------------------------------------------------------

    def name(self):
        self.names[0] += 1
        return f"%v{self.names[0]}"

    def line(self, text):
        self.lines.append(self.indent + text)

    def op(self, text, ty, state=None, product=False, pooled=True):
        value = Val(self.name(), ty, state, product)
        self.line(f"{value.name} = {text}")
        # What may be zero does not get used unawares.
        if pooled and (not state or state.signed or state.lo > 0):
            self.pool.append(value)
        return value

    def constant(self, value, ty):
        if ty in FLOATS:
            # Exact in every type: few bits.
            return self.op(f"arith.constant {float_text(value)} : {ty}", ty, State(abs(value), abs(value)), pooled=False)
        text = str(value) if ty != "i1" else "true" if value else "false"
        return self.op(f"arith.constant {text} : {ty}", ty, pooled=False)

    def chance(self, p):
        return self.rng.random() < p

    # Floats -----------------------------------------------------------------------------------------------------------

    def limits(self, ty):
        return (2.0**-6, 2.0**6) if ty in ("f16", "bf16") else (2.0**-10, 2.0**10)

    def arith(self, op, a, b):
        """One of add, mul, div, max, min of two positive values."""
        x, y, ty = a.state, b.state, a.ty
        u = unit(ty)
        # Narrow types may be evaluated in wider ones.
        exact = x.exact and y.exact and (ty in ("f32", "f64") or op in EXTREMA)
        if op == "arith.addf":
            exact = exact and not a.product and not b.product
            state = State(x.lo + y.lo, x.hi + y.hi, x.err.joined(y.err).plus(u), exact)
        elif op == "arith.mulf":
            state = State(x.lo * y.lo, x.hi * y.hi, x.err.added(y.err).plus(u), exact)
        elif op == "arith.divf":
            state = State(x.lo / y.hi, x.hi / y.lo, x.err.added(y.err).plus(u), exact)
        elif op in ("arith.maximumf", "arith.maxnumf"):
            state = State(max(x.lo, y.lo), max(x.hi, y.hi), x.err.joined(y.err), exact)
        else:
            state = State(min(x.lo, y.lo), min(x.hi, y.hi), x.err.joined(y.err), exact)
        # A rounded bound may be crossed by a rounding.
        state.lo, state.hi = state.lo * (1 - 4 * u), state.hi * (1 + 4 * u)
        return self.op(f"{op} {a.name}, {b.name} : {ty}", ty, state, op == "arith.mulf")

    def clamp(self, value, lo, hi):
        """Into [lo, hi], both few bits wide."""
        if value.state.hi > hi:
            value = self.arith("arith.minimumf", value, self.constant(hi, value.ty))
            value.state.hi = min(value.state.hi, hi)
        if value.state.lo < lo:
            value = self.arith("arith.maximumf", value, self.constant(lo, value.ty))
            value.state.lo = max(value.state.lo, lo)
        return value

    def moderate(self, value):
        """Scaled and clamped into what all ops take."""
        lo, hi = self.limits(value.ty)
        if value.state.hi > hi:
            factor = 2.0 ** -math.ceil(math.log2(value.state.hi / hi))
            if factor >= 2.0**-14:
                value = self.arith("arith.mulf", value, self.constant(factor, value.ty))
        return self.clamp(value, lo, hi)

    def positive(self, value):
        """Of a value of any sign."""
        if not value.state.signed:
            return value
        state = value.state.copy()
        state.signed, state.lo = False, 0.0
        magnitude = self.op(f"math.absf {value.name} : {value.ty}", value.ty, state)
        return self.arith("arith.addf", magnitude, self.constant(0.25, value.ty))

    def float_leaf(self, ty):
        """Overridden by bodies, which have inputs."""
        values = [v for v in self.pool if v.ty == ty and not v.state.signed]
        if values:
            return self.rng.choice(values)
        return self.constant(self.rng.randint(1, 16) / 8, ty)

    def converted(self, ty, depth):
        """A value made of one of another type."""
        source = self.rng.choice([t for t in (*FLOATS, "i8", "i32", "i64", "index") if t != ty and self.allowed(t)])
        if source in FLOATS:
            value = self.float_leaf(source)
            narrower = FLOATS[ty] < FLOATS[source]
            state = value.state.copy()
            if not narrower and (source, ty) in (("f16", "bf16"), ("bf16", "f16")):
                return self.float_leaf(ty)
            if narrower:
                if {source, ty} == {"f16", "bf16"}:
                    return self.float_leaf(ty)
                state.err = state.err.plus(unit(ty))
                return self.moderate(self.op(f"arith.truncf {value.name} : {source} to {ty}", ty, state))
            # The error of a narrow type is large in a wide one.
            if not state.exact:
                return self.float_leaf(ty)
            return self.op(f"arith.extf {value.name} : {source} to {ty}", ty, state)
        value = self.integer(source, min(depth, 1))
        if source == "index":
            value, source = self.op(f"arith.index_cast {value.name} : index to i64", "i64"), "i64"
        small = self.op(f"arith.andi {value.name}, {self.constant(15, source).name} : {source}", source)
        op = self.rng.choice(["arith.sitofp", "arith.uitofp"])
        number = self.op(f"{op} {small.name} : {source} to {ty}", ty, State(0.0, 15.0))
        return self.arith("arith.addf", number, self.constant(0.5, ty))

    def allowed(self, feature):
        return feature not in self.without

    def floating(self, ty, depth):
        """A positive value of moderate size."""
        if depth <= 0:
            return self.float_leaf(ty)
        r = self.rng.random()
        if r < 0.2:
            values = [v for v in self.pool if v.ty == ty and not v.state.signed]
            return self.moderate(self.rng.choice(values)) if values else self.float_leaf(ty)
        if r < 0.3:
            return self.converted(ty, depth - 1)
        if r < 0.4 and self.allowed("math"):
            return self.function(ty, depth)
        if r < 0.5:
            return self.selected(ty, depth)
        a = self.floating(ty, depth - 1)
        b = self.floating(ty, depth - 1)
        if r < 0.62:
            # A convex combination.
            weight = self.rng.randint(1, 15) / 16
            a = self.arith("arith.mulf", a, self.constant(weight, ty))
            b = self.arith("arith.mulf", self.constant(1 - weight, ty), b)
            return self.moderate(self.arith("arith.addf", a, b))
        if r < 0.7 and self.allowed("math"):
            c = self.floating(ty, depth - 1)
            x, y, z = a.state, b.state, c.state
            err = x.err.added(y.err).joined(z.err).plus(2 * unit(ty))
            exact = x.exact and y.exact and z.exact and ty in ("f32", "f64")
            state = State(x.lo * y.lo + z.lo, (x.hi * y.hi + z.hi) * (1 + 8 * unit(ty)), err, exact)
            return self.moderate(self.op(f"math.fma {a.name}, {b.name}, {c.name} : {ty}", ty, state))
        if r < 0.74:
            # More than half of it is left.
            state = a.state
            least = self.constant(2.0 ** math.floor(math.log2(state.lo) - 1.01), ty)
            rest = State(state.lo / 2 * 0.99, state.hi, state.err.scaled(2).plus(3 * unit(ty)), state.exact and not a.product and ty in ("f32", "f64"))
            return self.moderate(self.op(f"arith.subf {a.name}, {least.name} : {ty}", ty, rest))
        op = self.rng.choice(["arith.addf"] * 4 + ["arith.mulf"] * 3 + ["arith.divf"] + EXTREMA)
        return self.moderate(self.arith(op, a, b))

    def function(self, ty, depth):
        table = UNARY if self.chance(0.8) else FALLING
        name = self.rng.choice(sorted(table))
        value = self.floating(ty, depth - 1)
        # Of f32 constants, MLIR folds them by the C library's functions of floats: a unit in the last place off what
        # the interpreter has. A root is exact.
        if ty == "f32" and value.state.hi <= value.state.lo * 1.001:
            table, name = UNARY, "math.sqrt"
        most, condition, function = table[name]
        # asin and acos bend sharply near 1, and so they get what is certainly smaller.
        value = self.clamp(value, 0, most)
        lo, hi = function(value.state.lo), function(min(value.state.hi, most))
        lo, hi = min(lo, hi), max(lo, hi)
        slack = 8 * unit(ty)
        state = State(lo * (1 - slack), hi * (1 + slack), value.state.err.scaled(condition).plus(4 * unit(ty)), False)
        return self.moderate(self.op(f"{name} {value.name} : {ty}", ty, state))

    def selected(self, ty, depth):
        condition = self.condition(depth - 1)
        a, b = self.floating(ty, depth - 1), self.floating(ty, depth - 1)
        state = a.state.hull(b.state)
        return self.op(f"arith.select {condition.name}, {a.name}, {b.name} : {ty}", ty, state)

    # Integers ---------------------------------------------------------------------------------------------------------

    def integer_leaf(self, ty):
        """Overridden by bodies."""
        values = [v for v in self.pool if v.ty == ty]
        if values:
            return self.rng.choice(values)
        if ty == "i1":
            return self.constant(self.rng.randint(0, 1), ty)
        return self.constant(self.rng.randint(-100, 100), ty)

    def small(self, ty, depth):
        """From 1 to 7: a divisor or a shift."""
        value = self.integer(ty, depth)
        value = self.op(f"arith.andi {value.name}, {self.constant(6, ty).name} : {ty}", ty)
        return self.op(f"arith.ori {value.name}, {self.constant(1, ty).name} : {ty}", ty)

    def integer(self, ty, depth):
        """Any value, wrapping around. `ty` may be i1 or index."""
        if ty == "i1":
            return self.condition(depth)
        if depth <= 0:
            return self.integer_leaf(ty)
        r = self.rng.random()
        if r < 0.15 and self.allowed("int-conversions"):
            return self.converted_integer(ty, depth)
        if r < 0.25:
            condition = self.condition(depth - 1)
            a, b = self.integer(ty, depth - 1), self.integer(ty, depth - 1)
            return self.op(f"arith.select {condition.name}, {a.name}, {b.name} : {ty}", ty)
        a = self.integer(ty, depth - 1)
        if r < 0.4:
            op = self.rng.choice(DIVISIONS)
            return self.op(f"{op} {a.name}, {self.small(ty, depth - 2).name} : {ty}", ty)
        if r < 0.5 and ty != "index":
            op = self.rng.choice(["math.absi", "math.ctpop", "math.ctlz", "math.cttz"])
            if self.allowed("math") and self.allowed(op):
                return self.op(f"{op} {a.name} : {ty}", ty)
        b = self.integer(ty, depth - 1)
        op = self.rng.choice(INTEGER_OPS)
        return self.op(f"{op} {a.name}, {b.name} : {ty}", ty)

    def converted_integer(self, ty, depth):
        if ty == "index":
            value = self.integer("i64", depth - 1)
            return self.op(f"arith.index_cast {value.name} : i64 to index", ty)
        others = [t for t in INTS if t != ty and self.allowed(t)]
        if self.chance(0.25):
            floats = [v for v in self.pool if v.ty in FLOATS and v.state.exact and not v.state.signed and v.state.hi < 100]
            if floats:
                value = self.rng.choice(floats)
                op = self.rng.choice(["arith.fptosi", "arith.fptoui"])
                return self.op(f"{op} {value.name} : {value.ty} to {ty}", ty)
        if self.chance(0.2):
            value = self.integer("index", depth - 1)
            op = self.rng.choice(["arith.index_cast", "arith.index_castui"])
            return self.op(f"{op} {value.name} : index to {ty}", ty)
        if not others:
            return self.integer_leaf(ty)
        other = self.rng.choice(others)
        value = self.integer(other, depth - 1)
        if INTS[other] > INTS[ty]:
            return self.op(f"arith.trunci {value.name} : {other} to {ty}", ty)
        op = self.rng.choice(["arith.extsi", "arith.extui"])
        return self.op(f"{op} {value.name} : {other} to {ty}", ty)

    def condition(self, depth):
        r = self.rng.random()
        if depth <= 0 or r < 0.1:
            values = [v for v in self.pool if v.ty == "i1"]
            if values and self.chance(0.5):
                return self.rng.choice(values)
            return self.compared_integers(0)
        if r < 0.3:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            op = self.rng.choice(["arith.andi", "arith.ori", "arith.xori"])
            return self.op(f"{op} {a.name}, {b.name} : i1", "i1")
        exact = [v for v in self.pool if v.ty in FLOATS and v.state.exact]
        if r < 0.65 and exact:
            a = self.rng.choice(exact)
            same = [v for v in exact if v.ty == a.ty]
            b = self.rng.choice(same) if len(same) > 1 else self.constant(0.5, a.ty)
            predicate = self.rng.choice(["olt", "ole", "ogt", "oge", "oeq", "one", "ult", "une", "uno", "ord"])
            return self.op(f"arith.cmpf {predicate}, {a.name}, {b.name} : {a.ty}", "i1")
        return self.compared_integers(depth - 1)

    def compared_integers(self, depth):
        ty = self.rng.choice([t for t in ("i64", "i32", "i8", "index") if self.allowed(t)])
        a, b = self.integer(ty, depth), self.integer(ty, depth)
        predicate = self.rng.choice(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
        return self.op(f"arith.cmpi {predicate}, {a.name}, {b.name} : {ty}", "i1")

    def value(self, ty, depth):
        return self.floating(ty, depth) if ty in FLOATS else self.integer(ty, depth)


EXTREMA = ["arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"]
DIVISIONS = [
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.floordivsi",
    "arith.shli",
    "arith.shrsi",
    "arith.shrui",
]
INTEGER_OPS = ["arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori"] + [
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
]
