#!/usr/bin/env python3
"""usage: compare_states.py STENCIL-RUN PROGRAM DIR ROWS COLUMNS STEPS

Runs heat2d in the interpreter from DIR/before.raw and compares with
DIR/after.raw, which has to be within 5 ULP.
"""

import pathlib
import subprocess
import sys

import numpy as np

run, program, directory = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
rows, columns, steps = map(int, sys.argv[4:])


def state(name):
    return np.fromfile(directory / name).reshape(rows + 2, columns + 2)


before, after = directory / "before.npy", directory / "after.npy"
np.save(before, state("before.raw"))
command = [run, program, "--target", "interpreter", "--arg", f"0={before}", "--arg", "1=zeros"]
command += ["--arg", f"2={steps}", "--out", f"{steps % 2}={after}"]
subprocess.run(command, check=True)
want, got = np.load(after), state("after.raw")
assert want.std() > 1 and (got != state("before.raw")).any()
ulp = np.abs(got[1:-1, 1:-1] - want[1:-1, 1:-1]) / np.spacing(np.abs(want[1:-1, 1:-1]))
assert ulp.max() <= 5, f"off by {ulp.max()} ULP"
