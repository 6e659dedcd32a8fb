"""Hand-written pipelines made at random: chains of stages over windows of every kind, in the emulator and on the CPU.

    random_pipelines.py --bin build/bin --work DIR --seeds 0:100
    random_pipelines.py --print 7

A pipeline has two to four stages. What a stage makes is read through shared windows, copies of them in registers or
shuffled, windows in registers or shuffled, sums over planes, or directly; leads and depths are what the readers need, or
some more. Windows of what stages make are also read at neighbours that their space does not have.
Some store what is read by others as well, at its own lead, some walk by several planes at a time, and of some threads
compute stages beside their own points (`skew`). Some walks have a box (`stencil.inner`), whose blocks and planes have code of their own.
Some have periodic boundaries of what stages make.
The results have to be the interpreter's, to the last bit. Pipelines that fail are left in DIR.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from harness import Failure, make_parser, run_seeds  # noqa: E402
from windows import choose_cpu, choose_inner  # noqa: E402

LIMITS = ["segments of at least", "windows of at most", "windows and sums of at most", "for prefetch =", "for 'fill =", "expected tiles of more than", "values at other offsets"]
ROOM = 14  # points around the box in the fields that are read


class Value:
    """What is read: a load, or what a stage makes. `reads` are those of its windows: (lead, offsets) by stage."""

    def __init__(self, name, stage=None):
        self.name = name
        self.stage = stage
        self.edges = []


class Edge:
    """How a stage reads a value, and at which offsets."""

    def __init__(self, mode, reader, offsets):
        self.mode = mode
        self.reader = reader
        self.offsets = offsets
        self.operand = None


class Stage:
    def __init__(self, index):
        self.index = index
        self.lead = 0
        self.inputs = []
        # The planes of the sum that it makes the terms of.
        self.planes = None
        self.skew = None


class Pipeline:
    def __init__(self, seed):
        self.seed = seed
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 2, 2, 3, 3])
        self.axis = rng.choice([None, 0, 0, rng.randrange(self.rank)])
        self.type = rng.choice(["f64", "f64", "f32", "f16", "i32"])
        self.chip = rng.choice(["sm_90", "sm_90", "sm_80", "gfx942"])
        self.shape = [rng.randint(1, {1: 90, 2: 23, 3: 9}[self.rank]) for _ in range(self.rank)]
        self.shape[-1] = rng.randint(1, 70)
        self.loads = [Value(f"l{i}") for i in range(rng.randint(1, 2))]
        self.stages = [Stage(i) for i in range(rng.randint(2, 4))]
        self.made = []
        # With numbers of their own, as what is stored, so that a seed has the pipeline that it always had.
        self.own = own = random.Random(f"step {seed}")
        self.step = own.choice([2, 3, 4]) if self.axis is not None and own.random() < 0.25 else 1
        own = random.Random(f"periodic {seed}")
        self.periodic = [axis for axis in range(self.rank) if own.random() < 0.6] if own.random() < 0.2 else []
        self.boundaries = own
        own = random.Random(f"unroll {seed}")
        self.unroll = self.step * own.choice([1, 2, 3]) if self.axis is not None and own.random() < 0.2 else None
        self.connect()
        self.text = self.write()

    def offsets(self, mode):
        rng, result = self.rng, set()
        for _ in range(rng.randint(1, 4)):
            offset = [0] * self.rank
            if mode != "direct":
                for axis in rng.sample(range(self.rank), rng.randint(1, self.rank)):
                    isAlong = axis == self.axis
                    if mode == "registers of a stage" and not isAlong:
                        continue
                    if mode in ("shuffle", "shuffled copy") and not isAlong and axis != self.rank - 1:
                        continue
                    offset[axis] = rng.randint(-2, 2)
            result.add(tuple(offset))
        return sorted(result)

    def connect(self):
        """Says who reads what, and when, from the last stage to the first."""
        rng = self.rng
        last = len(self.stages) - 1
        values = [Value(f"s{i}", stage) for i, stage in enumerate(self.stages)]
        copies = ["copy"] * 2 + (["shuffled copy"] if self.rank - 1 != self.axis else [])
        for i, stage in enumerate(self.stages):
            producers = [] if i == 0 else rng.sample(range(i), rng.randint(1, min(2, i)))
            if i == last:
                producers += [j for j in range(i) if not values[j].edges and j not in producers]
            for j in producers:
                mode = rng.choice(["shared"] * 4 + copies + ["direct"] + (["registers of a stage"] if self.axis is not None else []))
                self.add(values[j], stage, mode)
            if i == 0 or rng.random() < 0.4:
                load = rng.choice(self.loads)
                kinds = ["shared"] * 3 + ["cache", "registers"] + copies[:1]
                kinds += ["shuffle"] if self.rank - 1 != self.axis else []
                self.add(load, stage, rng.choice(kinds))
        self.made = values
        for stage in self.stages[:-1]:
            if self.axis is not None and rng.random() < 0.2:
                first = rng.randint(-2, 1)
                stage.planes = list(range(first, first + rng.randint(1, 3)))
        for i in reversed(range(last)):
            self.choose_lead(values[i])
        for load in self.loads:
            for edge in load.edges:
                edge.lead = edge.reader.lead

    def add(self, value, stage, mode):
        edge = Edge(mode, stage, self.offsets(mode))
        own = random.Random(f"neighbours {self.seed} {value.name} {stage.index}")
        if value.stage is not None and own.random() < 0.3:
            # Of any neighbour, whoever computes it.
            edge.mode = own.choice(["registers of a stage", "shuffle of a stage"])
            edge.offsets = sorted({tuple(own.randint(-2, 2) for _ in range(self.rank)) for _ in range(own.randint(1, 4))})
        value.edges.append(edge)
        stage.inputs.append((value, edge))

    def along(self, edge):
        planes = [offset[self.axis] if self.axis is not None else 0 for offset in edge.offsets]
        return min(planes), max(planes)

    def choose_lead(self, value):
        """The lead of what the stage makes; that of the stage is larger if it is a sum."""
        wanted = 0
        for edge in value.edges:
            lead = edge.lead = edge.reader.lead
            newest = lead + self.along(edge)[1]
            if edge.mode in ("copy", "shuffled copy"):
                edge.copy_lead = newest + self.rng.choice([0, 0, 1]) if self.axis is not None else 0
                newest = edge.copy_lead
            wanted = max(wanted, newest)
        direct = [edge for edge in value.edges if edge.mode == "direct"]
        if direct and any(edge.lead != wanted for edge in direct):
            for edge in direct:
                edge.mode = "shared"
        elif not direct:
            wanted += self.rng.choice([0, 1, 1, 2])
        value.lead = wanted
        value.stage.lead = wanted + (value.stage.planes[-1] if value.stage.planes else 0)

    def boundary(self, value):
        """Of most windows of what stages make."""
        if value.stage is None or not self.periodic or self.boundaries.random() < 0.3:
            return ""
        sides = ", ".join(f"#stencil.{'periodic' if axis in self.periodic else 'neumann'}" for axis in range(self.rank))
        return f" boundary(<{[0] * self.rank}, {self.shape}>) [{sides}]"

    def window(self, lines, space, source, name, lead, oldest, prefetch=""):
        depth = ""
        if self.axis is not None:
            depth = f" depth {lead - oldest + self.step + self.rng.choice([0, 0, 1])} lead {lead}"
        lines.append(f"%{name} = stencil.window {space} %{source}{depth}{prefetch} : !temp")
        return name

    def write_windows(self, lines, value):
        """The windows of a value, of a load or of a stage."""
        rng, isLoad = self.rng, value.stage is None
        shared = [e for e in value.edges if e.mode in ("shared", "copy", "shuffled copy")]
        if shared:
            for edge in shared:
                low, high = self.along(edge)
                edge.newest, edge.oldest = edge.lead + high, edge.lead + low
                if edge.mode != "shared":
                    if isLoad:
                        edge.copy_lead = edge.newest + rng.choice([0, 1])
                    edge.newest = edge.oldest = edge.copy_lead
            newest, oldest = max(e.newest for e in shared), min(e.oldest for e in shared)
            prefetch, lead = "", value.lead if not isLoad else newest
            if isLoad:
                kinds = ["", "", " prefetch registers"] if self.axis is not None else [""]
                kinds += [" prefetch async"] if self.chip != "gfx942" else []
                prefetch = rng.choice(kinds + ([" prefetch tma"] if self.chip == "sm_90" else []))
                lead += rng.choice([1, 2]) if prefetch.endswith(("async", "tma")) else rng.choice([0, 0, 1])
                if prefetch.endswith(("async", "tma")) and self.own.random() < 0.7:
                    # So far ahead that the planes of an iteration come together.
                    lead += self.step - 1
            ring = self.window(lines, "shared", value.name, f"{value.name}_ring", lead, oldest, prefetch + self.boundary(value))
            for number, edge in enumerate(shared):
                edge.operand = ring
                if edge.mode != "shared":
                    space = "registers" if edge.mode == "copy" else "shuffle"
                    first = edge.lead + self.along(edge)[0]
                    edge.operand = self.window(lines, space, ring, f"{ring}_{number}", edge.copy_lead, first)
        for number, edge in enumerate(value.edges):
            low, high = self.along(edge)
            if edge.mode in ("direct", "cache"):
                edge.operand = value.name
            elif edge.mode in ("registers", "shuffle", "registers of a stage", "shuffle of a stage"):
                lead = value.lead if not isLoad else edge.lead + high
                space = "shuffle" if edge.mode.startswith("shuffle") else "registers"
                name = f"{value.name}_own{number}"
                edge.operand = self.window(lines, space, value.name, name, lead, edge.lead + low, self.boundary(value))

    def write_stage(self, lines, stage):
        rng, kind = self.rng, "i" if self.type == "i32" else "f"
        operands = ", ".join(f"%a{n} = %{edge.operand} : !temp" for n, (_, edge) in enumerate(stage.inputs))
        count = len(stage.planes) if stage.planes else 1
        name = f"t{stage.index}" if stage.planes else f"s{stage.index}"
        many = f":{count}" if count > 1 else ""
        lines.append(f"%{name}{many} = stencil.apply({operands}) -> ({', '.join(['!temp'] * count)}) @{stage.index} {{")
        results = []
        for term in range(count):
            total = None
            for n, (_, edge) in enumerate(stage.inputs):
                for k, offset in enumerate(edge.offsets):
                    here = f"%v{term}_{n}_{k}"
                    lines.append(f"  {here} = stencil.access %a{n}{list(offset)} : !temp")
                    factor = rng.randint(1, 9) if kind == "i" else rng.randint(1, 99) / 256
                    lines.append(f"  {here}f = arith.constant {factor} : {self.type}")
                    lines.append(f"  {here}p = arith.mul{kind} {here}, {here}f : {self.type}")
                    if total:
                        lines.append(f"  {here}s = arith.add{kind} {total}, {here}p : {self.type}")
                    total = f"{here}s" if total else f"{here}p"
            if kind == "i" and rng.random() < 0.3:
                # Beyond what is needed, windows have zeros.
                first = f"%v{term}_0_0"
                lines += [f"  %one{term} = arith.constant 1 : i32", f"  %odd{term} = arith.ori {first}, %one{term} : i32"]
                lines.append(f"  %q{term} = arith.divsi {total}, %odd{term} : i32")
                total = f"%q{term}"
            results.append(total)
        lines.append(f"  stencil.return {', '.join(results)} : {', '.join([self.type] * count)}")
        lines.append("}")
        if stage.planes:
            terms = ", ".join(f"%t{stage.index}#{n}" if count > 1 else f"%t{stage.index}" for n in range(count))
            lines.append(f"%s{stage.index} = stencil.accumulate {terms} at {stage.planes} : !temp")

    def when(self, stage):
        skew = "" if stage.skew is None else f", skew = {stage.skew}"
        if self.axis is None and not skew:
            return ""
        return f" attributes {{stencil.stage = #stencil.stage<lead = {stage.lead if self.axis is not None else 0}{skew}>}}"

    def choose_skews(self, stored):
        """Beside what points threads compute stages: the same of what is read without a window, and of what is stored."""
        own = random.Random(f"skew {self.seed}")
        if own.random() < 0.6 or self.periodic:
            return
        skews = [[0 if axis == self.axis else own.choice([0, own.randint(-3, 3)]) for axis in range(self.rank)] for _ in self.stages]
        if own.random() < 0.4:
            # One after the other.
            step = own.choice([-2, -1, 1])
            skews = [[0] * (self.rank - 1) + [0 if self.rank - 1 == self.axis else step * n] for n in range(len(self.stages))]
        groups = list(range(len(self.stages)))
        pairs = [(value.stage.index, edge.reader.index) for value in self.made for edge in value.edges if edge.mode == "direct"]
        for a, b in pairs + [(stage.index, len(self.stages) - 1) for stage in stored]:
            groups = [groups[b] if group == groups[a] else group for group in groups]
        for stage in self.stages:
            stage.skew = skews[groups[stage.index]]

    def halo(self):
        """How many planes apart what is read for one plane of the result can be."""
        edges = [edge for value in (*self.loads, *self.made) for edge in value.edges]
        sums = sum(stage.planes[-1] - stage.planes[0] for stage in self.stages if stage.planes)
        newest = max([0, *(edge.lead + self.along(edge)[1] for edge in edges)])
        return newest - min([0, *(edge.lead + self.along(edge)[0] for edge in edges)]) + sums

    def tile(self):
        rng = self.rng
        block, points = [1] * self.rank, [1] * self.rank
        for axis in range(self.rank):
            if axis != self.axis:
                points[axis] = rng.choice([1, 1, 2, 3, 4])
                block[axis] = rng.choice([1, 2, 4] if axis + 1 < self.rank else [4, 8, 16, 32])
        keys = [f"block = {block}", f"points = {points}"]
        if self.axis is not None:
            planes = self.shape[self.axis]
            # Often as many as have room for the halo.
            most = 3 if rng.random() < 0.05 else min(3, max(1, planes // max(1, self.halo())))
            keys += [f"stream = {self.axis}", f"segments = {rng.randint(1, most)}"]
            keys += [f"unroll = {self.unroll}"] if self.unroll else []
        return f"#stencil.schedule<{', '.join(keys)}>"

    def write(self):
        lines = [f"%{load.name} = stencil.load %u{i} : !field -> !temp" for i, load in enumerate(self.loads)]
        for load in self.loads:
            self.write_windows(lines, load)
        for value in self.made:
            self.write_stage(lines, value.stage)
            self.write_windows(lines, value)
        bounds = "x".join(f"[{-ROOM},{n + ROOM}]" for n in self.shape)
        box = f"<{[0] * self.rank}, {self.shape}>"
        result = f"s{len(self.stages) - 1}"
        own = random.Random(f"store {self.seed}")
        if own.random() < 0.5:
            # All threads of a block store what it holds.
            depth = "" if self.axis is None else f" depth {own.randint(1, 2) + self.step - 1} lead 0"
            lines.append(f"%result = stencil.window shared %{result}{depth} : !temp")
            result = "result"
        lines.append(f"stencil.store %{result} to %out({box}) : !temp to !field")
        self.fields = [f"u{i}" for i in range(len(self.loads))] + ["out"]
        stored_stages = []
        for value in self.made[:-1]:
            if own.random() < 0.3:
                # The value itself, or a window that has some plane of it.
                kept = [edge.operand for edge in value.edges if edge.mode != "shuffled copy" and (edge.mode != "copy" or edge.copy_lead >= 0)]
                stored = own.choice([value.name, value.name, *kept])
                self.fields.append(f"o{value.name}")
                stored_stages.append(value.stage)
                lines.append(f"stencil.store %{stored} to %o{value.name}({box}) : !temp to !field")
        self.choose_skews(stored_stages)
        arguments = ", ".join(f"%{name}: !field" for name in self.fields)
        walk = "" if self.axis is None else f" axis {self.axis}"
        walk += "" if self.step == 1 else f" step {self.step}"
        inner = choose_inner(self.seed, self.shape) if walk else ""
        body = "\n".join("    " + line for line in lines)
        for stage in self.stages:
            body = body.replace(f" @{stage.index} {{", f"{self.when(stage)} {{")
        return f"""// {self.chip}
