"""Runs random time loops over a caller's arrays in fields whose rows begin at whole sectors (stencil-pad-fields).

    padded_loops.py --bin build/bin --work DIR --seeds 0:40

The programs are those of diamond_loops.py: one state and several, that take turns or are stored in place, halos of any kind,
fields that do not change, odd extents, fewer steps than are asked for and more. What the pass makes has to leave in all
fields, halos included, what the interpreter leaves there without it, to the last bit. Some also run as code of a GPU in the
emulator, which looks at every access. Programs that fail are left in DIR.
"""

import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

import diamond_loops  # noqa: E402
from harness import Failure, Refusal, make_parser, run_seeds  # noqa: E402

# The emulator takes some microseconds for a point.
MOST_POINTS = 40000


def run_fields(trial, program, arguments, count, name, *options):
    """What is in the arrays behind a run."""
    files = [os.path.join(trial.directory, f"{name}-{number}.npy") for number in range(count)]
    outputs = [word for number, file in enumerate(files) for word in ("--out", f"{number}={file}")]
    trial.run("stencil-run", program, *options, *arguments, *outputs)
    return [open(file, "rb").read() for file in files]


def find(seed):
    """A program over planes or volumes."""
    for number in range(1000):
        rng, case = diamond_loops.find(f"{seed} {number} with padded rows")
        if case.rank > 1:
            return rng, case
    raise Failure("no program")


def check(trial):
    rng, case = find(trial.seed)
    arguments = [re.sub(r"=wild:(\d+).*", r"=random:\1", word) for word in case.arguments()]
    own = ("--math", "strict", "--any-extents")
    arguments = [word for word in arguments if word not in own and not word.startswith("--verify")]
    count = sum("random:" in word for word in arguments)
    program = trial.write("program.mlir", case.text)
    expected = run_fields(trial, program, arguments, count, "expected", "--target", "interpreter")
    extents = ",".join(map(str, case.extents))
    fewest = rng.choice([1, 2, 5, 8])
    passes = f"func.func(stencil-request-device-arrays),stencil-specialize-extents{{extents={extents}}}"
    passes += f",func.func(stencil-pad-fields{{fewest-steps={fewest} least-bytes=1}})"
    padded = os.path.join(trial.directory, "padded.mlir")
    trial.run("stencil-opt", program, f"--pass-pipeline=builtin.module({passes})", "-o", padded)
    if "stencil.alloc" not in open(padded).read():
        raise Refusal("rows are whole sectors, or shorter than a wider halo needs")
    if run_fields(trial, padded, arguments, count, "padded", "--target", "interpreter") != expected:
        raise Failure("the fields differ")
    if math.prod(case.extents) < MOST_POINTS and rng.random() < 0.4:
        options = ["--target", "emulator", "--chip", "sm_90", "--device-arrays", "--math", "strict"]
        if run_fields(trial, padded, arguments, count, "emulated", *options) != expected:
            raise Failure("the fields differ on a GPU")


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
