"""Runs random pipelines whose windows of what stages make have periodic boundaries, on GPUs and CPUs.

    wrapped_stages.py --bin build/bin --work DIR --seeds 0:40

Rank, type, extents from one point on, known or open, which axes are periodic, the other conditions, the axis of the walk and its step,
tiles, chips and windows of loads are random. Two to four stages read each other and two loads, whose windows are periodic
or not; some stages are sums over planes, some ask for coordinates, some read a field that has not all axes, and some have a window without a boundary, which the
next one reads beyond the box. The interpreter finds the same bits for a program that stores each stage and fills its halo
in memory, for what stencil-wrap-stages makes of the pipeline, and for the kernel of tiles; the emulator and the CPU do, too.
Programs that fail are left in DIR.
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from bits import read_bits  # noqa: E402
from harness import Failure, make_parser, run_seeds  # noqa: E402
from stage_boundaries import SOURCES, Program  # noqa: E402
from windows import PREFETCHES, REFUSALS, choose_cpu  # noqa: E402

HALO = 14  # points around the box in the fields that are read
PROFILE_HALO = HALO + 4
WRAPPED = "builtin.module(stencil-attach-target{chip=%s},func.func(stencil-wrap-stages%s)%s)"
TILES = ",stencil-tile-applies,stencil-map-stages,func.func(stencil-place-barriers)"
FORMS = {"wrapped": ("", ""), "tiles": (",stencil-expand-boundaries,stencil-share-neighbours", TILES)}
MOST_LINES = 6000
# What does not repeat, or is too large for a block.
LIMITS = [
    *REFUSALS,
    r"but it reads what a side keeps, which does not repeat along axis \d+",
    r"but along axis \d+, it reads beyond another boundary",
    r"expected no side that keeps what does not repeat, on axis \d+, before a periodic one",
    # A corner that is kept is read as far as the stages around it reach.
    r"accesses \[-?\d+,\d+\) of axis \d+, expected to stay in",
]


class Load:
    def __init__(self, case, name):
        rng = case.own
        self.name = name
        self.mode = rng.choice(["cache", "shared", "periodic", "periodic"])
        prefetches = [p for p in PREFETCHES[case.chip] if case.walk is not None or p != "registers"]
        self.prefetch = rng.choice(["none", *prefetches])
        self.ahead = rng.choice([1, 2] if self.prefetch in ("async", "tma") else [0, 1])
        self.group = None
        others = [rng.choice(["keep", "neumann", "neumann", "symmetric_about_face"]) for _ in range(case.rank)]
        self.conditions = [["periodic"] * 2 if axis in case.axes else [others[axis]] * 2 for axis in range(case.rank)]
        self.has_boundary = self.mode == "periodic"


class Stage:
    """Of a number: what it reads at which offsets, `planes` if it is a sum of such terms, and what its window has."""

    def __init__(self, case, number):
        rng = case.own
        self.number = number
        self.planes = None
        if case.walk is not None and rng.random() < 0.25:
            first = rng.randint(-1, 1)
            self.planes = list(range(first, first + rng.randint(1, 3)))
        self.offsets = {}
        sources = [number - 1] if number > 1 else [rng.choice("uk")]
        if rng.random() < 0.35:
            sources.append(rng.choice([*"uk", *range(1, number)]))
        for source in sources:
            self.offsets[source] = self.choose_offsets(case)
        self.profile = []
        self.index = rng.randrange(case.rank) if rng.random() < 0.2 else None
        self.has_boundary = rng.random() < 0.7
        self.conditions = []
        for axis in range(case.rank):
            isPeriodic = axis in case.axes and rng.random() < 0.95
            self.conditions.append(["periodic"] * 2 if isPeriodic else [rng.choice(case.kinds) for _ in range(2)])
        self.space = rng.choice(["shared", "shared", "registers", "shuffle"])
        self.later = rng.choice([0, 0, 1])

    def choose_offsets(self, case):
        rng = case.own
        radius = rng.choice([1, 1, 2])
        low = [rng.choice([0, 1, radius]) for _ in range(case.rank)]
        high = [rng.choice([0, 1, radius]) for _ in range(case.rank)]
        if self.planes:
            low[case.walk] = high[case.walk] = 0
        offsets = [[0] * case.rank]
        for axis in range(case.rank):
            offsets += [[step if other == axis else 0 for other in range(case.rank)] for step in (-low[axis], high[axis])]
        offsets += [[rng.choice([-a, b]) for a, b in zip(low, high)] for _ in range(rng.choice([0, 1, 2]))]
        return [offset for i, offset in enumerate(offsets) if offset not in offsets[:i]]


class Case(Program):
    halo = HALO

    def __init__(self, seed):
        self.seed = seed
        self.own = self.rng = rng = random.Random(f"wrapped {seed}")
        while not self.choose(rng):
            pass

    def choose(self, rng):
        """Whether fields have all that is read."""
        self.rank = rng.choice([1, 2, 2, 3])
        self.element = rng.choice(["f64", "f64", "f32", "i32"])
        self.chip = rng.choice(list(PREFETCHES))
        value = "dirichlet<3>" if self.element == "i32" else "dirichlet<1.25>"
        self.kinds = [kind for kind in SOURCES if not kind.startswith(("dirichlet", "keep"))] + [value, "keep"]
        self.walk = rng.choice([None, 0, 0, rng.randrange(self.rank)])
        self.step = rng.choice([1, 1, 2]) if self.walk is not None else 1
        self.axes = [axis for axis in range(self.rank) if rng.random() < 0.6] or [rng.randrange(self.rank)]
        self.loads = {name: Load(self, name) for name in "uk"}
        self.stages = [Stage(self, number) for number in range(1, rng.choice([2, 2, 3, 4]) + 1)]
        self.stages[-1].has_boundary = False
        self.stages[-1].planes = None
        self.stored = [stage.number for stage in self.stages[:-1] if rng.random() < 0.25]
        self.extents = [0] * self.rank
        self.find_reach()
        if any(max(load.low + load.high, default=0) > HALO for load in self.loads.values()):
            return False
        self.extents = [self.choose_extent(axis) for axis in range(self.rank)]
        self.is_open = rng.random() < 0.2
        self.choose_profile(random.Random(f"profile {self.seed}"))
        self.group()
        return True

    def choose_profile(self, rng):
        """Some stages read a field that has not all axes; where extents are open, it has the first ones."""
        self.profile = None
        if self.rank == 1 or rng.random() < 0.6:
            return
        count = rng.randint(1, self.rank - 1)
        self.profile = list(range(count)) if self.is_open else sorted(rng.sample(range(self.rank), count))
        for stage in self.stages:
            if rng.random() < 0.6:
                stage.profile = [[rng.randint(-2, 2) for _ in self.profile] for _ in range(rng.choice([1, 2]))]

    def group(self):
        """One load after the other, in the same memory."""
        u, k = self.loads.values()
        isOne = self.walk is None and u.mode != "cache" and k.mode != "cache"
        if isOne and u.readers and k.readers and max(u.readers) < min(k.readers):
            u.group, k.group = 0, 1

    def find_reach(self):
        """How far values are needed around the box (low, high), and what is computed of them there (needs)."""
        values = [*self.loads.values(), *self.stages]
        for value in values:
            value.low, value.high, value.leads, value.readers = [0] * self.rank, [0] * self.rank, [], []
        for stage in reversed(self.stages):
            wanted = max([0, *(newest for newest, _ in stage.leads)]) + (stage.later if stage.leads else 0)
            stage.made = wanted if self.walk is not None else 0
            stage.lead = stage.made + (stage.planes[-1] if stage.planes else 0)
            zero = [0] * self.rank
            low, high = (zero, zero) if stage.has_boundary else (stage.low, stage.high)
            for source, offsets in stage.offsets.items():
                value = self.loads[source] if source in self.loads else self.stages[source - 1]
                value.readers.append(stage.number)
                for offset in offsets:
                    for plane in [stage.planes[0], stage.planes[-1]] if stage.planes else [0]:
                        at = [step + (plane if axis == self.walk else 0) for axis, step in enumerate(offset)]
                        value.low = [max(a, b - step) for a, b, step in zip(value.low, low, at)]
                        value.high = [max(a, b + step) for a, b, step in zip(value.high, high, at)]
                    if self.walk is not None:
                        plane = stage.lead + offset[self.walk]
                        value.leads.append((plane, plane))

    def choose_extent(self, axis):
        least = 1
        for value in [*self.stages[:-1], *self.loads.values()]:
            if value.has_boundary:
                for kind, halo in zip(value.conditions[axis], (value.low[axis], value.high[axis])):
                    if kind != "periodic" and (halo or kind.startswith("extrapolate")):
                        least = max(least, SOURCES[kind](halo))
        more = [0, 1, 2, 5, 9] if axis + 1 < self.rank else [0, 1, 3, 8, 17, 40]
        return least + self.own.choice(more)

    def term(self, stage, number, plane):
        """The value of a term, with weights of its own. `plane`: of what it reads, from its own."""
        kind, weight = ("i", 1) if self.element == "i32" else ("f", 0.125)
        last, lines = None, []
        for place, offsets in enumerate(stage.offsets.values()):
            for i, offset in enumerate(offsets):
                at = [step + (plane if axis == self.walk else 0) for axis, step in enumerate(offset)]
                name = f"{number}_{place}_{i}"
                lines.append(f"%a{name} = stencil.access %in{place}{at} : !temp")
                lines.append(f"%c{name} = arith.constant {(i + 1 + 7 * place + 3 * number) * weight} : {self.element}")
                lines.append(f"%m{name} = arith.mul{kind} %a{name}, %c{name} : {self.element}")
                if last:
                    lines.append(f"%s{name} = arith.add{kind} {last}, %m{name} : {self.element}")
                last = f"%s{name}" if last else f"%m{name}"
        for i, offset in enumerate(stage.profile):
            at = [step + (plane if axis == self.walk else 0) for axis, step in zip(self.profile, offset)]
            own = [str(at[self.profile.index(axis)]) if axis in self.profile else "_" for axis in range(self.rank)]
            lines.append(f"%p{number}_{i} = stencil.access %profile[{', '.join(own)}] : !ptemp")
            lines.append(f"%q{number}_{i} = arith.add{kind} {last}, %p{number}_{i} : {self.element}")
            last = f"%q{number}_{i}"
        if stage.index is not None:
            shift = [plane if axis == self.walk else 0 for axis in range(self.rank)]
            lines.append(f"%i{number} = stencil.index {stage.index} <{shift}>")
            lines.append(f"%j{number} = arith.index_cast %i{number} : index to i32")
            value = f"%j{number}"
            if self.element != "i32":
                value = f"%k{number}"
                lines.append(f"{value} = arith.sitofp %j{number} : i32 to {self.element}")
            lines.append(f"%t{number} = arith.add{kind} {last}, {value} : {self.element}")
            last = f"%t{number}"
        return lines, last

    def apply(self, stage, names, isPipeline, attributes=""):
        """Outside of a pipeline, a sum is one body that reads all planes."""
        kind = "i" if self.element == "i32" else "f"
        inputs = ", ".join(f"%in{i} = {names[source]} : !temp" for i, source in enumerate(stage.offsets))
        if stage.profile:
            inputs += ", %profile = %p0 : !ptemp"
        planes = stage.planes or [0]
        lines, values = [], []
        for number, plane in enumerate(planes):
            more, value = self.term(stage, number, 0 if isPipeline else plane)
            lines += more
            values.append(value)
        isSum = isPipeline and stage.planes
        if not isSum:
            total = values[0]
            for number, value in enumerate(values[1:]):
                lines.append(f"%total{number} = arith.add{kind} {total}, {value} : {self.element}")
                total = f"%total{number}"
            values = [total]
        name = f"%t{stage.number}" if isSum else f"%s{stage.number}"
        many = f":{len(values)}" if len(values) > 1 else ""
        head = f"{name}{many} = stencil.apply({inputs}) -> ({', '.join(['!temp'] * len(values))}){attributes} {{"
        result = [head, *lines, f"stencil.return {', '.join(values)} : {', '.join([self.element] * len(values))}", "}"]
        if isSum:
            terms = ", ".join(f"{name}#{i}" if many else name for i in range(len(values)))
            result.append(f"%s{stage.number} = stencil.accumulate {terms} at {stage.planes} : !temp")
        return result

    def end(self, axis, number):
        """From the extent, as it is written where that is open."""
        return f"?{number - self.extents[axis]:+}" if number != self.extents[axis] else "?"

    def write(self, lines, types=()):
        if self.profile is not None:
            sides = "".join(f"[{-PROFILE_HALO},{self.extents[axis] + PROFILE_HALO}]x" for axis in self.profile)
            types = [f"!pfield = !stencil.field<{sides}{self.element}>", f"!ptemp = !stencil.temp<{'?x' * len(self.profile)}{self.element}>", *types]
        text = f"// {self.chip}\n" + super().write(lines, types)
        if self.profile is not None:
            text = text.replace(") {\n", ", %p: !pfield) {\n", 1)
        if not self.is_open:
            return text

        def open_field(match):
            ends = enumerate(re.findall(r"\[(-?\d+),(-?\d+)\]", match[1]))
            return f"!stencil.field<{''.join(f'[{first},{self.end(axis, int(end))}]x' for axis, (first, end) in ends)}{self.element}>"

        def open_box(match):
            return f"{match[1]}, [{', '.join(self.end(axis, int(end)) for axis, end in enumerate(match[2].split(',')))}]>"

        text = re.sub(r"!stencil\.field<([^>]*)>", open_field, text)
        return re.sub(r"(<\[[-\d, ]+\]), \[([-\d, ]+)\]>", open_box, text)

    def schedule(self):
        rng = self.own
        block = [rng.choice([1, 2, 4]) for _ in range(self.rank - 1)] + [rng.choice([4, 8, 16, 32])]
        points = [rng.choice([1, 1, 2]) for _ in range(self.rank)]
        keys = []
        if self.walk is not None:
            block[self.walk] = points[self.walk] = 1
            segments = rng.choice([1, 2]) if self.extents[self.walk] > 15 else 1
            keys += [f"stream = {self.walk}", f"segments = {segments}"]
        return f" attributes {{stencil.schedule = #stencil.schedule<{', '.join([f'block = {block}', f'points = {points}', *keys])}>}}"

    def planes(self, value, lead):
        if self.walk is None:
            return ""
        oldest = min([lead, *(oldest for _, oldest in value.leads)])
        return f" depth {lead - oldest + self.step} lead {lead}"

    def loads_of_fields(self):
        lines = [f"%{name}0 = stencil.load %{name} : !field -> !temp" for name in "uk"]
        return lines + ["%p0 = stencil.load %p : !pfield -> !ptemp"] * (self.profile is not None)

    def pipeline(self):
        axis = "" if self.walk is None else f" axis {self.walk}" + (f" step {self.step}" if self.step > 1 else "")
        lines = [f"stencil.pipeline{axis}{self.schedule()} {{"]
        lines += self.loads_of_fields()
        names = {}
        for name, load in self.loads.items():
            names[name] = f"%{name}0"
            if load.mode == "cache" or not load.readers:
                continue
            names[name] = f"%{name}w"
            lead = max((newest for newest, _ in load.leads), default=0) + load.ahead
            group = f" group {load.group}" if load.group is not None else ""
            boundary = f" boundary{self.boundary(load)}" if load.has_boundary else ""
            lines.append(f"%{name}w = stencil.window shared %{name}0{self.planes(load, lead)}{group} prefetch {load.prefetch}{boundary} : !temp")
        for stage in self.stages:
            lead = f" attributes {{stencil.stage = #stencil.stage<lead = {stage.lead}>}}" if axis else ""
            lines += self.apply(stage, names, True, lead)
            if not stage.readers:
                continue
            names[stage.number] = f"%w{stage.number}"
            boundary = ""
            if stage.has_boundary:
                isKept = any("keep" in kind for side in stage.conditions for kind in side)
                boundary = f" boundary{self.boundary(stage)}" + (" keep %k0" if isKept else "")
            lines.append(f"%w{stage.number} = stencil.window {stage.space} %s{stage.number}{self.planes(stage, stage.made)}{boundary} : !temp")
        return self.write([*lines, *self.stores(), "}"])

    def store_around(self, lines, types, value, made, source):
        """Fills a field with what a value is around the box."""
        name = f"f{made}"
        types.append(f"!{name} = {self.field(value.low, value.high)}")
        lines.append(f"%{name} = stencil.alloc : !{name}")
        if value.has_boundary:
            lines += [f"%old{made} = stencil.apply(%a = {source} : !temp) -> (!temp) {{"]
            lines += [f"%z = stencil.access %a{[0] * self.rank} : !temp", f"stencil.return %z : {self.element}", "}"]
            lines += [f"stencil.store %old{made} to %{name}{self.around(value)} : !temp to !{name}"]
        return name

    def reference(self):
        """The same with halos in memory."""
        lines = self.loads_of_fields()
        types, names = [], {}
        for name, load in self.loads.items():
            names[name] = f"%{name}0"
            if load.has_boundary and load.readers:
                field = self.store_around(lines, types, load, name, f"%{name}0")
                lines += [f"stencil.boundary %{field}{self.boundary(load)} : !{field}"]
                lines += [f"%w{name} = stencil.load %{field} : !{field} -> !temp"]
                names[name] = f"%w{name}"
        for stage in self.stages:
            lines += self.apply(stage, names, False)
            if not stage.readers:
                continue
            field = self.store_around(lines, types, stage, stage.number, "%k0")
            if stage.has_boundary:
                lines += [f"stencil.store %s{stage.number} to %{field}{self.box} : !temp to !{field}"]
                lines += [f"stencil.boundary %{field}{self.boundary(stage)} : !{field}"]
            else:
                lines += [f"stencil.store %s{stage.number} to %{field}{self.around(stage)} : !temp to !{field}"]
            lines += [f"%w{stage.number} = stencil.load %{field} : !{field} -> !temp"]
            names[stage.number] = f"%w{stage.number}"
        return self.write(lines + self.stores(), types)


def check(trial):
    case = Case(trial.seed)
    fields = [1, *range(3, 3 + len(case.stored))]
    words = [word for i in range(3 + len(case.stored) + (case.profile is not None)) for word in ("--arg", f"{i}={choose_input(case.rng, trial.seed + i)}")]
    words += ["--extents", ",".join(map(str, case.extents))] * case.is_open
    window, memory = trial.write("window.mlir", case.pipeline()), trial.write("memory.mlir", case.reference())
    programs = [memory, window]
    for name, (passes, more) in FORMS.items():
        programs.append(trial.path(f"{name}.mlir"))
        pipeline = f"--pass-pipeline={WRAPPED % (case.chip, passes, more)}"
        trial.run("stencil-opt", window, pipeline, "-o", programs[-1], refusals=LIMITS)
    results = []
    for path in programs:
        out = trial.path("result.npy")
        results.append([])
        for field in fields:
            trial.run("stencil-run", path, "--target", "interpreter", *words, "--out", f"{field}={out}")
            results[-1].append(read_bits(out))
        if results[-1] != results[0]:
            raise Failure(f"the interpreter differs on {memory} and {path}")
    trial.run("stencil-run", window, *choose_cpu(trial.seed, case.rank), *words, "--math", "strict", "--verify=0")
    # LLVM takes minutes for a kernel of so many ops; the interpreter has run its loops.
    with open(programs[-1], encoding="utf-8") as tiles:
        if sum(1 for _ in tiles) > MOST_LINES:
            return
    trial.run("stencil-run", window, "--target", "emulator", "--chip", case.chip, *words, "--math", "strict", "--verify=0", refusals=LIMITS)


def main():
    return run_seeds(make_parser(__doc__).parse_args(), check)


if __name__ == "__main__":
    sys.exit(main())
