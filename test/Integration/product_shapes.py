"""Runs sums of all widths as products of matrices in the emulator, against the interpreter.

    product_shapes.py --bin build/bin --work DIR --seeds 0:200

Boxes and stars, in rows and planes of 2 to 15 taps per axis, in volumes of 2 to 5, with and without a walk, on each GPU: seed S is
number S of these, in an order that does not change. Weights and fields are any numbers, so that results are rounded; --verify is
content with what it accepts by default. A third is in arrays of the caller, without gaps between rows. The extents are odd, so that patches reach beyond the domain. Programs that fail are left in DIR.
"""

import itertools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from harness import make_parser, run_seeds  # noqa: E402

CHIPS = ["sm_80", "sm_90", "gfx90a", "gfx942"]
# By rank: widths, extents.
RANKS = {1: (range(2, 16), [331]), 2: (range(2, 16), [37, 75]), 3: (range(2, 6), [7, 19, 71])}


def list_cases():
    cases = []
    for rank, (widths, _) in RANKS.items():
        kinds = ["box", "star"] if rank > 1 else ["box"]
        walks = [False, True] if rank > 1 else [False]
        cases += itertools.product([rank], widths, kinds, walks, CHIPS)
    # What follows one another differs in all of it.
    random.Random(0).shuffle(cases)
    return cases


CASES = list_cases()


def write(rank, width, kind, seed):
    lower = -(width // 2)
    box = itertools.product(range(lower, lower + width), repeat=rank)
    offsets = [list(o) for o in box if kind == "box" or sum(x != 0 for x in o) <= 1]
    rng = random.Random(seed)
    weights = ", ".join(f"{rng.choice([-1, 1]) * rng.uniform(0.01, 1):.6e}" for _ in offsets)
    extents = RANKS[rank][1]
    field = "x".join(f"[{lower},{n + lower + width - 1}]" for n in extents)
    out = "x".join(f"[0,{n}]" for n in extents)
    return f"""!field = !stencil.field<{field}xf64>
!out = !stencil.field<{out}xf64>
!temp = !stencil.temp<{"?x" * rank}f64>
func.func @product(%f: !field, %g: !out) {{
  %t = stencil.load %f : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {{
    %s = stencil.weighted_sum %x offsets [{", ".join(map(str, offsets))}] weights dense<[{weights}]> : tensor<{len(offsets)}xf64> : !temp
    stencil.return %s : f64
  }}
  stencil.store %r to %g(<{[0] * rank}, {extents}>) : !temp to !out
  return
}}
"""


def check(trial):
    rank, width, kind, walks, chip = CASES[trial.seed]
    path = trial.write("program.mlir", write(rank, width, kind, trial.seed))
    keys = "window = shared, engine = mma" + (", stream = 0" if walks else "")
    field = f"wild:{trial.seed}" if trial.seed % 2 else f"random:{trial.seed}"
    memory = ["--device-arrays"] if trial.seed % 3 == 0 else []
    trial.run("stencil-run", path, "--target", "emulator", "--chip", chip, "--math", "reassociate", "--schedule", f"#stencil.schedule<{keys}>",
              "--arg", f"0={field}", "--arg", "1=zeros", "--verify", *memory, refusals=["the shared memory of a block"])


if __name__ == "__main__":
    options = make_parser(__doc__).parse_args()
    if options.seeds.stop > len(CASES):
        sys.exit(f"error: expected seeds of the {len(CASES)} cases, got {options.seeds.stop - 1}")
    sys.exit(run_seeds(options, check))
