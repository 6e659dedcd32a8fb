"""Runs sums of a shape on matrix units in the emulator, compared with the interpreter, and prints how many of the sizes take
passes of shared memory for bank conflicts, in the loads of their fragments.

count_conflicts.py STENCIL-RUN SHAPE.PY SHAPE TYPE FIRST LAST [options of stencil-run]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

run, maker, shape, type, first, last, *options = sys.argv[1:]
values = "wild:1:finite" if type == "f64" else "random:1"
points = {"row": 5000, "box": 96, "star": 96}.get(shape, 24)
sizes = conflicts = 0
for size in range(int(first), int(last) + 1):
    made = subprocess.run(
        [sys.executable, maker, shape, str(size), str(points)], stdout=subprocess.PIPE, text=True, check=True
    )
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "shape.mlir"
        program.write_text(made.stdout.replace("f64", type))
        command = [run, program, "--target", "emulator", "--arg", f"0={values}", "--arg", "1=zeros", "--verify", *options]
        done = subprocess.run(
            command, env={**os.environ, "STENCIL_EMULATOR_STATISTICS": "1"}, stderr=subprocess.PIPE, text=True
        )
    if done.returncode:
        sys.exit(f"{shape} {size}: {done.stderr}")
    # The sum is in line 6 of the program.
    found = re.search(r":6:\d+: \d+ accesses.* in (\d+) passes, (\d+) of them for bank conflicts", done.stderr)
    if not found:
        sys.exit(f"{shape} {size}: expected loads of the sum")
    sizes += 1
    if found[2] != "0":
        conflicts += 1
        print(f"{shape} {size}: {found[2]} of {found[1]} passes")
print(f"{sizes} sizes, {conflicts} of them with conflicts")
