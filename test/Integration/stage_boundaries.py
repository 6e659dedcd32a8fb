"""Runs random pipelines whose windows of what stages make have boundary conditions.

    stage_boundaries.py --bin build/bin --work DIR --seeds 0:40

Rank, type, radii, conditions of every kind on every side, extents from the least that the conditions allow, the axis of
the walk, tiles and threads are random; two to four stages read each other, and the load that has the values of sides that
keep them is one of three fields. A window has to mean what stencil.boundary means: the interpreter finds the same bits
for a program that stores each stage and fills its halo in memory. And the CPU has to do what the interpreter does.
Programs that fail are left in DIR.

With --kernels, a GPU has to, in the emulator, and the interpreter finds the same bits for what stencil-expand-boundaries
makes of the pipeline, and for the kernel of tiles, also where blocks and planes in a box (`stencil.inner`) have code of their own. Then loads have windows as well, and stages read copies of windows in
registers.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from bits import read_bits  # noqa: E402
from harness import Failure, make_parser, run_seeds  # noqa: E402
from windows import PREFETCHES, REFUSALS, choose_cpu, choose_inner  # noqa: E402

# How many points of the interior a halo is made of.
SOURCES = {
    "keep": lambda halo: 1,
    "dirichlet<1.25>": lambda halo: 1,
    "dirichlet<3>": lambda halo: 1,
    "neumann": lambda halo: 1,
    "symmetric": lambda halo: halo + 1,
    "antisymmetric": lambda halo: halo + 1,
    "symmetric_about_face": lambda halo: halo,
    "antisymmetric_about_face": lambda halo: halo,
    "extrapolate<0>": lambda halo: 1,
    "extrapolate<1>": lambda halo: 2,
    "extrapolate<3>": lambda halo: 4,
}


class Stage:
    """Reads the stages of `offsets`, by their numbers; 0 is the load."""

    def __init__(self, case, number):
        rng, rank = case.rng, case.rank
        self.offsets = {number - 1: self.choose_offsets(rng, rank)}
        if number > 2 and rng.random() < 0.3:
            self.offsets[number - 2] = self.choose_offsets(rng, rank)
        # Of the window of what it makes; how far that is read is not known yet.
        self.low, self.high = [0] * rank, [0] * rank
        self.conditions = [[rng.choice(case.kinds) for _ in range(2)] for _ in range(rank)]
        self.keep = rng.choice("uvk")
        self.space = "shared"
        self.lead = 0

    @staticmethod
    def choose_offsets(rng, rank):
        radius = rng.choice([1, 1, 2, 3])
        low = [rng.choice([0, 1, radius]) for _ in range(rank)]
        high = [rng.choice([0, 1, radius]) for _ in range(rank)]
        offsets = [[0] * rank]
        for axis in range(rank):
            offsets += [[step if other == axis else 0 for other in range(rank)] for step in (-low[axis], high[axis])]
        offsets += [[rng.choice([-a, b]) for a, b in zip(low, high)] for _ in range(3)]
        return [offset for i, offset in enumerate(offsets) if offset not in offsets[:i]]


class Program:
    """How stages are written: of a rank, `extents`, an `element`, `stages`, and those that are `stored` besides the last."""

    halo = 0  # points around the box in the fields

    def field(self, low, high):
        sides = "".join(f"[{-a},{n + b}]x" for a, n, b in zip(low, self.extents, high))
        return f"!stencil.field<{sides}{self.element}>"

    @property
    def box(self):
        return f"(<{[0] * self.rank}, {self.extents}>)"

    def around(self, value):
        """The box with what others read beside it."""
        return f"(<{[-low for low in value.low]}, {[n + high for n, high in zip(self.extents, value.high)]}>)"

    def boundary(self, value):
        sides = [f"#stencil.{lower} | #stencil.{upper}" for lower, upper in value.conditions]
        return f"{self.box} [{', '.join(sides)}]"

    def write(self, lines, types=()):
        halo = [self.halo] * self.rank
        head = [f"!field = {self.field(halo, halo)}", f"!temp = !stencil.temp<{'?x' * self.rank}{self.element}>", *types]
        outputs = "".join(f", %o{number}: !field" for number in self.stored)
        return "\n".join([*head, f"func.func @main(%u: !field, %v: !field, %k: !field{outputs}) {{", *lines, "return", "}", ""])

    def stores(self):
        """Of stages that others read, too."""
        lines = [f"stencil.store %s{number} to %o{number}{self.box} : !temp to !field" for number in self.stored]
        return [*lines, f"stencil.store %s{len(self.stages)} to %v{self.box} : !temp to !field"]


class Case(Program):
    kernels = False
    halo = 4

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 2, 2, 3, 3])
        self.element = rng.choice(["f64", "f64", "f32", "i32"])
        value = "dirichlet<3>" if self.element == "i32" else "dirichlet<1.25>"
        self.kinds = [kind for kind in SOURCES if not kind.startswith("dirichlet")] + [value]
        self.walk = rng.choice([None, 0, 0, rng.randrange(self.rank)])
        self.stages = [Stage(self, number) for number in range(1, rng.choice([2, 2, 3, 4]) + 1)]
        self.find_reach()
        self.extents = [self.choose_extent(axis) for axis in range(self.rank)]
        # With numbers of their own, so that a seed has the boundaries that it always had.
        own = random.Random(f"stores {seed}")
        self.step = own.choice([1, 1, 2, 3]) if self.walk is not None else 1
        self.stored = [number for number in range(1, len(self.stages)) if own.random() < 0.3]
        for stage in self.stages:
            stage.space = own.choice(["shared", "shared", "registers"])

    def find_reach(self):
        for number in range(len(self.stages), 0, -1):
            reader = self.stages[number - 1]
            for source, offsets in reader.offsets.items():
                if source == 0:
                    continue
                made = self.stages[source - 1]
                for offset in offsets:
                    made.low = [max(low, -step) for low, step in zip(made.low, offset)]
                    made.high = [max(high, step) for high, step in zip(made.high, offset)]
                    if self.walk is not None:
                        made.lead = max(made.lead, reader.lead + offset[self.walk])

    def get_oldest(self, number):
        """The oldest plane that is read of a stage."""
        oldest = self.stages[number - 1].lead
        for reader in self.stages:
            for offset in reader.offsets.get(number, []):
                oldest = min(oldest, reader.lead + offset[self.walk])
        return oldest

    def choose_extent(self, axis):
        least = 1
        for stage in self.stages[:-1]:
            for kind, halo in zip(stage.conditions[axis], (stage.low[axis], stage.high[axis])):
                if halo or kind.startswith("extrapolate"):
                    least = max(least, SOURCES[kind](halo))
        more = [0, 0, 1, 2, 5] if axis + 1 < self.rank else [0, 1, 3, 8, 17, 40]
        return least + self.rng.choice(more)

    def body(self, stage):
        """Every offset has a weight of its own."""
        kind, weight = ("i", 1) if self.element == "i32" else ("f", 0.125)
        last = None
        for number, (source, offsets) in enumerate(stage.offsets.items()):
            for i, offset in enumerate(offsets):
                name = f"{number}_{i}"
                yield f"%a{name} = stencil.access %in{number}{offset} : !temp"
                yield f"%c{name} = arith.constant {(i + 1 + 7 * number) * weight} : {self.element}"
                yield f"%m{name} = arith.mul{kind} %a{name}, %c{name} : {self.element}"
                if last:
                    yield f"%s{name} = arith.add{kind} {last}, %m{name} : {self.element}"
                last = f"%s{name}" if last else f"%m{name}"
        yield f"stencil.return {last} : {self.element}"

    def apply(self, number, names, attributes=""):
        stage = self.stages[number - 1]
        inputs = ", ".join(f"%in{i} = {names[source]} : !temp" for i, source in enumerate(stage.offsets))
        return [f"%s{number} = stencil.apply({inputs}) -> (!temp){attributes} {{", *self.body(stage), "}"]

    def schedule(self):
        rng = self.rng
        if rng.random() < 0.3:
            return ""
        block = [rng.choice([1, 2, 5]) for _ in range(self.rank - 1)] + [rng.choice([1, 3, 8, 20])]
        if self.walk is not None:
            block[self.walk] = 1
        return f" attributes {{stencil.schedule = #stencil.schedule<block = {block}>}}"

    def load(self):
        return [], "%u0"

    def keep(self, number, stage, planes):
        """The window of what a stage makes, and what others read."""
        keep = f" keep %{stage.keep}0" if any("keep" in kind for side in stage.conditions for kind in side) else ""
        return [f"%w{number} = stencil.window {stage.space} %s{number}{planes} boundary{self.boundary(stage)}{keep} : !temp"], f"%w{number}"

    def pipeline(self):
        axis = "" if self.walk is None else f" axis {self.walk}" + (f" step {self.step}" if self.step > 1 else "")
        lines = [f"stencil.pipeline{axis}{self.schedule()} {{"]
        lines += [f"%{name}0 = stencil.load %{name} : !field -> !temp" for name in "uvk"]
        more, first = self.load()
        lines += more
        names = {0: first}
        for number, stage in enumerate(self.stages, 1):
            lead = f" attributes {{stencil.stage = #stencil.stage<lead = {stage.lead}>}}" if axis else ""
            lines += self.apply(number, names, lead)
            if number == len(self.stages):
                break
            planes = f" depth {stage.lead - self.get_oldest(number) + self.step} lead {stage.lead}" if axis else ""
            more, names[number] = self.keep(number, stage, planes)
            lines += more
        lines += [*self.stores(), "}"]
        return self.write(lines)

    def reference(self):
        """The same with halos in memory."""
        lines = [f"%{name}0 = stencil.load %{name} : !field -> !temp" for name in "uvk"]
        types, names = [], {0: "%u0"}
        for number, stage in enumerate(self.stages[:-1], 1):
            types.append(f"!field{number} = {self.field(stage.low, stage.high)}")
            lines += [f"%f{number} = stencil.alloc : !field{number}"]
            lines += [f"%old{number} = stencil.apply(%a = %{stage.keep}0 : !temp) -> (!temp) {{"]
            lines += [f"%z = stencil.access %a{[0] * self.rank} : !temp", f"stencil.return %z : {self.element}", "}"]
            lines += [f"stencil.store %old{number} to %f{number}{self.around(stage)} : !temp to !field{number}"]
            lines += self.apply(number, names)
            lines += [f"stencil.store %s{number} to %f{number}{self.box} : !temp to !field{number}"]
            lines += [f"stencil.boundary %f{number}{self.boundary(stage)} : !field{number}"]
            lines += [f"%w{number} = stencil.load %f{number} : !field{number} -> !temp"]
            names[number] = f"%w{number}"
        lines += self.apply(len(self.stages), names)
        return self.write(lines + self.stores(), types)


class Kernel(Case):
    """The same on a GPU, by its own numbers: it has windows of loads, and of windows."""

    def __init__(self, seed):
        super().__init__(seed)
        self.own = rng = random.Random(f"kernels {seed}")
        self.seed = seed
        self.chip = rng.choice(list(PREFETCHES))
        prefetches = [p for p in PREFETCHES[self.chip] if self.walk is not None or p != "registers"]
        self.prefetch = rng.choice([None, None, *prefetches])
        self.ahead = rng.choice([1, 2] if self.prefetch in ("async", "tma") else [0, 1])
        if self.walk is not None and rng.random() < 0.4:
            self.extents[self.walk] += rng.choice([8, 15, 24])
        # Other blocks store to the field, so that nobody reads beside its own points there.
        for stage in self.stages:
            stage.keep = "u" if stage.keep == "v" else stage.keep
            stage.copied = rng.random() < 0.2
            stage.space = rng.choice(["shared", "shared", "shared", "registers", "shuffle"])

    def schedule(self):
        rng = self.own
        block = [rng.choice([1, 2, 4]) for _ in range(self.rank - 1)] + [rng.choice([4, 8, 16, 32])]
        points = [rng.choice([1, 1, 2]) for _ in range(self.rank)]
        keys, inner = [], ""
        if self.walk is not None:
            inner = choose_inner(self.seed, self.extents)
            block[self.walk] = points[self.walk] = 1
            # Segments are as long as the halo, at least.
            segments = rng.choice([1, 1, 2, 3]) if self.extents[self.walk] > 15 else 1
            keys += [f"stream = {self.walk}", f"segments = {segments}"]
        return f" attributes {{{inner}stencil.schedule = #stencil.schedule<{', '.join([f'block = {block}', f'points = {points}', *keys])}>}}"

    def planes(self, source, ahead=0):
        """Of a window that all stages read that read a stage, or the load."""
        if self.walk is None:
            return ""
        reads = [stage.lead + offset[self.walk] for stage in self.stages for offset in stage.offsets.get(source, [])]
        return f" depth {max(reads) - min(reads) + ahead + self.step} lead {max(reads) + ahead}"

    def load(self):
        if self.prefetch is None:
            return [], "%u0"
        # Around the field of a load nothing is read.
        window = f"%uw = stencil.window shared %u0{self.planes(0, self.ahead)} prefetch {self.prefetch} : !temp"
        return [window], "%uw"

    def keep(self, number, stage, planes):
        lines, name = super().keep(number, stage, planes)
        if not stage.copied or stage.space != "shared":
            return lines, name
        return [*lines, f"%q{number} = stencil.window registers {name}{self.planes(number)} : !temp"], f"%q{number}"


MOST_LINES = 10000
EXPANDED = "builtin.module(stencil-attach-target{chip=%s},func.func(stencil-expand-boundaries)%s)"
TILES = ",func.func(stencil-share-neighbours),stencil-map-stages,func.func(stencil-place-barriers)"
FORMS = {
    "expanded": "",
    "tiles": TILES,
    "loops": f"{TILES},func.func(stencil-expand-walks)",
}


def check(trial):
    case = (Kernel if Case.kernels else Case)(trial.seed)
    words = [word for i in range(3 + len(case.stored)) for word in ("--arg", f"{i}={choose_input(case.rng, trial.seed + i)}")]
    window, memory = trial.write("window.mlir", case.pipeline()), trial.write("memory.mlir", case.reference())
    results = []
    programs = [window, memory]
    if case.kernels:
        for name, passes in FORMS.items():
            programs.append(trial.path(f"{name}.mlir"))
            pipeline = f"--pass-pipeline={EXPANDED % (case.chip, passes)}"
            trial.run("stencil-opt", window, pipeline, "-o", programs[-1], refusals=REFUSALS)
    for path in programs:
        out = trial.path("result.npy")
        for field in (1, *range(3, 3 + len(case.stored))):
            trial.run("stencil-run", path, "--target", "interpreter", *words, "--out", f"{field}={out}")
            results.append(read_bits(out))
    fields = 1 + len(case.stored)
    for i, path in enumerate(programs):
        if results[i * fields : (i + 1) * fields] != results[:fields]:
            raise Failure(f"the interpreter differs on {window} and {path}")
    if case.kernels:
        # LLVM takes minutes for a kernel of so many ops; the interpreter has run its loops.
        with open(programs[-1], encoding="utf-8") as loops:
            if sum(1 for _ in loops) > MOST_LINES:
                return
        chip = ["--target", "emulator", "--chip", case.chip]
        trial.run("stencil-run", window, *chip, *words, "--math", "strict", "--verify=0", refusals=REFUSALS)
        return
    trial.run("stencil-run", window, *choose_cpu(trial.seed, case.rank), *words, "--math", "strict", "--verify=0")


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--kernels", action="store_true", help="on a GPU")
    options = parser.parse_args()
    Case.kernels = options.kernels
    return run_seeds(options, check)


if __name__ == "__main__":
    sys.exit(main())
