"""Runs a command while a file is locked; fails if the command does not."""

import fcntl
import subprocess
import sys

with open(sys.argv[1], "w", encoding="utf-8") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    sys.exit(subprocess.run(sys.argv[2:], check=False).returncode == 0)
