"""What bodies may compute, and extreme values to try it on."""

import numpy as np

# Bits, bits of the exponent.
FLOATS = {"f16": (16, 5), "bf16": (16, 8), "f32": (32, 8), "f64": (64, 11)}
INTS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
PREDICATES_F = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
PREDICATES_I = "eq ne slt sle sgt sge ult ule ugt uge".split()


def unsigned(bits):
    return np.dtype(f"u{max(bits, 8) // 8}")


def to_double(bits, ty):
    """The values of bits of a floating-point type, which a double holds all of."""
    with np.errstate(invalid="ignore"):
        if ty == "bf16":
            return (bits.astype("u4") << np.uint32(16)).view("f4").astype("f8")
        return bits.view({"f16": "f2", "f32": "f4", "f64": "f8"}[ty]).astype("f8")


def from_double(values, ty):
    """Rounded once to nearest, ties to even, as bits."""
    with np.errstate(all="ignore"):
        return round_double(values, ty)


def round_double(values, ty):
    values = np.asarray(values, "f8")
    if ty != "bf16":
        return values.astype({"f16": "f2", "f32": "f4", "f64": "f8"}[ty]).view(unsigned(FLOATS[ty][0]))
    # To odd first (Boldo, Melquiond 2008): the last bit of the float says whether there is more.
    single = values.astype("f4")
    bits = single.view("u4")
    away = np.abs(single.astype("f8")) > np.abs(values)
    inexact = (single.astype("f8") != values) & np.isfinite(values)
    bits = np.where(inexact, (bits - away) | 1, bits).astype("u8")
    rounded = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) >> np.uint64(16)
    return np.where(np.isnan(values), 0x7FC0, rounded).astype("u2")


class Case:
    """An operation. `text` names the inputs, and by {i} what `prepare` defines."""

    def __init__(self, name, text, result, compute=None, ulp=0, prepare="", results="", number="", defined=None):
        self.name, self.text, self.result, self.compute, self.ulp = name, text, result, compute, ulp
        self.prepare, self.results, self.number, self.defined = prepare, results, number, defined

    def agree(self, expected, got, ulp):
        """Where they do. One NaN is as good as another."""
        expected, got = as_bits(expected), as_bits(got)
        same = expected == got
        if self.result not in FLOATS:
            return same
        a, b = to_double(expected, self.result), to_double(got, self.result)
        same |= np.isnan(a) & np.isnan(b)
        if ulp:
            near = np.abs(expected.astype("i8") - got.astype("i8")) <= ulp
            same |= near & (np.signbit(a) == np.signbit(b)) & np.isfinite(a) & np.isfinite(b)
        return same


def as_bits(array):
    return array.view(unsigned(array.dtype.itemsize * 8))


class Table:
    def add(self, name, text, result, compute=None, **more):
        self.cases.append(Case(name, text, result, compute, **more))

    def is_defined(self, case):
        return case.defined(self) if case.defined else np.ones(len(self.inputs[0][1]), bool)

    def show(self, value, ty):
        if ty in FLOATS:
            bits = as_bits(np.atleast_1d(value))
            return f"{to_double(bits, ty)[0]!r} (0x{int(bits[0]):x})"
        return str(value)


def pair(values, bits):
    """Every pair of values, and random bits; of the third operand, values in another order."""
    x, y = (a.ravel() for a in np.meshgrid(values, values, indexing="ij"))
    rng = np.random.default_rng(1)
    more = [rng.integers(0, 2**bits, 1000, dtype="u8").astype(unsigned(bits)) for _ in range(3)]
    return [np.concatenate(both) for both in zip((x, y, np.roll(x, 7)), more)]


