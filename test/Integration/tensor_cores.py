"""Runs sums as products of matrices in the emulator, against the interpreter.

    tensor_cores.py --bin build/bin --work DIR --seeds 0:40

A program sweeps once. Its body has a weighted sum, of a box, a star or taps at random, odd and even widths from 2 to 15, or so wide
(rows of 601 or 1601 taps, boxes of 24 x 24) that steps are loops, over a field of rank 1 to 3, and may do something with it and with the field at neighbouring points. Type, extents (odd ones), schedule (with or without a
walk, threads, points, how the window is filled), memory and GPU are random. Weights and fields are such that no sum rounds, in whatever
order: no bit may differ. Programs that fail are left in DIR.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import write_integers  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402

# What each GPU has instructions for, and its warps.
TYPES = ["f64", "f16", "bf16"]
CHIPS = {"sm_80": ([*TYPES, "f32"], 32), "sm_90": ([*TYPES, "f32"], 32), "gfx90a": (TYPES, 64), "gfx942": ([*TYPES, "f32"], 64)}
REFUSALS = [
    "the shared memory of a block", "rows that are aligned to at least 4 bytes", "rows of a multiple of 16 bytes", "whole patches", "for prefetch = tma",
    "expected a lead beyond plane", "at most 256 points per thread", "segments of at least",
    "begin at multiples of 16 bytes of a row",
]


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.chip = rng.choice(list(CHIPS))
        types, self.warp = CHIPS[self.chip]
        self.type = rng.choice(["f64"] * 3 + types)
        self.rank = rng.choice([1, 2, 2, 2, 3])
        widest = {1: 40, 2: 15, 3: 5}[self.rank]
        narrowest = 2
        if rng.random() < 0.4:
            # A thread of AMD's has twice the registers for weights.
            narrow, wide = {1: (400, 601), 2: (20, 24), 3: (7, 8)}, {1: (900, 1601), 2: (20, 24), 3: (7, 8)}
            narrowest, widest = (narrow if self.warp == 32 else wide)[self.rank]
        self.widths = [rng.randint(narrowest, widest) if rng.random() < 0.9 else 1 for _ in range(self.rank)]
        # One tap is no sum.
        self.widths[rng.randrange(self.rank)] = rng.randint(narrowest, widest)
        self.extents = [rng.randint(1, 30) for _ in range(self.rank - 1)] + [rng.randint(1, 200)]
        # Of several tiles, those in the middle have whole rows.
        if self.rank < 3 and rng.random() < 0.25:
            self.extents = [1 + n % 5 for n in self.extents[:-1]] + [rng.randint(400, 3000)]
        self.lower = [-rng.randint(0, width - 1) for width in self.widths]
        if rng.random() < 0.7:
            self.lower = [-(width // 2) for width in self.widths]
        self.offsets = self.choose_offsets()
        self.weights = [self.weight() for _ in self.offsets]
        # Of two taps, what is added may take one away: then there is no sum.
        self.with_others = rng.random() < 0.3 and len(self.offsets) > 2
        self.schedule = self.choose_schedule()
        # Arrays of the caller have no gaps between rows.
        self.memory = ["--device-arrays"] if rng.random() < 0.3 else []
        self.text = self.write()

    def weight(self):
        """Of f16 and bf16 few bits, as a field of few bits times it, summed, has to fit their significands."""
        if self.type == "f64":
            # So many that few are alike: sums of equal weights would be taken apart.
            return str(self.rng.choice([-1, 1]) * self.rng.randint(1, 65535) / 65536)
        if self.type == "f32":
            # Factors have the 11 bits of TF32.
            return str(self.rng.choice([-1, 1]) * self.rng.randint(1, 1023) / 1024)
        return self.rng.choice(["1.0", "-1.0"])

    def choose_offsets(self):
        rng = self.rng
        box = list(itertools.product(*[range(low, low + width) for low, width in zip(self.lower, self.widths)]))
        kind = rng.random()
        if kind < 0.3:
            star = [o for o in box if sum(x != 0 for x in o) <= 1]
            box = star if len(star) > 1 else box
        elif kind < 0.45 and len(box) > 4:
            box = rng.sample(box, rng.randint(2, len(box)))
        # A sum of signs of small numbers is one of few bits.
        return box[:16] if self.type in ("f16", "bf16") else box

    def choose_schedule(self):
        rng = self.rng
        keys = ["window = shared", "engine = mma"]
        walks = self.rank > 1 and rng.random() < 0.4
        if walks:
            keys.append("stream = 0")
            if rng.random() < 0.5:
                keys.append(f"segments = {rng.randint(1, 3)}")
        if rng.random() < 0.5:
            block, points = [1] * self.rank, [1] * self.rank
            block[-1] = self.warp * (rng.choice([1, 2]) if self.rank < 3 else 1)
            points[-1] = rng.choice([4, 8, 12, 16, 20, 28]) if self.rank == 1 or walks and self.rank == 2 else 4
            if self.rank > (2 if walks else 1):
                block[-2], points[-2] = rng.choice([1, 2, 4]), rng.choice([1, 2, 4, 8] if self.rank < 3 else [1, 2, 4])
            keys += [f"block = {block}", f"points = {points}"]
        if self.chip.startswith("sm") and rng.random() < 0.5:
            keys.append("prefetch = async" if self.chip == "sm_80" or rng.random() < 0.5 else "prefetch = tma")
        return f"#stencil.schedule<{', '.join(keys)}>"

    def write(self):
        self.upper = [max([0] + [o[axis] for o in self.offsets]) for axis in range(self.rank)]
        self.lower = [min([0] + [o[axis] for o in self.offsets]) for axis in range(self.rank)]
        box = "x".join(f"[{low},{n + up}]" for low, n, up in zip(self.lower, self.extents, self.upper))
        inner = "x".join(f"[0,{n}]" for n in self.extents)
        unknown = "?x" * self.rank
        text = ", ".join(str(list(o)) for o in self.offsets)
        others = ""
        result = "%s"
        if self.with_others:
            at = list(self.rng.choice(self.offsets))
            others = f"    %a = stencil.access %x{at} : !in\n    %r = arith.addf %s, %a : {self.type}\n"
            result = "%r"
        return f"""!field = !stencil.field<{box}x{self.type}>
!out = !stencil.field<{inner}x{self.type}>
!in = !stencil.temp<{unknown}{self.type}>
func.func @product(%f: !field, %g: !out) {{
  %t = stencil.load %f : !field -> !in
  %r = stencil.apply(%x = %t : !in) -> (!in) {{
    %s = stencil.weighted_sum %x offsets [{text}] weights dense<[{', '.join(self.weights)}]> : tensor<{len(self.weights)}x{self.type}> : !in
{others}    stencil.return {result} : {self.type}
  }}
  stencil.store %r to %g(<{[0] * self.rank}, {self.extents}>) : !in to !out
  return
}}
"""


def check(trial):
    case = Case(trial.seed)
    path = trial.write("program.mlir", case.text)
    shape = [n + up - low for low, n, up in zip(case.lower, case.extents, case.upper)]
    field = write_integers(trial.path("0.npy"), case.type, shape, trial.seed, 1 if case.type in ("f16", "bf16") else 8)
    trial.run("stencil-run", path, "--target", "emulator", "--chip", case.chip, "--math", "tf32" if case.type == "f32" else "reassociate", "--schedule", case.schedule,
              "--arg", f"0={field}", "--arg", "1=zeros", "--verify=0", *case.memory, refusals=REFUSALS)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
