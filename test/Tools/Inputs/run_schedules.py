"""Runs a program with each schedule that is read from standard input and has one of some keys, and says how many there were.

    run_schedules.py KEY... -- COMMAND...
"""

import re
import subprocess
import sys

end = sys.argv.index("--")
keys, command = sys.argv[1:end], sys.argv[end + 1 :]
found = dict.fromkeys(re.findall(r"#stencil\.schedule<[^>]*>", sys.stdin.read()))
schedules = [schedule for schedule in found if any(re.search(rf"\b{key} = ", schedule) for key in keys)]
for schedule in schedules:
    result = subprocess.run([*command, "--schedule", schedule], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{schedule}:\n{result.stdout}{result.stderr}")
print(len(schedules), "schedules, all of them right")
