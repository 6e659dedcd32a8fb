"""Runs random time loops of several states with several steps at once (`time = T`), on the CPU and as GPU code.

    state_blocks.py --bin build/bin --work DIR --seeds 0:40

Waves over two and three buffers, two fields that read each other (at the same time, or one after the other in place), chains
of applies, substeps, a state of three steps ago. Fields that do not change may be read, and the number of the step; each field
has its own boundary. All fields, halos included, have to be what the interpreter finds step by step, to the last bit: on the
CPU, for some numbers of threads, with tiles of any size, and in the emulator, for waves of 32 and 64. Programs that fail are
left in DIR.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402
from step_schedules import choose_cpu_keys  # noqa: E402


# The shared memory of a block, bodies without stages, and grids that are too small for a condition, or a rim.
REFUSALS = [
    "without 'chain', steps would be computed",
    "expected windows of at most",
    "expected tiles of more than",
    "interior points on axis",
    "expected an interior extent of at least",
]
CONDITIONS = [
    "keep",
    "dirichlet<0.5>",
    "neumann",
    "symmetric",
    "antisymmetric",
    "symmetric_about_face",
    "antisymmetric_about_face",
    "extrapolate<1>",
]
# Who the fields are, and who of them gets a boundary at the beginning of a step.
KINDS = {
    "wave": (["old", "now"], ["now"]),
    "rotating wave": (["now", "new", "old"], ["now"]),
    "late wave": (["a", "b", "now", "new"], ["now"]),
    "pair": (["u", "un", "v", "vn"], ["u", "v"]),
    "staggered": (["e", "h"], ["h"]),
    "chain": (["u", "un"], ["u"]),
    "substeps": (["u", "mid", "un"], ["u"]),
}
ROTATIONS = {
    "wave": ["now", "old"],
    "rotating wave": ["new", "old", "now"],
    "late wave": ["b", "now", "new", "a"],
    "pair": ["un", "u", "vn", "v"],
    "staggered": ["e", "h"],
    "chain": ["un", "u"],
    "substeps": ["un", "mid", "u"],
}


class SeveralStates:
    """A program, its extents and how many steps are taken at once."""

    def __init__(self, rng, has_rim=False):
        self.rng = rng
        # Near all boundaries, as on GPUs, or near periodic ends only.
        self.has_rim = has_rim
        self.wrapped = []
        self.rank = rng.choice([1, 2, 2, 2, 3])
        self.element = rng.choice(["f64", "f64", "f32"])
        self.kind = rng.choice(list(KINDS))
        self.fields, self.bounded = KINDS[self.kind]
        self.time = rng.choice([2, 3, 4, 5] if self.rank < 3 else [2, 3])
        if self.kind == "rotating wave":
            self.time = rng.choice([3, 3, 6])
        if self.kind == "late wave":
            self.time = rng.choice([2, 4])
        farthest = rng.choice([1, 1, 2] if self.kind in ("chain", "substeps", "pair") else [1, 2, 3])
        self.low = [rng.randint(0, farthest) for _ in range(self.rank)]
        self.high = [rng.randint(0, farthest) for _ in range(self.rank)]
        self.low[-1] = max(self.low[-1], 1)
        # A chain reads the state twice as far.
        self.width = 2 if self.kind == "chain" else 1
        self.is_open = rng.random() < 0.3
        self.has_coefficient = rng.random() < 0.4
        self.has_number = rng.random() < 0.3
        self.wrapped = [rng.random() < 0.15 for _ in range(self.rank)]
        self.conditions = {name: self.choose_conditions() for name in self.bounded + ["mid", "e"]}
        if rng.random() < 0.25:
            self.conditions = {}
        self.extents = [self.choose_extent(axis) for axis in range(self.rank)]
        self.extents[-1] += rng.choice([0, 7, 30, 61])
        self.count = 0
        self.text = self.write()

    def choose_conditions(self):
        return [
            ["periodic"] if wraps else [self.rng.choice(CONDITIONS) for _ in range(2)] for wraps in self.wrapped
        ]

    def choose_extent(self, axis):
        low, high, more = self.low[axis], self.high[axis], self.rng.choice([1, 2, 3, 9])
        if not self.has_rim and not (self.conditions and self.wrapped[axis]):
            return self.width * max(low, high) + more
        # More than the core leaves at both ends; of open extents, than any of its slabs.
        substeps = 2 if self.kind in ("staggered", "chain", "substeps") else 1
        return (low + high) * substeps * (self.time + (self.time + 1) * self.is_open) + more + max(low, high)

    def offsets(self):
        """Of which some are as far as any."""
        rng, zero = self.rng, [0] * self.rank
        found = {tuple(rng.randint(-low, high) for low, high in zip(self.low, self.high)) for _ in range(rng.choice([2, 4, 6]))}
        for axis in range(self.rank):
            for distance in (-self.low[axis], self.high[axis]):
                found.add(tuple(zero[:axis] + [distance] + zero[axis + 1 :]))
        return sorted(found)

    def new(self):
        self.count += 1
        return f"%t{self.count}"

    def load(self, field):
        name = self.new()
        return name, [f"{name} = stencil.load %{field} : !field -> !temp"]

    def keep(self, value):
        """A value that is not stored, as the next apply reads it, and lines for that."""
        return value, []

    def bound(self, field):
        if field not in self.conditions:
            return []
        sides = ", ".join(" | ".join(f"#stencil.{kind}" for kind in side) for side in self.conditions[field])
        return [f"stencil.boundary %{field}{self.box} [{sides}] : !field"]

    def expression(self, around, here):
        """What is computed of inputs that are read around a point, and of others at it."""
        rng, element, zero = self.rng, self.element, [0] * self.rank
        terms = []
        for name in around:
            offsets = self.offsets()
            weights = ", ".join(repr(rng.uniform(-0.3, 0.3)) for _ in offsets)
            terms.append(self.new())
            yield (
                f"{terms[-1]} = stencil.weighted_sum {name} offsets [{', '.join(str(list(offset)) for offset in offsets)}] "
                f"weights dense<[{weights}]> : tensor<{len(offsets)}x{element}> : !temp"
            )
        for name in here:
            terms.append(self.new())
            yield f"{terms[-1]} = stencil.access {name}{zero} : !temp"
        value = terms[0]
        for term in terms[1:]:
            added = self.new()
            yield f"{added} = arith.{rng.choice(['addf', 'subf', 'maximumf'])} {value}, {term} : {element}"
            value = added
        if self.has_number:
            added = self.new()
            yield f"{added} = arith.addf {value}, %number : {element}"
            value = added
        if rng.random() < 0.3:
            names = [self.new() for _ in range(4)]
            yield f"{names[0]} = stencil.index {rng.randrange(self.rank)} <{zero}>"
            yield f"{names[1]} = arith.constant {rng.choice([0, 3])} : index"
            yield f"{names[2]} = arith.cmpi eq, {names[0]}, {names[1]} : index"
            yield f"{names[3]} = arith.select {names[2]}, {terms[-1]}, {value} : {element}"
            value = names[3]
        self.value = value

    def apply(self, around, here=(), results=1):
        """Lines of an apply, and the names of its results."""
        inputs = {name: self.new() for name in dict.fromkeys([*around, *here])}
        if self.has_coefficient and self.rng.random() < 0.7:
            inputs["%coefficient"] = self.new()
            here = [*here, "%coefficient"]
        names, values, body = [self.new() for _ in range(results)], [], []
        for _ in range(results):
            body += self.expression([inputs[name] for name in around], [inputs[name] for name in here])
            values.append(self.value)
        arguments = ", ".join(f"{inner} = {outer} : !temp" for outer, inner in inputs.items())
        if self.has_number:
            arguments += f", %number = %step : {self.element}"
        types = ", ".join(["!temp"] * results)
        lines = [f"{', '.join(names)} = stencil.apply({arguments}) -> ({types}) {{", *body]
        return names, [*lines, f"stencil.return {', '.join(values)} : {', '.join([self.element] * results)}", "}"]

    def store(self, value, field):
        return [f"stencil.store {value} to %{field}{self.box} : !temp to !field"]

    def step(self):
        lines = [line for field in self.bounded for line in self.bound(field)]
        names = {}
        for field in self.fields:
            if field in ("new", "un", "vn", "mid", "b"):
                continue
            names[field], more = self.load(field)
            lines += more
        if self.kind in ("wave", "rotating wave", "late wave"):
            before = "a" if self.kind == "late wave" else "old"
            (made,), more = self.apply([names["now"]], [names[before]])
            return lines + more + self.store(made, "old" if self.kind == "wave" else "new")
        if self.kind == "pair" and self.rng.random() < 0.5:
            made, more = self.apply([names["u"], names["v"]], results=2)
            return lines + more + self.store(made[0], "un") + self.store(made[1], "vn")
        if self.kind == "pair":
            (first,), more = self.apply([names["u"]], [names["v"]])
            (second,), others = self.apply([names["v"]], [names["u"]])
            return lines + more + others + self.store(first, "un") + self.store(second, "vn")
        if self.kind == "staggered":
            (first,), more = self.apply([names["h"]], [names["e"]])
            lines += more + self.store(first, "e") + self.bound("e")
            there, more = self.load("e")
            (second,), others = self.apply([there], [names["h"]])
            return lines + more + others + self.store(second, "h")
        if self.kind == "chain":
            (first,), more = self.apply([names["u"]])
            first, kept = self.keep(first)
            (second,), others = self.apply([first], [names["u"], first])
            return lines + more + kept + others + self.store(second, "un")
        (first,), more = self.apply([names["u"]])
        lines += more + self.store(first, "mid") + self.bound("mid")
        there, more = self.load("mid")
        (second,), others = self.apply([there], [names["u"]])
        return lines + more + others + self.store(second, "un")

    def write(self):
        marks = "x".join("?" * self.rank)
        sides = []
        for low, high, extent in zip(self.low, self.high, self.extents):
            low, high = low * self.width, high * self.width
            end = ("?" + (f"+{high}" if high else "")) if self.is_open else extent + high
            sides.append(f"[{-low},{end}]")
        ends = ["?" if self.is_open else extent for extent in self.extents]
        self.box = f"(<{[0] * self.rank}, [{', '.join(map(str, ends))}]>)"
        outer = self.fields + ["k"] * self.has_coefficient
        lines = [f"!field = !stencil.field<{'x'.join(sides)}x{self.element}>"]
        lines += [f"!open = !stencil.field<{marks}x{self.element}>", f"!temp = !stencil.temp<{marks}x{self.element}>"]
        lines += [f"func.func @main({', '.join(f'%{name}_a: !open' for name in outer)}, %n: index) {{"]
        lines += [f"%{name}_c = stencil.cast %{name}_a : !open -> !field" for name in outer]
        first, stride = self.rng.choice([(0, 1), (2, 3)])
        lines += [f"%first = arith.constant {first} : index", f"%stride = arith.constant {stride} : index"]
        lines += ["%most = arith.muli %n, %stride : index", "%last = arith.addi %most, %first : index"]
        carried = ", ".join(f"%{name} = %{name}_c" for name in self.fields)
        types = ", ".join(["!field"] * len(self.fields))
        lines += [f"%r:{len(self.fields)} = scf.for %i = %first to %last step %stride iter_args({carried}) -> ({types}) {{"]
        if self.has_number:
            lines += ["%i64 = arith.index_cast %i : index to i64", f"%step = arith.sitofp %i64 : i64 to {self.element}"]
        if self.has_coefficient:
            lines += ["%coefficient = stencil.load %k_c : !field -> !temp"]
        lines += self.step()
        yielded = ", ".join(f"%{name}" for name in ROTATIONS[self.kind])
        return "\n".join([*lines, f"scf.yield {yielded} : {types}", "}", "return", "}", ""])

    def arguments(self):
        rng = self.rng
        words = ["--verify=0", "--math", "strict", "--extents", ",".join(map(str, self.extents))]
        words += ["--any-extents"] * (self.is_open and rng.random() < 0.5)
        count = len(self.fields) + self.has_coefficient
        for number in range(count):
            words += ["--arg", f"{number}={choose_input(rng, number + 1)}"]
        steps = rng.choice([self.time - 1, self.time + 2, 2 * self.time + 3, 4 * self.time, 4 * self.time + 3])
        return words + ["--arg", f"{count}={steps}"]

    def cpu_arguments(self):
        rng = self.rng
        keys = choose_cpu_keys(rng, self.rank, self.time)
        words = ["--target", "cpu", "--threads", rng.choice(["1", "2", "3", "16"])]
        if rng.random() < 0.5:
            # Shares in pieces, also where extents are small.
            words += ["--cpu-options", "dealt-halos=1"]
        return words + [*self.arguments(), "--schedule", f"#stencil.schedule<{keys}>"]

    def emulator_arguments(self):
        rng = self.rng
        words = ["--target", "emulator", "--chip", rng.choice(["sm_90", "sm_90", "gfx942"])]
        return words + [*self.arguments(), "--schedule", f"#stencil.schedule<{self.gpu_schedule()}>"]

    def gpu_schedule(self):
        rng = self.rng
        keys = f"time = {self.time}"
        kind = rng.choice(["none", "tile", "walk", "walk"] if self.rank > 1 else ["none", "tile", "tile"])
        if kind == "none":
            return keys
        block = [rng.choice([1, 2, 4]) for _ in range(self.rank - 1)] + [rng.choice([8, 16, 32])]
        points = [rng.choice([1, 1, 2]) for _ in range(self.rank - 1)] + [rng.choice([1, 2])]
        if kind == "walk":
            block[0] = points[0] = 1
            keys += f", stream = 0, prefetch = {rng.choice(['none', 'async', 'registers'])}"
        if (kind == "walk" or self.rank == 1) and rng.random() < 0.4:
            # A row of threads is in one warp.
            block[-1], points[-1] = rng.choice([16, 32]), rng.choice([2, 3, 4])
            keys += ", chain = shuffle"
            if self.rank == 3:
                block[-2], points[-2] = rng.choice([2, 4]), rng.choice([1, 3, 4])
        return keys + f", window = shared, block = {block}, points = {points}"


def check(trial):
    case = SeveralStates(random.Random(f"{trial.seed} on a CPU"))
    trial.run("stencil-run", trial.write("cpu.mlir", case.text), *case.cpu_arguments(), refusals=REFUSALS)
    case = SeveralStates(random.Random(f"{trial.seed} on a GPU"), has_rim=True)
    trial.run("stencil-run", trial.write("gpu.mlir", case.text), *case.emulator_arguments(), refusals=REFUSALS)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
