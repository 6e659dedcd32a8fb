"""Runs sweeps in regions that are launched together, in the emulator, against the interpreter.

    regions.py --bin build/bin --work DIR --seeds 0:40

A program is a time loop whose sweep stores to nested slabs around an interior, each by an apply of its own: 2 per axis
and 1, or fewer. The layers read a field of damping factors and fewer neighbours. Rank, extents (odd ones, known when it
is compiled or not), radius, widths of layers, types and the schedule of every region are random. Some programs store
over what is two steps old; in some, a second sweep reads what the first one has stored; in some, regions ask to be
launched in different ways. The emulator looks at races between the regions. No bit may differ from the interpreter's:
with math=strict, or, if sums are added up in another order, because weights and fields are such that none rounds. A
schedule that is refused for a known reason is counted. Programs that fail are left in DIR.
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

import windows  # noqa: E402
from arrays import choose_input, write_integers  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402

REFUSALS = windows.REFUSALS + [
    r"expected blocks of \d+ threads, as another region of the same launch has, got \d+, which wait",
    r"expected regions that do not depend on each other .*: a shared window is filled by whole tiles",
]


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 2, 2, 3, 3])
        self.type = rng.choice(["f64", "f64", "f32"])
        self.radius = rng.randint(1, 4 if self.rank < 3 else 2)
        self.layers = [(rng.randint(1, 5), rng.randint(1, 5)) for _ in range(self.rank)]
        self.extents = [sum(self.layers[axis]) + rng.randint(1, 24 if axis == self.rank - 1 else 9) for axis in range(self.rank)]
        self.is_symbolic = rng.random() < 0.4
        self.is_in_place = rng.random() < 0.3
        self.has_second = rng.random() < 0.3
        self.modes = rng.choice([["launch"], ["launch"], ["streams"], ["launch", "streams", "separate"]])
        self.chip = rng.choice(["sm_90", "sm_90", "sm_80", "gfx942"])
        self.steps = rng.choice([1, 2, 3, 70] if self.rank == 1 else [1, 2, 3])
        # One of few threads needs others that are alike, if they wait for each other.
        self.is_uniform = rng.random() < 0.85
        self.math = rng.choice(["strict", "strict", "contract", "reassociate"])
        if self.is_exact:
            # Fields of 3 bits; a sweep of 17 taps and what was there before add less than 5, to f32's 24 and f64's 53.
            self.steps = min(self.steps, (4 if self.type == "f32" else 9) // (1 + self.has_second))
        self.text = self.write()

    @property
    def is_exact(self):
        """Whether fields and weights are such that nothing rounds."""
        return self.math != "strict"

    def upper(self, axis, below=0):
        if self.is_symbolic:
            return f"?-{below}" if below else "?"
        return str(self.extents[axis] - below)

    def boxes(self):
        """Slabs, nested, in a random order of axes; the interior is last."""
        lower, upper = [0] * self.rank, [0] * self.rank
        boxes = []

        def box(low, high):
            return f"<[{', '.join(map(str, low))}], [{', '.join(high)}]>"

        def ends():
            return [self.upper(axis, upper[axis]) for axis in range(self.rank)]

        for axis in range(self.rank):
            low, high = self.layers[axis]
            if self.rng.random() < 0.85:
                end = ends()
                end[axis] = str(low)
                boxes.append(box(lower, end))
                lower[axis] = low
            if self.rng.random() < 0.85:
                begin = list(lower)
                begin[axis] = self.upper(axis, high)
                boxes.append(f"<[{', '.join(map(str, begin))}], [{', '.join(ends())}]>")
                upper[axis] = high
        boxes.append(box(lower, ends()))
        return boxes

    def schedule(self):
        rng = self.rng
        if rng.random() < 0.4:
            keys = []
            if rng.random() < 0.5:
                block, points = windows.block_and_points(rng, self.rank)
                keys = [f"block = {block}", f"points = {points}"]
            if self.chip.startswith("sm") and self.rank > 1 and rng.random() < 0.3:
                keys.append("prefetch = l2")
            text = f"#stencil.schedule<{', '.join(keys)}>"
        else:
            text = windows.random_schedule(rng, self.rank, self.chip, planes=2 * self.radius + 1)
        if self.math != "reassociate":
            # Neither adds up in the order in which the program is written.
            text = re.sub("scatter|semi", "gather", text)
            # Groups in a walk add plane by plane.
            if "stream" in text:
                text = re.sub(r", groups = \[[^]]*\]", "", text)
        # Layers are thin.
        text = re.sub(r"segments = \d+(, )?", "", text)
        if self.is_in_place and rng.random() < 0.8:
            # What is stored to is not fetched by whole tiles.
            text = text.replace("window = shared", "window = [shared, cache, cache]")
        if self.is_uniform:
            stream = re.search(r"stream = (\d)", text)
            text = re.sub(r"block = \[.*?\](, )?|points = \[.*?\](, )?", "", text)
            block = [1] * self.rank
            axes = [axis for axis in range(self.rank) if not stream or axis != int(stream[1])][-2:]
            sizes = rng.choice([[8, 16], [4, 32], [2, 64]]) if len(axes) > 1 else [128]
            for axis, size in zip(axes, sizes):
                block[axis] = size
            # As chosen for 128 threads, a row of a tile could be too long for tma.
            points = f"points = {[1] * self.rank}, " if sizes == [128] else ""
            text = text.replace("<", f"<block = {block}, {points}", 1)
        return re.sub(r"(, )?>$", f", regions = {rng.choice(self.modes)}>", text).replace("<, ", "<")

    def sweep(self, source, before, target):
        """Applies for all regions."""
        lines = []
        boxes = self.boxes()
        self.rng.shuffle(boxes)
        for number, box in enumerate(boxes):
            is_layer = box != boxes[-1] and self.rng.random() < 0.8
            radius = self.rng.randint(1, self.radius) if is_layer else self.radius
            lines.append(f"    %r{target}{number} = stencil.apply(%x = %t{source} : !temp, %e = %te : !temp, %o = %t{before} : !temp)"
                         f" -> (!temp) attributes {{stencil.schedule = {self.schedule()}}} {{")
            offsets = [[0] * self.rank]
            for axis in range(self.rank):
                for distance in range(1, radius + 1):
                    for sign in (-1, 1):
                        offsets.append([sign * distance if axis == other else 0 for other in range(self.rank)])
            sums = f"%s0 = stencil.access %x{offsets[0]} : !temp"
            lines.append(f"      {sums}")
            weight = 0.5 if self.is_exact else 1 / len(offsets)
            lines.append(f"      %weight = arith.constant {weight:.6e} : {self.type}")
            for i, offset in enumerate(offsets[1:], 1):
                lines.append(f"      %a{i} = stencil.access %x{offset} : !temp")
                lines.append(f"      %s{i} = arith.addf %s{i - 1}, %a{i} : {self.type}")
            lines.append(f"      %m = arith.mulf %s{len(offsets) - 1}, %weight : {self.type}")
            result = "%m"
            zero = [0] * self.rank
            if is_layer:
                lines.append(f"      %damp = stencil.access %e{zero} : !temp")
                lines.append(f"      %l = arith.mulf %m, %damp : {self.type}")
                result = "%l"
            if self.is_in_place:
                lines.append(f"      %p = stencil.access %o{zero} : !temp")
                lines.append(f"      %q = arith.addf {result}, %p : {self.type}")
                result = "%q"
            lines.append(f"      stencil.return {result} : {self.type}")
            lines.append("    }")
            lines.append(f"    stencil.store %r{target}{number} to %{target}({box}) : !temp to !field")
        return lines

    def write(self):
        bounds = "x".join(f"[{-self.radius},{self.upper(axis)}{'+' if self.is_symbolic else ''}{self.radius if self.is_symbolic else ''}]"
                          if self.is_symbolic else f"[{-self.radius},{self.extents[axis] + self.radius}]" for axis in range(self.rank))
        unknown = "x".join(["?"] * self.rank)
        lines = [f"!field = !stencil.field<{bounds}x{self.type}>", f"!any = !stencil.field<{unknown}x{self.type}>",
                 f"!temp = !stencil.temp<{unknown}x{self.type}>",
                 "func.func @f(%a: !any, %b: !any, %c: !any, %d: !any, %steps: index) {"]
        for name, argument in (("u0", "a"), ("v0", "b"), ("eta", "c"), ("w", "d")):
            lines.append(f"  %{name} = stencil.cast %{argument} : !any -> !field")
        lines += ["  %zero = arith.constant 0 : index", "  %one = arith.constant 1 : index",
                  "  %r:2 = scf.for %i = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {",
                  "    %tu = stencil.load %u : !field -> !temp", "    %tv = stencil.load %v : !field -> !temp",
                  "    %te = stencil.load %eta : !field -> !temp"]
        lines += self.sweep("u", "v", "v")
        if self.has_second:
            lines.append("    %tn = stencil.load %v : !field -> !temp")
            lines += self.sweep("n", "u", "w")
        lines += ["    scf.yield %v, %u : !field, !field", "  }", "  return", "}"]
        return "\n".join(lines) + "\n"

    def arguments(self, trial):
        words = ["--target", "emulator", "--chip", self.chip, "--math", self.math, "--verify=0"]
        for index in range(4):
            words += ["--arg", f"{index}={self.field(trial, index)}"]
        words += ["--arg", f"4={self.steps}"]
        if self.is_symbolic:
            words += ["--extents", ",".join(map(str, self.extents))]
            words += ["--any-extents"] * self.rng.choice([0, 1])
        return words

    def field(self, trial, index):
        if not self.is_exact:
            return choose_input(self.rng, index + 1)
        shape = [extent + 2 * self.radius for extent in self.extents]
        # The third has the factors of the layers.
        return write_integers(trial.path(f"{index}.npy"), self.type, shape, trial.seed + index, 1 if index == 2 else 8)


def check(trial):
    case = Case(trial.seed)
    trial.run("stencil-run", trial.write("program.mlir", case.text), *case.arguments(trial), refusals=REFUSALS)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
