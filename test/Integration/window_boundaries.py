"""Runs random pipelines whose windows have boundary conditions.

    window_boundaries.py --bin build/bin --work DIR --seeds 0:40

Rank, type, extents, radius, conditions, the axis of the walk, prefetch, depth and blocks are random. The window has to
mean what stencil.boundary means: the interpreter finds the same bits for a program that fills a halo in memory. And its
kernel has to do what the interpreter does, in the emulator, which looks at every access, at races and at barriers; so has the CPU.
Programs that fail are left in DIR.

The kernel of tiles gives the interpreter the same bits, in both of its forms.

With --loops, time loops (time_loops.py) get schedules with boundary = window: all fields have to hold what they hold
for the interpreter, halos included, after any number of steps.
"""

import os
import random
import re
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from bits import read_bits  # noqa: E402
from harness import Failure, make_parser, run_seeds  # noqa: E402
from time_loops import Case as TimeLoop  # noqa: E402
from windows import ACCUMULATIONS, PREFETCHES, REFUSALS, block_and_points, choose_cpu  # noqa: E402


REFUSALS = [*REFUSALS, r"expected a field that has all points of which a boundary with kept, extrapolated and periodic sides is made"]


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 2, 2, 3, 3, 3])
        self.element = rng.choice(["f64", "f64", "f32", "f16", "i32"])
        self.radius = rng.choice([1, 1, 2, 3])
        self.extents = [rng.randint(5, 12) for _ in range(self.rank)]
        self.extents[-1] = rng.randint(6, 40)
        self.conditions = [self.choose_condition() for _ in range(self.rank)]
        self.choose_offsets()
        # A field may have no halo, if none is kept.
        keeps = any("keep" in condition for condition in self.conditions)
        self.halo = self.radius if keeps or rng.random() < 0.5 else 0
        self.domain = [0] * self.rank, self.extents
        if rng.random() < 0.3:
            self.domain = [1] * self.rank, [extent - 1 for extent in self.extents]
        self.walk = rng.choice([None, 0, 0, 0, rng.randrange(self.rank)])
        self.chip = rng.choice(list(PREFETCHES))
        prefetches = [p for p in PREFETCHES[self.chip] if self.walk is not None or p != "registers"]
        self.prefetch = rng.choice(prefetches)
        self.choose_layout()
        # By a number of its own, so that a seed has the layout that it always had.
        own = random.Random(f"extrapolate {seed}")
        for axis, condition in enumerate(self.conditions):
            if "periodic" not in condition and own.random() < 0.15:
                other = f"#stencil.extrapolate<{own.choice([0, 1, 2, 3])}>"
                self.conditions[axis] = own.choice([f"{condition.split(' | ')[0]} | {other}", f"{other} | {condition.split(' | ')[-1]}", other])

    def choose_condition(self):
        value = "3" if self.element == "i32" else "1.25"
        kinds = ["periodic", "neumann", f"dirichlet<{value}>", "symmetric", "antisymmetric", "symmetric_about_face", "antisymmetric_about_face", "keep"]
        sides = [self.rng.choice(kinds) for _ in range(2)]
        if "periodic" in sides:
            sides = ["periodic"]
        return " | ".join(f"#stencil.{side}" for side in sides)

    def choose_offsets(self):
        """A star, and some corners."""
        star = [[s if a == axis else 0 for a in range(self.rank)] for axis in range(self.rank) for s in self.reach()]
        corners = [[self.rng.choice(self.reach()) for _ in range(self.rank)] for _ in range(4)]
        self.offsets = []
        for offset in star + corners:
            if offset not in self.offsets:
                self.offsets.append(offset)

    def reach(self):
        return range(-self.radius, self.radius + 1)

    def choose_layout(self):
        rng, walk = self.rng, self.walk
        block = [rng.choice([1, 2, 4]) for _ in range(self.rank)]
        block[-1] = rng.choice([4, 8, 16])
        points = [rng.choice([1, 1, 2]) for _ in range(self.rank)]
        keys = []
        self.planes = ""
        if walk is not None:
            block[walk] = points[walk] = 1
            ahead = rng.choice([1, 2] if self.prefetch in ("async", "tma") else [0, 1])
            depth = 2 * self.radius + 1 + ahead + rng.choice([0, 0, 1])
            self.planes = f" depth {depth} lead {self.radius + ahead}"
            keys = [f"stream = {walk}", f"segments = {rng.choice([1, 2, 3])}"]
        self.schedule = f"#stencil.schedule<{', '.join([f'block = {block}', f'points = {points}', *keys])}>"

    def field(self, halo):
        return "!stencil.field<" + "".join(f"[{-halo},{n + halo}]x" for n in self.extents) + f"{self.element}>"

    def sum(self):
        """A body: every offset has a weight of its own."""
        element = self.element
        kind, weights = ("i", range(1, 100)) if element == "i32" else ("f", [k / 8 for k in range(1, 100)])
        for i, offset in enumerate(self.offsets):
            yield f"%a{i} = stencil.access %a{offset} : !temp"
            yield f"%c{i} = arith.constant {weights[i]} : {element}"
            yield f"%m{i} = arith.mul{kind} %a{i}, %c{i} : {element}"
            yield f"%s{i} = arith.add{kind} %{f's{i - 1}' if i else 'm0'}, %m{i} : {element}"
        yield f"stencil.return %s{len(self.offsets) - 1} : {element}"

    def write(self, lines):
        types = [("field", self.field(self.halo)), ("out", self.field(self.radius))]
        types.append(("temp", f"!stencil.temp<{'?x' * self.rank}{self.element}>"))
        head = [f"!{name} = {text}" for name, text in types]
        return "\n".join([*head, "func.func @main(%u: !field, %v: !out) {", *lines, "return", "}", ""])

    def box(self, lb, ub):
        return f"<{lb}, {ub}>"

    def boundary(self):
        return f"({self.box([0] * self.rank, self.extents)}) [{', '.join(self.conditions)}]"

    def pipeline(self):
        axis = "" if self.walk is None else f" axis {self.walk}"
        stage = "" if self.walk is None else " attributes {stencil.stage = #stencil.stage<lead = 0>}"
        window = f"shared %x{self.planes} prefetch {self.prefetch}"
        return self.write(
            [
                f"stencil.pipeline{axis} attributes {{stencil.schedule = {self.schedule}}} {{",
                "%x = stencil.load %u : !field -> !temp",
                f"%w = stencil.window {window} boundary{self.boundary()} : !temp",
                f"%r = stencil.apply(%a = %w : !temp) -> (!temp){stage} {{",
                *self.sum(),
                "}",
                f"stencil.store %r to %v({self.box(*self.domain)}) : !temp to !out",
                "}",
            ]
        )

    def reference(self):
        """The same with a halo in memory."""
        whole = [-self.halo] * self.rank, [n + self.halo for n in self.extents]
        return self.write(
            [
                "%g = stencil.alloc : !out",
                "%old = stencil.load %u : !field -> !temp",
                "%copy = stencil.apply(%a = %old : !temp) -> (!temp) {",
                f"%z = stencil.access %a{[0] * self.rank} : !temp",
                f"stencil.return %z : {self.element}",
                "}",
                f"stencil.store %copy to %g({self.box(*whole)}) : !temp to !out",
                f"stencil.boundary %g{self.boundary()} : !out",
                "%x = stencil.load %g : !out -> !temp",
                "%r = stencil.apply(%a = %x : !temp) -> (!temp) {",
                *self.sum(),
                "}",
                f"stencil.store %r to %v({self.box(*self.domain)}) : !temp to !out",
            ]
        )


