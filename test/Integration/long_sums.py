"""Runs sums of many taps, which become loops, on the CPU and in the emulator, against the interpreter.

    long_sums.py --bin build/bin --work DIR --seeds 0:40

A program sweeps once. Its body has one or two long weighted sums over one or two inputs: rank, type (of the input and
of the sum), extents (odd ones, known when it is compiled or not), the box of offsets, taps that are left out or have
weight zero, 1 or -1, and what is done with the sums are random. So are the schedule, the GPU and --math. Some programs
are strict, and read anything; in all others weights and fields are such that no sum rounds, in whatever order. No bit
may differ. Programs that fail are left in DIR.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input, write_integers  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402

TYPES = ["f64", "f64", "f32", "f16", "i32", "i64", "f32:f64"]


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 1, 1, 2, 2, 3])
        self.input, _, self.sum = rng.choice(TYPES).partition(":")
        self.sum = self.sum or self.input
        self.extents = [rng.randint(1, 7) for _ in range(self.rank - 1)] + [rng.randint(1, 500)]
        self.is_symbolic = rng.random() < 0.4
        self.target = rng.choice(["cpu", "emulator", "emulator"])
        self.chip = rng.choice(["sm_90", "sm_80", "gfx942"])
        self.math = rng.choice(["strict", "contract", "contract", "reassociate"])
        self.is_exact = self.math != "strict" or rng.random() < 0.3
        self.sums = [self.taps() for _ in range(rng.choice([1, 1, 2]))]
        self.schedule = self.choose_schedule()
        self.text = self.write()

    def taps(self):
        """Offsets, in order, and their weights."""
        rng = self.rng
        row = rng.choice([16, 17, 31, 64, 65, 100, 129, 300, 515])
        rows = [1] * (self.rank - 1)
        while row * max(1, len(list(itertools.product(*map(range, rows))))) < 64 and self.rank > 1:
            rows[rng.randrange(self.rank - 1)] += 1
        lower = [rng.randint(-3, 1) for _ in rows] + [-rng.randint(0, row)]
        offsets = list(itertools.product(*[range(low, low + count) for low, count in zip(lower, rows + [row])]))
        kind = rng.random()
        if kind < 0.15 and len(offsets) > 80:
            del offsets[rng.randrange(len(offsets))]
        elif kind < 0.25:
            offsets.reverse()
        weights = [self.number() for _ in offsets]
        for value in ("0", "1", "-1"):
            if rng.random() < 0.15:
                weights[rng.randrange(len(weights))] = value
        if self.sum[0] == "f":
            # Signs alone for f16: 515 taps of one bit each are 10 of its 11 bits.
            if self.is_exact and self.sum == "f16":
                weights = [self.rng.choice(["1", "-1"]) if w != "0" else w for w in weights]
            weights = [w if "." in w or "e" in w else w + ".0" for w in weights]
        return offsets, weights

    def number(self):
        if self.sum[0] == "i":
            return str(self.rng.randint(-9, 9))
        if self.is_exact:
            # Of 9 bits; with fields of 3, two sums of 515 taps have 22 of f32's 24.
            return str(self.rng.choice([-1, 1]) * self.rng.randint(1, 511) / 512)
        return f"{self.rng.choice([-1, 1, 1]) * self.rng.uniform(0.05, 1) / 64:.6e}"

    def choose_schedule(self):
        rng = self.rng
        if rng.random() < 0.2:
            return ""
        keys = ["window = shared"]
        if rng.random() < 0.6:
            block, points = [1] * self.rank, [1] * self.rank
            block[-1] = rng.choice([16, 32, 64])
            points[-1] = rng.choice([1, 2, 5, 7, 13, 21])
            if self.rank > 1:
                block[-2], points[-2] = rng.choice([1, 2, 4]), rng.choice([1, 2])
            keys += [f"block = {block}", f"points = {points}"]
        if self.chip != "gfx942" and rng.random() < 0.3:
            keys.append("prefetch = async")
        return f"#stencil.schedule<{', '.join(keys)}>"

    def write(self):
        self.lower = lower = [min([0] + [o[axis] for offsets, _ in self.sums for o in offsets]) for axis in range(self.rank)]
        self.upper = upper = [max([0] + [o[axis] for offsets, _ in self.sums for o in offsets]) for axis in range(self.rank)]
        top = ["?" if self.is_symbolic else str(n) for n in self.extents]

        def bound(axis):
            if self.is_symbolic:
                return f"[{lower[axis]},?+{upper[axis]}]" if upper[axis] else f"[{lower[axis]},?]"
            return f"[{lower[axis]},{self.extents[axis] + upper[axis]}]"

        box = "x".join(bound(axis) for axis in range(self.rank))
        inner = "x".join(f"[0,{n}]" for n in top)
        unknown = "?x" * self.rank
        body, names = [], []
        for i, (offsets, weights) in enumerate(self.sums):
            text = ", ".join(str(list(o)) for o in offsets)
            values = ", ".join(weights)
            to = f" -> {self.sum}" if self.input != self.sum else ""
            body.append(f"    %s{i} = stencil.weighted_sum %x{i} offsets [{text}] weights dense<[{values}]> : tensor<{len(weights)}x{self.sum}> : !in")
            names.append(f"%s{i}")
        op = "addf" if self.sum[0] == "f" else "addi"
        if len(names) > 1:
            body.append(f"    %r = arith.{op} %s0, %s1 : {self.sum}")
            names = ["%r"]
        inputs = ", ".join(f"%x{i} = %t{i} : !in" for i in range(len(self.sums)))
        loads = "\n".join(f"  %t{i} = stencil.load %f{i} : !field -> !in" for i in range(len(self.sums)))
        arguments = ", ".join(f"%f{i}: !field" for i in range(len(self.sums)))
        newline = "\n"
        return f"""!field = !stencil.field<{box}x{self.input}>
!out = !stencil.field<{inner}x{self.sum}>
!in = !stencil.temp<{unknown}{self.input}>
!temp = !stencil.temp<{unknown}{self.sum}>
func.func @sums({arguments}, %g: !out) {{
{loads}
  %r = stencil.apply({inputs}) -> (!temp) {{
{newline.join(body)}
    stencil.return {names[0]} : {self.sum}
  }}
  stencil.store %r to %g(<[{', '.join(['0'] * self.rank)}], [{', '.join(top)}]>) : !temp to !out
  return
}}
"""

    def arguments(self, trial):
        words = ["--math", self.math, "--target", self.target]
        if self.is_symbolic:
            words += ["--extents", ",".join(map(str, self.extents))]
        for i in range(len(self.sums)):
            words += ["--arg", f"{i}={self.field(trial, i)}"]
        words += ["--arg", f"{len(self.sums)}=zeros"]
        if self.target == "emulator":
            words += ["--chip", self.chip] + (["--schedule", self.schedule] if self.schedule else [])
        return words + ["--verify=0"]

    def field(self, trial, i):
        if not self.is_exact or self.input[0] == "i":
            return choose_input(self.rng, i + 1)
        shape = [n + self.upper[axis] - self.lower[axis] for axis, n in enumerate(self.extents)]
        return write_integers(trial.path(f"{i}.npy"), self.input, shape, trial.seed + i, 1 if self.sum == "f16" else 8)


def check(trial):
    case = Case(trial.seed)
    path = trial.write("program.mlir", case.text)
    trial.run("stencil-run", path, *case.arguments(trial), refusals=["the shared memory of a block", "rows that are aligned to at least 4 bytes"])


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
