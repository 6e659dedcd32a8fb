"""Measurements that are what the cost model predicts with other constants.

usage: synthetic_measurements.py BENCHMARKS BIN CONSTANTS SEED...     prints JSON rows as benchmarks/collect's
"""

import json
import pathlib
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import generate_random  # noqa: E402
from harness.predictions import Group, Predictor, Row  # noqa: E402
from harness.tools import call  # noqa: E402

directory, constants, rows = pathlib.Path(sys.argv[2]), json.loads(sys.argv[3]), []
predictor = Predictor(directory, "h200")
for seed in map(int, sys.argv[4:]):
    program = generate_random.Program(seed)
    source = pathlib.Path("synthetic.mlir")
    source.write_text(program.mlir())
    command = [directory / "stencil-tune", source, "--target", "cuda", "--chip", "h200", "--candidates"]
    command += ["--extents", ",".join(map(str, program.extents)), *program.arguments(1)]
    schedules = [line.strip() for line in call(command).splitlines()[1:]]
    # The first, and some of all kinds.
    schedules = [schedules[0], *schedules[1 :: max(1, len(schedules) // 8)]]
    group = Group(program.name, tuple(program.extents), "contract", [Row(s, 1, 1, {}) for s in schedules])
    for schedule, predictions in zip(schedules, predictor.predict(group, [constants])):
        seconds = sum(p["seconds_with"][0] for p in predictions)
        bench = {"seconds": [seconds], "gstencil_per_s": 1 / seconds}
        chosen = ["auto"] if schedule == schedules[0] else []
        rows.append({**program.describe(), "variant": "contract", "schedule": schedule, "steps": 1, "bench": bench, "chosen": chosen})
print(json.dumps(rows))
