"""Counts the kernels of the suite that spill registers.

    count_spills.py STENCIL_OPT DIRECTORY PIPELINE

Every program is compiled with open extents and with those of benchmarks/suite. MHD is left out: a few bytes of its
eight fields with neighbourhoods of 55 points are spilled where extents are open.
"""

import pathlib
import re
import subprocess
import sys

tool, directory, pipeline = sys.argv[1:]
SPILL = re.compile(r"(?:spill_stores|spill_loads|spilled_registers) = (\d+)")
EXTENTS = {1: "134217728", 2: "10240,10240", 3: "512,512,512"}
kernels, spilling = 0, []
for path in sorted(pathlib.Path(directory).glob("*.mlir")):
    if path.name.startswith("mhd"):
        continue
    rank = path.read_text().split("xf64>")[0].count("]x[") + 1
    for extents in ("", f" extents={EXTENTS[rank]}"):
        done = subprocess.run([tool, path, pipeline + extents], capture_output=True, text=True, check=True)
        counts = [int(count) for count in SPILL.findall(done.stdout)]
        assert len(counts) >= 3, f"{path}: no report"
        kernels += 1
        if any(counts):
            spilling.append(f"{path.name}{extents}: {counts}")
print(f"{kernels} kernels, {len(spilling)} spill", *spilling, sep="\n")
