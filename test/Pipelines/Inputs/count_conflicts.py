"""Runs sums over boxes of N x N taps on matrix units in the emulator, compared with the interpreter, and prints how many of the sizes take
passes of shared memory for bank conflicts, in the loads of their fragments.

count_conflicts.py STENCIL-RUN BOX.PY TYPE FIRST LAST [options of stencil-run]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

run, box, type, first, last, *options = sys.argv[1:]
values = "wild:1:finite" if type == "f64" else "random:1"
sizes = conflicts = 0
for width in range(int(first), int(last) + 1):
    made = subprocess.run([sys.executable, box, str(width)], stdout=subprocess.PIPE, text=True, check=True)
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "box.mlir"
        program.write_text(made.stdout.replace("f64", type).replace("256", "96"))
        command = [run, program, "--target", "emulator", "--arg", f"0={values}", "--arg", "1=zeros", "--verify", *options]
        done = subprocess.run(
            command, env={**os.environ, "STENCIL_EMULATOR_STATISTICS": "1"}, stderr=subprocess.PIPE, text=True
        )
    if done.returncode:
        sys.exit(f"{width} x {width}: {done.stderr}")
    # The sum is in line 6 of the program.
    found = re.search(r":6:\d+: \d+ accesses.* in (\d+) passes, (\d+) of them for bank conflicts", done.stderr)
    if not found:
        sys.exit(f"{width} x {width}: expected loads of the sum")
    sizes += 1
    if found[2] != "0":
        conflicts += 1
        print(f"{width} x {width}: {found[2]} of {found[1]} passes")
print(f"{sizes} sizes, {conflicts} of them with conflicts")
