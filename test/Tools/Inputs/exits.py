#!/usr/bin/env python3
"""usage: exits.py CODE COMMAND...

Runs a command and fails unless it exits with CODE, with exactly one line that
has `error:` in it if CODE is not 0, and none otherwise. Prints its stdout and
stderr.
"""

import subprocess
import sys

code, command = int(sys.argv[1]), sys.argv[2:]
stdin = None if sys.stdin.isatty() else sys.stdin
done = subprocess.run(command, capture_output=True, text=True, stdin=stdin)
print(done.stdout + done.stderr, end="", flush=True)
if done.returncode != code:
    sys.exit(f"expected exit code {code}, got {done.returncode}")
errors = [line for line in done.stderr.splitlines() if "error:" in line]
if len(errors) != (code != 0):
    sys.exit(f"expected {int(code != 0)} error lines, got {len(errors)}")
