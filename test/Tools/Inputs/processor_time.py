#!/usr/bin/env python3
"""usage: processor_time.py SECONDS COMMAND...

Fails unless the best of five runs of a command takes less processor time than
SECONDS: what it would take on a machine with nothing else to do.
"""

import resource
import subprocess
import sys


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


limit, command = float(sys.argv[1]), sys.argv[2:]
times = []
for _ in range(5):
    before = used()
    subprocess.run(command, check=True)
    times.append(used() - before)
print(f"best of {len(times)}: {min(times):.3f} s")
if min(times) >= limit:
    sys.exit(f"expected less than {limit} s, got {min(times):.3f} s")