class FloatTable(Table):
    """Every pair of values is a point."""

    def __init__(self, ty):
        self.type, self.cases = ty, []
        width, exponent = FLOATS[ty]
        mantissa = width - exponent - 1
        one = ((1 << (exponent - 1)) - 1) << mantissa
        infinity = ((1 << exponent) - 1) << mantissa
        magnitudes = [
            0,
            1,  # the smallest denormal
            (1 << mantissa) - 1,  # the largest one
            1 << mantissa,  # the smallest normal number
            one,
            one + (1 << mantissa) + (1 << (mantissa - 2)),  # 2.5: halfway
            one - (1 << mantissa),  # 0.5
            one + 1,
            one + (5 << mantissa) + 3,
            infinity - 1,  # the largest
            infinity,
        ]
        bits = [m | sign << (width - 1) for m in magnitudes for sign in (0, 1)]
        bits.append(infinity | 1 << (mantissa - 1))
        values = np.array(bits, unsigned(width))
        x, y, z = pair(values, width)
        powers = np.resize(np.array([0, 1, -1, 2, 3, -3, 10, 2**31 - 1, -(2**31)], "i4"), len(x))
        stored = {"f16": "f2", "bf16": "V2", "f32": "f4", "f64": "f8"}[ty]
        self.bits = {"x": x, "y": y, "z": z}
        self.inputs = [(name, array.view(stored), ty) for name, array in self.bits.items()]
        self.inputs.append(("n", powers, "i32"))
        self.add_arithmetic()
        self.add_comparisons()
        self.add_conversions()
        self.add_functions()

    def value(self, name):
        return to_double(self.bits[name], self.type)

    def rounded(self, function, *names):
        def compute(table):
            with np.errstate(all="ignore"):
                return from_double(function(*(table.value(name) for name in names)), self.type)

        return compute

    def add_arithmetic(self):
        ty = self.type

        def larger(x, y):
            return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where((x > y) | ((x == y) & ~np.signbit(x)), x, y))

        def number(function):
            return lambda x, y: np.where(np.isnan(x), y, np.where(np.isnan(y), x, function(x, y)))

        def smaller(x, y):
            return -larger(-x, -y)

        for name, function in {
            "addf": np.add,
            "subf": np.subtract,
            "mulf": np.multiply,
            "divf": np.divide,
            "remf": np.fmod,
            "maximumf": larger,
            "minimumf": smaller,
            "maxnumf": number(larger),
            "minnumf": number(smaller),
        }.items():
            self.add(name, f"arith.{name} {{x}}, {{y}} : {ty}", ty, self.rounded(function, "x", "y"))
            # Operands that are known take other ways.
            if name.startswith(("max", "min")):
                for zero in ("0.0", "-0.0"):
                    self.add(
                        f"{name} {zero}",
                        f"arith.{name} {{x}}, %c{{i}} : {ty}",
                        ty,
                        self.rounded(lambda x, f=function, c=float(zero): f(x, np.full_like(x, c)), "x"),
                        prepare=f"%c{{i}} = arith.constant {zero} : {ty}",
                    )
        self.add("negf", f"arith.negf {{x}} : {ty}", ty, self.rounded(np.negative, "x"))
        self.add("absf", f"math.absf {{x}} : {ty}", ty, self.rounded(np.abs, "x"))
        self.add("fma", f"math.fma {{x}}, {{y}}, {{z}} : {ty}", ty)
        self.add("copysign", f"math.copysign {{x}}, {{y}} : {ty}", ty, self.rounded(np.copysign, "x", "y"))
        rounding = {"ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "roundeven": np.rint}
        rounding["round"] = lambda x: np.copysign(np.trunc(np.abs(x) + np.where(np.abs(x) < 2**52, 0.5, 0)), x)
        # 0.5 less a bit would round up.
        rounding["round"] = lambda x, f=rounding["round"]: np.where(np.abs(x) < 0.5, np.copysign(0.0, x), f(x))
        for name, function in {**rounding, "sqrt": np.sqrt}.items():
            self.add(name, f"math.{name} {{x}} : {ty}", ty, self.rounded(function, "x"))

    def add_comparisons(self):
        ty = self.type
        for name in PREDICATES_F:
            self.add(f"cmpf {name}", f"arith.cmpf {name}, {{x}}, {{y}} : {ty}", "i1", lambda table, n=name: table.compare(n))
        self.add(
            "select",
            f"arith.select %c{{i}}, {{x}}, {{y}} : {ty}",
            ty,
            lambda table: np.where(table.compare("olt"), table.bits["x"], table.bits["y"]),
            prepare=f"%c{{i}} = arith.cmpf olt, %x_v, %y_v : {ty}",
        )
        width, exponent = FLOATS[ty]
        least = 2.0 ** (2 - 2 ** (exponent - 1))
        for name, function in {
            "isnan": np.isnan,
            "isinf": np.isinf,
            "isfinite": np.isfinite,
            "isnormal": lambda x: np.isfinite(x) & (np.abs(x) >= least),
        }.items():
            self.add(name, f"math.{name} {{x}} : {ty}", "i1", lambda table, f=function: f(table.value("x")))

    def compare(self, predicate):
        x, y = self.value("x"), self.value("y")
        unordered = np.isnan(x) | np.isnan(y)
        relations = {"eq": x == y, "gt": x > y, "ge": x >= y, "lt": x < y, "le": x <= y, "ne": (x < y) | (x > y)}
        if predicate in ("false", "true"):
            return np.full(len(x), predicate == "true")
        if predicate in ("ord", "uno"):
            return unordered == (predicate == "uno")
        return relations[predicate[1:]] | (unordered & (predicate[0] == "u"))

    def add_conversions(self):
        ty, width = self.type, FLOATS[self.type][0]
        for other, (bits, _) in FLOATS.items():
            if bits != width:
                op = "extf" if bits > width else "truncf"
                compute = lambda table, other=other: from_double(table.value("x"), other)  # noqa: E731
                self.add(f"{op} to {other}", f"arith.{op} {{x}} : {ty} to {other}", other, compute)
        for other, bits in INTS.items():
            for op, low, high in (("fptosi", -(2.0 ** (bits - 1)), 2.0 ** (bits - 1)), ("fptoui", 0.0, 2.0**bits)):

                def is_held(table, low=low, high=high):
                    with np.errstate(invalid="ignore"):
                        whole = np.trunc(table.value("x"))
                        return (whole >= low) & (whole < high)

                self.add(f"{op} to {other}", f"arith.{op} {{x}} : {ty} to {other}", other, defined=is_held)
        self.add("bitcast", f"arith.bitcast {{x}} : {ty} to i{width}", f"i{width}", lambda table: table.bits["x"])

    def add_functions(self):
        ty = self.type
        unary = "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10 log1p log2 rsqrt sin sinh tan tanh"
        for name in unary.split():
            self.add(name, f"math.{name} {{x}} : {ty}", ty, ulp=1)
        for name in ("atan2", "powf"):
            self.add(name, f"math.{name} {{x}}, {{y}} : {ty}", ty, ulp=1)
        self.add("fpowi", f"math.fpowi {{x}}, {{n}} : {ty}, i32", ty, ulp=1)
        for number, name in enumerate(("sin", "cos")):
            self.add(f"sincos, {name}", f"math.sincos {{x}} : {ty}", ty, ulp=1, results=":2", number=f"#{number}")


class IntTable(Table):
    def __init__(self, ty):
        self.type, self.cases = ty, []
        self.width = width = INTS[ty]
        top, full = 1 << (width - 1), (1 << width) - 1
        values = {0, 1, full, top, top - 1}
        if width > 1:
            values |= {2, 3, 7, full - 1, full - 6, top + 1, width, width - 1, (full // 3) & full}
        values = np.array(sorted(v & full for v in values), unsigned(width))
        x, y, _ = pair(values, width)
        # A divisor that has a quotient, for both signs.
        d = np.where((y == 0) | ((y == full) & (x == top)), 1, y).astype(x.dtype)
        s = (y % width).astype(x.dtype)
        # An exponent that 0 has a power of.
        p = np.where((x == 0) & (y >= top), 0, y).astype(x.dtype)
        self.bits = {"x": x, "y": y, "d": d, "s": s, "p": p}
        stored = "?" if width == 1 else x.dtype.str.replace("u", "i")
        self.inputs = [(name, array.view(stored), ty) for name, array in self.bits.items()]
        self.add_arithmetic()
        self.add_conversions()

    def numbers(self, name, signed):
        """Python's, which are exact."""
        values = [int(value) for value in self.bits[name]]
        if signed:
            values = [value - (value >> (self.width - 1) << self.width) for value in values]
        return values

    def exact(self, function, names, signed=False, result=None):
        bits = self.width if result is None else INTS[result]

        def compute(table):
            operands = zip(*(table.numbers(name, signed) for name in names))
            wrapped = [int(function(*numbers)) & ((1 << bits) - 1) for numbers in operands]
            return np.array(wrapped, np.uint64).astype(unsigned(bits))

        return compute

    def op(self, name, function, names="xy", signed=False, result=None, dialect="arith", **more):
        operands = ", ".join(f"{{{operand}}}" for operand in names)
        self.add(name, f"{dialect}.{name} {operands} : {self.type}", result or self.type, self.exact(function, names, signed, result), **more)

    def add_arithmetic(self):
        ty, width = self.type, self.width
        truncated = lambda a, b: (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)  # noqa: E731
        self.op("addi", lambda a, b: a + b)
        self.op("subi", lambda a, b: a - b)
        self.op("muli", lambda a, b: a * b)
        self.op("andi", lambda a, b: a & b)
        self.op("ori", lambda a, b: a | b)
        self.op("xori", lambda a, b: a ^ b)
        self.op("shli", lambda a, b: a << b, "xs")
        self.op("shrui", lambda a, b: a >> b, "xs")
        self.add("shrsi", f"arith.shrsi {{x}}, {{s}} : {ty}", ty, self.shift_signed)
        if width > 1:
            self.add_divisions(truncated)
        for name, signed in (("si", True), ("ui", False)):
            self.op(f"max{name}", max, signed=signed)
            self.op(f"min{name}", min, signed=signed)
        for predicate in PREDICATES_I:
            relation = predicate[-2:] if len(predicate) > 2 else predicate
            function = getattr(int, f"__{relation}__")
            compute = self.exact(function, "xy", predicate.startswith("s"), "i1")
            self.add(f"cmpi {predicate}", f"arith.cmpi {predicate}, {{x}}, {{y}} : {ty}", "i1", compute)
        self.add(
            "select",
            f"arith.select %c{{i}}, {{x}}, {{y}} : {ty}",
            ty,
            self.exact(lambda a, b: a if a < b else b, "xy"),
            prepare=f"%c{{i}} = arith.cmpi ult, %x_v, %y_v : {ty}",
        )
        full = (1 << width) - 1
        extended = f"arith.addui_extended {{x}}, {{y}} : {ty}, i1"
        carry = self.exact(lambda a, b: a + b > full, "xy", result="i1")
        self.add("addui_extended, sum", extended, ty, self.exact(lambda a, b: a + b, "xy"), results=":2", number="#0")
        self.add("addui_extended, carry", extended, "i1", carry, results=":2", number="#1")
        for name, signed in (("mulsi_extended", True), ("mului_extended", False)):
            for number in range(2):
                function = lambda a, b, n=number: (a * b) >> (n * width)  # noqa: E731
                part, compute = f"#{number}", self.exact(function, "xy", signed)
                self.add(name + part, f"arith.{name} {{x}}, {{y}} : {ty}", ty, compute, results=":2", number=part)
        if width == 64:
            self.add_index_arithmetic(truncated)
        self.op("ipowi", self.power, "xp", True, dialect="math")
        for exponent in (0, 3, -1):
            if width > 1:
                function = lambda a, n=exponent: self.power(a, n)  # noqa: E731
                name, operand = f"ipowi {exponent}", "x" if exponent >= 0 else "d"
                prepare = f"%c{{i}} = arith.constant {exponent} : {ty}"
                self.add(name, f"math.ipowi {{{operand}}}, %c{{i}} : {ty}", ty, self.exact(function, operand, True), prepare=prepare)
        self.op("absi", abs, "x", True, dialect="math")
        self.op("ctlz", lambda a: width - a.bit_length(), "x", dialect="math")
        self.op("cttz", lambda a: (a & -a).bit_length() - 1 if a else width, "x", dialect="math")
        self.op("ctpop", lambda a: bin(a).count("1"), "x", dialect="math")

    def add_divisions(self, truncated):
        self.op("divsi", truncated, "xd", True)
        self.op("divui", lambda a, b: a // b, "xd")
        self.op("remsi", lambda a, b: a - b * truncated(a, b), "xd", True)
        self.op("remui", lambda a, b: a % b, "xd")
        self.op("ceildivsi", lambda a, b: -(-a // b), "xd", True)
        self.op("ceildivui", lambda a, b: -(-a // b), "xd")
        self.op("floordivsi", lambda a, b: a // b, "xd", True)

    def add_index_arithmetic(self, truncated):
        """Of numbers of type index, which no field has."""
        for name, function, operand, signed in (
            ("addi", lambda a, b: a + b, "y", False),
            ("muli", lambda a, b: a * b, "y", False),
            ("divsi", truncated, "d", True),
            ("remui", lambda a, b: a % b, "d", False),
            ("floordivsi", lambda a, b: a // b, "d", True),
            ("ceildivsi", lambda a, b: -(-a // b), "d", True),
            ("ceildivui", lambda a, b: -(-a // b), "d", False),
            ("maxsi", max, "y", True),
            ("minui", min, "y", False),
            ("shrui", lambda a, b: a >> b, "s", False),
        ):
            casts = [f"%{to}{{i}} = arith.index_cast %{value}_v : i64 to index" for to, value in (("a", "x"), ("b", operand))]
            casts.append(f"%e{{i}} = arith.{name} %a{{i}}, %b{{i}} : index")
            compute = self.exact(function, "x" + operand, signed)
            self.add(f"{name}, index", "arith.index_cast %e{i} : index to i64", "i64", compute, prepare="\n".join(casts))

    @staticmethod
    def power(base, exponent):
        """Wrapping around; the inverse of what is neither 1 nor -1 is truncated to 0."""
        if exponent < 0:
            return base ** (exponent & 1) if abs(base) == 1 else 0
        return pow(base, exponent, 1 << 64)

    def shift_signed(self, table):
        compute = zip(table.numbers("x", True), table.numbers("s", False))
        return np.array([(a >> b) & ((1 << self.width) - 1) for a, b in compute], np.uint64).astype(unsigned(self.width))

    def add_conversions(self):
        ty, width = self.type, self.width
        for other, bits in INTS.items():
            ops = (("extsi", True), ("extui", False)) if bits > width else (("trunci", False),) if bits < width else ()
            for op, signed in ops:
                self.add(f"{op} to {other}", f"arith.{op} {{x}} : {ty} to {other}", other, self.exact(lambda a: a, "x", signed, other))
        for other in FLOATS:
            for op, signed in (("sitofp", True), ("uitofp", False)):
                self.add(f"{op} to {other}", f"arith.{op} {{x}} : {ty} to {other}", other)
        for op, signed in (("index_cast", True), ("index_castui", False)):
            back = f"%c{{i}} = arith.{op} %x_v : {ty} to index"
            self.add(f"{op}, shrui", f"arith.index_cast %c{{i}} : index to i32", "i32", self.exact(lambda a: a, "x", signed, "i32"), prepare=back)
        real = {16: "f16", 32: "f32", 64: "f64"}.get(width)
        if real:
            self.add("bitcast", f"arith.bitcast {{x}} : {ty} to {real}", real, lambda table: table.bits["x"])
