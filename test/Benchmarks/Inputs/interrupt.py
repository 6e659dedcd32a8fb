"""Interrupts a command, as Ctrl-C does, once a file is there; then reads that file.

usage: interrupt.py FILE.json COMMAND...
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

path = pathlib.Path(sys.argv[1])
path.unlink(missing_ok=True)
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, start_new_session=True)
while not path.exists() and process.poll() is None:
    time.sleep(0.01)
os.killpg(process.pid, signal.SIGINT)
status = process.wait()
print(f"exit status {status}, {len(json.loads(path.read_text()))} results", file=sys.stderr)
