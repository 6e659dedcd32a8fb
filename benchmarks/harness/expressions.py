"""Arithmetic of Python's operators written down as MLIR or C++, a line per operation, for generate_mhd.py."""

from generate import at


class Body:
    """Lines of MLIR; values are their names. With `sums`, an operator is a stencil.weighted_sum."""

    def __init__(self, sums):
        self.sums = sums
        self.lines, self.constants, self.count = [], {}, 0

    def comment(self, text):
        self.lines.append(f"// {text}")

    def op(self, text, name=None):
        if name is None:
            self.count += 1
            name = f"t{self.count}"
        self.lines.append(f"%{name} = {text}")
        return Value(self, f"%{name}")

    def constant(self, value, name=None):
        if value not in self.constants:
            name = name or f"c{len(self.constants)}"
            self.constants[value] = Value(self, f"%{name}")
        return self.constants[value]

    def binary(self, op, a, b):
        return self.op(f"arith.{op} {a.name}, {b.name} : f64")

    def negate(self, value):
        return self.op(f"arith.negf {value.name} : f64")

    def exp(self, value):
        return self.op(f"math.exp {value.name} : f64")

    def access(self, field, offset, name=None):
        return self.op(f"stencil.access %{field}[{', '.join(map(str, offset))}] : !temp", name)

    def scaled(self, value, scale, name):
        return self.op(f"arith.mulf {value.name}, %{scale}_ : f64", name)

    def text(self, indent):
        head = [f"{v.name} = arith.constant {c!r} : f64" for c, v in self.constants.items()]
        return "\n".join(indent + line for line in head + self.lines)


class CxxBody(Body):
    """The same in C++: constants of doubles, and pointers to the fields' values at this point."""

    def comment(self, text):
        self.lines.append(f"// {text}")

    def op(self, text, name=None):
        if name is None:
            self.count += 1
            name = f"t{self.count}"
        self.lines.append(f"const double {name} = {text};")
        return Value(self, name)

    def constant(self, value, name=None):
        value = super().constant(value, name)
        value.name = value.name.removeprefix("%")
        return value

    def binary(self, op, a, b):
        sign = {"addf": "+", "subf": "-", "mulf": "*", "divf": "/"}[op]
        return self.op(f"{a.name} {sign} {b.name}")

    def negate(self, value):
        return self.op(f"-{value.name}")

    def exp(self, value):
        return self.op(f"std::exp({value.name})")

    def access(self, field, offset, name=None):
        return self.op(field + at(offset).removeprefix("p"), name)

    def scaled(self, value, scale, name):
        return self.op(f"{value.name} * {scale}_", name)

    def text(self, indent):
        head = [f"const double {v.name} = {c!r};" for c, v in self.constants.items()]
        return "\n".join(indent + line for line in head + self.lines)


class Value:
    def __init__(self, body, name):
        self.body, self.name = body, name

    def binary(self, op, other):
        other = other if isinstance(other, Value) else self.body.constant(float(other))
        return self.body.binary(op, self, other)

    def __add__(self, other):
        return self.binary("addf", other)

    def __sub__(self, other):
        return self.binary("subf", other)

    def __mul__(self, other):
        return self.binary("mulf", other)

    def __truediv__(self, other):
        return self.binary("divf", other)

    def __rtruediv__(self, other):
        return self.body.constant(float(other)) / self

    def __neg__(self):
        return self.body.negate(self)


class Vector(list):
    def map2(self, other, function):
        return Vector(function(a, b) for a, b in zip(self, other))

    def __add__(self, other):
        return self.map2(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self.map2(other, lambda a, b: a - b)

    def __neg__(self):
        return Vector(-a for a in self)

    def scaled(self, factor):
        return Vector(factor * a for a in self)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return Vector(a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1)))
