"""Runs a function of two programs for several numbers of steps, and compares all fields bit by bit.

usage: same-after-steps.py STENCIL-RUN FUNCTION A.mlir B.mlir PREFIX STEPS...
The function has three fields and the number of steps as arguments.
"""

import pathlib
import subprocess
import sys

run, function, a, b, prefix, *counts = sys.argv[1:]
for steps in counts:
    results = []
    for name, program in (("a", a), ("b", b)):
        command = [run, program, "--entry", function, "--target", "interpreter", "--arg", f"3={steps}"]
        files = [pathlib.Path(f"{prefix}.{name}.{i}.npy") for i in range(3)]
        for i, file in enumerate(files):
            command += ["--arg", f"{i}=random:{i + 1}", "--out", f"{i}={file}"]
        subprocess.run(command, check=True)
        results.append([file.read_bytes() for file in files])
    for i, (x, y) in enumerate(zip(*results)):
        if x != y:
            sys.exit(f"error: after {steps} steps field {i} differs")
