"""The wave with absorbing layers of examples/seismic, in its three forms."""

import json
import math
import re
import sys

from harness import catalog
from harness.tools import Failed, call

DRIVER = catalog.HERE.parent / "examples" / "seismic" / "run"
# Bytes of a point: u, u before, k and u after; in the layers eta and phi, and phi after, as well.
INTERIOR_BYTES, LAYER_BYTES = 16, 28


def report(measurement, case, extents, steps, flags):
    """stencil-run's report, with the rates of the wave: one update per point and step, whatever else is stored."""
    o, out = measurement.options, measurement.scratch / "seismic"
    command = [sys.executable, DRIVER, "--bin", o.bin, "--target", o.target, "--out", out, "--random", "--regions", case.kernel.form]
    # A snapshot would be copied from the device.
    command += ["--extents", ",".join(map(str, extents)), "--steps", steps, "--snapshots", 10**6, "--eta", "field"]
    for flag in flags:
        command += [flag]
    if case.flags:
        command += case.flags
    if o.target == "emulator" or o.chip:
        command += ["--chip", o.chip or "sm_90"]
    if o.threads:
        command += ["--threads", o.threads]
    if isinstance(case.schedule, dict):
        file = measurement.scratch / "regions.json"
        file.write_text(json.dumps(case.schedule))
        command += ["--schedules", file]
    elif case.schedule:
        command += ["--schedule", case.schedule]
    text = call(command)
    made = json.loads((out / "report.json").read_text())
    widths = re.search(r"layers of (\d+), (\d+), (\d+)", text)
    if not widths:
        raise Failed(f"{DRIVER}: expected the widths of the layers, got '{text}'")
    bench = made.get("bench")
    if bench:
        points = math.prod(extents)
        inner = math.prod(max(0, n - 2 * int(w)) for n, w in zip(extents, widths.groups()))
        bench["point_updates"] = points * steps
        bench["bytes"] = (INTERIOR_BYTES * inner + LAYER_BYTES * (points - inner)) * steps
        bench["gstencil_per_s"] = bench["point_updates"] / bench["median"] * 1e-9
        bench["gb_per_s"] = bench["bytes"] / bench["median"] * 1e-9
        for limit in ("copy", "triad"):
            if bench.get(f"{limit}_gb_per_s"):
                bench[f"share_of_{limit}"] = bench["gb_per_s"] / bench[f"{limit}_gb_per_s"]
    return made
