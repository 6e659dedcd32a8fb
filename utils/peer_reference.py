"""Evaluates a stencil program with NumPy, from the text that stencil-opt prints.

It shares nothing with the compiler, and knows what programs of Devito, PSyclone and
of xDSL's examples consist of: memrefs as fields, loads, applies, stores, time loops
that swap fields, and arithmetic. Other ops raise Unknown."""

import re

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64, "i64": int, "index": int, "i32": int}
BINARY = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": lambda a, b: a / b,
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divsi": lambda a, b: np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b)),
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "copysign": np.copysign,
}
UNARY = {"negf": np.negative, "absf": np.abs}
CASTS = ("sitofp", "extf", "truncf", "index_cast")


class Unknown(Exception):
    """An op that is not known here."""


class Field:
    """An array whose first element is the point `lb`."""

    def __init__(self, array, lb):
        self.array, self.lb = array, lb

    def region(self, lb, ub):
        cut = (slice(l - o, u - o) for l, u, o in zip(lb, ub, self.lb))
        return self.array[tuple(cut)]


class Result:
    """What an apply returns, evaluated where it is asked for."""

    def __init__(self, body, inputs, scalars, number):
        self.body, self.inputs, self.scalars = body, inputs, scalars
        self.number = number

    def region(self, lb, ub):
        values = dict(self.scalars)
        shape = tuple(u - l for l, u in zip(lb, ub))
        for line in self.body:
            if match := re.match(r"stencil\.return ([^:]*)", line):
                name = match[1].split(",")[self.number].strip()
                return np.broadcast_to(values[name], shape)
            if match := re.match(r"(%\S+) = stencil\.access (%\S+?)\s?\[(.*?)\]", line):
                # `_` where the array has no such axis.
                offset = [n.strip() for n in match[3].split(",")]
                shifts = [(axis, int(n)) for axis, n in enumerate(offset) if n != "_"]
                part = self.inputs[match[2]].region(
                    [lb[axis] + o for axis, o in shifts], [ub[axis] + o for axis, o in shifts]
                )
                whole = tuple(np.newaxis if n == "_" else slice(None) for n in offset)
                values[match[1]] = part[whole]
            elif match := re.match(r"(%\S+) = stencil\.index (\d+) <\[(.*?)\]>", line):
                axis = int(match[2])
                offset = int(match[3].split(",")[axis])
                others = [1] * len(lb)
                others[axis] = ub[axis] - lb[axis]
                index = np.arange(lb[axis] + offset, ub[axis] + offset)
                values[match[1]] = index.reshape(others)
            else:
                evaluate_scalar(line, values)
        raise Unknown("an apply without a return")


def evaluate_scalar(line, values):
    """An op of arith or math, on numbers and on arrays."""
    match = re.match(r"(%\S+) = (\w+)\.(\w+) (.*?)(?: fastmath<\w+>)? : (.*)", line)
    if not match:
        raise Unknown(line)
    name, dialect, op, operands, types = match.groups()
    if (dialect, op) == ("arith", "constant"):
        values[name] = TYPES[types](operands)
        return
    a, *rest = (values[operand.strip()] for operand in operands.split(","))
    if op in BINARY:
        values[name] = BINARY[op](a, rest[0])
    elif op in UNARY:
        values[name] = UNARY[op](a)
    elif dialect == "arith" and op in CASTS:
        kind = TYPES[types.split()[-1]]
        values[name] = np.asarray(a).astype(kind) if np.ndim(a) else kind(a)
    elif (dialect, op) == ("math", "fpowi"):
        kind = TYPES[types.split(",")[0]]
        values[name] = kind(np.longdouble(a) ** rest[0])
    else:
        raise Unknown(line)


def parse_bounds(text):
    """The lower and upper bounds of [-4,68]x[0,8]."""
    pairs = re.findall(r"\[(-?\d+),(-?\d+)\]", text)
    return [int(l) for l, _ in pairs], [int(u) for _, u in pairs]


