"""Runs random time loops with several steps at once (`time = T`) as GPU code, and on the CPU.

    time_blocks.py --bin build/bin --work DIR --seeds 0:40

Rank, type, offsets, conditions on every side, extents, T, the number of steps and schedules are random; steps are sums,
sums of products with a field that does not change, or no sums at all, and may depend on where the point is. Both fields,
halos included, have to be what the interpreter finds step by step, to the last bit (where a walk adds planes as they come,
of numbers of which no sum rounds): in the emulator, which looks at every access and at races, for waves of 32 and 64; and on the CPU, for some numbers of threads, with tiles of any size, where
grids are as small as the conditions allow, unless they are periodic. Of planes and volumes all steps of the rim at once
(`rim = at-once`), too, are compared with the program one by one. Programs that fail are left in DIR.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input, decode, read_npy, write_integers  # noqa: E402
from harness import Failure, Refusal, make_parser, run_seeds  # noqa: E402
from step_schedules import choose_cpu_keys  # noqa: E402

# By how many points of the interior a halo is made of.
CONDITIONS = {
    "keep": lambda halo: 1,
    "dirichlet<0.5>": lambda halo: 1,
    "neumann": lambda halo: 1,
    "symmetric": lambda halo: halo + 1,
    "antisymmetric": lambda halo: halo + 1,
    "symmetric_about_face": lambda halo: max(1, halo),
    "antisymmetric_about_face": lambda halo: max(1, halo),
    "extrapolate<1>": lambda halo: 2,
    "extrapolate<3>": lambda halo: 4,
}
# The shared memory of a block, the registers of a thread, grids that are too small for a condition, and rims at once
# whose bodies grow beyond what is compiled in a minute.
REFUSALS = [
    "expected windows of at most",
    "expected windows and sums of at most",
    "by which they overlap",
    "interior points on axis",
    "expected an interior extent of at least",
    "ops at other points",
]
# Rims that are not at once.
NOT_AT_ONCE = ["a step reads more than the state", "periodic along some of the axes", "the step depends on where a point is"]


class Case:
    """A program; those for a CPU reach farther, over smaller grids."""

    def __init__(self, seed, is_cpu=False):
        self.rng = rng = random.Random(f"{seed} on a CPU" if is_cpu else seed)
        self.rank = rng.choice([1, 2, 2, 2, 3, 3])
        self.element = rng.choice(["f64", "f64", "f32"])
        self.time = rng.choice([2, 2, 3, 3, 4, 4, 7] if self.rank < 3 else [2, 2, 3, 4])
        # What is left is taken a third as many at once.
        if is_cpu and rng.random() < 0.2:
            self.time = rng.choice([7, 9, 10])
        farthest = 2 if self.rank < 3 and self.time < 7 else 1
        farthest += is_cpu and rng.random() < 0.4
        self.low = [rng.randint(0, farthest) for _ in range(self.rank)]
        self.high = [rng.randint(0, farthest) for _ in range(self.rank)]
        self.low[-1] = max(self.low[-1], 1)
        self.is_open = rng.random() < 0.3
        self.conditions = self.choose_conditions()
        self.extents = [self.choose_extent(axis, is_cpu) for axis in range(self.rank)]
        self.extents[-1] += rng.choice([0, 7, 30, 61])
        self.has_coefficient = rng.random() < 0.3
        # A sweep's values are less than a hundred times as large as those before.
        self.adds_planes = not is_cpu and self.rank > 1 and self.element == "f64" and self.time <= 4 and rng.random() < 0.4
        self.offsets = self.choose_offsets()
        self.text = self.write()

    def choose_extent(self, axis, is_cpu):
        low, high, more = self.low[axis], self.high[axis], self.rng.choice([2, 3, 6, 13])
        sides = self.conditions[axis] if self.conditions else ["keep"]
        if is_cpu and sides != ["periodic"]:
            # A halo is as wide as the step reads.
            return max(CONDITIONS[kind](halo) for kind, halo in zip(sides * 2, (low, high))) + self.rng.choice([0, 0, 1, more])
        # More than the rim; of open extents, which are to hold for any, of all its levels.
        levels = 2 * self.time if self.is_open else self.time + 1
        return (low + high) * levels + more

    def choose_offsets(self):
        """The hull is the radius."""
        rng = self.rng
        ends = [end for axis in range(self.rank) for end in (self.low_of(axis), self.high_of(axis))]
        offsets = set(map(tuple, ends))
        for _ in range(rng.choice([1, 3, 6])):
            offsets.add(tuple(rng.randint(-low, high) for low, high in zip(self.low, self.high)))
        return sorted(offsets)

    def low_of(self, axis):
        return [-self.low[axis] if other == axis else 0 for other in range(self.rank)]

    def high_of(self, axis):
        return [self.high[axis] if other == axis else 0 for other in range(self.rank)]

    def choose_conditions(self):
        rng = self.rng
        if rng.random() < 0.25:
            return None
        sides = []
        for _ in range(self.rank):
            if rng.random() < 0.25:
                sides.append(["periodic"])
                continue
            sides.append([rng.choice(list(CONDITIONS)) for _ in range(2)])
        return sides

    def body(self):
        rng, element, zero = self.rng, self.element, [0] * self.rank
        weights = ", ".join(repr(rng.choice([-0.5, 1.0, 0.5]) if self.adds_planes else rng.uniform(-0.5, 0.5)) for _ in self.offsets)
        offsets = ", ".join(str(list(offset)) for offset in self.offsets)
        yield (
            f"%s = stencil.weighted_sum %x offsets [{offsets}] weights dense<[{weights}]> : "
            f"tensor<{len(self.offsets)}x{element}> : !temp"
        )
        value = "%s"
        if self.has_coefficient:
            yield f"%k = stencil.access %c{zero} : !temp"
            yield f"%m = arith.mulf {value}, %k : {element}"
            value = "%m"
        if rng.random() < 0.4:
            yield f"%o = stencil.access %x{list(rng.choice(self.offsets))} : !temp"
            yield f"%f = arith.maximumf {value}, %o : {element}"
            value = "%f"
        if rng.random() < 0.3:
            yield f"%p = stencil.index {rng.randrange(self.rank)} <{zero}>"
            yield f"%q = arith.constant {rng.choice([3, 8])} : index"
            yield "%l = arith.cmpi slt, %p, %q : index"
            yield f"%h = arith.constant 0.5 : {element}"
            yield f"%g = arith.mulf {value}, %h : {element}"
            yield f"%e = arith.select %l, %g, {value} : {element}"
            value = "%e"
        yield f"stencil.return {value} : {element}"

    def write(self):
        marks = "x".join("?" * self.rank)
        sides = []
        for low, high, extent in zip(self.low, self.high, self.extents):
            end = ("?" + (f"+{high}" if high else "")) if self.is_open else extent + high
            sides.append(f"[{-low},{end}]")
        ends = ["?" if self.is_open else extent for extent in self.extents]
        box = f"(<{[0] * self.rank}, [{', '.join(map(str, ends))}]>)"
        names = ["u", "v"] + ["k"] * self.has_coefficient
        lines = [f"!field = !stencil.field<{'x'.join(sides)}x{self.element}>"]
        lines += [f"!open = !stencil.field<{marks}x{self.element}>", f"!temp = !stencil.temp<{marks}x{self.element}>"]
        lines += [f"func.func @main({', '.join(f'%{name}_a: !open' for name in names)}, %n: index) {{"]
        lines += [f"%{name}_c = stencil.cast %{name}_a : !open -> !field" for name in names]
        lines += ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]
        lines += ["%r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %u_c, %v = %v_c) -> (!field, !field) {"]
        if self.conditions:
            sides = [" | ".join(f"#stencil.{kind}" for kind in side) for side in self.conditions]
            lines += [f"stencil.boundary %u{box} [{', '.join(sides)}] : !field"]
        lines += ["%t = stencil.load %u : !field -> !temp"]
        inputs = "%x = %t : !temp"
        if self.has_coefficient:
            lines += ["%d = stencil.load %k_c : !field -> !temp"]
            inputs += ", %c = %d : !temp"
        lines += [f"%w = stencil.apply({inputs}) -> (!temp) {{", *self.body(), "}"]
        lines += [f"stencil.store %w to %v{box} : !temp to !field", "scf.yield %v, %u : !field, !field"]
        return "\n".join([*lines, "}", "return", "}", ""])

    def schedule(self):
        rng = self.rng
        keys = f"time = {self.time}"
        kind = rng.choice(["none", "tile", "walk", "walk"] if self.rank > 1 else ["none", "tile", "tile"])
        if self.adds_planes:
            kind = "walk"
        if kind == "none":
            return keys
        block = [rng.choice([1, 2, 4]) for _ in range(self.rank - 1)] + [rng.choice([8, 16, 32])]
        points = [rng.choice([1, 1, 2]) for _ in range(self.rank - 1)] + [rng.choice([1, 2])]
        if kind == "walk":
            block[0] = points[0] = 1
            keys += f", stream = 0, prefetch = {rng.choice(['none', 'async', 'registers'])}"
        if (kind == "walk" or self.rank == 1) and rng.random() < 0.5:
            # A row of threads is in one warp.
            block[-1], points[-1] = rng.choice([16, 32]), rng.choice([3, 4])
            keys += ", chain = shuffle"
            if self.rank == 3:
                block[-2], points[-2] = rng.choice([2, 4]), rng.choice([1, 3, 4])
                points[-1] = rng.choice([1, 2, 3])
        if self.adds_planes:
            keys += f", accumulate = {rng.choice(['scatter', 'semi'])}"
        return keys + f", window = shared, block = {block}, points = {points}"

    def cpu_arguments(self):
        rng = self.rng
        words = ["--target", "cpu", "--threads", rng.choice(["1", "2", "3", "16"]), *self.arguments()]
        if rng.random() < 0.5:
            # Shares in pieces, also where extents are small.
            words += ["--cpu-options", "dealt-halos=1"]
        return words + ["--schedule", f"#stencil.schedule<{choose_cpu_keys(rng, self.rank, self.time, [1, 2])}>"]

    def emulator_arguments(self, trial):
        rng = self.rng
        words = ["--target", "emulator", "--chip", rng.choice(["sm_90", "sm_90", "gfx942"])]
        return words + [*self.arguments(trial), "--schedule", f"#stencil.schedule<{self.schedule()}>"]

    def arguments(self, trial=None):
        """With a trial, of a walk that adds planes: few steps of small integers."""
        rng = self.rng
        is_exact = trial is not None and self.adds_planes
        words = ["--verify=0", "--math", "reassociate" if is_exact else "strict", "--extents", ",".join(map(str, self.extents))]
        words += ["--any-extents"] * (self.is_open and rng.random() < 0.5)
        count = 2 + self.has_coefficient
        shape = [low + extent + high for low, extent, high in zip(self.low, self.extents, self.high)]
        for i in range(count):
            path = trial and trial.path(f"{i}.npy")
            field = write_integers(path, self.element, shape, i, 4) if is_exact else choose_input(rng, i + 1)
            words += ["--arg", f"{i}={field}"]
        if is_exact:
            return words + ["--arg", f"{count}={self.time + rng.choice([0, 1])}"]
        steps = rng.choice([self.time - 1, self.time + 2, 2 * self.time + 2, 3 * self.time + 1, 4 * self.time, 4 * self.time + 3])
        return words + ["--arg", f"{count}={steps}"]


def load(path, element):
    """Of which NaN are as good as each other."""
    return [None if number != number else number for number in decode(element, read_npy(path))]


def check_at_once(trial, case, program):
    """Rows have such rims in any case."""
    option = f"schedule='#stencil.schedule<time = {case.time}>' rim=at-once"
    try:
        blocked = block_steps(trial, program, option, NOT_AT_ONCE)
    except Refusal:
        return
    compare_blocked(trial, case, program, blocked)


def block_steps(trial, program, option, refusals):
    """What the pass makes of the program, without the tool that runs it."""
    blocked = trial.path("blocked.mlir")
    trial.run("stencil-opt", program, f"--stencil-block-time={option}", "-o", blocked, refusals=refusals)
    return blocked


def compare_blocked(trial, case, program, blocked, refusals=REFUSALS):
    """With the program one by one."""
    words = [word for word in case.arguments() if word != "--verify=0"]
    fields = {}
    for name, path, more in (
        ("one", program, ["--schedule", "default"]),
        ("all", blocked, ["--target", "emulator", "--chip", case.rng.choice(["sm_90", "gfx942"])]),
    ):
        outs = [trial.path(f"{name}{number}.npy") for number in (0, 1)]
        places = [word for number, out in enumerate(outs) for word in ("--out", f"{number}={out}")]
        trial.run("stencil-run", path, *words, *more, *places, refusals=refusals)
        fields[name] = [load(out, case.element) for out in outs]
    for number, (one, all_at_once) in enumerate(zip(fields["one"], fields["all"])):
        if one != all_at_once:
            raise Failure(f"field {number} is another one than step by step: {blocked}")


def check(trial):
    case = Case(trial.seed, is_cpu=True)
    program = trial.write("cpu.mlir", case.text)
    trial.run("stencil-run", program, *case.cpu_arguments())
    case = Case(trial.seed)
    program = trial.write("program.mlir", case.text)
    trial.run("stencil-run", program, *case.emulator_arguments(trial), refusals=REFUSALS)
    if case.rank > 1:
        check_at_once(trial, case, program)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
