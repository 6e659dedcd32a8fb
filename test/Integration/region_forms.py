"""Every form of a kernel in regions that are launched together: compiled for a chip, and run in its emulator.

    region_forms.py --bin build/bin --work DIR --chip sm_90 --pipeline stencil-to-nvvm --regions launch

No kernel spills registers, and one launch is one kernel. The result is the interpreter's, to the bit, with weights that
are multiples of 1/64 and fields of small integers: 3 steps need 18 bits behind the point and less than 20 before it.
(Such weights are in instructions; others are in registers, which are what spills.)
"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "random"))

from arrays import write_integers  # noqa: E402

# Of the fields in Inputs/layers.mlir.
SHAPE = (17, 23, 49)
SPILL = re.compile(r"(?:spill_stores|spill_loads|spilled_registers) = (\d+)")
# The sweep writes over what is two steps old: `window = shared` would fetch it by whole tiles.
FORMS = {
    "cache": "",
    "tile": "window = [shared, cache, cache], block = [2, 4, 32], ",
    "walk": "stream = 0, window = [shared, cache, cache], ",
    "rows": "stream = 1, window = [shared, cache, shared], prefetch = registers, launch_bounds = 1, ",
    "shift": "stream = 0, window = [shared, cache, cache], accumulate = shift, prefetch = async, points = [1, 1, 2], ",
    "scatter": "stream = 0, window = [shared, cache, shared], accumulate = scatter, launch_bounds = 1, ",
    "semi": "stream = 0, window = [shared, cache, cache], accumulate = semi, ",
    "registers": "stream = 0, window = [registers, cache, cache], points = [1, 1, 2], ",
    "shuffle": "stream = 0, window = [shuffle, cache, cache], points = [1, 1, 2], ",
}
TMA = {"tma": "stream = 0, window = [shared, cache, cache], prefetch = tma, "}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout, "" if done.returncode == 0 else done.stderr[-500:] or f"exit status {done.returncode}"


def split_regions(args, name, text):
    """The path of a program in regions, and the error of making it."""
    unified, split = (os.path.join(args.work, f"{name}.{part}.mlir") for part in ("unified", "split"))
    with open(unified, "w", encoding="utf-8") as file:
        file.write(text)
    _, error = run([f"{args.bin}/stencil-opt", unified, "--stencil-split-regions", "-o", split])
    return split, error


def main():
    parser = argparse.ArgumentParser()
    for name in ("bin", "work", "chip", "pipeline", "regions"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    template = open(os.path.join(HERE, "Inputs", "layers.mlir")).read()
    fields = []
    for i in range(3):
        path = write_integers(os.path.join(args.work, f"{i}.npy"), "f64", SHAPE, i)
        fields += ["--arg", f"{i}={path}"]
    failures = []
    forms = dict(FORMS, **(TMA if args.chip == "sm_90" else {}))
    for name, form in forms.items():
        text = template.replace("@SCHEDULE@", f"{form}regions = {args.regions}")
        split, error = split_regions(args, name, text)
        exact, failure = split_regions(args, f"{name}.exact", text.replace("-0.0125", "-0.015625").replace("0.2,", "0.25,"))
        error += failure
        text, failed = run([f"{args.bin}/stencil-opt", split, f"--{args.pipeline}=chip={args.chip} format=bin math=reassociate"])
        kernels = text.count("kernel_metadata<\"")
        spills = sum(map(int, SPILL.findall(text)))
        _, differs = run([f"{args.bin}/stencil-run", exact, "--target", "emulator", "--chip", args.chip, "--math", "reassociate", "--verify=0", *fields, "--arg", "3=3"])
        expected = 1 if args.regions == "launch" else 3
        if error or failed or differs or spills or kernels != expected:
            failures.append(f"{name}: {kernels} kernels, {spills} spills {error}{failed}{differs}")
    print(f"{len(forms)} forms, {len(failures)} failed", *failures, sep="\n")


main()