TILES = "builtin.module(stencil-attach-target{chip=%s},func.func(stencil-expand-boundaries),stencil-map-stages,func.func(stencil-place-barriers)%s)"


def check(trial):
    case = Case(trial.seed)
    words = ["--arg", f"0={choose_input(case.rng, trial.seed)}", "--arg", "1=random:1"]
    window, memory = trial.write("window.mlir", case.pipeline()), trial.write("memory.mlir", case.reference())
    results = []
    programs = [window, memory]
    for name, passes in [("walk", ""), ("loops", ",func.func(stencil-expand-walks)")]:
        programs.append(trial.path(f"{name}.mlir"))
        pipeline = f"--pass-pipeline={TILES % (case.chip, passes)}"
        trial.run("stencil-opt", window, pipeline, "-o", programs[-1], refusals=REFUSALS)
    for path in programs:
        out = trial.path("result.npy")
        trial.run("stencil-run", path, "--target", "interpreter", *words, "--out", f"1={out}", refusals=REFUSALS)
        results.append(read_bits(out))
    for path, result in zip(programs, results):
        if result != results[0]:
            raise Failure(f"the interpreter differs on {window} and {path}")
    trial.run("stencil-run", window, *choose_cpu(trial.seed, case.rank), *words, "--math", "strict", "--verify=0")
    trial.run("stencil-run", window, "--target", "emulator", "--chip", case.chip, *words, "--math", "strict", "--verify=0", refusals=REFUSALS)


def choose_schedule(rng, rank, chip):
    """Of shared windows with boundaries."""
    walk = rng.choice([None, 0, 0, 0, rng.randrange(rank)])
    block, points = block_and_points(rng, rank, walk)
    keys = [f"block = {block}", f"points = {points}", "window = shared", "boundary = window"]
    keys.append(f"prefetch = {rng.choice([p for p in PREFETCHES[chip] if walk is not None or p != 'registers'])}")
    if walk is not None:
        keys += [f"stream = {walk}", f"accumulate = {rng.choice(ACCUMULATIONS)}"]
        keys.append(f"segments = {rng.choice([1, 1, 2, 3])}")
    return f"#stencil.schedule<{', '.join(keys)}>"


def check_loop(trial):
    case, rng = TimeLoop(trial.seed), random.Random(trial.seed)
    chip = rng.choice(list(PREFETCHES))
    schedule = choose_schedule(rng, case.rank, chip)
    if re.search(r"extrapolate<[12]>", case.text) and rng.random() < 0.8:
        # Such values are no element of the window.
        schedule = schedule.replace(", boundary = window", "")
    words = ["--target", "emulator", "--chip", chip, "--verify=0"]
    words += ["--arg", f"2={case.end}", "--schedule", schedule, "--math", "reassociate"]
    words += ["--any-extents"] * rng.choice([0, 1])
    for i, field in enumerate(case.fields):
        numpy.save(trial.path(f"{i}.npy"), field)
        words += ["--arg", f"{i}={trial.path(f'{i}.npy')}"]
    trial.run("stencil-run", trial.write("program.mlir", case.text), *words, refusals=REFUSALS)


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--loops", action="store_true", help="time loops with schedules instead")
    options = parser.parse_args()
    return run_seeds(options, check_loop if options.loops else check)


if __name__ == "__main__":
    sys.exit(main())
