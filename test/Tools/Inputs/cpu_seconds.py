"""cpu_seconds.py LIMIT COMMAND...: runs a command, and fails if that takes more
seconds of processor time than the limit (elapsed time depends on what else the
machine does)."""

import resource
import subprocess
import sys

subprocess.run(sys.argv[2:], check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = usage.ru_utime + usage.ru_stime
print(f"{seconds:.2f} s")
if seconds > float(sys.argv[1]):
    sys.exit(f"error: expected at most {sys.argv[1]} s, got {seconds:.2f} s")