class Evaluator:
    """Runs a function on arrays, which it updates."""

    def __init__(self, text):
        # Locations and aliases do not matter.
        lines = (re.sub(r"\s+", " ", line).strip() for line in text.split("\n"))
        self.lines = [line for line in lines if line and not line.startswith("//")]

    def run(self, name, arrays):
        start = next(
            i
            for i, line in enumerate(self.lines)
            if re.match(rf"func\.func @{re.escape(name)}\(", line)
        )
        header = self.lines[start].split("->")[0]
        arguments = re.findall(r"(%\w+): (!?[\w.]+(?:<.*?>)?)(?=[,)] |[,)]$)", header)
        values = {}
        for (argument, kind), array in zip(arguments, arrays, strict=True):
            if kind.startswith("!stencil.field"):
                values[argument] = Field(array, parse_bounds(kind)[0])
            elif kind.startswith("memref") or kind in TYPES:
                values[argument] = array
        self.run_block(start + 1, values)

    def end(self, start):
        """The line that closes the region opened before `start`."""
        depth = 1
        for i in range(start, len(self.lines)):
            depth += self.lines[i].endswith("{") - self.lines[i].startswith("}")
            if depth == 0:
                return i
        raise Unknown("no end")

    def run_block(self, i, values):
        """Runs up to the end of the region; what it yields."""
        while not self.lines[i].startswith("}"):
            line = self.lines[i]
            i += 1
            if match := re.match(r"(%\S+) = stencil\.(?:load|cast) (%\S+) :", line):
                field = values[match[2]]
                load = "stencil.load" in line
                array = field.array.copy() if load else field.array
                values[match[1]] = Field(array, field.lb)
            elif match := re.match(r"(%\S+) = stencil\.external_load (%\S+) : .* -> (.*)", line):
                values[match[1]] = Field(values[match[2]], parse_bounds(match[3])[0])
            elif match := re.match(r"stencil\.external_store (%\S+) to (%\S+) :", line):
                if values[match[1]].array is not values[match[2]]:
                    raise Unknown("a store to other memory")
            elif "= stencil.apply" in line:
                i = self.run_apply(line, i, values)
            elif match := re.match(r"stencil\.store (%\S+) to (%\S+?)\s?\(<(.*?)>\)", line):
                numbers = [int(n) for n in re.findall(r"-?\d+", match[3])]
                lb, ub = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
                values[match[2]].region(lb, ub)[...] = values[match[1]].region(lb, ub)
            elif "= scf.for" in line:
                i = self.run_loop(line, i, values)
            elif match := re.match(r"scf\.yield (.*?) :", line):
                return [values[name.strip()] for name in match[1].split(",")]
            elif re.match(r"(%\S+ = )?(func\.)?call @timer_|llvm\.store|return", line):
                continue
            else:
                evaluate_scalar(line, values)
        return []

    def run_apply(self, line, i, values):
        end = self.end(i)
        inputs, scalars = {}, {}
        for inner, outer in re.findall(r"(%\w+) = (%[\w#]+) :", line):
            kind = scalars if np.isscalar(values[outer]) else inputs
            kind[inner] = values[outer]
        scalars |= {k: v for k, v in values.items() if np.isscalar(v)}
        match = re.match(r"(%\w+)(?::(\d+))? = stencil", line)
        for number in range(int(match[2] or 1)):
            result = Result(self.lines[i:end], inputs, scalars, number)
            values[match[1] + (f"#{number}" if match[2] else "")] = result
        return end + 1

    def run_loop(self, line, i, values):
        match = re.match(
            r"(?:(%\w+)(?::\d+)? = )scf\.for (%\w+) = (%\S+) to (%\S+) step (%\S+) "
            r"iter_args\((.*?)\) ->",
            line,
        )
        carried = re.findall(r"(%\w+) = (%[\w#]+)", match[6])
        current = [values[outer] for _, outer in carried]
        for step in range(values[match[3]], values[match[4]], values[match[5]]):
            inner = values | {match[2]: step}
            inner |= {name: value for (name, _), value in zip(carried, current)}
            current = self.run_block(i, inner)
        for number, value in enumerate(current):
            single = len(current) == 1
            values[match[1] + ("" if single else f"#{number}")] = value
        return self.end(i) + 1
