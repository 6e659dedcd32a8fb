"""What is made of a profiler's and an energy counter's numbers, and of shares of rooflines.

usage: counters.py BENCHMARKS
"""

import sys

sys.path.insert(0, sys.argv[1])
from harness import counters, table  # noqa: E402
from harness.tools import Failed  # noqa: E402

# Four steps of one kernel, the first of which finds nothing in the cache, and a kernel that runs once.
HEAD = '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
ROW = '"{}","{}","dram__bytes_{}.sum","byte","{}"\n'
rows = [ROW.format(i, "sweep", kind, "1,600" if i == 0 else "1,000") for i in range(4) for kind in ("read", "write")]
rows += [ROW.format(4, "fill", "read", "0"), ROW.format(4, "fill", "write", "400")]
text = "==PROF== Connected to process 1\n" + HEAD + "".join(rows)
print("profile:", counters.parse_profile(text, 4))
try:
    counters.parse_profile("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", 4)
except Failed as error:
    print("no counters:", error)

# 100 W while it starts, then 700 W for two seconds.
samples = [(0.1 * i, 10.0 * i) for i in range(20)]
samples += [(2 + 0.1 * i, 200 + 70.0 * i) for i in range(21)]
print("power:", round(counters.plateau_power(samples)))
print("too short:", counters.plateau_power(samples[:5]))

print("portability:", table.portability({"a": 0.5, "b": 1.0}, ["a", "b"]))
print("one fails:", table.portability({"a": 0.5, "b": 0.0}, ["a", "b"]))
print("one is missing:", table.portability({"a": 0.5}, ["a", "b"]))

predicted = {"kernel": "hdiff", "steps": 10, "predicted": [{"seconds": 0.25}, {"seconds": 0.5}]}
print("predicted:", table.predicted_seconds(predicted))