!field = !stencil.field<{bounds}x{self.type}>
!temp = !stencil.temp<{"?x" * self.rank}{self.type}>
func.func @pipeline({arguments}) {{
  stencil.pipeline{walk} attributes {{{inner}stencil.schedule = {self.tile()}}} {{
{body}
  }}
  return
}}
"""


def check(trial):
    pipeline = Pipeline(trial.seed)
    inputs = []
    for index in range(len(pipeline.fields)):
        inputs += ["--arg", f"{index}={choose_input(pipeline.rng, index + 1)}"]
    words = ["--math", "strict", "--verify=0", *inputs]
    path = trial.write("pipeline.mlir", pipeline.text)
    try:
        trial.run("stencil-run", path, "--target", "emulator", "--chip", pipeline.chip, *words, refusals=LIMITS)
    except Failure as failure:
        # A program that divides what cannot be divided fails everywhere.
        if "of the smallest number by -1" not in str(failure):
            raise
        trial.run("stencil-run", path, "--target", "interpreter", *inputs, refusals=["the quotient overflows"])
        raise
    trial.run("stencil-run", path, *choose_cpu(trial.seed, pipeline.rank), *words)


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--print", type=int, metavar="SEED", help="print a pipeline")
    options = parser.parse_args()
    if options.print is not None:
        print(Pipeline(options.print).text, end="")
        return 0
    return run_seeds(options, check, noun="pipelines")


if __name__ == "__main__":
    sys.exit(main())
